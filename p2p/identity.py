"""Who is who: long-term signing keys, and words by which two people can compare them aloud.

Law: pure. No file, no clock, no entropy: a secret comes in as 32 bytes from whoever owns the entropy.

Signatures are Ed25519 over exactly the bytes given. Whoever signs puts a label of its own in front, so that a
signature made for one purpose never means anything elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2p.errors import TableError
from p2p.words import WORDS

SIZE = 32
SIGNATURE = 64
#: 60 bits: finding a second key with the same words takes 2^60 key generations.
FINGERPRINT_WORDS = 6

_P = 2**255 - 19  # the field of curve25519
_D = -121665 * pow(121666, -1, _P) % _P  # the curve is -x² + y² = 1 + d·x²·y²
_Y8 = (
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7  # y of the points of order 8 (and its negative)
)
#: y of the eight points of small order. Under such a key one signature is valid for almost any message.
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})


class BadIdentity(TableError):
    """These bytes are no identity key: wrong length, not canonical, no point of the curve, or of small order."""


class PublicIdentity(bytes):
    """A player for everyone else: 32 bytes of a valid Ed25519 public key. Holding one means it has been checked."""

    __slots__ = ()

    def __new__(cls, raw: bytes) -> PublicIdentity:
        if isinstance(raw, PublicIdentity):
            return raw
        if len(raw) != SIZE:
            raise BadIdentity(f"an identity has {SIZE} bytes, not {len(raw)}")
        y = int.from_bytes(raw, "little") & (1 << 255) - 1
        if y >= _P:
            raise BadIdentity("an identity must be written in its one canonical form")
        if y in _SMALL_ORDER:
            raise BadIdentity("an identity of small order signs for everyone")
        numerator, denominator = y * y - 1, _D * y * y + 1
        if pow(numerator * denominator, (_P - 1) // 2, _P) != 1:  # x² = numerator / denominator has no root
            raise BadIdentity("an identity must be a point of the curve")
        return super().__new__(cls, raw)

    def verify(self, signature: bytes, message: bytes) -> bool:
        """Did the owner of this identity sign exactly these bytes?"""
        try:
            Ed25519PublicKey.from_public_bytes(self).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    @property
    def words(self) -> str:
        """The fingerprint: equal words read aloud on both sides mean equal keys."""
        return spoken(hashlib.blake2b(self, digest_size=16, person=b"nodealer/words/1").digest(), FINGERPRINT_WORDS)

    def __repr__(self) -> str:
        return f"<identity {self.hex()[:12]}>"


class Identity:
    """A player for itself: the secret key and what it can do."""

    __slots__ = ("_secret", "public")

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SIZE:
            raise BadIdentity(f"a secret has {SIZE} bytes, not {len(secret)}")
        self._secret = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = PublicIdentity(self._secret.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        return self._secret.sign(message)

    def __repr__(self) -> str:  # never the secret
        return f"<secret of {self.public!r}>"


def roster_code(identities: Iterable[PublicIdentity], table: bytes) -> str:
    """Words that are equal for everyone who sits at the same table with the same people.

    `table` should be something all of them helped to fix before they knew the others' part, such as the contract's
    digest with everyone's nonces: then nobody in between can look for two tables with one code. With a `table` that
    one person chose freely, such a search takes about 2^30 keys.
    """
    digest = hashlib.blake2b(digest_size=16, person=b"nodealer/table/1")
    digest.update(len(table).to_bytes(8, "big") + table)
    for identity in sorted(set(identities)):
        digest.update(identity)
    return spoken(digest.digest(), FINGERPRINT_WORDS)


def spoken(digest: bytes, count: int) -> str:
    """The first ten bits per word of a digest, as `count` words."""
    bits = int.from_bytes(digest, "big")
    size = 8 * len(digest)
    return "-".join(WORDS[bits >> (size - 10 * (index + 1)) & 1023] for index in range(count))
