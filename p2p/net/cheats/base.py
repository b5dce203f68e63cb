"""What every cheat is: a table that plays honestly until its chance comes, and then lies once.

Law: a cheat may use everything its seat knows, and everything public; of other seats' secrets it knows nothing. It
signs with its own key only. It is made and driven exactly as a `Table` is.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.cards import Seat, Slot
from engine.game import Move
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.felt import Context, Felt
from p2p.me import Me
from p2p.replica import Replica
from p2p.states import DECISIONS, TAKES, Stage
from p2p.steps.base import Ground
from p2p.table import Table
from p2p.wire import Body, Entry, Header, decode_body, encode_body


class Cheat(Table):
    """Subclasses say in `lie` what they say instead. `lied` tells whether they have had their chance."""

    name: ClassVar[str]  # as typed after `--cheat`
    what: ClassVar[str]  # what it does, in one sentence
    rule: ClassVar[Rule | None]  # what it must be blamed for; None: it must have no effect, and nobody is to blame
    games: ClassVar[tuple[str, ...]] = ()  # the games in which the chance comes; (): any
    least: ClassVar[int] = 2  # players it takes
    stages: ClassVar[frozenset[Stage]] = frozenset()  # where it lies
    patient: ClassVar[frozenset[Stage]] = frozenset()  # where it waits until all others have spoken
    hasty: ClassVar[bool] = False  # plays as badly as it can: its chance comes when it drops out
    needs_loss: ClassVar[bool] = False  # its chance comes only when another seat was lost
    again: ClassVar[bool] = False  # lies at every chance, not only at the first
    lied: bool = False
    move: Move | None = None  # the decision in the message it is asked for now
    planned: Move | None = None  # the decision it keeps back until the others have spoken

    @abstractmethod
    def lie(self, truth: Body) -> Body | None:
        """What is said instead of the truth; None if the chance has not come yet."""

    def _body(self, move: Move | None) -> Body:
        self.move = move
        truth = super()._body(move)
        lie = self.lie(truth) if self.may_lie else None
        self.lied = self.lied or lie is not None
        return truth if lie is None else lie

    @property
    def may_lie(self) -> bool:
        return self.stage in self.stages and (self.again or not self.lied)

    def _machine_speaks(self) -> bool:
        seen_through = self.my_seat in self._proof if self._me else False  # by its own table: nobody would hear it
        return super()._machine_speaks() and not seen_through and not self.bides_its_time

    @property
    def bides_its_time(self) -> bool:
        return self.stage in self.patient and self.may_lie and len(self.waiting_for) > 1

    def play(self, move: Move, now: float) -> None:
        if self.hasty and self.must_decide:
            view = self.view()
            move = min(view.moves, key=lambda one: self.game.weigh(view, one))
        if self.bides_its_time:
            self.planned = move
        else:
            super().play(move, now)

    def _advance(self) -> None:
        super()._advance()
        if self.planned is not None and not self.bides_its_time:
            move, self.planned = self.planned, None
            if self.must_decide:
                super().play(move, self._now)

    # --- what it can reach ------------------------------------------------------------------------------------------

    @property
    def replica(self) -> Replica:
        return self._replica

    @property
    def step(self) -> Any:
        """The open step, whatever it is."""
        return self._replica.step

    @property
    def ground(self) -> Ground:
        ground: Ground = self.step.ground
        return ground

    @property
    def cards(self) -> Felt:
        felt = self.felt
        assert felt is not None
        return felt

    @property
    def me(self) -> Me:
        assert self._me is not None
        return self._me

    @property
    def my_seat(self) -> Seat:
        return self.me.seat

    @property
    def here(self) -> Context:
        return self._replica.context

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats that still take part."""
        return tuple(seat for seat in self.active if seat != self.my_seat)

    def places(self) -> tuple[Slot, ...]:
        """The places of my hand."""
        return self.ground.hand(self.my_seat)

    def a_wish(self) -> dict[Slot, crypto.Ciphertext]:
        """My hand, but with a card of my own choice at its first place."""
        return {self.places()[0]: self.another_card()}

    def for_purpose(self, purpose: str) -> bytes:
        """The context a true statement for this purpose would be made in."""
        return self.here.of(self.my_seat, purpose)

    def entropy(self) -> bytes:
        """Fresh bytes that the honest message of this step does not use."""
        return self.me.entropy(self.here, "lie")

    def another_card(self) -> crypto.Ciphertext:
        """A card of my choice, encrypted for me: what I would rather have in my hand."""
        cards = self.cards
        best = self.game.deck[-1].id
        return cards.deck.fresh([best], cards.publics[self.my_seat])[0]

    def in_other_words(self) -> Body:
        """A second true message for the open step, with other randomness."""
        return self.spoken(self.step, self.twin())

    def with_another_key(self) -> Body:
        """What a seat with another secret would say here."""
        twin = self.twin()
        twin.secret = crypto.new_key(self.entropy() * 2)
        return self.spoken(self.step, twin)

    def with_other_cards(self, cards: Mapping[Slot, crypto.Ciphertext]) -> Body:
        """What I would say if these cards lay there: true proofs, of something else."""
        step, felt = copy(self.step), copy(self.cards)
        felt.cards = {**felt.cards, **cards}
        step.ground = replace(self.ground, felt=felt)
        return self.spoken(step, self.twin())

    def spoken(self, step: Any, me: Me) -> Body:
        body: Body = step.speak(me, self.here, self.move)
        return body

    def twin(self) -> Me:
        """Me with other randomness. What it commits to, I have not committed to."""
        twin = copy(self.me)
        twin._seed = self.entropy()
        twin._openings = dict(self.me._openings)
        return twin

    def body_of(self, entry: Entry) -> Body:
        return decode_body(entry.header.kind, entry.body_bytes)

    # --- saying what no honest table says -----------------------------------------------------------------------------

    def signed(
        self, body: Body | Raw, seat: Seat | None = None, previous: bytes | None = None, step: int | None = None
    ) -> Entry:
        """An entry, if nothing else is said for the open step and in my name; signed by me. It is not said by that."""
        assert self._identity is not None
        header = Header(
            self.proposal.table,
            self._replica.epoch,
            self._replica.number if step is None else step,
            self.my_seat if seat is None else seat,
            self.here.previous if previous is None else previous,
            body.kind,
        )
        data = body.data if isinstance(body, Raw) else encode_body(body)
        signed = header.encode() + data
        return Entry(header, signed, self._identity.sign(signed))

    def say_to(self, seats: Sequence[Seat], entry: Entry) -> None:
        for seat in seats:
            self._show([entry], self.members[seat])

    def say(self, entry: Entry) -> None:
        self._show([entry])

    def decides(self) -> bool:
        """Is it asked for a decision?"""
        return self.stage in DECISIONS and self._on_me()

    def kind_of_step(self) -> int:
        return TAKES[self.stage].kind


class Meddler(Cheat):
    """A cheat that does not lie in its own message but says something besides, in any step."""

    def lie(self, truth: Body) -> Body | None:
        return None

    @abstractmethod
    def meddle(self) -> bool:
        """A step has opened: the chance to say something. True if it did."""

    def _advance(self) -> None:
        super()._advance()
        if not self.lied and self._identity is not None and self._me is not None:
            self.lied = self.meddle()


class Misspeaker(Cheat):
    """A cheat that signs bytes which no codec makes. Then it is silent: its own table could not go on from there."""

    def lie(self, truth: Body) -> Body | None:
        return None

    @abstractmethod
    def raw(self, truth: Body) -> Raw | None:
        """The bytes in the place of the truth; None if the chance has not come yet."""

    def _speak(self, move: Move | None) -> None:
        raw = self.raw(self._body(move)) if self.may_lie else None
        if raw is None:
            super()._speak(move)
        else:
            self.lied = self._mute = True
            self.say(self.signed(raw))


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes in the place of a body."""

    kind: int
    data: bytes
