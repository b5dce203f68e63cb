"""Prints one digest per game over every state of so many seeded games: `python tests/engine/fingerprint.py 200`."""

from __future__ import annotations

import hashlib
import random
import sys
from typing import Any

import every_game

from engine.dealer import play_game
from engine.game import Fact, Need, canonical


def digest(game: Any, games: int) -> str:
    states = hashlib.sha256()

    def watch(state: Any, need: Need, fact: Fact, after: Any) -> None:
        states.update(canonical(after))

    for seed in range(games):
        players = game.seats[seed % len(game.seats)]
        chance = random.Random(seed)
        play_game(game, players, every_game.any_move(chance), chance, watch=watch)
    return states.hexdigest()


if __name__ == "__main__":
    for one in every_game.GAMES:
        print(one.id, sys.argv[1], digest(one, int(sys.argv[1])))
