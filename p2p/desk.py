"""What a table consists of, and how it goes on: the part of p2p/table.py that speaks.

Law: says what is mine to say, closes what is complete, and nothing else. Whom to believe is p2p/hearing.py's business,
who is gone p2p/voting.py's. One place signs, and nothing leaves unsigned but requests and signs of life.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.cards import CardId, Seat, Slot
from engine.game import ContractError, Game, Leave, Move, Need, Over, View
from p2p import events
from p2p.ballot import Agreement, Ballot
from p2p.catchup import CatchUp
from p2p.crypto import deck as crypto
from p2p.errors import Broken, Fault, LocalError, Rule
from p2p.events import Why
from p2p.felt import Felt
from p2p.identity import Identity, PublicIdentity
from p2p.log import Log
from p2p.me import Me
from p2p.presence import ALIVE_EVERY, Presence
from p2p.replica import KEY_STEP, Replay, Replica
from p2p.seating import Proposal, rules_digest
from p2p.states import DECISIONS, LIVES, TAKES, Life, Stage, Turn
from p2p.steps.shuffle import Waiting, verify_waiting
from p2p.wire import (
    Body,
    Entry,
    Header,
    clean_name,
    encode_body,
    encode_entry_packet,
)

PLAYED = (Life.PLAYING, Life.VOTING)  # a game is under way


@dataclass(frozen=True, slots=True)
class Packet:
    """Bytes to send: to one peer (an identity, or whatever handle came with its packet), or to everyone.

    `mine`: a signed message of my own. A journal must hold it before it is sent."""

    data: bytes
    to: Hashable | None = None
    mine: bool = False


class Desk(ABC):
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
        self._shown: set[bytes] = set()  # sets of votes that I have shown to everyone
        self._mute = False  # a message of mine exists that I do not know: sign nothing more
        self._own: set[bytes] = set()  # what I have signed, and what my journal says I had
        self._recalling = False
        self._in_evidence = False
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

    # --- what a driver may look at ----------------------------------------------------------------------------------

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
        return self.life is Life.PLAYING and self.stage in DECISIONS and self._on_me() and not self._mute

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
        votes = self._ballot.entries(None if self._me is None else frozenset(self._out))
        return self.log.encode((*open_ones, *votes, *self._unsaved_evidence()))

    def holds(self, entry: Entry) -> bool:
        """Has this entry been taken, kept as evidence, or kept for a step to come?"""
        early = self._early.get((entry.header.epoch, entry.header.step), {}).get(entry.header.seat)
        proofs = (entry for held in self._proof.values() for entry in held)
        others = (*self._evidence, *proofs, *self._disputed.values(), *self._ballot.entries(), *self._unseated, early)
        return self._in_log(entry) or any(other.signed == entry.signed for other in others if other)

    # --- going on ---------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Close what is complete, open what follows, say what is mine to say, until somebody else is waited for."""
        while self.life in (Life.SEATING, *PLAYED):
            replica = self._replica
            if self.life is Life.PLAYING or self.life is Life.SEATING:
                if self._machine_speaks():
                    try:
                        self._speak(None)
                    except LocalError:
                        self._mute = True  # my journal has lost what I committed to: I cannot say it, nor another
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
        self._own.add(signed)
        self._packets.append(Packet(encode_entry_packet(entry), mine=True))
        return entry

    def _show(self, entries: Iterable[Entry], to: Hashable | None = None) -> None:
        self._packets.extend(Packet(encode_entry_packet(entry), to) for entry in entries)

    def _turn(self, turn: Turn) -> None:
        self.life = LIVES[self.life, turn]

    # --- shuffles verified while others work ------------------------------------------------------------------------

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

    # --- what is held -----------------------------------------------------------------------------------------------

    def _in_log(self, entry: Entry) -> bool:
        closed = self.log.find(entry.header.epoch, entry.header.step)
        if closed is None:
            held = self._replica.entries.get(entry.header.seat)
            return held is not None and held.signed == entry.signed
        held = closed.by(entry.header.seat)
        return held is not None and held.signed == entry.signed

    def _unsaved_evidence(self) -> list[Entry]:
        return [entry for entry in self._evidence if not self._in_log(entry)]

    def _stayers(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.active if seat not in self._out)

    def _agreements(self) -> list[Agreement]:
        return self._ballot.agreements(self.active)

    def _held(self) -> dict[bytes, Entry]:
        """What I hold of the open step, by hash."""
        return {hashlib.sha256(entry.signed).digest(): entry for entry in self._replica.entries.values()}

    # --- what the files above this one add --------------------------------------------------------------------------

    @abstractmethod
    def _hear(self, entry: Entry) -> None: ...

    @abstractmethod
    def _keep(self, entry: Entry, said: Any) -> None: ...

    @abstractmethod
    def _accuse(self, seat: Seat, rule: Rule, evidence: tuple[Entry, ...]) -> None: ...

    @abstractmethod
    def _vote(self) -> bool: ...

    @abstractmethod
    def _unvoted(self) -> tuple[Seat, ...]: ...
