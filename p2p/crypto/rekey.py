"""Re-keying: from my key y = x·G to another key (one seat's, or a joint one), with the plaintext unchanged.

    before (a, b) holds M under y = x·G;   after (a', b') = (r·G, M + r·Y) holds M under Y;   M = b - x·a

Law: the proof says three things with one x and one r per card: y = x·G, a' = r·G, b' - b = r·Y - x·a. So it also shows
that the new randomness is known: nobody can pass on a ciphertext made from somebody else's.
Message of `rekey`: the new ciphertexts (64 bytes each, in order), then the proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.crypto import sigma
from p2p.crypto.elgamal import CIPHERTEXT_SIZE, Ciphertext, decode_all, decrypt, encode_all, encrypt, points_of
from p2p.crypto.errors import DecodeError, WitnessError
from p2p.crypto.group import SIZE, G, Point, Scalar, base_mul, multi_mul
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript

PROTOCOL = b"rekey"


@dataclass(frozen=True, slots=True)
class Statement:
    public: Point
    target: Point
    before: tuple[Ciphertext, ...]
    after: tuple[Ciphertext, ...]

    def __post_init__(self) -> None:
        if len(self.before) != len(self.after):
            raise ValueError("each ciphertext is re-keyed to one")


@dataclass(frozen=True, slots=True)
class Witness:
    secret: Scalar
    randomness: tuple[Scalar, ...]  # of each new ciphertext


def rekey(ciphertexts: Sequence[Ciphertext], *, secret: Scalar, target: Point, context: bytes, entropy: bytes) -> bytes:
    """My cards, encrypted afresh under `target`, with proof."""
    before = tuple(ciphertexts)
    public = base_mul(secret)
    transcript = Transcript(PROTOCOL + b"/randomness", context)
    _append(transcript, public, target, before)
    hedge = Hedge(PROTOCOL, secret=secret.encode(), witness=b"", statement=transcript.state(), entropy=entropy)
    randomness = tuple(hedge.scalars(len(before)))
    after = tuple(encrypt(decrypt(card, secret), target, r) for card, r in zip(before, randomness, strict=True))
    witness = Witness(secret, randomness)
    transcript, relation, weights = _begin(Statement(public, target, before, after), context, made_with=witness)
    return encode_all(after) + sigma.prove(relation, _numbers(witness, weights), transcript, entropy)


def verify(
    ciphertexts: Sequence[Ciphertext], message: bytes, *, public: Point, target: Point, context: bytes
) -> tuple[Ciphertext, ...]:
    """The same cards under `target`, in order, if the message proves it."""
    if not isinstance(message, bytes) or len(message) != message_size(len(ciphertexts)):
        raise DecodeError(f"{len(ciphertexts)} re-keyed cards have {message_size(len(ciphertexts))} bytes")
    end = CIPHERTEXT_SIZE * len(ciphertexts)
    after = decode_all(message[:end], len(ciphertexts))
    check(Statement(public, target, tuple(ciphertexts), after), message[end:], context=context)
    return after


def message_size(count: int) -> int:
    return CIPHERTEXT_SIZE * count + 3 * SIZE


def prove(statement: Statement, witness: Witness, *, context: bytes, entropy: bytes) -> bytes:
    """For ciphertexts that already exist (a row of a shuffle, say) and whose randomness we know."""
    if len(witness.randomness) != len(statement.after):
        raise WitnessError("one randomness for each ciphertext is needed")
    transcript, relation, weights = _begin(statement, context)
    return sigma.prove(relation, _numbers(witness, weights), transcript, entropy)


def check(statement: Statement, proof: bytes, *, context: bytes) -> None:
    transcript, relation, _ = _begin(statement, context)
    sigma.verify(relation, proof, transcript)


def _numbers(witness: Witness, weights: Sequence[Scalar]) -> sigma.Numbers:
    return sigma.Numbers((witness.secret, sigma.weighted_sum(weights, witness.randomness)))


def _begin(
    statement: Statement, context: bytes, made_with: Witness | None = None
) -> tuple[Transcript, sigma.Linear, list[Scalar]]:
    """The relation. Whoever has just made `after` says with what: that saves adding it up."""
    transcript = Transcript(PROTOCOL, context)
    _append(transcript, statement.public, statement.target, statement.before)
    transcript.append_points(b"after", points_of(statement.after))
    weights = sigma.weights(transcript, len(statement.before))
    minus_a = -multi_mul(weights, [card.a for card in statement.before])
    if made_with is None:
        pairs = zip(statement.before, statement.after, strict=True)
        new_a = multi_mul(weights, [card.a for card in statement.after])
        moved = multi_mul(weights, [after.b - before.b for before, after in pairs])
    else:
        secret, r_sum = _numbers(made_with, weights).values
        new_a, moved = base_mul(r_sum), multi_mul([r_sum, secret], [statement.target, minus_a])
    x, r = 0, 1
    relation = sigma.Linear(
        2,
        (
            sigma.Equation(statement.public, ((x, G),)),
            sigma.Equation(new_a, ((r, G),)),
            sigma.Equation(moved, ((r, statement.target), (x, minus_a))),
        ),
    )
    return transcript, relation, weights


def _append(transcript: Transcript, public: Point, target: Point, before: Sequence[Ciphertext]) -> None:
    transcript.append_point(b"public", public)
    transcript.append_point(b"target", target)
    transcript.append_points(b"before", points_of(before))
