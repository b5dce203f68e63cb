"""`nodealer play [GAME]`: a game against bots, line by line.

One line of stdin per decision. Choice 1 is always a legal move that goes on with the game; the end of input is a
goodbye.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Sequence
from random import Random
from typing import Any

from cli.arguments import add_game, add_seed, at_least, game_and_players
from cli.output import DONE, narrate
from cli.words import readable, sentence
from engine.bots import LEVELS, bot
from engine.dealer import play_game
from engine.game import Fact, Game, Move, Need, Note, Over, View
from engine.shelf import all_games

ME = 0
NAMES = ("You", "Ada", "Blaise", "Carl", "Dorothy", "Emmy")
BOTS = 2


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "play",
        help="play against bots",
        description="Play against bots in this terminal. Type the number of your choice; Ctrl-D ends the game.",
    )
    add_game(parser, nargs="?", default=all_games()[-1].id)
    parser.add_argument("--bots", type=at_least(1), default=BOTS, metavar="N", help=f"how many bots (default: {BOTS})")
    parser.add_argument("--level", choices=tuple(LEVELS), default="greedy", help="how well they play (default: greedy)")
    add_seed(parser, default=None)


def run(args: argparse.Namespace) -> int:
    game, players = game_and_players(args.game, 1 + args.bots)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    chance = Random(seed)
    bots = [bot(args.level, game, Random(f"{seed}/{seat}")) for seat in range(1, players)]
    print(f"{game.id}, you against {', '.join(NAMES[1:players])} ({args.level}). The seed is {seed}.")

    def tell(notes: Sequence[Note]) -> None:
        for news in notes:
            print(sentence(news, NAMES.__getitem__, game.face), flush=True)

    def watch(before: Any, need: Need, fact: Fact, after: Any) -> None:
        tell(after.news)

    try:
        final = play_game(game, players, [lambda view: ask(game, view), *bots], chance, watch=watch)
    except EOFError:
        print("Goodbye.")
        return DONE
    over = game.need(final)
    assert isinstance(over, Over)
    tell((over.reason, *over.details))
    return DONE


def ask(game: Game[Any], view: View) -> Move:
    """The move this person chooses. What looks best at a glance comes first; an empty line takes it."""
    moves = sorted(view.moves, key=lambda move: -game.weigh(view, move))
    print(f"Your hand: {'  '.join(game.face(card) for _, card in view.hand)}")
    for number, move in enumerate(moves, 1):
        print(f"  {number}  {worded(game, view, move)}")
    while True:
        print(f"Your choice, 1 to {len(moves)}: ", end="", flush=True)
        answer = input().strip() or "1"
        if answer.isdecimal() and 1 <= int(answer) <= len(moves):
            return moves[int(answer) - 1]
        narrate(f"`{answer}` is not a number from 1 to {len(moves)}.")


def worded(game: Game[Any], view: View, move: Move) -> str:
    hand = dict(view.hand)
    words = [readable(move.kind), *(game.face(hand[slot]) for slot in move.slots), *map(str, move.values)]
    return " ".join(words)
