"""Knowledge of a key: y = x·G, bound to a context.

Law: one key pair per table and seat. Without this proof a joint key could be chosen to cancel the others' ("rogue
key"), so a key counts only after its proof was checked.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p.crypto import sigma
from p2p.crypto.group import G, Point, Scalar, base_mul
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript

PROTOCOL = b"key"


@dataclass(frozen=True, slots=True)
class KeyPair:
    secret: Scalar
    public: Point


@dataclass(frozen=True, slots=True)
class Statement:
    public: Point


@dataclass(frozen=True, slots=True)
class Witness:
    secret: Scalar


def make(context: bytes, entropy: bytes) -> KeyPair:
    """A fresh key pair for this context."""
    secret = Hedge(b"key/make", secret=b"", witness=b"", statement=context, entropy=entropy).scalar()
    return KeyPair(secret, base_mul(secret))


def prove(statement: Statement, witness: Witness, *, context: bytes, entropy: bytes) -> bytes:
    transcript, relation = _begin(statement, context)
    return sigma.prove(relation, sigma.Numbers((witness.secret,)), transcript, entropy)


def check(statement: Statement, proof: bytes, *, context: bytes) -> None:
    transcript, relation = _begin(statement, context)
    sigma.verify(relation, proof, transcript)


def _begin(statement: Statement, context: bytes) -> tuple[Transcript, sigma.Linear]:
    transcript = Transcript(PROTOCOL, context)
    transcript.append_point(b"public", statement.public)
    return transcript, sigma.Linear(1, (sigma.Equation(statement.public, ((0, G),)),))
