"""HELLO with what makes a peer one of us: its identity, and the identity's signature over its CURVE key.

Law: pure. A `Greeting` that came out of `read_greeting` has been checked against the key that the transport
authenticated; nothing in it is merely claimed except the name, the port and the extra headers.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.game import Note, note
from p2p.identity import BadIdentity, PublicIdentity
from p2p.names import clean_name
from p2p.net.address import parse_url
from p2p.net.keys import Keys, PeerKey, vouched
from p2p.net.zre import Hello

APP = "nodealer/1"  # the number goes up when older peers could not talk to newer ones
X_APP, X_KEY, X_IDENTITY, X_VOUCH = "X-APP", "X-PUBLICKEY", "X-ID", "X-SIG"
MAX_VALUE = 256  # characters of an extra header: a role, a version, a lobby's name


@dataclass(frozen=True, slots=True)
class Greeting:
    key: PeerKey
    identity: PublicIdentity
    name: str
    port: int  # of the inbox; which address it is at the connection itself shows
    groups: frozenset[str]
    headers: Mapping[str, str]  # the extra ones


def make_greeting(
    keys: Keys, *, endpoint: str, name: str, groups: Iterable[str], status: int, headers: Mapping[str, str]
) -> Hello:
    """`status` counts the changes of the groups so far: the C zyre ends itself when a later one does not follow on."""
    ours = {
        X_APP: APP,
        X_KEY: z85(keys.key),
        X_IDENTITY: z85(keys.identity.public),
        X_VOUCH: z85(keys.vouch),
    }
    return Hello(1, endpoint, tuple(sorted(groups)), status, name, (*ours.items(), *headers.items()))


def read_greeting(hello: Hello, sender: PeerKey) -> Greeting | Note:
    """The greeting of the peer that CURVE authenticated as `sender`, or why it is refused."""
    headers = dict(hello.headers)
    if unz85(headers.get(X_KEY, "")) != sender:
        return note("greeting_other_key")
    if X_IDENTITY not in headers and not headers.get(X_APP, "").startswith("nodealer/"):
        return note("greeting_foreign")
    if headers.get(X_APP) != APP:
        return note("greeting_other_version", theirs=headers.get(X_APP, "")[:40], ours=APP)
    try:
        identity = PublicIdentity(unz85(headers.get(X_IDENTITY, "")))
    except BadIdentity:
        return note("greeting_bad_identity")
    if not vouched(sender, identity, unz85(headers.get(X_VOUCH, ""))):
        return note("greeting_not_vouched")
    place = parse_url(hello.endpoint)
    if place is None:
        return note("greeting_no_address")
    extra = {
        name: value
        for name, value in headers.items()
        if name not in (X_APP, X_KEY, X_IDENTITY, X_VOUCH) and len(value) <= MAX_VALUE
    }
    return Greeting(sender, identity, clean_name(hello.name), place.port, frozenset(hello.groups), extra)


def z85(raw: bytes) -> str:
    """ZeroMQ's printable form of a key (RFC 32)."""
    return base64.b85encode(raw).translate(_TO_Z85).decode()


def unz85(text: str) -> bytes:
    """The bytes, or none if this is no Z85."""
    if len(text) % 5:
        return b""
    try:
        return base64.b85decode(text.encode("ascii").translate(_FROM_Z85))
    except (ValueError, binascii.Error):
        return b""


_B85 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
_Z85 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
_TO_Z85 = bytes.maketrans(_B85, _Z85)
#: A character outside Z85 must not sneak in as its base-85 cousin: it becomes a space, which base 85 refuses.
_FROM_Z85 = bytes(_B85[_Z85.index(byte)] if byte in _Z85 else 0x20 for byte in range(256))
