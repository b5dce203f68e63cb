"""What one seat keeps to itself: its card secret, its seed, and choices it has committed to but not shown.

Law: all randomness of a seat grows from `seed`, so that a seat restored from its journal can only repeat itself, never
say two things. Nothing here is ever sent, printed or logged.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable

from engine.cards import CardId, Seat, Slot
from p2p.commit_reveal import Opening
from p2p.crypto import deck as crypto
from p2p.errors import LocalError
from p2p.felt import Context, Felt

OPENINGS_KEPT = 4  # more than the commitments that a step taken back can bring up again


class Me:
    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.seat = Seat(-1)
        self.secret = crypto.new_key(self._draw(b"card key"))
        self._openings: dict[bytes, Opening] = {}  # by commitment; a cut can ask again for one before the last
        self._faces: dict[bytes, CardId] = {}

    def __repr__(self) -> str:
        return f"Me(seat={self.seat})"

    def _draw(self, purpose: bytes) -> bytes:
        return hmac.digest(self._seed, b"nodealer/1/" + purpose, "sha512")

    def entropy(self, context: Context, purpose: str) -> bytes:
        """Fresh bytes for one purpose in one place. Proofs hedge them with their whole statement besides."""
        return self._draw(context.of(self.seat, purpose))

    def nonce(self) -> bytes:
        """My contribution to the lots."""
        return self._draw(b"lot")[:32]

    def look(self, card: crypto.Ciphertext, deck: crypto.Deck) -> CardId:
        """The face of a card of my own hand."""
        key = hashlib.sha256(card.encode()).digest()
        if key not in self._faces:
            self._faces[key] = CardId(crypto.look(card, self.secret, deck))
        return self._faces[key]

    def known(self, felt: Felt, hand: Iterable[Slot]) -> dict[Slot, CardId]:
        """The faces of my hand, place by place, as it lies now."""
        return {slot: self.look(felt.cards[slot], felt.deck) for slot in hand if slot in felt.cards}

    def learn(self, card: crypto.Ciphertext, face: CardId) -> None:
        """I know this face without decrypting: I hid the card myself."""
        self._faces[hashlib.sha256(card.encode()).digest()] = face

    def bind(self, commitment: bytes, opening: Opening) -> None:
        """I have committed to this choice."""
        self._openings.pop(commitment, None)
        self._openings[commitment] = opening
        while len(self._openings) > OPENINGS_KEPT:
            del self._openings[next(iter(self._openings))]

    def opening(self, commitment: bytes) -> Opening:
        """What I have committed to there. Raises LocalError if I do not know it any more."""
        if commitment not in self._openings:
            raise LocalError("choice_lost")
        return self._openings[commitment]

    def memory(self) -> bytes:
        """My open choices, for my own journal and nothing else."""
        kept = {commitment.hex(): opening.encode().decode() for commitment, opening in self._openings.items()}
        return json.dumps(kept).encode()

    def remember(self, memory: bytes) -> None:
        for commitment, opening in json.loads(memory).items():
            self.bind(bytes.fromhex(commitment), Opening.decode(opening.encode()))

    def forget(self) -> None:
        """Erase what is no longer needed when the game is over."""
        self._seed = b""
        self._faces.clear()
        self._openings.clear()
        self.secret = crypto.new_key(bytes(64))
