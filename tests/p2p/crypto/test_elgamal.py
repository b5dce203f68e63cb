"""Ciphertexts: what goes in comes out, layers come off in any order, and only well-formed bytes are read."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto.card_points import MAX_VALUE, CardFace, attribute_base, card_point
from p2p.crypto.elgamal import (
    Ciphertext,
    decode_all,
    decrypt,
    encode_all,
    encrypt,
    points_of,
    reencrypt,
    trivial,
)
from p2p.crypto.errors import DecodeError
from p2p.crypto.group import G, Q, Scalar, add_all, base_mul, hash_to_group, multi_mul

secrets = st.integers(1, Q - 1).map(Scalar)
CARD = hash_to_group(b"some card")


@given(secrets, secrets, secrets)
@settings(derandomize=True, deadline=None, max_examples=30)
def test_whoever_holds_the_key_reads_the_card(x: Scalar, r: Scalar, s: Scalar) -> None:
    """Encrypted, trivially encrypted and re-encrypted cards decrypt to the card."""
    key = base_mul(x)
    for ciphertext in (encrypt(CARD, key, r), trivial(CARD, key), reencrypt(encrypt(CARD, key, r), key, s)):
        assert decrypt(ciphertext, x) == CARD
    assert encrypt(CARD, key, Scalar(1)) == trivial(CARD, key)
    assert reencrypt(encrypt(CARD, key, r), key, s) == encrypt(CARD, key, r + s)


@given(st.lists(secrets, min_size=2, max_size=5), secrets, st.randoms(use_true_random=False))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_layers_come_off_in_any_order(keys: list[Scalar], r: Scalar, rng: random.Random) -> None:
    """Under a joint key each holder's share takes its layer off; the last holder reads the card."""
    ciphertext = encrypt(CARD, add_all(base_mul(x) for x in keys), r)
    rng.shuffle(keys)
    for x in keys[:-1]:
        ciphertext = ciphertext.without(x * ciphertext.a)
    assert decrypt(ciphertext, keys[-1]) == CARD


@given(secrets, secrets, secrets)
@settings(derandomize=True, deadline=None, max_examples=20)
def test_ciphertexts_add_up(x: Scalar, r: Scalar, s: Scalar) -> None:
    """The sum of two ciphertexts holds the sum of their plaintexts."""
    key, other = base_mul(x), hash_to_group(b"other")
    assert decrypt(encrypt(CARD, key, r) + encrypt(other, key, s), x) == CARD + other


@given(st.lists(st.tuples(secrets, secrets), max_size=4))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_ciphertexts_survive_their_encoding(pairs: list[tuple[Scalar, Scalar]]) -> None:
    """decode(encode(c)) is c, one by one and in a row."""
    ciphertexts = tuple(Ciphertext(base_mul(a), base_mul(b)) for a, b in pairs)
    assert decode_all(encode_all(ciphertexts), len(ciphertexts)) == ciphertexts
    assert all(Ciphertext.decode(ciphertext.encode()) == ciphertext for ciphertext in ciphertexts)
    assert points_of(ciphertexts) == [point for c in ciphertexts for point in (c.a, c.b)]


@pytest.mark.parametrize("length", [0, 32, 63, 65, 128])
def test_a_ciphertext_is_64_bytes(length: int) -> None:
    """Any other length is a DecodeError, also for a row of a known number."""
    with pytest.raises(DecodeError):
        Ciphertext.decode((G.encode() * 5)[:length])
    with pytest.raises(DecodeError):
        decode_all((G.encode() * 5)[:length], 1)


@pytest.mark.parametrize("data", [bytes(32) + G.encode(), G.encode() + bytes(32), G.encode() + b"\xff" * 32])
def test_both_halves_are_validated(data: bytes) -> None:
    """The identity or a malformed point in either half is a DecodeError."""
    with pytest.raises(DecodeError):
        Ciphertext.decode(data)


def test_a_card_point_is_its_attributes_and_id_on_their_bases() -> None:
    """Recomputed from the specification."""
    bases = [hash_to_group(b"card/id"), attribute_base(0), attribute_base(1)]
    assert card_point(CardFace(7, (3, 0))) == multi_mul([Scalar(7), Scalar(3), Scalar(0)], bases)
    assert attribute_base(2) == hash_to_group(b"card/attribute/2")


def test_different_cards_have_different_points() -> None:
    """Over a large block of ids and attributes no point appears twice, and none is the identity."""
    faces = [CardFace(i, (a, b)) for i in range(1, 40) for a in range(5) for b in range(5)]
    points = {card_point(face) for face in faces}
    assert len(points) == len(faces)
    assert not any(point.is_identity for point in points)


@pytest.mark.parametrize(
    ("number", "attributes"),
    [(0, ()), (-1, ()), (MAX_VALUE + 1, ()), (1, (-1,)), (1, (MAX_VALUE + 1,)), (1, (0,) * 17)],
)
def test_cards_outside_the_limits_are_refused(number: int, attributes: tuple[int, ...]) -> None:
    """Ids start at 1; everything fits four bytes; at most 16 attributes."""
    with pytest.raises(ValueError, match="card"):
        CardFace(number, attributes)
