"""One player's chair at one table, as a screen uses it: what is seen, what may be done, and the choice in hand.

Law: knows no thread, socket or clock. Whoever runs the table (`Runner`: cli/ui/local.py here, p2p/net/driver.py over
the network) tells it what happens, from any thread; the screen takes it in one by one, at its own pace, from one.

    tell(told, view)    for the runner           next(timeout)    the next thing told, folded into `story`; or None
                                                 choose(move)     free to be changed, until
                                                 commit()         it is sent; never after
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from cli.ui.story import Story, Told
from engine.game import Game, Move, View
from p2p.errors import LocalError
from p2p.events import Asked, Booked
from p2p.identity import roster_code
from p2p.net.driver import Happened, Refused
from p2p.replica import KEY_STEP
from p2p.table import Table


class Runner(Protocol):
    """Runs the table. Both calls return at once; what comes of them is told."""

    def play(self, move: Move) -> None: ...

    def leave(self) -> None: ...


class Chair:
    def __init__(self, game: Game[Any], runner: Runner, wake: Callable[[], None] = lambda: None) -> None:
        """`wake` is called, from the runner's thread, whenever there is something for `next`."""
        self.game = game
        self.story = Story()
        self.view: View | None = None
        self.choice: Move | None = None
        self.sent: Move | None = None  # what was committed to, until the next decision
        self._runner = runner
        self._wake = wake
        self._told: SimpleQueue[tuple[Told, View | None]] = SimpleQueue()

    # --- for whoever runs the table -------------------------------------------------------------------------------

    def tell(self, told: Told, view: View | None) -> None:
        self._told.put((told, view))
        self._wake()

    # --- for the screen -------------------------------------------------------------------------------------------

    def next(self, timeout: float | None = 0.0) -> Told | None:
        """Take in one more thing told; None if there is nothing within `timeout` seconds (None: wait for ever)."""
        try:
            told, view = self._told.get(timeout != 0.0, timeout)
        except Empty:
            return None
        self.story = self.story.after(told, view)
        self.view = view or self.view
        if isinstance(told, Refused) or (isinstance(told, Happened) and isinstance(told.event, Asked | Booked)):
            self.sent = None  # asked anew, or what was chosen has happened
        if not self.asked:
            self.choice = None
        return told

    @property
    def waiting(self) -> bool:
        """Has more been told than was taken in?"""
        return not self._told.empty()

    @property
    def asked(self) -> bool:
        """Is a decision of mine wanted that I can still make?"""
        return self.story.asked and self.sent is None

    @property
    def moves(self) -> tuple[Move, ...]:
        """What I may choose from now."""
        return self.view.moves if self.asked and self.view else ()

    def choose(self, move: Move | None) -> None:
        """Make this my choice, or none; it can be changed as long as it is not sent. Raises LocalError."""
        if self.sent is not None:
            raise LocalError("already_sent")
        if not self.asked:
            raise LocalError("not_asked")
        if move is not None and move not in self.moves:
            raise LocalError("illegal_move")
        self.choice = move

    def commit(self) -> None:
        """Send my choice: from here on it cannot be changed. Raises LocalError."""
        if self.sent is not None:
            raise LocalError("already_sent")
        if not self.asked:
            raise LocalError("not_asked")
        if self.choice is None:
            raise LocalError("no_move")
        self.sent, self.choice = self.choice, None
        self._runner.play(self.sent)

    def leave(self) -> None:
        """Get up, for good."""
        self._runner.leave()


def table_code(table: Table) -> str:
    """The words that are equal for all who sit at this table, once the lots are drawn. All have helped to fix them."""
    lots = table.log.find(0, KEY_STEP - 1)
    return roster_code(table.members, lots.digest) if lots else ""
