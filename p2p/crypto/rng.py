"""Hedged randomness: one seed per proof, from which every random number of that proof expands.

Law: no clock, no entropy source of its own; randomness comes in as an argument. Two proofs share a number only if
secret, witness, statement, context *and* entropy are all equal, and then they are the same proof: neither a broken
entropy source nor a replayed one makes a nonce repeat over different challenges.

    seed   = SHAKE-256(frames of: version, purpose, secret, witness, statement, entropy)[:64]
    stream = SHAKE-256(seed ‖ 0)[:4096] ‖ SHAKE-256(seed ‖ 1)[:4096] ‖ …        (block numbers: 8 bytes, little-endian)
"""

from __future__ import annotations

import hashlib

from p2p.crypto.group import WIDE, Scalar
from p2p.crypto.transcript import VERSION, frame

ENTROPY_BYTES = 32  # what each proof is given afresh; without a secret of its own a proof rests on it alone
_BLOCK = 4096
_KIND = b"\x03"  # not a transcript's frame


class Hedge:
    """A deterministic stream of random numbers. Its state is secret and never shown."""

    __slots__ = ("_at", "_block", "_next", "_seed")

    def __init__(self, purpose: bytes, *, secret: bytes, witness: bytes, statement: bytes, entropy: bytes) -> None:
        """`statement` is the full statement and context, usually `Transcript.state()` after both were appended."""
        if len(entropy) < ENTROPY_BYTES:
            raise ValueError("at least 32 bytes of fresh entropy are needed")
        parts = (
            (b"version", VERSION),
            (b"purpose", purpose),
            (b"secret", secret),
            (b"witness", witness),
            (b"statement", statement),
            (b"entropy", entropy),
        )
        self._seed = hashlib.shake_256(b"".join(frame(_KIND, label, data) for label, data in parts)).digest(64)
        self._block = b""
        self._at = 0
        self._next = 0

    def bytes(self, count: int) -> bytes:
        while len(self._block) - self._at < count:
            fresh = hashlib.shake_256(self._seed + self._next.to_bytes(8, "little")).digest(_BLOCK)
            self._block = self._block[self._at :] + fresh
            self._at = 0
            self._next += 1
        taken = self._block[self._at : self._at + count]
        self._at += count
        return taken

    def scalar(self) -> Scalar:
        return Scalar.from_wide(self.bytes(WIDE))

    def scalars(self, count: int) -> list[Scalar]:
        return [self.scalar() for _ in range(count)]

    def below(self, bound: int) -> int:
        """A uniform number 0 … bound-1, by rejection: no value is likelier than another."""
        if bound < 1:
            raise ValueError("nothing lies below that bound")
        bits = (bound - 1).bit_length()
        size = (bits + 7) // 8
        while True:
            number = int.from_bytes(self.bytes(size), "little") & ((1 << bits) - 1)
            if number < bound:
                return number

    def permutation(self, size: int) -> list[int]:
        """A uniform permutation of 0 … size-1 (Fisher–Yates: an element may stay, unlike in Sattolo's variant)."""
        order = list(range(size))
        for last in range(size - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def __repr__(self) -> str:
        return "Hedge(…)"
