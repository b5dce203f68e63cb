"""`nodealer bench crypto`: time, group operations and bytes of every card operation.

Each line tells the best time of several runs, the same in multiplications (of a point by a number, measured in this
run), and the ratio to what its group operations alone cost when they are done one by one: the rest is Python.
"""

from __future__ import annotations

import argparse
from typing import Any

from cli.arguments import at_least
from cli.output import DONE, Progress, add_json, emit


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "crypto",
        help="every card operation: time, group operations, bytes",
        description="Every card operation: time, group operations, bytes. Best of several runs, one thread.",
    )
    parser.add_argument("--runs", type=at_least(1), default=5, metavar="N", help="runs of each operation (default: 5)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from cli.bench_crypto import measure, operations

    jobs = operations()
    with Progress(len(jobs) * args.runs, "runs") as progress:
        result = measure(jobs, args.runs, progress.advance)
    if args.json:
        emit(result)
    else:
        show(result)
    return DONE


def show(result: dict[str, Any]) -> None:
    print(f"one multiplication (1 M): {result['mul_seconds'] * 1e6:.1f} µs; in M:", end=" ")
    print(", ".join(f"{name} {cost / result['mul_seconds']:.2f}" for name, cost in result["unit_seconds"].items()))
    print()
    print(f"{'operation':<30} {'ms':>8} {'M':>8} {'group ops':>10} {'÷ their cost':>13} {'bytes':>8}")
    for name, figures in result["operations"].items():
        print(
            f"{name:<30} {figures['seconds'] * 1e3:>8.2f} {figures['mul_equivalents']:>8.1f} "
            f"{figures['group_ops']:>10,.0f} {figures['ratio']:>13.2f} {figures['bytes']:>8,}"
        )
    print()
    for name, figures in result["operations"].items():
        print(f"{name}: {figures['what']}")
