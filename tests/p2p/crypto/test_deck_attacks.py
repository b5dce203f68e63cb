"""Attacks that have worked on systems like this one, tried on the messages of the deck. None works here.

The cheat writes its own messages with whatever the library has inside, and its own program refuses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from deck_cases import ALICE, BOB, CAROL, CONTEXT, DECK, JOINT, STAYING, Action, actions, dealt, entropy, ids_of
from shuffle_cheat import forge, permutation_matrix

from p2p.crypto import cannot, equal_logs, rebuild, shuffle_message, sigma
from p2p.crypto import deck as crypto
from p2p.crypto import shuffle_proof as sp
from p2p.crypto.elgamal import CIPHERTEXT_SIZE, encode_all, encrypt, reencrypt
from p2p.crypto.group import IDENTITY, Point
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript

cheat = Hedge(b"cheat", secret=b"", witness=b"", statement=b"", entropy=bytes(32))
Verify = Callable[[bytes], object]


@pytest.fixture
def unscrupulous(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheat's own prover proves whatever it is asked to."""
    monkeypatch.setattr(sigma, "holds", lambda relation, witness: True)


def refused(verify: Verify, message: bytes) -> bool:
    try:
        verify(message)
    except (crypto.ProofError, crypto.DecodeError):
        return True
    return False


def shuffle_of(
    protocol: bytes,
    inputs: Sequence[crypto.Ciphertext],
    put_down: Sequence[crypto.Ciphertext],
    order: Sequence[int],
    key: Point,
) -> bytes:
    """A shuffle message that puts these cards down, re-encrypted, and a proof that claims this order."""
    fresh = [cheat.scalar() for _ in put_down]
    outputs = crypto.as_rows([reencrypt(ct, key, r) for ct, r in zip(put_down, fresh, strict=True)])
    statement = sp.Statement(crypto.as_rows(inputs), (key,), outputs)
    transcript = Transcript(protocol, CONTEXT)
    proof = forge(statement, permutation_matrix(order), [[r] for r in fresh], transcript, cheat)
    return sp.encode_rows(outputs) + proof.encode()


# --- shuffles ------------------------------------------------------------------------------------------------------

PILE = dealt([1, 2, 3, 4], JOINT)


def verify_pile(message: bytes) -> object:
    return crypto.verify_shuffle(PILE, message, JOINT, CONTEXT)


def test_the_cheat_knows_how_to_write_a_shuffle() -> None:
    """What the attacks below send is in form and context right: told honestly it is accepted."""
    verify_pile(shuffle_of(b"shuffle", PILE, [PILE[old] for old in (2, 0, 3, 1)], (2, 0, 3, 1), JOINT))


def test_duplicated_card_in_a_shuffle() -> None:
    """One card comes out twice and another not at all."""
    for order in ((0, 0, 2, 3), (3, 2, 3, 1)):
        for claimed in (order, (0, 1, 2, 3)):
            assert refused(verify_pile, shuffle_of(b"shuffle", PILE, [PILE[old] for old in order], claimed, JOINT))


def test_replaced_card_in_a_shuffle() -> None:
    """A card that was not there comes out: a wished-for one, one that is open, or one of the cheat's making."""
    for wish in (dealt([8], JOINT)[0], *DECK.fresh([8], JOINT), encrypt(IDENTITY, JOINT, cheat.scalar())):
        put_down = [PILE[1], wish, PILE[3], PILE[2]]
        assert refused(verify_pile, shuffle_of(b"shuffle", PILE, put_down, (1, 0, 3, 2), JOINT))


def test_a_cards_ciphertext_copied_from_another_slot_into_a_shuffle() -> None:
    """Another seat's hand card put into the pile: its shares would be given away with the pile's."""
    (victim,) = dealt([7], BOB.public)
    for stolen in (victim, crypto.Ciphertext(victim.a, PILE[0].b), crypto.Ciphertext(PILE[0].a, victim.b)):
        put_down = [stolen, PILE[1], PILE[2], PILE[3]]
        assert refused(verify_pile, shuffle_of(b"shuffle", PILE, put_down, (0, 1, 2, 3), JOINT))
        honest = crypto.shuffle(PILE, JOINT, CONTEXT, entropy("honest"))
        assert refused(verify_pile, stolen.encode() + honest[CIPHERTEXT_SIZE:])


def test_a_layer_taken_off_in_a_shuffle() -> None:
    """Re-encrypting under another key, or taking one's own layer off: the cards would no longer be everyone's."""
    rows = crypto.as_rows(PILE)
    for key in (ALICE.public, STAYING, JOINT + JOINT):
        assert refused(verify_pile, crypto.shuffle(rows, key, CONTEXT, entropy("other key")))
    peeled = [crypto.peel(card, [ALICE.scalar * card.a]) for card in PILE]
    assert refused(verify_pile, shuffle_of(b"shuffle", PILE, peeled, (0, 1, 2, 3), JOINT))


def test_rows_torn_apart() -> None:
    """In a rebuild each card must keep its own sum: another order in the second column is rejected."""
    marks = dealt([5, 6, 7], JOINT)
    inputs = tuple(zip(PILE[:3], marks, strict=True))
    for second in ((0, 1, 2), (2, 1, 0)):
        fresh = [cheat.scalars(2) for _ in range(3)]
        outputs = tuple(
            (reencrypt(PILE[i], JOINT, fresh[i][0]), reencrypt(marks[second[i]], JOINT, fresh[i][1])) for i in range(3)
        )
        transcript = Transcript(b"shuffle", CONTEXT)
        statement = sp.Statement(inputs, (JOINT, JOINT), outputs)
        proof = forge(statement, permutation_matrix((0, 1, 2)), fresh, transcript, cheat)
        message = sp.encode_rows(outputs) + proof.encode()
        assert refused(lambda m: crypto.verify_shuffle(inputs, m, JOINT, CONTEXT), message) == (second != (0, 1, 2))


def test_a_shuffle_replayed_in_another_step() -> None:
    """The order one knows from an earlier shuffle cannot be used again: not later, not by another seat."""
    message = crypto.shuffle(PILE, JOINT, b"step 3", entropy("replay"))
    crypto.verify_shuffle(PILE, message, JOINT, b"step 3")
    for context in (b"step 4", b"step 3, seat 2", b""):
        with pytest.raises(crypto.ProofError):
            crypto.verify_shuffle(PILE, message, JOINT, context)


# --- hands ---------------------------------------------------------------------------------------------------------

HAND = dealt([1, 2, 3], ALICE.public)


def verify_hand(message: bytes) -> object:
    return crypto.verify_hide(HAND, message, ALICE.public, CONTEXT)


def test_a_hand_changed_while_it_is_hidden() -> None:
    """A better card slipped in, a bad one dropped for a second copy of a good one, another's card borrowed."""
    better, borrowed = dealt([8], ALICE.public)[0], dealt([7], BOB.public)[0]
    honest = shuffle_of(b"hide", HAND, [HAND[2], HAND[0], HAND[1]], (2, 0, 1), ALICE.public)
    verify_hand(honest)
    for put_down in ([HAND[2], better, HAND[1]], [HAND[2], HAND[2], HAND[1]], [HAND[2], HAND[0], borrowed]):
        assert refused(verify_hand, shuffle_of(b"hide", HAND, put_down, (2, 0, 1), ALICE.public))


def test_a_joint_shuffle_passed_off_as_hiding() -> None:
    """Each kind of shuffle has a name of its own in its proof, even over the same rows, key and context."""
    for message in (
        crypto.shuffle(HAND, ALICE.public, CONTEXT, entropy("joint")),
        shuffle_of(b"cannot/arrange", HAND, HAND, (0, 1, 2), ALICE.public),
    ):
        assert refused(verify_hand, message)


def test_hand_reshuffled_after_committing() -> None:
    """A place was committed to. Re-shuffling the hand afterwards does not move another card to that place."""
    committed, _ = crypto.hide(HAND, ALICE, CONTEXT, entropy("committed"))
    hidden = crypto.verify_hide(HAND, committed, ALICE.public, CONTEXT)
    again, order = crypto.hide(hidden, ALICE, CONTEXT, entropy("again"))
    reshuffled = crypto.verify_hide(hidden, again, ALICE.public, CONTEXT)
    place = next(new for new, old in enumerate(order) if new != old)
    assert crypto.look(reshuffled[place], ALICE, DECK) != crypto.look(hidden[place], ALICE, DECK)
    opening = crypto.give_shares(ALICE, [reshuffled[place]], CONTEXT, entropy("open"))
    assert refused(lambda m: crypto.verify_shares(ALICE.public, [hidden[place]], m, CONTEXT), opening)
    passing = crypto.pass_card(reshuffled[place], ALICE, BOB.public, CONTEXT, entropy("pass"))
    assert refused(lambda m: crypto.verify_pass(hidden[place], ALICE.public, BOB.public, m, CONTEXT), passing)


def test_opening_a_card_that_is_not_the_one_committed_to(unscrupulous: None) -> None:
    """The share that would turn my card into the wished-for one has no proof; nor has a share of another card."""
    wish = HAND[0].b - DECK.point(8)
    assert crypto.open_card(HAND[0], [wish], DECK) == 8  # what the false share would show
    statement = equal_logs.Statement(ALICE.public, (HAND[0].a,), (wish,))
    proof = equal_logs.prove(statement, equal_logs.Witness(ALICE.scalar), context=CONTEXT, entropy=entropy("wish"))
    other = crypto.give_shares(ALICE, HAND[1:2], CONTEXT, entropy("other"))
    honest = crypto.give_shares(ALICE, HAND[:1], CONTEXT, entropy("honest"))
    for message in (wish.encode() + proof, other, wish.encode() + other[32:], wish.encode() + honest[32:]):
        assert refused(lambda m: crypto.verify_shares(ALICE.public, HAND[:1], m, CONTEXT), message)


def test_key_swap_to_swap_hands() -> None:
    """Two players exchange their secrets and play each other's hands: nothing verifies under the registered keys."""
    message, _ = crypto.hide(HAND, BOB, CONTEXT, entropy("swap"))
    assert refused(verify_hand, message)
    handed = crypto.hand_over(HAND, BOB, STAYING, CONTEXT, entropy("swap"))
    assert refused(lambda m: crypto.verify_hand_over(HAND, ALICE.public, STAYING, m, CONTEXT), handed)
    passed = crypto.pass_card(HAND[0], BOB, CAROL.public, CONTEXT, entropy("swap"))
    assert refused(lambda m: crypto.verify_pass(HAND[0], ALICE.public, CAROL.public, m, CONTEXT), passed)


def test_handing_over_other_cards_than_ones_own(unscrupulous: None) -> None:
    """A card twice, a card less, a card swapped for a worthless one: the hand arrives whole or not at all."""

    def verify(message: bytes) -> object:
        return crypto.verify_hand_over(HAND, ALICE.public, STAYING, message, CONTEXT)

    for hand in ((HAND[0], HAND[0], HAND[2]), HAND[:2], (*HAND, HAND[0]), (*HAND[:2], dealt([8], ALICE.public)[0])):
        assert refused(verify, crypto.hand_over(hand, ALICE, STAYING, CONTEXT, entropy("worthless")))


# --- "I cannot move" -----------------------------------------------------------------------------------------------

#: Digits 1, 2, 3: with these clauses the hand *can* move, because of the 3.
CLAUSES = (((0, 1, 2), (0, 1, 2)), ((0, 1, 2), (0, 1)))
NO_MOVE = dealt([1, 2, 5], ALICE.public)


def verify_cannot(message: bytes) -> None:
    crypto.verify_cannot(HAND, ALICE.public, DECK, 0, CLAUSES, message, CONTEXT)


def arranged_proof(copy: Sequence[crypto.Ciphertext], ids: Sequence[int]) -> bytes:
    return cannot.prove(
        copy,
        secret=ALICE.scalar,
        faces=[DECK.face(card) for card in ids],
        attribute=0,
        attributes=2,
        clauses=CLAUSES,
        context=CONTEXT,
        entropy=entropy("arranged"),
    )


def test_a_false_i_cannot_move(unscrupulous: None) -> None:
    """For a hand that can move every way to say otherwise fails."""
    with pytest.raises(crypto.WitnessError):
        crypto.prove_cannot(HAND, ALICE, DECK, 0, CLAUSES, CONTEXT, entropy("false"))
    size = sp.message_size(3, 1)

    def copy_of(put_down: Sequence[crypto.Ciphertext]) -> tuple[bytes, tuple[crypto.Ciphertext, ...]]:
        shuffled = shuffle_of(b"cannot/arrange", HAND, put_down, (0, 1, 2), ALICE.public)
        return shuffled, crypto.column(crypto.shuffle_output(shuffled, 3))

    # The proof of a hand that cannot move, made in the same step.
    fine = crypto.prove_cannot(NO_MOVE, ALICE, DECK, 0, CLAUSES, CONTEXT, entropy("fine"))
    assert refused(verify_cannot, fine)
    # The high card replaced in the copy by a low one, or by a second low one: the copy is not the hand.
    for put_down in ([*HAND[:2], NO_MOVE[2]], [*HAND[:2], HAND[0]]):
        shuffled, copy = copy_of(put_down)
        assert refused(verify_cannot, shuffled + arranged_proof(copy, ids_of(copy, ALICE)))
    # An honest copy, and a proof that pretends the 3 were a 2, or that speaks about other ciphertexts.
    shuffled, copy = copy_of(HAND)
    assert refused(verify_cannot, shuffled + arranged_proof(copy, [1, 2, 7]))
    assert refused(verify_cannot, shuffled + arranged_proof(NO_MOVE, [1, 2, 5]))
    assert refused(verify_cannot, shuffled + fine[size:])


def test_a_true_i_cannot_move_of_another_seat_or_step() -> None:
    """Copied from somebody with the same cards, or from the round before."""
    message = crypto.prove_cannot(NO_MOVE, ALICE, DECK, 0, CLAUSES, CONTEXT, entropy("true"))
    crypto.verify_cannot(NO_MOVE, ALICE.public, DECK, 0, CLAUSES, message, CONTEXT)
    same_cards = dealt([1, 2, 5], BOB.public)
    with pytest.raises(crypto.ProofError):
        crypto.verify_cannot(same_cards, BOB.public, DECK, 0, CLAUSES, message, CONTEXT)
    with pytest.raises(crypto.ProofError):
        crypto.verify_cannot(NO_MOVE, ALICE.public, DECK, 0, CLAUSES, message, b"next round")


# --- marks ---------------------------------------------------------------------------------------------------------

UNSEEN = (1, 2, 3, 4, 5)
HELD = dealt([2, 4], ALICE.public)


def verify_mark(message: bytes) -> object:
    return crypto.verify_mark(UNSEEN, HELD, ALICE.public, STAYING, DECK, message, CONTEXT)


def false_mark(others: Sequence[int], places: Sequence[int], hand: Sequence[crypto.Ciphertext] = HELD) -> bytes:
    """A mark whose rows are the hand, then `others`; row `places[i]` is claimed to hold the i-th unseen card."""
    context = rebuild._bound(CONTEXT, UNSEEN, hand, STAYING)
    rest = [encrypt(DECK.point(card), ALICE.public, cheat.scalar()) for card in others]
    rows = rebuild._laid_out(hand, rest, STAYING)
    shuffled = shuffle_message.make(rebuild._MARK, rows, (ALICE.public, STAYING), places, context, cheat)
    statement = rebuild._opened(crypto.shuffle_output(shuffled, len(rows), 2), UNSEEN, ALICE.public, DECK)
    proof = equal_logs.prove(
        statement, equal_logs.Witness(ALICE.scalar), context=context, entropy=entropy("false mark")
    )
    return encode_all(rest) + shuffled + proof


def test_the_cheat_knows_how_to_write_a_mark(unscrupulous: None) -> None:
    """Told honestly it is accepted."""
    verify_mark(false_mark([1, 3, 5], (2, 0, 3, 1, 4)))


@pytest.mark.parametrize(
    ("others", "places"),
    [
        (
            [1, 3, 5],
            (0, 2, 3, 1, 4),
        ),  # the mark of card 2 put on card 1: claims what it does not hold, hides what it does
        ([1, 3, 2], (2, 4, 3, 1, 0)),  # hides card 2 behind a second copy of it
        ([2, 3, 4], (0, 2, 3, 4, 1)),  # the same with both
        ([1, 3, 5], (2, 1, 3, 0, 4)),  # exchanges its own two: the bits stay right, yet each row must hold its card
        ([1, 3, 8], (2, 0, 3, 1, 4)),  # smuggles in a card that was seen
    ],
)
def test_a_stayer_can_neither_hide_a_held_card_nor_claim_another(
    others: list[int], places: tuple[int, ...], unscrupulous: None
) -> None:
    """Whatever rows it lays out and wherever it puts them."""
    assert refused(verify_mark, false_mark(others, places))


def test_a_mark_for_somebody_elses_hand(unscrupulous: None) -> None:
    """More cards, fewer cards, or another stayer's ciphertexts in place of one's own."""
    assert refused(verify_mark, false_mark([1, 3, 4, 5], (1, 0, 2, 3, 4), HELD[:1]))
    assert refused(verify_mark, false_mark([3, 5], (2, 0, 3, 1, 4), (*HELD, *dealt([1], ALICE.public))))
    assert refused(verify_mark, false_mark([1, 3, 5], (2, 0, 3, 1, 4), dealt([2, 4], BOB.public)))


def test_a_mark_copied_from_another_stayer() -> None:
    """Bits copied (to learn their sum, or to cancel them) come without a proof for the copier's own hand."""
    message = crypto.mark(UNSEEN, HELD, ALICE, STAYING, DECK, CONTEXT, entropy("alice"))
    crypto.verify_mark(UNSEEN, HELD, ALICE.public, STAYING, DECK, message, CONTEXT)
    mine = dealt([1, 3], BOB.public)
    for context in (CONTEXT, b"table 7, step 3, seat 2"):
        with pytest.raises(crypto.ProofError):
            crypto.verify_mark(UNSEEN, mine, BOB.public, STAYING, DECK, message, context)


# --- what messages give away ---------------------------------------------------------------------------------------

#: Related cards: 1 and 2 differ by as much as 2 and 3, in id, digit and suit. An unblinded tag would show it.
RELATED = ((1, 2, 3), (DECK.point(2) - DECK.point(1), DECK.point(3) - DECK.point(2)))


def points_in(action: Action) -> list[Point]:
    words = [action.message[at : at + 32] for at in range(0, len(action.message), 32)]
    return [Point.decode(word) for word, kind in zip(words, action.kinds, strict=True) if kind == "p"]


@pytest.mark.parametrize("action", actions(), ids=str)
def test_tags_of_linearly_related_cards(action: Action) -> None:
    """No message holds a card's point, or two points that differ as cards do: nothing in it is a function of a card."""
    points = points_in(action)
    faces = [DECK.point(card) for card in DECK.ids]
    assert not {*points} & {*faces}
    differences = {one - other for one in faces for other in faces if one != other}
    differences |= {*RELATED[1]}
    assert not differences & {one - other for one in points for other in points if one != other}


def test_nothing_repeats_when_the_same_is_said_again() -> None:
    """The same cards, hidden, passed, marked, proven twice with fresh entropy: no common word but what is public."""

    def said(turn: int) -> list[bytes]:
        fresh = entropy("turn", turn)
        return [
            crypto.shuffle(PILE, JOINT, CONTEXT, fresh),
            crypto.hide(HAND, ALICE, CONTEXT, fresh)[0],
            crypto.pass_card(HAND[0], ALICE, BOB.public, CONTEXT, fresh),
            crypto.hand_over(HAND, ALICE, STAYING, CONTEXT, fresh),
            crypto.prove_cannot(NO_MOVE, ALICE, DECK, 0, CLAUSES, CONTEXT, fresh),
            crypto.mark(UNSEEN, HELD, ALICE, STAYING, DECK, CONTEXT, fresh),
            crypto.give_shares(ALICE, HAND, CONTEXT, fresh)[32 * len(HAND) :],  # shares are what they are
        ]

    for one, other in zip(said(1), said(2), strict=True):
        words = [{message[at : at + 32] for at in range(0, len(message), 32)} for message in (one, other)]
        assert not words[0] & words[1]


def test_nonces_never_repeat_with_a_stuck_entropy_source() -> None:
    """Equal entropy, but another context, hand, key or front: every number of the message is another."""
    same = bytes(32)
    seen: set[bytes] = set()
    for message in (
        crypto.hide(HAND, ALICE, b"one", same)[0],
        crypto.hide(HAND, ALICE, b"two", same)[0],
        crypto.hide(HAND[:2], ALICE, b"one", same)[0],
        crypto.hide(HAND, BOB, b"one", same)[0],
        crypto.hide(HAND, ALICE, b"one", same, first=1)[0],
        crypto.shuffle(HAND, ALICE.public, b"one", same),
        crypto.prove_cannot(NO_MOVE, ALICE, DECK, 0, CLAUSES, b"one", same),
        crypto.mark(UNSEEN, HELD, ALICE, STAYING, DECK, b"one", same),
        crypto.mark(UNSEEN, HELD, ALICE, JOINT, DECK, b"one", same),
    ):
        words = [message[at : at + 32] for at in range(0, len(message), 32)]
        assert not seen & {*words}
        seen |= {*words}


def test_a_message_has_one_size_whatever_was_chosen() -> None:
    """The card asked to the front, or none: nothing about the choice shows in the size."""
    sizes = {len(crypto.hide(HAND, ALICE, CONTEXT, entropy("size", n), first=n)[0]) for n in (None, 0, 1, 2)}
    assert sizes == {sp.message_size(3, 1)}
