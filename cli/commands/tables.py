"""`nodealer tables`: which games are open or being played on the network."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from cli.looking_arguments import add_looking

if TYPE_CHECKING:
    from p2p.net.lan import Lan


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "tables",
        help="show the tables on the network",
        description="Look around for a few seconds and show every table that somebody announces, with its game, its "
        "seats and whether it is open. `nodealer join --table ID` sits down.",
    )
    add_looking(parser)


def run(args: argparse.Namespace) -> int:
    from cli import looking

    return looking.look(args, "looking for tables", lambda lan: _report(args, lan))


def _report(args: argparse.Namespace, lan: Lan) -> int:
    from cli.looking import told_of
    from cli.output import DONE, emit, narrate

    found: list[dict[str, Any]] = [{**notice, "peer": told_of(peer, lan)} for peer, notice in lan.tables()]
    if args.json:
        emit({"tables": found, "peers": len(lan.peers()), "seconds": args.seconds})
        return DONE
    for table in found:
        taken = f"{table.get('taken', '?')}/{table.get('seats', '?')}"
        host = table.get("host", table["peer"]["name"])
        print(f"{table['id']:20}  {table.get('game', '?'):8}  {taken:6}  {table.get('state', '?'):8}  {host}")
    if not found:
        narrate("No table was found. `nodealer host GAME` opens one; `nodealer peers` shows who is there.")
    return DONE
