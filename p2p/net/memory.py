"""A network and a clock that exist only in memory: whole tables of real `Table` objects in one process.

Law: seeded and simulated. The same seed gives the same bytes at the same simulated times; nothing here looks at a real
clock. Faults are the network's (delay, loss, duplicates, reordering, partitions); lying is in p2p/net/cheats.py.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engine.game import Move, View
from p2p import events
from p2p.states import Life
from p2p.table import Packet, Table

Chooser = Callable[[View], Move]


@dataclass(frozen=True, slots=True)
class Faults:
    """What can go wrong on the way. Times in seconds, shares between 0 and 1."""

    delay: float = 0.001  # the most a packet takes; different delays are what reorders packets
    loss: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0  # share of packets held back by up to twenty delays
    partitions: int = 0  # how often the network falls into two parts for a while
    thinking: float = 0.0  # the most a player thinks


@dataclass
class Host:
    """One process: a table and who plays it."""

    handle: Hashable
    table: Table
    choose: Chooser | None = None
    seen: list[events.Event] = field(default_factory=list)
    watch: Callable[[events.Event], None] | None = None
    alive: bool = True
    wake: float = float("inf")


class Network:
    """Hosts, packets under way, and the time."""

    def __init__(self, hosts: Sequence[Host], chance: Random, faults: Faults | None = None) -> None:
        self.hosts = {host.handle: host for host in hosts}
        self.chance = chance
        self.faults = faults or Faults()
        self.now = 0.0
        self.sent_bytes = 0
        self._queue: list[tuple[float, int, Hashable, str, Any]] = []
        self._order = 0
        self._walls: list[tuple[float, float, frozenset[Hashable]]] = []
        for _ in range(self.faults.partitions):
            start = chance.uniform(0.0, 2.0)
            size = chance.randrange(1, len(hosts)) if len(hosts) > 1 else 0
            island = frozenset(chance.sample(sorted(self.hosts, key=repr), size))
            self._walls.append((start, start + chance.uniform(0.5, 5.0), island))

    def run(self, until: float = 3600.0, stop: Callable[[], bool] | None = None) -> None:
        """Go on until nothing is under way, the simulated time is up, or `stop` says so."""
        for host in self.hosts.values():
            self._after(host)
        while self._queue and self.now <= until and not (stop and stop()):
            self.now, _, handle, what, data = heapq.heappop(self._queue)
            host = self.hosts[handle]
            if host.alive:
                self._happen(host, what, data)

    def _happen(self, host: Host, what: str, data: Any) -> None:
        if what == "packet":
            host.table.receive(data[1], self.now, data[0])
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
            if isinstance(event, events.Asked) and host.choose:
                self._push(self.now + self.chance.random() * self.faults.thinking, host, "decide", host.table.place)
        for packet in host.table.outgoing():
            self.send(host, packet)
        alarm = host.table.next_timeout()
        if alarm is not None:
            alarm = max(self.now, alarm)
            if alarm != host.wake:
                host.wake = alarm
                self._push(alarm, host, "wake", alarm)

    def send(self, sender: Host, packet: Packet) -> None:
        for handle, host in self.hosts.items():
            if host is not sender and packet.to in (None, handle):
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
            held = 20 if faults.reorder and chance.random() < faults.reorder else 1
            self._push(self.now + chance.random() * faults.delay * held, receiver, "packet", (sender.handle, data))

    def _push(self, when: float, host: Host, what: str, data: Any) -> None:
        self._order += 1
        heapq.heappush(self._queue, (when, self._order, host.handle, what, data))

    def all_over(self) -> bool:
        return all(host.table.life in (Life.OVER, Life.BROKEN) for host in self.hosts.values() if host.alive)
