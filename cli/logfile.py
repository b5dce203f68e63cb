"""The log file: what the program did, for whoever looks for a fault later. Never a secret.

Law: one file in the platform's place for logs, small, rotated. Modules log names and public numbers; as a second line
of defence everything that looks like a key, a seed or raw bytes is taken out here.
"""

from __future__ import annotations

import logging
import re
from logging.handlers import RotatingFileHandler
from pathlib import Path

from platformdirs import user_log_path

from cli.settings import APP, home

FILE = "nodealer.log"
MOST_BYTES = 512 * 1024  # of one file: a long evening of games
OLDER_FILES = 2

#: Sixteen bytes or more in hexadecimal or base64, and the repr of bytes: nothing public that matters looks like that.
_SECRETS = re.compile(r"b'(?:\\.|[^'\\])*'|b\"(?:\\.|[^\"\\])*\"|[0-9A-Fa-f]{32,}|[A-Za-z0-9+/_-]{40,}={0,2}")
HIDDEN = "‹hidden›"


class Discreet(logging.Formatter):
    """Formats a record, tracebacks included, and takes out what looks like a secret."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRETS.sub(HIDDEN, super().format(record))


def path() -> Path:
    return (home() or user_log_path(APP, appauthor=False)) / FILE


def start(*, verbose: bool = False, file: Path | None = None) -> Path | None:
    """Log to the file from here on; `verbose`: every event too, and to stderr besides. None: it cannot be written."""
    file = file or path()
    root = logging.getLogger()
    root.setLevel(logging.DEBUG if verbose else logging.INFO)
    handlers: list[logging.Handler] = []
    written: Path | None = file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(RotatingFileHandler(file, maxBytes=MOST_BYTES, backupCount=OLDER_FILES, encoding="utf-8"))
    except OSError:
        written = None  # a read-only or full disk costs the log, not the game
    if verbose:
        handlers.append(logging.StreamHandler())
    for handler in handlers:
        handler.setFormatter(Discreet("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root.addHandler(handler)
    return written


def stop() -> None:
    """Close what `start` opened."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler.formatter, Discreet):
            root.removeHandler(handler)
            handler.close()
