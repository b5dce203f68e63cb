"""The Fiat–Shamir transcript: everything that was said, in order, becomes the verifier's random challenge.

Law: what a proof speaks about is appended before any challenge is drawn, and each piece with its label and length, so
that no two different conversations give the same bytes. Holds public data only: it may be printed.

    frame     = kind (1 byte) ‖ len(label) (8 bytes, little-endian) ‖ label ‖ len(data) (8 bytes) ‖ data
    state     = the concatenation of all frames so far, fed to SHAKE-256
    challenge = a frame of kind 2 whose data is the number n of bytes wanted, then the first n bytes of SHAKE-256(state)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import ClassVar

from p2p.crypto.group import WIDE, Point, Scalar

VERSION = b"nodealer/crypto/1"
STATE_BYTES = 64

_APPEND, _CHALLENGE = b"\x01", b"\x02"


def frame(kind: bytes, label: bytes, data: bytes) -> bytes:
    return b"".join((kind, len(label).to_bytes(8, "little"), label, len(data).to_bytes(8, "little"), data))


class Transcript:
    """Made by whoever starts a proof, with the proof's name and the caller's context (table, step, seat, …) in it."""

    __slots__ = ("_hash",)
    _trace: ClassVar[list[str] | None] = None  # where `tracing` collects

    def __init__(self, protocol: bytes, context: bytes) -> None:
        self._hash = hashlib.shake_256()
        self.append(b"version", VERSION)
        self.append(b"protocol", protocol)
        self.append(b"context", context)

    def append(self, label: bytes, data: bytes) -> None:
        self._feed(_APPEND, label, data)

    def append_int(self, label: bytes, number: int) -> None:
        self.append(label, number.to_bytes(8, "little"))

    def append_point(self, label: bytes, point: Point) -> None:
        self.append(label, point.encode())

    def append_points(self, label: bytes, points: Iterable[Point]) -> None:
        """A list as one frame: points have one size, so its length says how many there are."""
        self.append(label, b"".join([point.encode() for point in points]))

    def append_scalar(self, label: bytes, scalar: Scalar) -> None:
        self.append(label, scalar.encode())

    def append_scalars(self, label: bytes, scalars: Iterable[Scalar]) -> None:
        self.append(label, b"".join([scalar.encode() for scalar in scalars]))

    def challenge_bytes(self, label: bytes, count: int) -> bytes:
        self._feed(_CHALLENGE, label, count.to_bytes(8, "little"))
        drawn = self._hash.digest(count)
        if (lines := Transcript._trace) is not None:
            lines.append(f"{'':>9}  = {_shown(drawn)}")
        return drawn

    def challenge(self, label: bytes) -> Scalar:
        return Scalar.from_wide(self.challenge_bytes(label, WIDE))

    def challenges(self, label: bytes, count: int) -> list[Scalar]:
        drawn = self.challenge_bytes(label, WIDE * count)
        return [Scalar.from_wide(drawn[at : at + WIDE]) for at in range(0, WIDE * count, WIDE)]

    def clone(self) -> Transcript:
        """An independent transcript that has heard the same so far."""
        twin = object.__new__(Transcript)
        twin._hash = self._hash.copy()
        return twin

    def state(self) -> bytes:
        """64 bytes that stand for everything appended so far; drawing them changes nothing."""
        return self._hash.digest(STATE_BYTES)

    def _feed(self, kind: bytes, label: bytes, data: bytes) -> None:
        self._hash.update(frame(kind, label, data))
        if (lines := Transcript._trace) is not None:
            word = "append" if kind == _APPEND else "challenge"
            lines.append(f"{word:>9}  {label.decode(errors='replace')} [{len(data)}] {_shown(data)}")


@contextmanager
def tracing() -> Iterator[list[str]]:
    """Collects one readable line for every append and challenge of every transcript used inside: for finding the
    field in which two implementations, or a prover and a verifier, differ. A tool for one thread."""
    before = Transcript._trace
    lines: list[str] = []
    Transcript._trace = lines
    try:
        yield lines
    finally:
        Transcript._trace = before


def _shown(data: bytes) -> str:
    return data.hex() if len(data) <= 40 else f"{data[:32].hex()}… #{hashlib.sha256(data).hexdigest()[:16]}"
