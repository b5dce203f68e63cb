"""How a room full of peers on one machine finds itself, and what it costs when it has.

    python bench/lan_mesh.py [--peers 40] [--processes N] [--idle SECONDS] [--json]

Starts the peers (in processes of their own, or several to a process), waits until all see all (HELLO over CURVE both
ways), leaves them alone for a while, and ends them. Only loopback is used. Figures stand beside what CURVE itself
costs here: the time that as many bare handshakes take in this run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil
import zmq

from p2p.net.greeting import z85
from p2p.net.keys import Keys
from p2p.net.lan import Lan, LanSettings
from p2p.net.presence import Appeared, Left, Lost
from p2p.net.profile import throw_away

LOOPBACK = "lo" if sys.platform == "linux" else "lo0"
PATIENCE = 300.0


async def peers(count: int, total: int, port: int, idle: float, pipe: Connection) -> None:
    """Some of the room's peers: report when all of them see everyone, then what being idle costs."""
    settings = LanSettings(port, 0, (LOOPBACK,), memory_alarm=1 << 50)
    lans = [Lan(throw_away(f"peer-{os.getpid()}-{index}"), settings) for index in range(count)]
    for lan in lans:
        await lan.start()
    pipe.send(time.monotonic())
    present = [0] * count
    counting = [asyncio.create_task(tally(lan, present, index)) for index, lan in enumerate(lans)]
    deadline = time.monotonic() + PATIENCE
    while min(present) < total - 1 and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    cpu = time.process_time()
    pipe.send((time.monotonic(), sum(seen == total - 1 for seen in present), cpu))
    await asyncio.to_thread(pipe.recv)
    beacons = [lan.beacon_bytes for lan in lans]
    before, began = time.process_time(), time.monotonic()
    await asyncio.sleep(idle)
    spent, lasted = time.process_time() - before, time.monotonic() - began
    said = sum(lan.beacon_bytes for lan in lans) - sum(beacons)
    stayed = sum(seen == total - 1 for seen in present)
    pipe.send((spent / lasted, said / lasted, stayed, psutil.Process().memory_info().rss, sum(beacons)))
    await asyncio.to_thread(pipe.recv)
    began = time.monotonic()
    await asyncio.gather(*(lan.stop() for lan in lans))
    pipe.send(time.monotonic() - began)
    await asyncio.gather(*counting)


async def tally(lan: Lan, present: list[int], index: int) -> None:
    """How many are present to this peer, from what it is told; asking it all the time would cost more than the room."""
    async for event in lan.events():
        present[index] += isinstance(event, Appeared) - isinstance(event, Left | Lost)


def start(count: int, total: int, port: int, idle: float) -> Connection:
    """In a process forked from this one, so that the room does not wait for a hundred Pythons to load."""
    mine, theirs = Pipe()
    if os.fork() == 0:
        mine.close()
        try:
            asyncio.run(peers(count, total, port, idle, theirs))
        finally:
            os._exit(0)
    theirs.close()
    return mine


def room(total: int, processes: int, idle: float, settle: float) -> dict[str, Any]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shares = [total // processes + (index < total % processes) for index in range(processes)]
    pipes = [start(share, total, port, idle) for share in shares]
    started = max(pipe.recv() for pipe in pipes)
    met = [pipe.recv() for pipe in pipes]
    print(f"{total} peers met; idle from now on", file=sys.stderr)
    time.sleep(max(0.0, started + settle - time.monotonic()))
    for pipe in pipes:
        pipe.send("idle")
    quiet = [pipe.recv() for pipe in pipes]
    for pipe in pipes:
        pipe.send("end")
    exits = [pipe.recv() for pipe in pipes]
    for _ in pipes:
        os.wait()
    return {
        "peers": total,
        "processes": processes,
        "saw_everyone": sum(count for _, count, _ in met),
        "seconds_after_last_start": round(max(when for when, _, _ in met) - started, 2),
        "cpu_seconds_until_met": round(sum(cpu for _, _, cpu in met), 2),
        "still_saw_everyone": sum(stayed for _, _, stayed, _, _ in quiet),
        "idle_cpu_percent_per_peer": round(100 * sum(spent for spent, *_ in quiet) / total, 3),
        "beacon_bytes_per_second_per_peer": round(sum(said for _, said, *_ in quiet) / total, 1),
        "beacon_bytes_until_settled_per_peer": round(sum(first for *_, first in quiet) / total),
        "megabytes_per_process": round(max(rss for *_, rss, _ in quiet) / 2**20),
        "slowest_exit_seconds": round(max(exits), 3),
    }


def bare_handshakes(count: int) -> float:
    """CPU seconds for so many CURVE connections with nothing around them: what discovery cannot be quicker than."""
    context = zmq.Context()
    server, client = Keys(b"s" * 32), Keys(b"c" * 32)
    inbox = context.socket(zmq.DEALER)
    inbox.curve_server = True
    inbox.curve_secretkey = z85(server.curve_secret).encode()
    inbox.backlog = 1024
    port = inbox.bind_to_random_port("tcp://127.0.0.1")
    began = time.process_time()
    sockets = []
    for _ in range(count):
        dealer = context.socket(zmq.DEALER)
        dealer.curve_serverkey = z85(server.key).encode()
        dealer.curve_publickey = z85(client.key).encode()
        dealer.curve_secretkey = z85(client.curve_secret).encode()
        dealer.connect(f"tcp://127.0.0.1:{port}")
        dealer.send(b"")
        sockets.append(dealer)
    for _ in range(count):
        inbox.recv()
    spent = time.process_time() - began
    context.destroy(linger=0)
    return spent


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--peers", type=int, default=40)
    parser.add_argument("--processes", type=int, default=0, help="default: one for each peer, at most 40")
    parser.add_argument("--idle", type=float, default=10.0, help="seconds to measure the idle room")
    parser.add_argument(
        "--settle", type=float, default=11.0, help="seconds before that: beacons are frequent for the first ten"
    )
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    result = room(args.peers, args.processes or min(args.peers, 40), args.idle, args.settle)
    sample = 400
    links = args.peers * (args.peers - 1)
    bare = bare_handshakes(sample) / sample * links
    result["cpu_seconds_of_bare_handshakes"] = round(bare, 3)
    result["ratio_to_bare_handshakes"] = round(result["cpu_seconds_until_met"] / bare, 2)
    if args.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name.replace('_', ' '):40} {value}")
    return 0 if result["saw_everyone"] == result["still_saw_everyone"] == args.peers else 1


if __name__ == "__main__":
    sys.exit(main())
