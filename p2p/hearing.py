"""How a table hears: every entry through one door, and what its author has to answer for.

Law: cheap checks first, the signature before anything is kept, the proof last. A message is taken, kept, dropped, or is
a fault of its author; nothing is raised. What is done when is a table of p2p/states.py.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from engine.cards import Seat
from p2p import events
from p2p.desk import PLAYED, Desk
from p2p.errors import Broken, Fault, Rule
from p2p.events import Why
from p2p.replica import KEY_STEP
from p2p.states import RECEPTION, Action, Heard, Life, Stage, Turn, When
from p2p.wire import (
    VOTES,
    Entry,
)

AHEAD = 24  # steps kept ahead of the open one: more than the longest run in which a seat is not asked (a shuffle chain)


class Hearing(Desk):
    def _hear(self, entry: Entry) -> None:
        """One entry through the door: cheap checks, the signature, then whatever the reception table says."""
        if self.life in (Life.BROKEN, Life.LEFT):
            return
        header = entry.header
        if header.step >= VOTES:
            self._hear_vote(entry)
            return
        if header.step >= KEY_STEP and self._replica.order is None:
            if len(self._unseated) < 2 * len(self.members):
                self._unseated.append(entry)
            return
        when, other = self._placed(entry)
        heard = Heard.NOTHING if other is None else Heard.SAME if other.signed == entry.signed else Heard.OTHER
        action = RECEPTION[when, heard]
        if action is Action.DROP or not self._signed(entry):
            return
        self._note_heard(header.seat)
        if self._was_lost(header.seat) and header.seat not in self._met and header.epoch == self._replica.epoch:
            self._met.add(header.seat)  # it plays on as if it had never been lost: show it, and see, who left whom
            self._show(self._my_votes())
        if action is Action.ACCUSE:
            assert other is not None
            self._two_stories(other, entry)
        elif action is Action.LATE:
            self._late(entry)
        elif action is Action.KEEP:
            self._early.setdefault((header.epoch, header.step), {})[header.seat] = entry
        elif header.previous != self._replica.context.previous:
            self._dispute(entry)
        elif (header.step, header.seat) not in self._liars:
            self._take(entry)

    def _placed(self, entry: Entry) -> tuple[When, Entry | None]:
        """Where its step lies, and what is already held of this seat for it."""
        header, (epoch, number) = entry.header, self.place
        place = (header.epoch, header.step)
        closed = self.log.find(*place)
        if closed:
            return When.CUT if closed.partial or header.step >= VOTES else When.CLOSED, closed.by(header.seat)
        if place == (epoch, number) and not self.result:
            return When.OPEN, self._replica.entries.get(header.seat) or self._disputed.get(entry.place)
        ahead = header.step - (number if header.epoch == epoch else 0)
        if header.epoch in (epoch, epoch + 1) and 0 <= ahead <= AHEAD and self.life is not Life.OVER:
            return When.AHEAD, self._early.get(place, {}).get(header.seat)
        return When.FAR, None

    def _signed(self, entry: Entry) -> bool:
        return self._replica.author(entry).verify(entry.signature, entry.signed)

    def _take(self, entry: Entry) -> None:
        """An entry of the open step, rightly signed and standing on the same past: true, or its author's fault."""
        seat, replica = entry.header.seat, self._replica
        mine = self._me is not None and seat == self._me.seat
        if mine and entry.signed not in self._own:
            self._mute = True  # signed by me, and I do not remember it
        try:
            said = replica.check(entry, mine)
        except Broken as broken:
            self._accuse(seat, broken.rule, (entry,))
            return
        self._keep(entry, said)

    def _keep(self, entry: Entry, said: Any) -> None:
        replica, seat = self._replica, entry.header.seat
        replica.take(entry, said)
        link = said[1] if self.stage is Stage.LINK else None
        if link is not None:
            self._waiting.append(link)
        self._catchup.progress(self._now)
        self._events.append(events.Spoke(seat, self.stage, len(entry.signed), link is None))

    def _late(self, entry: Entry) -> None:
        """A seat speaks in a closed step that did not ask it. If it stood on the same past, it is at fault."""
        closed = self.log.find(entry.header.epoch, entry.header.step)
        if closed and closed.previous == entry.header.previous:
            self._accuse(entry.header.seat, Rule.NOT_ASKED, (entry,))

    def _dispute(self, entry: Entry) -> None:
        """Somebody stands on another past: no fault of its own. All show all what they hold of the step before."""
        if entry.place not in self._disputed:
            self._disputed[entry.place] = entry
            if self.log.steps:
                self._show(self.log.steps[-1].entries)

    # --- faults -----------------------------------------------------------------------------------------------------

    def _accuse(self, seat: Seat, rule: Rule, evidence: tuple[Entry, ...]) -> None:
        """A provable fault: show the evidence to everyone; the seat is out."""
        order = self._replica.order
        if order is not None and evidence[-1].header.epoch == 0 and evidence[-1].header.step < KEY_STEP:
            seat = Seat(order.index(seat))  # it was numbered as in the proposal then
        if seat in self._proof or any(seat == gone for gone, _ in self.departed):
            return  # it has gone already
        header = evidence[-1].header
        fault = Fault(seat, rule, header.epoch, header.step, tuple(entry.encode() for entry in evidence))
        self.fault = self.fault or fault
        self._proof[seat] = evidence
        self._evidence.extend(evidence)
        self._events.append(events.Accused(fault))
        if not self._recalling:
            self._show(evidence)
        if self.life is Life.SEATING:
            self._turn(Turn.FAULT)
        elif seat in self.active:
            self._out[seat] = Why.FAULT

    def _two_stories(self, one: Entry, other: Entry) -> None:
        """The fault that splits the table: whoever built on either story is innocent, and that step is void."""
        header = one.header
        if (header.step, header.seat) in self._liars:
            return  # known already
        if header.epoch == self._replica.epoch and header.step < VOTES and self.life in PLAYED:
            self._liars.add((header.step, header.seat))
            if header.step == self._replica.number:
                self._turns += self._replica.drop(header.seat)
            elif self._undo is None and self._replica.can_take_back(header.step):
                self._undo = self._replica.take_back(header.step)
                self._replica.drop(header.seat)
                self._turns += 1
                self._waiting.clear()
                self._settle()
        self._accuse(header.seat, Rule.TWO_STORIES, (one, other))

    # --- who was heard ----------------------------------------------------------------------------------------------

    def _note_heard(self, seat: Seat) -> None:
        self._presence.heard(seat, self._now)
        if seat in self._lost:
            self._lost.discard(seat)
            self._events.append(events.Back(seat))

    def _was_lost(self, seat: Seat) -> bool:
        return (seat, Why.LOST) in self.departed

    def _my_votes(self) -> list[Entry]:
        """What shows to whom I went on without: all votes that the log holds."""
        return [entry for closed in self.log.steps if closed.step >= VOTES for entry in closed.entries]

    # --- what the file above this one adds --------------------------------------------------------------------------

    @abstractmethod
    def _hear_vote(self, entry: Entry) -> None: ...
