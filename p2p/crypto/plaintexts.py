"""Known plaintexts: ciphertext i, under one key Y, holds exactly the public point Mᵢ (and its maker knows how).

    aᵢ = rᵢ·G and bᵢ - Mᵢ = rᵢ·Y, for all i in one proof

Law: nothing is hidden here but the randomness; the ciphertexts stay indistinguishable for later shuffles.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p.crypto import sigma
from p2p.crypto.elgamal import Ciphertext, points_of
from p2p.crypto.errors import WitnessError
from p2p.crypto.group import G, Point, Scalar, multi_mul
from p2p.crypto.transcript import Transcript

PROTOCOL = b"plaintexts"


@dataclass(frozen=True, slots=True)
class Statement:
    key: Point
    ciphertexts: tuple[Ciphertext, ...]
    plaintexts: tuple[Point, ...]  # the identity too: it is what an encryption of 0 holds

    def __post_init__(self) -> None:
        if len(self.ciphertexts) != len(self.plaintexts):
            raise ValueError("each ciphertext has one plaintext")


@dataclass(frozen=True, slots=True)
class Witness:
    randomness: tuple[Scalar, ...]


def prove(statement: Statement, witness: Witness, *, context: bytes, entropy: bytes) -> bytes:
    if len(witness.randomness) != len(statement.ciphertexts):
        raise WitnessError("one randomness for each ciphertext is needed")
    transcript, relation, weights = _begin(statement, context)
    known = sigma.Numbers((sigma.weighted_sum(weights, witness.randomness),))
    return sigma.prove(relation, known, transcript, entropy)


def check(statement: Statement, proof: bytes, *, context: bytes) -> None:
    transcript, relation, _ = _begin(statement, context)
    sigma.verify(relation, proof, transcript)


def _begin(statement: Statement, context: bytes) -> tuple[Transcript, sigma.Linear, list[Scalar]]:
    transcript = Transcript(PROTOCOL, context)
    transcript.append_point(b"key", statement.key)
    transcript.append_points(b"ciphertexts", points_of(statement.ciphertexts))
    transcript.append_points(b"plaintexts", statement.plaintexts)
    weights = sigma.weights(transcript, len(statement.ciphertexts))
    masks = [card.b - plain for card, plain in zip(statement.ciphertexts, statement.plaintexts, strict=True)]
    relation = sigma.Linear(
        1,
        (
            sigma.Equation(multi_mul(weights, [card.a for card in statement.ciphertexts]), ((0, G),)),
            sigma.Equation(multi_mul(weights, masks), ((0, statement.key),)),
        ),
    )
    return transcript, relation, weights
