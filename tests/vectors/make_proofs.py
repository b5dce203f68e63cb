"""Vectors of the sigma proofs: valid messages, and what becomes of them when something is wrong.

Each case holds the statement, the context, the message and what a verifier must say. Valid cases also hold the
witness and the entropy, from which a prover must make exactly that message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from p2p.crypto import bits, equal_logs, keys, membership, rekey, shares
from p2p.crypto.card_points import CardFace, card_point
from p2p.crypto.elgamal import Ciphertext, encrypt
from p2p.crypto.errors import DecodeError, ProofError
from p2p.crypto.group import Point, Q, Scalar, base_mul, generators
from p2p.crypto.rng import Hedge

CONTEXT = b"vectors: table 1, step 2, seat 3"
ENTROPY = bytes(range(100, 132))
numbers = Hedge(b"vectors", secret=b"", witness=b"", statement=b"", entropy=ENTROPY).scalar

Check = Callable[[bytes, bytes], object]  # message, context


def text(value: Any) -> Any:
    """Anything of a statement or witness as JSON: bytes in hexadecimal, a ciphertext as a then b."""
    if isinstance(value, Point | Scalar | Ciphertext):
        return value.encode().hex()
    if isinstance(value, CardFace):
        return {"id": value.id, "attributes": list(value.attributes)}
    return [text(item) for item in value] if isinstance(value, tuple) else value


def everything_that_can_go_wrong(message: bytes, points: int) -> Iterator[tuple[str, bytes, bytes]]:
    yield "another context", CONTEXT + b"!", message
    yield "no context", b"", message
    yield "empty message", CONTEXT, b""
    yield "one byte less", CONTEXT, message[:-1]
    yield "one byte more", CONTEXT, message + b"\0"
    yield "one word more", CONTEXT, message + bytes(32)
    for index in range(len(message) // 32):
        at = 32 * index
        word = message[at : at + 32]
        if index < points:
            other = (Point.decode(word) + generators(b"vectors", 1)[0]).encode()
            yield f"word {index}: another point", CONTEXT, message[:at] + other + message[at + 32 :]
            yield f"word {index}: the identity", CONTEXT, message[:at] + bytes(32) + message[at + 32 :]
        else:
            number = int.from_bytes(word, "little")
            other = ((number + 1) % Q).to_bytes(32, "little")
            yield f"word {index}: one more", CONTEXT, message[:at] + other + message[at + 32 :]
            other = (number + Q).to_bytes(32, "little")
            yield f"word {index}: not reduced", CONTEXT, message[:at] + other + message[at + 32 :]


def cases(name: str, statement: dict[str, Any], made: dict[str, Any], message: bytes, points: int, check: Check) -> Any:
    def case(what: str, context: bytes, data: bytes) -> dict[str, Any]:
        try:
            check(data, context)
            expect = "valid"
        except (DecodeError, ProofError) as error:
            expect = type(error).__name__
        return {"name": what, "context": context.hex(), "message": data.hex(), "expect": expect}

    return {
        "name": name,
        "statement": {key: text(value) for key, value in statement.items()},
        "made with": {key: text(value) for key, value in made.items()} | {"entropy": ENTROPY.hex()},
        "cases": [case("honest", CONTEXT, message), *(case(*c) for c in everything_that_can_go_wrong(message, points))],
    }


def of_module(module: Any, name: str, statement: Any, witness: Any, points: int = 0) -> Any:
    """The cases of one statement of a module that has the triple Statement, Witness, proof."""

    def fields(value: Any) -> dict[str, Any]:
        return {key: getattr(value, key) for key in value.__dataclass_fields__}

    message = module.prove(statement, witness, context=CONTEXT, entropy=ENTROPY)
    made = fields(witness)
    check: Check = lambda data, context: module.check(statement, data, context=context)  # noqa: E731
    return cases(name, fields(statement), made, message, points, check)


def encrypted(points: list[Point], key: Point) -> tuple[tuple[Ciphertext, ...], tuple[Scalar, ...]]:
    randomness = tuple(numbers() for _ in points)
    return tuple(encrypt(point, key, r) for point, r in zip(points, randomness, strict=True)), randomness


ALICE, BOB, CAROL = numbers(), numbers(), numbers()
JOINT = base_mul(BOB) + base_mul(CAROL)
CARDS = [card_point(CardFace(id_, (id_ + 2,))) for id_ in range(1, 4)]
MINE, _ = encrypted(CARDS, base_mul(ALICE))
AFTER, RANDOMNESS = encrypted(CARDS, JOINT)
MARKED, MARK_RANDOMNESS = encrypted([bits.bit_point(value) for value in (1, 1, 0)], JOINT)


def key_vectors() -> dict[str, Any]:
    statement = keys.Statement(base_mul(ALICE))
    return about("keys", [of_module(keys, "a key", statement, keys.Witness(ALICE))])


def equal_logs_vectors() -> dict[str, Any]:
    statements = []
    for count in (0, 1, 3):
        bases = generators(b"vectors", count)
        statement = equal_logs.Statement(base_mul(ALICE), bases, tuple(ALICE * base for base in bases))
        statements.append(of_module(equal_logs, f"{count} pairs", statement, equal_logs.Witness(ALICE)))
    return about("equal_logs", statements)


def shares_vectors() -> dict[str, Any]:
    statements = []
    for count in (0, 1, 3):
        cards = MINE[:count]
        message = shares.give(cards, secret=ALICE, context=CONTEXT, entropy=ENTROPY)

        def check(data: bytes, context: bytes, cards: tuple[Ciphertext, ...] = cards) -> object:
            return shares.verify(cards, data, public=base_mul(ALICE), context=context)

        statement = {"public": base_mul(ALICE), "ciphertexts": cards}
        statements.append(cases(f"{count} cards", statement, {"secret": ALICE}, message, count, check))
    return about("shares (message of `give`: the shares, then the proof)", statements)


def rekey_vectors() -> dict[str, Any]:
    statements = []
    for count in (0, 1, 3):
        cards = MINE[:count]
        message = rekey.rekey(cards, secret=ALICE, target=JOINT, context=CONTEXT, entropy=ENTROPY)

        def check(data: bytes, context: bytes, cards: tuple[Ciphertext, ...] = cards) -> object:
            return rekey.verify(cards, data, public=base_mul(ALICE), target=JOINT, context=context)

        statement = {"public": base_mul(ALICE), "target": JOINT, "ciphertexts": cards}
        statements.append(cases(f"{count} cards", statement, {"secret": ALICE}, message, 2 * count, check))
    given = rekey.Statement(base_mul(ALICE), JOINT, MINE, AFTER)
    pairs = of_module(rekey, "given pairs (proof alone)", given, rekey.Witness(ALICE, RANDOMNESS))
    return about("rekey (message of `rekey`: the new ciphertexts, then the proof)", [*statements, pairs])


def bits_vectors() -> dict[str, Any]:
    statement = bits.Statement(JOINT, MARKED)
    witness = bits.Witness((1, 1, 0), MARK_RANDOMNESS)
    return about("bits", [of_module(bits, "the bits 1, 1, 0", statement, witness)])


def membership_vectors() -> dict[str, Any]:
    faces = tuple(CardFace(id_, (id_ + 2,)) for id_ in range(1, 4))
    witness = membership.Witness(ALICE, faces)
    first = membership.Statement(base_mul(ALICE), MINE, 0, 1, (((3, 4), (4, 5), (5,)),))
    second = membership.Statement(base_mul(ALICE), MINE, 0, 1, (((9,), (4, 5), (4, 5)), ((3,), (4, 5), (4, 5))))
    return about(
        "membership (message: one commitment for each card, then the proof); `cannot` is this with one way per clause",
        [
            of_module(membership, "one way", first, witness, points=3),
            of_module(membership, "two clauses, the second holds", second, witness, points=3),
        ],
    )


def about(what: str, statements: list[Any]) -> dict[str, Any]:
    return {
        "about": f"Proofs of {what}. See SPEC.md, Proofs. Each statement has messages with what a verifier must say: "
        "valid, DecodeError (malformed) or ProofError (not proven). The honest one follows from `made with`.",
        "statements": statements,
    }


FILES = {
    "keys.json": key_vectors,
    "equal_logs.json": equal_logs_vectors,
    "shares.json": shares_vectors,
    "rekey.json": rekey_vectors,
    "bits.json": bits_vectors,
    "membership.json": membership_vectors,
}
