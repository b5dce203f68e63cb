"""What a seat does with its hand, unseen: hide which card lies where, pass a card, hand everything over, and prove
that no order of its cards allows a move.

Law: a hand is a list of ciphertexts under its owner's key alone. Nothing here shows a card, its place after hiding, or
anything that is a function of either.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p.crypto import cannot, rekey, shuffle_message
from p2p.crypto.cannot import Clause
from p2p.crypto.elgamal import Ciphertext
from p2p.crypto.errors import DecodeError, ProofError, WitnessError
from p2p.crypto.faces import Deck
from p2p.crypto.group import Point
from p2p.crypto.layers import look
from p2p.crypto.seat_keys import SecretKey
from p2p.crypto.shuffle_message import Claim, output_rows
from p2p.crypto.shuffle_proof import message_size
from p2p.crypto.shuffling import as_rows, column

_HIDE = b"hide"
_ARRANGE = b"cannot/arrange"


def hide(
    hand: Sequence[Ciphertext], secret: SecretKey, context: bytes, entropy: bytes, first: int | None = None
) -> tuple[bytes, tuple[int, ...]]:
    """My hand re-encrypted in a new order that only I know: order[new place] = old place.

    `first`, if given, is the card (by its old place) that comes to the front; nobody else can tell that one was chosen.
    """
    return _hide(_HIDE, hand, secret, context, entropy, first)


def verify_hide(hand: Sequence[Ciphertext], message: bytes, public: Point, context: bytes) -> tuple[Ciphertext, ...]:
    return _verify_hide(_HIDE, hand, message, public, context)


def _hide(
    protocol: bytes, hand: Sequence[Ciphertext], secret: SecretKey, context: bytes, entropy: bytes, first: int | None
) -> tuple[bytes, tuple[int, ...]]:
    if first is not None and not 0 <= first < len(hand):
        raise WitnessError("there is no such card in the hand")
    rows, keys = as_rows(hand), (secret.public,)
    witness = b"" if first is None else first.to_bytes(4, "little")
    hedge = shuffle_message.randomness(
        protocol, rows, keys, context, secret=secret.encode(), witness=witness, entropy=entropy
    )
    front = [] if first is None else [first]
    rest = [place for place in range(len(hand)) if place != first]
    order = (*front, *(rest[place] for place in hedge.permutation(len(rest))))
    return shuffle_message.make(protocol, rows, keys, order, context, hedge), order


def _verify_hide(
    protocol: bytes, hand: Sequence[Ciphertext], message: bytes, public: Point, context: bytes
) -> tuple[Ciphertext, ...]:
    return column(shuffle_message.verify(Claim(protocol, as_rows(hand), (public,), message, context)))


def pass_card(card: Ciphertext, secret: SecretKey, receiver: Point, context: bytes, entropy: bytes) -> bytes:
    """My card, encrypted afresh to its receiver, with proof that it is the same card."""
    return rekey.rekey([card], secret=secret.scalar, target=receiver, context=context, entropy=entropy)


def verify_pass(card: Ciphertext, giver: Point, receiver: Point, message: bytes, context: bytes) -> Ciphertext:
    (passed,) = rekey.verify([card], message, public=giver, target=receiver, context=context)
    return passed


def hand_over(hand: Sequence[Ciphertext], secret: SecretKey, joint: Point, context: bytes, entropy: bytes) -> bytes:
    """My whole hand, encrypted afresh to the joint key of those who stay, place by place."""
    return rekey.rekey(hand, secret=secret.scalar, target=joint, context=context, entropy=entropy)


def verify_hand_over(
    hand: Sequence[Ciphertext], public: Point, joint: Point, message: bytes, context: bytes
) -> tuple[Ciphertext, ...]:
    return rekey.verify(hand, message, public=public, target=joint, context=context)


def known_faces(hand: Sequence[Ciphertext], secret: SecretKey, deck: Deck) -> tuple[int, ...]:
    """The ids of my own cards, to prove something about them."""
    try:
        return tuple(look(card, secret, deck) for card in hand)
    except ProofError:
        raise WitnessError("these are not cards of my hand") from None


def prove_cannot(
    hand: Sequence[Ciphertext],
    secret: SecretKey,
    deck: Deck,
    attribute: int,
    clauses: Sequence[Clause],
    context: bytes,
    entropy: bytes,
) -> bytes:
    """That my hand can be ordered so that some clause (first, others) holds: the first card's attribute lies in `first`
    and that of all others in `others`.

    The message is a copy of the hand, shuffled for this proof alone with the right card first, and then the proof
    about that copy. It shows neither the clause nor the card, and the hand itself stays as it lies.
    """
    ids = known_faces(hand, secret, deck)
    first = cannot.first_place([deck.attribute(card_id, attribute) for card_id in ids], clauses)
    if first is None:
        raise WitnessError("no clause holds for this hand in any order: it can move")
    copy, order = _hide(_ARRANGE, hand, secret, context, entropy, first)
    proof = cannot.prove(
        column(output_rows(copy, len(hand), 1)),
        secret=secret.scalar,
        faces=[deck.face(ids[old]) for old in order],
        attribute=attribute,
        attributes=len(deck.attributes),
        clauses=clauses,
        context=context,
        entropy=entropy,
    )
    return copy + proof


def verify_cannot(
    hand: Sequence[Ciphertext],
    public: Point,
    deck: Deck,
    attribute: int,
    clauses: Sequence[Clause],
    message: bytes,
    context: bytes,
) -> None:
    if not isinstance(message, bytes):
        raise DecodeError("a message is bytes")
    end = message_size(len(hand), 1)
    copy = _verify_hide(_ARRANGE, hand, message[:end], public, context)
    cannot.verify(
        copy,
        message[end:],
        public=public,
        attribute=attribute,
        attributes=len(deck.attributes),
        clauses=clauses,
        context=context,
    )
