"""A whole game as text that a person can read and a test can compare: every need, every hand, every choice, all news.

Law: knows no game; names and values come out as they are, without sentences. All cards are shown, so this is for a
game that is not at stake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.cards import CardId, Seat
from engine.dealer import Chance, Chooser, Dealer, deciders
from engine.game import Claim, Claimed, Draw, Fact, Game, Leave, Need, Note, Open, Over, Pass, Shuffle


def playthrough(
    game: Game[Any],
    players: int,
    choose: Chooser | Sequence[Chooser],
    chance: Chance,
    settings: Mapping[str, Any] | None = None,
) -> Iterator[str]:
    """The lines of one game, as it is played."""
    table = Dealer(game, players, chance, settings)
    choosers = [choose] * players if callable(choose) else choose
    yield f"{game.id}, {players} players"
    step = 0
    while not isinstance(table.need, Over):
        step, need = step + 1, table.need
        yield ""
        yield f"{step}. {_asked(need)}"
        choices = {seat: choosers[seat](table.view(seat)) for seat in deciders(need)}
        for seat, move in choices.items():
            known = table.known(seat)
            used = " ".join(game.face(known[slot]) for slot in move.slots)
            extra = "".join(f" {value}" for value in move.values)
            yield f"   seat {seat}  {_faces(game, known.values())}  =>  {move.kind} {used}{extra}"
        fact = table.step(choices)
        yield from _came(table, need, fact)
        yield from (f"   - {_line(game, told)}" for told in table.state.news)
    yield ""
    yield f"over: {_line(game, table.need.reason)}"
    for place, seats in enumerate(table.need.ranking, 1):
        yield f"   {place}. seat {' '.join(map(str, seats))}"
    yield from (f"   - {_line(game, detail)}" for detail in table.need.details)


def _asked(need: Need) -> str:
    name = type(need).__name__
    match need:
        case Shuffle(places, cards, _):
            return f"{name} {len(places)} face-down and {len(cards)} face-up cards"
        case Pass(ring):
            return f"{name} {' '.join(f'{giver}>{receiver}' for giver, receiver in ring)}"
        case Claim(asked):
            return f"{name} {_seats(one.seat for one in asked)}"
        case Draw(hands):
            return f"{name} {_seats(seat for seat, _ in hands)}"
        case Leave(seats):
            return f"{name} {_seats(seats)}"
        case Open(places):
            return f"{name} {len(places)}"
    return f"{name} {_seats(deciders(need))}"


def _came(table: Dealer[Any], need: Need, fact: Fact) -> Iterator[str]:
    """What a fact brought that is not in the news."""
    if isinstance(need, Draw):
        for seat, places in need.hands:
            yield f"   seat {seat}  + {_faces(table.game, [table.faces[place] for place in places])}"
    elif isinstance(fact, Claimed):
        for seat, can in fact.answers:
            yield f"   seat {seat}  {_faces(table.game, table.known(seat).values())}  =>  {'can' if can else 'cannot'}"


def _line(game: Game[Any], told: Note) -> str:
    return " ".join([told.name, *(f"{key}={_value(game, key, value)}" for key, value in told.values)])


def _value(game: Game[Any], key: str, value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_value(game, key, one) for one in value)}]"
    return game.face(CardId(value)) if key in ("card", "cards") else str(value)


def _faces(game: Game[Any], cards: Sequence[CardId] | Any) -> str:
    return ", ".join(game.face(card) for card in sorted(cards))


def _seats(seats: Sequence[Seat] | Any) -> str:
    return " ".join(map(str, seats))
