"""Games that are stopped at any message, for tests of what happens when a machine crashes just there.

Run as a program this is the long form of tests/p2p/test_departures.py: a crash at *every* message of one game of each
kind with 3 and 4 seats, just before the message leaves and just after:

    python tests/p2p/crashes.py [--every N] [--game G] [--players N]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from simulated import game_of

from engine.bots import bot
from p2p.net.memory import Faults, Host, Network
from p2p.net.remembered import remembered
from p2p.net.soak import simulate
from p2p.states import Life
from p2p.table import Packet


class Boundary(Network):
    """A network that can stop at the k-th signed message: before it leaves its author, or after."""

    count = 0
    on_message: Callable[[int, Host, bool], None] | None = None

    def send(self, sender: Host, packet: Packet) -> None:
        if packet.mine and self.on_message:
            self.count += 1
            self.on_message(self.count, sender, False)
            if not sender.alive:
                return
            super().send(sender, packet)
            self.on_message(self.count, sender, True)
        elif sender.alive:
            super().send(sender, packet)


class Crowd:
    """A table of bots whose machines keep journals, on a network that stops where it is told to."""

    def __init__(self, game: str, players: int, seed: int) -> None:
        self.game = game_of(game)
        chance = Random(f"crashes/{game}/{players}/{seed}")
        choosers = [bot("greedy", self.game, Random(chance.random())) for _ in range(players)]
        self.hosts = simulate(self.game, players, chance, choosers).hosts
        self.net = Boundary(self.hosts, chance, Faults())

    def play(self, until: float = 3600.0) -> None:
        self.net.run(until, self.net.all_over)


def trouble(made: Crowd) -> str:
    """What is wrong with how this ended; empty if nothing is."""
    live = [host.table for host in made.hosts if host.alive]
    if any(table.life is not Life.OVER for table in live):
        return "; ".join(
            f"seat {table.seat} {table.life} {table.place} {table.stage} {table.waiting_for}" for table in live
        )
    if len({table.save() for table in live}) != 1:
        return "the logs differ"
    if any(table.fault for table in live):
        return f"an honest seat is blamed: {[table.fault for table in live]}"
    return ""


def crash_everywhere(game: str, players: int, seed: int, every: int = 1) -> tuple[int, list[str], Counter[str]]:
    """Crash the author of every message, before and after it leaves, each in a copy of the process made at that moment.

    Returns how many crashes were tried, what went wrong, and how many there were of each stage.
    """
    made = Crowd(game, players, seed)
    net = made.net
    tried, failures, stages = 0, [], Counter[str]()

    def at(count: int, host: Host, sent: bool) -> None:
        nonlocal tried
        if (2 * count + sent) % every or host.table.life is not Life.PLAYING:
            return
        tried += 1
        stages[host.table.stage.value] += 1
        stage = host.table.stage.value
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                net.on_message = None
                host.alive = False
                net.run(7200.0, net.all_over)
                os.write(writing, trouble(made).encode()[:4000])
            except BaseException as error:
                os.write(writing, f"raised {error!r}".encode()[:4000])
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            said = pipe.read().decode()
        os.waitpid(child, 0)
        if said:
            failures.append(
                f"{game} {players} seed {seed} message {count} {'after' if sent else 'before'} {stage}: {said}"
            )

    net.on_message = at
    with remembered():
        made.play()
    return tried, failures, stages


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--game", choices=("2win", "2sans3"))
    parser.add_argument("--players", type=int)
    args = parser.parse_args()
    bad = 0
    for game in ("2win", "2sans3"):
        for players in (3, 4):
            if args.game in (None, game) and args.players in (None, players):
                tried, failures, stages = crash_everywhere(game, players, 1, args.every)
                bad += len(failures)
                print(f"{game} {players}: {tried} crashes, {len(failures)} failures, {dict(stages)}")
                print("\n".join(failures[:10]), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
