"""The codec: what decodes encodes back to the same bytes, and everything else is refused without a word of blame."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Seat
from p2p import wire
from p2p.errors import WireError
from p2p.wire import (
    BODIES,
    GRAMMAR,
    HEADER_SIZE,
    MAX_ENTRY,
    SIGNATURE,
    Alive,
    Body,
    Confirm,
    Entry,
    Header,
    Size,
    Want,
    clean_name,
    decode_body,
    decode_entry,
    decode_packet,
    encode_body,
    encode_entry_packet,
)

MUCH = 200  # a blob's length here; how much more it may be is a test of its own


def values(type_: Any, size: Size) -> st.SearchStrategy[Any]:
    """Everything a field may hold, read off the same grammar that the codec uses."""
    if size.each is not None:
        items = values(type_.__args__[0], size.each)
        return st.lists(items, min_size=size.least, max_size=min(size.most, 5)).map(tuple)
    if type_ is bytes:
        return st.binary(min_size=size.least, max_size=min(size.most, max(size.least, MUCH)))
    if type_ is str:
        return st.text(max_size=size.most).map(clean_name)
    if type_ is bool:
        return st.booleans()
    assert type_ is int
    return st.integers(size.least, size.most)


def bodies(kind: int) -> st.SearchStrategy[Body]:
    return st.builds(BODIES[kind], *(values(type_, size) for _, type_, size in GRAMMAR[kind]))


any_body = st.sampled_from(sorted(BODIES)).flatmap(bodies)
digests = st.binary(min_size=32, max_size=32)
headers = st.builds(
    Header,
    digests,
    st.integers(0, 2**16 - 1),
    st.integers(0, 2**32 - 1),
    st.integers(0, 255).map(Seat),
    digests,
    st.integers(0, 255),
)


@pytest.mark.parametrize("kind", sorted(BODIES), ids=lambda kind: BODIES[kind].__name__)
def test_every_body_comes_back_as_it_went(kind: int) -> None:
    """For each kind: any value within its limits encodes, and decodes to an equal value."""

    @settings(max_examples=40, deadline=None)
    @given(bodies(kind))
    def check(body: Body) -> None:
        assert decode_body(kind, encode_body(body)) == body

    check()


def test_every_kind_has_a_number_of_its_own() -> None:
    """No two kinds of message share a number, none is missing from the table, and all fit the header's byte."""
    kinds = [body for body in vars(wire).values() if isinstance(body, type) and issubclass(body, Body) and body != Body]
    assert len(kinds) == len(BODIES) == len({body.kind for body in kinds})
    assert all(BODIES[body.kind] is body and 0 < body.kind < 256 for body in kinds)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(BODIES)), st.binary(max_size=80))
def test_arbitrary_bytes_are_a_body_only_in_canonical_form(kind: int, data: bytes) -> None:
    """Whatever the bytes, they are refused, or they are exactly what the encoder makes of what they say."""
    try:
        body = decode_body(kind, data)
    except WireError:
        return
    assert encode_body(body) == data


@settings(max_examples=300, deadline=None)
@given(any_body, st.data())
def test_a_changed_body_is_refused_or_says_something_else(body: Body, data: st.DataObject) -> None:
    """One byte changed, dropped or added: never the same value from other bytes."""
    encoded = encode_body(body)
    at = data.draw(st.integers(0, len(encoded) - 1))
    change = data.draw(st.sampled_from(["change", "drop", "add", "cut"]))
    byte = data.draw(st.binary(min_size=1, max_size=1))
    changed = {
        "change": encoded[:at] + byte + encoded[at + 1 :],
        "drop": encoded[:at] + encoded[at + 1 :],
        "add": encoded[:at] + byte + encoded[at:],
        "cut": encoded[:at],
    }[change]
    if changed == encoded:
        return
    with suppress(WireError):
        assert decode_body(body.kind, changed) != body


LONG_FORMS = [
    ("a longer array header", b"\xdc\x00\x01" + msgpack.packb(bytes(32))),
    ("a longer bytes header", b"\x91\xc5\x00\x20" + bytes(32)),
    ("a string for bytes", b"\x91\xd9\x20" + b"x" * 32),
    ("bytes after the end", msgpack.packb([bytes(32)]) + b"\x00"),
    ("a field too many", msgpack.packb([bytes(32), 0])),
    ("a field too few", msgpack.packb([])),
    ("no array", msgpack.packb(bytes(32))),
    ("a map", msgpack.packb({"nonce": bytes(32)})),
    ("an extension", msgpack.packb([msgpack.ExtType(1, bytes(32))])),
    ("nothing", b""),
    ("nested deeply", b"\x91" * 5000),
    ("an array that promises much", b"\xdd\xff\xff\xff\xff"),
    ("bytes that promise much", b"\x91\xc6\xff\xff\xff\xff"),
    ("a timestamp", b"\x91\xd6\xff\x00\x00\x00\x00"),
]


@pytest.mark.parametrize(("what", "data"), LONG_FORMS, ids=[name for name, _ in LONG_FORMS])
def test_other_ways_to_write_a_body_are_refused(what: str, data: bytes) -> None:
    """The same value in another form, and forms made to hurt, are no message."""
    with pytest.raises(WireError):
        decode_body(wire.Nonce.kind, data)


WRONG = [
    (wire.Answer(False, b""), 0, 0, "a number for a flag"),
    (wire.Cut(1, bytes(32), bytes(32)), 0, True, "a flag for a number"),
    (wire.Cut(1, bytes(32), bytes(32)), 0, 1.0, "a float"),
    (wire.Cut(1, bytes(32), bytes(32)), 0, None, "nothing"),
    (wire.Cut(1, bytes(32), bytes(32)), 0, -1, "a negative number"),
    (wire.Cut(1, bytes(32), bytes(32)), 0, 256, "a round too high"),
    (wire.Cut(1, bytes(32), bytes(32)), 1, bytes(31), "a digest too short"),
    (wire.Cut(1, bytes(32), bytes(32)), 1, bytes(33), "a digest too long"),
    (wire.Give(1, bytes(32), b""), 0, 2**31 + 1, "a number too large"),
    (wire.Give(1, bytes(32), b""), 2, bytes(1025), "a pass too long"),
    (wire.Have(0, 1, 0, (), ()), 1, 2**16, "more seats than there are"),
    (wire.Have(0, 1, 0, (), ()), 3, [1], "numbers for digests"),
    (wire.Have(0, 1, 0, (), ()), 3, [bytes(31)], "a short digest in a list"),
    (wire.Have(0, 1, 0, (), ()), 3, [bytes(32)] * 17, "too many digests"),
    (wire.Have(0, 1, 0, (), ()), 4, [5], "numbers for evidence"),
    (wire.Have(0, 1, 0, (), ()), 4, bytes(3), "bytes for a list"),
    (wire.Play(b"", "go", (), (), b""), 2, [b"a"], "bytes for places"),
    (wire.Play(b"", "go", (), (), b""), 2, [1] * 65, "too many places"),
    (wire.Play(b"", "go", (), (), b""), 2, [[1]], "a list in a list"),
    (wire.Play(b"", "go", (), (), b""), 1, "x" * 25, "a name too long"),
    (wire.Play(b"", "go", (), (), b""), 1, b"go", "bytes for a name"),
    (wire.Play(b"", "go", (), (), b""), 1, "\u202ego", "a name that writes backwards"),
    (wire.Play(b"", "go", (), (), b""), 1, "g\x1b[2Jo", "a name that clears the screen"),
    (wire.Play(b"", "go", (), (), b""), 1, " go", "a name that begins with a blank"),
    (wire.Play(b"", "go", (), (), b""), 4, bytes(8193), "an opening too long"),
    (wire.Seal(b"", "a", bytes(32)), 0, bytes(4097), "a proposal too long"),
]


@pytest.mark.parametrize(("body", "field", "value", "what"), WRONG, ids=[what for *_, what in WRONG])
def test_fields_of_another_type_or_size_are_refused(body: Body, field: int, value: Any, what: str) -> None:
    """Right in form, wrong in content: not taken."""
    fields = [getattr(body, name) for name, _, _ in GRAMMAR[body.kind]]
    assert decode_body(body.kind, msgpack.packb(fields)) == body
    fields[field] = value
    with pytest.raises(WireError):
        decode_body(body.kind, msgpack.packb(fields))


@pytest.mark.parametrize("kind", [0, 18, 255])
def test_unknown_kinds_are_refused(kind: int) -> None:
    """A kind nobody knows is no message, whatever it holds."""
    with pytest.raises(WireError):
        decode_body(kind, msgpack.packb([]))


@settings(max_examples=100, deadline=None)
@given(headers, any_body, st.binary(min_size=SIGNATURE, max_size=SIGNATURE))
def test_entries_come_back_as_they_went(header: Header, body: Body, signature: bytes) -> None:
    """Header, body and signature of any entry survive the wire, byte for byte."""
    signed = header.encode() + encode_body(body)
    entry = Entry(header, signed, signature)
    assert decode_entry(entry.encode()) == entry
    assert decode_packet(encode_entry_packet(entry)) == entry
    assert entry.body_bytes == encode_body(body)
    assert len(header.encode()) == HEADER_SIZE


def test_entries_have_a_least_and_a_most_length() -> None:
    """Shorter than header and signature with a byte between, or longer than the limit: no entry."""
    header = Header(bytes(32), 0, 0, Seat(0), bytes(32), Confirm.kind)
    least = header.encode() + b"\x90" + bytes(SIGNATURE)
    assert decode_entry(least).header == header
    assert decode_entry(least + bytes(MAX_ENTRY - len(least))).header == header
    for data in (least[1:], least[:-1], b"", least + bytes(MAX_ENTRY - len(least) + 1)):
        with pytest.raises(WireError):
            decode_entry(data)


def test_another_protocol_version_is_refused() -> None:
    """The first byte is the version: what another one says is not guessed at."""
    header = Header(bytes(32), 0, 0, Seat(0), bytes(32), Confirm.kind)
    data = header.encode() + b"\x90" + bytes(SIGNATURE)
    for version in (0, 2, 255):
        with pytest.raises(WireError):
            decode_entry(bytes([version]) + data[1:])


@given(digests, st.integers(0, 2**16 - 1), st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_requests_and_signs_of_life_come_back_as_they_went(table: bytes, epoch: int, step: int, mask: int) -> None:
    """The two unsigned packets: one length, one meaning."""
    for packet in (Want(table, epoch, step, mask), Alive(table, mask)):
        data = packet.encode()
        assert decode_packet(data) == packet
        for other in (data[:-1], data + b"\x00"):
            with pytest.raises(WireError):
                decode_packet(other)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"E", b"W", b"A", b"X"]))
def test_arbitrary_packets_are_refused_or_come_back(data: bytes, kind: bytes) -> None:
    """No bytes make the decoder raise anything but WireError."""
    try:
        packet = decode_packet(kind + data)
    except WireError:
        return
    assert (encode_entry_packet(packet) if isinstance(packet, Entry) else packet.encode()) == kind + data


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_a_clean_name_stays_as_it_is(text: str) -> None:
    """Cleaning twice is cleaning once, so every peer agrees on which names may travel; none can move a cursor."""
    name = clean_name(text)
    assert clean_name(name) == name
    assert len(name) <= wire.MAX_NAME
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in name)
    assert not any(0x202A <= ord(character) <= 0x202E or 0x2066 <= ord(character) <= 0x2069 for character in name)
