"""`nodealer demo [GAME]`: peers as separate processes find each other, play a whole game, and the log is verified."""

from __future__ import annotations

import argparse
import time
from typing import Any

from cli.arguments import add_game, add_players, add_seed, game_and_players
from cli.output import DONE, FAILED, add_json, emit, narrate
from engine.shelf import all_games


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "demo",
        help="watch peers find each other and play a whole game on this machine",
        description="Bots in separate processes find each other by beacon, play a whole game over real sockets, and "
        "the log is verified. Nothing leaves this machine. Exit code 0: played, and everything in the log holds.",
    )
    add_game(parser, nargs="?", default=all_games()[-1].id)
    add_players(parser)
    add_seed(parser, default=None)
    parser.add_argument("--home", metavar="FOLDER", help="where the log is kept (default: NODEALER_HOME)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from cli.demo import Demo, verified
    from cli.peer_arguments import use_home

    began = time.monotonic()
    use_home(args)
    game, players = game_and_players(args.game, args.players)
    demo = Demo(game, players, args.seed)
    heard = demo.play()
    told = heard.results[demo.names[0]]
    fine = told["log"] is not None and verified(told["log"], heard)
    seconds = time.monotonic() - began
    narrate(f"The log holds: {told['log']}" if fine else f"The log does NOT hold: {told['log']}")
    result = {
        "game": game.id,
        "players": players,
        "result": told["result"],
        "rounds": told["rounds"],
        "log": told["log"],
        "verified": fine,
        "setup_ms": round(1000 * (max(heard.dealt.values()) - heard.first_beacon)),
        "wall_ms": round(1000 * seconds),
        "bytes_sent": sum(row["bytes_sent"] for row in heard.results.values()),
    }
    if args.json:
        emit(result)
    else:
        print(
            f"{players} played {game.id} in {seconds:.1f} s; hands dealt after {result['setup_ms'] / 1000:.1f} s; "
            f"{result['bytes_sent'] / 1000:,.0f} kB sent; log verified: {'yes' if fine else 'no'}."
        )
    return DONE if fine else FAILED
