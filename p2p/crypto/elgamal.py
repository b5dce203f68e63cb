"""ElGamal ciphertexts of points: (a, b) = (r·G, M + r·Y). Encrypt, re-encrypt, add, take a share off.

Law: numbers only; which key and whose share it is, the caller says. A decoded ciphertext holds two valid points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2p.crypto.errors import DecodeError
from p2p.crypto.group import SIZE, G, Point, Scalar, base_mul

CIPHERTEXT_SIZE = 2 * SIZE


@dataclass(frozen=True, slots=True)
class Ciphertext:
    a: Point
    b: Point

    @classmethod
    def decode(cls, data: bytes) -> Ciphertext:
        if not isinstance(data, bytes) or len(data) != CIPHERTEXT_SIZE:
            raise DecodeError("a ciphertext is 64 bytes")
        return cls(Point.decode(data[:SIZE]), Point.decode(data[SIZE:]))

    def encode(self) -> bytes:
        return self.a.encode() + self.b.encode()

    def __add__(self, other: Ciphertext) -> Ciphertext:
        """Encrypts the sum of both plaintexts, if both are under the same key."""
        return Ciphertext(self.a + other.a, self.b + other.b)

    def without(self, share: Point) -> Ciphertext:
        """The same card with one layer less; `share` is x·a for the key pair (x, x·G) whose layer comes off."""
        return Ciphertext(self.a, self.b - share)


def encrypt(message: Point, key: Point, randomness: Scalar) -> Ciphertext:
    return Ciphertext(base_mul(randomness), message + randomness * key)


def trivial(message: Point, key: Point) -> Ciphertext:
    """The encryption everyone can redo: with randomness 1 (0 would need the identity, which has no place here)."""
    return Ciphertext(G, message + key)


def reencrypt(ciphertext: Ciphertext, key: Point, randomness: Scalar) -> Ciphertext:
    """Another encryption of the same plaintext under the same key."""
    return Ciphertext(ciphertext.a + base_mul(randomness), ciphertext.b + randomness * key)


def decrypt(ciphertext: Ciphertext, secret: Scalar) -> Point:
    """The plaintext, for whoever holds the only layer left."""
    return ciphertext.b - secret * ciphertext.a


def encode_all(ciphertexts: Iterable[Ciphertext]) -> bytes:
    return b"".join([ciphertext.encode() for ciphertext in ciphertexts])


def decode_all(data: bytes, count: int) -> tuple[Ciphertext, ...]:
    """Exactly `count` ciphertexts, back to back."""
    if not isinstance(data, bytes) or len(data) != count * CIPHERTEXT_SIZE:
        raise DecodeError(f"expected {count} ciphertexts of 64 bytes")
    return tuple(Ciphertext.decode(data[at : at + CIPHERTEXT_SIZE]) for at in range(0, len(data), CIPHERTEXT_SIZE))


def points_of(ciphertexts: Sequence[Ciphertext]) -> list[Point]:
    """All points in order: for transcripts."""
    return [point for ciphertext in ciphertexts for point in (ciphertext.a, ciphertext.b)]
