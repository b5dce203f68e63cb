"""Vectors of the deck's messages: shuffles, hidden hands, "I cannot move", marks of a rebuild."""

from __future__ import annotations

import re
from typing import Any

from make_proofs import ALICE, BOB, CAROL, CONTEXT, ENTROPY, JOINT, cases, encrypted

from p2p.crypto import deck as crypto
from p2p.crypto.group import Point, base_mul
from p2p.crypto.seat_keys import SecretKey

FACES = [(1, (3, 0)), (2, (4, 1)), (3, (2, 0)), (4, (1, 1))]
DECK = crypto.Deck(FACES, ("digit", "suit"))
SEAT = SecretKey(ALICE)
OWN = base_mul(ALICE)
CLAUSES = (((4,), (1, 2)), ((3, 4), (2, 3)))


def cards(ids: list[int], key: Point) -> tuple[crypto.Ciphertext, ...]:
    return encrypted([DECK.point(card) for card in ids], key)[0]


def some(statement: dict[str, Any]) -> dict[str, Any]:
    """Of the changed words only every seventh: enough to compare with, and a fraction of the bytes."""
    kept = [
        case
        for case in statement["cases"]
        if not (word := re.match(r"word (\d+):", case["name"])) or int(word.group(1)) % 7 == 0
    ]
    return {**statement, "cases": kept}


def shuffle_vectors() -> dict[str, Any]:
    statements = []
    for count, width in ((1, 1), (2, 1), (2, 2)):
        rows = tuple(zip(*(cards([1, 2][:count], JOINT) for _ in range(width)), strict=True))
        message = crypto.shuffle(rows, JOINT, CONTEXT, ENTROPY)

        def check(data: bytes, context: bytes, rows: crypto.Rows = rows) -> object:
            return crypto.verify_shuffle(rows, data, JOINT, context)

        statement = {"name": "shuffle", "keys": (JOINT,) * width, "rows": rows}
        points = 2 * count * width + 2 * count + 4 + 2 * width
        made = cases(f"{count} rows of {width}", statement, {}, message, points, check)
        statements.append(made if width == 1 else some(made))
    hand = cards([1, 2, 3], OWN)
    message, _ = crypto.hide(hand, SEAT, CONTEXT, ENTROPY, first=2)

    def check_hide(data: bytes, context: bytes) -> object:
        return crypto.verify_hide(hand, data, OWN, context)

    statement = {"name": "hide", "keys": (OWN,), "rows": tuple((card,) for card in hand)}
    made = {"secret": ALICE, "first": 2}
    statements.append(some(cases("a hand of three, its last card first", statement, made, message, 18, check_hide)))
    return about("Shuffles: the new rows, then the proof", "Shuffle", statements)


def cannot_vectors() -> dict[str, Any]:
    hand = cards([1, 3], OWN)
    message = crypto.prove_cannot(hand, SEAT, DECK, 0, CLAUSES, CONTEXT, ENTROPY)

    def check(data: bytes, context: bytes) -> object:
        return crypto.verify_cannot(hand, OWN, DECK, 0, CLAUSES, data, context)

    statement = {"public": OWN, "hand": hand, "attribute": 0, "attributes": 2, "clauses": CLAUSES}
    made = {"secret": ALICE, "cards": tuple((card, *DECK.face(card).attributes) for card in (1, 3))}
    return about(
        "“I cannot move”: a copy of the hand with its shuffle, then a proof about the copy",
        "Deck",
        [some(cases("two cards, the second clause holds", statement, made, message, 14, check))],
    )


def mark_vectors() -> dict[str, Any]:
    statements = []
    unseen = (1, 2, 4)
    for held in ([2], []):
        hand = cards(held, OWN)
        joint = OWN + base_mul(BOB) + base_mul(CAROL)
        message = crypto.mark(unseen, hand, SEAT, joint, DECK, CONTEXT, ENTROPY)

        def check(
            data: bytes, context: bytes, hand: tuple[crypto.Ciphertext, ...] = hand, joint: Point = joint
        ) -> object:
            return crypto.verify_mark(unseen, hand, OWN, joint, DECK, data, context)

        statement = {
            "public": OWN,
            "joint": joint,
            "unseen": tuple((card, *DECK.face(card).attributes) for card in unseen),
            "hand": hand,
        }
        points = 2 * (3 - len(held)) + 12 + 6 + 8
        made = {"secret": ALICE, "held": tuple(held)}
        statements.append(some(cases(f"{len(held)} of 3 unseen cards held", statement, made, message, points, check)))
    return about("Marks of a rebuild", "Rebuild", statements)


def about(what: str, section: str, statements: list[Any]) -> dict[str, Any]:
    return {
        "about": f"{what}. See SPEC.md, {section}. A card is its id, then its attributes. Each statement has messages "
        "with what a verifier must say: valid, DecodeError (malformed) or ProofError (not proven). The honest one "
        "follows from `made with`.",
        "statements": statements,
    }


FILES = {"shuffle.json": shuffle_vectors, "cannot.json": cannot_vectors, "mark.json": mark_vectors}
