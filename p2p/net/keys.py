"""The keys a peer has on the network, and what proves that they belong to its identity.

Law: pure. Secrets come in from the profile; nothing here reads or writes one anywhere.

A profile keeps one secret of 32 bytes. Two keys grow from it: the Ed25519 identity, which signs, and the CURVE key,
which encrypts and by which peers are told apart. The CURVE key stays the same from run to run on purpose: after a
crash a player must get back to a table that lets in nobody but the keys seated there.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import NewType

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from p2p.identity import Identity, PublicIdentity
from p2p.net.zre import KEY_SIZE, UUID_SIZE

#: A peer, everywhere in this folder: its public CURVE key. Only who owns it can hold a conversation under it.
PeerKey = NewType("PeerKey", bytes)

INVITE_PRINT_SIZE = 10  # 80 bits: what a person can still paste or scan, and nobody can hit by search


class Keys:
    """My own keys."""

    def __init__(self, secret: bytes) -> None:
        self.identity = Identity(_grow(secret, b"identity", 0))
        counter = 0
        while True:
            curve = X25519PrivateKey.from_private_bytes(_grow(secret, b"curve", counter))
            public = curve.public_key().public_bytes_raw()
            if public[0] != 0:  # the C zyre reads such a key as "no key"
                break
            counter += 1
        self.curve_secret = curve.private_bytes_raw()
        self.key = PeerKey(public)
        self.uuid = uuid_of(self.key)
        self.vouch = self.identity.sign(_vouched_bytes(self.key))

    def __repr__(self) -> str:  # never the secrets
        return f"<keys of {self.identity.public!r}>"


def _grow(secret: bytes, purpose: bytes, counter: int) -> bytes:
    return hashlib.blake2b(purpose + bytes([counter]), digest_size=32, key=secret, person=b"nodealer/keys/1").digest()


@lru_cache(1024)  # asked with every beacon
def uuid_of(key: PeerKey) -> bytes:
    """The ZRE UUID that goes with a CURVE key. Who claims another one is not one of us."""
    return hashlib.blake2b(b"nodealer/zre-uuid/1" + key, digest_size=UUID_SIZE).digest()


def invite_print(key: PeerKey) -> bytes:
    """What an invite says of the CURVE key."""
    return hashlib.blake2b(b"nodealer/invite/1" + key, digest_size=INVITE_PRINT_SIZE).digest()


def vouched(key: PeerKey, identity: PublicIdentity, signature: bytes) -> bool:
    """Does this identity say that this CURVE key is its own?"""
    return identity.verify(signature, _vouched_bytes(key))


def _vouched_bytes(key: PeerKey) -> bytes:
    return b"nodealer/curve-bind/1" + key + uuid_of(key)


def is_key(raw: bytes) -> bool:
    """Could these bytes be a peer's key at all?"""
    return len(raw) == KEY_SIZE and raw[0] != 0
