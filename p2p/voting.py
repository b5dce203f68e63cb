"""How a table goes on without seats that are gone: who is there, votes, the cut.

Law: a vote proves nothing; evidence in it is heard as if it had come by itself. Whoever votes signs nothing more of
that epoch. No minority puts a living seat out of its own table. The arithmetic of votes is p2p/ballot.py's.
"""

from __future__ import annotations

from engine.cards import Seat
from p2p import events
from p2p.ballot import Agreement, Ballot, cut_step, have_step, mask_of, seats_of
from p2p.desk import PLAYED, Packet
from p2p.errors import Rule, WireError
from p2p.events import Why
from p2p.hearing import Hearing
from p2p.states import DECISIONS, Life, Turn
from p2p.wire import (
    GOODBYE,
    Alive,
    Cut,
    Entry,
    Goodbye,
    Have,
    decode_body,
    decode_entry,
)


class Voting(Hearing):
    def _unvoted(self) -> tuple[Seat, ...]:
        """Whom the vote waits for: for its word, or for what only it says it holds."""
        stayers, votes = self._stayers(), self._ballot
        if self._voted is None:
            return stayers
        same = mask_of(self._out)  # who says otherwise in my round has not said what I wait for
        haves = {seat: vote for seat, vote in votes.haves.get(self._voted[0], {}).items() if vote[1].gone == same}
        silent = tuple(seat for seat in stayers if seat not in haves)
        if silent:
            return silent
        furthest = votes.furthest(stayers)
        if self._replica.number < furthest:
            return tuple(seat for seat in stayers if haves[seat][1].open == furthest)
        held = self._held()
        hoarders = tuple(seat for seat in stayers if not held.keys() >= set(haves[seat][1].held))
        if hoarders:
            return hoarders
        agreement = next((found for found in self._agreements() if found.round == self._voted[0]), None)
        cuts = votes.cuts.get(self._voted[0], {})
        heard = agreement.votes if agreement else b""
        return tuple(seat for seat in stayers if seat not in cuts or cuts[seat][1].votes != heard)

    def _vote(self) -> bool:
        """Say, while voting, whatever is mine to say. True if anything changed."""
        if self.life not in PLAYED or self.need is None:
            return False
        agreements = []
        for found in self._agreements():
            if self._is_coup(found):
                for seat in found.stayers:  # they have sworn to sign nothing more in this epoch
                    self._out.setdefault(seat, Why.LOST)
            else:
                agreements.append(found)
        if (self._out or agreements) and self.life is Life.PLAYING:
            if self._waiting:
                self._verify_waiting()
                return True
            self._turn(Turn.VOTE)
            gone = frozenset(self._out) or agreements[0].gone
            self._events.append(events.Voting(tuple(sorted(gone))))
            self._opened_at = self._now
        if self._votes_here() and self._say_have():
            return True
        return any(self._agree(agreement) for agreement in agreements)

    def _votes_here(self) -> bool:
        me = self._me
        return (
            self.life is Life.VOTING
            and bool(self._out)
            and me is not None
            and me.seat in self._stayers()
            and not (self._mute or self._recalling)
        )

    def _say_have(self) -> bool:
        assert self._me is not None
        saying = (frozenset(self._out), self._turns)
        highest = self._ballot.highest
        if self._voted is None:
            round_ = max(highest, 0)
        elif self._voted[1] != saying:
            round_ = max(highest, self._voted[0] + 1)
        elif highest > self._voted[0]:
            round_ = highest
        else:
            return False
        if self._ballot.find(have_step(round_), self._me.seat) is not None:
            round_ += 1
        if round_ > 255:
            return False
        self._voted = (round_, saying)
        replica = self._replica
        held = tuple(sorted(self._held()))
        shown = {data for _, have in self._ballot.haves.get(round_, {}).values() for data in have.evidence}
        evidence = tuple(
            data
            for seat in sorted(self._out)
            for data in (entry.encode() for entry in self._proof.get(seat, ()))
            if data not in shown
        )
        have = Have(round_, mask_of(self._out), replica.number, held, evidence)
        self._ballot.add(self._sign(have, have_step(round_), replica.context.previous), have)
        return True

    def _hear_vote(self, entry: Entry) -> None:
        """A vote, or a goodbye. Evidence in it is heard first, as if it had come by itself: a vote proves nothing."""
        header = entry.header
        if header.epoch < self._replica.epoch:
            self._hear_fork(entry)
        if header.epoch != self._replica.epoch or self.need is None or self.life is Life.OVER:
            return
        if header.step == GOODBYE:
            if header.kind == Goodbye.kind and header.seat in self.active and self._signed(entry):
                self._proof.setdefault(header.seat, (entry,))
                self._out[header.seat] = Why.GOODBYE
            return
        held = self._ballot.find(header.step, header.seat)
        if (held is not None and held.signed == entry.signed) or not self._signed(entry):
            return
        if self._me is not None and header.seat == self._me.seat and entry.signed not in self._own:
            self._mute = True
        self._note_heard(header.seat)
        try:
            body = decode_body(header.kind, entry.body_bytes)
        except WireError:
            self._accuse(header.seat, Rule.MALFORMED, (entry,))
            return
        if not isinstance(body, Have | Cut):
            self._accuse(header.seat, Rule.WRONG_KIND, (entry,))
        elif held is not None:
            self._two_stories(held, entry)
        elif self._ballot.add(entry, body, bounded=self._me is not None):
            if self._recalling and self._me is not None and header.seat == self._me.seat and isinstance(body, Have):
                for seat in seats_of(body.gone):
                    self._out.setdefault(seat, Why.LOST)  # I have said so: there is no way back in this epoch
                self._voted = (body.round, (frozenset(self._out), self._turns))
            self._catchup.progress(self._now)
            if isinstance(body, Have):
                for data in () if self._in_evidence else body.evidence:
                    self._hear_evidence(data)
                self._join(body)

    def _hear_fork(self, entry: Entry) -> None:
        """A vote of an epoch that is over for me, by a seat that I hold for lost, and it holds me for lost: two parts
        of the table have gone on, each without the other."""
        me, seat = self._me, entry.header.seat
        if me is None or seat in self.forked or entry.header.kind != Have.kind or not self._was_lost(seat):
            return
        try:
            have = decode_body(entry.header.kind, entry.body_bytes)
        except WireError:
            return
        if isinstance(have, Have) and me.seat in seats_of(have.gone) and self._signed(entry):
            self.forked.add(seat)
            self._events.append(events.Forked(seat))
            self._show(self._my_votes())

    def _hear_evidence(self, data: bytes) -> None:
        try:
            entry = decode_entry(data)
        except WireError:
            return
        if entry.header.table == self.proposal.table and entry.header.seat < len(self.members):
            self._in_evidence = True  # a vote that is evidence may carry some too: that is not looked into
            self._hear(entry)
            self._in_evidence = False
            if self._waiting:
                self._verify_waiting()

    def _join(self, have: Have) -> None:
        """Others hold seats for lost that I hardly hear either: do not let them wait for my own clock to run out."""
        me = self._me.seat if self._me else None
        for seat in seats_of(have.gone):
            long = self._presence.silent_for(seat, self._now) > self.proposal.grace_seconds / 2
            if seat in self.active and seat not in self._out and seat != me and long:
                self._out[seat] = Why.LOST

    def _agree(self, agreement: Agreement) -> bool:
        """All who stay say the same is gone: sign what counts, and go on when all have signed."""
        replica = self._replica
        if replica.number > agreement.open and replica.can_take_back(agreement.open):
            replica.take_back(agreement.open)  # what I said there has reached nobody who stays
            self._settle()
            return True
        if (
            replica.number < agreement.open
            or len(agreement.previous) > 1
            or agreement.previous != {replica.context.previous}
        ):
            return self._reconcile(agreement)
        held = self._held()
        if not agreement.counted <= held.keys():
            return False  # somebody holds what I do not: ask for it
        digest = agreement.digest(replica.epoch, replica.context.previous)
        for seat, (entry, cut) in self._ballot.cuts.get(agreement.round, {}).items():
            if seat not in agreement.stayers or seat in self._out:
                continue
            if cut.votes != agreement.votes:
                self._show_votes(agreement)  # somebody told us different votes: find out who
            elif cut.digest != digest:
                haves = self._ballot.haves[agreement.round]
                self._accuse(seat, Rule.BAD_VOTE, (*(haves[voter][0] for voter in agreement.stayers), entry))
                return True
        if (
            self._votes_here()
            and self._voted
            and self._voted[0] == agreement.round
            and agreement.gone == set(self._out)
        ):
            assert self._me is not None
            if self._ballot.find(cut_step(agreement.round), self._me.seat) is None:
                cut = Cut(agreement.round, agreement.votes, digest)
                self._ballot.add(self._sign(cut, cut_step(agreement.round), replica.context.previous), cut)
                return True
        if not self._ballot.signed(agreement):
            return False
        self._cut(agreement, {held[counted].header.seat for counted in agreement.counted})
        return True

    def _show_votes(self, agreement: Agreement) -> None:
        """Once for each set of votes: the two that differ then meet somewhere, and are a fault."""
        if agreement.votes not in self._shown:
            self._shown.add(agreement.votes)
            self._show(entry for entry, _ in self._ballot.haves[agreement.round].values())

    def _is_coup(self, agreement: Agreement) -> bool:
        """Some vote me out without proof, and are no strict majority: I do not follow them."""
        me = self._me.seat if self._me else None
        unproven = me in agreement.gone and me not in self._proof
        playing = [seat for seat in self.active if seat not in self._proof]
        return unproven and 2 * len(agreement.stayers) <= len(playing)

    def _reconcile(self, agreement: Agreement) -> bool:
        """The stayers stand at different steps, or on different pasts: catch up, or find out who told two stories."""
        replica = self._replica
        if self._undo is not None and agreement.open > replica.number and self._undo.number >= agreement.open:
            # Somebody who stays knows that all confirmed what I took back: it was no split.
            replica.redo(self._undo)
            self._undo = None
            self._turns += 1
            self._settle()
            return True
        for seat in agreement.stayers:
            entry, have = self._ballot.haves[agreement.round][seat]
            closed = self.log.find(replica.epoch, have.open - 1) if have.open else None
            if closed is not None and closed.digest != entry.header.previous and entry.place not in self._disputed:
                self._disputed[entry.place] = entry
                self._show(closed.entries)
        return False

    def _cut(self, agreement: Agreement, counted: set[Seat]) -> None:
        replica = self._replica
        for seat in set(replica.entries) - counted:
            replica.drop(seat)
        votes = self._ballot
        gone = tuple((seat, self._out.get(seat, Why.LOST)) for seat in sorted(agreement.gone))
        lost = sum(why is Why.LOST for _, why in gone)  # gone by the stayers' word alone
        minority = lost >= len(agreement.stayers)
        self.departed.extend(gone)
        self.minority = self.minority or minority
        self._forget_evidence(agreement)
        haves = [votes.haves[agreement.round][seat][0] for seat in agreement.stayers]
        cuts = [votes.cuts[agreement.round][seat][0] for seat in agreement.stayers]
        self._events.append(events.Gone(gone, agreement.stayers, minority))
        if self.life is Life.PLAYING:
            self._turn(Turn.VOTE)
        self._turn(Turn.AGREED)
        me = self._me
        if me is not None and me.seat in agreement.gone:
            me.forget()
            self._me = None
            self._events.append(events.VotedOut())
        self._ballot = Ballot()
        self._voted, self._undo, self._turns = None, None, 0
        self._waiting.clear()
        self._disputed.clear()
        self._liars.clear()
        self._out = {}
        self._lost -= agreement.gone
        self._early = {place: held for place, held in self._early.items() if place[0] > replica.epoch}
        self._move(lambda: replica.cut(agreement, haves, cuts))

    def _forget_evidence(self, agreement: Agreement) -> None:
        """What the votes carry need not stand in the log a second time."""
        carried = {data for _, have in self._ballot.haves[agreement.round].values() for data in have.evidence}
        self._evidence = [entry for entry in self._evidence if entry.encode() not in carried]

    # --- who is there -----------------------------------------------------------------------------------------------

    def _note_alive(self, alive: Alive, member: Seat | None) -> None:
        if member is None or member not in self.active:
            return
        for seat in seats_of(alive.heard):
            self._presence.told(seat, self._now)

    def _show_alive(self) -> None:
        if self._me is not None and self.life in PLAYED and self._me.seat in self.active:
            self._presence.heard(self._me.seat, self._now)
            self._packets.append(Packet(Alive(self.proposal.table, self._presence.mask(self._now)).encode()))

    def _watch(self) -> None:
        """Who is lost, who is back, whom waiting any longer for makes no sense."""
        if self.life is Life.SEATING:
            self._suspect()
            return
        me = self._me.seat if self._me else None
        grace, machine = self.proposal.grace_seconds, self.proposal.machine_seconds
        for seat in self._stayers():
            if seat == me:
                continue
            lost = self._presence.is_lost(seat, self._now)
            if lost and seat not in self._lost:
                self._lost.add(seat)
                until = self._now - self._presence.silent_for(seat, self._now) + grace
                self._events.append(events.Lost(seat, until))
            elif not lost and seat in self._lost:
                self._lost.discard(seat)
                self._events.append(events.Back(seat))
        if me is None or self._mute:
            return
        waited = self._now - self._opened_at
        machine_step = self.life is Life.VOTING or self.stage not in DECISIONS
        for seat in self.waiting_for:
            gone = self._presence.silent_for(seat, self._now) > grace
            sworn = seat in self._ballot.voters()  # signs nothing more in this epoch
            stalls = (machine_step or sworn) and waited > machine + grace  # there, but sends nothing valid
            if seat != me and seat not in self._out and (gone or stalls):
                self._out[seat] = Why.LOST
        for votes in self._ballot.haves.values():
            for _, have in votes.values():
                self._join(have)
        self._suspect()

    def _suspect(self) -> None:
        """A machine step that takes too long: say who is silent. It proves nothing."""
        late = self._now - self._opened_at > self.proposal.machine_seconds
        silent = frozenset(self.waiting_for)
        if late and self.stage not in DECISIONS and silent != self._silent:
            self._silent = silent
            self._events.append(events.Silent(tuple(sorted(silent))))
