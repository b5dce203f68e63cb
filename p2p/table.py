"""The sans-IO heart: one seat's table, or a stranger's, that plays any game without a dealer.

Law: no socket, no clock, no entropy, no concrete game. Bytes and the time come in, bytes and events come out:

    receive(data, now, sender)   something arrived         play(move, now)        my decision
    outgoing()                   packets to send           next_event()           what happened, in order, or None
    next_timeout()               when to call again        handle_timeout(now)    that time has come

My own messages enter by the same door as everyone else's. State changes in `receive`, `play` and `handle_timeout` only.
What the seats may say and what follows is in p2p/states.py and p2p/steps/. Whatever bytes arrive, nothing is raised: a
message is taken, kept, dropped, or is a fault of its author. `play` raises LocalError. Any other exception is a bug.

A table without an identity is a stranger: it follows, verifies everything and sees what is public, by construction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.cards import CardId, Seat, Slot
from engine.game import Fact, Game, Move, Need, Over, View
from p2p import events
from p2p.crypto import deck as crypto
from p2p.errors import Broken, Fault, LocalError, Rule, WireError
from p2p.felt import Context, Felt
from p2p.identity import Identity, PublicIdentity
from p2p.log import Log, close
from p2p.me import Me
from p2p.seating import KeyStep, Lots, Proposal, SealStep, Seated, rules_digest
from p2p.states import DECISIONS, LIVES, RECEPTION, TAKES, Action, Heard, Life, Stage, When
from p2p.states import Turn as Turning
from p2p.steps import begin
from p2p.steps.base import Ground, Step
from p2p.steps.over import Finished
from p2p.steps.shuffle import Waiting, verify_waiting
from p2p.wire import (
    Body,
    Entry,
    Header,
    Seal,
    Want,
    clean_name,
    decode_body,
    decode_packet,
    encode_body,
    encode_entry_packet,
)

AHEAD = 24  # steps kept ahead of the open one: more than the longest run in which a seat is not asked (a shuffle chain)
RETRY_FIRST = 0.25  # seconds of waiting before asking for what may have been lost: well above a LAN's round trip
RETRY_MOST = 2.0  # and the most, so that a peer that comes back is heard soon
SERVE_BYTES = 512 * 1024  # the most sent in answer to one request: a whole game fits in two
SERVE_PAUSE = 0.1  # seconds between two equal requests of one peer that are answered: nobody can make us shout
AT_ONCE = float("-inf")
KEY_STEP = 2  # seal, nonce, then keys: the first step in which seats are numbered by the lot


@dataclass(frozen=True, slots=True)
class Packet:
    """Bytes to send: to one peer (an identity, or whatever handle came with its packet), or to everyone."""

    data: bytes
    to: Hashable | None = None


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
        self.proposal = proposal
        self.game = game
        self.life = Life.SEATING
        self.members = tuple(PublicIdentity(key) for key in proposal.members)  # by seat, once the lots are drawn
        self.names = tuple("" for _ in self.members)
        self.log = Log(proposal.table)
        self.state: Any = None
        self.fault: Fault | None = None
        self.result: Over | None = None
        self._identity = identity
        self._me: Me | None = None
        if identity is not None:
            if identity.public not in self.members:
                raise LocalError("not_a_member")
            self._me = Me(seed)
            self._me.seat = Seat(self.members.index(identity.public))
        self._felt: Felt | None = None
        self._need: Need | None = None
        self._epoch = 0
        self._number = 0
        self._said: dict[Seat, Any] = {}
        self._entries: dict[Seat, Entry] = {}
        self._early: dict[tuple[int, int], dict[Seat, Entry]] = {}
        self._waiting: list[Waiting] = []
        self._odd: list[Entry] = []  # signed entries that fit no closed step's digest, and evidence
        self._copied = -1  # the step whose copies were last sent to everyone
        self._served: dict[Hashable, tuple[float, Want]] = {}
        self._packets: deque[Packet] = deque()
        self._events: deque[events.Event] = deque()
        self._now = now
        self._opened_at = now
        self._retry_at = now + RETRY_FIRST
        self._retries = 0
        self._suspected: frozenset[Seat] = frozenset()
        self._step: Step[Any] = SealStep(proposal, clean_name(name))
        self._open()
        self._advance()

    # --- what a driver may look at ------------------------------------------------------------------------------

    @property
    def seat(self) -> Seat | None:
        return self._me.seat if self._me else None

    @property
    def need(self) -> Need | None:
        """What the rules wait for; None until the cards are out."""
        return self._need

    @property
    def stage(self) -> Stage:
        return self._step.stage

    @property
    def place(self) -> tuple[int, int]:
        """Epoch and number of the open step."""
        return self._epoch, self._number

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """Who has not spoken yet in the open step."""
        return tuple(seat for seat in self._step.authors if seat not in self._entries)

    @property
    def must_decide(self) -> bool:
        """Is a decision of mine asked for and not yet made?"""
        return self.life is Life.PLAYING and self._step.stage in DECISIONS and self._on_me()

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats whose part in the cryptography is not over."""
        return self._felt.active if self._felt else self._step.authors

    def known(self) -> dict[Slot, CardId]:
        """The faces of my hand. What I have committed to play is still in it."""
        if self._me is None or self._felt is None or self.state is None or self._me.seat not in self._felt.active:
            return {}
        return self._me.known(self._felt, self.game.hands(self.state)[self._me.seat])

    def view(self) -> View:
        """What I may see. Before the game has started: LocalError."""
        if self.state is None:
            raise LocalError("not_started")
        return self.game.view(self.state, self.seat, self.known())

    def save(self) -> bytes:
        """The log as a file: closed steps, then the open one's messages and any evidence."""
        tail = sorted(self._entries.values(), key=lambda entry: entry.place)
        return self.log.encode((*tail, *(entry for entry in self._odd if entry not in tail)))

    def holds(self, entry: Entry) -> bool:
        """Has this entry been taken, kept as evidence, or kept for a step to come?"""
        early = self._early.get((entry.header.epoch, entry.header.step), {}).get(entry.header.seat)
        return self._in_log(entry) or any(entry.signed == other.signed for other in (*self._odd, early) if other)

    # --- the six verbs --------------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float, sender: Hashable | None = None) -> None:
        self._now = now
        try:
            packet = decode_packet(data)
        except WireError:
            return
        if (
            packet.table != self.proposal.table
            if isinstance(packet, Want)
            else packet.header.table != self.proposal.table
        ):
            return
        if isinstance(packet, Want):
            self._serve(packet, sender)
        elif packet.header.seat < len(self.members):
            self._hear(packet)
            self._advance()

    def play(self, move: Move, now: float) -> None:
        self._now = now
        if not self.must_decide:
            raise LocalError("not_asked")
        assert self._me is not None
        if not isinstance(move, Move) or move not in self.game.moves(self.state, self._me.seat, self.known()):
            raise LocalError("illegal_move", move=move)
        self._say(self._step.speak(self._me, self._context, move))
        self._advance()

    def outgoing(self) -> list[Packet]:
        packets = list(self._packets)
        self._packets.clear()
        return packets

    def next_event(self) -> events.Event | None:
        return self._events.popleft() if self._events else None

    def next_timeout(self) -> float | None:
        """When to call `handle_timeout`: AT_ONCE if there is work put off (do it when nothing has arrived), or None."""
        if self.life in (Life.OVER, Life.BROKEN):
            return None
        return AT_ONCE if self._waiting else self._retry_at

    def handle_timeout(self, now: float) -> None:
        self._now = now
        if self._waiting:
            self._verify_waiting()
            self._advance()
        elif now >= self._retry_at and self.life not in (Life.OVER, Life.BROKEN):
            self._ask()
            self._suspect()

    # --- hearing --------------------------------------------------------------------------------------------------

    def _hear(self, entry: Entry) -> None:
        """One entry through the door: cheap checks, the signature, then whatever the reception table says."""
        if self.life is Life.BROKEN:
            return
        header = entry.header
        when, other = self._placed(entry)
        heard = Heard.NOTHING if other is None else Heard.SAME if other.signed == entry.signed else Heard.OTHER
        action = RECEPTION[when, heard]
        if action is Action.DROP or not self._signed(entry):
            return
        if action is Action.ACCUSE:
            assert other is not None
            self._accuse(header.seat, Rule.TWO_STORIES, (other, entry))
        elif action is Action.KEEP:
            self._early.setdefault((header.epoch, header.step), {})[header.seat] = entry
        elif when is When.CLOSED:
            self._late(entry)
        elif header.previous != self._context.previous:
            self._dispute(entry)
        else:
            self._take(entry)

    def _placed(self, entry: Entry) -> tuple[When, Entry | None]:
        """Where its step lies, and what is already held of this seat for it."""
        header = entry.header
        place = (header.epoch, header.step)
        if place == (self._epoch, self._number):
            return When.OPEN, self._entries.get(header.seat)
        closed = self.log.find(*place)
        if closed:
            return When.CLOSED, closed.by(header.seat)
        if header.epoch == self._epoch and self._number < header.step <= self._number + AHEAD:
            return When.AHEAD, self._early.get(place, {}).get(header.seat)
        return When.FAR, None

    def _signed(self, entry: Entry) -> bool:
        return self._author(entry).verify(entry.signature, entry.signed)

    def _author(self, entry: Entry) -> PublicIdentity:
        """Whose seat this is: by the proposal until the lots are drawn, by the lot afterwards."""
        if entry.header.step < KEY_STEP:
            return PublicIdentity(self.proposal.members[entry.header.seat])
        return self.members[entry.header.seat]

    def _late(self, entry: Entry) -> None:
        """A seat speaks in a closed step that did not ask it. If it stood on the same past, it is at fault."""
        closed = self.log.find(entry.header.epoch, entry.header.step)
        if closed and closed.previous == entry.header.previous:
            self._accuse(entry.header.seat, Rule.NOT_ASKED, (entry,))

    def _take(self, entry: Entry, mine: bool = False) -> None:
        """An entry of the open step, rightly signed and standing on the same past: true, or its author's fault."""
        seat = entry.header.seat
        step = self._step
        try:
            if seat not in step.authors:
                raise Broken(Rule.NOT_ASKED)
            if entry.header.kind != TAKES[step.stage].kind:
                raise Broken(Rule.WRONG_KIND)
            try:
                body = decode_body(entry.header.kind, entry.body_bytes)
            except WireError as error:
                raise Broken(Rule.MALFORMED, str(error)) from error
            try:
                said = step.check(seat, body, self._context, mine)
            except crypto.CryptoError as error:
                raise Broken(step.rule, str(error)) from error
        except Broken as broken:
            self._accuse(seat, broken.rule, (entry,))
            return
        self._entries[seat] = entry
        self._said[seat] = said
        waits = step.stage is Stage.LINK and said[1] is not None
        if waits:
            self._waiting.append(said[1])
        self._events.append(events.Spoke(seat, step.stage, len(entry.signed), not waits))
        self._progress()

    def _dispute(self, entry: Entry) -> None:
        """Somebody stands on another past: no fault of its own. All show all what they hold of the step before."""
        if not any(odd.signed == entry.signed for odd in self._odd):
            self._odd.append(entry)
        if self._copied < self._number and self.log.steps:
            self._copied = self._number
            for copy in self.log.steps[-1].entries:
                self._packets.append(Packet(encode_entry_packet(copy)))

    # --- going on -------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Close what is complete, open what follows, say what is mine to say, until somebody else is waited for."""
        while self.life not in (Life.OVER, Life.BROKEN):
            if self._machine_speaks():
                assert self._me is not None
                self._say(self._step.speak(self._me, self._context, None))
            elif not self.waiting_for:
                if self._waiting and self._step.stage is not Stage.LINK:
                    self._verify_waiting()  # nothing is built on a link that is not verified
                else:
                    self._close()
            else:
                break

    def _on_me(self) -> bool:
        return self._me is not None and self._me.seat in self._step.authors and self._me.seat not in self._entries

    def _machine_speaks(self) -> bool:
        stage = self._step.stage
        if not self._on_me() or stage in DECISIONS:
            return False
        return not (self._waiting and stage is not Stage.LINK)  # verify first, when nothing else arrives

    def _say(self, body: Body) -> None:
        assert self._me is not None
        assert self._identity is not None
        header = Header(
            self.proposal.table, self._epoch, self._number, self._me.seat, self._context.previous, body.kind
        )
        signed = header.encode() + encode_body(body)
        entry = Entry(header, signed, self._identity.sign(signed))
        self._packets.append(Packet(encode_entry_packet(entry)))
        self._take(entry, mine=True)

    def _close(self) -> None:
        """All have spoken: the step enters the log, and what it brought is booked."""
        closed = close(self._epoch, self._number, self._context.previous, self._entries.values())
        said, step = self._said, self._step
        self.log.append(closed)
        self._number += 1
        outcome = step.close(said)
        if isinstance(step, SealStep):
            self._seals(said.values())
        follows = self._book(outcome) if isinstance(outcome, Fact) else outcome
        if follows is not None:
            self._step = follows
            self._open()

    def _open(self) -> None:
        """The next step: take what has come early."""
        self._said, self._entries = {}, {}
        self._context = Context(self.proposal.table, self._epoch, self._number, self.log.digest)
        self._opened_at = self._now
        self._suspected = frozenset()
        self._progress()
        self._events.append(events.Opened(self._epoch, self._number, self._step.stage, self._step.authors))
        early = self._early.pop((self._epoch, self._number), {})
        for seat in sorted(early):
            self._hear(early[seat])
        if self.life is not Life.BROKEN and self.must_decide:
            assert self._need is not None
            self._events.append(events.Asked(self._need))

    def _book(self, fact: Fact) -> Step[Any] | None:
        """What a closed flow brought: the next flow's first step, or None at the end."""
        outcome: Step[Any] | Fact = fact
        while isinstance(outcome, Fact):
            if isinstance(outcome, Lots):
                return self._lots(outcome.order)
            if isinstance(outcome, Finished):
                self._end()
                return None
            if isinstance(outcome, Seated):
                self._start(outcome.publics)
            else:
                self.state = self.game.apply(self.state, outcome)
                assert self._need is not None
                self._events.append(events.Booked(self._need, outcome, self.state.news, self.state))
            assert self._felt is not None
            self._need = self.game.need(self.state)
            outcome = begin(Ground(self.game, self.state, self._need, self._felt))
        return outcome

    def _seals(self, seals: Iterable[Seal]) -> None:
        self.names = tuple(seal.name for seal in seals)

    def _lots(self, order: tuple[int, ...]) -> Step[Any]:
        self.members = tuple(self.members[place] for place in order)
        self.names = tuple(self.names[place] for place in order)
        if self._me is not None:
            self._me.seat = Seat(order.index(self._me.seat))
        self._events.append(events.Seated(self.names, self.seat))
        return KeyStep(tuple(Seat(number) for number in range(len(order))))

    def _start(self, publics: tuple[crypto.Point, ...]) -> None:
        keys = {Seat(seat): public for seat, public in enumerate(publics)}
        self._felt = Felt(crypto.Deck(self.game.deck, self.game.attributes), keys, tuple(keys))
        self.state = self.game.start(len(keys), dict(self.proposal.settings))
        self._turn(Turning.SEATED)

    def _end(self) -> None:
        assert isinstance(self._need, Over)
        self.result = self._need
        self._entries = {}
        self._turn(Turning.RESULT)
        self._events.append(events.Finished(self._need))

    def _turn(self, turning: Turning) -> None:
        self.life = LIVES[self.life, turning]

    # --- shuffles verified while others work ----------------------------------------------------------------------

    def _verify_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        guilty = verify_waiting(waiting)
        if guilty is None:
            self._events.append(events.Proven(tuple(item.seat for item in waiting)))
            return
        entry = self._entry_of_link(guilty)
        self._accuse(guilty, Rule.BAD_SHUFFLE, (entry,))

    def _entry_of_link(self, seat: Seat) -> Entry:
        """The newest link of this seat: links wait no longer than one chain, and each seat has one in it."""
        open_one = self._entries.get(seat)
        if open_one is not None and self._step.stage is Stage.LINK:
            return open_one
        for closed in reversed(self.log.steps):
            entry = closed.by(seat)
            if entry is not None and entry.header.kind == TAKES[Stage.LINK].kind:
                return entry
        raise AssertionError("a link that waits has an entry")

    # --- faults ---------------------------------------------------------------------------------------------------

    def _accuse(self, seat: Seat, rule: Rule, evidence: tuple[Entry, ...]) -> None:
        """A provable fault: keep the evidence in the log, show it to everyone, end."""
        header = evidence[-1].header
        self.fault = Fault(seat, rule, header.epoch, header.step, tuple(entry.encode() for entry in evidence))
        for entry in evidence:
            self._packets.append(Packet(encode_entry_packet(entry)))
            if not self._in_log(entry):
                self._odd.append(entry)
        self._turn(Turning.FAULT)
        self._events.append(events.Accused(self.fault))

    def _in_log(self, entry: Entry) -> bool:
        closed = self.log.find(entry.header.epoch, entry.header.step)
        held = closed.by(entry.header.seat) if closed else self._entries.get(entry.header.seat)
        return held is not None and held.signed == entry.signed

    def _suspect(self) -> None:
        """A machine step that takes too long: say who is silent. It proves nothing."""
        late = self._now - self._opened_at > self.proposal.machine_seconds
        silent = frozenset(self.waiting_for)
        if late and self._step.stage not in DECISIONS and silent != self._suspected:
            self._suspected = silent
            self._events.append(events.Silent(tuple(sorted(silent))))

    # --- lost messages: ask, and answer ---------------------------------------------------------------------------

    def _progress(self) -> None:
        self._retries = 0
        self._retry_at = self._now + RETRY_FIRST

    def _ask(self) -> None:
        """Ask those who have not spoken; from the second time on everyone, for anyone may hold what I lack."""
        have = sum(1 << seat for seat in self._entries)
        want = Want(self.proposal.table, self._epoch, self._number, have).encode()
        first = self._retries == 0 and self._me is not None
        targets = [self._member(seat) for seat in self.waiting_for] if first else [None]
        self._packets.extend(Packet(want, to) for to in targets)
        self._retries += 1
        self._retry_at = self._now + min(RETRY_FIRST * 2 ** min(self._retries, 8), RETRY_MOST)

    def _member(self, seat: Seat) -> PublicIdentity:
        return self.members[seat]

    def _serve(self, want: Want, sender: Hashable | None) -> None:
        """Everything from the wanted step on, oldest first, up to a limit; then whoever asked asks again."""
        last = self._served.get(sender)
        if last and last[1] == want and self._now - last[0] < SERVE_PAUSE:
            return
        if len(self._served) > 64:  # more peers than a table can have: forget, do not grow
            self._served.clear()
        self._served[sender] = (self._now, want)
        budget = SERVE_BYTES
        for entry in (*self.log.since(want.epoch, want.step), *self._entries.values(), *self._odd):
            header = entry.header
            if (header.epoch, header.step) == (want.epoch, want.step) and want.have >> header.seat & 1:
                if entry not in self._odd:
                    continue
            elif (header.epoch, header.step) < (want.epoch, want.step) and entry not in self._odd:
                continue
            data = encode_entry_packet(entry)
            budget -= len(data)
            if budget < 0:
                break
            self._packets.append(Packet(data, sender))
