"""`nodealer playthrough GAME`: one whole game between bots, every hand and every choice, printed to be read.

With the same seed, players and bots it is the first game that `nodealer simulate` plays.
"""

from __future__ import annotations

import argparse
from typing import Any

from cli.arguments import add_bots, add_game, add_players, add_seed, game_and_players
from cli.output import DONE


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "playthrough",
        help="print one whole game between bots",
        description="Print one whole game between bots: every hand, every choice and what came of it.",
    )
    add_game(parser)
    add_players(parser)
    add_bots(parser)
    add_seed(parser)


def run(args: argparse.Namespace) -> int:
    from cli.simulation import Plan
    from engine.playthrough import playthrough

    game, players = game_and_players(args.game, args.players)
    plan = Plan(game.id, players, args.bots, args.seed)
    for line in playthrough(game, players, plan.choosers(0), plan.cards(0)):
        print(line)
    return DONE
