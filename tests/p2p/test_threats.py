"""p2p/THREATS.md keeps its word: what it names exists, and what exists it names."""

from __future__ import annotations

import re
from pathlib import Path

from p2p.errors import Rule
from p2p.net.cheats import CHEATS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "p2p" / "THREATS.md").read_text()
QUOTED = set(re.findall(r"`([^`\n]+)`", PAGE))


def test_every_test_it_names_exists() -> None:
    """Each promise leads to a test that can be run."""
    named = {name for name in QUOTED if name.startswith("tests/")}
    assert len(named) > 20
    for name in named:
        path, _, test = name.partition("::")
        assert (ROOT / path).is_file(), name
        assert not test or f"def {test}(" in (ROOT / path).read_text(), name


def test_it_tells_of_every_cheat_and_of_no_other() -> None:
    """Whoever adds a cheat says here what it tries and what comes of it."""
    words = {name for name in QUOTED if re.fullmatch(r"[a-z]+(-[a-z]+)*", name)}
    assert set(CHEATS) <= words
    assert words - set(CHEATS) <= {rule.value for rule in Rule} | {"code"}


def test_it_tells_of_every_rule_that_a_cheat_is_blamed_for() -> None:
    """Rules are named as `verify` prints them."""
    for cheat in CHEATS.values():
        if cheat.rule is not None:
            assert f"`{cheat.rule.value}`" in PAGE
