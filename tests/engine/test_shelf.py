"""Games are found by themselves, by the folders they lie in."""

from __future__ import annotations

from pathlib import Path

import every_game
import pytest

import engine.games
from engine.game import BadSetup
from engine.games.two_sans_three import TwoSansThree
from engine.games.two_win import TwoWin
from engine.shelf import FOLDERS, all_games, find


def test_the_engines_own_games() -> None:
    """`2win` and `2sans3` are on the shelf, in the order of their ids, and nothing else is."""
    assert [type(game) for game in all_games()] == [TwoSansThree, TwoWin]
    assert type(find("2win")) is TwoWin
    assert find("2win") is find("2win")


def test_another_folder_adds_its_games() -> None:
    """One file in a folder is enough; who does not name the folder does not get it."""
    assert find("ladder", every_game.ALL_FOLDERS).id == "ladder"
    with pytest.raises(BadSetup):
        find("ladder")
    assert [game.id for game in all_games(every_game.ALL_FOLDERS[1:])] == ["ladder"]


@pytest.mark.parametrize("name", ["", "2Win", "chess", "two_win", None, 5])
def test_an_unknown_game_is_a_bad_setup(name: object) -> None:
    """The error says which games there are."""
    with pytest.raises(BadSetup) as refused:
        find(name)
    assert refused.value.note.name == "unknown_game"
    assert refused.value.note["games"] == ("2sans3", "2win")


def test_two_games_with_one_id_are_refused(tmp_path: Path) -> None:
    """Nobody can put a second 2 WIN on the shelf unseen; helpers and bases in a file are no games."""
    (tmp_path / "twice_two_win.py").write_text(
        "from engine.games.two_win import TwoWin\nclass Mine(TwoWin):\n    id = '2win'\n"
    )
    with pytest.raises(BadSetup) as refused:
        all_games((*FOLDERS, str(tmp_path)))
    assert (refused.value.note.name, refused.value.note["game"]) == ("same_game_twice", "2win")
    engine.games.__path__.remove(str(tmp_path))


def test_what_is_imported_or_incomplete_is_no_game_of_that_file(tmp_path: Path) -> None:
    """Only complete games that a file defines itself are found in it."""
    (tmp_path / "only_a_base.py").write_text(
        "from engine.game import Game\nfrom engine.games.two_win import TwoWin\nclass Base(Game):\n    pass\n"
    )
    assert all_games((str(tmp_path),)) == ()
    engine.games.__path__.remove(str(tmp_path))
