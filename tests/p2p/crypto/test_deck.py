"""The deck: ids and points, keys, and layers that come off."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from deck_cases import ALICE, BOB, CARDS, CAROL, CONTEXT, DECK, JOINT, dealt, entropy
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto import deck as crypto
from p2p.crypto.group import ZERO, G, add_all
from p2p.crypto.seat_keys import SecretKey

SEATS = (ALICE, BOB, CAROL)


def test_every_card_has_its_own_point_and_is_found_by_it() -> None:
    """Ids to points and back, for the whole deck; the order of ids is that of the cards."""
    assert DECK.ids == tuple(card for card, _ in CARDS)
    assert len({DECK.point(card) for card in DECK.ids}) == len(DECK) == len(CARDS)
    for card, values in CARDS:
        assert DECK.identify(DECK.point(card)) == card
        assert tuple(DECK.attribute(card, index) for index in range(2)) == values


def test_equal_cards_of_different_ids_have_different_points() -> None:
    """Attributes may repeat: the id keeps two green sevens apart."""
    deck = crypto.Deck([(1, (7,)), (2, (7,))], ("digit",))
    assert deck.point(1) != deck.point(2)


@pytest.mark.parametrize("point", [G, DECK.point(1) + DECK.point(2), DECK.point(1) - DECK.point(1), -DECK.point(3)])
def test_what_is_no_card_is_a_proof_error(point: crypto.Point) -> None:
    """Also sums of cards and the identity."""
    with pytest.raises(crypto.ProofError):
        DECK.identify(point)


@pytest.mark.parametrize(
    ("cards", "names"),
    [
        ([(1, ()), (1, ())], ()),
        ([(0, ())], ()),
        ([(-1, ())], ()),
        ([(1, (2,))], ()),
        ([(1, ())], ("digit",)),
        ([(1, (-1,))], ("digit",)),
    ],
)
def test_a_deck_without_sense_is_the_callers_mistake(
    cards: list[tuple[int, tuple[int, ...]]], names: tuple[str, ...]
) -> None:
    """Ids twice or below 1, attributes missing, unnamed or negative."""
    with pytest.raises(ValueError, match="card"):
        crypto.Deck(cards, names)


def test_an_empty_deck_and_cards_without_attributes_are_fine() -> None:
    """Games need no attributes; a deck of none has nothing to identify."""
    assert len(crypto.Deck([])) == 0
    assert crypto.Deck([(5, ())]).ids == (5,)


# --- keys ----------------------------------------------------------------------------------------------------------


def test_a_key_needs_its_proof() -> None:
    """Right proof: the key. Another key's proof, another context, malformed bytes: refused."""
    message = crypto.prove_key(ALICE, CONTEXT, entropy("k"))
    assert crypto.verify_key(ALICE.public.encode(), message, CONTEXT) == ALICE.public
    for public, said, context in (
        (BOB.public.encode(), message, CONTEXT),
        (ALICE.public.encode(), message, b"elsewhere"),
    ):
        with pytest.raises(crypto.ProofError):
            crypto.verify_key(public, said, context)
    for public in (bytes(32), b"", b"\xff" * 32, ALICE.public.encode() + b"\0"):
        with pytest.raises(crypto.DecodeError):
            crypto.verify_key(public, message, CONTEXT)


def test_secrets_never_show_themselves() -> None:
    """Neither repr nor str of a secret key holds it; the journal's bytes give the same key back."""
    number = str(int(ALICE.scalar))
    assert number not in repr(ALICE)
    assert ALICE.encode().hex() not in repr(ALICE) + str(ALICE)
    assert SecretKey.decode(ALICE.encode()).public == ALICE.public
    with pytest.raises(crypto.DecodeError):
        SecretKey.decode(b"\xff" * 32)
    with pytest.raises(ValueError, match="zero"):
        SecretKey(ZERO)


def test_keys_come_from_entropy_alone() -> None:
    """Equal entropy, equal key: a seat restored from its seed is the same seat; any other entropy, another key."""
    keys = {crypto.new_key(entropy("new", number)).public for number in range(20)}
    assert len(keys) == 20
    assert crypto.new_key(entropy("new", 0)).public in keys
    with pytest.raises(ValueError, match="entropy"):
        crypto.new_key(b"short")


def test_keys_that_cancel_make_no_joint_key() -> None:
    """The identity is no key; nor is the key of nobody."""
    with pytest.raises(crypto.ProofError):
        crypto.joint_key([ALICE.public, -ALICE.public])
    with pytest.raises(crypto.ProofError):
        crypto.joint_key([])
    assert crypto.joint_key([ALICE.public, BOB.public]) == crypto.joint_key([BOB.public, ALICE.public])


# --- a deck in play ------------------------------------------------------------------------------------------------


def shuffled(ids: list[int]) -> tuple[crypto.Ciphertext, ...]:
    """Every seat has shuffled and everyone has checked."""
    rows = crypto.as_rows(DECK.fresh(ids, JOINT))
    links = []
    for seat, _ in enumerate(SEATS):
        message = crypto.shuffle(rows, JOINT, b"%d" % seat, entropy("deck", seat, ids))
        links.append(crypto.Link(rows, message, JOINT, b"%d" % seat))
        rows = crypto.shuffle_output(message, len(ids))
    return crypto.column(crypto.verify_chain(links))


def shares_of(secret: crypto.SecretKey, cards: tuple[crypto.Ciphertext, ...]) -> tuple[crypto.Point, ...]:
    message = crypto.give_shares(secret, cards, CONTEXT, entropy("shares", cards))
    return crypto.verify_shares(secret.public, cards, message, CONTEXT)


@given(st.lists(st.sampled_from(DECK.ids), min_size=1, max_size=8, unique=True))
@settings(derandomize=True, deadline=None, max_examples=15)
def test_a_shuffled_deck_holds_the_same_cards(ids: list[int]) -> None:
    """Opened by all, the places show each card exactly once."""
    cards = shuffled(ids)
    shares = [shares_of(secret, cards) for secret in SEATS]
    faces = [crypto.open_card(card, given, DECK) for card, given in zip(cards, zip(*shares, strict=True), strict=True)]
    assert sorted(faces) == sorted(ids)


def test_a_dealt_card_is_read_by_its_owner_alone() -> None:
    """With all others' shares taken off, the owner sees the card; any other seats together see none."""
    cards = shuffled([1, 2, 3, 4])
    dealt_to_alice = tuple(
        crypto.peel(card, [shares_of(secret, cards)[at] for secret in (BOB, CAROL)]) for at, card in enumerate(cards)
    )
    assert sorted(crypto.look(card, ALICE, DECK) for card in dealt_to_alice) == [1, 2, 3, 4]
    for card in dealt_to_alice:
        for secret in (BOB, CAROL):
            with pytest.raises(crypto.ProofError):
                crypto.look(card, secret, DECK)


def test_no_proper_part_of_the_seats_reads_a_face_down_card() -> None:
    """Whichever seats pool their keys, one missing layer hides everything."""
    (card,) = shuffled([5])
    for size in (0, 1, 2):
        for pooled in combinations(SEATS, size):
            with pytest.raises(crypto.ProofError):
                crypto.open_card(card, [secret.scalar * card.a for secret in pooled], DECK)
    assert crypto.open_card(card, [secret.scalar * card.a for secret in SEATS], DECK) == 5


def test_layers_come_off_in_any_order_and_at_any_time() -> None:
    """One by one in any order, or all at once."""
    (card,) = dealt([6], JOINT)
    layers = [secret.scalar * card.a for secret in SEATS]
    for order in permutations(layers):
        peeled = card
        for layer in order:
            peeled = crypto.peel(peeled, [layer])
        assert DECK.identify(peeled.b) == 6
    assert crypto.peel(card, [add_all(layers)]) == crypto.peel(card, layers)
    assert crypto.peel(card, []) == card


def test_a_stripped_layer_leaves_a_card_under_the_other_keys() -> None:
    """When Carol leaves she shares all face-down cards once: those who stay go on without her."""
    cards = shuffled([1, 2, 3])
    given = shares_of(CAROL, cards)
    left = tuple(crypto.peel(card, [share]) for card, share in zip(cards, given, strict=True))
    staying = crypto.joint_key([ALICE.public, BOB.public])
    message = crypto.shuffle(left, staying, CONTEXT, entropy("after"))
    again = crypto.column(crypto.verify_shuffle(left, message, staying, CONTEXT))
    faces = [crypto.open_card(card, [s.scalar * card.a for s in (ALICE, BOB)], DECK) for card in again]
    assert sorted(faces) == [1, 2, 3]


def test_face_up_and_face_down_cards_shuffle_together() -> None:
    """Gather: cards everyone saw enter as trivial encryptions, the others as they lie."""
    gathered = (*shuffled([1, 2]), *DECK.fresh([7, 8], JOINT))
    message = crypto.shuffle(gathered, JOINT, CONTEXT, entropy("gather"))
    mixed = crypto.column(crypto.verify_shuffle(gathered, message, JOINT, CONTEXT))
    faces = [crypto.open_card(card, [s.scalar * card.a for s in SEATS], DECK) for card in mixed]
    assert sorted(faces) == [1, 2, 7, 8]
