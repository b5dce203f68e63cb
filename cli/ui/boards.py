"""Which board draws which game."""

from __future__ import annotations

from collections.abc import Mapping

from cli.ui.board import Board
from cli.ui.board_two_sans_three import TwoSansThreeBoard
from cli.ui.board_two_win import TwoWinBoard
from cli.ui.look import Look
from cli.ui.scene import Scene

BOARDS: Mapping[str, type[Board]] = {"2win": TwoWinBoard, "2sans3": TwoSansThreeBoard}


def board(scene: Scene, look: Look) -> Board:
    """The board of this scene's game; one that shows any game, if nobody has drawn its own."""
    return BOARDS.get(scene.game.id, Board)(scene, look)
