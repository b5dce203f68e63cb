"""Options of the commands that open a peer: who I am, which network, how well my bot plays.

Law: parsing only; imports nothing that opens a socket, so that `--help` answers at once.
"""

from __future__ import annotations

import argparse
import os

from cli.arguments import at_least
from cli.output import WrongUse, add_json
from engine.bots import LEVELS

ZRE_PORT, TCP_PORT = 5670, 49670  # as p2p/net/lan.py has them; a test compares


def add_peer(parser: argparse.ArgumentParser) -> None:
    """Who I am and where I look for others."""
    peer = add_profile(parser)
    peer.add_argument("--throw-away", action="store_true", help="a profile that is forgotten when the program ends")
    peer.add_argument("--name", default="", metavar="NICK", help="my nickname this time")
    peer.add_argument("--no-log", action="store_true", help="do not keep the log of the game")
    add_network(parser)
    parser.add_argument("--until-eof", action="store_true", help="say goodbye when the standard input ends")


def add_profile(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Which profile. The group, for more about this peer."""
    peer = parser.add_argument_group("this peer")
    peer.add_argument("--profile", default="", metavar="NAME", help="who I am (default: default, or the next free one)")
    peer.add_argument("--home", metavar="FOLDER", help="where profiles and logs are kept (default: NODEALER_HOME)")
    return peer


def add_network(parser: argparse.ArgumentParser) -> None:
    """Where others are looked for."""
    network = parser.add_argument_group("the network")
    network.add_argument(
        "--lan-port",
        type=_port,
        default=ZRE_PORT,
        metavar="PORT",
        help=f"UDP port to find each other on, the same for everyone (default: {ZRE_PORT})",
    )
    network.add_argument(
        "--port",
        type=_port,
        default=TCP_PORT,
        metavar="PORT",
        help=f"TCP port to be reached at, the next ones if taken; 0: any (default: {TCP_PORT})",
    )
    network.add_argument(
        "--interface", action="append", default=[], metavar="NAME", help="only this network interface; can be repeated"
    )


def add_player(parser: argparse.ArgumentParser) -> None:
    """How this peer plays, and what it tells."""
    parser.add_argument("--level", choices=tuple(LEVELS), default="greedy", help="how well it plays (default: greedy)")
    parser.add_argument("--seed", type=int, metavar="S", help="fixes the bot's own decisions (default: chance)")
    parser.add_argument(
        "--pause", type=float, default=0.0, metavar="SECONDS", help="think at least so long (default: 0)"
    )
    parser.add_argument("--protocol", action="store_true", help="also tell what the protocol does, step by step")
    add_json(parser)


def use_home(args: argparse.Namespace) -> None:
    """`--home` counts for this process and the ones it starts."""
    if args.home:
        os.environ["NODEALER_HOME"] = os.path.abspath(args.home)


def check_pause(args: argparse.Namespace) -> None:
    if not 0 <= args.pause <= 60:
        raise WrongUse("--pause must be a number of seconds from 0 to 60.")


def _port(text: str) -> int:
    port = at_least(0)(text)
    if port > 65535:
        raise argparse.ArgumentTypeError(f"{port} is no port: they end at 65535")
    return port
