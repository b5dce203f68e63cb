"""Malformed input of any length to any decoder gives the documented error and nothing else: 100,000 cases in all.

Every file `fuzz_targets_….py` beside this one brings targets; `fuzzing` says how a message is mutated.
"""

from __future__ import annotations

import importlib
import random
from pathlib import Path

import pytest
from fuzzing import MUTATIONS, Target, attempt, mutated
from hypothesis import given, settings
from hypothesis import strategies as st

CASES = 100_000
BATCH = 50  # cases for each example of hypothesis: drawing is dearer than refusing

FILES = sorted(path.stem for path in Path(__file__).parent.glob("fuzz_targets_*.py"))
TARGETS: list[Target] = [target for name in FILES for target in importlib.import_module(name).TARGETS]
SHARES = sum(target.share for target in TARGETS)


def batches(target: Target) -> int:
    return -(-CASES * target.share // (SHARES * BATCH))  # rounded up


def test_there_are_as_many_cases_as_promised() -> None:
    """Together the targets get at least 100,000 cases, and each a fair number."""
    assert sum(BATCH * batches(target) for target in TARGETS) >= CASES
    assert min(BATCH * batches(target) for target in TARGETS) >= 500
    assert len({target.name for target in TARGETS}) == len(TARGETS)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_what_is_valid_is_read(target: Target) -> None:
    """The messages that are mutated below are accepted as they are."""
    assert target.valid
    assert all(attempt(target, message) for message in target.valid)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_malformed_input_gives_the_documented_error(target: Target) -> None:
    """Junk, cuts, splices, border values, flipped bits: refused with DecodeError or ProofError, or read exactly."""

    @given(st.integers(0, 2**32 - 1))
    @settings(derandomize=True, deadline=None, database=None, max_examples=batches(target))
    def run(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(BATCH):
            attempt(target, mutated(rng, target.valid))

    run()


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_the_shortest_inputs_are_refused_or_read(target: Target) -> None:
    """Nothing, one byte, and every length around a word."""
    for size in (0, 1, 2, 3, 4, 7, 8, 31, 32, 33, 63, 64, 65):
        for byte in (b"\0", b"\1", b"\x7f", b"\xff"):
            attempt(target, byte * size)


def test_every_mutation_changes_something() -> None:
    """A fuzzer that sends what it was given finds nothing."""
    rng = random.Random(1)
    message = bytes(range(256))
    for mutation in MUTATIONS:
        assert any(mutation(rng, message, [message, message[::-1]]) != message for _ in range(10))
