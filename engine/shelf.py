"""Where the games are found: every complete game in a folder of games, with nothing to register.

Law: knows folders and the contract, and no game by name.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import cache
from typing import Any

import engine.games
from engine.game import BadSetup, Game, note

#: The games that come with the engine. Whoever has more passes `(*FOLDERS, another)`.
FOLDERS: tuple[str, ...] = tuple(engine.games.__path__)


def all_games(folders: Sequence[str] = FOLDERS) -> tuple[Game[Any], ...]:
    """Every game in these folders, by id."""
    return _games(tuple(folders))


def find(name: str, folders: Sequence[str] = FOLDERS) -> Game[Any]:
    """The game with this id. Raises BadSetup if there is none."""
    games = all_games(folders)
    for game in games:
        if game.id == name:
            return game
    raise BadSetup(note("unknown_game", game=name, games=tuple(game.id for game in games)))


@cache
def _games(folders: tuple[str, ...]) -> tuple[Game[Any], ...]:
    games: dict[str, Game[Any]] = {}
    for folder in folders:
        if folder not in engine.games.__path__:
            engine.games.__path__.append(folder)  # so that a game is imported the same way wherever its file lies
        for found in pkgutil.iter_modules([folder]):
            module = importlib.import_module(f"{engine.games.__name__}.{found.name}")
            for kind in module.__dict__.values():
                if _is_complete_game(kind) and kind.__module__ == module.__name__:
                    if kind.id in games:
                        raise BadSetup(note("same_game_twice", game=kind.id))
                    games[kind.id] = kind()
    return tuple(games[name] for name in sorted(games))


def _is_complete_game(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Game) and not getattr(kind, "__abstractmethods__", ())
