"""Arguments that several commands share, checked here: what passes can be played.

Law: asks the shelf and the game what there is; knows no game by name.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from cli.output import WrongUse
from cli.words import sentence
from engine.bots import LEVELS
from engine.game import BadSetup, Game
from engine.shelf import all_games, find

#: What is played where nothing is said: a full table where more than four fit makes a long first game.
USUAL_PLAYERS = 4


def at_least(least: int) -> Callable[[str], int]:
    """A whole number from `least` up, for `add_argument(type=...)`."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"`{text}` is not a whole number") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    return number


def add_game(parser: argparse.ArgumentParser, **more: Any) -> None:
    ids = ", ".join(game.id for game in all_games())
    parser.add_argument("game", metavar="GAME", help=f"which game: {ids}", **more)


def add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, metavar="N", help=f"how many play (default: up to {USUAL_PLAYERS})")


def add_bots(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bots",
        type=levels,
        default=("greedy",),
        metavar="LEVEL[,LEVEL…]",
        help=f"the bots' levels, going round the seats: {', '.join(LEVELS)} (default: greedy)",
    )


def add_seed(parser: argparse.ArgumentParser, default: int | None = 0) -> None:
    note = "another one each time" if default is None else default
    parser.add_argument(
        "--seed", type=int, default=default, metavar="S", help=f"the same seed gives the same games (default: {note})"
    )


def game_and_players(name: str, players: int | None) -> tuple[Game[Any], int]:
    """The game of this name and how many play it. Raises WrongUse with the sentence that explains what is possible."""
    try:
        game = find(name)
        chosen = min(USUAL_PLAYERS, game.seats[-1]) if players is None else players
        game.start(chosen, {})
    except BadSetup as error:
        raise WrongUse(sentence(error.note)) from None
    return game, chosen


def levels(text: str) -> tuple[str, ...]:
    """Bot levels separated by commas, for `add_argument(type=...)`."""
    chosen = tuple(part.strip() for part in text.split(","))
    for level in chosen:
        if level not in LEVELS:
            raise argparse.ArgumentTypeError(f"there is no bot level `{level}`; the levels are {', '.join(LEVELS)}")
    return chosen
