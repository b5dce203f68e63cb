"""SPEC.md is enough to verify the deck's messages: a second implementation agrees on every vector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import second_shuffle as second
from second_implementation import Malformed, Unproven

VECTORS = Path(__file__).parents[2] / "vectors"
OUTCOMES = {"DecodeError": Malformed, "ProofError": Unproven}


def statements(name: str) -> list[dict[str, Any]]:
    content: dict[str, Any] = json.loads((VECTORS / name).read_text(encoding="utf-8"))
    return list(content["statements"])


@pytest.mark.parametrize("name", second.CHECKS)
def test_it_judges_the_decks_messages_alike(name: str) -> None:
    """Valid ones are accepted, malformed ones malformed, and of the unproven ones (slow to refute) the first three."""
    for statement in statements(name):
        unproven = 0
        for case in statement["cases"]:
            arguments = statement["statement"], bytes.fromhex(case["context"]), bytes.fromhex(case["message"])
            if case["expect"] == "valid":
                second.CHECKS[name](*arguments)
                continue
            unproven += case["expect"] == "ProofError"
            if case["expect"] == "DecodeError" or unproven <= 3:
                with pytest.raises(OUTCOMES[case["expect"]]):
                    second.CHECKS[name](*arguments)
