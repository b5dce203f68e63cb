"""The second implementation goes on: shuffles, "I cannot move" and marks, written from p2p/crypto/SPEC.md alone.

Law: imports nothing of p2p. Every equation of the specification is checked by itself, none is merged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from second_implementation import (
    BIT,
    ID_BASE,
    Cards,
    Element,
    G,
    Malformed,
    Q,
    Transcript,
    Unproven,
    add,
    bytes_of,
    cards_of,
    check_membership,
    encode,
    equal_logs,
    from_hex,
    hash_to_group,
    minus,
    read_points,
    scalar,
    sum_of,
    u32,
    u64,
    weighted,
)

Rows = list[Cards]


def same(left: Element, right: Element) -> None:
    if encode(left) != encode(right):
        raise Unproven


def pairs(points: list[Element]) -> Cards:
    return list(zip(points[::2], points[1::2], strict=True))


def shuffled(name: bytes, rows: Rows, keys: list[Element], context: bytes, message: bytes) -> Rows:
    """The output rows, if the message proves them."""
    n, width = len(rows), len(keys)
    if len(message) != 64 * n * width + 32 * (3 * n + 8 + 3 * width):
        raise Malformed
    points, rest = read_points(message, 2 * n * width + 2 * n + 4 + 2 * width)
    numbers = [scalar(rest[at : at + 32]) for at in range(0, len(rest), 32)]
    flat, points = pairs(points[: 2 * n * width]), points[2 * n * width :]
    out = [flat[at : at + width] for at in range(0, n * width, width)]
    c, chain, t = points[:n], points[n : 2 * n], points[2 * n :]
    s, s_column, s_row = numbers[:4], numbers[4 : 4 + width], numbers[4 + width :]

    transcript = Transcript(name, context)
    transcript.append(b"rows", u64(n))
    transcript.append(b"keys", *map(encode, keys))
    transcript.append(b"inputs", *map(bytes_of, rows))
    transcript.append(b"outputs", *map(bytes_of, out))
    transcript.append(b"commitments", *map(encode, c))
    u = transcript.challenges(b"u", n)
    transcript.append(b"chain", *map(encode, chain))
    w = transcript.challenges(b"w", n)
    transcript.append(b"announcements", *map(encode, t))
    (challenge,) = transcript.challenges(b"c", 1)

    h = hash_to_group(b"shuffle/chain")
    generators = [hash_to_group(b"shuffle/row/%d" % index) for index in range(n)]
    product = 1
    for factor in u:
        product = product * factor % Q
    before = [h, *chain[:-1]]
    rowwise = [weight * answer for weight, answer in zip(w, s_row, strict=True)]
    ones = [1] * n

    def equation(announcement: Element, left: Element, right: Element) -> None:
        same(add(announcement, sum_of([(challenge, left)])), right)

    equation(t[0], minus(weighted(ones, c), weighted(ones, generators)), sum_of([(s[0], G)]))
    equation(t[1], minus(chain[-1], sum_of([(product, h)])), sum_of([(s[1], G)]))
    equation(t[2], weighted(u, c), add(sum_of([(s[2], G)]), weighted(s_row, generators)))
    equation(t[3], weighted(w, chain), add(sum_of([(s[3], G)]), weighted(rowwise, before)))
    for k, key in enumerate(keys):
        for half, base in enumerate((G, key)):
            left = weighted(u, [row[k][half] for row in rows])
            right = weighted(s_row, [row[k][half] for row in out])
            equation(t[4 + 2 * k + half], left, minus(right, sum_of([(s_column[k], base)])))
    return out


def check_shuffle(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    rows = [cards_of(row) for row in statement["rows"]]
    shuffled(statement["name"].encode(), rows, [from_hex(key) for key in statement["keys"]], context, message)


def check_cannot(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    hand = cards_of(statement["hand"])
    end = 64 * len(hand) + 32 * (3 * len(hand) + 11)
    public = from_hex(statement["public"])
    copy = shuffled(b"cannot/arrange", [[card] for card in hand], [public], context, message[:end])
    about_the_copy = {
        "public": statement["public"],
        "ciphertexts": [bytes_of(row).hex() for row in copy],
        "attribute": statement["attribute"],
        "attributes": statement["attributes"],
        "ways": [[first] + [others] * (len(hand) - 1) for first, others in statement["clauses"]],
    }
    check_membership(about_the_copy, context, message[end:])


def check_mark(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    hand, unseen = cards_of(statement["hand"]), statement["unseen"]
    public, joint = from_hex(statement["public"]), from_hex(statement["joint"])
    n, free = len(unseen), len(unseen) - len(hand)
    if len(message) != 64 * free + 128 * n + 32 * (3 * n + 14) + 64:
        raise Malformed
    bound = Transcript(b"mark", context)
    bound.append(b"unseen", *(u32(card[0]) for card in unseen))
    bound.append(b"hand", bytes_of(hand))
    bound.append(b"joint", encode(joint))
    here = hashlib.shake_256(bound.heard).digest(64)  # the state of that transcript
    points, rest = read_points(message, 2 * free)
    one, zero = (G, add(BIT, joint)), (G, joint)
    rows = [[card, one] for card in hand] + [[card, zero] for card in pairs(points)]
    out = shuffled(b"mark", rows, [public, joint], here, rest[:-64])
    masks = []
    for (_, b), (card, *attributes) in zip([row[0] for row in out], unseen, strict=True):
        values = [(value, hash_to_group(b"card/attribute/%d" % j)) for j, value in enumerate(attributes)]
        masks.append(minus(b, sum_of([(card, ID_BASE), *values])))
    transcript = Transcript(b"equal-logs", here)
    equal_logs(transcript, public, [row[0][0] for row in out], masks, rest[-64:])


CHECKS: dict[str, Callable[[dict[str, Any], bytes, bytes], None]] = {
    "shuffle.json": check_shuffle,
    "cannot.json": check_cannot,
    "mark.json": check_mark,
}
