"""`nodealer verify LOG`: re-checks a saved game from its bytes alone and says who played, what came of it, who cheated.

Exit 0: everything in it holds (a log may end in the middle of a game). 1: a seat broke a rule, or the file was altered.
2: this is no log, or not one that can be verified here.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cli.output import DONE, FAILED, Progress, WrongUse, add_json, emit


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "verify",
        help="check a saved game, and name whoever cheated",
        description="Check a saved game from its bytes alone: every signature, digest, proof, commitment and move. "
        "Exit code 0: all of it holds; 1: somebody broke a rule, or the file was altered; 2: not a log.",
    )
    parser.add_argument("log", metavar="LOG", type=Path, help="the file of a saved game")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from cli.verdict import as_data, sentences, why_not
    from engine.shelf import find
    from p2p.verify import NotALog, messages_of, verify_log

    try:
        data = args.log.read_bytes()
    except OSError as error:
        raise WrongUse(f"{args.log} cannot be read: {error.strerror}.") from None
    try:
        with Progress(len(messages_of(data)), "messages checked") as progress:
            verdict = verify_log(data, find, progress.advance)
    except NotALog as error:
        raise WrongUse(f"{args.log} cannot be verified: {why_not(error)}") from None
    if args.json:
        emit(as_data(verdict))
    else:
        for line in sentences(verdict):
            print(line)
    return DONE if verdict.ok else FAILED
