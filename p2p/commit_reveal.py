"""Simultaneous choices: a hash binds each seat to its choice before anyone shows theirs.

Law: bytes only. The hash covers where the choice is made (context: table, epoch, step, everything before), who makes
it, the exact hidden hand its places refer to, the choice, and a salt of 32 random bytes: so it cannot be copied,
replayed, opened differently, or found by trying all choices.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass

from engine.game import Move, canonical

SALT = 32


@dataclass(frozen=True, slots=True)
class Opening:
    """What a seat keeps to itself between commitment and reveal."""

    move: Move
    salt: bytes

    def __repr__(self) -> str:
        return "Opening(…)"  # a secret until it is revealed

    def encode(self) -> bytes:
        """For the own journal, and nothing else."""
        return json.dumps([self.move.kind, self.move.slots, self.move.values, self.salt.hex()]).encode()

    @classmethod
    def decode(cls, data: bytes) -> Opening:
        kind, slots, values, salt = json.loads(data)
        return cls(Move(kind, tuple(slots), tuple(values)), bytes.fromhex(salt))


def commit(context: bytes, hidden: bytes, opening: Opening) -> bytes:
    """The commitment of the seat named in `context` to a move on the hand whose message is `hidden`."""
    choice = canonical((context, hashlib.sha256(hidden).digest(), opening.move, opening.salt))
    return hashlib.sha256(b"nodealer/1/choice" + choice).digest()


def matches(commitment: bytes, context: bytes, hidden: bytes, opening: Opening) -> bool:
    return len(opening.salt) == SALT and hmac.compare_digest(commitment, commit(context, hidden, opening))
