"""What a step is: who must speak, what each may say, what a seat says itself, and what follows when all have spoken.

Law: a step decides nothing about delivery, order or time (that is p2p/table.py) and knows no game, only needs and
facts. It changes the felt only in `close`, so a step that never closes leaves no trace.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from engine.cards import CardId, Seat, Slot
from engine.game import Fact, Game, Move, Need
from p2p.crypto import deck as crypto
from p2p.errors import Broken, Rule
from p2p.felt import Context, Felt
from p2p.me import Me
from p2p.states import Stage
from p2p.wire import Body

B = TypeVar("B", bound=Body)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a step stands on: the rules' state when its need arose, and the cards."""

    game: Game[Any]
    state: Any
    need: Need
    felt: Felt

    def hand(self, seat: Seat) -> tuple[Slot, ...]:
        return tuple(self.game.hands(self.state)[seat])

    def is_legal(self, seat: Seat, move: Move, cards: Mapping[Slot, CardId]) -> bool:
        """Is this one of the moves the rules allow, given the faces of just the places it uses?"""
        return move in self.game.moves(self.state, seat, cards)


class Step(ABC, Generic[B]):
    stage: ClassVar[Stage]
    rule: ClassVar[Rule]  # what a seat broke if the cryptography of its message fails here

    def __init__(self, authors: tuple[Seat, ...]) -> None:
        self.authors = authors

    @abstractmethod
    def speak(self, me: Me, context: Context, move: Move | None) -> B:
        """What this seat says. `move`: its decision, in the stages that need one."""

    @abstractmethod
    def check(self, seat: Seat, body: B, context: Context, mine: bool) -> Any:
        """Verify all that can be; return what `close` needs of it. Raises Broken or the crypto's errors.

        `mine`: I said it myself and may skip proofs whose truth I know; what is returned must not differ."""

    @abstractmethod
    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        """All have spoken: change the felt and say what follows. `said` holds what `check` returned, by seat."""

    def cut(self, said: Mapping[Seat, Any], gone: frozenset[Seat]) -> Fact | None:
        """These seats are gone, and `said` is all that counts of the step: what it brought, or None for nothing."""
        return None


class CardStep(Step[B]):
    """A step of a game under way."""

    def __init__(self, ground: Ground, authors: tuple[Seat, ...]) -> None:
        super().__init__(authors)
        self.ground = ground


def require(ok: bool, rule: Rule, detail: str) -> None:
    if not ok:
        raise Broken(rule, detail)


# --- hiding a hand: before any hand card is used, its owner re-encrypts and permutes the whole hand -----------------


@dataclass(frozen=True, slots=True)
class Hidden:
    """A hand after hiding: the message that shows it, the cards by place, and where each place's card went."""

    message: bytes
    cards: Mapping[Slot, crypto.Ciphertext]
    moved: Mapping[Slot, Slot]  # old place -> new place of the same card; known to the owner alone


def hide(ground: Ground, me: Me, context: Context) -> Hidden:
    places = ground.hand(me.seat)
    felt = ground.felt
    if not places:
        return Hidden(b"", {}, {})
    before = felt.at(places)
    message, order = crypto.hide(before, me.secret, context.of(me.seat, "hide"), me.entropy(context, "hide"))
    after = crypto.shuffle_output(message, len(places), 1)
    cards = {place: row[0] for place, row in zip(places, after, strict=True)}
    for new, old in enumerate(order):
        me.learn(cards[places[new]], me.look(before[old], felt.deck))
    moved = {places[old]: places[new] for new, old in enumerate(order)}
    return Hidden(message, cards, moved)


def check_hidden(
    ground: Ground, seat: Seat, message: bytes, context: Context, mine: bool
) -> dict[Slot, crypto.Ciphertext]:
    """The hidden hand by place. A hide that fails is the fault `bad_hide`."""
    places = ground.hand(seat)
    if not places:
        require(not message, Rule.BAD_HIDE, "an empty hand has nothing to hide")
        return {}
    felt = ground.felt
    try:
        if mine:
            after = tuple(row[0] for row in crypto.shuffle_output(message, len(places), 1))
        else:
            after = crypto.verify_hide(felt.at(places), message, felt.publics[seat], context.of(seat, "hide"))
    except crypto.CryptoError as error:
        raise Broken(Rule.BAD_HIDE, str(error)) from error
    return dict(zip(places, after, strict=True))


def translate(move: Move, moved: Mapping[Slot, Slot]) -> Move:
    """The same cards, named by the places they lie at after hiding."""
    return Move(move.kind, tuple(moved[slot] for slot in move.slots), move.values)


def own_places(ground: Ground, seat: Seat, slots: tuple[int, ...]) -> tuple[Slot, ...]:
    """These places, if they are different places of this seat's hand."""
    hand = ground.hand(seat)
    if len(set(slots)) != len(slots) or any(slot not in hand for slot in slots):
        raise Broken(Rule.ILLEGAL_MOVE, "not places of the own hand")
    return tuple(Slot(slot) for slot in slots)
