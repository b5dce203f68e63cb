"""The sigma protocols themselves: any tree of AND and OR over linear relations is complete, sound, and hides."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from p2p.crypto import sigma
from p2p.crypto.errors import DecodeError, ProofError, WitnessError
from p2p.crypto.group import IDENTITY, G, Point, Q, Scalar, base_mul, generators, multi_mul
from p2p.crypto.rng import Hedge
from p2p.crypto.sigma import AllOf, AnyOf, Branch, Each, Equation, Linear, Numbers, Relation, Witness
from p2p.crypto.transcript import Transcript

BASES = (G, *generators(b"tests/sigma", 4))
ENTROPY = bytes(range(32))


@dataclass(frozen=True)
class Known:
    """A relation with a witness that satisfies it."""

    relation: Relation
    witness: Witness


@st.composite
def linears(draw: st.DrawFn) -> Known:
    """Up to three numbers in up to three equations, each number used at least once.

    Images are not the identity, as none is in the proofs of this folder that use OR: "0 = w·G" holds whatever the
    challenge, so that inside an OR its part of the challenge would be free.
    """
    count = draw(st.integers(1, 3))
    values = tuple(Scalar(draw(st.integers(1, Q - 1))) for _ in range(count))
    equations = []
    for first in range(count):
        indices = [first, *draw(st.lists(st.integers(0, count - 1), max_size=2))]
        terms = tuple((index, draw(st.sampled_from(BASES))) for index in indices)
        image = multi_mul([values[index] for index, _ in terms], [base for _, base in terms])
        assume(not image.is_identity)
        equations.append(Equation(image, terms))
    return Known(Linear(count, tuple(equations)), Numbers(values))


def falsified(relation: Relation) -> Relation:
    """The same shape, with images nobody knows numbers for."""
    if isinstance(relation, Linear):
        return Linear(relation.scalars, tuple(replace(e, image=e.image + BASES[4]) for e in relation.equations))
    return type(relation)(tuple(falsified(part) for part in relation.parts))


def conjunction(parts: list[Known]) -> Known:
    return Known(AllOf(tuple(p.relation for p in parts)), Each(tuple(p.witness for p in parts)))


@st.composite
def disjunctions(draw: st.DrawFn, inner: st.SearchStrategy[Known]) -> Known:
    parts = draw(st.lists(inner, min_size=1, max_size=3))
    index = draw(st.integers(0, len(parts) - 1))
    others_too = draw(st.booleans())
    relations = tuple(
        p.relation if others_too or place == index else falsified(p.relation) for place, p in enumerate(parts)
    )
    return Known(AnyOf(relations), Branch(index, parts[index].witness))


trees = st.recursive(
    linears(),
    lambda inner: st.one_of(st.lists(inner, min_size=1, max_size=3).map(conjunction), disjunctions(inner)),
    max_leaves=5,
)
PROPERTY = settings(derandomize=True, deadline=None, max_examples=80)


def transcript() -> Transcript:
    return Transcript(b"tests", b"context")


def proven(known: Known, entropy: bytes = ENTROPY) -> bytes:
    return sigma.prove(known.relation, known.witness, transcript(), entropy)


@given(trees)
@PROPERTY
def test_whoever_knows_can_prove(known: Known) -> None:
    """Completeness, and the size a relation announces is the size of its proof."""
    proof = proven(known)
    sigma.verify(known.relation, proof, transcript())
    assert len(proof) == sigma.proof_size(known.relation)


@given(trees, st.data())
@PROPERTY
def test_every_number_of_a_proof_counts(known: Known, data: st.DataObject) -> None:
    """Whichever scalar of a proof is changed, to whatever: rejected."""
    proof = proven(known)
    index = 32 * data.draw(st.integers(0, len(proof) // 32 - 1))
    number = Scalar(data.draw(st.integers(0, Q - 1)))
    changed = proof[:index] + number.encode() + proof[index + 32 :]
    if changed != proof:
        with pytest.raises(ProofError):
            sigma.verify(known.relation, changed, transcript())


@given(trees)
@PROPERTY
def test_what_is_false_cannot_be_proven(known: Known) -> None:
    """The prover refuses, and a proof of the true relation proves nothing about the false one."""
    false = falsified(known.relation)
    with pytest.raises(WitnessError):
        sigma.prove(false, known.witness, transcript(), ENTROPY)
    with pytest.raises(ProofError):
        sigma.verify(false, proven(known), transcript())


@given(trees, trees)
@PROPERTY
def test_different_relations_have_different_bytes(one: Known, other: Known) -> None:
    """What goes into the transcript tells every relation from every other."""
    same = sigma.encode_relation(one.relation) == sigma.encode_relation(other.relation)
    assert same == (one.relation == other.relation)


@given(trees, st.binary(max_size=400))
@PROPERTY
def test_any_bytes_are_decoded_or_refused(known: Known, junk: bytes) -> None:
    """Nothing but the two documented errors."""
    with pytest.raises((DecodeError, ProofError)):
        sigma.verify(known.relation, junk, transcript())


def log(point: Point, secret: Scalar) -> Known:
    return Known(Linear(1, (Equation(secret * point, ((0, point),)),)), Numbers((secret,)))


def test_the_shape_of_a_witness_must_fit() -> None:
    """A witness for another kind of relation, with too few parts, or for a branch that is not there, is refused."""
    one = log(G, Scalar(5))
    both, either = AllOf((one.relation, one.relation)), AnyOf((one.relation, one.relation))
    misfits: list[tuple[Relation, Witness]] = [
        (one.relation, Numbers(())),
        (one.relation, Numbers((Scalar(5), Scalar(5)))),
        (one.relation, Each((one.witness,))),
        (one.relation, Branch(0, one.witness)),
        (both, one.witness),
        (both, Each((one.witness,))),
        (both, Branch(0, one.witness)),
        (either, one.witness),
        (either, Each((one.witness, one.witness))),
        (either, Branch(2, one.witness)),
        (either, Branch(-1, one.witness)),
        (either, Branch(0, Each(()))),
    ]
    for relation, witness in misfits:
        with pytest.raises(WitnessError):
            sigma.prove(relation, witness, transcript(), ENTROPY)


def test_a_number_that_no_equation_binds_is_refused() -> None:
    """Such an answer could be changed by anyone: the relation itself is a mistake."""
    for equations in ((), (Equation(G, ((0, G),)),), (Equation(G, ((0, G), (1, IDENTITY))),)):
        with pytest.raises(ValueError, match="must stand in an equation"):
            Linear(2, equations)


def test_one_of_nothing_is_refused() -> None:
    """An empty OR is false, and no relation; an empty AND is true."""
    with pytest.raises(ValueError, match="never hold"):
        AnyOf(())
    sigma.verify(AllOf(()), sigma.prove(AllOf(()), Each(()), transcript(), ENTROPY), transcript())


def test_or_is_not_proven_by_simulating_every_branch() -> None:
    """A cheat may choose all challenges but one: the last is what remains of the hash, and he cannot answer it."""
    relation = AnyOf(tuple(Linear(1, (Equation(base, ((0, G),)),)) for base in BASES[1:4]))
    hedge = Hedge(b"cheat", secret=b"", witness=b"", statement=b"", entropy=ENTROPY)
    for _ in range(20):
        challenges, answers = hedge.scalars(3), hedge.scalars(3)
        heard = transcript()
        heard.append(b"relation", sigma.encode_relation(relation))
        parts = zip(relation.parts, challenges, answers, strict=True)
        announcement = [base_mul(z) - c * part.equations[0].image for part, c, z in parts]
        heard.append_points(b"announcement", announcement)
        challenge = heard.challenge(b"challenge")
        for claimed in (challenge, Scalar(sum(map(int, challenges)))):
            forged = b"".join(scalar.encode() for scalar in (claimed, *challenges[:2], *answers))
            with pytest.raises(ProofError):
                sigma.verify(relation, forged, transcript())


def test_nobody_sees_which_branch_is_true() -> None:
    """Over many proofs of one OR, the sent challenges and answers are uniform whichever branch was known."""
    secret = Scalar(123456789)
    for real in range(3):
        relation = AnyOf(
            tuple(
                Linear(1, (Equation(base_mul(secret) if index == real else BASES[1 + index], ((0, G),)),))
                for index in range(3)
            )
        )
        known = Known(relation, Branch(real, Numbers((secret,))))
        runs = 320
        columns: list[list[int]] = [[0] * 8 for _ in range(6)]
        for run in range(runs):
            proof = proven(known, run.to_bytes(32, "big"))
            sigma.verify(relation, proof, transcript())
            for column in range(6):
                number = int.from_bytes(proof[32 * column : 32 * column + 32], "little")
                columns[column][number * 8 // Q] += 1
        for counts in columns:
            chi = sum((count - runs / 8) ** 2 / (runs / 8) for count in counts)
            assert chi < 7 + 5 * math.sqrt(14)  # five standard deviations above the mean; the runs are fixed


def test_challenges_fill_the_whole_range() -> None:
    """Not grindable: a challenge has all its 252 bits, not a prefix that could be searched for."""
    known = log(BASES[1], Scalar(77))
    challenges = [int.from_bytes(proven(known, n.to_bytes(32, "big"))[:32], "little") for n in range(200)]
    for bit in range(252):
        ones = sum(challenge >> bit & 1 for challenge in challenges)
        assert 50 < ones < 150  # seven standard deviations; the runs are fixed
    assert len(set(challenges)) == 200


def test_weights_begin_with_one_and_depend_on_everything_before() -> None:
    """The batch of one is the plain proof; all other weights are fresh for every transcript."""
    assert sigma.weights(transcript(), 0) == []
    assert sigma.weights(transcript(), 1) == [Scalar(1)]
    one, other = transcript(), transcript()
    other.append(b"x", b"")
    first, second = sigma.weights(one, 5), sigma.weights(other, 5)
    assert first[0] == second[0] == Scalar(1)
    assert not set(first[1:]) & set(second[1:])
    assert len(set(first)) == 5
