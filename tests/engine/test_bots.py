"""What bots promise: legal moves, no peeking, the same moves from the same chance, and levels that tell."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import every_game
import pytest

from engine import bots
from engine.bots import LEVELS, bot
from engine.dealer import Chooser, Dealer, deciders, play_game
from engine.game import Choose, Game, Move, Over, View
from engine.shelf import find

every_table = pytest.mark.parametrize(("game", "players"), every_game.TABLES, ids=every_game.TABLE_NAMES)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thinker that thinks little: the same code, a fraction of the time."""
    monkeypatch.setattr(bots, "WORLDS", 1)
    monkeypatch.setattr(bots, "CANDIDATES", 2)


def only_legal(choose: Chooser) -> Chooser:
    def checked(view: View) -> Move:
        move = choose(view)
        assert move in view.moves
        return move

    return checked


@every_table
@pytest.mark.usefixtures("hasty")
def test_a_bot_never_offers_an_illegal_move(game: Game[Any], players: int) -> None:
    """In whole games of every game, with bots of all levels at one table, each move is one of those the view allows."""
    for seed in range(3):
        chance = random.Random(seed)
        levels = [list(LEVELS)[(seat + seed) % len(LEVELS)] for seat in range(players)]
        choosers = [only_legal(bot(level, game, chance)) for level in levels]
        assert isinstance(game.need(play_game(game, players, choosers, chance)), Over)


@every_table
@pytest.mark.usefixtures("hasty")
def test_a_bot_plays_on_when_others_are_gone(game: Game[Any], players: int) -> None:
    """Also after departures in mid-step, bots are only asked what they can answer, and do so legally."""
    chance = random.Random(11)
    choosers = {level: only_legal(bot(level, game, chance)) for level in LEVELS}
    for number, (table, _) in enumerate(every_game.stormy_steps(game, players, seed=4, risk=0.02)):
        for seat in deciders(table.need):
            if seat not in table.committed and (view := table.view(seat)).moves:
                choosers[list(LEVELS)[number % len(LEVELS)]](view)


@pytest.mark.parametrize("level", LEVELS)
@every_table
@pytest.mark.usefixtures("hasty")
def test_what_a_bot_cannot_see_does_not_move_it(game: Game[Any], players: int, level: str) -> None:
    """Deals that differ only in cards its seat does not see draw the same move from it."""
    for number, table in enumerate(every_game.steps(game, players, 2)):
        for seat in deciders(table.need):
            if (number + seat) % 3:
                continue
            view = table.view(seat)
            other = Dealer.imagine(game, view, random.Random(number)).view(seat)
            moves = [bot(level, game, random.Random(9))(shown) for shown in (view, other)]
            assert moves[0] == moves[1]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", every_game.GAMES, ids=lambda game: game.id)
@pytest.mark.usefixtures("hasty")
def test_the_same_chance_gives_the_same_game(game: Game[Any], level: str) -> None:
    """All of a bot's chance comes from its argument: two runs of a seed end in equal states."""
    ends = []
    for _ in range(2):
        chance = random.Random(5)
        ends.append(play_game(game, game.seats[0], bot(level, game, chance), chance))
    assert ends[0] == ends[1]


def first_choice(game: Game[Any], players: int, seed: int) -> View:
    """The first decision with several possible moves, as its seat sees it."""
    for table in every_game.steps(game, players, seed):
        for seat in deciders(table.need):
            view = table.view(seat)
            if len(view.moves) > bots.CANDIDATES:
                return view
    raise AssertionError("nobody ever had a choice")


@pytest.mark.parametrize("game", [find("2win"), find("2sans3")], ids=lambda game: game.id)
def test_the_thinker_thinks_in_numbers_not_in_time(game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It imagines a fixed number of worlds and plays on a fixed number of times, however fast the machine is."""
    worlds = 0
    tried: Counter[Move] = Counter()
    imagine, outcome = bots.imagine, bots.outcome

    def imagined(*args: Any) -> Dealer[Any]:
        nonlocal worlds
        worlds += 1
        return imagine(*args)

    def played_on(world: Dealer[Any], seat: Any, move: Move) -> float:
        tried[move] += 1
        return outcome(world, seat, move)

    monkeypatch.setattr(bots, "imagine", imagined)
    monkeypatch.setattr(bots, "outcome", played_on)
    chosen = bot("thinker", game, random.Random(1))(first_choice(game, 3, 1))
    assert bots.CANDIDATES == 5
    assert worlds == 3 * bots.WORLDS
    assert sorted(tried.values()) == [bots.WORLDS * stages for stages in (1, 1, 2, 3, 3)]
    assert tried[chosen] == 3 * bots.WORLDS


def test_of_moves_that_show_the_same_only_one_is_considered() -> None:
    """Two copies of a card are one thought, not two."""
    game = find("2win")
    for table in every_game.steps(game, 6, 3):
        for seat in deciders(table.need):
            view = table.view(seat)
            shown = [tuple(game.face(table.faces[slot]) for slot in move.slots) for move in bots.different(game, view)]
            every = {tuple(game.face(table.faces[slot]) for slot in move.slots) for move in view.moves}
            assert len(set(shown)) == len(shown)
            assert set(shown) == every


def test_an_imagined_world_is_one_the_seat_may_believe_in() -> None:
    """It keeps all the seat sees, deals the rest anew, and whoever is asked for a move in it has one."""
    game = find("2win")
    differ = 0
    for seed in range(30):
        for table in every_game.steps(game, 4, seed):
            if isinstance(table.need, Choose) and table.state.round >= 3:
                seat = table.need.seats[0]
                view = table.view(seat)
                world = bots.imagine(game, view, random.Random(seed))
                assert world.view(seat) == view
                assert all(world.view(other).moves for other in world.need.seats)
                differ += world.faces != table.faces
    assert differ


def test_where_no_believable_world_is_found_the_thinker_still_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others asked for a move that they cannot make in any imagined world count as out there, and it goes on."""
    monkeypatch.setattr(bots, "RETRIES", 1)
    game = find("2win")
    stuck = 0
    for seed in range(40):
        for table in every_game.steps(game, 4, seed):
            if isinstance(table.need, Choose) and table.state.round >= 4:
                seat = table.need.seats[0]
                view = table.view(seat)
                world = bots.imagine(game, view, random.Random(seed))
                if all(world.view(other).moves for other in table.need.seats):
                    continue
                stuck += 1
                assert 0.0 <= bots.outcome(world, seat, view.moves[0]) <= 1.0
    assert stuck


def wins(game: Game[Any], players: int, better: str, worse: str, games: int) -> float:
    """The share of wins of one level against another, seats alternating and rotated, ties split."""
    total = 0.0
    for index in range(games):
        chance = random.Random(f"levels/{index}")
        seats = [better if (seat + index) % 2 == 0 else worse for seat in range(players)]
        over = game.need(play_game(game, players, [bot(level, game, chance) for level in seats], chance))
        assert isinstance(over, Over)
        total += sum(seats[seat] == better for seat in over.ranking[0]) / len(over.ranking[0])
    return total / games


@pytest.mark.parametrize("game", [find("2win"), find("2sans3")], ids=lambda game: game.id)
def test_greedy_beats_random(game: Game[Any]) -> None:
    """Far beyond chance: at least four games in five."""
    assert wins(game, 4, "greedy", "random", 100) >= 0.8


def test_greedy_games_of_2_win_are_neither_short_nor_tame() -> None:
    """It weighs the cards a number earns against how far it climbs: 6.5 to 9.5 rounds, 15 to 40 % fall together."""
    game = find("2win")
    rounds, together = [], 0
    for seed in range(200):
        chance = random.Random(f"greedy/{seed}")
        final = play_game(game, 4, bot("greedy", game, chance), chance)
        rounds.append(final.round)
        together += game.need(final).reason.name != "last_player"
    assert 6.5 <= sum(rounds) / len(rounds) <= 9.5
    assert 0.15 <= together / len(rounds) <= 0.4


def test_of_equal_moves_chance_takes_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """No favourite among moves that look the same: the first in the list is not always the one."""
    game = find("2win")
    monkeypatch.setattr(type(game), "weigh", lambda self, view, move: 0.0)
    view = first_choice(game, 2, 3)
    greedy = bot("greedy", game, random.Random(2))
    assert len({greedy(view) for _ in range(200)}) > len(view.moves) // 2


def test_a_level_nobody_has_is_an_error() -> None:
    """`LEVELS` lists all there are."""
    with pytest.raises(KeyError):
        bot("genius", find("2win"), random.Random(0))
    assert list(LEVELS) == ["random", "greedy", "thinker"]
