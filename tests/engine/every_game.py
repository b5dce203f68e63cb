"""What the tests about all games share: the games, ways to play them, and what must hold at every step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.cards import Seat
from engine.dealer import Dealer, deciders
from engine.game import (
    Choose,
    Claim,
    Draw,
    Game,
    Leave,
    Move,
    Open,
    Over,
    Pass,
    Shuffle,
    Turn,
    View,
    canonical,
)
from engine.shelf import FOLDERS, all_games

#: The toy comes in by its folder alone.
ALL_FOLDERS = (*FOLDERS, str(Path(__file__).parents[1] / "games"))
GAMES = all_games(ALL_FOLDERS)
#: Every game with every number of players.
TABLES = [(game, players) for game in GAMES for players in game.seats]
TABLE_NAMES = [f"{game.id}-{players}" for game, players in TABLES]

#: No game takes more steps; whoever does has hung.
ENDLESS = 3000


def any_move(chance: random.Random) -> Any:
    """A player that takes any legal move."""
    return lambda view: view.moves[int(chance.random() * len(view.moves))]


def choices(table: Dealer[Any], chance: random.Random) -> dict[Seat, Move]:
    choose = any_move(chance)
    return {seat: choose(table.view(seat)) for seat in deciders(table.need) if seat not in table.committed}


def steps(game: Game[Any], players: int, seed: int, hiding: bool = False) -> Iterator[Dealer[Any]]:
    """A game by random players: the table before every step and once more when it is over."""
    chance = random.Random(seed)
    table = Dealer(game, players, chance)
    for _ in range(ENDLESS):
        yield table
        if isinstance(table.need, Over):
            return
        if hiding:
            for seat in deciders(table.need):
                table.hide(seat)
        table.step(choices(table, chance))
    raise AssertionError(f"{game.id} does not end")


def may_go(table: Dealer[Any]) -> list[Seat]:
    """Who can still depart: whoever plays or is handing over."""
    leaving = table.need.seats if isinstance(table.need, Leave) else ()
    return sorted({*table.game.playing(table.state), *leaving})


def stormy_steps(
    game: Game[Any], players: int, seed: int, risk: float = 0.1
) -> Iterator[tuple[Dealer[Any], list[Seat]]]:
    """As `steps`, with seats departing at any point, whatever part of a step has come through by then.

    With each table come the seats that have just gone.
    """
    chance = random.Random(seed)
    table = Dealer(game, players, chance)
    gone: list[Seat] = []
    for _ in range(ENDLESS):
        yield table, gone
        if isinstance(table.need, Over):
            return
        gone = [seat for seat in may_go(table) if chance.random() < risk]
        finished = [seat for seat in range(players) if chance.random() < 0.5]
        table.step(choices(table, chance), gone, finished if gone else None)
    raise AssertionError(f"{game.id} does not end")


# --- what must hold at every step ---------------------------------------------------------------------------------


def check_cards(table: Dealer[Any]) -> None:
    """Every card is in exactly one place: open, in a hand or face down; and the dealer knows no other places."""
    game, state = table.game, table.state
    places = [place for hand in game.hands(state) for place in hand] + list(game.face_down(state))
    assert len(set(places)) == len(places)
    assert set(places) == set(table.faces)
    cards = [table.faces[place] for place in places] + list(game.open_cards(state))
    assert sorted(cards) == [card.id for card in game.deck]


def check_need(table: Dealer[Any], used: set[int]) -> None:
    """The need asks only for what is there, from seats that can give it. `used`: every place number so far."""
    game, state, need = table.game, table.state, table.need
    assert need == game.need(state)
    used.update(table.faces)
    down = list(game.face_down(state))
    hands = game.hands(state)
    playing = list(game.playing(state))
    assert playing == sorted(set(playing))
    match need:
        case Shuffle(places, cards, into):
            assert set(places) <= set(down)
            assert set(cards) <= set(game.open_cards(state))
            assert len(into) == len(places) + len(cards) == len(set(into)) > 0
            assert used.isdisjoint(into)
        case Draw(drawn):
            places = [place for _, hand in drawn for place in hand]
            assert len(set(places)) == len(places)
            assert set(places) <= set(down)
            assert all(hand for _, hand in drawn)
            _ascending([seat for seat, _ in drawn], playing)
        case Open(places):
            assert places
            assert len(set(places)) == len(places)
            assert set(places) <= set(down)
        case Turn(seat):
            assert seat in playing
        case Choose(seats):
            _ascending(list(seats), playing)
        case Pass(ring):
            _ascending([giver for giver, _ in ring], playing)
            receivers = [receiver for _, receiver in ring]
            assert len(set(receivers)) == len(receivers)
            assert set(receivers) <= set(playing)
            assert all(giver != receiver and hands[giver] for giver, receiver in ring)
        case Claim(asked):
            _ascending([one.seat for one in asked], playing)
            for one in asked:
                assert hands[one.seat]
                assert 0 <= one.attribute < len(game.attributes)
                assert one.any_of
        case Leave(seats):
            _ascending(list(seats), range(len(hands)))
            assert not set(seats) & set(playing)
            assert len(playing) >= 2
        case Over():
            check_result(need, len(hands))
    for seat in deciders(need):
        assert table.view(seat).moves
    if not isinstance(need, Over):
        assert len(playing) >= 2


def _ascending(seats: list[int], allowed: Any) -> None:
    assert seats
    assert seats == sorted(set(seats))
    assert set(seats) <= set(allowed)


def check_result(over: Over, players: int) -> None:
    """Everybody has exactly one rank, and the result says why."""
    assert sorted(seat for group in over.ranking for seat in group) == list(range(players))
    assert all(group == tuple(sorted(group)) for group in over.ranking)
    assert over.reason.name
    canonical(over)


def check_plain(value: Any) -> None:
    """Nothing but the exact types that have a canonical form: no True for 1, no list for a tuple, no subclass."""
    if is_dataclass(value):
        for field in fields(value):
            check_plain(getattr(value, field.name))
    elif isinstance(value, tuple):
        assert type(value) is tuple or hasattr(value, "_fields")
        for one in value:
            check_plain(one)
    else:
        assert value is None or type(value) in (int, str, bool)


def everything_in(view: View) -> bytes:
    """All that a view shows, whatever its game adds, as canonical bytes."""
    shown: dict[str, Any] = {field.name: getattr(view, field.name) for field in fields(view)}
    for kind in type(view).__mro__:
        for name, what in vars(kind).items():
            if isinstance(what, property | cached_property):
                try:
                    shown[name] = getattr(view, name)
                except AssertionError:
                    assert view.seat is None  # what only a player can be shown
    return canonical({name: canonical(_exact(value)) for name, value in shown.items()})


def _exact(value: Any) -> Any:
    """The value in types that have a canonical form: judgements are floats, and views may map places to things."""
    if isinstance(value, dict):
        return tuple((key, _exact(one)) for key, one in sorted(value.items()))
    return value.hex() if isinstance(value, float) else value
