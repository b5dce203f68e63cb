"""`nodealer simulate GAME`: many games between bots; who wins, how long they last, how they end, how fast it goes."""

from __future__ import annotations

import argparse
import time
from typing import Any

from cli.arguments import add_bots, add_game, add_players, add_seed, at_least, game_and_players
from cli.output import DONE, Progress, add_json, emit
from cli.words import readable


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "simulate",
        help="play many games between bots and count what came of them",
        description="Play many games between bots and count what came of them. Bot levels go round the seats and move "
        "on by one seat with each game, so that no level owes its wins to a seat.",
    )
    add_game(parser)
    add_players(parser)
    parser.add_argument("--games", type=at_least(1), default=1000, metavar="K", help="how many games (default: 1000)")
    add_bots(parser)
    add_seed(parser)
    parser.add_argument("--jobs", type=at_least(1), default=1, metavar="J", help="how many processes (default: 1)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from cli.simulation import Plan, Tally, batches, report

    game, players = game_and_players(args.game, args.players)
    plan = Plan(game.id, players, args.bots, args.seed)
    tally = Tally()
    start = time.perf_counter()
    with Progress(args.games, "games") as progress:
        for part in batches(plan, args.games, args.jobs):
            tally.add(part)
            progress.advance(part.games)
    speed = args.games / (time.perf_counter() - start)
    result = {**report(plan, tally), "jobs": args.jobs, "games_per_second": round(speed, 1)}
    if args.json:
        emit(result)
    else:
        show(result)
    return DONE


def show(result: dict[str, Any]) -> None:
    """The same result as a page to read."""
    print(f"{result['game']}: {result['games']} games of {result['players']} players, seed {result['seed']}")
    print(f"bots: {', '.join(result['bots'])}")
    print()
    print("wins                  share  of the seats")
    for level, share in result["win_share"].items():
        print(f"  {level:<18} {share:>6.1%}        {result['fair_share'][level]:>6.1%}")
    for seat, share in enumerate(result["seat_share"], 1):
        print(f"  seat {seat:<13} {share:>6.1%}")
    print()
    unit = "rounds" if "round" in result["events"] else "turns per seat"
    print(f"length: {result['mean_length']:.2f} {unit} on average, {result['shortest']:g} to {result['longest']:g}")
    print()
    print("how games end")
    for name, share in sorted(result["endings"].items(), key=lambda item: -item[1]):
        print(f"  {readable(name):<18} {share:>6.1%}")
    print()
    print("what happens       per game   in games")
    for name, event in result["events"].items():
        print(f"  {readable(name):<16} {event['per_game']:>8.2f}    {event['games']:>6.1%}")
    for detail, by_level in result["details"].items():
        print()
        print(f"{readable(detail)}, on average")
        for level, values in by_level.items():
            means = ", ".join(f"{readable(name)} {mean:.2f}" for name, mean in values.items())
            print(f"  {level + ':' if level else ''} {means}")
    print()
    print(f"{result['games_per_second']:.0f} games per second with {result['jobs']} process(es)")
