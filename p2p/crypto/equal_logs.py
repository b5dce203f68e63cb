"""Equal logarithms: y = x·G and imageᵢ = x·baseᵢ for all i, with one x. For one pair this is Chaum–Pedersen.

Law: many pairs cost one proof: they are added up under random weights drawn after all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p.crypto import sigma
from p2p.crypto.group import G, Point, Scalar, multi_mul
from p2p.crypto.transcript import Transcript

PROTOCOL = b"equal-logs"


@dataclass(frozen=True, slots=True)
class Statement:
    public: Point
    bases: tuple[Point, ...]
    images: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.bases) != len(self.images):
            raise ValueError("each base has one image")


@dataclass(frozen=True, slots=True)
class Witness:
    secret: Scalar


def prove(statement: Statement, witness: Witness, *, context: bytes, entropy: bytes) -> bytes:
    transcript = Transcript(PROTOCOL, context)
    return sigma.prove(batch(statement, transcript), sigma.Numbers((witness.secret,)), transcript, entropy)


def check(statement: Statement, proof: bytes, *, context: bytes) -> None:
    transcript = Transcript(PROTOCOL, context)
    sigma.verify(batch(statement, transcript), proof, transcript)


def batch(statement: Statement, transcript: Transcript, made_with: Scalar | None = None) -> sigma.Linear:
    """Appends the statement and returns it as one relation; a batch of none is knowledge of the key alone.

    Whoever has just made the images passes the secret they were made with: it saves adding them up.
    """
    transcript.append_point(b"public", statement.public)
    transcript.append_points(b"bases", statement.bases)
    transcript.append_points(b"images", statement.images)
    weights = sigma.weights(transcript, len(statement.bases))
    base = multi_mul(weights, statement.bases)
    image = multi_mul(weights, statement.images) if made_with is None else made_with * base
    return sigma.Linear(1, (sigma.Equation(statement.public, ((0, G),)), sigma.Equation(image, ((0, base),))))
