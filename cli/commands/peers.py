"""`nodealer peers`: who is on the network."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from cli.looking_arguments import add_looking

if TYPE_CHECKING:
    from p2p.net.lan import Lan


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "peers",
        help="show who is on the network",
        description="Look around for a few seconds and show who is there, with the words of each key: if both sides "
        "read the same words to each other, nobody is in between.",
    )
    add_looking(parser)


def run(args: argparse.Namespace) -> int:
    from cli import looking

    return looking.look(args, "looking for peers", lambda lan: _report(args, lan))


def _report(args: argparse.Namespace, lan: Lan) -> int:
    from cli.looking import told_of, troubles
    from cli.output import DONE, emit, narrate

    peers = sorted((told_of(peer, lan) for peer in lan.peers()), key=lambda told: (told["role"], told["name"]))
    if args.json:
        emit({"peers": peers, "troubles": troubles(lan), "foreign": lan.foreign, "seconds": args.seconds})
        return DONE
    for told in peers:
        extra = "  (only looking)" if told["role"] == "look" else ""
        known = "  NAME KNOWN WITH ANOTHER KEY" if told["trust"] == "changed" else ""
        print(f"{told['name']:24}  {told['words']:44}  {told['address']}{extra}{known}")
    for trouble in troubles(lan):
        narrate(trouble["sentence"])
    if not peers:
        narrate("Nobody was seen. `nodealer doctor` looks for the reason.")
    return DONE
