"""How decoders are fuzzed: a target is a function of bytes with messages it accepts; cases are mutations of those.

To join, put a list `TARGETS` into a file `fuzz_targets_….py` beside this one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2p.crypto.errors import DecodeError, ProofError
from p2p.crypto.group import G, Q

FIELD = 2**255 - 19

#: Words that parsers have stumbled over: zero, one, the ends of the scalars and of the field, a valid point, all ones.
SPECIAL = [
    *(number.to_bytes(32, "little") for number in (0, 1, Q - 1, Q, Q + 1, 2 * Q, FIELD - 1, FIELD, FIELD + 1, 2**255)),
    G.encode(),
    G.encode()[:31] + bytes([G.encode()[31] | 0x80]),
    b"\xff" * 32,
]


@dataclass(frozen=True)
class Target:
    """`decode` returns what it read as bytes again (they must be those it was given), or None if it only verifies:
    then nothing but the `valid` messages may pass."""

    name: str
    decode: Callable[[bytes], bytes | None]
    valid: tuple[bytes, ...]
    share: int = 1  # of all the cases; cheap decoders take more

    def __str__(self) -> str:
        return self.name


def attempt(target: Target, data: bytes) -> bool:
    """Whether the bytes were accepted. Anything but the two documented errors, or a false acceptance, fails."""
    try:
        read = target.decode(data)
    except (DecodeError, ProofError):
        return False
    except BaseException as error:
        raise AssertionError(f"{target.name} raised {error!r} for {data.hex()}") from error
    if read is None:
        assert data in target.valid, f"{target.name} accepted {data.hex()}"
    else:
        assert read == data, f"{target.name} read {read.hex()} from {data.hex()}"
    return True


def mutated(rng: random.Random, valid: Sequence[bytes]) -> bytes:
    """One message: a valid one with something done to it, or junk."""
    message = rng.choice(valid)
    return rng.choice(MUTATIONS)(rng, message, valid)


def _junk(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    return rng.randbytes(rng.randrange(2 * len(message) + 40))


def _junk_of_the_right_length(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    return rng.randbytes(len(message))


def _cut(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    return message[: rng.randrange(len(message) + 1)]


def _extended(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    return message + rng.choice([rng.randbytes(rng.randrange(1, 80)), bytes(rng.randrange(1, 80)), message])


def _bits_flipped(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    changed = bytearray(message)
    for _ in range(rng.randrange(1, 4)):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _bytes_replaced(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    """Where a format has lengths and counts, they become huge or zero."""
    at, size = rng.randrange(len(message) + 1), rng.randrange(1, 9)
    return message[:at] + rng.choice([b"\xff", b"\0", b"\x7f", b"\x80"]) * size + message[at + size :]


def _special_word(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    at = _word(rng, message)
    return message[:at] + rng.choice(SPECIAL) + message[at + 32 :]


def _foreign_word(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    other = rng.choice(valid)
    at, source = _word(rng, message), _word(rng, other)
    return message[:at] + other[source : source + 32] + message[at + 32 :]


def _words_swapped(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    first, second = sorted((_word(rng, message), _word(rng, message)))
    if second < first + 32:
        return message
    one, other = message[first : first + 32], message[second : second + 32]
    return message[:first] + other + message[first + 32 : second] + one + message[second + 32 :]


def _word_lost_or_doubled(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    at = _word(rng, message)
    return message[: at + rng.choice([0, 64])] + message[at + 32 :]


def _spliced(rng: random.Random, message: bytes, valid: Sequence[bytes]) -> bytes:
    at = _word(rng, message)
    return message[:at] + rng.choice(valid)[at:]


def _word(rng: random.Random, message: bytes) -> int:
    return 32 * rng.randrange(len(message) // 32 + 1)


MUTATIONS: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (
    _junk,
    _junk_of_the_right_length,
    _cut,
    _extended,
    _bits_flipped,
    _bytes_replaced,
    _special_word,
    _foreign_word,
    _words_swapped,
    _word_lost_or_doubled,
    _spliced,
)
