"""Sigma protocols: "I know numbers for which these linear equations between points hold", joined by AND and OR.

Law: knows points and scalars, no card and no key. What a relation is *about* (and every weight that went into it) is
in the transcript before `prove` or `verify` is called; these append the relation itself, then the announcement.

    Linear   Σ wᵢ·B = X for each equation: the prover knows w                    (Schnorr, Chaum–Pedersen, Okamoto, …)
    AllOf    every part holds                                                    (the parts share one challenge)
    AnyOf    at least one part holds, and nobody sees which                      (the parts' challenges add up to one)

The relations follow draft-irtf-cfrg-sigma-protocols; OR is Cramer–Damgård–Schoenmakers. A proof is the challenge c
and the answers: the verifier recomputes the announcement Σ zᵢ·B - c·X and compares challenges. All of it are scalars of
32 bytes, their number fixed by the relation, so there is exactly one encoding of a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from p2p.crypto.errors import DecodeError, ProofError, WitnessError
from p2p.crypto.group import ONE, SIZE, Point, Scalar, multi_mul
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Equation:
    """image = Σ witness[index]·base over `terms`, the pairs (index, base)."""

    image: Point
    terms: tuple[tuple[int, Point], ...]


@dataclass(frozen=True, slots=True)
class Linear:
    """All equations hold for one witness of `scalars` numbers."""

    scalars: int
    equations: tuple[Equation, ...]

    def __post_init__(self) -> None:
        used = {index for equation in self.equations for index, base in equation.terms if not base.is_identity}
        if used != set(range(self.scalars)):  # an unused answer could be changed without anyone noticing
            raise ValueError("every number of a witness must stand in an equation")


@dataclass(frozen=True, slots=True)
class AllOf:
    parts: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    parts: tuple[Relation, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise ValueError("one of no parts can never hold")


Relation: TypeAlias = Linear | AllOf | AnyOf


@dataclass(frozen=True, slots=True, repr=False)
class Numbers:
    """The witness of a `Linear`."""

    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Each:
    """The witness of an `AllOf`: one for each part."""

    parts: tuple[Witness, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Branch:
    """The witness of an `AnyOf`: which part holds, and why."""

    index: int
    part: Witness


Witness: TypeAlias = Numbers | Each | Branch

_Answer: TypeAlias = Callable[[Scalar], list[Scalar]]  # what the prover says once it knows the challenge


# --- the two sides -------------------------------------------------------------------------------------------------


def prove(relation: Relation, witness: Witness, transcript: Transcript, entropy: bytes) -> bytes:
    """A proof of `proof_size(relation)` bytes. Raises WitnessError if the witness does not satisfy the relation."""
    if not holds(relation, witness):
        raise WitnessError("what we know does not satisfy what we were asked to prove")
    transcript.append(b"relation", encode_relation(relation))
    hedge = Hedge(b"sigma", secret=b"", witness=_encode_witness(witness), statement=transcript.state(), entropy=entropy)
    announcement, answer = _announce(relation, witness, hedge)
    transcript.append_points(b"announcement", announcement)
    challenge = transcript.challenge(b"challenge")
    return b"".join(scalar.encode() for scalar in (challenge, *answer(challenge)))


def verify(relation: Relation, proof: bytes, transcript: Transcript) -> None:
    """Raises DecodeError if the bytes are no proof for such a relation, ProofError if they do not prove it."""
    challenge, *answers = decode_scalars(proof, 1 + answer_count(relation))
    transcript.append(b"relation", encode_relation(relation))
    transcript.append_points(b"announcement", _recompute(relation, challenge, iter(answers)))
    if transcript.challenge(b"challenge") != challenge:
        raise ProofError("the proof does not hold")


def proof_size(relation: Relation) -> int:
    return SIZE * (1 + answer_count(relation))


def answer_count(relation: Relation) -> int:
    """How many scalars follow the challenge in a proof. The last challenge of an OR is not sent: it follows."""
    if isinstance(relation, Linear):
        return relation.scalars
    challenges = len(relation.parts) - 1 if isinstance(relation, AnyOf) else 0
    return challenges + sum(answer_count(part) for part in relation.parts)


def holds(relation: Relation, witness: Witness) -> bool:
    """Whether the witness satisfies the relation."""
    if isinstance(relation, Linear) and isinstance(witness, Numbers):
        return len(witness.values) == relation.scalars and all(
            _evaluate(equation, witness.values) == equation.image for equation in relation.equations
        )
    if isinstance(relation, AllOf) and isinstance(witness, Each):
        return len(witness.parts) == len(relation.parts) and all(map(holds, relation.parts, witness.parts))
    if isinstance(relation, AnyOf) and isinstance(witness, Branch):
        return 0 <= witness.index < len(relation.parts) and holds(relation.parts[witness.index], witness.part)
    return False


# --- how the prover announces and answers --------------------------------------------------------------------------


def _announce(relation: Relation, witness: Witness, hedge: Hedge) -> tuple[list[Point], _Answer]:
    if isinstance(relation, Linear) and isinstance(witness, Numbers):
        return _announce_linear(relation, witness, hedge)
    if isinstance(relation, AllOf) and isinstance(witness, Each):
        return _announce_all(relation, witness, hedge)
    if isinstance(relation, AnyOf) and isinstance(witness, Branch):
        return _announce_any(relation, witness, hedge)
    raise WitnessError("the witness does not have the relation's shape")


def _announce_linear(relation: Linear, witness: Numbers, hedge: Hedge) -> tuple[list[Point], _Answer]:
    nonces = hedge.scalars(relation.scalars)

    def answer(challenge: Scalar) -> list[Scalar]:
        return [nonce + challenge * value for nonce, value in zip(nonces, witness.values, strict=True)]

    return [_evaluate(equation, nonces) for equation in relation.equations], answer


def _announce_all(relation: AllOf, witness: Each, hedge: Hedge) -> tuple[list[Point], _Answer]:
    parts = [_announce(part, known, hedge) for part, known in zip(relation.parts, witness.parts, strict=True)]

    def answer(challenge: Scalar) -> list[Scalar]:
        return [scalar for _, answer_part in parts for scalar in answer_part(challenge)]

    return [point for announcement, _ in parts for point in announcement], answer


def _announce_any(relation: AnyOf, witness: Branch, hedge: Hedge) -> tuple[list[Point], _Answer]:
    """The part we know is proven; for each other one challenge and answers are drawn first and the announcement
    follows from them. The verifier sees the same distribution either way."""
    challenges: list[Scalar] = []
    answers: list[list[Scalar]] = []
    announcement: list[Point] = []
    for index, part in enumerate(relation.parts):
        if index == witness.index:
            points, answer_known = _announce(part, witness.part, hedge)
            challenges.append(Scalar(0))  # becomes the rest, once the whole challenge is there
            answers.append([])
        else:
            challenges.append(hedge.scalar())
            answers.append(hedge.scalars(answer_count(part)))
            points = _recompute(part, challenges[index], iter(answers[index]))
        announcement += points

    def answer(challenge: Scalar) -> list[Scalar]:
        challenges[witness.index] = challenge - _sum(challenges)
        answers[witness.index] = answer_known(challenges[witness.index])
        return [*challenges[:-1], *(scalar for part in answers for scalar in part)]

    return announcement, answer


def _recompute(relation: Relation, challenge: Scalar, answers: Iterator[Scalar]) -> list[Point]:
    """The announcement that belongs to this challenge and these answers."""
    if isinstance(relation, Linear):
        values = [next(answers) for _ in range(relation.scalars)]
        minus = -challenge
        return [
            multi_mul(
                [*(values[index] for index, _ in equation.terms), minus],
                [*(base for _, base in equation.terms), equation.image],
            )
            for equation in relation.equations
        ]
    challenges = [challenge] * len(relation.parts)
    if isinstance(relation, AnyOf):
        challenges = [next(answers) for _ in relation.parts[1:]]
        challenges.append(challenge - _sum(challenges))
    return [
        point for part, own in zip(relation.parts, challenges, strict=True) for point in _recompute(part, own, answers)
    ]


def _evaluate(equation: Equation, values: Sequence[Scalar]) -> Point:
    return multi_mul([values[index] for index, _ in equation.terms], [base for _, base in equation.terms])


def _sum(scalars: Sequence[Scalar]) -> Scalar:
    return Scalar(sum(map(int, scalars)))


# --- batching ------------------------------------------------------------------------------------------------------


def weights(transcript: Transcript, count: int) -> list[Scalar]:
    """Random weights under which many equations become one. Draw them after everything they weigh was appended.

    The first is 1: equations that do not all hold still cancel only with probability 1/q, and a batch of one is the
    plain proof.
    """
    return [ONE, *transcript.challenges(b"weights", count - 1)] if count else []


def weighted_sum(factors: Sequence[Scalar], values: Sequence[Scalar]) -> Scalar:
    return Scalar(sum(int(factor) * int(value) for factor, value in zip(factors, values, strict=True)))


# --- bytes ---------------------------------------------------------------------------------------------------------


def decode_scalars(data: bytes, count: int) -> list[Scalar]:
    if not isinstance(data, bytes) or len(data) != SIZE * count:
        raise DecodeError(f"a proof of this statement has {SIZE * count} bytes")
    return [Scalar.decode(data[at : at + SIZE]) for at in range(0, len(data), SIZE)]


def encode_relation(relation: Relation) -> bytes:
    """The relation as bytes for the transcript; different relations never look alike (each list says its length)."""
    if isinstance(relation, Linear):
        pieces = [b"L", _u32(relation.scalars), _u32(len(relation.equations))]
        for equation in relation.equations:
            pieces += [equation.image.encode(), _u32(len(equation.terms))]
            for index, base in equation.terms:
                pieces += [_u32(index), base.encode()]
        return b"".join(pieces)
    kind = b"A" if isinstance(relation, AllOf) else b"O"
    return b"".join([kind, _u32(len(relation.parts)), *(encode_relation(part) for part in relation.parts)])


def _encode_witness(witness: Witness) -> bytes:
    if isinstance(witness, Numbers):
        return b"".join([b"N", _u32(len(witness.values)), *(value.encode() for value in witness.values)])
    if isinstance(witness, Each):
        return b"".join([b"E", _u32(len(witness.parts)), *(_encode_witness(part) for part in witness.parts)])
    return b"".join([b"B", _u32(witness.index), _encode_witness(witness.part)])


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "little")
