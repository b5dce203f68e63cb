"""Shuffles as messages (the new rows, then the proof): made one at a time, verified alone or many at once.

Law: knows rows, keys and contexts; not who sent them. What many shuffles say is merged into one sum with weights
hashed from *all* their complete proofs, statements and contexts; where one link's output is the next one's input, or
rows are committed to with the same generators, the terms coincide. If the sum does not come out, every link is
checked alone, and that verdict counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.crypto.elgamal import CIPHERTEXT_SIZE
from p2p.crypto.errors import CryptoError, DecodeError, ProofError, WitnessError
from p2p.crypto.group import Point
from p2p.crypto.merged_sum import Executor, MergedSum
from p2p.crypto.rng import Hedge
from p2p.crypto.shuffle_proof import (
    Heard,
    Rows,
    ShuffleProof,
    Statement,
    add_equations,
    decode_rows,
    encode_rows,
    equations,
    hear,
    message_size,
    shuffle,
)
from p2p.crypto.transcript import Transcript


class LinkError(ProofError):
    """One shuffle of a chain does not hold; its author alone is at fault. `index` counts the links from 0."""

    def __init__(self, index: int, reason: CryptoError) -> None:
        super().__init__(f"shuffle {index} of the chain: {reason}")
        self.index = index


@dataclass(frozen=True, slots=True)
class Claim:
    """What one message claims: that it shuffles these rows. `protocol` names the kind of shuffle it was made as."""

    protocol: bytes
    inputs: Rows
    keys: tuple[Point, ...]
    message: bytes
    context: bytes


def randomness(
    protocol: bytes,
    inputs: Rows,
    keys: tuple[Point, ...],
    context: bytes,
    *,
    secret: bytes,
    witness: bytes,
    entropy: bytes,
) -> Hedge:
    """All the randomness of one shuffle, its order included if that is to be random."""
    if not inputs or not keys:
        raise WitnessError("there is nothing to shuffle")
    statement = Transcript(protocol, context)
    statement.append_points(b"keys", keys)
    statement.append(b"inputs", encode_rows(inputs))
    return Hedge(protocol, secret=secret, witness=witness, statement=statement.state(), entropy=entropy)


def make(
    protocol: bytes, inputs: Rows, keys: tuple[Point, ...], order: Sequence[int], context: bytes, hedge: Hedge
) -> bytes:
    """Row `order[i]` comes to place i."""
    outputs, proof = shuffle(inputs, keys, order, Transcript(protocol, context), hedge)
    return encode_rows(outputs) + proof.encode()


def output_rows(message: bytes, rows: int, width: int) -> Rows:
    """The rows a shuffle message puts down, not yet verified."""
    if rows < 1 or width < 1:
        raise ProofError("a shuffle has at least one row and one column")
    if not isinstance(message, bytes) or len(message) != message_size(rows, width):
        raise DecodeError(f"a shuffle of {rows} rows of {width} is {message_size(rows, width)} bytes")
    return decode_rows(message[: rows * width * CIPHERTEXT_SIZE], rows, width)


def verify(claim: Claim) -> Rows:
    heard = _hear(claim)
    _check([heard])
    return heard.statement.outputs


def verify_all(claims: Sequence[Claim], executor: Executor | None = None) -> list[Rows]:
    """The output rows of every link; LinkError names the first that does not hold."""
    heard: list[Heard] = []
    malformed: LinkError | None = None
    for index, claim in enumerate(claims):
        try:
            heard.append(_hear(claim))
        except CryptoError as error:
            malformed = LinkError(index, error)
            break  # those before it are still checked: the first that does not hold is named, whatever its fault
    try:
        _check(heard, executor)
    except ProofError:
        for index, link in enumerate(heard):
            try:
                _check([link], executor)
            except ProofError as error:
                raise LinkError(index, error) from None
    if malformed is not None:
        raise malformed
    return [link.statement.outputs for link in heard]


def _hear(claim: Claim) -> Heard:
    rows, width = len(claim.inputs), len(claim.keys)
    outputs = output_rows(claim.message, rows, width)
    proof = ShuffleProof.decode(claim.message[rows * width * CIPHERTEXT_SIZE :], rows, width)
    return hear(Statement(claim.inputs, claim.keys, outputs), proof, Transcript(claim.protocol, claim.context))


def _check(heard: Sequence[Heard], executor: Executor | None = None) -> None:
    weights = Transcript(b"shuffle/weights", b"")
    for link in heard:
        weights.append(b"link", link.digest)
    total = MergedSum()
    for link in heard:
        add_equations(total, link, [int(z) for z in weights.challenges(b"z", equations(link))])
    if not total.is_identity(executor):
        raise ProofError("the proof of a shuffle does not hold")
