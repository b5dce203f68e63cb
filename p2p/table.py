"""The sans-IO heart: one seat's table, or a stranger's, that plays any game without a dealer.

Law: no socket, no clock, no entropy, no concrete game. Bytes and the time come in, bytes and events come out:

    receive(data, now, sender)   something arrived         play(move, now)        my decision
    outgoing()                   packets to send           next_event()           what happened, in order, or None
    next_timeout()               when to call again        handle_timeout(now)    that time has come

and `leave(now)` says goodbye. My own messages enter by the same door as everyone else's. State changes only in these.
It is built in four floors, each a file: p2p/desk.py speaks and goes on, p2p/hearing.py hears and accuses,
p2p/voting.py goes on without who is gone, and here are the verbs. What all hold equal is p2p/replica.py; what seats may
say and what follows is in p2p/states.py and p2p/steps/.

Whatever bytes arrive, nothing is raised: a message is taken, kept, dropped, or is a fault of its author. `play` and
`leave` raise LocalError. Any other exception is a bug.

A table without an identity is a stranger: it follows, verifies everything and sees what is public, by construction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from engine.cards import Seat
from engine.game import Move
from p2p import events
from p2p.ballot import mask_of
from p2p.desk import PLAYED, Packet
from p2p.errors import LocalError, WireError
from p2p.presence import ALIVE_EVERY
from p2p.states import Life, Turn
from p2p.voting import Voting
from p2p.wire import (
    GOODBYE,
    Alive,
    Entry,
    Goodbye,
    Want,
    decode_entry,
    decode_packet,
)

AT_ONCE = float("-inf")


class Table(Voting):
    def receive(self, data: bytes, now: float, sender: Hashable | None = None) -> None:
        self._now = now
        try:
            packet = decode_packet(data)
        except WireError:
            return
        table = packet.header.table if isinstance(packet, Entry) else packet.table
        if table != self.proposal.table:
            return
        member = self._member_seat(sender)
        if member is not None:
            self._note_heard(member)
        if isinstance(packet, Want):
            self._serve(packet, sender)
        elif isinstance(packet, Alive):
            self._note_alive(packet, member)
        elif packet.header.seat < len(self.members):
            self._hear(packet)
            self._advance()

    def play(self, move: Move, now: float) -> None:
        self._now = now
        if not self.must_decide or self._mute:
            raise LocalError("not_asked")
        assert self._me is not None
        if not isinstance(move, Move) or move not in self.game.moves(self.state, self._me.seat, self.known()):
            raise LocalError("illegal_move", move=move)
        self._speak(move)
        self._advance()

    def leave(self, now: float) -> None:
        """Say goodbye. The others go on without me at once; I need not wait for them."""
        self._now = now
        if self.life not in (Life.SEATING, *PLAYED):
            raise LocalError("already_over")
        if self._me is not None and self.life in PLAYED and self._me.seat in self.active:
            self._sign(Goodbye(), GOODBYE, self.log.digest)
        self._turn(Turn.GOODBYE)

    def outgoing(self) -> list[Packet]:
        packets = list(self._packets)
        self._packets.clear()
        return packets

    def next_event(self) -> events.Event | None:
        return self._events.popleft() if self._events else None

    def next_timeout(self) -> float | None:
        """When to call `handle_timeout`: AT_ONCE if there is work put off (do it when nothing has arrived), or None."""
        if self.life not in (Life.SEATING, *PLAYED):
            return None
        return AT_ONCE if self._waiting else min(self._catchup.at, self._alive_at)

    def handle_timeout(self, now: float) -> None:
        self._now = now
        if self._waiting:
            self._verify_waiting()
        elif self.life in (Life.SEATING, *PLAYED):
            if now >= self._catchup.at:
                self._ask()
            if now >= self._alive_at:
                self._alive_at = now + ALIVE_EVERY
                self._show_alive()
                self._watch()
        self._advance()

    def _member_seat(self, sender: Hashable | None) -> Seat | None:
        return Seat(self.members.index(sender)) if sender in self.members else None

    # --- lost messages: ask, and answer -----------------------------------------------------------------------------

    def _ask(self) -> None:
        waited = [self.members[seat] for seat in self.waiting_for] if self._me is not None else []
        have = mask_of(self._replica.entries)
        for to, want in self._catchup.ask(self._now, self.place, have, waited):
            self._packets.append(Packet(want, to))

    def _serve(self, want: Want, sender: Hashable | None) -> None:
        if not self._catchup.answers(sender, self._now):
            return
        goodbyes = [entry for held in self._proof.values() for entry in held if entry.header.step == GOODBYE]
        later = [*self._replica.entries.values(), *self._ballot.entries(), *goodbyes, *self._evidence]
        wanted = self._catchup.wanted(want, [*self.log.since(want.epoch, want.step), *later])
        self._show(wanted, sender)

    # --- coming back ------------------------------------------------------------------------------------------------

    def memory(self) -> bytes:
        """My secrets of the moment, for the journal: the choice I have committed to and not shown."""
        return self._me.memory() if self._me else b""

    def recall(self, entries: Iterable[tuple[bytes, bytes]], now: float) -> None:
        """Take up a game from its journal: every entry in the order it was written, with the memory kept beside mine.

        Until this is done nothing is said; afterwards I can only repeat what I have said, or go on."""
        self._now = now
        self._packets.clear()
        self._recalling = True
        for data, memory in entries:
            if memory and self._me is not None:
                self._me.remember(memory)
            try:
                entry = decode_entry(data)
            except WireError:
                continue
            if entry.header.table == self.proposal.table and entry.header.seat < len(self.members):
                if self._identity is not None and self._identity.public.verify(entry.signature, entry.signed):
                    self._own.add(entry.signed)
                self._hear(entry)
                self._advance()
        self._recalling = False
        self._packets.clear()
        self._presence.forgive(now)
        self._catchup.hurry(now)
        if self.must_decide and self.need is not None:
            self._events.append(events.Asked(self.need))
        self._show(self._my_open_entries())
        self._advance()

    def _my_open_entries(self) -> list[Entry]:
        said = (*self._replica.entries.values(), *self._ballot.entries())
        return [entry for entry in said if entry.header.seat == self.seat]


__all__ = ["AT_ONCE", "Packet", "Table"]
