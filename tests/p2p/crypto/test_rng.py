"""Hedged randomness: streams repeat only if everything repeats, and what is drawn from them is uniform."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto.group import Q, Scalar
from p2p.crypto.rng import Hedge

PARTS = {
    "purpose": b"purpose",
    "secret": b"secret",
    "witness": b"witness",
    "statement": b"statement",
    "entropy": bytes(range(32)),
}


def hedge(**changed: bytes) -> Hedge:
    parts = PARTS | changed
    return Hedge(
        parts["purpose"],
        secret=parts["secret"],
        witness=parts["witness"],
        statement=parts["statement"],
        entropy=parts["entropy"],
    )


def seeded(number: int) -> Hedge:
    return hedge(entropy=hashlib.sha256(number.to_bytes(4, "big")).digest())


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = counts.total() / cells
    assert len(counts) <= cells
    return sum((count - expected) ** 2 / expected for count in counts.values()) + (cells - len(counts)) * expected


def limit(cells: int) -> float:
    """Five standard deviations above the mean of a chi-square: the seeds are fixed, so this passes or fails forever."""
    return cells - 1 + 5 * math.sqrt(2 * (cells - 1))


def test_the_bytes_are_as_specified() -> None:
    """Recomputed from the specification alone."""

    def frame(label: bytes, data: bytes) -> bytes:
        return b"\x03" + len(label).to_bytes(8, "little") + label + len(data).to_bytes(8, "little") + data

    framed = frame(b"version", b"nodealer/crypto/1")
    for name in ("purpose", "secret", "witness", "statement", "entropy"):
        framed += frame(name.encode(), PARTS[name])
    seed = hashlib.shake_256(framed).digest(64)
    blocks = [hashlib.shake_256(seed + number.to_bytes(8, "little")).digest(4096) for number in range(3)]
    assert hedge().bytes(12000) == b"".join(blocks)[:12000]


@given(st.lists(st.integers(0, 5000), max_size=8))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_how_it_is_read_does_not_matter(sizes: list[int]) -> None:
    """The stream is one: read in pieces or at once, it is the same bytes."""
    stream = hedge()
    assert b"".join([stream.bytes(size) for size in sizes]) == hedge().bytes(sum(sizes))


@pytest.mark.parametrize("part", PARTS)
def test_each_part_changes_the_stream(part: str) -> None:
    """With equal entropy another secret, witness, statement or purpose gives other numbers; and other entropy too."""
    assert hedge().bytes(64) == hedge().bytes(64)
    assert hedge(**{part: PARTS[part] + b"x"}).bytes(64) != hedge().bytes(64)


def test_parts_do_not_run_together() -> None:
    """Moving a byte from one part to its neighbour is another stream."""
    assert hedge(secret=b"ab", witness=b"c").bytes(32) != hedge(secret=b"a", witness=b"bc").bytes(32)


def test_too_little_entropy_is_refused() -> None:
    """Less than 32 bytes is a mistake of the caller, found at once."""
    with pytest.raises(ValueError, match="entropy"):
        hedge(entropy=bytes(31))


def test_its_state_never_prints() -> None:
    """The repr shows nothing."""
    assert repr(hedge()) == "Hedge(…)"


def test_scalars_fill_the_whole_range() -> None:
    """Wide reduction: the sixteenths of 0 … q-1 are equally likely."""
    stream = hedge()
    counts: Counter[object] = Counter(int(scalar) * 16 // Q for scalar in stream.scalars(8000))
    assert chi_square(counts, 16) < limit(16)


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 10, 52, 108, 255, 256, 257, 300])
def test_below_is_uniform(bound: int) -> None:
    """Every value below the bound is equally likely, also where the bound is no power of two."""
    stream = hedge(witness=bound.to_bytes(2, "big"))
    counts: Counter[object] = Counter(stream.below(bound) for _ in range(40 * bound))
    assert set(counts) <= set(range(bound))
    if bound > 1:
        assert chi_square(counts, bound) < limit(bound)


@pytest.mark.parametrize("bound", [0, -1])
def test_nothing_lies_below_zero(bound: int) -> None:
    """An empty range is a mistake of the caller."""
    with pytest.raises(ValueError, match="below"):
        hedge().below(bound)


@pytest.mark.parametrize("size", [0, 1, 2, 10, 108])
def test_a_permutation_holds_each_place_once(size: int) -> None:
    """Also for nothing and for one card."""
    assert sorted(hedge().permutation(size)) == list(range(size))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_permutation_is_equally_likely(size: int) -> None:
    """Chi-square over all size! orders."""
    cells = math.factorial(size)
    stream = hedge(witness=b"uniform")
    counts: Counter[object] = Counter(tuple(stream.permutation(size)) for _ in range(100 * cells))
    assert set(counts) == set(permutations(range(size)))
    assert chi_square(counts, cells) < limit(cells)


def test_cards_may_stay_where_they_are() -> None:
    """Fixed points are as frequent as chance has it: one on average, none in 1/e of all cases. Sattolo's variant, a
    known slip, never leaves a card in its place."""
    runs = 4000
    fixed = [sum(i == p for i, p in enumerate(seeded(run).permutation(52))) for run in range(runs)]
    assert abs(sum(fixed) / runs - 1) < 5 / math.sqrt(runs)
    assert abs(fixed.count(0) / runs - 1 / math.e) < 5 * 0.5 / math.sqrt(runs)


def test_both_parities_are_equally_likely() -> None:
    """Half of all permutations are odd; Sattolo's variant gives only one parity."""
    runs = 4000

    def is_odd(order: list[int]) -> bool:
        seen: set[int] = set()
        cycles = 0
        for start in order:
            if start not in seen:
                cycles += 1
                while start not in seen:
                    seen.add(start)
                    start = order[start]
        return (len(order) - cycles) % 2 == 1

    odd = sum(is_odd(seeded(run).permutation(52)) for run in range(runs))
    assert abs(odd / runs - 0.5) < 5 * 0.5 / math.sqrt(runs)


def test_each_card_goes_to_each_place_equally_often() -> None:
    """The table of (card, place) counts is flat."""
    size, runs = 12, 3000
    counts: Counter[object] = Counter()
    for run in range(runs):
        counts.update(enumerate(seeded(run).permutation(size)))
    assert chi_square(counts, size * size) < limit(size * size)


def test_neighbours_do_not_stay_together() -> None:
    """Which card follows card 0 is uniform: no trace of the order before."""
    runs, size = 5000, 8
    counts: Counter[object] = Counter()
    for run in range(runs):
        order = seeded(run).permutation(size)
        counts[order[(order.index(0) + 1) % size]] += 1
    assert chi_square(counts, size - 1) < limit(size - 1)


def test_nonces_of_equal_entropy_never_meet() -> None:
    """A broken entropy source gives the same 32 bytes for ever: the numbers of different proofs stay disjoint."""
    drawn: set[Scalar] = set()
    for statement in range(50):
        for witness in range(4):
            drawn.update(hedge(statement=bytes([statement]), witness=bytes([witness])).scalars(5))
    assert len(drawn) == 50 * 4 * 5
