"""`nodealer join`: sits down at a table of the network; a bot plays this seat.

With an invite at the table of whoever gave it, also where broadcasts do not reach; otherwise at the named table, or the
first open one.
"""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING, Any

from cli.output import FAILED, Failed, WrongUse
from cli.peer_arguments import add_peer, add_player

if TYPE_CHECKING:
    from cli.headless import Peer

WAIT = 60.0


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "join",
        help="sit down at a table on the network, with a bot on this seat",
        description="Sit down at a table on the network and play one game; a bot decides for this seat. Exit code 0: "
        "the game was played to its end.",
    )
    parser.add_argument("invite", nargs="?", metavar="INVITE", help="as `nodealer host` shows it")
    parser.add_argument("--table", metavar="ID", help="at this table (default: the first one with a free seat)")
    parser.add_argument(
        "--wait", type=float, default=WAIT, metavar="SECONDS", help=f"for a table (default: {WAIT:.0f})"
    )
    add_player(parser)
    add_peer(parser)


def run(args: argparse.Namespace) -> int:
    if args.wait < 0:
        raise WrongUse("--wait must be a number of seconds.")
    if args.invite is not None:
        from cli.net_words import net_sentence
        from p2p.net.invite import BadInvite, read_invite

        try:
            read_invite(args.invite)
        except BadInvite as error:
            raise WrongUse(net_sentence(error.note)) from None
    from cli import headless

    async def work(peer: Peer) -> int:
        sitting = await _seat(peer, args)
        return FAILED if sitting is None else await headless.play(peer, sitting)

    return headless.run(args, work)


async def _seat(peer: Peer, args: argparse.Namespace) -> Any:
    from cli.headless import open_tables, sit_down
    from cli.net_words import net_sentence
    from p2p.net.errors import NetError

    host = None
    if args.invite is not None:
        try:
            host = (await peer.node.lan.join_invite(args.invite)).key
        except NetError as error:
            raise Failed(net_sentence(error.note)) from None
    else:
        peer.report.say("Looking for a table.")
    try:
        async with asyncio.timeout(args.wait or None):
            async for found, notice in open_tables(peer.node, args.table, set()):
                if host is not None and found.key != host:
                    continue
                sitting = sit_down(peer, found, notice)
                if sitting is not None:
                    return sitting
    except TimeoutError:
        raise Failed(f"No table with a free seat was found within {args.wait:g} s.") from None
    return None
