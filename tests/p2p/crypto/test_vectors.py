"""The vectors are what the code makes today, and each message has the outcome its file promises."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "vectors"
TRANSCRIBED = {"rfc9496.json"}


def maker() -> Any:
    spec = importlib.util.spec_from_file_location("make_vectors", FOLDER / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = maker()
MADE = MAKE.files()


def test_every_vector_file_is_made() -> None:
    """No file was edited in by hand, and none is missing."""
    assert {path.name for path in FOLDER.glob("*.json")} == set(MADE) | TRANSCRIBED


@pytest.mark.parametrize("name", MADE)
def test_vectors_are_what_the_code_makes(name: str) -> None:
    """Made again, every file is the same to the byte. If a change is meant: `python tests/vectors/make.py`."""
    assert MAKE.render(MADE[name]()) == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_vector_file_says_what_it_is(name: str) -> None:
    """Each has an `about`, and each file of proofs has valid messages, unproven ones and malformed ones."""
    content = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert len(content["about"]) > 40
    for statement in content.get("statements", []):
        outcomes = Counter(case["expect"] for case in statement["cases"])
        assert set(outcomes) <= {"valid", "ProofError", "DecodeError"}
        assert outcomes["valid"] >= 1
        assert outcomes["ProofError"] >= 2
        assert outcomes["DecodeError"] >= 3
