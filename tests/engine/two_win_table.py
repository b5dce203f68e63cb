"""Lays out a 2 WIN table for a test, with cards written as they are printed: b3 p5* g9** (colour, digit, stars)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import CardId, Seat, Slot
from engine.dealer import Dealer
from engine.game import Cannot, Choose, Claim, Draw, Fact, Move, Need, Note, Over, Pass
from engine.games.two_win import (
    COLOURS,
    DIGIT,
    NO_RUN,
    Player,
    Run,
    State,
    TwoWin,
    TwoWinView,
    cannot_exceed,
    form,
    give,
    number_of,
)

GAME = TwoWin()
FACES = [GAME.face(card.id) for card in GAME.deck]


class Table:
    """A situation in the middle of a game, and a dealer to play on with."""

    def __init__(
        self,
        *hands: str,
        numbers: Sequence[str] | None = None,  # by seat, oldest first: "b3 g4 p5 p5" is 34, then 55
        last: Sequence[int] | None = None,  # by seat, if it is not the number on top
        tens: Sequence[str] | None = None,  # by seat, the run in the column: "bb", "p" or ""
        units: Sequence[str] | None = None,
        pile: str | int | None = None,  # its cards, the top first, or how many; None for all the rest of the deck
        out: Sequence[int] = (),  # seats that dropped out in earlier rounds
        aside: str = "",
        round: int = 2,
        stage: str = "form",
        seed: int = 1,
    ) -> None:
        self.left = [card.id for card in GAME.deck]
        seats = len(hands)
        lying = [self.take(text) for text in numbers or [""] * seats]
        held = [self.take(text) for text in hands]
        set_aside = self.take(aside)
        if isinstance(pile, str):
            rest = self.take(pile)
        else:
            rest = [self.left.pop() for _ in range(len(self.left) if pile is None else pile)]
        faces: dict[Slot, CardId] = {}
        players = []
        for seat in range(seats):
            pairs = tuple(zip(lying[seat][::2], lying[seat][1::2], strict=True))
            top = number_of(*pairs[-1]) if pairs else 0
            how = "out_no_number" if seat in out else ""
            players.append(
                Player(
                    self.lay(held[seat], faces),
                    pairs,
                    last[seat] if last else top,
                    run(tens[seat] if tens else ""),
                    run(units[seat] if units else ""),
                    how,
                    1 if how else 0,
                    1 if how else 0,
                    0,
                )
            )
        pile_places, aside_places = self.lay(rest, faces), self.lay(set_aside, faces)
        playing = tuple(Seat(seat) for seat in range(seats) if seat not in out)
        wants: Need
        if stage == "pass":
            wants = Pass(tuple(zip(playing, playing[1:] + playing[:1], strict=True)))
        elif stage == "check":
            wants = Claim(tuple(Cannot(seat, 0, cannot_exceed(players[seat].last)) for seat in playing))
        else:
            wants = Choose(playing)
        state = State(tuple(players), round, stage, wants, pile_places, aside_places, Slot(200), (), (), (), (), (), ())
        self.dealer: Dealer[State] = Dealer(GAME, seats, random.Random(seed))
        self.dealer.state, self.dealer.need, self.dealer.faces = state, wants, faces

    def take(self, text: str) -> list[CardId]:
        found = []
        for face in text.split():
            card = next(card for card in self.left if FACES[card - 1] == face)
            self.left.remove(card)
            found.append(card)
        return found

    def lay(self, cards: Sequence[CardId], faces: dict[Slot, CardId]) -> tuple[Slot, ...]:
        places = tuple(Slot(len(faces) + index) for index in range(len(cards)))
        faces.update(zip(places, cards, strict=True))
        return places

    # What happens.

    def move(self, seat: int, text: str) -> Move:
        """The move with these cards of the hand: one to pass, two to form a number."""
        places = []
        for face in text.split():
            hand = self.state.players[seat].hand
            places.append(
                next(place for place in hand if FACES[self.dealer.faces[place] - 1] == face and place not in places)
            )
        return give(places[0]) if len(places) == 1 else form(places[0], places[1])

    def step(self, *moves: str, gone: Sequence[int] = (), finished: Sequence[int] | None = None) -> Fact:
        """Everybody asked moves, by seat: "" for a seat that is not asked."""
        chosen = {Seat(seat): self.move(seat, text) for seat, text in enumerate(moves) if text}
        return self.dealer.step(chosen, [Seat(seat) for seat in gone], finished)

    # What there is.

    @property
    def state(self) -> State:
        return self.dealer.state

    @property
    def need(self) -> Any:
        return self.dealer.need

    def told(self, name: str) -> list[Note]:
        return [told for told in self.state.news if told.name == name]

    def who(self, name: str) -> list[int]:
        """The seats of the news with this name."""
        return [told["seat"] for told in self.told(name)]

    def hand(self, seat: int) -> list[str]:
        return sorted(FACES[self.dealer.faces[place] - 1] for place in self.state.players[seat].hand)

    def drawing(self) -> Mapping[int, int]:
        """How many cards each seat draws now."""
        return {seat: len(places) for seat, places in self.need.hands} if isinstance(self.need, Draw) else {}

    def numbers(self, seat: int) -> list[int]:
        """The legal numbers of this seat now."""
        return sorted({number for number, _ in self.dealer.view(Seat(seat)).numbers})

    def over(self) -> Over:
        assert isinstance(self.need, Over)
        return self.need


def run(text: str) -> Run:
    return Run([name[0] for name in COLOURS].index(text[0]), len(text)) if text else NO_RUN


def thrifty(view: TwoWinView) -> Move:
    """A player that lasts: climbs little for what a number is sure to earn, and gives its highest digit away.

    Six of them empty the pile in about one game of eleven. Kept apart from the bots, whose judgement may change.
    """
    if view.moves[0].kind == "pass":
        return max(view.moves, key=lambda move: DIGIT[view.cards[move.slots[0]]])
    return min(view.numbers, key=lambda one: (one[0] - 12 * view.earned(one[1]).sure, one))[1]
