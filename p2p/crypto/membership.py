"""Membership: one attribute of each of my encrypted cards lies in a set, in (at least) one of several *ways*.

A way gives one set of values for each card; the proof shows that some way holds, and not which.

Law: knows keys, ciphertexts and numbers; sets are data from outside. It rests on every ciphertext holding a card of
the deck (which the shuffles prove) and on nobody knowing a logarithm between the bases of `card_points` and G.

    Vᵢ = vᵢ·P + sᵢ·G                              commits to card i's attribute vᵢ, on that attribute's base P
    y = x·G  and  Σρᵢ(bᵢ - Vᵢ) = x·Σρᵢaᵢ + Σ(…)·other bases - (Σρᵢsᵢ)·G     card i and Vᵢ agree on it
    OR over ways ( AND over cards ( OR over v in the set:  Vᵢ - v·P = sᵢ·G ) )

Message: the commitments V (32 bytes each), then the proof. Cost, each side: about 1.6 multiplications for each value of
each set, because the only base that the many small equations use is G.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p.crypto import sigma
from p2p.crypto.card_points import (
    ID_BASE,
    MAX_ATTRIBUTES,
    MAX_VALUE,
    CardFace,
    attribute_base,
    attribute_point,
)
from p2p.crypto.elgamal import Ciphertext, points_of
from p2p.crypto.errors import DecodeError, ProofError, WitnessError
from p2p.crypto.group import SIZE, G, Point, Scalar, base_mul, multi_mul
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript

PROTOCOL = b"membership"


@dataclass(frozen=True, slots=True)
class Statement:
    public: Point
    ciphertexts: tuple[Ciphertext, ...]
    attribute: int  # which attribute is spoken about …
    attributes: int  # … of how many the cards of this deck have
    ways: tuple[tuple[tuple[int, ...], ...], ...]  # ways[w][i]: the values card i may have in way w

    def __post_init__(self) -> None:
        if not self.ciphertexts:
            raise ValueError("a statement about cards needs a card")
        if not 0 <= self.attribute < self.attributes <= MAX_ATTRIBUTES:
            raise ValueError("the statement is about an attribute that the cards do not have")
        for way in self.ways:
            if len(way) != len(self.ciphertexts):
                raise ValueError("each way gives one set of values for each card")
            if not all(0 <= value <= MAX_VALUE for values in way for value in values):
                raise ValueError("an attribute lies between 0 and 2^32 - 1")


@dataclass(frozen=True, slots=True, repr=False)
class Witness:
    secret: Scalar
    faces: tuple[CardFace, ...]


def prove(statement: Statement, witness: Witness, *, context: bytes, entropy: bytes) -> bytes:
    faces, base = witness.faces, attribute_base(statement.attribute)
    if len(faces) != len(statement.ciphertexts) or any(len(f.attributes) != statement.attributes for f in faces):
        raise WitnessError("one card with all its attributes is needed for each ciphertext")
    values = [face.attributes[statement.attribute] for face in faces]
    ways = _possible(statement)
    holding = [index for index, way in enumerate(ways) if all(v in set_ for v, set_ in zip(values, way, strict=True))]
    if not holding:
        raise WitnessError("none of the ways holds for these cards")
    transcript = _begin(statement, ways, context)
    hedge = Hedge(
        PROTOCOL,
        secret=witness.secret.encode(),
        witness=b"".join(value.to_bytes(4, "little") for face in faces for value in (face.id, *face.attributes)),
        statement=transcript.state(),
        entropy=entropy,
    )
    blindings = hedge.scalars(len(faces))
    commitments = [Scalar(v) * base + base_mul(s) for v, s in zip(values, blindings, strict=True)]
    relation, weights = _relation(statement, ways, commitments, transcript)
    others = [index for index in range(statement.attributes) if index != statement.attribute]
    link = sigma.Numbers(
        (
            witness.secret,
            sigma.weighted_sum(weights, [Scalar(face.id) for face in faces]),
            *(sigma.weighted_sum(weights, [Scalar(face.attributes[index]) for face in faces]) for index in others),
            sigma.weighted_sum(weights, blindings),
        )
    )
    members = tuple(
        sigma.Branch(set_.index(v), sigma.Numbers((s,)))
        for set_, v, s in zip(ways[holding[0]], values, blindings, strict=True)
    )
    known = sigma.Each((link, sigma.Branch(holding[0], sigma.Each(members))))
    return b"".join([point.encode() for point in commitments]) + sigma.prove(relation, known, transcript, entropy)


def check(statement: Statement, message: bytes, *, context: bytes) -> None:
    ways = _possible(statement)
    if not ways:
        raise ProofError("no hand could satisfy the statement")
    end = SIZE * len(statement.ciphertexts)
    if not isinstance(message, bytes) or len(message) < end:
        raise DecodeError("the message ends before its proof begins")
    commitments = [Point.decode(message[at : at + SIZE]) for at in range(0, end, SIZE)]
    transcript = _begin(statement, ways, context)
    relation, _ = _relation(statement, ways, commitments, transcript)
    sigma.verify(relation, message[end:], transcript)


_Ways = list[tuple[tuple[int, ...], ...]]


def _possible(statement: Statement) -> _Ways:
    """The ways as sorted sets, without those that nothing satisfies."""
    ways = [tuple(tuple(sorted(set(values))) for values in way) for way in statement.ways]
    return [way for way in ways if all(way)]


def _begin(statement: Statement, ways: _Ways, context: bytes) -> Transcript:
    transcript = Transcript(PROTOCOL, context)
    transcript.append_point(b"public", statement.public)
    transcript.append_points(b"ciphertexts", points_of(statement.ciphertexts))
    transcript.append_int(b"attribute", statement.attribute)
    transcript.append_int(b"attributes", statement.attributes)
    transcript.append_int(b"ways", len(ways))
    for way in ways:
        for values in way:
            transcript.append(b"values", b"".join(value.to_bytes(4, "little") for value in values))
    return transcript


def _relation(
    statement: Statement, ways: _Ways, commitments: list[Point], transcript: Transcript
) -> tuple[sigma.AllOf, list[Scalar]]:
    transcript.append_points(b"commitments", commitments)
    weights = sigma.weights(transcript, len(commitments))
    one_of_the_ways = sigma.AnyOf(_alternatives(statement.attribute, ways, commitments))
    return sigma.AllOf((_link(statement, commitments, weights), one_of_the_ways)), weights


def _link(statement: Statement, commitments: list[Point], weights: list[Scalar]) -> sigma.Linear:
    """Each card and its commitment differ by nothing that touches the attribute's own base."""
    cards = statement.ciphertexts
    sum_a = multi_mul(weights, [card.a for card in cards])
    rest = multi_mul(weights, [card.b - commitment for card, commitment in zip(cards, commitments, strict=True)])
    others = [attribute_base(index) for index in range(statement.attributes) if index != statement.attribute]
    bases = [sum_a, ID_BASE, *others, -G]
    return sigma.Linear(
        len(bases),
        (sigma.Equation(statement.public, ((0, G),)), sigma.Equation(rest, tuple(enumerate(bases)))),
    )


def _alternatives(attribute: int, ways: _Ways, commitments: list[Point]) -> tuple[sigma.Relation, ...]:
    leaves: dict[tuple[int, int], sigma.Linear] = {}  # ways overlap: each leaf is made once

    def leaf(card: int, value: int) -> sigma.Linear:
        if (card, value) not in leaves:
            image = commitments[card] - attribute_point(attribute, value)
            leaves[card, value] = sigma.Linear(1, (sigma.Equation(image, ((0, G),)),))
        return leaves[card, value]

    return tuple(
        sigma.AllOf(tuple(sigma.AnyOf(tuple(leaf(card, value) for value in values)) for card, values in enumerate(way)))
        for way in ways
    )
