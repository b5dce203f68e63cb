"""The signed, hash-chained log every seat shares: what proves a whole game to a stranger.

Law: a step's digest covers the digest before it and the signed bytes of all its messages, never their signatures (which
are not unique). The file holds nothing that is not signed, except what a reader checks byte for byte.

    file   = magic, then entries by epoch and step, within a step by seat; evidence of a fault comes last
    entry  = length (4 bytes, big endian), signed bytes and signature
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from engine.cards import Seat
from p2p.errors import WireError
from p2p.wire import MAX_ENTRY, Entry, decode_entry

MAGIC = b"nodealer log 1\n"
_LENGTH = struct.Struct(">I")


def genesis(table: bytes) -> bytes:
    """What the first step has for a digest of the step before."""
    return hashlib.sha256(b"nodealer/1/table" + table).digest()


@dataclass(frozen=True, slots=True)
class ClosedStep:
    epoch: int
    step: int
    previous: bytes
    entries: tuple[Entry, ...]  # ascending by seat
    digest: bytes
    partial: bool = False  # cut off by departures: what counts of it stands here, but not all authors spoke

    def by(self, seat: Seat) -> Entry | None:
        return next((entry for entry in self.entries if entry.header.seat == seat), None)


def close(epoch: int, step: int, previous: bytes, entries: Iterable[Entry], partial: bool = False) -> ClosedStep:
    ordered = tuple(sorted(entries, key=lambda entry: entry.header.seat))
    hasher = hashlib.sha256(b"nodealer/1/step" + previous + struct.pack(">HII", epoch, step, len(ordered)))
    for entry in ordered:
        hasher.update(hashlib.sha256(entry.signed).digest())
    return ClosedStep(epoch, step, previous, ordered, hasher.digest(), partial)


@dataclass
class Log:
    """The closed steps, in order."""

    table: bytes
    steps: list[ClosedStep] = field(default_factory=list)
    _at: dict[tuple[int, int], ClosedStep] = field(default_factory=dict)

    @property
    def digest(self) -> bytes:
        return self.steps[-1].digest if self.steps else genesis(self.table)

    def back_to(self, epoch: int, step: int) -> None:
        """Forget this step and all after it: it was closed on one of two stories."""
        while self.steps and (self.steps[-1].epoch, self.steps[-1].step) >= (epoch, step):
            void = self.steps.pop()
            del self._at[void.epoch, void.step]

    def append(self, closed: ClosedStep) -> None:
        self.steps.append(closed)
        self._at[closed.epoch, closed.step] = closed

    def __contains__(self, place: tuple[int, int]) -> bool:
        return place in self._at

    def find(self, epoch: int, step: int) -> ClosedStep | None:
        return self._at.get((epoch, step))

    def since(self, epoch: int, step: int) -> Iterator[Entry]:
        """All entries of closed steps from this one on."""
        for closed in reversed_until(self.steps, (epoch, step)):
            yield from closed.entries

    def encode(self, tail: Iterable[Entry] = ()) -> bytes:
        entries = [entry for closed in self.steps for entry in closed.entries]
        return MAGIC + b"".join(frame(entry) for entry in (*entries, *tail))


def reversed_until(steps: list[ClosedStep], place: tuple[int, int]) -> list[ClosedStep]:
    """The last steps from `place` on, in order; found from the end because that is where they are asked for."""
    start = len(steps)
    while start and (steps[start - 1].epoch, steps[start - 1].step) >= place:
        start -= 1
    return steps[start:]


def frame(entry: Entry) -> bytes:
    data = entry.encode()
    return _LENGTH.pack(len(data)) + data


def read_log(data: bytes) -> list[Entry]:
    """The entries of a log file. WireError if it is not one, or is cut inside an entry."""
    if not data.startswith(MAGIC):
        raise WireError("this is not a nodealer log")
    entries = []
    at = len(MAGIC)
    while at < len(data):
        if len(data) - at < _LENGTH.size:
            raise WireError("the log is cut inside a message")
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        if length > MAX_ENTRY or length > len(data) - at:
            raise WireError("the log is cut inside a message")
        entries.append(decode_entry(data[at : at + length]))
        at += length
    return entries
