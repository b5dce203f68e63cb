"""The cards as they lie on the table: for each place the ciphertext everyone sees, and the keys it is under.

Law: public facts only; every seat and every stranger with the log holds an equal copy. Changes only when a step closes.
Knows no messages, and of a game only its places.

A face-down card of nobody lies under the joint key of all `active` seats; a hand card lies under its owner's key alone.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.cards import CardId, Seat, Slot
from p2p.crypto import deck as crypto


@dataclass(frozen=True, slots=True)
class Context:
    """Where and when something is said. Every proof, share and commitment is bound to it."""

    table: bytes
    epoch: int
    step: int
    previous: bytes

    def of(self, seat: Seat, purpose: str) -> bytes:
        """The bytes that a proof of this seat for this purpose is made over."""
        head = struct.pack(">32sHI32sB", self.table, self.epoch, self.step, self.previous, seat)
        return b"nodealer/1\0" + head + purpose.encode()


@dataclass(frozen=True, slots=True)
class Bound:
    """A choice a seat is bound to: its hand as hidden for it, and the commitment. Survives a cut."""

    hand: Mapping[Slot, crypto.Ciphertext]
    hidden: bytes
    commitment: bytes
    context: bytes


@dataclass
class Felt:
    deck: crypto.Deck
    publics: dict[Seat, crypto.Point]
    active: tuple[Seat, ...]  # whose layers lie on face-down cards
    cards: dict[Slot, crypto.Ciphertext] = field(default_factory=dict)
    bound: dict[Seat, Bound] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.joint = self.joint_of(self.active)

    def joint_of(self, seats: Iterable[Seat]) -> crypto.Point:
        return crypto.joint_key([self.publics[seat] for seat in seats])

    def at(self, places: Sequence[Slot]) -> tuple[crypto.Ciphertext, ...]:
        return tuple(self.cards[slot] for slot in places)

    def lay(self, places: Sequence[Slot], cards: Sequence[crypto.Ciphertext]) -> None:
        self.cards.update(zip(places, cards, strict=True))

    def clear(self, places: Iterable[Slot]) -> None:
        for slot in places:
            del self.cards[slot]

    def without(self, seats: Iterable[Seat]) -> None:
        """These seats hold no layer any more (their shares came off, or the pile is made anew)."""
        gone = set(seats)
        self.set_active(tuple(seat for seat in self.active if seat not in gone))

    def set_active(self, seats: tuple[Seat, ...]) -> None:
        if seats != self.active:
            self.active = seats
            self.joint = self.joint_of(seats)

    def opened(
        self, seat: Seat, cards: Sequence[crypto.Ciphertext], share: bytes, context: bytes
    ) -> tuple[CardId, ...]:
        """The faces of these cards of a seat's hand, opened by its own shares. Raises the crypto's errors."""
        if not cards:
            if share:
                raise crypto.ProofError("a share of nothing")
            return ()
        points = crypto.verify_shares(self.publics[seat], cards, share, context)
        return tuple(
            CardId(crypto.open_card(card, [point], self.deck)) for card, point in zip(cards, points, strict=True)
        )
