"""`nodealer resume`: goes on with the game this profile was playing when its program ended, however it ended."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from cli.output import Failed, WrongUse
from cli.peer_arguments import add_peer, add_player

if TYPE_CHECKING:
    from cli.headless import Peer


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "resume",
        help="go on with an unfinished game, with a bot on this seat",
        description="Go on with the game this profile was playing when its program ended, even after a power cut; a "
        "bot decides for this seat. Exit code 0: the game was played to its end.",
    )
    add_player(parser)
    add_peer(parser)


def run(args: argparse.Namespace) -> int:
    if args.throw_away or args.no_log:
        raise WrongUse("Only a profile that is kept has unfinished games: leave out --throw-away and --no-log.")
    from cli import headless
    from cli.net_words import net_sentence
    from p2p.net.node import SeatTrouble

    async def work(peer: Peer) -> int:
        trouble = "This profile has no unfinished game."
        for journal in reversed(peer.node.unfinished()):
            try:
                sitting = peer.node.resume(journal)
            except SeatTrouble as error:
                if error.note.name != "journal_of_another":
                    trouble = net_sentence(error.note)
                continue
            return await headless.play(peer, sitting)
        raise Failed(trouble)

    return headless.run(args, work)
