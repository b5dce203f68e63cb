"""Lost messages: whom to ask for what when, and what to answer.

Law: transport repairs, nothing more. What comes back enters by the same door as everything else and is believed no
better.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from p2p.wire import Entry, Want

RETRY_FIRST = 0.25  # seconds of waiting before asking for what may have been lost: well above a LAN's round trip
RETRY_MOST = 2.0  # and the most, so that a peer that comes back is heard soon
SERVE_BYTES = 512 * 1024  # the most sent in answer to one request: a whole game fits in two
SERVE_PAUSE = 0.1  # seconds between two requests of one peer that are answered: nobody can make us shout
PEERS_KEPT = 64  # more than a table has peers; then forget who asked instead of growing


class CatchUp:
    def __init__(self, table: bytes, now: float) -> None:
        self._table = table
        self._tries = 0
        self._answered: dict[Hashable, float] = {}
        self.at = now + RETRY_FIRST

    def progress(self, now: float) -> None:
        """Something came: there is no need to ask for a while."""
        self._tries = 0
        self.at = now + RETRY_FIRST

    def hurry(self, now: float) -> None:
        """I have been away: ask at once, and everyone."""
        self._tries = 1
        self.at = now

    def ask(
        self, now: float, place: tuple[int, int], have: int, waited_for: Sequence[Hashable]
    ) -> Iterator[tuple[Hashable | None, bytes]]:
        """(to whom, what): first those who are waited for; then everyone, for anyone may hold what I lack."""
        want = Want(self._table, *place, have).encode()
        targets: Sequence[Hashable | None] = waited_for if self._tries == 0 and waited_for else [None]
        self._tries += 1
        self.at = now + min(RETRY_FIRST * 2 ** min(self._tries, 8), RETRY_MOST)
        return ((to, want) for to in targets)

    def answers(self, sender: Hashable | None, now: float) -> bool:
        """Is this sender to be answered, or is it too soon?"""
        if now - self._answered.get(sender, float("-inf")) < SERVE_PAUSE:
            return False
        if len(self._answered) >= PEERS_KEPT:
            self._answered.clear()
        self._answered[sender] = now
        return True

    def wanted(self, want: Want, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Those it does not have, oldest first, up to a limit; whoever asked then asks again from there."""
        budget = SERVE_BYTES
        for entry in entries:
            header = entry.header
            if (header.epoch, header.step) == (want.epoch, want.step) and want.have >> header.seat & 1:
                continue
            budget -= len(entry.signed)
            if budget < 0:
                return
            yield entry
