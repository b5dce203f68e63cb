"""What SPEC.md says is enough to verify the proofs: a second implementation, written from it, agrees on the vectors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import second_implementation as second

VECTORS = Path(__file__).parents[2] / "vectors"
OUTCOMES = {"DecodeError": second.Malformed, "ProofError": second.Unproven}


def load(name: str) -> dict[str, object]:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def test_it_is_ristretto255() -> None:
    """Against the RFC's own vectors: multiples, invalid encodings, derived elements."""
    rfc = load("rfc9496.json")
    for multiple, text in enumerate(rfc["multiples"]["encodings"]):
        assert second.encode(second.sum_of([(multiple, second.G)])).hex() == text
        assert second.encode(second.decode(bytes.fromhex(text))).hex() == text
    for texts in rfc["invalid"]["encodings"].values():
        for text in texts:
            with pytest.raises(second.Malformed):
                second.decode(bytes.fromhex(text))
    for case in rfc["derived"]["cases"]:
        assert second.encode(second.one_way_map(bytes.fromhex(case["uniform"]))).hex() == case["element"]


def test_it_derives_the_same_generators() -> None:
    """From their labels alone."""
    for case in load("generators.json")["cases"]:
        assert second.encode(second.hash_to_group(case["label"].encode())).hex() == case["point"]


def test_it_draws_the_same_challenges() -> None:
    """From the same words."""
    for case in load("transcript.json")["cases"]:
        transcript = second.Transcript(case["protocol"].encode(), bytes.fromhex(case["context"]))
        for said in case["said"]:
            if "append" in said:
                transcript.append(said["append"].encode(), bytes.fromhex(said["bytes"]))
            elif len(said["bytes"]) == 128:
                (number,) = transcript.challenges(said["challenge"].encode(), 1)
                assert number == int.from_bytes(bytes.fromhex(said["bytes"]), "little") % second.Q
            else:
                break  # it draws nothing but whole challenges


def test_it_accepts_the_same_points_and_scalars() -> None:
    """Border by border."""
    content = load("decoding.json")
    for kind, read in (("points", second.point), ("scalars", second.scalar)):
        for case in content[kind]:
            if case["expect"] == "valid":
                read(bytes.fromhex(case["bytes"]))
            else:
                with pytest.raises(second.Malformed):
                    read(bytes.fromhex(case["bytes"]))


@pytest.mark.parametrize("name", second.CHECKS)
def test_it_judges_every_message_alike(name: str) -> None:
    """Valid ones are accepted, malformed ones malformed, and of the unproven ones (slow to refute) the first three."""
    for statement in load(name)["statements"]:
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
