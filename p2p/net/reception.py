"""What every message passes before anyone acts on it: may its sender speak, is it within limits, is it a message.

Law: changes nothing but the peer book and its own counters; knows no kind of content.
"""

from __future__ import annotations

from p2p.net import zre
from p2p.net.budget import STRIKES, Budget
from p2p.net.envelope import MAX_STRANGER_FRAME
from p2p.net.keys import PeerKey
from p2p.net.peerbook import PeerBook


class Reception:
    def __init__(self, book: PeerBook) -> None:
        self._book = book
        self._sequences: dict[PeerKey, int] = {}
        self._budgets: dict[PeerKey, Budget] = {}
        self.dropped = 0  # over a limit, or no message at all

    def read(self, sender: PeerKey, frames: list[bytes], now: float) -> zre.Message | None:
        """The message, if it is one and may be heard."""
        if not self._book.may_enter(sender, now) or not self._within_limits(sender, frames, now):
            self.dropped += 1
            return None
        message = zre.decode(frames)
        if message is None:
            self.strike(sender, now)
            return None
        expected, self._sequences[sender] = self._sequences.get(sender), zre.after(message.sequence)
        if expected not in (None, message.sequence) and not isinstance(message, zre.Hello):
            self._book.missed(sender)
        return message

    def strike(self, sender: PeerKey, now: float) -> None:
        """It sent what is no message. A seated peer is only ignored: its bytes may be a newer version's."""
        self.dropped += 1
        budget = self._budgets.setdefault(sender, Budget(now))
        budget.strikes += 1
        if budget.strikes >= STRIKES and not self._book.seated(sender):
            self.forget(sender)
            self._book.deny(sender, now)

    def forget(self, sender: PeerKey) -> None:
        self._sequences.pop(sender, None)
        self._budgets.pop(sender, None)

    def _within_limits(self, sender: PeerKey, frames: list[bytes], now: float) -> bool:
        if self._book.seated(sender):
            return True
        size = sum(map(len, frames))
        budget = self._budgets.setdefault(sender, Budget(now))
        return size <= MAX_STRANGER_FRAME + zre.MAX_HEADER and budget.allows(size, now)
