"""`nodealer play [GAME]`: a game against bots, at once and offline.

Every seat is a real table with keys of its own in this process, so what the protocol panel tells is what happens
between strangers too. In line mode one line of stdin answers one question, and the end of input is a goodbye.
"""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import secrets
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from cli.arguments import add_game, add_seed, at_least
from cli.output import DONE, Failed, WrongUse
from cli.ui.options import Manner, add_options, is_terminal, manner, never_fail_to_talk
from engine.bots import LEVELS, bot
from engine.game import BadSetup, Game
from engine.shelf import all_games, find

if TYPE_CHECKING:
    from cli.ui.local import LocalTables

BOT_NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy")
BOTS = 2
#: Seconds a bot seems to think, where somebody watches.
THINKS = (0.3, 1.1)


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "play",
        help="play against bots",
        description="Play against bots in this terminal: at once, offline, with the whole protocol between all seats. "
        "Ctrl-C or the end of input ends the game.",
    )
    add_game(parser, nargs="?", default=all_games()[-1].id)
    parser.add_argument("--bots", type=at_least(1), default=BOTS, metavar="N", help=f"how many bots (default: {BOTS})")
    parser.add_argument("--level", choices=tuple(LEVELS), default="greedy", help="how well they play (default: greedy)")
    parser.add_argument("--protocol", action="store_true", help="tell also what the protocol does underneath")
    parser.add_argument("--save", metavar="FILE", help="keep the whole game there, for `nodealer verify`")
    add_options(parser)
    add_seed(parser, default=None)


def run(args: argparse.Namespace) -> int:
    from cli import logfile

    how = manner(args, os.environ, stdin=sys.stdin, stdout=sys.stdout)
    game = playable(args.game, 1 + args.bots, how)
    logfile.start(verbose=args.verbose)
    try:
        with stopped_by_kill():
            return in_lines(game, args, how)
    finally:
        logfile.stop()


def playable(name: str, players: int, how: Manner) -> Game[Any]:
    """The game, if so many can play it. Raises WrongUse with the sentence that explains what is possible."""
    from cli.ui.words import Speaker

    try:
        game = find(name)
        game.start(players, {})
    except BadSetup as error:
        raise WrongUse(Speaker(how.look, all_games()[0], ()).say(error.note)) from None
    return game


def in_lines(game: Game[Any], args: argparse.Namespace, how: Manner) -> int:
    """Line mode."""
    from cli import logfile
    from cli.ui.chair import Chair
    from cli.ui.local import LocalTables
    from cli.ui.messages import m
    from cli.ui.plain import GOODBYE, Plain, Quit

    never_fail_to_talk()
    watched = is_terminal(sys.stdin)
    names = BOT_NAMES[: args.bots]
    seed = secrets.token_hex(16) if args.seed is None else str(args.seed)
    tables = LocalTables(
        game,
        nickname(how),
        [(name, bot(args.level, game, Random(f"{seed}/{name}"))) for name in names],
        entropy=secrets.token_bytes if args.seed is None else Random(seed).randbytes,
        pause=(lambda: Random().uniform(*THINKS)) if watched else (lambda: 0.0),
    )
    chair = Chair(game, tables)
    mode = Plain(
        chair,
        how.look,
        read=lambda: answer(watched),
        write=say,
        confirm=how.settings.confirm,
        protocol=args.protocol or how.settings.panel,
        log_file=str(logfile.path()),
    )
    opening = m("{game} against {bots} ({level}). Type ? for help.")
    say(how.look.tr(opening, game=mode.board().title(), bots=", ".join(names), level=args.level))
    tables.start(chair.tell)
    try:
        mode.play()
        if args.save:
            keep(tables, args.save, how)
    except (EOFError, Quit):
        say(how.look.tr(GOODBYE))
    except KeyboardInterrupt:
        say("")
        say(how.look.tr(GOODBYE))
        raise
    finally:
        tables.stop()
    return DONE


def keep(tables: LocalTables, file: str, how: Manner) -> None:
    """The log of the finished game, for anyone to check."""
    from cli.ui.words import KEPT

    tables.stop()
    try:
        Path(file).write_bytes(tables.save())
    except OSError as error:
        raise Failed(f"{file} cannot be written: {error.strerror}.") from None
    say(how.look.tr(KEPT, file=file))


@contextlib.contextmanager
def stopped_by_kill() -> Iterator[None]:
    """Meanwhile `kill` is heard as Ctrl-C is."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def nickname(how: Manner) -> str:
    """The name others see: from the settings, else the login's."""
    if how.settings.name:
        return how.settings.name
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # no such user on this system
        return "Player"


def say(text: str) -> None:
    print(text, flush=True)


def answer(watched: bool) -> str:
    """The next line of stdin. A prompt is for people only."""
    if watched:
        print("> ", end="", flush=True)
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        raise EOFError
    return line.rstrip("\r\n")
