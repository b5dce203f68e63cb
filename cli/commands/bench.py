"""`nodealer bench WHAT`: how fast this machine is at what the program does, in units of its own building blocks."""

from __future__ import annotations

import argparse
from typing import Any

from cli.benches import crypto, table

BENCHES = {"crypto": crypto, "table": table}


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "bench",
        help="measure how fast this machine is at it",
        description="Measure how fast this machine is at what the program does. Each figure stands beside the cost of "
        "the machine's own building blocks in the same run, so that different machines compare.",
    )
    benches = parser.add_subparsers(title="what to measure", metavar="WHAT", dest="bench", required=True)
    for name, bench in BENCHES.items():
        bench.add(benches)
        benches.choices[name].set_defaults(measure=bench.run)


def run(args: argparse.Namespace) -> int:
    code: int = args.measure(args)
    return code
