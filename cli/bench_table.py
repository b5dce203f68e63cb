"""Measures whole tables in memory: what each part of a game costs all seats together, and what its log and proof cost.

Law: tables are driven exactly as a network drives them, on one CPU; measured is the CPU time inside their calls. Group
operations are counted in a run of their own of the same game, and priced by what they cost alone, in the same minute:
so a slow machine and slow code look different. Of several runs the best counts: that is what repeats.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import astuple, fields
from random import Random
from typing import Any

from cli.bench_crypto import unit_seconds
from engine.bots import bot
from engine.game import Draw, Game, Move, Shuffle
from engine.shelf import find
from p2p.crypto.group import Operations, counted
from p2p.identity import Identity
from p2p.net.memory import Host, Network
from p2p.net.remembered import remembered
from p2p.seating import Proposal, rules_digest
from p2p.table import Table
from p2p.verify import verify_log

#: What is read before and after every call: CPU seconds, or counts of group operations.
Reading = tuple[float, ...]
SETUP = "setup"
ROUNDS = "rounds"
#: The note that opens a round; a game without rounds has one part after the set-up.
ROUND = "round"
KINDS = tuple(field.name for field in fields(Operations))


class Meter:
    """Adds up what is read, by seat and part of the game."""

    def __init__(self, read: Callable[[], Reading]) -> None:
        self.read = read
        self.spent: dict[tuple[Hashable, str], Reading] = {}

    def add(self, key: tuple[Hashable, str], before: Reading) -> None:
        used = tuple(now - then for now, then in zip(self.read(), before, strict=True))
        known = self.spent.get(key, (0.0,) * len(used))
        self.spent[key] = tuple(map(sum, zip(known, used, strict=True)))

    def part(self, name: str) -> Reading:
        """All seats' readings of one part, added up."""
        return tuple(map(sum, zip(*(value for (_, part), value in self.spent.items() if part == name), strict=True)))

    def seats(self) -> list[float]:
        """The first figure of each seat's whole game."""
        total: dict[Hashable, float] = defaultdict(float)
        for (seat, _), value in self.spent.items():
            total[seat] += value[0]
        return list(total.values())

    @property
    def parts(self) -> list[str]:
        return list(dict.fromkeys(part for _, part in self.spent))


class Measured(Table):
    """A table whose every call is measured."""

    def __init__(self, meter: Meter, proposal: Proposal, game: Game[Any], identity: Identity, **more: Any) -> None:
        self.meter, self.owner, self.part = meter, identity.public, SETUP
        before = meter.read()
        super().__init__(proposal, game, identity=identity, **more)
        meter.add((self.owner, self.part), before)

    def receive(self, data: bytes, now: float, sender: Hashable | None = None) -> None:
        self.measured(lambda: super(Measured, self).receive(data, now, sender))

    def play(self, move: Move, now: float) -> None:
        self.measured(lambda: super(Measured, self).play(move, now))

    def handle_timeout(self, now: float) -> None:
        self.measured(lambda: super(Measured, self).handle_timeout(now))

    def measured(self, call: Callable[[], None]) -> None:
        before = self.meter.read()
        call()
        self.meter.add((self.owner, self.part), before)
        self.part = self.now_in()

    def now_in(self) -> str:
        if self.part == SETUP and (self.need is None or isinstance(self.need, Shuffle | Draw)):
            return SETUP
        number = getattr(self.state, ROUND, None)
        return ROUNDS if number is None else f"{ROUND} {number}"


def play(game: Game[Any], players: int, seed: int, meter: Meter | None = None) -> list[Table]:
    """One game between greedy bots over a network that does nothing wrong; the same seed, the same game."""
    chance = Random(f"bench/{seed}")
    identities = sorted([Identity(chance.randbytes(32)) for _ in range(players)], key=lambda one: one.public)
    members = tuple(bytes(one.public) for one in identities)
    proposal = Proposal(game.id, rules_digest(game), (), members, chance.randbytes(32))
    hosts = []
    for place, identity in enumerate(identities):
        more: dict[str, Any] = {"seed": chance.randbytes(32), "name": f"player {place + 1}"}
        table: Table
        if meter is None:
            table = Table(proposal, game, identity=identity, **more)
        else:
            table = Measured(meter, proposal, game, identity, **more)
        hosts.append(Host(identity.public, table, bot("greedy", game, Random(f"bench/{seed}/{place}"))))
    network = Network(hosts, chance)
    network.run(stop=network.all_over)
    return [host.table for host in hosts]


def measure(
    game: Game[Any], players: int, games: int, runs: int, seed: int, advance: Callable[[], None]
) -> dict[str, Any]:
    timed = []
    units = unit_seconds(time.process_time)
    proofs = []
    for _ in range(runs):
        meter = Meter(lambda: (time.process_time(),))
        log = play(game, players, seed, meter)[0].save()
        timed.append(meter)
        start = time.process_time()
        assert verify_log(log, find).finished
        proofs.append(time.process_time() - start)
        units = {name: min(cost, units[name]) for name, cost in unit_seconds(time.process_time).items()}
        advance()
    with counted() as operations:
        counts = Meter(lambda: tuple(float(value) for value in astuple(operations)))
        play(game, players, seed, counts)
    advance()
    price = [units[kind] for kind in KINDS]
    rounds = [part for part in counts.parts if part != SETUP]
    seconds = {part: min(meter.part(part)[0] for meter in timed) for part in counts.parts}
    alone = {
        part: sum(count * cost for count, cost in zip(counts.part(part), price, strict=True)) for part in counts.parts
    }
    playing = min(sum(meter.seats()) for meter in timed) / players
    sizes = []
    for number in range(games):
        with remembered():
            sizes.append(len(play(game, players, seed + number)[0].save()))
        advance()
    return {
        "game": game.id,
        "players": players,
        "seed": seed,
        "runs": runs,
        "mul_seconds": units["mul"],
        "setup": figures(seconds[SETUP], alone[SETUP]),
        "rounds": len(rounds),
        "round": figures(sum(seconds[part] for part in rounds), sum(alone[part] for part in rounds), len(rounds)),
        "worst_round_ratio": max(seconds[part] / alone[part] for part in rounds),
        "play_seconds": playing,
        "verify_seconds": min(proofs),
        "verify_ratio": min(proofs) / playing,
        "log_games": games,
        "log_bytes_mean": sum(sizes) / len(sizes),
        "log_bytes_most": max(sizes),
    }


def figures(seconds: float, alone: float, parts: int = 1) -> dict[str, float]:
    """Of one part on average, all seats together."""
    return {"seconds": seconds / parts, "group_seconds": alone / parts, "ratio": seconds / alone}
