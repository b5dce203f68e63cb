"""Takes away what a library leaves behind.

Law: at the end of a program only, and never a reason to fail.

rbcl writes libsodium to a temporary file at each start, loads it, and leaves the file there: 2.8 MB for every process.
Windows does not let a loaded library go; there it stays.
"""

from __future__ import annotations

import atexit
import sys
from contextlib import suppress
from pathlib import Path


def remove_library_file() -> None:
    """If this process has loaded rbcl: the file is not needed once it is loaded."""
    module = sys.modules.get("rbcl._sodium")
    path = getattr(module, "lib_path", None)
    if path:
        with suppress(OSError):
            Path(path).unlink(missing_ok=True)


def at_exit() -> None:
    atexit.register(remove_library_file)
