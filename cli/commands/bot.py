"""`nodealer bot`: a peer that sits down at open tables, game after game, until it is told to stop."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from cli.arguments import at_least
from cli.output import DONE
from cli.peer_arguments import add_peer, add_player

if TYPE_CHECKING:
    from cli.headless import Peer


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "bot",
        help="sit down at open tables as a bot, game after game",
        description="Sit down at every open table on the network, one game after the other. Each game's result is one "
        "object with `--json`. Exit code 0: all games were played to their end.",
    )
    parser.add_argument("--table", metavar="ID", help="only at this table")
    parser.add_argument("--games", type=at_least(1), metavar="K", help="stop after so many games (default: never)")
    add_player(parser)
    add_peer(parser)


def run(args: argparse.Namespace) -> int:
    from cli import headless

    async def work(peer: Peer) -> int:
        """Refused seats and games that never began count for nothing: it just tries the next table."""
        played, tried = 0, set[str]()
        async for host, notice in headless.open_tables(peer.node, args.table, tried):
            sitting = headless.sit_down(peer, host, notice)
            if sitting is None:
                continue
            code = await headless.play(peer, sitting)
            await sitting.leave()
            played += sitting.table is not None
            if (code != DONE and args.table is not None) or played == args.games:
                return code
        return DONE

    return headless.run(args, work)
