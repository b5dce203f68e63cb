"""Cards as points: M = Σ attributeⱼ·Pⱼ + id·P_id, with independent bases of unknown discrete logarithm.

Law: knows numbers, no game. Two different cards never share a point (that would give away a logarithm), and one
attribute can be spoken about without opening the rest. Card points are linearly related, so **no deterministic
function of a hidden card's point is ever published**.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from p2p.crypto.group import Point, Scalar, add_all, generators, hash_to_group

MAX_ATTRIBUTES = 16  # far above any game's; keeps the list of bases short
MAX_VALUE = 2**32 - 1  # ids and attributes fit four bytes wherever they are written

ID_BASE = hash_to_group(b"card/id")


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card as numbers: `id` is unique in its deck and starts at 1; `attributes` are what proofs can speak about."""

    id: int
    attributes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.id <= MAX_VALUE:
            raise ValueError("a card's id must lie between 1 and 2^32 - 1")
        if len(self.attributes) > MAX_ATTRIBUTES or not all(0 <= value <= MAX_VALUE for value in self.attributes):
            raise ValueError("a card has at most 16 attributes between 0 and 2^32 - 1")


def attribute_base(index: int) -> Point:
    return generators(b"card/attribute", MAX_ATTRIBUTES)[index]


@lru_cache(maxsize=4096)
def attribute_point(index: int, value: int) -> Point:
    """What one attribute contributes to a card's point."""
    return Scalar(value) * attribute_base(index)


def card_point(face: CardFace) -> Point:
    return add_all(
        [Scalar(face.id) * ID_BASE, *(attribute_point(index, value) for index, value in enumerate(face.attributes))]
    )
