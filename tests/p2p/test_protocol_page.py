"""p2p/PROTOCOL.md is drawn from the code that runs, and names only tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from p2p.drawing import PARTS, redraw
from p2p.wire import MAX_ENTRY, MAX_NAME, MAX_PLACES, MAX_SEATS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "p2p" / "PROTOCOL.md").read_text()
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)))


def test_the_drawn_tables_are_those_of_the_code() -> None:
    """Run `python bench/draw_states.py` after changing p2p/states.py, p2p/wire.py or p2p/errors.py."""
    assert redraw(PAGE) == PAGE
    assert set(re.findall(r"<!-- drawn: (\w+) -->", PAGE)) == PARTS.keys()


def test_drawing_sees_a_change() -> None:
    """A page that says something else is drawn anew, and what stands around it stays."""
    changed = PAGE.replace("| playing | – |", "| playing | perhaps |")
    assert changed != PAGE
    assert redraw(changed) == PAGE


@pytest.mark.parametrize(("file", "test"), NAMED, ids=[test or Path(file).stem for file, test in NAMED])
def test_every_test_the_page_names_exists(file: str, test: str) -> None:
    """A promise without a test is no promise."""
    tree = ast.parse((ROOT / file).read_text())
    assert not test or test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_promise_names_a_test() -> None:
    """No row of the last table is without one."""
    rows = PAGE.split("## 14.")[1].split("\n| ")[3:]
    assert len(rows) >= 8
    assert all("`tests/" in row for row in rows)


def test_the_limits_named_are_those_in_force() -> None:
    """The numbers in the prose are the code's."""
    from p2p.catchup import SERVE_BYTES, SERVE_PAUSE
    from p2p.hearing import AHEAD
    from p2p.wire import GOODBYE, HEADER_SIZE, MAX_ROUND, VOTES

    assert (MAX_ENTRY, MAX_SEATS, MAX_NAME, MAX_PLACES, MAX_ROUND) == (256 * 1024, 16, 24, 64, 255)
    assert (AHEAD, SERVE_BYTES, SERVE_PAUSE, HEADER_SIZE) == (24, 512 * 1024, 0.1, 73)
    assert (VOTES, GOODBYE) == (2**30, 2**32 - 1)
