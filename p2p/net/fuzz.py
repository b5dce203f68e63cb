"""Whatever arrives: a documented fault of whoever signed it, or nothing. Tables under way are thrown bytes at.

Law: seeded. Each table is stopped at many moments; at each, one seat's table hears nonsense, changed messages and
changed messages signed again by their authors, one case at a time, and is put back as it was. In the end the game must
finish with the very log it would have had: so putting back is exact, and no case left a trace.
"""

from __future__ import annotations

import signal
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import msgpack

from engine.cards import Seat
from engine.game import Game
from p2p import events
from p2p.identity import Identity
from p2p.net.memory import Death, Faults, Host, Network
from p2p.net.remembered import remembered
from p2p.net.soak import MakeChooser, pick, simulate
from p2p.net.verdict import Simulation
from p2p.states import TAKES
from p2p.table import Table
from p2p.wire import (
    BODIES,
    GOODBYE,
    GRAMMAR,
    VOTES,
    Alive,
    Entry,
    Header,
    Want,
    decode_entry,
    encode_entry_packet,
)

MOMENTS = 40  # at which one table is stopped
COSTLY = 0.04  # share of the cases that get as far as a proof: one of those takes as long as dozens of others
HUNG_SECONDS = 30.0  # one case takes milliseconds; on the busiest machine not this long
MUST_SIGN = 0.5  # share of the others that are signed again by their authors


@dataclass
class Findings:
    """What came of many cases."""

    cases: int = 0
    signed: int = 0  # of these, rightly signed by a seat of the table
    faults: Counter[str] = field(default_factory=Counter)  # by rule: what the tables blamed the authors for
    stages: Counter[str] = field(default_factory=Counter)  # where the tables stood
    failures: list[str] = field(default_factory=list)

    def add(self, other: Findings) -> None:
        self.cases += other.cases
        self.signed += other.signed
        self.faults.update(other.faults)
        self.stages.update(other.stages)
        self.failures += other.failures


def fuzz(
    games: Sequence[tuple[Game[Any], int]], players: MakeChooser, cases: int, seed: int, jobs: int = 1
) -> Iterator[Findings]:
    """Findings on tables of these games in turn, until there have been so many cases."""
    per_table = min(cases, 4000)
    tables = -(-cases // per_table)
    work = [(*games[at % len(games)], players, per_table, seed + at) for at in range(tables)]
    if jobs == 1:
        yield from (fuzz_table(*one) for one in work)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(fuzz_table, *zip(*work, strict=True))
        finally:
            pool.shutdown(cancel_futures=True)


def fuzz_table(game: Game[Any], players: int, make: MakeChooser, cases: int, seed: int) -> Findings:
    """One table, played once in peace and once under fire, with the same seats and decisions."""
    findings = Findings()
    peace = _party(game, players, make, seed)
    fire = _party(game, players, make, seed)
    chance = Random(f"fuzz/{seed}")
    with remembered():
        changes = _play(peace, seed)
        network = _network(fire, seed)
        for moment in range(MOMENTS):
            _run_steps(network, changes[len(changes) * moment // MOMENTS])
            host = pick([host for host in fire.hosts if host.alive], chance)
            _bombard(host, network, fire, chance, cases * (moment + 1) // MOMENTS - findings.cases, findings)
        network.run(7200.0, network.all_over)
    ends = {(host.table.save(), host.table.life) for table in (peace, fire) for host in table.hosts if host.alive}
    if len(ends) != 1:
        findings.failures.append(f"seed {seed}: the table went on differently afterwards")
    return findings


def _party(game: Game[Any], players: int, make: MakeChooser, seed: int) -> Simulation:
    """Every other table loses a seat for good on the way, so that votes and rebuilding are under fire too."""
    choosers = [make(game, Random(f"fuzz/{seed}/{place}")) for place in range(players)]
    table = simulate(game, players, Random(f"fuzz/{seed}"), choosers)
    if players > 2 and seed % 2:
        table.hosts[seed % players].deaths = [Death(5 + seed % 13)]
    return table


def _network(table: Simulation, seed: int) -> Network:
    return Network(table.hosts, Random(f"fuzz/{seed}/network"), Faults(delay=0.02, hold_work=True))


def _play(table: Simulation, seed: int) -> list[int]:
    """To the end; returns after how many steps of the network anything at the table changed."""
    network = _network(table, seed)
    changes: list[int] = []
    stood: list[Any] = []

    def over() -> bool:
        nonlocal stood
        stands = [_stand(host.table) for host in table.hosts]
        if stands != stood:
            changes.append(network.steps)
        stood = stands
        return network.all_over()

    network.run(7200.0, over)
    return changes


def _run_steps(network: Network, until: int) -> None:
    """On to the so-manieth step since the table began."""
    network.run(7200.0, lambda: network.steps >= until)


# --- one moment ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """What the cases of one moment are made from."""

    table: Table
    chance: Random
    keys: dict[bytes, Identity]
    real: tuple[Entry, ...]  # messages said so far, the newest last; some have not arrived here

    def member(self) -> Identity:
        return self.keys[bytes(pick(self.table.members, self.chance))]


@dataclass(frozen=True, slots=True)
class Case:
    packet: bytes
    signer: Identity | None = None  # whoever may be blamed for it
    idle: bool = False  # nobody of the table signed it: it must change nothing


def _bombard(host: Host, network: Network, party: Simulation, chance: Random, cases: int, findings: Findings) -> None:
    """So many cases against this host's table as it stands, each undone."""
    table = host.table
    keys = {bytes(one.handle): one.make.identity for one in party.hosts}  # type: ignore[union-attr, call-overload]
    real = tuple(decode_entry(data) for one in party.hosts for data in one.sent[-12:])
    scene = Scene(table, chance, keys, real)
    keep = Snapshot(table)
    findings.stages[table.stage.value] += cases
    for _ in range(cases):
        makers = PROVEN if chance.random() < COSTLY else SIGNED if chance.random() < MUST_SIGN else UNSIGNED
        maker: Callable[[Scene], Case] = pick(makers, chance)
        shots = [maker(scene) for _ in range(pick((1, 1, 1, 2), chance))]
        findings.cases += 1
        findings.signed += any(shot.signer for shot in shots)
        stood = _stand(table)
        try:
            _wind_up(HUNG_SECONDS)
            for shot in shots:
                table.receive(shot.packet, network.now, pick((host.handle, "somebody", None), chance))
            if all(shot.idle for shot in shots) and _stand(table) != stood:
                findings.failures.append(f"unsigned, and it did something: {[shot.packet.hex() for shot in shots]}")
            if chance.random() < 0.05:
                table.handle_timeout(network.now)
            _wind_up(0.0)
        except Exception:
            _wind_up(0.0)
            findings.failures.append(f"{[shot.packet.hex() for shot in shots]}\n{traceback.format_exc()}")
        signers = {shot.signer.public for shot in shots if shot.signer}
        while (event := table.next_event()) is not None:
            if isinstance(event, events.Accused):
                findings.faults[event.fault.rule.value] += 1
                if table.members[event.fault.seat] not in signers:
                    findings.failures.append(f"blames {event.fault} for {[shot.packet.hex() for shot in shots]}")
        keep.restore()


def _wind_up(seconds: float) -> None:
    """An alarm clock for what would never end, where the platform has one."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _ring(*_: object) -> None:
    raise TimeoutError("this case has hung")


def _stand(table: Table) -> tuple[Any, ...]:
    return table.life, table.place, table.waiting_for, table.fault, table.active, len(table.departed)


class Snapshot:
    """Everything changeable that hangs on a table, to be put back in place: far quicker than copies of the table."""

    def __init__(self, root: object) -> None:
        self._kept: list[tuple[Any, Any]] = []
        seen: set[int] = set()
        queue: deque[object] = deque([root])
        while queue:
            thing = queue.popleft()
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            if isinstance(thing, dict):
                self._kept.append((thing, dict(thing)))
                queue.extend(thing.values())
            elif isinstance(thing, list | set | deque):
                self._kept.append((thing, thing.copy()))
                queue.extend(thing)
            elif isinstance(thing, tuple):
                queue.extend(thing)
            elif hasattr(thing, "__dict__") and any(kind.__module__.startswith("p2p.") for kind in type(thing).__mro__):
                self._kept.append((thing.__dict__, dict(thing.__dict__)))
                queue.extend(thing.__dict__.values())

    def restore(self) -> None:
        for thing, content in self._kept:
            thing.clear()
            if isinstance(thing, list | deque):
                thing.extend(content)
            else:
                thing.update(content)


# --- cases --------------------------------------------------------------------------------------------------------


def noise(scene: Scene) -> Case:
    """Arbitrary bytes, most of them dressed as a packet."""
    chance = scene.chance
    data = pick((b"", b"E", b"W", b"A"), chance) + chance.randbytes(int(chance.random() ** 3 * 300))
    return Case(data, idle=True)


def request(scene: Scene) -> Case:
    """Any request or sign of life of this table: unsigned, so it can blame nobody."""
    chance, table = scene.chance, scene.table.proposal.table
    mask = chance.getrandbits(32)
    if chance.random() < 0.5:
        return Case(Alive(table, mask).encode(), idle=True)
    want = Want(table, chance.randrange(3), pick((0, 1, 40, VOTES, GOODBYE), chance), mask)
    return Case(want.encode(), idle=True)


def broken_packet(scene: Scene) -> Case:
    """A real message with some bytes changed, moved or missing, and its old signature."""
    chance = scene.chance
    entry = pick(scene.real, chance)
    data = bytearray(encode_entry_packet(entry))
    for _ in range(pick((1, 1, 2, 5), chance)):
        at = min(int(chance.random() ** 2 * len(data)), len(data) - 1)  # headers and early fields more than proofs
        change = chance.random()
        if change < 0.6:
            data[at] ^= 1 << chance.randrange(8)
        elif change < 0.8:
            del data[at]
        else:
            data.insert(at, chance.randrange(256))
    return Case(bytes(data), idle=bytes(data[1:]) != encode_entry_packet(entry)[1:])


def forged(scene: Scene) -> Case:
    """A message in one seat's name, signed by another: whoever signed it has not spoken, nor has the other."""
    chance = scene.chance
    entry = pick(scene.real, chance)
    header = replace(entry.header, seat=Seat(chance.randrange(len(scene.table.members))))
    owner = scene.table._replica.author(replace(entry, header=header))
    thief = scene.member()
    if thief.public == owner:
        return noise(scene)
    return Case(_sealed(header, entry.body_bytes, thief).packet, idle=True)


def replay(scene: Scene) -> Case:
    """A real message once more, unchanged. Its author may be blamed only if it has done wrong: never."""
    return Case(encode_entry_packet(pick(scene.real, scene.chance)))


def other_header(scene: Scene) -> Case:
    """A real body in another place, rightly signed."""
    chance = scene.chance
    entry = pick(scene.real, chance)
    header = replace(entry.header, **{name: _another(name, entry.header, scene) for name in _some(HEADER, chance)})
    return _by_its_author(header, entry.body_bytes, scene)


def other_body(scene: Scene) -> Case:
    """Bytes in the place of a real body, anywhere, rightly signed."""
    chance = scene.chance
    entry = pick(scene.real, chance)
    body = bytearray(entry.body_bytes[: 1 + int(chance.random() * 200)])
    for _ in range(chance.randrange(4)):
        body[chance.randrange(len(body))] = chance.randrange(256)
    return _by_its_author(entry.header, bytes(body), scene)


def any_body(scene: Scene) -> Case:
    """A well-formed message of any kind with arbitrary fields, in the open step, rightly signed."""
    return _by_its_author(_open_header(scene, chance_kind(scene)), _fields(chance_kind(scene), scene.chance), scene)


def chance_kind(scene: Scene) -> int:
    return int(pick(sorted(BODIES), scene.chance))


def vote(scene: Scene) -> Case:
    """A vote or a goodbye with arbitrary content, where votes stand, rightly signed."""
    chance, table = scene.chance, scene.table
    kind = pick((14, 14, 15, 17, chance_kind(scene)), chance)
    step = GOODBYE if chance.random() < 0.1 else VOTES + int(chance.random() ** 4 * 600)
    header = replace(_open_header(scene, kind), step=step)
    if kind != 14 or chance.random() < 0.3:
        return _by_its_author(header, _fields(kind, chance), scene)
    held = [table.log.digest] if chance.random() < 0.3 else []
    evidence = [pick(scene.real, chance).encode()] if chance.random() < 0.3 else []
    gone = chance.getrandbits(len(table.members)) & ~(1 << header.seat)
    round_ = (step - VOTES) // 2 if step < GOODBYE else 0
    body = [min(round_, 255), gone, max(table.place[1] - chance.randrange(3), 0), held, evidence]
    return _by_its_author(header, msgpack.packb(body), scene)


def asked_for(scene: Scene) -> Case:
    """The kind of message the open step asks for, by a seat it asks, with arbitrary fields: it gets to the proof."""
    table, chance = scene.table, scene.chance
    kind = TAKES[table.stage].kind
    waiting = [seat for seat in table.waiting_for if seat != table.seat]
    header = replace(_open_header(scene, kind), seat=pick(waiting, chance)) if waiting else _open_header(scene, kind)
    return _by_its_author(header, _fields(kind, chance), scene)


def nearly_true(scene: Scene) -> Case:
    """A real message of the open step with one field changed, rightly signed: only the proof can tell."""
    table, chance = scene.table, scene.chance
    fresh = [entry for entry in scene.real if entry.place[:2] == table.place]
    if not fresh:
        return asked_for(scene)
    entry = pick(fresh, chance)
    fields = msgpack.unpackb(entry.body_bytes)
    if fields:
        at = chance.randrange(len(fields))
        fields[at] = _changed(fields[at], chance)
    return _by_its_author(entry.header, msgpack.packb(fields), scene)


UNSIGNED = (noise, noise, noise, noise, noise, request, request, broken_packet, forged, replay)
SIGNED = (other_header, other_header, other_body, any_body, any_body, vote)
PROVEN = (asked_for, nearly_true)
HEADER = ("epoch", "step", "seat", "previous", "kind")


def _by_its_author(header: Header, body: bytes, scene: Scene) -> Case:
    """Signed by whoever sits where the header says, if anybody does."""
    if header.seat >= len(scene.table.members):
        return _sealed(header, body, scene.member())
    blank = Entry(header, b"", b"")
    return _sealed(header, body, scene.keys[bytes(scene.table._replica.author(blank))])


def _sealed(header: Header, body: bytes, signer: Identity) -> Case:
    signed = header.encode() + body
    return Case(encode_entry_packet(Entry(header, signed, signer.sign(signed))), signer)


def _open_header(scene: Scene, kind: int) -> Header:
    table = scene.table
    seat = Seat(scene.chance.randrange(len(table.members)))
    return Header(table.proposal.table, *table.place, seat, table.log.digest, kind)


def _some(names: Sequence[str], chance: Random) -> list[str]:
    return [pick(names, chance) for _ in range(pick((1, 1, 2), chance))]


def _another(name: str, header: Header, scene: Scene) -> Any:
    chance, (epoch, step) = scene.chance, scene.table.place
    others: dict[str, Callable[[], Any]] = {
        "epoch": lambda: pick((0, epoch, epoch + 1, 65535), chance),
        "step": lambda: pick((0, 1, 2, step, step + 1, step + 24, step + 25, VOTES, GOODBYE), chance),
        "seat": lambda: Seat(chance.randrange(len(scene.table.members) + 1)),
        "previous": lambda: pick((bytes(32), scene.table.log.digest, chance.randbytes(32)), chance),
        "kind": lambda: chance.randrange(20),
    }
    return others[name]()


def _fields(kind: int, chance: Random) -> bytes:
    """A body of this kind: every field of the right type and size, or now and then not."""
    packed: bytes = msgpack.packb([_value(type_, size, chance) for _, type_, size in GRAMMAR.get(kind, ())])
    return packed


def _value(type_: Any, size: Any, chance: Random) -> Any:
    if chance.random() < 0.03:
        return pick((None, True, -1, 2**40, b"", "x", [], [[]], 1.5), chance)
    extent = min(size.least + int(chance.random() ** 4 * 400), size.most)
    if size.each is not None:
        return [_value(type_.__args__[0], size.each, chance) for _ in range(min(extent, 6))]
    if type_ is bytes:
        return chance.randbytes(extent)
    if type_ is str:
        return "x" * min(extent, 30)
    return bool(extent & 1) if type_ is bool else extent


def _changed(value: Any, chance: Random) -> Any:
    """Nearly the same: a bit of bytes, one more or less of a number, another item in a list."""
    if isinstance(value, bytes) and value:
        at = int(chance.random() ** 2 * len(value))
        return value[:at] + bytes([value[at] ^ 1 << chance.randrange(8)]) + value[at + 1 :]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + pick((-1, 1), chance))
    if isinstance(value, list):
        return [_changed(item, chance) for item in value] if chance.random() < 0.7 else [*value, 1]
    if isinstance(value, str):
        return value + "x"
    return chance.randbytes(32)
