"""HELLO: only who owns both keys is greeted as a peer."""

from __future__ import annotations

import base64

import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st
from zmq.utils import z85 as libzmq_z85

from engine.game import Note
from p2p.net.greeting import APP, Greeting, make_greeting, read_greeting, unz85, z85
from p2p.net.keys import Keys, PeerKey, invite_print, uuid_of, vouched
from p2p.net.zre import Hello, decode, encode

ALICE, MALLORY = Keys(b"a" * 32), Keys(b"m" * 32)


def hello(keys: Keys = ALICE, **changed: str) -> Hello:
    """A proper HELLO with some of its headers put another way ("" leaves one out)."""
    made = make_greeting(
        keys, endpoint="tcp://10.0.0.1:49670", name="Alice", groups={"t"}, status=1, headers={"X-ROLE": "looks"}
    )
    headers = {**dict(made.headers), **{name.replace("_", "-"): value for name, value in changed.items()}}
    return Hello(1, made.endpoint, made.groups, 1, made.name, tuple((n, v) for n, v in headers.items() if v))


def refusal(message: Hello, sender: PeerKey) -> str:
    answer = read_greeting(message, sender)
    assert isinstance(answer, Note)
    return answer.name


def test_a_true_greeting_is_read() -> None:
    """Over the wire and back: identity, name, port, groups and the extra headers."""
    message = decode(encode(hello()))
    assert isinstance(message, Hello)
    greeting = read_greeting(message, ALICE.key)
    assert greeting == Greeting(ALICE.key, ALICE.identity.public, "Alice", 49670, frozenset({"t"}), {"X-ROLE": "looks"})


def test_the_connections_key_must_be_the_greetings() -> None:
    """Mallory repeats Alice's HELLO, all of it true, over her own connection: refused."""
    assert refusal(hello(ALICE), MALLORY.key) == "greeting_other_key"


def test_an_identity_must_vouch_for_the_key() -> None:
    """Mallory claims Alice's identity under her own key: with her own signature, with Alice's, and with none."""
    stolen = z85(ALICE.identity.public)
    assert refusal(hello(MALLORY, X_ID=stolen), MALLORY.key) == "greeting_not_vouched"
    assert refusal(hello(MALLORY, X_ID=stolen, X_SIG=z85(ALICE.vouch)), MALLORY.key) == "greeting_not_vouched"
    assert refusal(hello(MALLORY, X_ID=stolen, X_SIG=""), MALLORY.key) == "greeting_not_vouched"


@given(st.integers(0, 63), st.integers(1, 255))
def test_no_changed_signature_vouches(spot: int, difference: int) -> None:
    """Every byte of the signature counts."""
    signature = bytearray(ALICE.vouch)
    signature[spot] ^= difference
    assert refusal(hello(X_SIG=z85(bytes(signature))), ALICE.key) == "greeting_not_vouched"


@pytest.mark.parametrize("identity", [b"\1" + bytes(31), b"\xff" * 32, bytes(32), b"short"])
def test_a_key_under_which_anyone_could_sign_is_refused(identity: bytes) -> None:
    """Small-order, non-canonical and malformed identity keys end here."""
    assert refusal(hello(X_ID=z85(identity) if len(identity) % 4 == 0 else "x"), ALICE.key) == "greeting_bad_identity"


def test_other_versions_and_other_programs_are_told_apart() -> None:
    """A newer nodealer is named as such; a plain zyre node is foreign, no liar."""
    assert refusal(hello(X_APP="nodealer/2"), ALICE.key) == "greeting_other_version"
    assert refusal(hello(X_APP="czyre", X_ID="", X_SIG=""), ALICE.key) == "greeting_foreign"
    assert refusal(hello(X_APP="", X_ID="", X_SIG=""), ALICE.key) == "greeting_foreign"
    assert APP == "nodealer/1"


def test_names_are_cleaned_on_arrival() -> None:
    """A nickname cannot carry terminal commands."""
    made = hello()
    evil = Hello(1, made.endpoint, (), 1, "\x1b[2JBoo\u202e\u200b", made.headers)
    greeting = read_greeting(evil, ALICE.key)
    assert isinstance(greeting, Greeting)
    assert greeting.name == "[2JBoo"


@given(st.binary(min_size=4, max_size=64).filter(lambda raw: len(raw) % 4 == 0))
def test_z85_is_zeromqs_own(raw: bytes) -> None:
    """The same text as libzmq makes, and back."""
    assert z85(raw).encode() == libzmq_z85.encode(raw)
    assert unz85(z85(raw)) == raw


@given(st.text(max_size=50))
def test_any_text_is_z85_or_empty(text: str) -> None:
    """Foreign characters, also those of another base 85, are refused and never raise."""
    raw = unz85(text)
    assert raw == b"" or z85(raw) == text


def test_another_base_85_is_not_z85() -> None:
    """Characters that only the RFC 1924 alphabet has are refused, not taken for others."""
    assert base64.b85decode("0;_`~")
    assert unz85("0;_`~") == b""


@given(st.binary(min_size=32, max_size=32))
def test_own_keys_fit_together(secret: bytes) -> None:
    """From one secret, always the same keys, never one that starts with zero, and libzmq agrees on the public one."""
    keys = Keys(secret)
    assert keys.key == Keys(secret).key
    assert keys.key[0] != 0
    assert zmq.curve_public(z85(keys.curve_secret).encode()) == z85(keys.key).encode()
    assert vouched(keys.key, keys.identity.public, keys.vouch)
    assert keys.uuid == uuid_of(keys.key)
    assert len(invite_print(keys.key)) == 10


def test_keys_that_would_start_with_zero_are_made_anew() -> None:
    """One secret in 256 meets the case; none of a thousand slips through."""
    assert all(Keys(index.to_bytes(32, "little")).key[0] for index in range(1000))
