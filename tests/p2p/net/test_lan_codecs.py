"""The small codecs of the network: addresses, envelopes, cards, table notices. All of it comes from strangers."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity import SIGNATURE
from p2p.net.address import Endpoint, endpoint, parse_url
from p2p.net.cards import MAX_CARD, MAX_CARDS, make_card, pack_cards, read_card, read_cards
from p2p.net.envelope import MAX_KIND, Envelope, open_envelope
from p2p.net.keys import Keys
from p2p.net.tables import MAX_TABLES, pack_tables, read_tables

ALICE, MALLORY = Keys(b"a" * 32), Keys(b"m" * 32)
CARD = make_card(ALICE, 7, [Endpoint("10.0.0.1", 49670), Endpoint("fd00::1", 49670)])
NOTICE = {"id": "c0ffee", "game": "2win", "seats": 4, "taken": 2, "state": "open", "host": "Ada", "soft": True}

# --- addresses ---


@pytest.mark.parametrize(
    ("host", "shortest"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("FD00:0:0::1", "fd00::1"),
        ("fe80::1%2", "fe80::1%2"),
        ("fe80::1%eth0", "fe80::1%eth0"),
    ],
)
def test_an_address_has_one_form(host: str, shortest: str) -> None:
    """So that two ways to write it are one way to go."""
    place = endpoint(host, 1)
    assert place == Endpoint(shortest, 1)
    assert parse_url(place.url) == place


@pytest.mark.parametrize(
    "host",
    [
        *("", "host", "10.0.0", "224.0.0.1", "0.0.0.0", "::", "ff02::1", "255.255.255.255"),
        *("10.0.0.1%2", "fd00::1%2", "fe80::1%a]b", "fe80::1%a%b", "١٠.0.0.1"),
    ],
)
def test_what_nobody_can_be_reached_at_is_none(host: str) -> None:
    """Names, broadcast, multicast, unspecified and malformed addresses."""
    assert endpoint(host, 1) is None


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_ports_are_ports(port: int) -> None:
    """No other numbers."""
    assert endpoint("10.0.0.1", port) is None


@given(st.text(max_size=60), st.sampled_from(["", "tcp://", "tcp://[", "tcp://10.0.0.1:"]))
def test_any_url_is_read_or_refused(text: str, start: str) -> None:
    """Whatever a HELLO claims as its endpoint."""
    place = parse_url(start + text)
    assert place is None or parse_url(place.url) == place


# --- envelopes ---


@given(st.from_regex(r"[a-z][a-z0-9.-]{0,20}", fullmatch=True), st.binary(max_size=50))
def test_envelopes_survive_the_wire(kind: str, payload: bytes) -> None:
    """Kind and payload come out as they went in."""
    assert open_envelope(Envelope(kind, payload).encode()) == Envelope(kind, payload)


@given(st.binary(max_size=60))
def test_any_content_is_an_envelope_or_none(content: bytes) -> None:
    """And what is one has exactly these bytes."""
    envelope = open_envelope(content)
    assert envelope is None or envelope.encode() == content


@pytest.mark.parametrize("kind", ["", "a" * (MAX_KIND + 1), "with space", "ümlaut", "nul\0"])
def test_a_bad_kind_is_not_sent(kind: str) -> None:
    """The receiver would drop it, so the sender hears of it."""
    with pytest.raises(ValueError, match=r"no kind|ascii"):
        Envelope(kind, b"").encode()


# --- cards ---


def test_cards_are_read_as_written() -> None:
    """Key, identity, serial and addresses."""
    assert read_card(CARD.signed) == CARD
    assert read_cards(pack_cards([CARD])) == [CARD]


@given(st.integers(0, len(CARD.signed) - 1), st.integers(1, 255))
def test_a_changed_card_is_none(spot: int, difference: int) -> None:
    """A member cannot make up an address for another: not a single byte can be changed."""
    changed = bytearray(CARD.signed)
    changed[spot] ^= difference
    assert read_card(bytes(changed)) is None


def test_truncated_extended_and_foreign_cards_are_none() -> None:
    """Nor cut, nor continued, nor signed by somebody else."""
    assert all(read_card(CARD.signed[:size]) is None for size in range(len(CARD.signed)))
    assert read_card(CARD.signed + b"\0") is None
    body = CARD.signed[SIGNATURE:]
    assert read_card(MALLORY.identity.sign(b"nodealer/card/1" + body) + body) is None
    assert read_card(ALICE.identity.sign(body) + body) is None  # signed for some other purpose


NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.floats()
BODIES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=5) | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(BODIES, st.binary(min_size=32, max_size=32))
def test_any_signed_body_is_a_card_or_none(body: object, key: bytes) -> None:
    """Also what its author signed with care and malice."""
    for content in (body, [key, bytes(ALICE.identity.public), body, body], [key, key, 1, [[body, body]]]):
        packed = msgpack.packb(content)
        read_card(ALICE.identity.sign(b"nodealer/card/1" + packed) + packed)


def test_card_limits() -> None:
    """Size of one, number of them, depth of nesting."""
    assert read_cards(msgpack.packb([CARD.signed] * (MAX_CARDS + 1))) == []
    assert read_card(CARD.signed + bytes(MAX_CARD)) is None
    assert read_cards(b"\x91" * 100_000) == []
    assert read_cards(b"\xdd\xff\xff\xff\xff") == []
    many = [Endpoint("10.0.0.1", port) for port in range(1, 100)]
    assert len(make_card(ALICE, 1, many).endpoints) == 8


# --- tables ---


def test_notices_are_read_as_written() -> None:
    """Small flat records."""
    assert read_tables(pack_tables([NOTICE])) == (NOTICE,)
    assert read_tables(pack_tables([])) == ()


@pytest.mark.parametrize(
    "notice",
    [
        {},
        {"id": 5},
        {"id": "x", "list": [1]},
        {"id": "x", "big": 2**40},
        {"id": "x" * 65},
        {"id": "x", "no name": 1},
        {"id": "x", "f": 0.5},
        {"id": "x", "n": None},
        {"id": "a\x1b[2J"},
        {"id": "x", **{f"k{i}": 1 for i in range(20)}},
    ],
)
def test_what_receivers_would_not_show_is_not_sent(notice: Any) -> None:
    """Nested, huge, nameless or dirty fields are the sender's mistake and told to it."""
    with pytest.raises(ValueError, match="short, clean"):
        pack_tables([notice])


@given(st.binary(max_size=200) | BODIES.map(msgpack.packb) | st.lists(BODIES, max_size=3).map(msgpack.packb))
def test_any_payload_is_a_list_of_tables_or_none(payload: bytes) -> None:
    """Never an exception, never a field that a list could not show."""
    tables = read_tables(payload)
    for table in tables or ():
        assert isinstance(table["id"], str)
        assert all(isinstance(value, str | int) for value in table.values())
    assert tables is None or len(tables) <= MAX_TABLES


def test_text_of_strangers_is_cleaned() -> None:
    """Escape sequences in a host's name do not reach the screen."""
    (table,) = read_tables(msgpack.packb([{"id": "x", "host": "\x1b[31mred\u202e"}])) or ()
    assert table["host"] == "[31mred"
