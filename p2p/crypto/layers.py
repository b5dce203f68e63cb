"""Taking layers off: shares for ciphertexts under a joint key, what remains without them, and what is then seen.

Law: a share for a card is useless to whoever lacks one of the other layers; so shares are broadcast. Which seat must
give which share, and when, the caller knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2p.crypto import shares as proofs
from p2p.crypto.elgamal import Ciphertext, decrypt
from p2p.crypto.faces import Deck
from p2p.crypto.group import Point, add_all
from p2p.crypto.seat_keys import SecretKey


def give_shares(secret: SecretKey, cards: Sequence[Ciphertext], context: bytes, entropy: bytes) -> bytes:
    """My share x·a for each of these cards, with one proof: to deal, to open, or to strip my layer when I leave."""
    return proofs.give(cards, secret=secret.scalar, context=context, entropy=entropy)


def verify_shares(public: Point, cards: Sequence[Ciphertext], message: bytes, context: bytes) -> tuple[Point, ...]:
    return proofs.verify(cards, message, public=public, context=context)


def peel(card: Ciphertext, shares: Iterable[Point]) -> Ciphertext:
    """The card with these layers off. With all but p's off it lies in p's hand."""
    return card.without(add_all(shares))


def look(card: Ciphertext, secret: SecretKey, deck: Deck) -> int:
    """Which card it is, for the owner of the last layer. ProofError if it is none."""
    return deck.identify(decrypt(card, secret.scalar))


def open_card(card: Ciphertext, shares: Iterable[Point], deck: Deck) -> int:
    """Which card it is, from the shares of all its layers. ProofError if it is none."""
    return deck.identify(peel(card, shares).b)
