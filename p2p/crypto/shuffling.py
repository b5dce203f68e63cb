"""Shuffling as actions: ciphertexts in, one message out, and the function by which everyone else checks it.

Law: knows keys, rows and contexts; not seats. A message is the new rows followed by the proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2p.crypto import shuffle_message
from p2p.crypto.elgamal import Ciphertext
from p2p.crypto.group import Point
from p2p.crypto.merged_sum import Executor
from p2p.crypto.shuffle_message import Claim, output_rows
from p2p.crypto.shuffle_proof import Row, Rows

_JOINT = b"shuffle"

#: What can be shuffled: single ciphertexts, or rows of them that stay together.
Shuffleable = Sequence[Ciphertext] | Sequence[Row]


@dataclass(frozen=True, slots=True)
class Link:
    """One seat's shuffle in a chain: its message, and what it was to shuffle."""

    rows: Shuffleable
    message: bytes
    key: Point
    context: bytes


def as_rows(items: Shuffleable) -> Rows:
    return tuple((item,) if isinstance(item, Ciphertext) else tuple(item) for item in items)


def column(rows: Rows, index: int = 0) -> tuple[Ciphertext, ...]:
    return tuple(row[index] for row in rows)


def shuffle(items: Shuffleable, key: Point, context: bytes, entropy: bytes) -> bytes:
    """Re-encrypts and permutes under a key of several seats. Nobody needs to remember the order."""
    rows = as_rows(items)
    keys = (key,) * _width(rows)
    hedge = shuffle_message.randomness(_JOINT, rows, keys, context, secret=b"", witness=b"", entropy=entropy)
    return shuffle_message.make(_JOINT, rows, keys, hedge.permutation(len(rows)), context, hedge)


def verify_shuffle(items: Shuffleable, message: bytes, key: Point, context: bytes) -> Rows:
    return shuffle_message.verify(_claim(Link(items, message, key, context)))


def shuffle_output(message: bytes, count: int, width: int = 1) -> Rows:
    """The rows a message puts down, not verified: what the next link starts from while this one is being checked."""
    return output_rows(message, count, width)


def verify_chain(links: Sequence[Link], executor: Executor | None = None) -> Rows:
    """Checks all links together; gives the last one's rows. LinkError names the first link that does not hold.

    An `executor` does the multiplications in pieces; not the one that this call itself runs in, which may have no
    worker left.
    """
    if not links:
        raise ValueError("a chain has at least one link")
    return shuffle_message.verify_all([_claim(link) for link in links], executor)[-1]


def _claim(link: Link) -> Claim:
    rows = as_rows(link.rows)
    return Claim(_JOINT, rows, (link.key,) * _width(rows), link.message, link.context)


def _width(rows: Rows) -> int:
    return len(rows[0]) if rows else 0
