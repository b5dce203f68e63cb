"""A pile whose layers one lost seat took away, made anew: each stayer marks its own cards, hidden; what nobody marked
becomes the new pile.

Law: knows which ids are unseen and the hands of those who stay, nothing of who was lost. Nobody learns which cards
anyone holds: what is opened in the end are rows in an order that no one knows.

    1  mark / verify_mark      each stayer: one encrypted bit for each unseen card, 1 exactly for its hand
    2  mark_rows               rows (card, sum of all stayers' bits), in public order
    3  shuffle / verify_chain  each stayer in turn shuffles these rows
    4  give_shares for the sums alone, then is_held: 1 = in a hand, the row is dropped; 0 = free, its card goes back

How a mark works: the stayer lays out all unseen cards under its own key, its hand as it lies (bit 1), then the others
(bit 0), shuffles these rows into *public order*, and proves that the i-th row now holds the i-th unseen card. The bits
of the shuffled rows are the mark. Which row went where, nobody else can see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2p.crypto import equal_logs, shuffle_message
from p2p.crypto.bits import BIT, bit_point
from p2p.crypto.elgamal import CIPHERTEXT_SIZE, Ciphertext, decode_all, encode_all, encrypt, trivial
from p2p.crypto.errors import DecodeError, ProofError, WitnessError
from p2p.crypto.faces import Deck
from p2p.crypto.group import Point, add_all
from p2p.crypto.hands import known_faces
from p2p.crypto.layers import peel
from p2p.crypto.rng import Hedge
from p2p.crypto.seat_keys import SecretKey
from p2p.crypto.shuffle_message import Claim, output_rows
from p2p.crypto.shuffle_proof import Rows, message_size
from p2p.crypto.shuffling import column
from p2p.crypto.transcript import Transcript

_MARK = b"mark"
_CARD, _BIT = 0, 1  # the columns of a row; the first is under the stayer's key, the second under the joint key


def mark(
    unseen: Sequence[int],
    hand: Sequence[Ciphertext],
    secret: SecretKey,
    joint: Point,
    deck: Deck,
    context: bytes,
    entropy: bytes,
) -> bytes:
    """My mark: the cards I do not hold, under my key; the rows shuffled into public order; the proof of what they hold.

    `hand` may be empty, and may be all there is.
    """
    held = known_faces(hand, secret, deck)
    if not unseen or len({*held}) < len(held) or not {*held} <= {*unseen}:
        raise WitnessError("a hand holds different cards, all of them unseen")
    others = [card_id for card_id in unseen if card_id not in held]
    laid_out = [*held, *others]

    context = _bound(context, unseen, hand, joint)
    hedge = Hedge(
        _MARK,
        secret=secret.encode(),
        witness=b"".join(card_id.to_bytes(4, "little") for card_id in held),
        statement=context,
        entropy=entropy,
    )
    rest = [encrypt(deck.point(card_id), secret.public, hedge.scalar()) for card_id in others]
    order = [laid_out.index(card_id) for card_id in unseen]
    rows, keys = _laid_out(hand, rest, joint), (secret.public, joint)
    shuffled = shuffle_message.make(_MARK, rows, keys, order, context, hedge)
    statement = _opened(output_rows(shuffled, len(rows), len(keys)), unseen, secret.public, deck)
    proof = equal_logs.prove(statement, equal_logs.Witness(secret.scalar), context=context, entropy=entropy)
    return encode_all(rest) + shuffled + proof


def verify_mark(
    unseen: Sequence[int],
    hand: Sequence[Ciphertext],
    public: Point,
    joint: Point,
    deck: Deck,
    message: bytes,
    context: bytes,
) -> tuple[Ciphertext, ...]:
    """The encrypted bit of each unseen card, in their public order."""
    if len(hand) > len(unseen):
        raise ProofError("a hand holds no more cards than are unseen")
    if not isinstance(message, bytes):
        raise DecodeError("a message is bytes")
    split = CIPHERTEXT_SIZE * (len(unseen) - len(hand))
    end = split + message_size(len(unseen), 2)
    rest = decode_all(message[:split], len(unseen) - len(hand))
    context = _bound(context, unseen, hand, joint)
    claim = Claim(_MARK, _laid_out(hand, rest, joint), (public, joint), message[split:end], context)
    rows = shuffle_message.verify(claim)
    equal_logs.check(_opened(rows, unseen, public, deck), message[end:], context=context)
    return column(rows, _BIT)


def mark_rows(unseen: Sequence[int], marks: Sequence[Sequence[Ciphertext]], joint: Point, deck: Deck) -> Rows:
    """Rows (card, how many of the stayers hold it), to be shuffled by each of them in turn."""
    sums = [_sum(bits) for bits in zip(*marks, strict=True)]
    return tuple(zip(deck.fresh(unseen, joint), sums, strict=True))


def is_held(total: Ciphertext, shares: Iterable[Point]) -> bool:
    """Whether the card of this row lies in some stayer's hand, from all stayers' shares of the row's sum."""
    point = peel(total, shares).b
    if point.is_identity:
        return False
    if point == BIT:
        return True
    raise ProofError("a card is held once or not at all")


def _laid_out(hand: Sequence[Ciphertext], rest: Sequence[Ciphertext], joint: Point) -> Rows:
    held, free = trivial(bit_point(1), joint), trivial(bit_point(0), joint)
    return (*((card, held) for card in hand), *((card, free) for card in rest))


def _opened(rows: Rows, unseen: Sequence[int], public: Point, deck: Deck) -> equal_logs.Statement:
    """Row i holds the i-th unseen card: what is left of it without that card's point is x·a."""
    cards = column(rows, _CARD)
    masks = tuple(card.b - deck.point(card_id) for card, card_id in zip(cards, unseen, strict=True))
    return equal_logs.Statement(public, tuple(card.a for card in cards), masks)


def _bound(context: bytes, unseen: Sequence[int], hand: Sequence[Ciphertext], joint: Point) -> bytes:
    """One context for all parts of a mark, with everything that it speaks about in it."""
    transcript = Transcript(_MARK, context)
    transcript.append(b"unseen", b"".join(card_id.to_bytes(4, "little") for card_id in unseen))
    transcript.append(b"hand", encode_all(hand))
    transcript.append_point(b"joint", joint)
    return transcript.state()


def _sum(bits: Sequence[Ciphertext]) -> Ciphertext:
    total = Ciphertext(add_all(bit.a for bit in bits), add_all(bit.b for bit in bits))
    if total.a.is_identity or total.b.is_identity:
        raise ProofError("these marks cancel each other out")
    return total
