"""`nodealer bench table`: what a whole table costs: the set-up, a round, its log, and checking the log.

One CPU plays all seats in memory. Times are given as ratios: to the cost of the group operations in them, or, for
checking a log, to what one peer spent on playing that game.
"""

from __future__ import annotations

import argparse
from typing import Any

from cli.arguments import add_game, add_players, add_seed, at_least, game_and_players
from cli.output import DONE, Progress, add_json, emit

GAME, PLAYERS = "2win", 6


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "table",
        help="a whole table: set-up, a round, the log, checking it",
        description="What a whole table costs, all seats played by one CPU in memory: set-up, a round, the size of the "
        "log, and checking it. Best of several runs of the same game.",
    )
    add_game(parser, nargs="?", default=GAME)
    add_players(parser)
    parser.add_argument("--games", type=at_least(1), default=20, metavar="K", help="logs to weigh (default: 20)")
    parser.add_argument("--runs", type=at_least(1), default=3, metavar="N", help="runs that are timed (default: 3)")
    add_seed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from cli.bench_table import measure

    most = PLAYERS if args.players is None and args.game == GAME else args.players
    game, players = game_and_players(args.game, most)
    with Progress(args.runs + 1 + args.games, "games") as progress:
        result = measure(game, players, args.games, args.runs, args.seed, progress.advance)
    if args.json:
        emit(result)
    else:
        show(result)
    return DONE


def show(result: dict[str, Any]) -> None:
    print(f"{result['game']}, {result['players']} seats in one process, seed {result['seed']}")
    print(f"one multiplication (1 M): {result['mul_seconds'] * 1e6:.1f} µs")
    print()
    print(f"{'CPU of all seats':<26} {'ms':>8} {'group operations alone':>24} {'ratio':>7}")
    for name, figures in (("set-up, to hands dealt", result["setup"]), ("a round, on average", result["round"])):
        print(
            f"{name:<26} {figures['seconds'] * 1e3:>8.0f} {figures['group_seconds'] * 1e3:>24.0f} "
            f"{figures['ratio']:>7.2f}"
        )
    print(f"{'the costliest round':<26} {'':>8} {'':>24} {result['worst_round_ratio']:>7.2f}")
    print()
    print(
        f"one peer played it in {result['play_seconds'] * 1e3:.0f} ms of CPU, its log is checked in "
        f"{result['verify_seconds'] * 1e3:.0f} ms: {result['verify_ratio']:.2f} of that"
    )
    print(
        f"logs of {result['log_games']} games: {result['log_bytes_mean'] / 1e3:.0f} kB on average, "
        f"{result['log_bytes_most'] / 1e3:.0f} kB at most"
    )
