"""How a command looks and speaks: the options every command with a screen has, and what follows from them.

Law: decides from arguments, settings, environment and streams; each of them is an argument.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from cli import settings
from cli.output import narrate
from cli.settings import Settings
from cli.ui.look import Look
from cli.ui.messages import LANGUAGES, language, system_language


@dataclass(frozen=True)
class Manner:
    """How to look and speak. `plain`: line mode."""

    look: Look
    plain: bool
    colour: bool
    settings: Settings


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang",
        choices=tuple(LANGUAGES),
        metavar="XX",
        help=f"the language: {', '.join(LANGUAGES)} (default: the system's, else English)",
    )
    parser.add_argument("--plain", action="store_true", help="one line at a time, for screen readers and scripts")
    parser.add_argument("--ascii", action="store_true", help="show nothing but ASCII")
    parser.add_argument("--no-color", action="store_true", help="no colours (as NO_COLOR in the environment)")
    parser.add_argument("--verbose", action="store_true", help="log every event, and to stderr too")


def manner(
    args: argparse.Namespace, environment: Mapping[str, str], *, stdin: TextIO | None, stdout: TextIO | None
) -> Manner:
    """What options, settings and the terminal together ask for. Complaints about the settings go to stderr."""
    found, troubles = settings.load()
    for trouble in troubles:
        narrate(f"nodealer: {trouble}")
    return choose(args, found, environment, stdin=stdin, stdout=stdout)


def choose(
    args: argparse.Namespace,
    found: Settings,
    environment: Mapping[str, str],
    *,
    stdin: TextIO | None,
    stdout: TextIO | None,
) -> Manner:
    """A stream is None where it was closed before the program began."""
    wanted = args.lang or (found.lang if found.lang in LANGUAGES else "") or system_language(environment)
    unicode = speaks_unicode(stdout)
    terminal = is_terminal(stdin) and is_terminal(stdout)
    plain = args.plain or found.plain or environment.get("TERM") == "dumb" or not terminal
    ascii_only = args.ascii or found.ascii or not unicode
    # Line mode is read aloud: signs in ASCII, words as they are written.
    look = Look(language(wanted, ascii=ascii_only), ascii_only or plain)
    colour = found.color and not args.no_color and not environment.get("NO_COLOR")
    return Manner(look, plain, colour, found)


def is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def speaks_unicode(stream: Any) -> bool:
    encoding = str(getattr(stream, "encoding", None) or "").lower().replace("-", "").replace("_", "")
    return encoding.startswith("utf")


def never_fail_to_talk() -> None:
    """A character that the terminal has no code for, or bytes that are no text, become `?`: no reason to stop."""
    for stream in (sys.stdin, sys.stdout):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
