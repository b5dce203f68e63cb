"""What came of a simulated table, and of many: did everything hold that is promised?

Law: looks at what the machines hold in the end, and at what was to happen to them; plays nothing and shows nothing.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.game import Game, canonical
from p2p import events
from p2p.log import read_log
from p2p.net.cheats import Cheat
from p2p.net.leaks import LeakCheck
from p2p.net.memory import Death, Host
from p2p.seating import Proposal
from p2p.states import Life
from p2p.wire import decode_entry

SHORT = 30.0  # seconds of absence in all after which nobody must have been given up
STRANGER = "stranger"  # the handle of whoever follows without a seat
COUNTS = ("finished", "hung", "diverged", "leaked", "blamed", "misblamed", "raised")


@dataclass
class Fate:
    """What is to happen to whom at one table, by place in the proposal."""

    liar: int | None = None
    cheat: type[Cheat] | None = None
    crashes: dict[int, int] = field(default_factory=dict)  # stops for good at its so-manieth message
    leaves: dict[int, int] = field(default_factory=dict)  # says goodbye after so many
    restarts: dict[int, list[Death]] = field(default_factory=dict)

    def may_go(self, place: int) -> bool:
        """May the others play on without this member?"""
        return place == self.liar or place in self.crashes or place in self.leaves or self.strays(place)

    def strays(self, place: int) -> bool:
        """Is it away so long that others may go on without it, and it without them?"""
        return sum(death.down or 0.0 for death in self.restarts.get(place, ())) > SHORT


@dataclass
class Simulation:
    """One table of real `Table` objects, ready to run."""

    proposal: Proposal
    seeds: dict[bytes, bytes]  # by identity
    hosts: list[Host]  # by place in the proposal, then whoever follows
    fate: Fate = field(default_factory=Fate)


@dataclass
class Verdict:
    """What came of one table. The names are those of the counts in a soak's result."""

    seed: int
    game: str
    players: int
    finished: bool = False  # who was to stay has the result, signed by all of them
    hung: bool = False
    diverged: bool = False
    leaked: bool = False
    blamed: bool = False  # a cheat was blamed, and rightly
    misblamed: bool = False  # an honest seat was blamed or given up, or a cheat not blamed for what it did
    raised: bool = False
    switched_off: int = 0  # seats that were out and went while the others played on
    gone: Counter[str] = field(default_factory=Counter)  # seats gone for good, by reason
    crashes: Counter[str] = field(default_factory=Counter)  # machines that stopped, by stage
    cheat: str = ""
    steps: int = 0
    log_bytes: int = 0
    happened: Counter[str] = field(default_factory=Counter)  # facts by kind: what the rules went through
    trouble: list[str] = field(default_factory=list)
    digest: bytes = bytes(32)  # of the log

    @property
    def good(self) -> bool:
        return not (self.hung or self.diverged or self.leaked or self.misblamed or self.raised)


def judge(verdict: Verdict, game: Game[Any], simulation: Simulation) -> None:
    """Fill in the verdict on a table that has been played as far as it goes."""
    fate, hosts = simulation.fate, simulation.hosts
    honest = [host for place, host in enumerate(hosts) if place != fate.liar]
    left = [host for host in honest if host.alive and host.table.life is not Life.LEFT]
    here = [host for host in left if not (fate.strays(hosts.index(host)) and host.table.minority)]
    here = here or left
    judge_blame(verdict, simulation, honest, here)
    broken = verdict.blamed and all(host.table.life is Life.BROKEN for host in here)
    for host in left:
        table = host.table
        if table.life is not Life.OVER and not broken:
            verdict.hung = True
            stuck = f"{table.life.value} in {table.place}, {table.stage.value}, waits for {table.waiting_for}"
            verdict.trouble.append(f"{host.handle!r}, seat {table.seat}: {stuck}")
    model = here[0].table
    log = model.save()
    verdict.digest = hashlib.sha256(log).digest()
    verdict.log_bytes, verdict.steps = len(log), len(model.log.steps)
    for host in hosts:
        verdict.crashes.update(stage.value for stage in host.died)
        verdict.switched_off += host.off
    verdict.gone.update(why.value for _, why in model.departed)
    verdict.happened.update(type(event.fact).__name__ for event in here[0].seen if isinstance(event, events.Booked))
    if broken or verdict.hung:
        return
    for trouble in differences(here, [host for host in honest if host not in left]):
        verdict.diverged = True
        verdict.trouble.append(trouble)
    judge_leaks(verdict, game, simulation, model.members, log)
    verdict.finished = not verdict.misblamed


def judge_blame(verdict: Verdict, simulation: Simulation, honest: Sequence[Host], here: Sequence[Host]) -> None:
    """Is exactly the liar blamed, by every honest seat, for exactly what it did; and who else is given up?"""
    fate, members = simulation.fate, simulation.proposal.members
    liar = None if fate.liar is None else simulation.hosts[fate.liar].table
    lied = isinstance(liar, Cheat) and liar.lied
    rule = fate.cheat.rule if fate.cheat is not None and lied else None
    verdict.cheat = fate.cheat.name if fate.cheat is not None and lied else ""
    for host in honest:
        for event in host.seen:
            if isinstance(event, events.Accused):
                who = host.table.members[event.fault.seat]
                if fate.liar is None or bytes(who) != members[fate.liar] or event.fault.rule != rule:
                    verdict.misblamed = True
                    verdict.trouble.append(
                        f"{host.handle!r} blames {who!r} for {event.fault.rule.value}: {event.fault.step}"
                    )
    for host in here:
        if rule is not None and host.table.fault is None:
            verdict.misblamed = True
            verdict.trouble.append(f"{host.handle!r} blames nobody for {verdict.cheat}")
        for seat, why in host.table.departed:
            if not fate.may_go(members.index(bytes(host.table.members[seat]))):
                verdict.misblamed = True
                verdict.trouble.append(f"{host.handle!r} plays on without seat {seat}: {why.value}")
    verdict.blamed = rule is not None and not verdict.misblamed


def judge_leaks(
    verdict: Verdict, game: Game[Any], simulation: Simulation, members: Sequence[bytes], log: bytes
) -> None:
    """The attack of all others pooled on each honest seat, with all that was ever sent; and a stranger's own result."""
    entries = read_log(log)
    logged = {entry.encode() for entry in entries}
    sent = {data: None for host in simulation.hosts for data in host.sent if data not in logged}
    check = LeakCheck(simulation.proposal, game, simulation.seeds)
    liar = simulation.fate.liar
    for leak in check.replay(entries, [decode_entry(data) for data in sent]):
        if liar is None or bytes(members[leak.seat]) != simulation.proposal.members[liar]:
            verdict.leaked = True
            verdict.trouble.append(f"card {leak.card} of seat {leak.seat} leaked by {leak.how}, step {leak.step}")
    if check.table.save() != log:
        verdict.diverged = True
        verdict.trouble.append("a stranger who reads the log comes to another end")


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
        if host.table.departed != model.departed or host.table.minority != model.minority:
            yield f"{host.handle!r} holds others for gone than {here[0].handle!r}"
    digests = [closed.digest for closed in model.log.steps]
    for host in off:
        steps = host.table.log.steps
        if not model.departed and [closed.digest for closed in steps] != digests[: len(steps)]:
            yield f"{host.handle!r}, who switched off, has no beginning of the log"


# --- all of them --------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What came of all tables. Nothing in it depends on the machine or on how many processes played."""

    tables: int = 0
    counts: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(COUNTS, 0)))
    kinds: Counter[str] = field(default_factory=Counter)
    happened: Counter[str] = field(default_factory=Counter)
    gone: Counter[str] = field(default_factory=Counter)
    crashes: Counter[str] = field(default_factory=Counter)
    cheats: Counter[str] = field(default_factory=Counter)
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
        self.gone.update(verdict.gone)
        self.crashes.update(verdict.crashes)
        self.cheats.update([verdict.cheat] if verdict.cheat else [])
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
            "gone": dict(sorted(self.gone.items())),
            "crashes": dict(sorted(self.crashes.items())),
            "cheats": dict(sorted(self.cheats.items())),
            "steps": self.steps,
            "log_bytes": self.log_bytes,
            "kinds": dict(sorted(self.kinds.items())),
            "happened": dict(sorted(self.happened.items())),
            "digest": self._digest.hexdigest(),
        }
