"""Decryption shares: x·a for each of many ciphertexts (a, b), with one proof that all of them are exactly that.

Law: a share is useless without every other layer's; so shares are broadcast, and whoever holds the last layer reads.
Message: the shares (32 bytes each, in order), then the proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.crypto import equal_logs, sigma
from p2p.crypto.elgamal import Ciphertext, points_of
from p2p.crypto.errors import DecodeError
from p2p.crypto.group import SIZE, Point, Scalar, base_mul
from p2p.crypto.transcript import Transcript

PROTOCOL = b"shares"


@dataclass(frozen=True, slots=True)
class Statement:
    public: Point
    ciphertexts: tuple[Ciphertext, ...]
    shares: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Witness:
    secret: Scalar


def give(ciphertexts: Sequence[Ciphertext], *, secret: Scalar, context: bytes, entropy: bytes) -> bytes:
    """My share of each ciphertext, proven."""
    shares = tuple(secret * ciphertext.a for ciphertext in ciphertexts)
    statement = Statement(base_mul(secret), tuple(ciphertexts), shares)
    transcript, relation = _begin(statement, context, made_with=secret)
    proof = sigma.prove(relation, sigma.Numbers((secret,)), transcript, entropy)
    return b"".join([share.encode() for share in shares]) + proof


def verify(ciphertexts: Sequence[Ciphertext], message: bytes, *, public: Point, context: bytes) -> tuple[Point, ...]:
    """The shares of the holder of `public`, in order, if the message proves them."""
    if not isinstance(message, bytes) or len(message) != message_size(len(ciphertexts)):
        raise DecodeError(f"shares of {len(ciphertexts)} cards have {message_size(len(ciphertexts))} bytes")
    end = SIZE * len(ciphertexts)
    shares = tuple(Point.decode(message[at : at + SIZE]) for at in range(0, end, SIZE))
    check(Statement(public, tuple(ciphertexts), shares), message[end:], context=context)
    return shares


def message_size(count: int) -> int:
    return SIZE * (count + 2)


def prove(statement: Statement, witness: Witness, *, context: bytes, entropy: bytes) -> bytes:
    transcript, relation = _begin(statement, context)
    return sigma.prove(relation, sigma.Numbers((witness.secret,)), transcript, entropy)


def check(statement: Statement, proof: bytes, *, context: bytes) -> None:
    transcript, relation = _begin(statement, context)
    sigma.verify(relation, proof, transcript)


def _begin(statement: Statement, context: bytes, made_with: Scalar | None = None) -> tuple[Transcript, sigma.Linear]:
    transcript = Transcript(PROTOCOL, context)
    transcript.append_points(b"ciphertexts", points_of(statement.ciphertexts))
    logs = equal_logs.Statement(
        statement.public, tuple(ciphertext.a for ciphertext in statement.ciphertexts), statement.shares
    )
    return transcript, equal_logs.batch(logs, transcript, made_with)
