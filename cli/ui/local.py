"""A whole table in this one process: one person's seat and bots on all others, without a network.

Law: every seat is a real `Table` with keys of its own, and every proof is made and checked as between strangers. One
thread drives them all, so that the cryptography never stops a screen; nothing outside that thread touches a table.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from cli.ui.chair import table_code
from cli.ui.story import Code, Told
from engine.dealer import Chooser
from engine.game import Game, Move, View
from p2p import events
from p2p.errors import LocalError
from p2p.identity import Identity
from p2p.net.driver import Happened, Refused, Stopped
from p2p.seating import Proposal, rules_digest
from p2p.states import Life
from p2p.table import Table

#: No more than this passes on the tables' clock at once: however long the whole process was stopped (Ctrl-Z, a lid that
#: was closed), nobody has lost anybody. Below p2p.presence.LOST_AFTER.
MOST_AT_ONCE = 3.0
ENDED = (Life.OVER, Life.BROKEN, Life.LEFT)

log = logging.getLogger(__name__)


@dataclass
class _Player:
    """One process, as it were."""

    identity: Identity
    table: Table
    choose: Chooser | None  # None: the person
    due: float | None = None  # when a bot that is asked has thought long enough


class LocalTables:
    """`bots`: who plays the other seats, by name. `entropy(n)` gives n fresh bytes; `pause()` how long a bot thinks."""

    def __init__(
        self,
        game: Game[Any],
        name: str,
        bots: Sequence[tuple[str, Chooser]],
        *,
        entropy: Callable[[int], bytes],
        pause: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._game = game
        self._people: list[tuple[str, Chooser | None]] = [(name, None), *bots]
        self._entropy = entropy
        self._pause = pause
        self._orders: SimpleQueue[Move | None] = SimpleQueue()  # None: stop
        self._parcels: deque[tuple[_Player, bytes, _Player]] = deque()  # from, what, to
        self._tell: Callable[[Told, View | None], None] = lambda told, view: None
        self._players: list[_Player] = []
        self._thread = threading.Thread(target=self._run, name="tables", daemon=True)
        self._stopping = False
        self._clock = 0.0
        self._read_at = time.monotonic()

    # --- from outside the thread ----------------------------------------------------------------------------------

    def start(self, tell: Callable[[Told, View | None], None]) -> None:
        self._tell = tell
        self._thread.start()

    def play(self, move: Move) -> None:
        self._orders.put(move)

    def leave(self) -> None:
        self.stop()

    def stop(self, seconds: float = 0.5) -> None:
        """End; what is being computed right now may take a moment more, and is not waited for longer than this."""
        self._stopping = True
        self._orders.put(None)
        if self._thread.is_alive():
            self._thread.join(seconds)

    def save(self) -> bytes:
        """The log of the game; call it when the thread has ended or the game is over."""
        return self._players[0].table.save()

    # --- in the thread --------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._seat()
            while not self._stopping and not all(player.table.life in ENDED for player in self._players):
                if not self._go_on():
                    self._rest()
        except Exception as error:  # a bug: tell the screen, or it would wait for ever
            log.exception("the tables stopped")
            self._tell(Stopped(type(error).__name__), None)

    def _now(self) -> float:
        real = time.monotonic()
        self._clock += min(real - self._read_at, MOST_AT_ONCE)
        self._read_at = real
        return self._clock

    def _seat(self) -> None:
        """Everyone gets a throw-away identity; who sits where is drawn by the tables themselves."""
        drawn = sorted(
            ((Identity(self._entropy(32)), *person) for person in self._people), key=lambda one: one[0].public
        )
        members = tuple(bytes(identity.public) for identity, _, _ in drawn)
        proposal = Proposal(self._game.id, rules_digest(self._game), (), members, self._entropy(32))
        for identity, name, choose in drawn:
            table = Table(proposal, self._game, identity=identity, seed=self._entropy(32), name=name, now=self._now())
            self._players.append(_Player(identity, table, choose))
        self._players.sort(key=lambda player: player.choose is not None)  # mine first
        for player in self._players:
            self._collect(player, 0.0)

    def _go_on(self) -> bool:
        """Do one thing, if there is one: my order, a parcel, work put off, a bot's move."""
        try:
            order = self._orders.get(block=False)
        except Empty:
            pass
        else:
            if order is not None:
                self._step(self._players[0], lambda table, now: table.play(order, now))
            return True
        if self._parcels:
            sender, data, receiver = self._parcels.popleft()
            self._step(receiver, lambda table, now: table.receive(data, now, sender.identity.public))
            return True
        now = self._now()
        for player in self._players:
            alarm = player.table.next_timeout()
            if alarm is not None and alarm <= now:
                self._step(player, lambda table, now: table.handle_timeout(now))
                return True
        for player in self._players:
            if player.due is not None and player.due <= now:
                self._decide(player)
                return True
        return False

    def _decide(self, player: _Player) -> None:
        player.due = None
        choose = player.choose
        if choose is not None and player.table.must_decide:
            move = choose(player.table.view())
            self._step(player, lambda table, now: table.play(move, now))

    def _rest(self) -> None:
        """Until an order comes, a bot has thought long enough, or a table wants to be called."""
        alarms = [player.table.next_timeout() for player in self._players] + [player.due for player in self._players]
        soonest = min((alarm for alarm in alarms if alarm is not None), default=None)
        wait = None if soonest is None else max(0.0, soonest - self._now())
        try:
            order = self._orders.get(timeout=wait)
        except Empty:
            return
        self._orders.put(order)

    def _step(self, player: _Player, work: Callable[[Table, float], None]) -> None:
        started = time.perf_counter()
        try:
            work(player.table, self._now())
        except LocalError as error:
            if player is self._players[0]:
                self._tell(Refused(error), None)
        self._collect(player, (time.perf_counter() - started) * 1000)

    def _collect(self, player: _Player, milliseconds: float) -> None:
        """Pass on what this table has to say: packets to the others, events to the screen or the bot."""
        table = player.table
        for packet in table.outgoing():
            for other in self._players:
                if other is not player and packet.to in (None, other.identity.public):
                    self._parcels.append((player, packet.data, other))
        mine = player.choose is None
        happened = []
        while (event := table.next_event()) is not None:
            happened.append(event)
            if isinstance(event, events.Asked) and not mine:
                player.due = self._now() + self._pause()
        if not mine or not happened:
            return
        view = table.view() if table.state is not None else None
        for event in happened:
            log.debug("%s", event_line(event))
            self._tell(Happened(event, milliseconds), view)
            if isinstance(event, events.Seated):
                self._tell(Code(table_code(table)), view)


def event_line(event: events.Event) -> str:
    """An event for the log file: its name and its plain public numbers, nothing else."""
    match event:
        case events.Opened(epoch, step, stage, authors):
            return f"step {epoch}.{step} {stage.value} by {list(map(int, authors))}"
        case events.Spoke(seat, stage, size, _):
            return f"seat {seat} {stage.value} {size} bytes"
        case events.Booked(_, fact, news, _):
            return f"{type(fact).__name__}: {', '.join(told.name for told in news)}"
        case events.Accused(fault):
            return f"seat {fault.seat} broke {fault.rule.value} in step {fault.epoch}.{fault.step}"
    return type(event).__name__
