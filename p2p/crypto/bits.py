"""Encrypted bits: (r·G, v·BIT + r·Y) with v = 0 or 1, and the proof that many ciphertexts are nothing else.

Law: each bit stays hidden; only their number is public. Sums of bits are read off by looking up v·BIT.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from p2p.crypto import sigma
from p2p.crypto.elgamal import Ciphertext, points_of
from p2p.crypto.errors import WitnessError
from p2p.crypto.group import G, Point, Scalar, hash_to_group
from p2p.crypto.transcript import Transcript

PROTOCOL = b"bits"
BIT = hash_to_group(b"bit")


@dataclass(frozen=True, slots=True)
class Statement:
    key: Point
    ciphertexts: tuple[Ciphertext, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Witness:
    bits: tuple[int, ...]
    randomness: tuple[Scalar, ...]


@lru_cache(maxsize=256)
def bit_point(value: int) -> Point:
    """The plaintext that stands for `value`: a bit, or a sum of bits."""
    return Scalar(value) * BIT


def prove(statement: Statement, witness: Witness, *, context: bytes, entropy: bytes) -> bytes:
    if not len(witness.bits) == len(witness.randomness) == len(statement.ciphertexts):
        raise WitnessError("one bit and one randomness for each ciphertext are needed")
    if not set(witness.bits) <= {0, 1}:
        raise WitnessError("a bit is 0 or 1")
    transcript, relation = _begin(statement, context)
    known = sigma.Each(
        tuple(sigma.Branch(bit, sigma.Numbers((r,))) for bit, r in zip(witness.bits, witness.randomness, strict=True))
    )
    return sigma.prove(relation, known, transcript, entropy)


def check(statement: Statement, proof: bytes, *, context: bytes) -> None:
    transcript, relation = _begin(statement, context)
    sigma.verify(relation, proof, transcript)


def _begin(statement: Statement, context: bytes) -> tuple[Transcript, sigma.AllOf]:
    transcript = Transcript(PROTOCOL, context)
    transcript.append_point(b"key", statement.key)
    transcript.append_points(b"ciphertexts", points_of(statement.ciphertexts))
    return transcript, sigma.AllOf(tuple(_zero_or_one(card, statement.key) for card in statement.ciphertexts))


def _zero_or_one(card: Ciphertext, key: Point) -> sigma.AnyOf:
    return sigma.AnyOf(
        tuple(
            sigma.Linear(1, (sigma.Equation(card.a, ((0, G),)), sigma.Equation(mask, ((0, key),))))
            for mask in (card.b, card.b - BIT)
        )
    )
