"""Names for the things on a table: seats, places and cards.

Law: plain values only. Nothing here knows any game, who may see what, or how a card is kept secret.
"""

from __future__ import annotations

from typing import NamedTuple, NewType

#: A player's place at the table, 0 … n-1, clockwise ("left" is seat + 1).
Seat = NewType("Seat", int)

#: A *place* that holds one card, never the card itself. A place keeps its number while it moves from the pile to a
#: hand or from hand to hand. What lies there may be unknown, and may be swapped among places of the same hand (hiding)
#: or pile (rebuilding) without the rules noticing: that changes who knows what, never the state.
Slot = NewType("Slot", int)

#: Which card it is: a unique number from 1 up, an index into the game's `deck` (id 1 is `deck[0]`).
CardId = NewType("CardId", int)


class Card(NamedTuple):
    """A card as far as proofs need it: a unique id and the attributes a game declares as provable (e.g. a digit)."""

    id: CardId
    attributes: tuple[int, ...] = ()
