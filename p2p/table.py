"""The sans-IO heart: one seat's table, or a stranger's, that plays any game without a dealer.

Law: no socket, no clock, no entropy, no concrete game. Bytes and the time come in, bytes and events come out:

    receive(data, now, sender)   something arrived         play(move, now)        my decision
    outgoing()                   packets to send           next_event()           what happened, in order, or None
    next_timeout()               when to call again        handle_timeout(now)    that time has come

and `leave(now)` says goodbye. My own messages enter by the same door as everyone else's. State changes only in these.
What all hold equal is p2p/replica.py; what seats may say and what follows is in p2p/states.py and p2p/steps/. Whatever
bytes arrive, nothing is raised: a message is taken, kept, dropped, or is a fault of its author. `play` and `leave`
raise LocalError. Any other exception is a bug.

A table without an identity is a stranger: it follows, verifies everything and sees what is public, by construction.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.cards import CardId, Seat, Slot
from engine.game import ContractError, Game, Leave, Move, Need, Over, View
from p2p import events
from p2p.ballot import Agreement, Ballot, cut_step, have_step, mask_of, seats_of
from p2p.catchup import CatchUp
from p2p.commit_reveal import Opening
from p2p.crypto import deck as crypto
from p2p.errors import Broken, Fault, LocalError, Rule, WireError
from p2p.events import Why
from p2p.felt import Felt
from p2p.identity import Identity, PublicIdentity
from p2p.log import ClosedStep, Log
from p2p.me import Me
from p2p.presence import ALIVE_EVERY, Presence
from p2p.replica import KEY_STEP, Replay, Replica
from p2p.seating import Proposal, rules_digest
from p2p.states import DECISIONS, LIVES, RECEPTION, TAKES, Action, Heard, Life, Stage, Turn, When
from p2p.steps.shuffle import Waiting, verify_waiting
from p2p.wire import (
    GOODBYE,
    VOTES,
    Alive,
    Body,
    Cut,
    Entry,
    Goodbye,
    Have,
    Header,
    Want,
    clean_name,
    decode_body,
    decode_entry,
    decode_packet,
    encode_body,
    encode_entry_packet,
)

AHEAD = 24  # steps kept ahead of the open one: more than the longest run in which a seat is not asked (a shuffle chain)
AT_ONCE = float("-inf")
PLAYED = (Life.PLAYING, Life.VOTING)  # a game is under way


@dataclass(frozen=True, slots=True)
class Packet:
    """Bytes to send: to one peer (an identity, or whatever handle came with its packet), or to everyone.

    `mine`: a signed message of my own. A journal must hold it before it is sent."""

    data: bytes
    to: Hashable | None = None
    mine: bool = False


class Table:
    def __init__(
        self,
        proposal: Proposal,
        game: Game[Any],
        *,
        identity: Identity | None = None,
        seed: bytes = b"",
        name: str = "",
        now: float = 0.0,
    ) -> None:
        if proposal.game != game.id or proposal.rules != rules_digest(game):
            raise LocalError("other_rules", game=proposal.game)
        if len(proposal.members) not in game.seats:
            raise LocalError("wrong_number_of_players", players=len(proposal.members))
        try:
            game.start(len(proposal.members), dict(proposal.settings))
        except ContractError as error:
            raise LocalError("wrong_settings", note=error.note) from error
        self.proposal = proposal
        self.game = game
        self.life = Life.SEATING
        self.fault: Fault | None = None  # the first one
        self.departed: list[tuple[Seat, Why]] = []  # who is gone for good, in order
        self.minority = False  # those who stayed were once no strict majority of those playing
        self.forked: set[Seat] = set()  # lost seats that have gone on by themselves, having lost me
        self._met: set[Seat] = set()
        self._replica = Replica(proposal, game, clean_name(name))
        self._identity = identity
        self._me: Me | None = None
        if identity is not None:
            if identity.public not in self._replica.members:
                raise LocalError("not_a_member")
            self._me = Me(seed)
            self._me.seat = Seat(self._replica.members.index(identity.public))
        self._now = now
        self._early: dict[tuple[int, int], dict[Seat, Entry]] = {}
        self._unseated: list[Entry] = []  # came before the lots were drawn: nobody can tell yet whose seat it is
        self._waiting: list[Waiting] = []  # links that have arrived and are not verified yet
        self._disputed: dict[tuple[int, int, Seat], Entry] = {}  # honest or not, they stand on another past
        self._evidence: list[Entry] = []  # what shows a fault and stands nowhere else in the log
        self._out: dict[Seat, Why] = {}  # active seats that I hold for gone
        self._proof: dict[Seat, tuple[Entry, ...]] = {}  # what shows it, unless they are just lost
        self._liars: set[tuple[int, Seat]] = set()  # (step, seat): told two stories there; counts for nothing
        self._ballot = Ballot()
        self._voted: tuple[int, tuple[frozenset[Seat], int]] | None = None  # my last round, and what I said in it
        self._turns = 0  # how often what I hold of the open step changed in a way that needs a new round
        self._undo: Replay | None = None
        self._mute = False  # a message of mine exists that I do not know: sign nothing more
        self._recalling = False
        self._lost: set[Seat] = set()
        self._silent: frozenset[Seat] = frozenset()
        self._opened_at = now
        self._alive_at = now + ALIVE_EVERY
        self._presence = Presence(self._replica.active, now)
        self._catchup = CatchUp(proposal.table, now)
        self._packets: deque[Packet] = deque()
        self._events: deque[events.Event] = deque()
        self._settle()
        self._advance()

    # --- what a driver may look at ------------------------------------------------------------------------------

    @property
    def seat(self) -> Seat | None:
        return self._me.seat if self._me else None

    @property
    def members(self) -> tuple[PublicIdentity, ...]:
        """The players' identities: by seat once the lots are drawn, before that as in the proposal."""
        return self._replica.members

    @property
    def names(self) -> tuple[str, ...]:
        return self._replica.names

    @property
    def log(self) -> Log:
        return self._replica.log

    @property
    def state(self) -> Any:
        """The rules' public state; None until the keys are there."""
        return self._replica.state

    @property
    def need(self) -> Need | None:
        """What the rules wait for; None until the keys are there."""
        return self._replica.need

    @property
    def result(self) -> Over | None:
        """The result, once every seat still in has signed it."""
        return self._replica.over

    @property
    def felt(self) -> Felt | None:
        """The cards as they lie, for checks and displays; not to be changed."""
        return self._replica.felt

    @property
    def stage(self) -> Stage:
        return self._replica.step.stage

    @property
    def place(self) -> tuple[int, int]:
        """Epoch and number of the open step."""
        return self._replica.epoch, self._replica.number

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """Who has not spoken yet in the open step, or in the vote."""
        return self._unvoted() if self.life is Life.VOTING else self._replica.waiting_for

    @property
    def must_decide(self) -> bool:
        """Is a decision of mine asked for and not yet made?"""
        return self.life is Life.PLAYING and self.stage in DECISIONS and self._on_me()

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats whose part in the cryptography is not over."""
        return self._replica.active

    def known(self) -> dict[Slot, CardId]:
        """The faces of my hand. What I have committed to play is still in it."""
        replica, me = self._replica, self._me
        if me is None or replica.felt is None or me.seat not in replica.felt.active:
            return {}
        return me.known(replica.felt, self.game.hands(replica.state)[me.seat])

    def view(self) -> View:
        """What I may see. Before the game has started: LocalError."""
        if self.state is None:
            raise LocalError("not_started")
        return self.game.view(self.state, self.seat, self.known())

    def save(self) -> bytes:
        """The log as a file: closed steps, then the open one's messages, votes under way, and evidence."""
        open_ones = sorted(self._replica.entries.values(), key=lambda entry: entry.place)
        return self.log.encode((*open_ones, *self._ballot.entries(), *self._unsaved_evidence()))

    def holds(self, entry: Entry) -> bool:
        """Has this entry been taken, kept as evidence, or kept for a step to come?"""
        early = self._early.get((entry.header.epoch, entry.header.step), {}).get(entry.header.seat)
        others = (*self._evidence, *self._disputed.values(), *self._ballot.entries(), early)
        return self._in_log(entry) or any(other.signed == entry.signed for other in others if other)

    # --- the verbs ------------------------------------------------------------------------------------------------

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

    # --- hearing --------------------------------------------------------------------------------------------------

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
        if mine and not self._recalling and seat not in self._out:
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

    # --- going on -------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Close what is complete, open what follows, say what is mine to say, until somebody else is waited for."""
        while self.life in (Life.SEATING, *PLAYED):
            replica = self._replica
            if self.life is Life.PLAYING or self.life is Life.SEATING:
                if self._machine_speaks():
                    self._speak(None)
                    continue
                may_close = True
            else:
                may_close = replica.number < self._ballot.furthest(self._stayers())
            if may_close and not replica.waiting_for:
                if self._waiting and self.stage is not Stage.LINK:
                    self._verify_waiting()  # nothing is built on a link that is not verified
                else:
                    self._move(replica.close)
            elif not self._vote():
                break

    def _move(self, change: Callable[[], None]) -> None:
        """Let the replica go on. It cannot only if all who would stay know each other's secrets and chose keys, or
        marks, that cancel out: a sum with one honest part in it never does. Then nobody is left to play with."""
        try:
            change()
        except crypto.CryptoError:
            leaving = self.need.seats if isinstance(self.need, Leave) else ()
            culprit = max(seat for seat in self.active if seat not in leaving)
            keys = self.log.find(0, KEY_STEP)
            key = keys.by(culprit) if keys else None
            assert key is not None
            self._accuse(culprit, Rule.BAD_KEY, (key,))
            self._turn(Turn.FAULT)
            return
        self._settle()

    def _settle(self) -> None:
        """After the replica has moved: tell, and take what has come early."""
        replica, me = self._replica, self._me
        if me is not None and replica.order is not None and self._identity is not None:
            me.seat = Seat(replica.members.index(self._identity.public))
        for event in replica.news:
            if isinstance(event, events.Opened) and event.stage is Stage.KEY:
                self._events.append(events.Seated(replica.names, self.seat))
            self._events.append(event)
        replica.news.clear()
        if self.life is Life.SEATING and replica.felt is not None:
            self._turn(Turn.SEATED)
        if replica.over is not None and self.life is Life.PLAYING:
            self._turn(Turn.RESULT)
        self._opened_at = self._now
        self._silent = frozenset()
        self._catchup.progress(self._now)
        early = self._early.pop(self.place, {})
        for seat in sorted(early):
            self._hear(early[seat])
        if replica.order is not None and self._unseated:
            unseated, self._unseated = self._unseated, []
            for entry in unseated:
                self._hear(entry)
        if self.must_decide:
            assert replica.need is not None
            self._events.append(events.Asked(replica.need))

    def _on_me(self) -> bool:
        me = self._me
        return me is not None and me.seat in self._replica.step.authors and me.seat not in self._replica.entries

    def _machine_speaks(self) -> bool:
        if self._mute or self._recalling or self.stage in DECISIONS or not self._on_me():
            return False
        return not (self._waiting and self.stage is not Stage.LINK)  # verify first, when nothing else arrives

    def _speak(self, move: Move | None) -> None:
        """My message for the open step."""
        assert self._me is not None
        replica = self._replica
        entry = self._sign(self._body(move), replica.number, replica.context.previous)
        try:
            said = replica.check(entry, mine=True)
        except Broken as broken:
            self._accuse(self._me.seat, broken.rule, (entry,))
            return
        self._keep(entry, said)

    def _body(self, move: Move | None) -> Body:
        """What I say in the open step."""
        assert self._me is not None
        body: Body = self._replica.step.speak(self._me, self._replica.context, move)
        return body

    def _sign(self, body: Body, step: int, previous: bytes) -> Entry:
        """The one place where anything is signed and leaves."""
        assert self._me is not None
        assert self._identity is not None
        header = Header(self.proposal.table, self._replica.epoch, step, self._me.seat, previous, body.kind)
        signed = header.encode() + encode_body(body)
        entry = Entry(header, signed, self._identity.sign(signed))
        self._packets.append(Packet(encode_entry_packet(entry), mine=True))
        return entry

    def _show(self, entries: Iterable[Entry], to: Hashable | None = None) -> None:
        self._packets.extend(Packet(encode_entry_packet(entry), to) for entry in entries)

    def _turn(self, turn: Turn) -> None:
        self.life = LIVES[self.life, turn]

    # --- shuffles verified while others work ----------------------------------------------------------------------

    def _verify_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        guilty = verify_waiting(waiting)
        if guilty is None:
            self._events.append(events.Proven(tuple(item.seat for item in waiting)))
        else:
            self._accuse(guilty, Rule.BAD_SHUFFLE, (self._entry_of_link(guilty),))

    def _entry_of_link(self, seat: Seat) -> Entry:
        """The newest link of this seat: links wait no longer than one chain, and each seat has one in it."""
        open_one = self._replica.entries.get(seat)
        if open_one is not None and self.stage is Stage.LINK:
            return open_one
        for closed in reversed(self.log.steps):
            entry = closed.by(seat)
            if entry is not None and entry.header.kind == TAKES[Stage.LINK].kind:
                return entry
        raise AssertionError("a link that waits has an entry")

    # --- faults ---------------------------------------------------------------------------------------------------

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
        if header.epoch == self._replica.epoch and header.seat in self.active and header.step < VOTES:
            self._liars.add((header.step, header.seat))
            if header.step == self._replica.number:
                self._replica.drop(header.seat)
                self._turns += 1
            elif self._undo is None and self.life in PLAYED and self._replica.can_take_back(header.step):
                self._undo = self._replica.take_back(header.step)
                self._replica.drop(header.seat)
                self._turns += 1
                self._waiting.clear()
                self._settle()
        self._accuse(header.seat, Rule.TWO_STORIES, (one, other))

    def _in_log(self, entry: Entry) -> bool:
        closed = self.log.find(entry.header.epoch, entry.header.step)
        if closed is None:
            held = self._replica.entries.get(entry.header.seat)
            return held is not None and held.signed == entry.signed
        held = closed.by(entry.header.seat)
        return held is not None and held.signed == entry.signed

    def _unsaved_evidence(self) -> list[Entry]:
        return [entry for entry in self._evidence if not self._in_log(entry)]

    # --- who is gone: votes, cut ------------------------------------------------------------------------------------

    def _stayers(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.active if seat not in self._out)

    def _agreements(self) -> list[Agreement]:
        return self._ballot.agreements(self.active)

    def _unvoted(self) -> tuple[Seat, ...]:
        """Whom the vote waits for: for its word, or for what only it says it holds."""
        stayers, votes = self._stayers(), self._ballot
        if self._voted is None:
            return stayers
        haves = votes.haves.get(self._voted[0], {})
        silent = tuple(seat for seat in stayers if seat not in haves)
        if silent:
            return silent
        furthest = votes.furthest(stayers)
        if self._replica.number < furthest:
            return tuple(seat for seat in stayers if haves[seat][1].open == furthest)
        held = self._held()
        hoarders = tuple(seat for seat in stayers if not held.keys() >= set(haves[seat][1].held))
        return hoarders or tuple(seat for seat in stayers if seat not in votes.cuts.get(self._voted[0], {}))

    def _held(self) -> dict[bytes, Entry]:
        """What I hold of the open step, by hash."""
        return {hashlib.sha256(entry.signed).digest(): entry for entry in self._replica.entries.values()}

    def _vote(self) -> bool:
        """Say, while voting, whatever is mine to say. True if anything changed."""
        if self.life not in PLAYED or self.need is None:
            return False
        agreements = [found for found in self._agreements() if not self._is_coup(found)]
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
        if self._me is not None and header.seat == self._me.seat and not self._recalling:
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
        elif self._ballot.add(entry, body):
            if self._recalling and self._me is not None and header.seat == self._me.seat and isinstance(body, Have):
                for seat in seats_of(body.gone):
                    self._out.setdefault(seat, Why.LOST)  # I have said so: there is no way back in this epoch
                self._voted = (body.round, (frozenset(self._out), self._turns))
            self._catchup.progress(self._now)
            if isinstance(body, Have):
                for data in body.evidence:
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

    def _was_lost(self, seat: Seat) -> bool:
        return (seat, Why.LOST) in self.departed

    def _my_votes(self) -> list[Entry]:
        """What shows to whom I went on without: all votes that the log holds."""
        return [entry for closed in self.log.steps if closed.step >= VOTES for entry in closed.entries]

    def _hear_evidence(self, data: bytes) -> None:
        try:
            entry = decode_entry(data)
        except WireError:
            return
        if entry.header.table == self.proposal.table and entry.header.seat < len(self.members):
            if entry.header.kind not in (Have.kind, Cut.kind):
                self._hear(entry)
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
            if seat in agreement.stayers and cut.digest != digest and seat not in self._out:
                self._accuse(seat, Rule.BAD_VOTE, (entry,))
                return True
        if (
            self._votes_here()
            and self._voted
            and self._voted[0] == agreement.round
            and agreement.gone == set(self._out)
        ):
            assert self._me is not None
            if self._ballot.find(cut_step(agreement.round), self._me.seat) is None:
                cut = Cut(agreement.round, digest)
                self._ballot.add(self._sign(cut, cut_step(agreement.round), replica.context.previous), cut)
                return True
        if not self._ballot.signed(agreement):
            return False
        self._cut(agreement, {held[counted].header.seat for counted in agreement.counted})
        return True

    def _is_coup(self, agreement: Agreement) -> bool:
        """Some vote me out without proof, and are no strict majority: I do not follow them."""
        me = self._me.seat if self._me else None
        unproven = me in agreement.gone and me not in self._proof
        return unproven and 2 * len(agreement.stayers) <= len(self.active)

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

    def _member_seat(self, sender: Hashable | None) -> Seat | None:
        return Seat(self.members.index(sender)) if sender in self.members else None

    def _note_heard(self, seat: Seat) -> None:
        self._presence.heard(seat, self._now)
        if seat in self._lost:
            self._lost.discard(seat)
            self._events.append(events.Back(seat))

    def _show_alive(self) -> None:
        if self._me is not None and self.life in PLAYED and self._me.seat in self.active:
            self._presence.heard(self._me.seat, self._now)
            self._packets.append(Packet(Alive(self.proposal.table, self._presence.mask(self._now)).encode()))

    def _note_alive(self, alive: Alive, member: Seat | None) -> None:
        if member is None or member not in self.active:
            return
        for seat in seats_of(alive.heard):
            self._presence.told(seat, self._now)

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
            stalls = machine_step and waited > machine + grace  # there, but sends nothing valid
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

    # --- lost messages: ask, and answer ---------------------------------------------------------------------------

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
        opening = self._me.opening if self._me else None
        return opening.encode() if opening else b""

    def recall(self, entries: Iterable[tuple[bytes, bytes]], now: float) -> None:
        """Take up a game from its journal: every entry in the order it was written, with the memory kept beside mine.

        Until this is done nothing is said; afterwards I can only repeat what I have said, or go on."""
        self._now = now
        self._packets.clear()
        self._recalling = True
        for data, memory in entries:
            if memory and self._me is not None:
                self._me.opening = Opening.decode(memory)
            try:
                entry = decode_entry(data)
            except WireError:
                continue
            if entry.header.table == self.proposal.table and entry.header.seat < len(self.members):
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


__all__ = ["AT_ONCE", "ClosedStep", "Packet", "Table"]
