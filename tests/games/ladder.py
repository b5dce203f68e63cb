"""Ladder: play a card above the top one or drop out; the last one on the ladder wins. A toy for the tests.

Law: as for every game, public facts only. It lies in this folder alone and is registered nowhere.

In turn, each seat says whether it can top the ladder. Who cannot hands over and is out. Who can plays one card, and
draws one if it wants to and has announced it with the card; an empty pile is rebuilt from everything below the top.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.cards import Card, CardId, Seat, Slot
from engine.game import (
    Cannot,
    Claim,
    Claimed,
    Clause,
    Draw,
    Drawn,
    Fact,
    Game,
    IllegalMove,
    Leave,
    Left,
    Move,
    Moved,
    Need,
    Note,
    Open,
    Opened,
    Over,
    Shuffle,
    Shuffled,
    Turn,
    View,
    checked_need,
    checked_settings,
    note,
)

CARDS = 21


@dataclass(frozen=True, slots=True)
class State:
    hands: tuple[tuple[Slot, ...], ...]
    fell: tuple[int, ...]  # by seat: 0 while in, else a number that is lower the better it did
    pile: tuple[Slot, ...]
    aside: tuple[Slot, ...]
    ladder: tuple[CardId, ...]  # the top card last
    fresh: Slot
    owed: tuple[Seat, ...]
    turn: Seat
    can: bool  # the seat on turn has said that it can
    leaving: tuple[Seat, ...]
    news: tuple[Note, ...] = ()


class Ladder(Game[State]):
    id = "ladder"
    version = 1
    seats = range(2, 6)
    deck = tuple(Card(CardId(rank), (rank,)) for rank in range(1, CARDS + 1))
    attributes = ("rank",)
    settings: ClassVar[Mapping[str, tuple[Any, ...]]] = {"hand": (3, 2, 4)}

    def start(self, seats: int, settings: Mapping[str, Any]) -> State:
        hand = checked_settings(self, seats, settings)["hand"]
        order = tuple(map(Seat, range(seats))) * hand
        return State(((),) * seats, (0,) * seats, (), (), (), Slot(0), order, Seat(0), False, ())

    def need(self, state: State) -> Need:
        playing = self.playing(state)
        if len(playing) < 2:
            return self.result(state)
        if state.fresh == 0:
            return Shuffle((), self.open_cards(state), tuple(map(Slot, range(CARDS))))
        if state.leaving:
            return Leave(state.leaving)
        if not state.ladder:
            return Open(state.pile[:1])
        if state.owed and state.pile:
            places: dict[Seat, tuple[Slot, ...]] = {}
            for seat, place in zip(state.owed, state.pile, strict=False):
                places[seat] = (*places.get(seat, ()), place)
            return Draw(tuple(sorted(places.items())))
        if state.owed:
            size = len(state.aside) + len(state.ladder) - 1
            return Shuffle(state.aside, state.ladder[:-1], tuple(map(Slot, range(state.fresh, state.fresh + size))))
        if state.can:
            return Turn(state.turn)
        low = tuple(range(1, state.ladder[-1] + 1))
        return Claim((Cannot(state.turn, 0, (Clause(low, low),)),))

    def apply(self, state: State, fact: Fact) -> State:
        need = checked_need(self, state, fact)
        state = self.gone(self.booked(state, need, fact), fact.gone, self.playing(state))
        while not state.owed and not state.can and not state.hands[state.turn] and len(self.playing(state)) > 1:
            state = self.drop(state, "empty")  # nothing to ask: everybody sees that this hand is empty
        return state

    def booked(self, state: State, need: Need, fact: Fact) -> State:
        state = replace(state, news=())
        match need, fact:
            case Shuffle(), Shuffled():
                ladder = state.ladder[-1:]
                return replace(state, pile=need.into, aside=(), ladder=ladder, fresh=Slot(need.into[-1] + 1))
            case Open(), Opened():
                return replace(
                    state, pile=state.pile[1:], ladder=fact.cards, news=(note("opened", card=fact.cards[0]),)
                )
            case Draw(), Drawn():
                hands = list(state.hands)
                for seat, places in need.hands:
                    if seat in fact.seats:
                        hands[seat] += places
                drawn = {place for seat, places in need.hands if seat in fact.seats for place in places}
                pile = tuple(place for place in state.pile if place not in drawn)
                count = len(state.pile)
                owed = (*(seat for seat in state.owed[:count] if seat not in fact.seats), *state.owed[count:])
                return replace(state, hands=tuple(hands), pile=pile, owed=owed)
            case Claim(), Claimed() if fact.answers:
                return replace(state, can=True) if fact.answers[0][1] else self.drop(state, "cannot")
            case Leave(), Left():
                return self.hand_over(state, fact.seats)
            case Turn(), Moved() if fact.played is not None:
                seat, move, cards = fact.played
                if move.kind != "top" or len(cards) != 1 or move.values not in ((0,), (1,)):
                    raise IllegalMove(seat, note("not_one_card"))
                if cards[0] < state.ladder[-1]:
                    raise IllegalMove(seat, note("too_low", card=cards[0]))
                hands = list(state.hands)
                hands[seat] = tuple(place for place in hands[seat] if place not in move.slots)
                ladder = state.ladder + cards
                told = (note("topped", seat=seat, card=cards[0]),)
                return replace(
                    state,
                    hands=tuple(hands),
                    ladder=ladder,
                    owed=(seat,) * move.values[0],
                    turn=self.after(state, seat),
                    can=False,
                    news=told,
                )
        return state

    def drop(self, state: State, why: str) -> State:
        """The seat on turn is out by the rules."""
        seat = state.turn
        state = self.fall(state, (seat,), CARDS)
        return replace(
            state,
            turn=self.after(state, seat),
            leaving=(*state.leaving, seat),
            news=(*state.news, note("dropped", seat=seat, why=why)),
        )

    def fall(self, state: State, seats: tuple[Seat, ...], rank: int) -> State:
        nth = rank - sum(0 < fell <= rank for fell in state.fell)
        return replace(state, fell=tuple(nth if seat in seats else fell for seat, fell in enumerate(state.fell)))

    def hand_over(self, state: State, seats: tuple[Seat, ...]) -> State:
        aside = state.aside + tuple(place for seat in seats for place in state.hands[seat])
        hands = tuple(() if seat in seats else hand for seat, hand in enumerate(state.hands))
        return replace(
            state, aside=aside, hands=hands, leaving=tuple(seat for seat in state.leaving if seat not in seats)
        )

    def gone(self, state: State, gone: tuple[Seat, ...], played: tuple[Seat, ...]) -> State:
        """`played` were still in when this was asked: whoever of them goes has left, whatever came of it."""
        if not gone:
            return state
        state = self.fall(state, tuple(seat for seat in gone if seat in played), 10 * CARDS)
        state = self.hand_over(state, gone)
        owed = tuple(seat for seat in state.owed if seat not in gone)
        if state.turn in gone and self.playing(state):
            state = replace(state, turn=self.after(state, state.turn), can=False)
        return replace(state, owed=owed, news=(*state.news, note("gone", seats=gone)))

    def after(self, state: State, seat: Seat) -> Seat:
        playing = self.playing(state)
        return min((other for other in playing if other > seat), default=playing[0])

    def result(self, state: State) -> Over:
        groups: dict[int, list[Seat]] = {}
        for seat in map(Seat, range(len(state.fell))):
            groups.setdefault(state.fell[seat], []).append(seat)
        ranking = tuple(tuple(groups[fell]) for fell in sorted(groups))
        return Over(ranking, note("last_on_the_ladder", seats=ranking[0]))

    def moves(self, state: State, seat: Seat, known: Mapping[Slot, CardId]) -> tuple[Move, ...]:
        if not state.can or state.turn != seat or self.need(state) != Turn(seat):
            return ()
        return tuple(
            Move("top", (place,), (draw,))
            for place in state.hands[seat]
            if known.get(place, 0) > state.ladder[-1]
            for draw in (0, 1)
        )

    def view(self, state: State, seat: Seat | None, known: Mapping[Slot, CardId]) -> View:
        if seat is None:
            return View(self.id, None, state, self.need(state), (), ())
        hand = tuple((place, known[place]) for place in state.hands[seat] if place in known)
        return View(self.id, seat, state, self.need(state), hand, self.moves(state, seat, known))

    def hands(self, state: State) -> tuple[tuple[Slot, ...], ...]:
        return state.hands

    def face_down(self, state: State) -> tuple[Slot, ...]:
        return state.pile + state.aside

    def open_cards(self, state: State) -> tuple[CardId, ...]:
        return tuple(card.id for card in self.deck) if state.fresh == 0 else state.ladder

    def playing(self, state: State) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat, fell in enumerate(state.fell) if not fell)
