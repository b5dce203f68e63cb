"""Every proof of the card cryptography as data, so that one set of tests can attack all of them alike.

A case is an honest statement with its witness, false witnesses, and the module's `prove` and `check`. Mutations are
derived from the types: each point, ciphertext, number and set of a statement is replaced in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from p2p.crypto import bits, equal_logs, keys, membership, rekey, shares
from p2p.crypto.card_points import CardFace, card_point
from p2p.crypto.elgamal import Ciphertext, encrypt
from p2p.crypto.group import IDENTITY, G, Point, Scalar, generators
from p2p.crypto.rng import Hedge

CONTEXT = b"table 7, step 3, seat 1"
ENTROPY = bytes(range(32))
OTHER_POINT = generators(b"tests/other", 1)[0]

numbers = Hedge(b"tests", secret=b"", witness=b"", statement=b"", entropy=ENTROPY)
ALICE, BOB, CAROL = (keys.make(name, ENTROPY) for name in (b"alice", b"bob", b"carol"))


@dataclass(frozen=True)
class Case:
    name: str
    statement: Any
    witness: Any
    wrong: tuple[Any, ...]  # witnesses that do not satisfy the statement
    prover: Callable[..., bytes]
    checker: Callable[..., None]
    points: int = 0  # how many points stand before the scalars in the message

    def __str__(self) -> str:
        return self.name

    def prove(self, context: bytes = CONTEXT, entropy: bytes = ENTROPY) -> bytes:
        return self.prover(self.statement, self.witness, context=context, entropy=entropy)

    def check(self, message: bytes, context: bytes = CONTEXT) -> None:
        self.checker(self.statement, message, context=context)


def encrypted(points: list[Point], key: Point) -> tuple[tuple[Ciphertext, ...], tuple[Scalar, ...]]:
    randomness = tuple(numbers.scalars(len(points)))
    return tuple(encrypt(point, key, r) for point, r in zip(points, randomness, strict=True)), randomness


def hand(*faces: tuple[int, ...], key: Point = ALICE.public) -> tuple[tuple[CardFace, ...], tuple[Ciphertext, ...]]:
    cards = tuple(CardFace(index + 1, attributes) for index, attributes in enumerate(faces))
    return cards, encrypted([card_point(card) for card in cards], key)[0]


def key_case() -> Case:
    statement = keys.Statement(ALICE.public)
    wrong = (keys.Witness(BOB.secret), keys.Witness(-ALICE.secret), keys.Witness(Scalar(0)))
    return Case("key", statement, keys.Witness(ALICE.secret), wrong, keys.prove, keys.check)


def equal_logs_case(count: int) -> Case:
    bases = generators(b"tests/bases", count)
    statement = equal_logs.Statement(ALICE.public, bases, tuple(ALICE.secret * base for base in bases))
    wrong = (equal_logs.Witness(BOB.secret), equal_logs.Witness(ALICE.secret + Scalar(1)))
    name = f"equal-logs-{count}"
    return Case(name, statement, equal_logs.Witness(ALICE.secret), wrong, equal_logs.prove, equal_logs.check)


def shares_case(count: int) -> Case:
    cards, _ = encrypted(list(generators(b"tests/cards", count)), ALICE.public + BOB.public)
    statement = shares.Statement(ALICE.public, cards, tuple(ALICE.secret * card.a for card in cards))
    wrong = (shares.Witness(BOB.secret), shares.Witness(ALICE.secret + BOB.secret))
    return Case(f"shares-{count}", statement, shares.Witness(ALICE.secret), wrong, shares.prove, shares.check)


def rekey_case(count: int) -> Case:
    cards = list(generators(b"tests/cards", count))
    before, _ = encrypted(cards, ALICE.public)
    after, randomness = encrypted(cards, BOB.public + CAROL.public)
    statement = rekey.Statement(ALICE.public, BOB.public + CAROL.public, before, after)
    wrong = [rekey.Witness(BOB.secret, randomness), rekey.Witness(ALICE.secret, (*randomness, Scalar(0)))]
    if count:
        changed = (randomness[0] + Scalar(1), *randomness[1:])
        wrong.append(rekey.Witness(ALICE.secret, changed))
    if count > 1:
        wrong.append(rekey.Witness(ALICE.secret, randomness[::-1]))
    witness = rekey.Witness(ALICE.secret, randomness)
    return Case(f"rekey-{count}", statement, witness, tuple(wrong), rekey.prove, rekey.check)


def bits_case(*values: int) -> Case:
    cards, randomness = encrypted([bits.bit_point(value) for value in values], BOB.public + CAROL.public)
    statement = bits.Statement(BOB.public + CAROL.public, cards)
    flipped = (1 - values[0], *values[1:])
    wrong = (
        bits.Witness(flipped, randomness),
        bits.Witness(values, (randomness[0] + Scalar(1), *randomness[1:])),
        bits.Witness(values[1:], randomness[1:]),
        bits.Witness((2, *values[1:]), randomness),
        bits.Witness((-1, *values[1:]), randomness),
    )
    name = "bits-" + "".join(map(str, values))
    return Case(name, statement, bits.Witness(values, randomness), wrong, bits.prove, bits.check)


def membership_case(
    name: str, faces: tuple[tuple[int, ...], ...], attribute: int, ways: tuple[tuple[tuple[int, ...], ...], ...]
) -> Case:
    cards, ciphertexts = hand(*faces)
    statement = membership.Statement(ALICE.public, ciphertexts, attribute, len(faces[0]), ways)
    higher = tuple(
        CardFace(card.id, (*card.attributes[:attribute], 99, *card.attributes[attribute + 1 :])) for card in cards
    )
    wrong = (
        membership.Witness(BOB.secret, cards),
        membership.Witness(ALICE.secret, higher),
        membership.Witness(ALICE.secret, cards[1:]),
        membership.Witness(ALICE.secret, (CardFace(cards[0].id + 1, cards[0].attributes), *cards[1:])),
    )
    witness = membership.Witness(ALICE.secret, cards)
    return Case(name, statement, witness, wrong, membership.prove, membership.check, points=len(cards))


@cache
def cases() -> tuple[Case, ...]:
    return (
        key_case(),
        equal_logs_case(0),
        equal_logs_case(1),
        equal_logs_case(4),
        shares_case(0),
        shares_case(1),
        shares_case(3),
        rekey_case(0),
        rekey_case(1),
        rekey_case(3),
        bits_case(1),
        bits_case(0, 1, 1),
        membership_case("member", ((4,),), 0, (((2, 4, 6),),)),
        membership_case("member-of-one", ((4, 1, 9),), 1, (((1,),),)),
        membership_case("cannot-first-clause", ((3,), (2,), (0,)), 0, (((0, 1, 2, 3),) * 3, ((4,), (1, 2), (1, 2)))),
        membership_case("cannot-second-clause", ((4,), (2,), (1,)), 0, (((0, 1, 2, 3),) * 3, ((4,), (1, 2), (1, 2)))),
    )


# --- everything that can be different about a statement ------------------------------------------------------------


def statement_mutations(statement: Any) -> Iterator[tuple[str, Any]]:
    """Statements of the same shape that differ from this one in exactly one thing, with its name."""
    for field in fields(statement):
        value = getattr(statement, field.name)
        for what, changed in _changed(value):
            try:
                yield f"{field.name}{what}", replace(statement, **{field.name: changed})
            except ValueError:  # no statement at all (an attribute the cards do not have, say)
                continue


def _changed(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Point):
        yield " shifted", value + G
        if not value.is_identity:
            yield " negated", -value
    elif isinstance(value, Ciphertext):
        yield ".a", Ciphertext(value.a + G, value.b)
        yield ".b", Ciphertext(value.a, value.b + G)
        yield " turned round", Ciphertext(value.b, value.a)
    elif isinstance(value, int):
        yield " + 1", value + 1
        yield " - 1", value - 1
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            for what, changed in _changed(item):
                yield f"[{index}]{what}", (*value[:index], changed, *value[index + 1 :])
        for index in range(len(value) - 1):
            first, second = value[index : index + 2]
            if first != second and not isinstance(first, int):  # sets of numbers have no order
                yield f"[{index}, {index + 1}] swapped", (*value[:index], second, first, *value[index + 2 :])
        if value and all(isinstance(item, int) for item in value):
            yield " with one more", (*value, 77)
            yield " with one less", value[1:]
        if value and all(isinstance(item, tuple) and item and isinstance(item[0], tuple) for item in value):
            yield " with one way more", (*value, value[0])
            yield " with one way less", value[1:]


def same_statement(one: Any, other: Any) -> bool:
    """Sets may be written in many ways; a mutation that only rewrote one is none."""

    def plain(statement: Any) -> Any:
        values = [getattr(statement, field.name) for field in fields(statement)]
        if isinstance(statement, membership.Statement):
            values[-1] = [[sorted(set(value)) for value in way] for way in statement.ways if all(way)]
        return values

    return bool(plain(one) == plain(other))


# --- everything that can be different about a message --------------------------------------------------------------


def words(message: bytes) -> list[bytes]:
    assert len(message) % 32 == 0
    return [message[at : at + 32] for at in range(0, len(message), 32)]


def word_mutations(message: bytes, points: int) -> Iterator[tuple[str, bytes]]:
    """Messages of the same length that differ in one word, or have two words swapped."""
    parts = words(message)
    for index, word in enumerate(parts):
        if index < points:
            point = Point.decode(word)
            changed = {"+ G": point + G, "negated": -point, "another": OTHER_POINT}
            variants = {what: p.encode() for what, p in changed.items()} | {"identity": IDENTITY.encode()}
        else:
            scalar = Scalar.decode(word)
            others = {"+ 1": scalar + Scalar(1), "negated": -scalar, "zero": Scalar(0), "doubled": scalar + scalar}
            variants = {what: s.encode() for what, s in others.items()}
        variants["first bit"] = bytes([word[0] ^ 1]) + word[1:]
        variants["last bit"] = word[:-1] + bytes([word[-1] ^ 0x80])
        if index + 1 < len(parts):
            variants["the next word"] = parts[index + 1]
        for what, variant in variants.items():
            if variant != word:
                yield f"word {index} {what}", b"".join([*parts[:index], variant, *parts[index + 1 :]])
        if index + 1 < len(parts) and parts[index + 1] != word:
            swapped = [*parts[:index], parts[index + 1], word, *parts[index + 2 :]]
            yield f"words {index} and {index + 1} swapped", b"".join(swapped)
