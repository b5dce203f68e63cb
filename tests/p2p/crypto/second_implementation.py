"""A second implementation of the verifier, written from RFC 9496 and p2p/crypto/SPEC.md alone, on Python's integers.

Law: imports nothing of p2p. If this and p2p/crypto agree on the vectors, the specification can be implemented from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

# --- RFC 9496 ------------------------------------------------------------------------------------------------------

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)

Element = tuple[int, int, int, int]  # extended coordinates X, Y, Z, T
IDENTITY: Element = (0, 1, 1, 0)


class Malformed(Exception):
    """What SPEC.md calls DecodeError."""


class Unproven(Exception):
    """What SPEC.md calls ProofError."""


def negative(x: int) -> bool:
    return x % P % 2 == 1


def absolute(x: int) -> int:
    return -x % P if negative(x) else x % P


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    correct, flipped, flipped_i = check == u % P, check == -u % P, check == -u * SQRT_M1 % P
    if flipped or flipped_i:
        r = r * SQRT_M1 % P
    return correct or flipped, absolute(r)


# Of its two roots the RFC prints this one.
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
assert SQRT_AD_MINUS_ONE**2 % P == (-D - 1) % P
INVSQRT_A_MINUS_D = sqrt_ratio(1, -1 - D)[1]


def decode(data: bytes) -> Element:
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or negative(s):
        raise Malformed
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    was_square, invsqrt = sqrt_ratio(1, v * u2 * u2)
    den_x = invsqrt * u2 % P
    den_y = invsqrt * den_x * v % P
    x = absolute(2 * s * den_x)
    y = u1 * den_y % P
    t = x * y % P
    if not was_square or negative(t) or y == 0:
        raise Malformed
    return x, y, 1, t


def encode(element: Element) -> bytes:
    x0, y0, z0, t0 = element
    u1, u2 = (z0 + y0) * (z0 - y0) % P, x0 * y0 % P
    _, invsqrt = sqrt_ratio(1, u1 * u2 * u2)
    den1, den2 = invsqrt * u1 % P, invsqrt * u2 % P
    z_inv = den1 * den2 * t0 % P
    x, y, den_inv = x0, y0, den2
    if negative(t0 * z_inv):
        x, y, den_inv = y0 * SQRT_M1 % P, x0 * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    if negative(x * z_inv):
        y = -y % P
    return absolute(den_inv * (z0 - y)).to_bytes(32, "little")


def one_way_map(uniform: bytes) -> Element:
    def half(data: bytes) -> Element:
        t = (int.from_bytes(data, "little") & (2**255 - 1)) % P
        r = SQRT_M1 * t * t % P
        u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
        was_square, s = sqrt_ratio(u, v)
        if not was_square:
            s = -absolute(s * t) % P
        c = -1 if was_square else r
        n = (c * (r - 1) * (D - 1) ** 2 - v) % P
        w0, w1, w2, w3 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P, (1 - s * s) % P, (1 + s * s) % P
        return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P

    return add(half(uniform[:32]), half(uniform[32:]))


def add(one: Element, other: Element) -> Element:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def negated(element: Element) -> Element:
    x, y, z, t = element
    return -x % P, y, z, -t % P


def sum_of(terms: list[tuple[int, Element]]) -> Element:
    """Σ scalar · element, all doublings shared."""
    total = IDENTITY
    terms = [(scalar % Q, element) for scalar, element in terms]
    for bit in range(252, -1, -1):
        total = add(total, total)
        for scalar, element in terms:
            if scalar >> bit & 1:
                total = add(total, element)
    return total


# --- SPEC.md: Group, Transcript ------------------------------------------------------------------------------------


def point(data: bytes) -> Element:
    if data == bytes(32):
        raise Malformed
    return decode(data)


def scalar(data: bytes) -> int:
    number = int.from_bytes(data, "little")
    if len(data) != 32 or number >= Q:
        raise Malformed
    return number


def u64(number: int) -> bytes:
    return number.to_bytes(8, "little")


def u32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def hash_to_group(label: bytes) -> Element:
    domain = b"nodealer/crypto/1/generator"
    return one_way_map(hashlib.sha512(u64(len(domain)) + domain + u64(len(label)) + label).digest())


class Transcript:
    def __init__(self, protocol: bytes, context: bytes) -> None:
        self.heard = b""
        for label, data in ((b"version", b"nodealer/crypto/1"), (b"protocol", protocol), (b"context", context)):
            self.append(label, data)

    def append(self, label: bytes, *data: bytes) -> None:
        whole = b"".join(data)
        self.heard += b"\x01" + u64(len(label)) + label + u64(len(whole)) + whole

    def challenges(self, label: bytes, count: int) -> list[int]:
        self.heard += b"\x02" + u64(len(label)) + label + u64(8) + u64(64 * count)
        drawn = hashlib.shake_256(self.heard).digest(64 * count)
        return [int.from_bytes(drawn[at : at + 64], "little") % Q for at in range(0, 64 * count, 64)]


# --- SPEC.md: Relations --------------------------------------------------------------------------------------------

G = decode(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
BIT = hash_to_group(b"bit")
ID_BASE = hash_to_group(b"card/id")

Equation = tuple[Element, list[tuple[int, Element]]]  # image, [(index of the number, base)]
Relation = tuple[str, Any]  # ("L", (numbers, [Equation])), ("A", [Relation]), ("O", [Relation])


def relation_bytes(relation: Relation) -> bytes:
    kind, content = relation
    if kind != "L":
        return kind.encode() + u32(len(content)) + b"".join(map(relation_bytes, content))
    numbers, equations = content
    out = b"L" + u32(numbers) + u32(len(equations))
    for image, terms in equations:
        out += encode(image) + u32(len(terms)) + b"".join(u32(index) + encode(base) for index, base in terms)
    return out


def size(relation: Relation) -> int:
    kind, content = relation
    if kind == "L":
        return int(content[0])
    return sum(map(size, content)) + (len(content) - 1 if kind == "O" else 0)


def announcement(relation: Relation, challenge: int, answers: Iterator[int]) -> list[Element]:
    kind, content = relation
    if kind == "L":
        numbers, equations = content
        z = [next(answers) for _ in range(numbers)]
        return [
            sum_of([*((z[index], base) for index, base in terms), (-challenge, image)]) for image, terms in equations
        ]
    own = [challenge] * len(content)
    if kind == "O":
        own = [next(answers) for _ in content[1:]]
        own.append((challenge - sum(own)) % Q)
    return [t for part, c in zip(content, own, strict=True) for t in announcement(part, c, answers)]


def verify(transcript: Transcript, relation: Relation, proof: bytes) -> None:
    if len(proof) != 32 * (1 + size(relation)):
        raise Malformed
    challenge, *answers = [scalar(proof[at : at + 32]) for at in range(0, len(proof), 32)]
    transcript.append(b"relation", relation_bytes(relation))
    transcript.append(b"announcement", *map(encode, announcement(relation, challenge, iter(answers))))
    if transcript.challenges(b"challenge", 1) != [challenge]:
        raise Unproven


def weights(transcript: Transcript, count: int) -> list[int]:
    return [1, *transcript.challenges(b"weights", count - 1)] if count else []


def weighted(factors: list[int], elements: list[Element]) -> Element:
    return sum_of(list(zip(factors, elements, strict=True)))


# --- SPEC.md: Proofs. Each takes the statement as it stands in the vectors, the context and the message --------------

Cards = list[tuple[Element, Element]]


def cards_of(texts: list[str]) -> Cards:
    return [(point(bytes.fromhex(text[:64])), point(bytes.fromhex(text[64:]))) for text in texts]


def bytes_of(cards: Cards) -> bytes:
    return b"".join(encode(a) + encode(b) for a, b in cards)


def read_points(message: bytes, count: int) -> tuple[list[Element], bytes]:
    if len(message) < 32 * count:
        raise Malformed
    return [point(message[at : at + 32]) for at in range(0, 32 * count, 32)], message[32 * count :]


def from_hex(text: str) -> Element:
    return IDENTITY if text == "00" * 32 else point(bytes.fromhex(text))


def minus(one: Element, other: Element) -> Element:
    return add(one, negated(other))


def check_key(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    y = from_hex(statement["public"])
    transcript = Transcript(b"key", context)
    transcript.append(b"public", encode(y))
    verify(transcript, ("L", (1, [(y, [(0, G)])])), message)


def equal_logs(transcript: Transcript, y: Element, bases: list[Element], images: list[Element], proof: bytes) -> None:
    transcript.append(b"public", encode(y))
    transcript.append(b"bases", *map(encode, bases))
    transcript.append(b"images", *map(encode, images))
    rho = weights(transcript, len(bases))
    relation = ("L", (1, [(y, [(0, G)]), (weighted(rho, images), [(0, weighted(rho, bases))])]))
    verify(transcript, relation, proof)


def check_equal_logs(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    bases, images = ([from_hex(text) for text in statement[name]] for name in ("bases", "images"))
    equal_logs(Transcript(b"equal-logs", context), from_hex(statement["public"]), bases, images, message)


def check_shares(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    cards = cards_of(statement["ciphertexts"])
    given, proof = read_points(message, len(cards))
    transcript = Transcript(b"shares", context)
    transcript.append(b"ciphertexts", bytes_of(cards))
    equal_logs(transcript, from_hex(statement["public"]), [a for a, _ in cards], given, proof)


def check_rekey(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    if "after" in statement:
        before, after, proof = cards_of(statement["before"]), cards_of(statement["after"]), message
    else:
        before = cards_of(statement["ciphertexts"])
        points, proof = read_points(message, 2 * len(before))
        after = list(zip(points[::2], points[1::2], strict=True))
    y, target = from_hex(statement["public"]), from_hex(statement["target"])
    transcript = Transcript(b"rekey", context)
    for label, data in (
        (b"public", encode(y)),
        (b"target", encode(target)),
        (b"before", bytes_of(before)),
        (b"after", bytes_of(after)),
    ):
        transcript.append(label, data)
    rho = weights(transcript, len(before))
    moved = [minus(new_b, b) for (_, b), (_, new_b) in zip(before, after, strict=True)]
    equations = [
        (y, [(0, G)]),
        (weighted(rho, [a for a, _ in after]), [(1, G)]),
        (weighted(rho, moved), [(1, target), (0, negated(weighted(rho, [a for a, _ in before])))]),
    ]
    verify(transcript, ("L", (2, equations)), proof)


def check_bits(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    y, cards = from_hex(statement["key"]), cards_of(statement["ciphertexts"])
    transcript = Transcript(b"bits", context)
    transcript.append(b"key", encode(y))
    transcript.append(b"ciphertexts", bytes_of(cards))

    def holds(a: Element, mask: Element) -> Relation:
        return ("L", (1, [(a, [(0, G)]), (mask, [(0, y)])]))

    verify(transcript, ("A", [("O", [holds(a, b), holds(a, minus(b, BIT))]) for a, b in cards]), message)


def check_membership(statement: dict[str, Any], context: bytes, message: bytes) -> None:
    y, cards = from_hex(statement["public"]), cards_of(statement["ciphertexts"])
    attribute, attributes = statement["attribute"], statement["attributes"]
    ways = [[sorted(set(values)) for values in way] for way in statement["ways"]]
    ways = [way for way in ways if all(way)]
    commitments, proof = read_points(message, len(cards))
    transcript = Transcript(b"membership", context)
    transcript.append(b"public", encode(y))
    transcript.append(b"ciphertexts", bytes_of(cards))
    for label, number in ((b"attribute", attribute), (b"attributes", attributes), (b"ways", len(ways))):
        transcript.append(label, u64(number))
    for way in ways:
        for values in way:
            transcript.append(b"values", *map(u32, values))
    transcript.append(b"commitments", *map(encode, commitments))
    rho = weights(transcript, len(cards))
    base = [hash_to_group(b"card/attribute/%d" % index) for index in range(attributes)]
    others = [base[index] for index in range(attributes) if index != attribute]
    bases = [weighted(rho, [a for a, _ in cards]), ID_BASE, *others, negated(G)]
    rest = weighted(rho, [minus(b, v) for (_, b), v in zip(cards, commitments, strict=True)])
    link: Relation = ("L", (len(bases), [(y, [(0, G)]), (rest, list(enumerate(bases)))]))

    def member(commitment: Element, value: int) -> Relation:
        return ("L", (1, [(minus(commitment, sum_of([(value, base[attribute])])), [(0, G)])]))

    alternatives: list[Relation] = [
        ("A", [("O", [member(v, x) for x in values]) for v, values in zip(commitments, way, strict=True)])
        for way in ways
    ]
    verify(transcript, ("A", [link, ("O", alternatives)]), proof)


CHECKS: dict[str, Callable[[dict[str, Any], bytes, bytes], None]] = {
    "keys.json": check_key,
    "equal_logs.json": check_equal_logs,
    "shares.json": check_shares,
    "rekey.json": check_rekey,
    "bits.json": check_bits,
    "membership.json": check_membership,
}
