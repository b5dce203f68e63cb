"""Many simulated tables under faults, and a verdict on each: what was promised held, or a seed that shows it did not.

Law: one number repeats one table exactly, on any machine, however many run beside it. Knows no game (they come in as
an argument) and shows nothing: that is cli/commands/soak.py. Whatever a table raises is a verdict, never an abort.
"""

from __future__ import annotations

import hashlib
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.game import Game, canonical
from p2p import events
from p2p.identity import Identity
from p2p.log import read_log
from p2p.net.leaks import LeakCheck
from p2p.net.memory import Chooser, Faults, Host, Network
from p2p.net.remembered import remembered
from p2p.seating import Proposal, rules_digest
from p2p.states import Life
from p2p.table import Table

#: Who plays, given the game and a source of chance of its own.
MakeChooser = Callable[[Game[Any], Random], Chooser]

#: The faults of the network, and each one's strength: drawn anew for each table.
NETWORK_FAULTS = ("delay", "loss", "reorder", "duplicate", "partition")
USUAL = ("delay", "loss", "reorder", "duplicate")
FAULTS = NETWORK_FAULTS

PATIENCE = 7200.0  # simulated seconds: whoever is not over by then has hung
STRANGER = "stranger"  # the handle of whoever follows without a seat


@dataclass(frozen=True)
class Plan:
    """Which tables are played. Table number i of a plan with seed S is the table with seed S + i."""

    kinds: tuple[tuple[Game[Any], int], ...]  # games and numbers of players, taken in turn
    players: tuple[MakeChooser, ...]  # each seat gets one of them
    faults: tuple[str, ...] = USUAL


@dataclass
class Verdict:
    """What came of one table. The names are those of the counts in a soak's result."""

    seed: int
    game: str
    players: int
    finished: bool = False
    hung: bool = False
    diverged: bool = False
    leaked: bool = False
    blamed: bool = False  # a cheat was blamed, and rightly
    misblamed: bool = False  # an honest seat was blamed, or a cheat for another rule than it broke
    raised: bool = False
    switched_off: int = 0  # seats that were out and went while the others played on
    steps: int = 0
    log_bytes: int = 0
    happened: Counter[str] = field(default_factory=Counter)  # facts by kind: what the rules went through
    trouble: list[str] = field(default_factory=list)
    digest: bytes = bytes(32)  # of the log

    @property
    def good(self) -> bool:
        return not (self.hung or self.diverged or self.leaked or self.misblamed or self.raised)


@dataclass
class Simulation:
    """One table of real `Table` objects, ready to run."""

    proposal: Proposal
    seeds: dict[bytes, bytes]  # by identity
    hosts: list[Host]  # by place in the proposal


def simulate(
    game: Game[Any],
    players: int,
    chance: Random,
    choosers: Sequence[Chooser | None],
    settings: dict[str, Any] | None = None,
) -> Simulation:
    """Seats strangers at a table of this game; all their keys and randomness come from `chance`."""
    identities = sorted([Identity(chance.randbytes(32)) for _ in range(players)], key=lambda one: one.public)
    members = tuple(bytes(one.public) for one in identities)
    pairs = tuple(sorted((settings or {}).items()))
    proposal = Proposal(game.id, rules_digest(game), pairs, members, chance.randbytes(32))
    seeds = {member: chance.randbytes(32) for member in members}
    hosts = [
        Host(one.public, Table(proposal, game, identity=one, seed=seeds[bytes(one.public)], name=f"p{place}"), choose)
        for place, (one, choose) in enumerate(zip(identities, choosers, strict=True))
    ]
    return Simulation(proposal, seeds, hosts)


def soak(plan: Plan, tables: int, seed: int, jobs: int = 1) -> Iterator[Verdict]:
    """The verdicts in the order of their seeds, whoever reaches them."""
    seeds = range(seed, seed + tables)
    if jobs == 1:
        yield from (play(plan, one) for one in seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(play, [plan] * tables, seeds)
        finally:
            pool.shutdown(cancel_futures=True)


def play(plan: Plan, seed: int) -> Verdict:
    """One table from seating to the result, and the verdict on it."""
    game, players = plan.kinds[seed % len(plan.kinds)]
    chance = Random(f"soak/{seed}")
    verdict = Verdict(seed, game.id, players)
    choosers = [pick(plan.players, chance)(game, Random(f"soak/{seed}/{place}")) for place in range(players)]
    simulation = simulate(game, players, chance, choosers)
    for host in simulation.hosts:
        host.leaves_when_out = chance.random() < 0.5
    everyone = list(simulation.hosts)
    if chance.random() < 0.3:
        everyone.append(Host(STRANGER, Table(simulation.proposal, game)))
    network = Network(everyone, chance, draw_faults(plan.faults, chance))
    verify_each = chance.random() < 0.25  # as real tables do; the others verify together what all verify alike
    with nullcontext() if verify_each else remembered():
        try:
            network.run(PATIENCE, network.all_over)
            judge(verdict, game, simulation, everyone)
        except Exception:
            verdict.raised = True
            verdict.trouble.append(traceback.format_exc())
    return verdict


def pick(items: Sequence[Any], chance: Random) -> Any:
    return items[int(chance.random() * len(items))]


def draw_faults(names: Sequence[str], chance: Random) -> Faults:
    """How bad it is at this table. Each fault asked for is there three times out of four."""

    def drawn(name: str, *strengths: float) -> float:
        return float(pick(strengths, chance)) if chance.random() < 0.75 and name in names else 0.0

    delay = drawn("delay", 0.001, 0.02, 0.3)
    loss = drawn("loss", 0.01, 0.05, 0.2)
    duplicate = drawn("duplicate", 0.05, 0.3)
    reorder = drawn("reorder", 0.05, 0.3)
    return Faults(
        delay=max(delay, 0.01) if reorder else delay,
        loss=loss,
        duplicate=duplicate,
        reorder=reorder,
        partitions=int(drawn("partition", 1, 2, 4)),
        thinking=pick((0.0, 0.5, 5.0), chance),
        hold_work=chance.random() < 0.5,
    )


# --- verdicts -----------------------------------------------------------------------------------------------------


def judge(verdict: Verdict, game: Game[Any], simulation: Simulation, everyone: Sequence[Host]) -> None:
    here = [host for host in everyone if host.alive]
    for host in everyone:
        for event in host.seen:
            if isinstance(event, events.Accused):
                verdict.misblamed = True
                fault = event.fault
                verdict.trouble.append(
                    f"{host.handle!r} blames seat {fault.seat} for {fault.rule} in step {fault.step}"
                )
    for host in here:
        if host.table.life is not Life.OVER:
            verdict.hung = True
            table = host.table
            verdict.trouble.append(f"{host.handle!r} waits for {table.waiting_for} in {table.place}, {table.stage}")
    model = here[0].table
    log = model.save()
    verdict.digest = hashlib.sha256(log).digest()
    verdict.log_bytes, verdict.steps = len(log), len(model.log.steps)
    verdict.switched_off = len(everyone) - len(here)
    verdict.happened.update(type(event.fact).__name__ for event in here[0].seen if isinstance(event, events.Booked))
    for trouble in differences(here, [host for host in everyone if not host.alive]):
        verdict.diverged = True
        verdict.trouble.append(trouble)
    check = LeakCheck(simulation.proposal, game, simulation.seeds)
    for leak in check.replay(read_log(log)):
        verdict.leaked = True
        verdict.trouble.append(f"card {leak.card} of seat {leak.seat} leaked by {leak.how}, step {leak.step}")
    if check.table.result != model.result:
        verdict.diverged = True
        verdict.trouble.append("a stranger who reads the log comes to another result")
    verdict.finished = not (verdict.hung or verdict.misblamed)


def differences(here: Sequence[Host], off: Sequence[Host]) -> Iterator[str]:
    """Everything in which logs and states differ that must be equal. Who switched off has a beginning of the log."""
    model = here[0].table
    log, state = model.save(), canonical(model.state)
    order = [entry.place for entry in read_log(log)]
    if order != sorted(set(order)):
        yield "the log is not ordered by step and seat"
    for host in here[1:]:
        if host.table.save() != log:
            yield f"{host.handle!r} has another log than {here[0].handle!r}"
        if canonical(host.table.state) != state or host.table.result != model.result:
            yield f"{host.handle!r} has another state than {here[0].handle!r}"
    digests = [closed.digest for closed in model.log.steps]
    for host in off:
        steps = host.table.log.steps
        if [closed.digest for closed in steps] != digests[: len(steps)]:
            yield f"{host.handle!r}, who switched off, has no beginning of the log"


# --- all of them --------------------------------------------------------------------------------------------------

COUNTS = ("finished", "hung", "diverged", "leaked", "blamed", "misblamed", "raised")


@dataclass
class Tally:
    """What came of all tables. Nothing in it depends on the machine or on how many processes played."""

    tables: int = 0
    counts: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(COUNTS, 0)))
    kinds: Counter[str] = field(default_factory=Counter)
    happened: Counter[str] = field(default_factory=Counter)
    switched_off: int = 0
    steps: int = 0
    log_bytes: int = 0
    failures: list[Verdict] = field(default_factory=list)
    _digest: Any = field(default_factory=hashlib.sha256)

    def add(self, verdict: Verdict) -> None:
        self.tables += 1
        self.counts.update({name: int(getattr(verdict, name)) for name in COUNTS})
        self.kinds[f"{verdict.game}-{verdict.players}"] += 1
        self.happened.update(verdict.happened)
        self.switched_off += verdict.switched_off
        self.steps += verdict.steps
        self.log_bytes += verdict.log_bytes
        self._digest.update(verdict.digest)
        if not verdict.good:
            self.failures.append(verdict)

    def report(self) -> dict[str, Any]:
        return {
            "tables": self.tables,
            **{name: self.counts[name] for name in COUNTS},
            "switched_off": self.switched_off,
            "steps": self.steps,
            "log_bytes": self.log_bytes,
            "kinds": dict(sorted(self.kinds.items())),
            "happened": dict(sorted(self.happened.items())),
            "digest": self._digest.hexdigest(),
        }
