"""Whole games of `nodealer` between machines made of network namespaces, each scene as root of a namespace of its own.

node_stage.py SCENE        plays one of the scenes at the end of this file and prints what came of it as JSON
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from netns_stage import ip, switch, until

ROOT = Path(__file__).parents[3]


def stage(scene: str) -> dict[str, Any]:
    """Play a scene; what it prints."""
    done = subprocess.run(
        ["unshare", "-rn", sys.executable, str(Path(__file__)), scene], capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stderr[-3000:]
    result: dict[str, Any] = json.loads(done.stdout)
    return result


class Machine:
    """A namespace with cables into switches, a user data folder, and one program at a time."""

    def __init__(self, name: str, folder: Path, *addresses: tuple[str, str]) -> None:
        self.name = name
        self.home = folder / name
        self.keeper = subprocess.Popen(["unshare", "-n", "sleep", "1000"])
        outer = Path("/proc/self/ns/net").readlink()
        until(lambda: Path(f"/proc/{self.keeper.pid}/ns/net").readlink() != outer)
        self.inside("ip", "link", "set", "lo", "up")
        for index, (into, address) in enumerate(addresses):
            cable = f"{name}{index}"
            ip("link", "add", cable, "type", "veth", "peer", "name", f"eth{index}", "netns", str(self.keeper.pid))
            ip("link", "set", cable, "master", into, "up")
            self.inside("ip", "addr", "add", address, "broadcast", "+", "dev", f"eth{index}")
            self.inside("ip", "link", "set", f"eth{index}", "up")
        self.rows: list[dict[str, Any]] = []
        self.process: subprocess.Popen[str] | None = None

    def inside(self, *words: str) -> None:
        subprocess.run(["nsenter", "-t", str(self.keeper.pid), "-n", *words], check=True, capture_output=True)

    def start(self, *words: str) -> None:
        self.rows = []
        log = self.home.with_suffix(".err").open("a")
        self.process = subprocess.Popen(
            ["nsenter", "-t", str(self.keeper.pid), "-n", sys.executable, "-m", "cli", *words, "--json"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=ROOT,
            env={**os.environ, "NODEALER_HOME": str(self.home)},
        )
        log.close()
        threading.Thread(target=self._read, args=(self.process, self.rows), daemon=True).start()

    @staticmethod
    def _read(process: subprocess.Popen[str], rows: list[dict[str, Any]]) -> None:
        assert process.stdout
        for line in process.stdout:
            rows.append(json.loads(line))

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def cable(self, state: str, index: int = 0) -> None:
        ip("link", "set", f"{self.name}{index}", state)

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [row for row in self.rows if row["event"] == kind]

    def end(self) -> None:
        for process in (self.process, self.keeper):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait()


@contextlib.contextmanager
def machines(count: int, *, two_networks: int = 0) -> Iterator[list[Machine]]:
    """On one switch; the first `two_networks` of them on a second one too."""
    switch("lan")
    switch("other")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        found = []
        for index in range(count):
            cables = [("lan", f"10.99.0.{index + 1}/24")]
            if index < two_networks:
                cables.append(("other", f"10.98.0.{index + 1}/24"))
            found.append(Machine(f"h{index}", Path(folder), *cables))
            stack.callback(found[-1].end)
        yield found


def sit_down(hosts: list[Machine], game: str, *more: str) -> None:
    for index, machine in enumerate(hosts):
        own = ["host", game, "--players", str(len(hosts)), "--table", "t1"] if index == 0 else ["join", "--table", "t1"]
        machine.start(*own, "--name", machine.name, *more)


def finish(hosts: list[Machine], seconds: float = 120) -> dict[str, Any]:
    until(lambda: all(machine.events("result") for machine in hosts), seconds)
    results = [machine.events("result")[0] for machine in hosts]
    logs = {Path(row["log"]).read_bytes() for row in results if row.get("log")}
    codes = [machine.process.wait(20) for machine in hosts if machine.process]
    return {
        "codes": codes,
        "errors": [row["error"] for row in results if row.get("error")],
        "logs": len(logs),
        "names": sorted(results[0].get("names", [])),
        "departed": results[0].get("departed"),
    }


def met(hosts: list[Machine]) -> float:
    """Seconds from the last program's start until all sit at the first one's table."""
    full = next(row for row in hosts[0].events("seated") if len(row["names"]) == len(hosts))
    return float(full["at"] - max(machine.events("started")[0]["at"] for machine in hosts))


def setup(hosts: list[Machine]) -> float:
    starts = [machine.events("started")[0]["at"] for machine in hosts]
    return float(max(machine.events("dealt")[0]["at"] for machine in hosts) - min(starts))


# --- scenes -------------------------------------------------------------------------------------------------------


def six() -> dict[str, Any]:
    """Six machines play 2 WIN; two of them are joined by a second network."""
    with machines(6, two_networks=2) as hosts:
        sit_down(hosts, "2win")
        result = finish(hosts)
        return {**result, "met": met(hosts), "setup": setup(hosts)}


def unplugged() -> dict[str, Any]:
    """Four machines play 2 SANS 3, and in the middle of it one has no cable for ten seconds."""
    with machines(4) as hosts:
        sit_down(hosts, "2sans3", "--pause", "0.1")
        until(lambda: hosts[0].events("dealt") and hosts[3].events("dealt"), 60)
        hosts[3].cable("down")
        time.sleep(10)
        over = bool(hosts[0].events("result"))
        hosts[3].cable("up")
        return {**finish(hosts), "over_without": over}


def killed() -> dict[str, Any]:
    """One of three programs is killed in the middle of the game and resumed."""
    with machines(3) as hosts:
        sit_down(hosts, "2win", "--pause", "0.1")
        until(lambda: hosts[2].events("dealt"), 60)
        hosts[2].kill()
        hosts[2].start("resume")
        return {**finish(hosts), "journals": len(list(hosts[2].home.glob("journals/*")))}


if __name__ == "__main__":
    ip("link", "set", "lo", "up")
    print(json.dumps(globals()[sys.argv[1]]()))
