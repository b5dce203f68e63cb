"""Hiding, passing, handing over: what arrives is what was there, and what is shown says nothing about which."""

from __future__ import annotations

import pytest
from deck_cases import ALICE, BOB, CAROL, CONTEXT, DECK, STAYING, dealt, entropy, ids_of
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto import deck as crypto

hands = st.lists(st.sampled_from(DECK.ids), min_size=1, max_size=8, unique=True)
LOW, ALL = (0, 1, 2), (0, 1, 2, 3)
#: As in 2 WIN with the last number 32: all digits at most 2, or the first at most 3 and the others at most 2.
CLAUSES = ((LOW, LOW), (ALL, LOW))


@given(hands, st.integers(0, 7), st.integers(0, 10**6))
@settings(derandomize=True, deadline=None, max_examples=25)
def test_hiding_moves_cards_as_the_order_says(ids: list[int], first: int, salt: int) -> None:
    """order[new] = old, for hands of any size; a card asked to the front is there."""
    hand = dealt(ids, ALICE.public)
    front = first % len(ids) if salt % 2 else None
    message, order = crypto.hide(hand, ALICE, CONTEXT, entropy(salt), first=front)
    hidden = crypto.verify_hide(hand, message, ALICE.public, CONTEXT)
    assert [ids[old] for old in order] == ids_of(hidden, ALICE)
    assert sorted(order) == list(range(len(ids)))
    assert front is None or order[0] == front
    assert not {card.encode() for card in hand} & {card.encode() for card in hidden}


def test_hands_of_thirty_cards_are_fine() -> None:
    """Far above any hand in play."""
    deck = crypto.Deck([(card, ()) for card in range(1, 31)])
    hand = dealt(deck.ids, ALICE.public, deck)
    message, _ = crypto.hide(hand, ALICE, CONTEXT, entropy("thirty"))
    assert sorted(ids_of(crypto.verify_hide(hand, message, ALICE.public, CONTEXT), ALICE, deck)) == list(deck.ids)


@pytest.mark.parametrize("first", [-1, 2, 99])
def test_a_card_that_is_not_there_cannot_come_first(first: int) -> None:
    """WitnessError, as for an empty hand."""
    with pytest.raises(crypto.WitnessError):
        crypto.hide(dealt([1, 2], ALICE.public), ALICE, CONTEXT, entropy("front"), first=first)
    with pytest.raises(crypto.WitnessError):
        crypto.hide([], ALICE, CONTEXT, entropy("front"))


@given(st.sampled_from(DECK.ids))
@settings(derandomize=True, deadline=None, max_examples=8)
def test_a_passed_card_is_the_same_card_and_the_receivers_alone(card_id: int) -> None:
    """Bob reads it, Alice and Carol no longer could from the ciphertext."""
    (card,) = dealt([card_id], ALICE.public)
    message = crypto.pass_card(card, ALICE, BOB.public, CONTEXT, entropy("pass", card_id))
    passed = crypto.verify_pass(card, ALICE.public, BOB.public, message, CONTEXT)
    assert crypto.look(passed, BOB, DECK) == card_id
    for other in (ALICE, CAROL):
        with pytest.raises(crypto.ProofError):
            crypto.look(passed, other, DECK)


@given(st.lists(st.sampled_from(DECK.ids), max_size=6, unique=True))
@settings(derandomize=True, deadline=None, max_examples=10)
def test_a_hand_handed_over_lies_under_the_joint_key(ids: list[int]) -> None:
    """Place by place the same cards, readable only by all who stay together; an empty hand too."""
    hand = dealt(ids, CAROL.public)
    message = crypto.hand_over(hand, CAROL, STAYING, CONTEXT, entropy("over", ids))
    over = crypto.verify_hand_over(hand, CAROL.public, STAYING, message, CONTEXT)
    assert [crypto.open_card(ct, [s.scalar * ct.a for s in (ALICE, BOB)], DECK) for ct in over] == ids
    for card in over:
        for one in (ALICE, BOB, CAROL):
            with pytest.raises(crypto.ProofError):
                crypto.look(card, one, DECK)


def holds(digits: list[int]) -> bool:
    """Some card can come first so that a clause holds: written down once more, by brute force."""
    return any(
        digits[place] in first and all(digit in others for at, digit in enumerate(digits) if at != place)
        for first, others in CLAUSES
        for place in range(len(digits))
    )


@given(hands)
@settings(derandomize=True, deadline=None, max_examples=30)
def test_exactly_those_who_cannot_move_can_prove_it(ids: list[int]) -> None:
    """Every hand: either some clause holds in some order and the proof is accepted, or the prover refuses."""
    hand = dealt(ids, ALICE.public)
    digits = [DECK.attribute(card, 0) for card in ids]
    if holds(digits):
        message = crypto.prove_cannot(hand, ALICE, DECK, 0, CLAUSES, CONTEXT, entropy("cannot", ids))
        crypto.verify_cannot(hand, ALICE.public, DECK, 0, CLAUSES, message, CONTEXT)
    else:
        with pytest.raises(crypto.WitnessError):
            crypto.prove_cannot(hand, ALICE, DECK, 0, CLAUSES, CONTEXT, entropy("cannot", ids))


def test_the_proof_has_one_size_whatever_holds() -> None:
    """Neither which clause nor which card comes first shows in the size of the message."""
    sizes = {
        len(crypto.prove_cannot(dealt(ids, ALICE.public), ALICE, DECK, 0, CLAUSES, CONTEXT, entropy("size", ids)))
        for ids in ([1, 2, 5], [3, 1, 2], [1, 3, 2], [5, 1, 6])
    }
    assert len(sizes) == 1


def test_a_statement_about_nothing_is_refused() -> None:
    """An empty hand, no clauses, clauses nothing satisfies: nobody proves it, nobody believes it."""
    hand = dealt([1], ALICE.public)
    for cards, clauses in (((), CLAUSES), (hand, ()), (hand, (((), ()),)), (hand, (((9,), (9,)),))):
        with pytest.raises(crypto.WitnessError):
            crypto.prove_cannot(cards, ALICE, DECK, 0, clauses, CONTEXT, entropy("nothing"))
    message = crypto.prove_cannot(hand, ALICE, DECK, 0, CLAUSES, CONTEXT, entropy("something"))
    for cards, clauses in (((), CLAUSES), (hand, ()), (hand, (((), ()),)), (hand, (((9,), (9,)),))):
        with pytest.raises((crypto.ProofError, crypto.DecodeError)):
            crypto.verify_cannot(cards, ALICE.public, DECK, 0, clauses, message, CONTEXT)


def test_a_hand_under_another_key_proves_nothing() -> None:
    """Whoever cannot read the cards is refused by their own program."""
    with pytest.raises(crypto.WitnessError):
        crypto.prove_cannot(dealt([1], BOB.public), ALICE, DECK, 0, CLAUSES, CONTEXT, entropy("not mine"))
