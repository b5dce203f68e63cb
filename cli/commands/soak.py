"""`nodealer soak`: many simulated tables under faults; counts what held and prints the seed of whatever did not."""

from __future__ import annotations

import argparse
import time
from typing import Any

from cli.arguments import add_seed, at_least
from cli.output import DONE, FAILED, Progress, WrongUse, add_json, emit, narrate
from cli.words import sentence
from engine.bots import greedy_bot, random_bot
from engine.game import BadSetup, Game
from engine.shelf import all_games, find
from p2p.net.fuzz import Findings, fuzz
from p2p.net.soak import FAULTS, USUAL, Plan, soak
from p2p.net.verdict import COUNTS, Tally, Verdict


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "soak",
        help="play many tables over a simulated network that fails, and check every promise",
        description="Play many whole tables in memory, over a simulated network that fails, and check what is "
        "promised: every table finishes, all peers hold identical logs and states, no card leaks to all others "
        "pooled, and nobody is blamed but who cheats. Every failure is printed with the seed that repeats it.",
        epilog="Seats of one table share this process. In three tables of four, what one seat has verified another "
        "does not verify again; in the fourth each verifies everything itself, as real tables always do.",
    )
    parser.add_argument("--game", metavar="GAME", help="only this game (default: all)")
    parser.add_argument("--players", type=at_least(1), metavar="N", help="only so many players (default: all numbers)")
    parser.add_argument("--tables", type=at_least(1), default=100, metavar="K", help="how many tables (default: 100)")
    add_seed(parser)
    parser.add_argument(
        "--faults",
        type=faults,
        default=USUAL,
        metavar="LIST",
        help=f"what goes wrong, separated by commas: {', '.join(FAULTS)}, or none (default: {','.join(USUAL)})",
    )
    parser.add_argument(
        "--fuzz",
        type=at_least(1),
        metavar="K",
        help="instead: throw K messages, arbitrary, changed, and changed and signed again, at tables under way",
    )
    parser.add_argument("--jobs", type=at_least(1), default=1, metavar="J", help="how many processes (default: 1)")
    add_json(parser)


def faults(text: str) -> tuple[str, ...]:
    """Names of faults separated by commas, for `add_argument(type=...)`. Their order does not matter."""
    chosen = {part.strip() for part in text.split(",")} - {"none"}
    for name in chosen:
        if name not in FAULTS:
            raise argparse.ArgumentTypeError(f"there is no fault `{name}`; the faults are {', '.join(FAULTS)}")
    return tuple(name for name in FAULTS if name in chosen)


def kinds(name: str | None, players: int | None) -> tuple[tuple[Game[Any], int], ...]:
    """Games with numbers of players, as asked for."""
    try:
        games = all_games() if name is None else (find(name),)
        if players is not None and not any(players in game.seats for game in games):
            games[0].start(players, {})
    except BadSetup as error:
        raise WrongUse(sentence(error.note)) from None
    return tuple((game, seats) for game in games for seats in game.seats if players in (None, seats))


def run(args: argparse.Namespace) -> int:
    return run_fuzz(args) if args.fuzz else run_tables(args)


def run_fuzz(args: argparse.Namespace) -> int:
    findings = Findings()
    start = time.perf_counter()
    with Progress(args.fuzz, "cases") as progress:
        for part in fuzz(kinds(args.game, args.players), random_bot, args.fuzz, args.seed, args.jobs):
            findings.add(part)
            progress.advance(part.cases)
            for failure in part.failures:
                narrate(failure)
    result = {
        "cases": findings.cases,
        "signed": findings.signed,
        "faults": dict(sorted(findings.faults.items())),
        "stages": dict(sorted(findings.stages.items())),
        "failures": len(findings.failures),
        "seed": args.seed,
        "jobs": args.jobs,
        "cases_per_second": round(findings.cases / (time.perf_counter() - start)),
    }
    if args.json:
        emit(result)
    else:
        print(f"{result['cases']} cases, {result['signed']} of them signed by a seat of the table, seed {args.seed}")
        for name, what in (("stages", "while waiting for"), ("faults", "faults found")):
            print(f"{what}: {', '.join(f'{count} x {one}' for one, count in result[name].items())}")
        print(f"failures: {result['failures']}")
        print(f"{result['cases_per_second']} cases per second with {args.jobs} process(es)")
    return FAILED if findings.failures else DONE


def run_tables(args: argparse.Namespace) -> int:
    plan = Plan(kinds(args.game, args.players), (random_bot, greedy_bot), args.faults)
    tally = Tally()
    start = time.perf_counter()
    with Progress(args.tables, "tables") as progress:
        for verdict in soak(plan, args.tables, args.seed, args.jobs):
            tally.add(verdict)
            progress.advance()
            if not verdict.good:
                complain(verdict, args)
    speed = args.tables / (time.perf_counter() - start)
    failures = [{"seed": verdict.seed, "repeat": repeat(verdict, args)} for verdict in tally.failures]
    result = {
        **tally.report(),
        "failures": failures,
        "seed": args.seed,
        "faults": list(args.faults),
        "jobs": args.jobs,
        "games_per_second": round(speed, 3),
    }
    if args.json:
        emit(result)
    else:
        show(result)
    return FAILED if tally.failures else DONE


def repeat(verdict: Verdict, args: argparse.Namespace) -> str:
    """The command that plays exactly this table again."""
    chosen = [f"--game {args.game}"] if args.game else []
    chosen += [f"--players {args.players}"] if args.players else []
    chosen += [f"--faults {','.join(args.faults) or 'none'}"]
    return " ".join(["nodealer soak --tables 1 --seed", str(verdict.seed), *chosen])


def complain(verdict: Verdict, args: argparse.Namespace) -> None:
    narrate(f"{verdict.game} with {verdict.players} players failed. To repeat it: {repeat(verdict, args)}")
    for trouble in verdict.trouble:
        narrate(f"  {trouble}")


def show(result: dict[str, Any]) -> None:
    """The same result as a page to read."""
    print(f"{result['tables']} tables, seed {result['seed']}, faults: {', '.join(result['faults']) or 'none'}")
    print(f"  of {', '.join(f'{count} x {kind}' for kind, count in result['kinds'].items())}")
    print()
    for name in COUNTS:
        print(f"  {name:<12} {result[name]:>7}")
    print()
    print(f"{result['switched_off']} seats that were out switched off while the others played on")
    for name, what in (("gone", "seats gone for good"), ("crashes", "machines stopped"), ("cheats", "lies told")):
        if result[name]:
            print(f"{what}: {', '.join(f'{count} x {one}' for one, count in result[name].items())}")
    kilobytes, steps = (result[name] / result["tables"] for name in ("log_bytes", "steps"))
    print(f"{kilobytes / 1000:.0f} kB and {steps:.0f} steps per log")
    print(f"all logs together: {result['digest'][:16]}")
    print(f"{result['games_per_second']:.2f} tables per second with {result['jobs']} process(es)")
