"""Several machines and their cables inside one: network namespaces, for tests. Run it through `stage(...)` below.

It runs as root of a user namespace of its own (`unshare -rn`), so it needs no rights on this machine, can reach
nothing outside, and takes every machine, cable and process with it when it ends.

    netns_stage.py SCENE        plays one of the scenes at the end of this file and prints what came of it as JSON
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CHILD = HERE / "lan_child.py"
PORT = 5670
PATIENCE = 30.0


def why_not() -> str:
    """Why no stage can be set up here; empty if it can."""
    try:
        probe = subprocess.run(
            ["unshare", "-rn", "sh", "-c", "ip link set lo up && ip link add probe0 type veth peer name probe1"],
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no network namespaces here: {error}"
    return "" if probe.returncode == 0 else f"no network namespaces here: {probe.stderr.strip()}"


def stage(scene: str, *arguments: str) -> dict[str, Any]:
    """Play a scene; what it prints."""
    done = subprocess.run(
        ["unshare", "-rn", sys.executable, str(Path(__file__)), scene, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def ip(*words: str, inside: int | None = None) -> None:
    enter = ["nsenter", "-t", str(inside), "-n"] if inside else []
    subprocess.run([*enter, "ip", *words], check=True, capture_output=True, text=True)


class Peer:
    """One peer's process; on a machine of its own, or on this one."""

    def __init__(self, name: str, *, machine: bool = False) -> None:
        self.name = name
        wait = "-" if machine else name
        enter = ["unshare", "-n"] if machine else []
        command = [*enter, sys.executable, str(CHILD), wait, str(PORT), "*" if machine else "lo"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        self.started = 0.0

    def tell(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, f"{self.name} is gone"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def ask(self, line: str) -> dict[str, Any]:
        self.tell(line)
        return self.answer()

    def ready(self) -> None:
        self.started = self.answer()["started"]

    def sees(self) -> dict[str, list[str]]:
        peers: dict[str, list[str]] = self.ask("peers")["peers"]
        return peers

    def end(self) -> float:
        """How long a goodbye takes, process and all."""
        began = time.monotonic()
        self.tell("stop")
        self.process.wait(10)
        return time.monotonic() - began


class Machine(Peer):
    """A peer on a machine of its own, with cables into switches."""

    def __init__(self, name: str, *addresses: tuple[str, str]) -> None:
        super().__init__(name, machine=True)
        outer = Path(f"/proc/{self.pid}/ns/net")
        until(lambda: outer.readlink() != Path("/proc/self/ns/net").readlink())
        ip("link", "set", "lo", "up", inside=self.pid)
        for index, (switch, address) in enumerate(addresses):
            cable = f"{name}{index}"
            ip("link", "add", cable, "type", "veth", "peer", "name", f"eth{index}", "netns", str(self.pid))
            ip("link", "set", cable, "master", switch, "up")
            broadcast = [] if ":" in address else ["broadcast", "+"]
            ip("addr", "add", address, *broadcast, "dev", f"eth{index}", inside=self.pid)
            ip("link", "set", f"eth{index}", "up", inside=self.pid)

    def start(self) -> None:
        self.tell(f"start {self.name}")
        self.ready()

    def cable(self, state: str, index: int = 0) -> None:
        ip("link", "set", f"{self.name}{index}", state)


def switch(name: str) -> None:
    ip("link", "add", name, "type", "bridge")
    ip("link", "set", name, "up")


def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> float:
    """Wait for it; how long it took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "waited in vain"
        time.sleep(0.02)
    return time.monotonic() - began


def all_meet(peers: list[Peer]) -> float:
    """Seconds from the last start until everyone sees everyone."""
    names = {peer.name for peer in peers}
    until(lambda: all(names - {peer.name} <= set(peer.sees()) for peer in peers))
    return time.clock_gettime(time.CLOCK_MONOTONIC) - max(peer.started for peer in peers)


# --- scenes -------------------------------------------------------------------------------------------------------


def loopback_only(count: str) -> dict[str, Any]:
    """So many programs on one machine without any network."""
    peers = [Peer(f"p{index}") for index in range(int(count))]
    for peer in peers:
        peer.ready()
    met = all_meet(peers)
    exits = [peer.end() for peer in peers]
    return {"met": met, "slowest_exit": max(exits), "codes": [peer.process.returncode for peer in peers]}


def hosts(count: int) -> list[Machine]:
    switch("lan")
    machines = [Machine(f"h{index}", ("lan", f"10.99.0.{index + 1}/24")) for index in range(count)]
    for machine in machines:
        machine.start()
    return machines


def six_hosts() -> dict[str, Any]:
    machines = hosts(6)
    met = all_meet([*machines])
    machines[0].ask("say hello")
    until(lambda: all(machine.ask("said")["said"] == [["h0", "hello"]] for machine in machines[1:]))
    return {"met": met, "addresses": sorted(address for _, address in machines[0].sees().values())}


def two_cables() -> dict[str, Any]:
    """Two machines joined by two networks, and the first of them is unplugged."""
    switch("lan")
    switch("other")
    machines = [
        Machine(f"h{index}", ("lan", f"10.99.0.{index + 1}/24"), ("other", f"10.98.0.{index + 1}/24"))
        for index in range(2)
    ]
    for machine in machines:
        machine.start()
    all_meet([*machines])
    time.sleep(1.5)  # for the beacons of every network to have arrived
    seen = machines[0].sees()
    for machine in machines:
        machine.ask("seat")
    network = "0" if seen["h1"][1].startswith("10.99") or seen["h1"][1].startswith("fe80") else "1"
    for machine in machines:
        machine.cable("down", int(network))
    until(lambda: machines[0].sees()["h1"][0] == "silent")
    until(lambda: machines[0].sees()["h1"][0] == "present")
    return {"peers": len(seen), "events": machines[0].ask("events")["events"]}


def ipv6_only() -> dict[str, Any]:
    """No IPv4 anywhere: link-local addresses alone."""
    switch("lan")
    machines = [Machine(f"h{index}", ("lan", f"fe80::{index + 1}/64")) for index in range(2)]
    for machine in machines:
        until(lambda machine=machine: "tentative" not in addresses(machine))
        machine.start()
    all_meet([*machines])
    machines[0].ask("say over six")
    until(lambda: machines[1].ask("said")["said"] == [["h0", "over six"]])
    return {"address": machines[0].sees()["h1"][1]}


def addresses(machine: Machine) -> str:
    return subprocess.run(
        ["nsenter", "-t", str(machine.pid), "-n", "ip", "-6", "addr"], check=True, capture_output=True, text=True
    ).stdout


def unplugged() -> dict[str, Any]:
    """A seated peer's cable is out for some seconds."""
    machines = hosts(3)
    all_meet([*machines])
    for machine in machines:
        machine.ask("seat")
    machines[1].cable("down")
    until(lambda: machines[0].sees()["h1"][0] == "silent")
    together = machines[0].sees()["h2"][0]
    time.sleep(3)
    machines[1].cable("up")
    back = until(lambda: machines[0].sees().get("h1", [""])[0] == "present")
    until(lambda: machines[1].sees().get("h0", [""])[0] == "present")
    machines[1].ask("say again")
    until(lambda: ["h1", "again"] in machines[0].ask("said")["said"])
    return {"others": together, "back": back, "events": machines[0].ask("events")["events"]}


def another_address() -> dict[str, Any]:
    """A seated peer gets another address in the middle of the game."""
    machines = hosts(2)
    all_meet([*machines])
    for machine in machines:
        machine.ask("seat")
    inside = machines[1].pid
    ip("addr", "del", "10.99.0.2/24", "dev", "eth0", inside=inside)
    ip("addr", "add", "10.99.0.77/24", "broadcast", "+", "dev", "eth0", inside=inside)
    ip("-6", "addr", "flush", "dev", "eth0", inside=inside)
    until(lambda: machines[0].sees().get("h1", ["", ""])[:2] == ["present", "10.99.0.77"])
    machines[0].ask("say found you")
    until(lambda: ["h0", "found you"] in machines[1].ask("said")["said"])
    return {"peers": len(machines[0].sees())}


def late_network() -> dict[str, Any]:
    """Started before there is any network: found when the cable is plugged in."""
    switch("lan")
    machines = [Machine(f"h{index}", ("lan", f"10.99.0.{index + 1}/24")) for index in range(2)]
    machines[1].cable("down")
    ip("link", "set", "eth0", "down", inside=machines[1].pid)
    for machine in machines:
        machine.start()
    time.sleep(1)
    before = len(machines[0].sees())
    machines[1].cable("up")
    ip("link", "set", "eth0", "up", inside=machines[1].pid)
    return {"before": before, "met": until(lambda: len(machines[0].sees()) == 1 and len(machines[1].sees()) == 1)}


def routed() -> dict[str, Any]:
    """Two networks with a router between them, which passes on no broadcast: an invite joins them."""
    switch("lan")
    switch("other")
    ip("addr", "add", "10.99.0.254/24", "dev", "lan")
    ip("addr", "add", "10.98.0.254/24", "dev", "other")
    Path("/proc/sys/net/ipv4/ip_forward").write_text("1")
    host = Machine("host", ("lan", "10.99.0.1/24"))
    guest = Machine("guest", ("other", "10.98.0.1/24"))
    ip("route", "add", "default", "via", "10.99.0.254", inside=host.pid)
    ip("route", "add", "default", "via", "10.98.0.254", inside=guest.pid)
    host.start()
    guest.start()
    time.sleep(1)
    before = len(guest.sees())
    text = host.ask("invite")["invite"]
    return {"before": before, "invite": text, **guest.ask(f"join {text}"), "seen": list(host.sees())}


def stopped() -> dict[str, Any]:
    """A seated peer's program is stopped, and goes on after a while."""
    import os
    import signal

    ip("link", "set", "lo", "up")
    peers = [Peer(name) for name in ("ada", "bo", "cy")]
    for peer in peers:
        peer.ready()
    all_meet(peers)
    for peer in peers:
        peer.ask("seat")
    os.kill(peers[1].pid, signal.SIGSTOP)
    noticed = until(lambda: peers[0].sees()["bo"][0] == "silent")
    time.sleep(3)
    os.kill(peers[1].pid, signal.SIGCONT)
    until(lambda: peers[0].sees().get("bo", [""])[0] == "present")
    until(lambda: peers[1].sees().get("ada", [""])[0] == "present")
    peers[0].ask("say awake")
    until(lambda: ["ada", "awake"] in peers[1].ask("said")["said"])
    os.kill(peers[2].pid, signal.SIGKILL)
    gone = until(lambda: peers[0].sees()["cy"][0] == "silent")
    return {"noticed": noticed, "killed_noticed": gone}


if __name__ == "__main__":
    ip("link", "set", "lo", "up")
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
