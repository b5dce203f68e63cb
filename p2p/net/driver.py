"""Drives one `Table` in a thread of its own, so that its cryptography never stops a screen or a socket.

Law: the only caller of its table. Bytes and decisions come in from the event loop, packets and events go out to it.
What my seat says is in the journal, synced, before it is sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass

from engine.game import Move, View
from p2p import events
from p2p.errors import LocalError, WireError
from p2p.net.faces import Faces
from p2p.net.journal import Journal
from p2p.net.worker import Worker
from p2p.states import Life
from p2p.table import Packet, Table
from p2p.wire import Entry, decode_entry

log = logging.getLogger(__name__)

MAX_WAITING = 4096  # packets not yet worked on: a flood beyond that is dropped, and asked for again if it mattered
MAX_UNDECIDED = 64  # entries the table has neither kept nor refused yet, each looked at again: two for every seat
BATCH_SECONDS = 0.05  # what was said leaves after this at the latest, however much still waits to be heard

ENDED = (Life.OVER, Life.LEFT, Life.BROKEN)


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the table, and how long the work took that brought it."""

    event: events.Event
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Refused:
    """My decision could not be taken; `error` says why."""

    error: LocalError


@dataclass(frozen=True, slots=True)
class Stopped:
    """Nothing more is said at this table: the journal cannot be written (a full disk?), and what is not kept must not
    be sent; or the program has a mistake."""

    reason: str


News = Happened | Refused | Stopped


class Driver:
    def __init__(
        self,
        table: Table,
        *,
        send: Callable[[Packet], None],
        tell: Callable[[News], None],
        journal: Journal | None = None,
    ) -> None:
        self.table = table  # for reading what does not change in a step; everything else goes through the verbs below
        self.view: View | None = None  # the latest
        self.faces = Faces()
        self._send = send
        self._tell = tell
        self._journal = journal
        self._inbox: deque[Callable[[float], None]] = deque()
        self._heard: set[bytes] = set()  # entries the journal has already
        self._undecided: dict[bytes, Entry] = {}
        self._wake = asyncio.Event()
        self._closing = False
        self._worker = Worker("table")
        self._task: asyncio.Task[None] | None = None
        self._out: list[Packet] = []
        self._news: list[News] = []

    def recall(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Take up the table from its journal's entries. Before `start`."""
        self.table.recall(self._recalled(entries), time.monotonic())
        self._look()

    def _recalled(self, entries: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, bytes]]:
        for entry, memory in entries:
            self._heard.add(b"E" + entry)
            yield entry, memory
            self._look()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="table")

    def receive(self, data: bytes, sender: Hashable) -> None:
        if len(self._inbox) < MAX_WAITING:
            self._put(lambda now: self._receive(data, now, sender))

    def play(self, move: Move) -> None:
        self._put(lambda now: self.table.play(move, now))

    def leave(self) -> None:
        """Before anything else that waits: nobody should wait for a goodbye."""
        self._inbox.appendleft(lambda now: self.table.leave(now))
        self._wake.set()

    async def stop(self, patience: float | None = None) -> None:
        """Finish what has been started, then end. Everything that was to be sent has been handed over.

        `patience`: seconds to wait for that at most, by somebody whose program ends."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            done, _ = await asyncio.wait([self._task], timeout=patience)
            if not done:
                self._task.cancel()
                return  # its thread may still write the journal: it stays, as if the power had gone
        self._worker.end()
        if self._journal is not None:
            with contextlib.suppress(OSError):
                self._journal.close(erase=self.table.life in ENDED)

    def _put(self, work: Callable[[float], None]) -> None:
        self._inbox.append(work)
        self._wake.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._worker.run(self._work)
            except OSError as error:
                self._tell(Stopped(error.strerror or str(error)))
                return
            except Exception as error:
                log.exception("a table failed")
                self._tell(Stopped(f"{type(error).__name__}: {error}"))
                return
            out, self._out = self._out, []
            news, self._news = self._news, []
            for packet in out:
                self._send(packet)
            for item in news:
                self._tell(item)
            if self._inbox or news:
                continue
            if self._closing:
                return
            await self._rest()

    async def _rest(self) -> None:
        """Until something comes in, or the table wants to be called."""
        alarm = self.table.next_timeout()
        wait = None if alarm is None else max(0.0, alarm - time.monotonic())
        if wait == 0.0:
            return
        self._wake.clear()
        if not self._inbox and not self._closing:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):  # `wait_for` would now and then swallow a cancellation
                    await self._wake.wait()

    def _work(self) -> None:
        """In the thread: what waits, for a while; what was put off only if nothing else does."""
        if not self._inbox:
            alarm = self.table.next_timeout()
            if alarm is not None and alarm <= time.monotonic():
                self._step(self.table.handle_timeout)
            else:
                self._collect(0.0)
        enough = time.monotonic() + BATCH_SECONDS
        while self._inbox and time.monotonic() < enough:
            self._step(self._inbox.popleft())
        if self._journal is not None and any(packet.mine for packet in self._out):
            self._journal.sync()

    def _step(self, work: Callable[[float], None]) -> None:
        started = time.perf_counter()
        try:
            work(time.monotonic())
        except LocalError as error:
            self._news.append(Refused(error))
        self._collect((time.perf_counter() - started) * 1000)

    def _receive(self, data: bytes, now: float, sender: Hashable) -> None:
        self.table.receive(data, now, sender)
        if self._journal is None or data[:1] != b"E" or data in self._heard:
            return
        with contextlib.suppress(WireError):
            entry = decode_entry(data[1:])
            if self.table.holds(entry):
                self._write(data)
            elif entry.header.table == self.table.proposal.table:
                self._undecided[data] = entry  # perhaps it came before the lots, and is taken up later
                while len(self._undecided) > MAX_UNDECIDED:
                    del self._undecided[next(iter(self._undecided))]

    def _write(self, data: bytes) -> None:
        assert self._journal is not None
        self._heard.add(data)
        self._journal.heard(data[1:])

    def _collect(self, milliseconds: float) -> None:
        """What came of it. What was heard is written before what it made me say."""
        packets = self.table.outgoing()
        if self._undecided and any(packet.mine for packet in packets):
            for data in [data for data, entry in self._undecided.items() if self.table.holds(entry)]:
                del self._undecided[data]
                self._write(data)
        for packet in packets:
            if packet.mine and self._journal is not None:
                self._journal.say(packet.data[1:], self.table.memory())
            self._out.append(packet)
        moved = False
        while (event := self.table.next_event()) is not None:
            moved = True
            self._news.append(Happened(event, milliseconds))
        if moved:
            self._look()

    def _look(self) -> None:
        if self.table.state is not None:
            self.view = self.table.view()
            self.faces.see(self.table.place, self.table.known())
