"""Vectors of what the proofs are made of: generators, transcript, hedged randomness, cards and ciphertexts."""

from __future__ import annotations

from typing import Any

from p2p.crypto.card_points import CardFace, attribute_base, card_point
from p2p.crypto.elgamal import Ciphertext, decrypt, encrypt, reencrypt, trivial
from p2p.crypto.errors import DecodeError
from p2p.crypto.group import G, Point, Q, Scalar, base_mul, hash_to_group
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript


def generators() -> dict[str, Any]:
    labels = [b"", b"card/id", b"bit", *(b"card/attribute/%d" % index for index in range(16))]
    return {
        "about": "hash_to_group(label), see SPEC.md, Group. Labels are text, points hexadecimal.",
        "cases": [{"label": label.decode(), "point": hash_to_group(label).encode().hex()} for label in labels],
    }


def decoding() -> dict[str, Any]:
    g = G.encode()

    def outcome(decode: Any, data: bytes) -> str:
        try:
            decode(data)
        except DecodeError:
            return "DecodeError"
        return "valid"

    points = {
        "the generator": g,
        "the identity": bytes(32),
        "the generator with the top bit set": g[:31] + bytes([g[31] | 0x80]),
        "31 bytes": g[:31],
        "33 bytes": g + b"\0",
        "nothing": b"",
        "a field element that is not canonical": b"\xed" + b"\xff" * 30 + b"\x7f",
        "a negative field element": b"\x01" + bytes(31),
        "all ones": b"\xff" * 32,
    }
    scalars = {
        "0": bytes(32),
        "q - 1": (Q - 1).to_bytes(32, "little"),
        "q": Q.to_bytes(32, "little"),
        "q + 1": (Q + 1).to_bytes(32, "little"),
        "2^256 - 1": b"\xff" * 32,
        "31 bytes": bytes(31),
        "33 bytes": bytes(33),
    }
    return {
        "about": "Which byte strings are accepted as a point, and as a scalar, in any message.",
        "points": [{"name": n, "bytes": d.hex(), "expect": outcome(Point.decode, d)} for n, d in points.items()],
        "scalars": [{"name": n, "bytes": d.hex(), "expect": outcome(Scalar.decode, d)} for n, d in scalars.items()],
    }


def transcript() -> dict[str, Any]:
    conversations: list[list[tuple[str, bytes, bytes | int]]] = [
        [("challenge", b"c", 64)],
        [("append", b"a", b""), ("challenge", b"c", 64)],
        [("append", b"point", G.encode()), ("challenge", b"c", 64), ("challenge", b"c", 64)],
        [("append", b"ab", b"c"), ("challenge", b"c", 200), ("append", b"a", b"bc"), ("challenge", b"c", 16)],
    ]
    cases = []
    for number, conversation in enumerate(conversations):
        protocol, context = b"vectors", b"context %d" % number
        heard = Transcript(protocol, context)
        said: list[dict[str, Any]] = []
        for verb, label, what in conversation:
            if isinstance(what, int):
                said.append({"challenge": label.decode(), "bytes": heard.challenge_bytes(label, what).hex()})
            else:
                heard.append(label, what)
                said.append({verb: label.decode(), "bytes": what.hex()})
        cases.append({"protocol": protocol.decode(), "context": context.hex(), "said": said})
    return {
        "about": "Transcripts: a list of appends (label, bytes) and of challenges (label, the bytes drawn). SPEC.md, "
        "Transcript.",
        "cases": cases,
    }


def randomness() -> dict[str, Any]:
    cases = []
    for number in range(3):
        parts = {
            "purpose": b"vectors",
            "secret": b"secret" * number,
            "witness": bytes([number]),
            "statement": bytes(number),
            "entropy": bytes(range(number, number + 32 + number)),
        }

        def stream(parts: dict[str, bytes] = parts) -> Hedge:
            return Hedge(
                parts["purpose"],
                secret=parts["secret"],
                witness=parts["witness"],
                statement=parts["statement"],
                entropy=parts["entropy"],
            )

        below = stream()
        cases.append(
            {name: data.hex() for name, data in parts.items()}
            | {
                "first 48 bytes": stream().bytes(48).hex(),
                "first scalar": stream().scalar().encode().hex(),
                "below 1, 2, 3, 52, 256, 257, 1000": [below.below(n) for n in (1, 2, 3, 52, 256, 257, 1000)],
                "permutation of 10": stream().permutation(10),
                "permutation of 108": stream().permutation(108),
            }
        )
    return {
        "about": "Hedged randomness: the seed's parts, and what is drawn first from a fresh stream (each line starts "
        "anew; the numbers below several bounds are drawn one after the other). SPEC.md, Randomness.",
        "cases": cases,
    }


def ciphertexts() -> dict[str, Any]:
    x, r, s = Scalar(7**80), Scalar(11**70), Scalar(13**60)
    key = base_mul(x)
    faces = [CardFace(1), CardFace(2, (0,)), CardFace(54, (9, 3)), CardFace(2**32 - 1, (2**32 - 1,) * 16)]
    cards = []
    for face in faces:
        card = card_point(face)
        fresh = encrypt(card, key, r)
        assert decrypt(reencrypt(fresh, key, s), x) == card
        cards.append(
            {
                "id": face.id,
                "attributes": list(face.attributes),
                "point": card.encode().hex(),
                "encrypted with r": _hex(fresh),
                "trivially encrypted": _hex(trivial(card, key)),
                "re-encrypted with s": _hex(reencrypt(fresh, key, s)),
                "share x·a": (x * fresh.a).encode().hex(),
            }
        )
    return {
        "about": "Cards as points, and ElGamal ciphertexts of them (a then b) under the key x·G. SPEC.md, Cards and "
        "ciphertexts.",
        "x": x.encode().hex(),
        "r": r.encode().hex(),
        "s": s.encode().hex(),
        "key": key.encode().hex(),
        "attribute base 0": attribute_base(0).encode().hex(),
        "cards": cards,
    }


def _hex(ciphertext: Ciphertext) -> str:
    return ciphertext.encode().hex()


FILES = {
    "generators.json": generators,
    "decoding.json": decoding,
    "transcript.json": transcript,
    "randomness.json": randomness,
    "ciphertexts.json": ciphertexts,
}
