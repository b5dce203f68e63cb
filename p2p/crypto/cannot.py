"""“I cannot move”: for my hand in this order some clause holds: “the first card's attribute in S, all others' in T”.

Law: knows no game: clauses are data, pairs (S, T) of value lists. Which clause holds stays hidden, and what stands
where too, *if* the hand was freshly shuffled for this proof alone with the right card first; `deck` does both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from p2p.crypto import membership
from p2p.crypto.card_points import CardFace
from p2p.crypto.elgamal import Ciphertext
from p2p.crypto.group import Point, Scalar, base_mul

Clause: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]  # (first, others)


def first_place(values: Sequence[int], clauses: Sequence[Clause]) -> int | None:
    """Which card of an unordered hand must come first so that a clause holds; None if there is none: one can move."""
    for first, others in clauses:
        for place, value in enumerate(values):
            rest = [*values[:place], *values[place + 1 :]]
            if value in first and all(other in others for other in rest):
                return place
    return None


def prove(
    ciphertexts: Sequence[Ciphertext],
    *,
    secret: Scalar,
    faces: Sequence[CardFace],
    attribute: int,
    attributes: int,
    clauses: Sequence[Clause],
    context: bytes,
    entropy: bytes,
) -> bytes:
    """For a hand whose order already satisfies a clause. Raises WitnessError if it satisfies none."""
    statement = _statement(ciphertexts, base_mul(secret), attribute, attributes, clauses)
    witness = membership.Witness(secret, tuple(faces))
    return membership.prove(statement, witness, context=context, entropy=entropy)


def verify(
    ciphertexts: Sequence[Ciphertext],
    message: bytes,
    *,
    public: Point,
    attribute: int,
    attributes: int,
    clauses: Sequence[Clause],
    context: bytes,
) -> None:
    membership.check(_statement(ciphertexts, public, attribute, attributes, clauses), message, context=context)


def _statement(
    ciphertexts: Sequence[Ciphertext], public: Point, attribute: int, attributes: int, clauses: Sequence[Clause]
) -> membership.Statement:
    others = len(ciphertexts) - 1
    ways = tuple((tuple(first), *([tuple(rest)] * others)) for first, rest in clauses)
    return membership.Statement(public, tuple(ciphertexts), attribute, attributes, ways)
