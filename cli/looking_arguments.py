"""Options of the commands that only look at the network.

Law: parsing only; imports nothing that opens a socket, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse

from cli.output import add_json
from cli.peer_arguments import add_network, add_profile

#: What finding everybody takes on an ordinary network, and a little more for those whose device sleeps.
SECONDS = 3.0
MOST_SECONDS = 3600.0


def add_looking(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=_seconds, default=SECONDS, metavar="S", help=f"how long to look (default: {SECONDS:.0f})"
    )
    add_profile(parser)
    add_network(parser)
    add_json(parser)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no number of seconds") from None
    if not 0 < value <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and {MOST_SECONDS:.0f} seconds")
    return value
