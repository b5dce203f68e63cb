"""The cards of one deck and their points: fresh encryptions of known cards, and which card an opened point is.

Law: ids and attributes only; what a card looks like or does is the game's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2p.crypto.card_points import CardFace, card_point
from p2p.crypto.elgamal import Ciphertext, trivial
from p2p.crypto.errors import ProofError
from p2p.crypto.group import Point


class Deck:
    """Every card that can be hidden. Two different cards have two different points; an opening is a look-up."""

    def __init__(self, cards: Sequence[tuple[int, tuple[int, ...]]], attributes: tuple[str, ...] = ()) -> None:
        self.attributes = attributes
        self._faces = {card_id: CardFace(card_id, tuple(values)) for card_id, values in cards}
        if len(self._faces) != len(cards):
            raise ValueError("every card of a deck has an id of its own")
        if any(len(face.attributes) != len(attributes) for face in self._faces.values()):
            raise ValueError("every card of a deck has a value for each attribute")
        self._points = {card_id: card_point(face) for card_id, face in self._faces.items()}
        self._ids = {point: card_id for card_id, point in self._points.items()}

    def __len__(self) -> int:
        return len(self._points)

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(self._points)

    def point(self, card_id: int) -> Point:
        return self._points[card_id]

    def face(self, card_id: int) -> CardFace:
        return self._faces[card_id]

    def attribute(self, card_id: int, index: int) -> int:
        return self._faces[card_id].attributes[index]

    def identify(self, point: Point) -> int:
        card_id = self._ids.get(point)
        if card_id is None:
            raise ProofError("what was opened is no card of this deck")
        return card_id

    def fresh(self, ids: Iterable[int], key: Point) -> tuple[Ciphertext, ...]:
        """Face-up cards as ciphertexts that everyone can redo: how they enter a shuffle."""
        return tuple(trivial(self.point(card_id), key) for card_id in ids)
