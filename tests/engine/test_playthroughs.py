"""Whole games as text, checked in and compared: a change of the rules shows up as a change in a game one can read.

`python tests/engine/test_playthroughs.py` writes them anew.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import every_game
import pytest
from two_win_table import thrifty

from engine.dealer import play_game
from engine.game import Move, View
from engine.playthrough import playthrough
from engine.shelf import find

FOLDER = Path(__file__).parents[1] / "playthroughs"


def first(view: View) -> Move:
    return view.moves[0]


def drawing(view: View) -> Move:
    """Ladder: the first card that fits, and a new one for it."""
    return view.moves[1]


def eager(view: View) -> Move:
    """Takes the most cards it can."""
    return max(view.moves, key=lambda move: (len(view.outcome(dict(view.hand)[move.slots[0]]).takes), move))


#: file -> game, players, who plays, seed, and what it is there to show
GOLDEN: dict[str, tuple[str, int, Callable[[View], Move], int, tuple[str, ...]]] = {
    "2win-two-players": ("2win", 2, thrifty, 0, ("draw_a", "draw_b", "draw_c", "draw_d", "cannot")),
    "2win-last-player": ("2win", 4, thrifty, 1, ("out_no_card", "Leave", "over: last_player")),
    "2win-one-card": ("2win", 4, thrifty, 4, ("out_one_card",)),
    "2win-most-cards": ("2win", 3, thrifty, 0, ("over: most_cards",)),
    "2win-lowest-number": ("2win", 3, thrifty, 15, ("over: lowest_number",)),
    "2win-shared": ("2win", 3, thrifty, 106, ("over: shared",)),
    "2win-pile-rebuilt": ("2win", 6, thrifty, 9, ("- reshuffled count=",)),
    "2sans3-two-players": ("2sans3", 2, eager, 2, ("flipped", "removed", "bonus seat=", "over: most_points")),
    "2sans3-shared": ("2sans3", 4, first, 133, ("took", "last_turn", "over: shared_points")),
    "ladder": (
        "ladder",
        4,
        drawing,
        1084,
        ("Shuffle 3 face-down and 9 face-up", "Claim", "Leave", "over: last_on_the_ladder"),
    ),
}


def text(name: str) -> str:
    game, players, choose, seed, _ = GOLDEN[name]
    lines = playthrough(find(game, every_game.ALL_FOLDERS), players, choose, random.Random(seed))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_game_is_played_as_ever(name: str) -> None:
    """The game comes out line by line as it was checked in, and shows what it was chosen for."""
    golden = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert text(name) == golden
    for sign in GOLDEN[name][4]:
        assert sign in golden


def test_every_file_there_is_compared() -> None:
    """No forgotten file lies among the golden games."""
    assert {path.stem for path in FOLDER.iterdir()} == set(GOLDEN)


@pytest.mark.parametrize("game", every_game.GAMES, ids=lambda game: game.id)
def test_a_playthrough_is_the_game_it_tells(game) -> None:
    """Telling changes nothing: it ends as the same game does that is only played, and every seat has its rank."""
    for players in game.seats:
        lines = list(playthrough(game, players, every_game.any_move(random.Random(2)), random.Random(3)))
        over = game.need(play_game(game, players, every_game.any_move(random.Random(2)), random.Random(3)))
        ranks = [line for line in lines if line[3:4].isdigit() and ". seat " in line]
        assert lines[0] == f"{game.id}, {players} players"
        assert [line.split(". seat ")[1] for line in ranks] == [
            " ".join(str(seat) for seat in group) for group in over.ranking
        ]


def test_one_player_per_seat_can_be_given() -> None:
    """As in `play_game`, each seat may have its own player."""
    toy = find("ladder", every_game.ALL_FOLDERS)
    alike = list(playthrough(toy, 2, first, random.Random(1)))
    assert list(playthrough(toy, 2, [first, first], random.Random(1), {"hand": 3})) == alike
    assert list(playthrough(toy, 2, [first, first], random.Random(1), {"hand": 4})) != alike


if __name__ == "__main__":
    for one in GOLDEN:
        (FOLDER / f"{one}.txt").write_text(text(one), encoding="utf-8")
