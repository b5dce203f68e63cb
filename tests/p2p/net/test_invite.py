"""Invites: what was written is read, also by tired people, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.net.address import Endpoint
from p2p.net.invite import BadInvite, Invite, make_invite, read_invite
from p2p.net.keys import Keys, invite_print

KEYS = Keys(b"k" * 32)
INVITE = make_invite(["192.168.1.23", "10.0.0.5"], 49670, KEYS.key)
TEXT = str(INVITE)

HOSTS = st.ip_addresses(v=4).filter(lambda ip: not ip.is_multicast and not ip.is_unspecified)
PLACES = st.lists(HOSTS, min_size=1, max_size=4)


def test_the_form_is_what_the_docs_say() -> None:
    """Upper case, colons, sixteen digits of Crockford's alphabet: short enough for a small QR code."""
    head, hosts, port, digits = TEXT.split(":")
    assert (head, hosts, port) == ("NODEALER", "192.168.1.23,10.0.0.5", "49670")
    assert len(digits) == 16
    assert not set(digits) - set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    assert read_invite(TEXT) == INVITE
    assert INVITE.print == invite_print(KEYS.key)


@given(PLACES, st.integers(1, 65535), st.binary(min_size=10, max_size=10))
def test_invites_survive_the_text(hosts: list[object], port: int, fingerprint: bytes) -> None:
    """Read is the inverse of write."""
    invite = Invite(tuple(Endpoint(str(host), port) for host in hosts), fingerprint)
    if any(str(host) == "255.255.255.255" for host in hosts):
        return
    assert read_invite(str(invite)) == invite


def test_ipv6_stands_in_brackets() -> None:
    """Its own colons do not confuse anyone."""
    invite = make_invite(["fd00::17", "10.0.0.5"], 49670, KEYS.key)
    assert str(invite).startswith("NODEALER:[FD00::17],10.0.0.5:49670:")
    assert read_invite(str(invite)) == invite


@pytest.mark.parametrize(
    "typed",
    [TEXT.lower(), f"  {TEXT}\n", TEXT[:20] + "\n  " + TEXT[20:], TEXT[:-4] + "-" + TEXT[-4:]],
)
def test_sloppy_copies_are_read(typed: str) -> None:
    """Any case, wrapped lines and hyphens between the digits are fine."""
    assert read_invite(typed) == INVITE


def test_letters_that_look_like_digits_are_taken_for_them() -> None:
    """O is 0, I and L are 1: no invite contains them."""
    invite = Invite((Endpoint("10.0.0.1", 1),), bytes(9) + b"\x01")
    text = str(invite)
    assert text.endswith(":0000000000000001")
    assert read_invite(text.replace("0000000000000001", "OoOO00000000000l")) == invite


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "invite_not_one"),
        ("hello", "invite_not_one"),
        ("NODEALER:10.0.0.1:49670", "invite_not_one"),
        ("NODEALER:" + "9" * 300 + ":1:0000000000000000", "invite_not_one"),
        ("NODEALER:10.0.0.1:0:0000000000000000", "invite_bad_address"),
        ("NODEALER:10.0.0.1:65536:0000000000000000", "invite_bad_address"),
        ("NODEALER:10.0.0.1:x:0000000000000000", "invite_bad_port"),
        ("NODEALER:10.0.0.1:²:0000000000000000", "invite_bad_port"),
        ("NODEALER::1:0000000000000000", "invite_bad_address"),
        ("NODEALER:example.org:1:0000000000000000", "invite_bad_address"),
        ("NODEALER:224.0.0.1:1:0000000000000000", "invite_bad_address"),
        ("NODEALER:0.0.0.0:1:0000000000000000", "invite_bad_address"),
        ("NODEALER:255.255.255.255:1:0000000000000000", "invite_bad_address"),
        ("NODEALER:fd00::1:1:0000000000000000", "invite_bad_address"),
        ("NODEALER:[10.0.0.1]:1:0000000000000000", "invite_bad_address"),
        ("NODEALER:1.1.1.1,2.2.2.2,3.3.3.3,4.4.4.4,5.5.5.5:1:0000000000000000", "invite_not_one"),
        ("NODEALER:10.0.0.1:1:000000000000000", "invite_bad_print"),
        ("NODEALER:10.0.0.1:1:00000000000000000", "invite_bad_print"),
        ("NODEALER:10.0.0.1:1:000000000000000U", "invite_bad_print"),
        ("NODEALER:10.0.0.1:1:000000000000000é", "invite_bad_print"),
    ],
)
def test_what_is_wrong_is_said(text: str, problem: str) -> None:
    """Each mistake has its own name, from which the screen makes a sentence."""
    with pytest.raises(BadInvite) as refused:
        read_invite(text)
    assert refused.value.note.name == problem


@given(st.text(max_size=80), st.booleans())
def test_any_text_is_an_invite_or_refused(text: str, prefixed: bool) -> None:
    """Nothing else comes out of whatever was pasted."""
    try:
        invite = read_invite("NODEALER:" + text if prefixed else text)
    except BadInvite:
        return
    assert read_invite(str(invite)) == invite


@given(st.integers(0, len(TEXT) - 17), st.characters(codec="ascii"))
def test_a_mistyped_invite_never_names_another_key(spot: int, typed: str) -> None:
    """Before the last colon a slip changes where is tried, never whom is believed."""
    try:
        invite = read_invite(TEXT[:spot] + typed + TEXT[spot + 1 :])
    except BadInvite:
        return
    assert invite.print == INVITE.print
