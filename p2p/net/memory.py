"""A network and a clock that exist only in memory: whole tables of real `Table` objects in one process.

Law: seeded and simulated. The same seed gives the same bytes at the same simulated times; nothing here looks at a real
clock. Faults are the network's (delay, loss, duplicates, reordering, partitions) and the machines' (switched off,
crashed, started again); lying is in p2p/net/cheats.py. Knows no game and judges nothing: that is p2p/net/soak.py.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.game import Left, Move, View
from p2p import events
from p2p.errors import WireError
from p2p.states import Life, Stage
from p2p.table import AT_ONCE, Packet, Table
from p2p.wire import Entry, decode_packet

Chooser = Callable[[View], Move]

ENDS = (Life.OVER, Life.BROKEN, Life.LEFT)
HELD_BACK = 20  # delays that a reordered packet may take: enough to be overtaken by whole steps
UNDECIDED = 64  # entries that may wait for the table to make up its mind: two for every seat, and room
WALL_SECONDS = (0.5, 5.0)  # how long a partition lasts: longer than the table's patience, shorter than a player's


@dataclass(frozen=True, slots=True)
class Faults:
    """What can go wrong on the way. Times in seconds, shares between 0 and 1."""

    delay: float = 0.001  # the most a packet takes; different delays are what reorders packets
    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0  # share of packets held back by up to HELD_BACK delays
    partitions: int = 0  # how often the network falls into two parts for a while
    thinking: float = 0.0  # the most a player thinks
    hold_work: bool = False  # put-off work waits up to a delay: links pile up and are verified together


@dataclass(frozen=True, slots=True)
class Death:
    """A machine stops at the moment it says its `message`-th own message, which then reaches some of the others."""

    message: int
    down: float | None = None  # seconds until it is back with what its journal holds; None: it never is


@dataclass
class Host:
    """One machine: a table and who plays it."""

    handle: Hashable
    table: Table
    choose: Chooser | None = None
    seen: list[events.Event] = field(default_factory=list)
    watch: Callable[[events.Event], None] | None = None
    alive: bool = True
    leaves_when_out: bool = False  # switches off as soon as the rules have let it out and those who stay have said so
    leaves_at: int | None = None  # says goodbye after so many own messages
    make: Callable[[float], Table] | None = None  # its table afresh, at this time; without it there is no journal
    journal: list[tuple[bytes, bytes]] = field(default_factory=list)  # (entry, memory beside it), as they were written
    written: set[bytes] = field(default_factory=set)  # entries in the journal
    undecided: dict[bytes, Entry] = field(default_factory=dict)  # heard, neither kept nor refused by the table yet
    deaths: list[Death] = field(default_factory=list)  # those to come, earliest first
    died: list[Stage] = field(default_factory=list)  # in which stages it stopped
    sent: list[bytes] = field(default_factory=list)  # all its signed messages, also those that never counted
    returns: bool = False  # is down, and will be back
    off: bool = False  # was let out and has switched off
    wake: float = float("inf")


class Network:
    """Hosts, packets under way, and the time."""

    def __init__(self, hosts: Sequence[Host], chance: Random, faults: Faults | None = None) -> None:
        self.hosts = {host.handle: host for host in hosts}
        self.chance = chance
        self.faults = faults or Faults()
        self.now = 0.0
        self.sent_bytes = 0
        self.steps = 0  # things that have happened
        self._queue: list[tuple[float, int, Hashable, str, Any]] = []
        self._order = 0
        self._walls = self._build_walls()

    def _build_walls(self) -> list[tuple[float, float, frozenset[Hashable]]]:
        """Partitions one after the other. Nobody gets far behind a wall, so the next one still meets the same game."""
        walls = []
        clear = 0.0
        handles = sorted(self.hosts, key=repr)
        for _ in range(self.faults.partitions if len(handles) > 1 else 0):
            start = clear + self.chance.random() * (50 * self.faults.delay + 5 * self.faults.thinking)
            clear = start + self.chance.uniform(*WALL_SECONDS)
            walls.append((start, clear, frozenset(self.chance.sample(handles, self.chance.randrange(1, len(handles))))))
        return walls

    def run(self, until: float = 3600.0, stop: Callable[[], bool] | None = None) -> None:
        """Go on until nothing is under way, the simulated time is up, or `stop` says so. Can be called again."""
        for host in self.hosts.values():
            if host.alive:
                self._after(host)
        while self._queue and self._queue[0][0] <= until and not (stop and stop()):
            self.now, _, handle, what, data = heapq.heappop(self._queue)
            self.steps += 1
            if what == "script":
                data()
            elif (host := self.hosts[handle]).alive:
                self._happen(host, what, data)

    # --- what a test does to machines -----------------------------------------------------------------------------

    def at(self, when: float, action: Callable[[], None]) -> None:
        """Have something done at a simulated time."""
        self._push(when, None, "script", action)

    def crash(self, handle: Hashable) -> None:
        """From now on this machine neither hears nor says anything. What it had sent is still under way."""
        self.hosts[handle].alive = False

    def restart(self, handle: Hashable) -> None:
        """The machine is back with what its journal holds. What was sent to it meanwhile is lost."""
        host = self.hosts[handle]
        assert host.make is not None
        self._queue = [item for item in self._queue if item[2] != handle]
        heapq.heapify(self._queue)
        host.table, host.alive, host.returns, host.wake = host.make(self.now), True, False, float("inf")
        host.undecided.clear()
        host.table.recall(host.journal, self.now)
        self._after(host)

    def all_over(self) -> bool:
        return all(host.table.life in ENDS for host in self.hosts.values() if host.alive or host.returns)

    # --- what happens ---------------------------------------------------------------------------------------------

    def _happen(self, host: Host, what: str, data: Any) -> None:
        if what == "packet":
            host.table.receive(data[1], self.now, data[0])
            if host.make is not None:
                _hear(host, data[1])
        elif what == "decide":
            if not host.table.must_decide or host.table.place != data:
                return
            assert host.choose is not None
            host.table.play(host.choose(host.table.view()), self.now)
        elif what == "wake":
            if data != host.wake:
                return  # an older alarm
            host.wake = float("inf")
            host.table.handle_timeout(self.now)
        self._after(host)

    def _after(self, host: Host) -> None:
        """Carry out what the table wants: events, packets, alarm."""
        while (event := host.table.next_event()) is not None:
            host.seen.append(event)
            if host.watch:
                host.watch(event)
            if isinstance(event, events.Asked):
                self._think(host)
            if host.leaves_when_out and _lets_out(event, host.table):
                host.alive, host.off = False, True
        _write(host)
        for packet in host.table.outgoing():
            if packet.mine:
                host.sent.append(packet.data[1:])
                if host.make is not None:
                    host.written.add(packet.data[1:])
                    host.journal.append((packet.data[1:], host.table.memory()))
                if host.deaths and host.deaths[0].message <= len(host.sent):
                    self._die(host, packet, host.deaths.pop(0))
                    return
            self.send(host, packet)
        if (
            host.leaves_at is not None
            and host.leaves_at <= len(host.sent)
            and host.table.life in (Life.PLAYING, Life.VOTING)
        ):
            host.leaves_at = None
            host.table.leave(self.now)
            self._after(host)
        self._set_alarm(host)

    def _die(self, host: Host, packet: Packet, death: Death) -> None:
        """In the middle of sending: the journal has the message, each of the others has it or not."""
        host.died.append(host.table.stage)
        self.send(host, packet, lost=0.5)
        self.crash(host.handle)
        if death.down is not None:
            host.returns = True
            self.at(self.now + death.down, lambda: self.restart(host.handle))

    def _think(self, host: Host) -> None:
        if host.choose:
            self._push(self.now + self.chance.random() * self.faults.thinking, host.handle, "decide", host.table.place)

    def _set_alarm(self, host: Host) -> None:
        alarm = host.table.next_timeout()
        if alarm is None:
            host.wake = float("inf")
            return
        if alarm == AT_ONCE:
            if host.wake <= self.now + self.faults.delay:
                return  # it will get to its work soon anyway
            alarm = self.now + (self.chance.random() * self.faults.delay if self.faults.hold_work else 0.0)
        alarm = max(self.now, alarm)
        if alarm != host.wake:
            host.wake = alarm
            self._push(alarm, host.handle, "wake", alarm)

    def send(self, sender: Host, packet: Packet, lost: float = 0.0) -> None:
        for handle, host in self.hosts.items():
            if host is not sender and packet.to in (None, handle) and not (lost and self.chance.random() < lost):
                self._carry(sender, host, packet.data)

    def _carry(self, sender: Host, receiver: Host, data: bytes) -> None:
        faults, chance = self.faults, self.chance
        self.sent_bytes += len(data)
        if faults.loss and chance.random() < faults.loss:
            return
        if any(
            start <= self.now < end and (sender.handle in island) != (receiver.handle in island)
            for start, end, island in self._walls
        ):
            return
        copies = 2 if faults.duplicate and chance.random() < faults.duplicate else 1
        for _ in range(copies):
            held = HELD_BACK if faults.reorder and chance.random() < faults.reorder else 1
            when = self.now + chance.random() * faults.delay * held
            self._push(when, receiver.handle, "packet", (sender.handle, data))

    def _push(self, when: float, handle: Hashable, what: str, data: Any) -> None:
        self._order += 1
        heapq.heappush(self._queue, (when, self._order, handle, what, data))


def _hear(host: Host, data: bytes) -> None:
    """What may have to go into the journal: known when the table keeps it, which can be later."""
    try:
        packet = decode_packet(data)
    except WireError:
        return
    if isinstance(packet, Entry) and data[1:] not in host.written:
        host.undecided[data[1:]] = packet
        if len(host.undecided) > UNDECIDED:
            del host.undecided[next(iter(host.undecided))]


def _write(host: Host) -> None:
    for data, entry in list(host.undecided.items()):
        if host.table.holds(entry):
            del host.undecided[data]
            host.written.add(data)
            host.journal.append((data, b""))


def _lets_out(event: events.Event, table: Table) -> bool:
    """Has the last step closed in which this seat was needed? Everyone who stays holds all it ever said."""
    return isinstance(event, events.Booked) and isinstance(event.fact, Left) and table.seat in event.fact.seats
