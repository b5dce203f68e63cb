"""Keys and the words people compare."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity import SIZE, BadIdentity, Identity, PublicIdentity, roster_code
from p2p.words import WORDS

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
SECRETS = st.binary(min_size=SIZE, max_size=SIZE)


@given(SECRETS, st.binary(max_size=200), st.integers(0, 10**6))
def test_only_the_exact_bytes_verify(secret: bytes, message: bytes, spot: int) -> None:
    """A signature fits its message and key, and no message or signature with one bit changed."""
    owner = Identity(secret)
    signature = owner.sign(message)
    assert owner.public.verify(signature, message)
    assert not owner.public.verify(signature, message + b"\0")
    assert not owner.public.verify(flip(signature, spot), message)
    if message:
        assert not owner.public.verify(signature, flip(message, spot))


def flip(data: bytes, spot: int) -> bytes:
    changed = bytearray(data)
    changed[spot // 8 % len(data)] ^= 1 << spot % 8
    return bytes(changed)


def test_rfc_8032_vector() -> None:
    """The second test vector of RFC 8032: other implementations would agree."""
    owner = Identity(bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    assert owner.public.hex() == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    assert owner.sign(b"\x72").hex().startswith("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da")


def small_orders() -> list[int]:
    """y of every point whose order divides 8, from the curve's equation alone: doubled three times it is (0, 1).

    y = ±1 and y = 0 have orders 1, 2 and 4. Order 8 doubles to y = 0, so x² = -y², and -x² + y² = 1 + d·x²·y² becomes
    d·y⁴ + 2·y² = 1.
    """
    eighth = [root for half in roots(1 + D) for root in roots((half - 1) * pow(D, -1, P))]
    assert len(eighth) == 2
    return [0, 1, P - 1, *eighth]


def roots(square: int) -> list[int]:
    root = pow(square, (P + 3) // 8, P)
    candidates = [root, root * pow(2, (P - 1) // 4, P) % P]
    return [sign * x % P for x in candidates for sign in (1, -1) if (x * x - square) % P == 0]


@pytest.mark.parametrize("y", small_orders())
@pytest.mark.parametrize("sign", [0, 1])
def test_keys_of_small_order_are_refused(y: int, sign: int) -> None:
    """Under such a key a constant signature passes for many messages: nobody may sit down with one."""
    with pytest.raises(BadIdentity, match="small order"):
        PublicIdentity((y | sign << 255).to_bytes(32, "little"))


@pytest.mark.parametrize("y", [P, P + 1, P + 3, 2**255 - 1])
def test_a_key_has_one_spelling(y: int) -> None:
    """The same point written with a larger number is refused, so two identities never mean one key."""
    with pytest.raises(BadIdentity, match="canonical"):
        PublicIdentity(y.to_bytes(32, "little"))


@given(st.binary(max_size=70))
def test_any_bytes_are_an_identity_or_refused(raw: bytes) -> None:
    """Nothing but BadIdentity comes out, and what is accepted can be asked to verify."""
    try:
        identity = PublicIdentity(raw)
    except BadIdentity:
        return
    assert bytes(identity) == raw
    assert not identity.verify(bytes(64), b"")
    assert not identity.verify(b"short", b"")


def test_a_key_off_the_curve_is_refused() -> None:
    """y = 2 belongs to no point."""
    with pytest.raises(BadIdentity, match="point of the curve"):
        PublicIdentity((2).to_bytes(32, "little"))


def test_words_are_easy_to_tell_apart() -> None:
    """1024 words, ten bits each: no two start with the same four letters or differ by a single letter."""
    assert len(set(WORDS)) == 1024
    assert all(word.isascii() and word.isalpha() and word.islower() and 3 <= len(word) <= 7 for word in WORDS)
    assert len({word[:4] for word in WORDS}) == 1024
    masked = [word[:i] + "." + word[i + 1 :] for word in WORDS for i in range(len(word))]
    assert len(set(masked)) == len(masked)
    assert not {word[:i] + word[i + 1 :] for word in WORDS for i in range(len(word))} & set(WORDS)


def test_fingerprints_are_stable_and_secret_free() -> None:
    """The words are part of the protocol (people wrote them down); a secret never prints itself."""
    owner = Identity(bytes(range(32)))
    assert owner.public.words == FIXED_WORDS
    assert bytes(range(32)).hex() not in repr(owner) + str(owner)
    assert Identity(bytes(32)).public.words != owner.public.words


FIXED_WORDS = "arrow-haven-travel-pudding-minute-gem"


@given(st.lists(SECRETS, min_size=2, max_size=5, unique=True), st.binary(max_size=40))
def test_roster_code_depends_on_who_and_which_table_only(secrets: list[bytes], table: bytes) -> None:
    """Same people and table: same code in any order. One person or the table changed: another code."""
    people = [Identity(secret).public for secret in secrets]
    code = roster_code(people, table)
    assert code == roster_code([*reversed(people), people[0]], table)
    assert code != roster_code(people[1:], table)
    assert code != roster_code(people, table + b"\0")
