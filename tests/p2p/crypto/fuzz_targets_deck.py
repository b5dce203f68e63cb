"""Fuzz targets: every message of the deck, and the decoder of shuffled rows."""

from __future__ import annotations

from deck_cases import Action, actions
from fuzzing import Target

from p2p.crypto import deck as crypto
from p2p.crypto.shuffle_proof import ShuffleProof, encode_rows, message_size


def target(action: Action) -> Target:
    def decode(data: bytes) -> None:
        action.verify(data)

    return Target(f"deck-{action.name}", decode, (action.message,))


SHUFFLE = next(action.message for action in actions() if action.name == "shuffle-3x2")
PROOF = SHUFFLE[3 * 2 * 64 :]


def rows(data: bytes) -> bytes:
    """The rows as they are read, and behind them the proof, which this decoder does not look at."""
    return encode_rows(crypto.shuffle_output(data, 3, 2)) + data[3 * 2 * 64 :]


TARGETS = [
    *(target(action) for action in actions()),
    Target("shuffled-rows", rows, (SHUFFLE,), share=4),
    Target("shuffle-proof", lambda data: ShuffleProof.decode(data, 3, 2).encode(), (PROOF,), share=4),
]
assert len(SHUFFLE) == message_size(3, 2)
