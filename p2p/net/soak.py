"""Many simulated tables under faults, each with a verdict: what was promised held, or a seed that shows it did not.

Law: one number repeats one table exactly, on any machine, however many run beside it. Knows no game (they come in as
an argument) and shows nothing: that is cli/commands/soak.py. Whatever a table raises is a verdict, never an abort.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.game import Game
from p2p.identity import Identity
from p2p.net.cheats import CHEATS, Cheat, fits
from p2p.net.memory import Chooser, Death, Faults, Host, Network
from p2p.net.remembered import remembered
from p2p.net.verdict import STRANGER, Fate, Simulation, Verdict, judge
from p2p.seating import Proposal, rules_digest
from p2p.table import Table

#: Who plays, given the game and a source of chance of its own.
MakeChooser = Callable[[Game[Any], Random], Chooser]

#: What can go wrong: the network's faults, the machines' (stopped for good, stopped and back, left on purpose), lies.
NETWORK_FAULTS = ("delay", "loss", "reorder", "duplicate", "partition")
MACHINE_FAULTS = ("crash", "restart", "leave")
FAULTS = (*NETWORK_FAULTS, *MACHINE_FAULTS, "lie")
USUAL = ("delay", "loss", "reorder", "duplicate")

PATIENCE = 7200.0  # simulated seconds: whoever is not over by then has hung
SEATED = 3  # own messages until seated: seal, nonce, key; before that a table simply does not come about
FAR = 60  # own messages among which a seat's end is drawn: a usual game has about as many


@dataclass(frozen=True)
class Plan:
    """Which tables are played. Table number i of a plan with seed S is the table with seed S + i."""

    kinds: tuple[tuple[Game[Any], int], ...]  # games and numbers of players, taken in turn
    players: tuple[MakeChooser, ...]  # each seat gets one of them
    faults: tuple[str, ...] = USUAL


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
    fate = draw_fate(plan.faults, game, players, chance)
    liars = {} if fate.cheat is None or fate.liar is None else {fate.liar: fate.cheat}
    simulation = simulate(game, players, chance, choosers, liars=liars)
    simulation.fate = fate
    for place, host in enumerate(simulation.hosts):
        meet(host, place, fate)
        host.leaves_when_out = chance.random() < 0.5
    if chance.random() < 0.3:
        simulation.hosts.append(Host(STRANGER, Table(simulation.proposal, game)))
    network = Network(simulation.hosts, chance, draw_faults(plan.faults, chance))
    verify_each = chance.random() < 0.25  # as real tables do; the others verify once for all what all verify alike
    with nullcontext() if verify_each else remembered():
        try:
            network.run(PATIENCE, network.all_over)
            judge(verdict, game, simulation)
        except Exception:
            verdict.raised = True
            verdict.trouble.append(traceback.format_exc())
    return verdict


@dataclass
class Seating:
    """What a simulated table is made of: everything a process needs to sit down at it again."""

    proposal: Proposal
    game: Game[Any]
    identity: Identity
    seed: bytes
    name: str
    kind: type[Table] = field(default=Table)

    def __call__(self, now: float = 0.0) -> Table:
        return self.kind(self.proposal, self.game, identity=self.identity, seed=self.seed, name=self.name, now=now)


def simulate(
    game: Game[Any],
    players: int,
    chance: Random,
    choosers: Sequence[Chooser | None],
    settings: Sequence[tuple[str, Any]] = (),
    liars: dict[int, type[Cheat]] | None = None,
) -> Simulation:
    """Seats strangers at a table of this game; all their keys and randomness come from `chance`."""
    identities = sorted([Identity(chance.randbytes(32)) for _ in range(players)], key=lambda one: one.public)
    members = tuple(bytes(one.public) for one in identities)
    proposal = Proposal(game.id, rules_digest(game), tuple(sorted(settings)), members, chance.randbytes(32))
    seeds = {member: chance.randbytes(32) for member in members}
    hosts = []
    for place, (identity, choose) in enumerate(zip(identities, choosers, strict=True)):
        kind = (liars or {}).get(place, Table)
        make = Seating(proposal, game, identity, seeds[bytes(identity.public)], f"p{place}", kind)
        hosts.append(Host(identity.public, make(), choose, make=make))
    return Simulation(proposal, seeds, hosts)


# --- what goes wrong ----------------------------------------------------------------------------------------------


def pick(items: Sequence[Any], chance: Random) -> Any:
    return items[int(chance.random() * len(items))]


def draw_faults(names: Sequence[str], chance: Random) -> Faults:
    """How bad the network is at this table. Each fault asked for is there three times out of four."""

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


def draw_fate(names: Sequence[str], game: Game[Any], players: int, chance: Random) -> Fate:
    """Who lies, and who of the others is gone for good: never so many that fewer than two are left."""
    fate = Fate()
    places = sorted(range(players), key=lambda _: chance.random())
    may_go = players - 2
    if "lie" in names:
        cheats = [cheat for cheat in CHEATS.values() if fits(cheat, game.id, players)]
        fate.liar, fate.cheat = places.pop(), pick(cheats, chance)
        may_go -= 1
    for name, ends in (("crash", fate.crashes), ("leave", fate.leaves)):
        if name in names and may_go > 0:
            for _ in range(1 + int(chance.random() * may_go)):
                ends[places.pop()] = SEATED + 1 + int(chance.random() * FAR)
            may_go -= len(ends)
    if "restart" in names:
        for place in places[: 1 + int(chance.random() * len(places))]:
            at = sorted(1 + int(chance.random() * FAR) for _ in range(pick((1, 1, 2, 4), chance)))
            fate.restarts[place] = [Death(message, pick((0.5, 5.0, 20.0, 90.0), chance)) for message in at]
    return fate


def meet(host: Host, place: int, fate: Fate) -> None:
    """Tell a machine what awaits it."""
    host.deaths = list(fate.restarts.get(place, ()))
    if place in fate.crashes:
        host.deaths = [Death(fate.crashes[place])]
    host.leaves_at = fate.leaves.get(place)
    if not host.deaths:
        host.make = None  # keeps no journal: it will not need one
