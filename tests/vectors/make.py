"""Writes the test vectors of the card cryptography: `python tests/vectors/make.py`. Deterministic; a test diffs them.

Each `make_….py` beside this file has a dictionary `FILES`: name of the file -> function returning its content.
`rfc9496.json` is transcribed from the RFC, not made.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def files() -> dict[str, Callable[[], dict[str, Any]]]:
    for folder in (HERE, HERE.parents[1]):  # the makers, and the project they import
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    found: dict[str, Callable[[], dict[str, Any]]] = {}
    for path in sorted(HERE.glob("make_*.py")):
        for name, content in importlib.import_module(path.stem).FILES.items():
            if name in found:
                raise ValueError(f"{name} is made twice")
            found[name] = content
    return found


def render(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    for name, content in files().items():
        (HERE / name).write_text(render(content()), encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
