"""“I cannot move” is provable exactly when it is true, and a hand that could move has no proof."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from proof_cases import ALICE, BOB, CONTEXT, ENTROPY, hand

from p2p.crypto import cannot, membership, sigma
from p2p.crypto.cannot import Clause
from p2p.crypto.card_points import CardFace
from p2p.crypto.elgamal import Ciphertext
from p2p.crypto.errors import DecodeError, ProofError, WitnessError


def two_win(last: int) -> list[Clause]:
    """2 WIN's statement “my cards form no two-digit number above `last`”, as data."""
    a, b = divmod(last, 10)
    low: Clause = (tuple(range(a)), tuple(range(a)))  # all digits below a; implied by the other clause if b >= a - 1
    edge: Clause = (tuple(range(a + 1)), tuple(range(min(a, b) + 1)))
    return [edge] if b >= a - 1 else [low, edge]


def arranged(digits: tuple[int, ...], clauses: list[Clause]) -> tuple[int, ...]:
    place = cannot.first_place(digits, clauses)
    assert place is not None
    return (digits[place], *digits[:place], *digits[place + 1 :])


def prove(faces: tuple[CardFace, ...], ciphertexts: tuple[Ciphertext, ...], clauses: list[Clause]) -> bytes:
    return cannot.prove(
        ciphertexts,
        secret=ALICE.secret,
        faces=faces,
        attribute=0,
        attributes=len(faces[0].attributes),
        clauses=clauses,
        context=CONTEXT,
        entropy=ENTROPY,
    )


def verify(ciphertexts: tuple[Ciphertext, ...], message: bytes, clauses: list[Clause], attributes: int = 1) -> None:
    cannot.verify(
        ciphertexts,
        message,
        public=ALICE.public,
        attribute=0,
        attributes=attributes,
        clauses=clauses,
        context=CONTEXT,
    )


def test_the_place_of_the_first_card_is_found_exactly_when_a_clause_can_hold() -> None:
    """Against brute force over all orders of all hands of three digits and all small clauses."""
    sets = [(), (0,), (1,), (0, 1), (0, 1, 2)]
    for digits in product(range(3), repeat=3):
        for clause in product(sets, sets):
            possible = any(o[0] in clause[0] and all(d in clause[1] for d in o[1:]) for o in permutations(digits))
            place = cannot.first_place(digits, [clause])
            assert (place is not None) == possible
            if place is not None:
                rest = [*digits[:place], *digits[place + 1 :]]
                assert digits[place] in clause[0]
                assert all(digit in clause[1] for digit in rest)


def test_the_statement_of_2_win_is_that_no_number_exceeds_the_last() -> None:
    """As the game words it, the clauses hold for some order exactly if no two cards form a higher number."""
    for last in range(10, 99):
        for digits in product(range(10), repeat=2):
            can = any(10 * p + q > last for p, q in permutations(digits, 2))
            assert (cannot.first_place(digits, two_win(last)) is None) == can, (last, digits)
        for digits in ((0, 0, 0), (9, 0, 0), (3, 2, 1), (5, 5, 5), (8, 4, 4), (7, 1, 0), (9, 9, 8)):
            can = any(10 * p + q > last for p, q in permutations(digits, 2))
            assert (cannot.first_place(digits, two_win(last)) is None) == can, (last, digits)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4), st.integers(10, 98))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_whoever_cannot_move_can_prove_it_and_nobody_else(digits: list[int], last: int) -> None:
    """The proof exists exactly when no number above the last can be formed."""
    can = any(10 * p + q > last for p, q in permutations(digits, 2))
    clauses = two_win(last)
    if can:
        for order in {tuple(digits), tuple(sorted(digits, reverse=True))}:
            faces, ciphertexts = hand(*((digit,) for digit in order))
            with pytest.raises(WitnessError):
                prove(faces, ciphertexts, clauses)
    else:
        faces, ciphertexts = hand(*((digit,) for digit in arranged(tuple(digits), clauses)))
        verify(ciphertexts, prove(faces, ciphertexts, clauses), clauses)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=4),
    st.lists(st.integers(0, 9), min_size=1, max_size=4),
    st.integers(10, 98),
)
@settings(derandomize=True, deadline=None, max_examples=40)
def test_a_false_cannot_move_is_never_believed(held: list[int], claimed: list[int], last: int) -> None:
    """A cheat whose hand *can* move proves it with the cards he would like to have; his own checks are switched off.
    Everybody rejects it."""
    clauses = two_win(last)
    claimed = (claimed * 4)[: len(held)]
    place = cannot.first_place(claimed, clauses)
    assume(place is not None and held != claimed)
    wished = arranged(tuple(claimed), clauses)
    assume(wished != tuple(held))
    faces, ciphertexts = hand(*((digit,) for digit in held))
    lies = tuple(CardFace(face.id, (digit,)) for face, digit in zip(faces, wished, strict=True))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sigma, "holds", lambda relation, witness: True)
        message = prove(lies, ciphertexts, clauses)
    with pytest.raises(ProofError):
        verify(ciphertexts, message, clauses)


def test_a_true_proof_proves_no_lower_claim() -> None:
    """The proof for one last number is none for a lower one, nor for the same clauses in another order."""
    clauses = two_win(53)
    faces, ciphertexts = hand((5,), (3,), (2,))
    message = prove(faces, ciphertexts, clauses)
    verify(ciphertexts, message, clauses)
    for other in (two_win(54), two_win(52), two_win(43), clauses[::-1] if len(clauses) > 1 else two_win(63)):
        with pytest.raises((DecodeError, ProofError)):
            verify(ciphertexts, message, other)


def test_the_proof_belongs_to_these_ciphertexts() -> None:
    """The same cards encrypted again, or in another order, need a proof of their own."""
    clauses = two_win(53)
    faces, ciphertexts = hand((5,), (3,), (2,))
    message = prove(faces, ciphertexts, clauses)
    _, again = hand((5,), (3,), (2,))
    for other in (again, ciphertexts[::-1]):
        with pytest.raises(ProofError):
            verify(other, message, clauses)


def test_other_attributes_neither_help_nor_hinder() -> None:
    """Cards of several attributes: only the asked one counts, and a cheat cannot move value from one to another."""
    clauses: list[Clause] = [((1, 2), (0, 1))]
    faces, ciphertexts = hand((2, 9), (1, 9), (0, 9))
    verify(ciphertexts, prove(faces, ciphertexts, clauses), clauses, attributes=2)
    faces, ciphertexts = hand((9, 2), (9, 1), (9, 0))
    lies = tuple(CardFace(face.id, face.attributes[::-1]) for face in faces)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sigma, "holds", lambda relation, witness: True)
        message = prove(lies, ciphertexts, clauses)
    with pytest.raises(ProofError):
        verify(ciphertexts, message, clauses, attributes=2)


def test_the_hand_of_another_seat_proves_nothing_for_me() -> None:
    """A proof made under one key does not verify under another."""
    clauses = two_win(53)
    faces, ciphertexts = hand((5,), (3,))
    message = prove(faces, ciphertexts, clauses)
    with pytest.raises(ProofError):
        cannot.verify(
            ciphertexts, message, public=BOB.public, attribute=0, attributes=1, clauses=clauses, context=CONTEXT
        )


def test_all_messages_for_one_statement_have_one_size() -> None:
    """Whichever clause holds and whatever the hand is, the message is as long: its size tells nothing."""
    clauses: list[Clause] = [((0, 1, 2), (0, 1, 2)), ((5,), (0, 1))]
    sizes = set()
    for digits in ((2, 2, 2), (0, 0, 0), (5, 1, 0), (5, 0, 0), (2, 1, 0)):
        faces, ciphertexts = hand(*((digit,) for digit in digits))
        sizes.add(len(prove(faces, ciphertexts, clauses)))
    assert len(sizes) == 1


def test_one_card_has_no_others() -> None:
    """For a hand of one the second set says nothing, even if it is empty."""
    faces, ciphertexts = hand((3,))
    verify(ciphertexts, prove(faces, ciphertexts, [((3,), ())]), [((3,), ())])


def test_a_statement_nothing_satisfies_has_no_proof() -> None:
    """No clauses, or only empty ones: the prover refuses and every message is rejected."""
    faces, ciphertexts = hand((3,), (2,))
    for clauses in ([], [((), (1,))], [((3,), ())]):
        with pytest.raises(WitnessError):
            prove(faces, ciphertexts, clauses)
        with pytest.raises(ProofError):
            verify(ciphertexts, bytes(32), clauses)


@pytest.mark.parametrize(
    ("attribute", "attributes", "ways"),
    [(1, 1, (((1,),),)), (-1, 1, (((1,),),)), (0, 17, (((1,),),)), (0, 1, (((1,), (1,)),)), (0, 1, (((-1,),),))],
)
def test_a_senseless_statement_is_refused(attribute: int, attributes: int, ways: tuple[tuple[tuple[int, ...]]]) -> None:
    """An attribute the cards do not have, sets for cards that are not there, values out of range: the caller's slip."""
    _, ciphertexts = hand((3,))
    with pytest.raises(ValueError, match=r"statement|way|attribute"):
        membership.Statement(ALICE.public, ciphertexts, attribute, attributes, ways)


def test_a_statement_needs_a_card() -> None:
    """About nothing nothing is proven."""
    with pytest.raises(ValueError, match="needs a card"):
        membership.Statement(ALICE.public, (), 0, 1, ())
