"""Who is there: when each seat was last heard, directly or through others.

Law: pure; time is an argument. Belief, not proof: it decides when to wait, when to say that somebody is lost and when
to vote, never who is at fault.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards import Seat

ALIVE_EVERY = 2.0  # seconds between two signs of life
LOST_AFTER = 6.0  # three signs of life missed: shown as lost, the countdown begins


class Presence:
    def __init__(self, seats: Iterable[Seat], now: float) -> None:
        self._heard = dict.fromkeys(seats, now)  # by myself
        self._told = dict(self._heard)  # by others, as they say; never passed on, or two could echo a third for ever

    def heard(self, seat: Seat, now: float) -> None:
        if seat in self._heard:
            self._heard[seat] = now

    def told(self, seat: Seat, now: float) -> None:
        if seat in self._told:
            self._told[seat] = now

    def silent_for(self, seat: Seat, now: float) -> float:
        """How long nobody has reached this seat."""
        return now - max(self._heard.get(seat, now), self._told.get(seat, now))

    def is_lost(self, seat: Seat, now: float) -> bool:
        return self.silent_for(seat, now) > LOST_AFTER

    def mask(self, now: float) -> int:
        """The seats I have heard lately myself, one bit each: what a sign of life tells the others."""
        return sum(1 << seat for seat, at in self._heard.items() if now - at <= LOST_AFTER)

    def forgive(self, now: float) -> None:
        """I was away myself (restart, sleep): nobody else's silence counts from before."""
        self._heard = dict.fromkeys(self._heard, now)
        self._told = dict(self._heard)
