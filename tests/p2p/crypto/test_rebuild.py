"""The rebuild: marks are right, the new pile is exactly what nobody holds, and nothing else comes out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from deck_cases import ALICE, BOB, CAROL, CONTEXT, DECK, dealt, entropy, ids_of
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto import deck as crypto
from p2p.crypto.bits import BIT
from p2p.crypto.elgamal import encrypt
from p2p.crypto.group import IDENTITY, Scalar

SEATS = (ALICE, BOB, CAROL)


def opened(card: crypto.Ciphertext, seats: Sequence[crypto.SecretKey]) -> crypto.Point:
    return crypto.peel(card, [secret.scalar * card.a for secret in seats]).b


def marked(
    unseen: Sequence[int], held: Sequence[int], secret: crypto.SecretKey, joint: crypto.Point
) -> tuple[crypto.Ciphertext, ...]:
    hand = dealt(held, secret.public)
    message = crypto.mark(unseen, hand, secret, joint, DECK, CONTEXT, entropy("mark", held, unseen))
    return crypto.verify_mark(unseen, hand, secret.public, joint, DECK, message, CONTEXT)


@given(st.permutations(DECK.ids), st.integers(1, 8), st.integers(0, 8))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_a_mark_is_one_exactly_for_the_hand(order: list[int], known: int, held: int) -> None:
    """In whatever order the unseen cards are listed; an empty hand and a hand of all cards included."""
    unseen, joint = order[:known], crypto.joint_key(secret.public for secret in SEATS)
    hand = unseen[: min(held, known)][::-1]
    bits = marked(unseen, hand, ALICE, joint)
    assert [opened(bit, SEATS) for bit in bits] == [BIT if card in hand else IDENTITY for card in unseen]


def rebuilt(
    unseen: Sequence[int], hands: Sequence[Sequence[int]], stayers: Sequence[crypto.SecretKey]
) -> tuple[list[int], list[bool]]:
    """The whole rebuild: which cards the new pile holds, in order, and which rows were found held."""
    joint = crypto.joint_key(secret.public for secret in stayers)
    marks = [marked(unseen, hand, secret, joint) for hand, secret in zip(hands, stayers, strict=True)]
    rows = crypto.mark_rows(unseen, marks, joint, DECK)
    links = []
    for seat, _ in enumerate(stayers):
        context = CONTEXT + b"%d" % seat
        message = crypto.shuffle(rows, joint, context, entropy("rows", seat, unseen, hands))
        links.append(crypto.Link(rows, message, joint, context))
        rows = crypto.shuffle_output(message, len(unseen), 2)
    assert crypto.verify_chain(links) == rows
    sums = crypto.column(rows, 1)
    shares = []
    for secret in stayers:
        message = crypto.give_shares(secret, sums, CONTEXT, entropy("sums", unseen, hands))
        shares.append(crypto.verify_shares(secret.public, sums, message, CONTEXT))
    held = [crypto.is_held(total, given) for total, given in zip(sums, zip(*shares, strict=True), strict=True)]
    pile = [row[0] for row, gone in zip(rows, held, strict=True) if not gone]
    return [DECK.identify(opened(card, stayers)) for card in pile], held


@given(st.permutations(DECK.ids), st.integers(1, 8), st.lists(st.integers(0, 3), min_size=1, max_size=3))
@settings(derandomize=True, deadline=None, max_examples=15)
def test_the_new_pile_is_what_nobody_holds(order: list[int], known: int, sizes: list[int]) -> None:
    """One to three stayers with hands of any size, empty ones too; the pile may come out empty."""
    unseen, rest, hands = order[:known], order[:known], []
    for size in sizes:
        hands.append(rest[:size])
        rest = rest[size:]
    pile, held = rebuilt(unseen, hands, SEATS[: len(sizes)])
    assert sorted(pile) == sorted(rest)
    assert sum(held) == known - len(rest)


@pytest.mark.parametrize(
    ("unseen", "held"),
    [((1, 2, 3), (4,)), ((1, 2), (1, 1)), ((), ()), ((1,), (1, 2)), ((), (1,))],
)
def test_a_hand_that_does_not_fit_is_refused(unseen: tuple[int, ...], held: tuple[int, ...]) -> None:
    """A card that was seen, a card twice, more cards than there are, nothing unseen at all."""
    with pytest.raises(crypto.WitnessError):
        crypto.mark(unseen, dealt(held, ALICE.public), ALICE, BOB.public, DECK, CONTEXT, entropy("refuse"))
    with pytest.raises((crypto.ProofError, crypto.DecodeError)):
        crypto.verify_mark(unseen, dealt(held, ALICE.public), ALICE.public, BOB.public, DECK, b"", CONTEXT)


def test_nobody_reads_a_mark_without_its_author() -> None:
    """All other stayers pooled (and the lost seat besides) open none of Alice's bits to anything."""
    joint = crypto.joint_key(secret.public for secret in SEATS)
    for bit in marked((1, 2, 3, 4), (2, 3), ALICE, joint):
        for size in (0, 1, 2):
            for pooled in combinations((BOB, CAROL), size):
                assert opened(bit, pooled) not in (IDENTITY, BIT)


def test_opening_the_sums_opens_no_card() -> None:
    """The shares given for the sums are of no use for the cards of the same rows."""
    joint = crypto.joint_key(secret.public for secret in SEATS)
    unseen, hands = (1, 2, 3, 4), ((1,), (2,), ())
    marks = [marked(unseen, hand, secret, joint) for hand, secret in zip(hands, SEATS, strict=True)]
    rows = crypto.mark_rows(unseen, marks, joint, DECK)
    message = crypto.shuffle(rows, joint, CONTEXT, entropy("rows"))
    for card, total in crypto.verify_shuffle(rows, message, joint, CONTEXT):
        shares = [secret.scalar * total.a for secret in SEATS]
        with pytest.raises(crypto.ProofError):
            crypto.open_card(card, shares, DECK)


def test_a_sum_is_nothing_or_one() -> None:
    """Two marks for one card, or a row that was tampered with: ProofError, never a guess."""
    joint = crypto.joint_key(secret.public for secret in SEATS)
    for plain in (BIT + BIT, -BIT, DECK.point(1)):
        total = encrypt(plain, joint, Scalar(5))
        with pytest.raises(crypto.ProofError):
            crypto.is_held(total, [secret.scalar * total.a for secret in SEATS])
        with pytest.raises(crypto.ProofError):
            crypto.is_held(total, [])


def test_marks_that_cancel_each_other_are_refused() -> None:
    """The identity never becomes a row, should anyone manage to make it."""
    bit = encrypt(BIT, ALICE.public, Scalar(5))
    for inverse in (
        crypto.Ciphertext(-bit.a, -bit.b),
        crypto.Ciphertext(-bit.a, bit.b),
        crypto.Ciphertext(bit.a, -bit.b),
    ):
        with pytest.raises(crypto.ProofError):
            crypto.mark_rows((1,), [(bit,), (inverse,)], ALICE.public, DECK)


def test_a_second_loss_starts_afresh_with_other_rows() -> None:
    """The same seats in another epoch make marks that have nothing in common with the first."""
    hand = dealt([2, 4], ALICE.public)
    messages = [
        crypto.mark((1, 2, 3, 4), hand, ALICE, BOB.public + ALICE.public, DECK, context, entropy("same entropy"))
        for context in (b"epoch 1", b"epoch 2")
    ]
    words = [{message[at : at + 32] for at in range(0, len(message), 32)} for message in messages]
    assert not words[0] & words[1]
    assert ids_of(hand, ALICE) == [2, 4]
