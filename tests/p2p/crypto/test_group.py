"""The group is ristretto255 as RFC 9496 defines it, and nothing malformed gets in."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import rbcl
import second_implementation as second
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto.errors import DecodeError
from p2p.crypto.group import (
    IDENTITY,
    ONE,
    ZERO,
    G,
    Point,
    Q,
    Scalar,
    add_all,
    base_mul,
    counted,
    generators,
    hash_to_group,
    mul,
    multi_mul,
)

RFC = json.loads((Path(__file__).parents[2] / "vectors" / "rfc9496.json").read_text())

scalars = st.one_of(st.integers(0, Q - 1), st.sampled_from([0, 1, 2, Q - 1, Q - 2])).map(Scalar)
pool = (*generators(b"test", 5), G, IDENTITY)
points = st.sampled_from(pool)


def element_from(uniform: bytes) -> bytes:
    """libsodium's own map from uniform bytes to an element."""
    return bytes(rbcl.crypto_core_ristretto255_from_hash(uniform))


@pytest.mark.parametrize("multiple", range(16))
def test_rfc_9496_multiples_of_the_generator(multiple: int) -> None:
    """k·G encodes as the RFC says, by every way of computing it."""
    expected = bytes.fromhex(RFC["multiples"]["encodings"][multiple])
    assert base_mul(Scalar(multiple)).encode() == expected
    assert (Scalar(multiple) * G).encode() == expected
    assert add_all([G] * multiple).encode() == expected
    assert multi_mul([ONE] * multiple, [G] * multiple).encode() == expected


@pytest.mark.parametrize(
    ("reason", "encoding"), [(reason, text) for reason, texts in RFC["invalid"]["encodings"].items() for text in texts]
)
def test_rfc_9496_invalid_encodings_are_refused(reason: str, encoding: str) -> None:
    """Each of the RFC's 29 malformed encodings is a DecodeError."""
    with pytest.raises(DecodeError):
        Point.decode(bytes.fromhex(encoding))


def test_all_29_invalid_encodings_are_here() -> None:
    """No vector of the appendix was lost on the way."""
    assert sum(map(len, RFC["invalid"]["encodings"].values())) == 29


@pytest.mark.parametrize("case", RFC["derived"]["cases"], ids=str)
def test_rfc_9496_derivation_of_elements(case: dict[str, str]) -> None:
    """64 uniform bytes become the element the RFC says."""
    assert element_from(bytes.fromhex(case["uniform"])).hex() == case["element"]


def one_bit_changed(number: int, bit: int) -> bytes:
    return (int.from_bytes(base_mul(Scalar(number)).encode(), "little") ^ 1 << bit).to_bytes(32, "little")


near = st.sampled_from([0, second.P, 2**255, 2**256, 2 * second.P]).flatmap(
    lambda edge: st.integers(edge - 40, edge + 40)
)
candidates = st.one_of(
    st.binary(min_size=32, max_size=32),
    near.filter(lambda n: 0 <= n < 2**256).map(lambda n: n.to_bytes(32, "little")),
    st.integers(1, 2**64).map(lambda n: base_mul(Scalar(n)).encode()),
    st.tuples(st.integers(1, 2**64), st.integers(0, 255)).map(
        lambda pair: (int.from_bytes(base_mul(Scalar(pair[0])).encode(), "little") ^ 1 << pair[1]).to_bytes(
            32, "little"
        )
    ),
)


@given(candidates)
@settings(derandomize=True, deadline=None, max_examples=400)
def test_decoding_agrees_with_the_rfc_on_any_bytes(data: bytes) -> None:
    """Against a second implementation: random bytes, both ends of the field, valid points with one bit changed."""

    def reads(decode: Callable[[bytes], object], error: type[Exception]) -> bool:
        try:
            decode(data)
        except error:
            return False
        return True

    assert reads(Point.decode, DecodeError) == reads(second.point, second.Malformed)


@given(st.integers(1, 2**64))
@settings(derandomize=True, deadline=None, max_examples=20)
def test_a_point_has_no_second_encoding(number: int) -> None:
    """The top bit, which some versions of libsodium ignore, is not free; neither is adding the field's order."""
    data = base_mul(Scalar(number)).encode()
    with pytest.raises(DecodeError):
        Point.decode(data[:31] + bytes([data[31] | 0x80]))
    twin = int.from_bytes(data, "little") + second.P
    if twin < 2**256:
        with pytest.raises(DecodeError):
            Point.decode(twin.to_bytes(32, "little"))


def test_the_identity_is_refused_from_outside() -> None:
    """32 zero bytes are a canonical encoding, and still no point that a message may hold."""
    with pytest.raises(DecodeError, match="identity"):
        Point.decode(bytes(32))


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_only_32_bytes_are_a_point_or_a_scalar(length: int) -> None:
    """Every other length is a DecodeError."""
    with pytest.raises(DecodeError):
        Point.decode(bytes(length))
    with pytest.raises(DecodeError):
        Scalar.decode(bytes(length))


@pytest.mark.parametrize("value", [Q, Q + 1, 2 * Q, 2**255, 2**256 - 1])
def test_scalars_from_the_order_upwards_are_refused(value: int) -> None:
    """A scalar has one encoding: below q."""
    with pytest.raises(DecodeError):
        Scalar.decode(value.to_bytes(32, "little"))


@given(scalars)
def test_a_scalar_survives_its_encoding(scalar: Scalar) -> None:
    """decode(encode(s)) is s."""
    assert Scalar.decode(scalar.encode()) == scalar


@given(scalars.filter(bool))
def test_a_point_survives_its_encoding(scalar: Scalar) -> None:
    """decode(encode(P)) is P."""
    point = base_mul(scalar)
    assert Point.decode(point.encode()) == point


@given(scalars, scalars, points)
def test_multiplication_distributes(a: Scalar, b: Scalar, point: Point) -> None:
    """(a+b)·P = a·P + b·P, (ab)·P = a·(b·P), (a-b)·P = a·P - b·P, also for the identity and for zero."""
    assert (a + b) * point == a * point + b * point
    assert (a * b) * point == a * (b * point)
    assert (a - b) * point == a * point - b * point
    assert (-a) * point == -(a * point)


@given(st.lists(st.tuples(scalars, points), max_size=6))
def test_multi_mul_is_the_sum_of_its_products(terms: list[tuple[Scalar, Point]]) -> None:
    """Whatever zeros, ones, identities and repeated points are among the terms."""
    total = multi_mul([scalar for scalar, _ in terms], [point for _, point in terms])
    assert total == add_all(scalar * point for scalar, point in terms)


def test_the_identity_is_handled_although_libsodium_refuses_it() -> None:
    """Sums that cancel, zero scalars and empty sums give the identity, and it computes on."""
    point = pool[0]
    assert (point - point).is_identity
    assert (ZERO * point).is_identity
    assert base_mul(ZERO).is_identity
    assert multi_mul([], []).is_identity
    assert multi_mul([ZERO, Scalar(2), Scalar(-2)], [G, point, point]).is_identity
    assert add_all([]).is_identity
    assert (Scalar(7) * IDENTITY).is_identity
    assert IDENTITY + point == point
    assert point - IDENTITY == point
    assert -IDENTITY == IDENTITY
    assert IDENTITY.encode() == bytes(32)


def test_multi_mul_wants_as_many_scalars_as_points() -> None:
    """A forgotten term is an error, not a shorter sum."""
    with pytest.raises(ValueError, match="zip"):
        multi_mul([ONE], [])


@given(scalars.filter(bool))
def test_the_inverse_undoes_multiplication(scalar: Scalar) -> None:
    """s · s⁻¹ = 1."""
    assert scalar * scalar.inverse() == ONE


def test_zero_has_no_inverse() -> None:
    """Asked for it, the code says so."""
    with pytest.raises(ZeroDivisionError):
        ZERO.inverse()


def test_a_secret_never_prints() -> None:
    """repr, str and formatting of a scalar show no digit of it."""
    secret = Scalar(123456789)
    for shown in (repr(secret), str(secret), f"{secret}", f"{[secret]}", f"{(secret,)!r}"):
        assert "123456789" not in shown
        assert "Scalar(…)" in shown


def test_scalars_and_points_are_immutable() -> None:
    """Neither can be changed after it was checked."""
    with pytest.raises(AttributeError):
        Scalar(1)._n = 2
    with pytest.raises(AttributeError):
        G._bytes = bytes(32)
    assert copy.copy(G) is copy.deepcopy(G) is G


def test_a_scalar_multiplies_scalars_and_points_only() -> None:
    """A plain number is no scalar: it would not say modulo what."""
    with pytest.raises(TypeError):
        Scalar(2) * 3


def test_no_point_without_validation() -> None:
    """The constructor is closed: decode, arithmetic and hash_to_group are the only ways to a point."""
    with pytest.raises(TypeError):
        Point()


def test_points_and_scalars_are_values() -> None:
    """Equal encodings are equal and hash equally; scalars and points never equal one another."""
    assert Scalar(Q + 5) == Scalar(5)
    assert hash(Scalar(Q + 5)) == hash(Scalar(5))
    assert len({base_mul(Scalar(3)), G + G + G}) == 1
    assert Scalar(1) != G
    assert G.encode() != G


def test_wide_reduction_takes_64_bytes() -> None:
    """The value is the little-endian number modulo q; any other length is a mistake of the caller."""
    assert int(Scalar.from_wide(bytes([0] * 32 + [1] + [0] * 31))) == 2**256 % Q
    with pytest.raises(ValueError, match="64 bytes"):
        Scalar.from_wide(bytes(32))


@given(st.binary(max_size=40))
@settings(max_examples=50)
def test_generators_come_from_public_labels_alone(label: bytes) -> None:
    """Nothing up any sleeve: SHA-512 of the framed label through the RFC's map is the whole derivation."""
    domain = b"nodealer/crypto/1/generator"
    framed = len(domain).to_bytes(8, "little") + domain + len(label).to_bytes(8, "little") + label
    assert hash_to_group(label).encode() == element_from(hashlib.sha512(framed).digest())


def test_a_longer_family_begins_with_the_shorter_one() -> None:
    """Proofs for different sizes share their first generators; all of a family are different."""
    assert generators(b"family", 30)[:10] == generators(b"family", 10)
    assert len(set(generators(b"family", 30))) == 30
    assert not set(generators(b"family", 5)) & set(generators(b"other", 5))


def test_operations_are_counted() -> None:
    """A benchmark sees how many multiplications, additions and decodings a function made, and only while it asks."""
    point = pool[0]
    with counted() as operations:
        multi_mul([Scalar(2), Scalar(3), ONE, ZERO], [point, G, point, point])
        _ = point - point
        Point.decode(point.encode())
        hash_to_group(b"x")
        mul(Scalar(2), point)
    assert (operations.mul, operations.base_mul, operations.add) == (3, 1, 3)
    assert (operations.decode, operations.hash, operations.total) == (1, 1, 9)
    mul(Scalar(2), point)
    assert operations.mul == 3


def test_threads_do_not_disturb_each_other() -> None:
    """Each call has buffers of its own, so results are the same from many threads at once."""
    terms = [([Scalar(n), Scalar(n * n), Scalar(-n)], [pool[n % 5], G, pool[(n + 1) % 5]]) for n in range(2, 200)]
    alone = [multi_mul(*term) for term in terms]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda term: multi_mul(*term), terms)) == alone
