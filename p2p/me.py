"""What one seat keeps to itself: its card secret, its seed, and choices it has committed to but not shown.

Law: all randomness of a seat grows from `seed`, so that a seat restored from its journal can only repeat itself, never
say two things. Nothing here is ever sent, printed or logged.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from engine.cards import CardId, Seat, Slot
from engine.game import Move
from p2p.commit_reveal import Opening
from p2p.crypto import deck as crypto
from p2p.felt import Context, Felt


class Me:
    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self.seat = Seat(-1)
        self.secret = crypto.new_key(self._draw(b"card key"))
        self.opening: Opening | None = None
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

    def choose(self, move: Move, salt: bytes) -> Opening:
        self.opening = Opening(move, salt)
        return self.opening

    def forget(self) -> None:
        """Erase what is no longer needed when the game is over."""
        self._seed = b""
        self._faces.clear()
        self.opening = None
        self.secret = crypto.new_key(bytes(64))
