"""Lays out a 2 SANS 3 table for a test, with cards written as their values."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.cards import CardId, Seat, Slot
from engine.dealer import Dealer
from engine.game import Fact, Note, Over, Turn
from engine.games.two_sans_three import (
    BONUSES,
    COLOUR,
    COLOURS,
    NAMES,
    STARTS,
    VALUE,
    Player,
    State,
    TwoSansThree,
    collect,
    play,
)

GAME = TwoSansThree()


def card(value: int) -> CardId:
    return CardId(VALUE.index(value))


def of(colour: str, count: int, without: Sequence[int] = ()) -> list[int]:
    """So many values of a colour."""
    return [value for value in COLOURS[colour] if value not in without][:count]


class Table:
    """A situation in the middle of a game, and a dealer to play on with. Seat 0 is on turn."""

    def __init__(
        self,
        *hands: Sequence[int],
        rows: Sequence[Sequence[int]] = ((), (), ()),  # without the start cards
        taken: Sequence[Sequence[int]] | None = None,  # by seat, in the order of taking
        piles: Sequence[int] | None = None,  # by seat, how many cards
        bonus: Sequence[int] | None = None,  # by seat, the intermediate bonus it has
        removed: Sequence[int] = (),
        turn: int = 0,
    ) -> None:
        seats = len(hands)
        taken = taken or [()] * seats
        held = [[card(value) for value in hand] for hand in hands]
        lying = tuple(tuple(sorted(card(value) for value in row)) for row in rows)
        gone = tuple(card(value) for value in removed)
        collections = [tuple(card(value) for value in some) for some in taken]
        seen = [*gone, *(one for some in (*held, *lying, *collections) for one in some)]
        assert len(set(seen)) == len(seen)
        left = [one.id for one in GAME.deck if one.id not in seen]
        faces: dict[Slot, CardId] = {}

        def lay(cards: Sequence[CardId]) -> tuple[Slot, ...]:
            places = tuple(Slot(len(faces) + index) for index in range(len(cards)))
            faces.update(zip(places, cards, strict=True))
            return places

        players = []
        for seat in range(seats):
            hand = lay(held[seat])
            pile = lay([left.pop() for _ in range(piles[seat] if piles else 0)])
            counts = collect((0,) * len(NAMES), collections[seat])
            players.append(Player(hand, pile, collections[seat], counts, bonus[seat] if bonus else 0, 0))
        bonuses = tuple(points for points in BONUSES if not bonus or points not in bonus)
        state = State(tuple(players), lying, bonuses, gone, (), lay(left), True, Seat(turn), Turn(Seat(turn)), ())
        self.dealer: Dealer[State] = Dealer(GAME, seats, random.Random(1))
        self.dealer.state, self.dealer.need, self.dealer.faces = state, state.wants, faces

    def play(self, value: int, gone: Sequence[int] = ()) -> Fact:
        """Whoever is on turn plays this card."""
        seat = self.need.seat
        place = next(place for place, one in self.dealer.known(seat).items() if VALUE[one] == value)
        return self.dealer.step({seat: play(place)}, [Seat(seat) for seat in gone])

    @property
    def state(self) -> State:
        return self.dealer.state

    @property
    def need(self) -> object:
        return self.dealer.need

    def row(self, value: int) -> list[int]:
        """The row of this value as it lies, with its start card."""
        row = value // 30
        return [STARTS[row], *(VALUE[one] for one in self.state.rows[row])]

    def told(self, name: str) -> list[Note]:
        return [told for told in self.state.news if told.name == name]

    def took(self) -> list[int]:
        """The values just taken."""
        return [VALUE[one] for told in self.told("took") for one in told["cards"]]

    def up(self, seat: int) -> dict[str, int]:
        """The colours that lie face up, with their number."""
        counts = self.state.players[seat].counts
        return {name: count % 3 for name, count in zip(NAMES, counts, strict=True) if count % 3}

    def down(self, seat: int) -> int:
        return sum(count // 3 * 3 for count in self.state.players[seat].counts)

    def over(self) -> Over:
        assert isinstance(self.need, Over)
        return self.need


def colour(value: int) -> str:
    return NAMES[COLOUR[card(value)]]
