"""`nodealer host GAME --players N`: opens a table on the network; a bot plays this seat.

Hosting only opens and fills the table. Once it begins all seats are equal, and the game goes on without the host.
"""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING, Any

from cli.arguments import add_game, add_players, at_least, game_and_players
from cli.output import WrongUse
from cli.peer_arguments import add_peer, add_player

if TYPE_CHECKING:
    from cli.headless import Peer


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "host",
        help="open a table on the network, with a bot on this seat",
        description="Open a table on the network, wait until it is full and play one game; a bot decides for this "
        "seat. Exit code 0: the game was played to its end.",
    )
    add_game(parser)
    add_players(parser)
    parser.add_argument("--bots", type=at_least(0), default=0, metavar="K", help="K further bots sit down (default: 0)")
    parser.add_argument("--table", default="", metavar="ID", help="the table's name on the network (default: chance)")
    add_player(parser)
    add_peer(parser)


def run(args: argparse.Namespace) -> int:
    from cli import headless

    game, players = game_and_players(args.game, args.players)
    if args.bots >= players:
        raise WrongUse(f"A table for {players} has room for {players - 1} bots besides the host.")
    if args.table and not (args.table.isalnum() and len(args.table) <= 32):
        raise WrongUse("--table takes up to 32 letters and digits.")

    async def work(peer: Peer) -> int:
        from cli.children import Children, peer_command

        sitting = peer.node.open_table(game.id, players, args.table)
        peer.report.opened(sitting, peer.node.lan.invite())
        sitting.ready()
        with contextlib.closing(Children()) as children:
            for index in range(args.bots):
                seed = None if args.seed is None else args.seed * 1000 + index + 1
                name = f"Bot {index + 1}"
                children.start(
                    peer_command(
                        "bot", args, name=name, seed=seed, table=sitting.id, games=1, throw_away=True, log=False
                    )
                )
            return await headless.play(peer, sitting)

    return headless.run(args, work)
