"""How every command speaks: results on stdout, everything else on stderr, one sentence per error.

Law: knows streams and exit codes, and no game, no peer and no command.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from typing import Any, TextIO

DONE, FAILED, WRONG_USE = 0, 1, 2

#: A bar that comes and goes within a second would only flicker.
QUIET_SECONDS = 0.5
#: Redrawing more often than this costs time and shows nothing new.
REDRAW_SECONDS = 0.1
BAR_WIDTH = 30


class Trouble(Exception):
    """A command cannot go on. Its text is one sentence for the user: what happened and what to do."""

    code = FAILED


class Failed(Trouble):
    """Used rightly, and it did not work."""


class WrongUse(Trouble):
    """What was asked for cannot be: unknown name, number out of range, options that contradict each other."""

    code = WRONG_USE


def add_json(parser: argparse.ArgumentParser) -> None:
    """The option every command with a result has."""
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object on one line")


def emit(result: Mapping[str, Any]) -> None:
    """One JSON object, one line, at once: whoever reads a pipe must not wait for a buffer to fill."""
    print(json.dumps(result, ensure_ascii=False), flush=True)


def narrate(sentence: str) -> None:
    """What is going on, for people: never on stdout, where only results go."""
    print(sentence, file=sys.stderr, flush=True)


class Progress:
    """A bar on a terminal's stderr, and nothing at all elsewhere. Use it as a context; it wipes itself out."""

    def __init__(self, total: int, what: str, *, stream: TextIO | None = None) -> None:
        self._total, self._what = total, what
        self._stream = sys.stderr if stream is None else stream
        self._shown = self._stream.isatty()
        self._drawn = False
        self._done = 0
        self._next = time.monotonic() + QUIET_SECONDS

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def advance(self, steps: int = 1) -> None:
        self._done += steps
        if not self._shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + REDRAW_SECONDS
        share = self._done / self._total if self._total else 1.0
        bar = ("#" * int(BAR_WIDTH * share)).ljust(BAR_WIDTH, ".")
        self._stream.write(f"\r\x1b[K[{bar}] {share:4.0%}  {self._done}/{self._total} {self._what}")
        self._stream.flush()
        self._drawn = True
