"""The command `nodealer`: finds its sub-commands in cli/commands/, parses, runs one, turns trouble into a sentence.

Law: knows no command by name. How to add one stands in cli/commands/__init__.py.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import NoReturn

import cli.commands
from cli import tidy
from cli.output import DONE, FAILED, WRONG_USE, Trouble, WrongUse, narrate

STOPPED = 130  # what shells expect of a program ended by Ctrl-C (128 + SIGINT)


class Parser(argparse.ArgumentParser):
    """argparse whose errors are one sentence instead of a usage block."""

    def error(self, message: str) -> NoReturn:
        sentence = message.removeprefix("argument ").rstrip(".")
        narrate(f"{self.prog}: {sentence}. See `{self.prog} --help`.")
        raise SystemExit(WRONG_USE)


def command_names() -> list[str]:
    """Every command, without importing any: one file each."""
    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(cli.commands.__path__))


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole command line, or just one command's: importing all of them takes longer than most of them run."""
    parser = Parser(
        prog="nodealer",
        description="Card games between people who have no server and no reason to trust each other.",
        epilog="`nodealer COMMAND --help` tells more about one command.",
    )
    parser.add_argument("--version", action="version", version=f"nodealer {version()}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for name in command_names() if only is None else [only]:
        command = importlib.import_module(f"cli.commands.{name.replace('-', '_')}")
        command.add(subparsers)
        subparsers.choices[name].set_defaults(run=command.run)
    return parser


def version() -> str:
    try:
        return metadata.version("nodealer")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def show_help(parser: argparse.ArgumentParser) -> int:
    print(parser.format_help(), end="")  # `print_help` would hide that nobody reads any more
    return DONE


def main(argv: Sequence[str] | None = None) -> int:
    tidy.at_exit()
    arguments = list(sys.argv[1:] if argv is None else argv)
    named = arguments[0] if arguments and not arguments[0].startswith("-") else None
    try:
        if named is not None and named not in command_names():
            raise WrongUse(f"there is no command `{named}`; the commands are {', '.join(command_names())}.")
        parser = build_parser(named)
        args = parser.parse_args(arguments)
        code: int = args.run(args) if args.command else show_help(parser)
        sys.stdout.flush()
        return code
    except Trouble as trouble:
        narrate(f"nodealer: {trouble}")
        return trouble.code
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        # Whoever read our output (`| head`) has gone. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
