"""A dealer who sees every card: satisfies the needs of any game from a shuffled deck, without cryptography.

Law: for bots, simulations and tests. It knows no game, and takes its chance from whatever has `.random()`, so that a
seed gives the same game everywhere. What it hands out, a view or a fact, holds no more than a real table would.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from engine.cards import CardId, Seat, Slot
from engine.game import (
    Cannot,
    Choose,
    Chosen,
    Claim,
    Claimed,
    Clause,
    Departed,
    Draw,
    Drawn,
    Fact,
    Game,
    Gift,
    Leave,
    Left,
    Move,
    Moved,
    Need,
    Open,
    Opened,
    Over,
    Pass,
    Passed,
    Played,
    Shuffle,
    Shuffled,
    Turn,
    View,
)

S = TypeVar("S")
T = TypeVar("T")

#: Who plays a seat: sees what the seat sees, returns one of `view.moves`.
Chooser = Callable[[View], Move]
#: Told of every step: the state before, what was needed, what came of it, the state after.
Watcher = Callable[[Any, Need, Fact, Any], None]


class Chance(Protocol):
    def random(self) -> float:
        """A number in [0, 1)."""


def shuffled(items: Sequence[T], chance: Chance) -> list[T]:
    """Fisher-Yates on nothing but `random()`: what random.shuffle does with a seed differs between versions."""
    mixed = list(items)
    draw = chance.random
    for last in range(len(mixed) - 1, 0, -1):
        other = int(draw() * (last + 1))
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def deciders(need: Need) -> tuple[Seat, ...]:
    """The seats from which this need asks a move."""
    if isinstance(need, Choose):
        return need.seats
    if isinstance(need, Pass):
        return tuple([giver for giver, _ in need.ring])
    if isinstance(need, Turn):
        return (need.seat,)
    return ()


def holds(clause: Clause, values: Sequence[int]) -> bool:
    """Whether these attributes can be ordered so that the clause is true of them."""
    first, others = clause
    strays = [value for value in values if value not in others]  # only the first card may be one
    if strays:
        return len(strays) == 1 and strays[0] in first
    return any(value in first for value in values)


class Dealer(Generic[S]):
    """One game on the table of somebody who sees everything."""

    def __init__(self, game: Game[S], players: int, chance: Chance, settings: Mapping[str, Any] | None = None) -> None:
        self.game = game
        self.chance = chance
        self.state = game.start(players, settings or {})
        self.need = game.need(self.state)
        self.faces: dict[Slot, CardId] = {}
        self.committed: dict[Seat, Move] = {}

    def copy(self) -> Dealer[S]:
        """A second table in the same situation, to look ahead on. It shares the chance."""
        twin: Dealer[S] = Dealer.__new__(Dealer)
        twin.game, twin.chance, twin.state, twin.need = self.game, self.chance, self.state, self.need
        twin.faces = self.faces.copy()
        twin.committed = self.committed.copy()
        return twin

    @classmethod
    def imagine(cls, game: Game[S], view: View, chance: Chance) -> Dealer[S]:
        """A table as the seat of this view may think it is: what it cannot see is dealt anew, every way equally likely.

        Only for a view of a seat or spectator after the deck was shuffled; before it there is nothing to imagine.
        """
        table: Dealer[S] = cls.__new__(cls)
        table.game, table.chance, table.state, table.need = game, chance, view.state, view.need
        table.committed = {}
        faces = dict(view.hand)
        seen = {*game.open_cards(view.state), *faces.values()}
        hidden = shuffled([card.id for card in game.deck if card.id not in seen], chance)
        places = [place for hand in game.hands(view.state) for place in hand if place not in faces]
        places += game.face_down(view.state)
        faces.update(zip(places, hidden, strict=True))
        table.faces = faces
        return table

    # What a seat may know.

    def known(self, seat: Seat) -> dict[Slot, CardId]:
        faces = self.faces
        return {slot: faces[slot] for slot in self.game.hands(self.state)[seat]}

    def view(self, seat: Seat | None) -> View:
        return self.game.view(self.state, seat, {} if seat is None else self.known(seat))

    # What happens.

    def step(
        self,
        choices: Mapping[Seat, Move] | None = None,
        gone: Sequence[Seat] = (),
        finished: Collection[Seat] | None = None,
    ) -> Fact:
        """Satisfy the present need with these choices, one per seat in `deciders(need)`; tell what came of it.

        With `gone`, those seats depart meanwhile and only the part of the `finished` seats comes through (None: all
        parts). A seat whose choice did not come through stays bound by it, as by a commitment.
        """
        need = self.need
        bound = {**(choices or {}), **self.committed}
        parts = None if finished is None or not gone else finished
        fact = self._satisfy(need, bound, tuple(sorted(gone)), parts)
        self.state = self.game.apply(self.state, fact)
        self.need = self.game.need(self.state)
        for slot in _opened(need, fact):
            del self.faces[slot]
        waiting = deciders(self.need) if parts is not None and type(self.need) is type(need) else ()
        self.committed = {seat: bound[seat] for seat in waiting if seat in bound}
        if gone:
            self.rebuild()
        return fact

    def depart(self, *gone: Seat) -> Fact:
        """These seats are gone, and nothing of what was needed came."""
        return self.step(gone=gone, finished=())

    def hide(self, seat: Seat) -> None:
        """Mix a hand among its own places, as a real table does before a card leaves it."""
        hand = self.game.hands(self.state)[seat]
        cards = shuffled([self.faces[slot] for slot in hand], self.chance)
        self.faces.update(zip(hand, cards, strict=True))

    def rebuild(self) -> None:
        """Deal whatever is in no hand and not open anew to the face-down places, as after the loss of a key."""
        places = self.game.face_down(self.state)
        held = {self.faces[slot] for hand in self.game.hands(self.state) for slot in hand}
        taken = held | set(self.game.open_cards(self.state))
        free = shuffled([card.id for card in self.game.deck if card.id not in taken], self.chance)
        self.faces.update(zip(places, free, strict=True))

    def _satisfy(
        self, need: Need, choices: Mapping[Seat, Move], gone: tuple[Seat, ...], parts: Collection[Seat] | None
    ) -> Fact:
        def came(seat: Seat) -> bool:
            return parts is None or seat in parts

        if parts is not None and not parts:
            return Departed(gone)
        match need:
            case Choose(seats):
                return Chosen(gone, tuple([self._played(seat, choices[seat]) for seat in seats if came(seat)]))
            case Pass(ring):
                gifts = [Gift(one, two, choices[one].slots[0]) for one, two in ring if came(one)]
                return Passed(gone, tuple(gifts))
            case Draw(hands):
                return Drawn(gone, tuple([seat for seat, _ in hands if came(seat)]))
            case Claim(asked):
                return Claimed(gone, tuple([(one.seat, self._can(one)) for one in asked if came(one.seat)]))
            case Leave(seats):
                return Left(gone, tuple([seat for seat in seats if came(seat)]))
            case Turn(seat):
                return Moved(gone, self._played(seat, choices[seat])) if came(seat) else Departed(gone)
        if parts is not None:  # what everybody does together comes whole or not at all
            return Departed(gone)
        match need:
            case Shuffle(places, cards, into):
                heap = shuffled([*(self.faces.pop(place) for place in places), *cards], self.chance)
                self.faces.update(zip(into, heap, strict=True))
                return Shuffled(gone)
            case Open(places):
                return Opened(gone, tuple([self.faces[place] for place in places]))
        raise ValueError("the game is over")

    def _played(self, seat: Seat, move: Move) -> Played:
        faces = self.faces
        return Played(seat, move, tuple([faces[slot] for slot in move.slots]))

    def _can(self, statement: Cannot) -> bool:
        deck = self.game.deck
        hand = self.game.hands(self.state)[statement.seat]
        values = [deck[self.faces[slot] - 1].attributes[statement.attribute] for slot in hand]
        return not any(holds(clause, values) for clause in statement.any_of)


def _opened(need: Need, fact: Fact) -> list[Slot]:
    """The places whose cards now lie open, and which are places no more."""
    match need, fact:
        case Open(places), Opened():
            return list(places)
        case _, Moved() if fact.played is not None:
            return list(fact.played.move.slots)
        case _, Chosen():
            return [slot for played in fact.played for slot in played.move.slots]
    return []


def play_game(
    game: Game[S],
    players: int,
    choose: Chooser | Sequence[Chooser],
    chance: Chance,
    settings: Mapping[str, Any] | None = None,
    watch: Watcher | None = None,
) -> S:
    """A whole game: every seat asked gets its view and chooses. Returns the final state, whose need is `Over`."""
    table = Dealer(game, players, chance, settings)
    choosers = [choose] * players if callable(choose) else choose
    while not isinstance(table.need, Over):
        before, need = table.state, table.need
        fact = table.step({seat: choosers[seat](table.view(seat)) for seat in deciders(need)})
        if watch is not None:
            watch(before, need, fact, table.state)
    return table.state
