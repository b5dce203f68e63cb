"""A peer's card: its key and its addresses, signed by its identity, so that members can pass on members' cards.

Law: pure. A card is a hint where to try, no proof of anything: who answers there must still own the key. The
signature only keeps a member from making up addresses for others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgpack

from p2p.identity import SIGNATURE, BadIdentity, PublicIdentity
from p2p.net.address import Endpoint, endpoint
from p2p.net.keys import Keys, PeerKey, is_key

LABEL = b"nodealer/card/1"
MAX_ENDPOINTS = 8  # as many networks as anyone is in at once
MAX_CARD = 1024  # eight long addresses and two keys are half of it
MAX_CARDS = 16  # a table's seats and its followers


@dataclass(frozen=True, slots=True)
class Card:
    """`serial` grows with every new card of the same peer; an older one never replaces a newer one."""

    key: PeerKey
    identity: PublicIdentity
    serial: int
    endpoints: tuple[Endpoint, ...]
    signed: bytes  # the exact bytes, for passing on


def make_card(keys: Keys, serial: int, endpoints: Iterable[Endpoint]) -> Card:
    places = tuple(endpoints)[:MAX_ENDPOINTS]
    body: bytes = msgpack.packb(
        [keys.key, bytes(keys.identity.public), serial, [[place.host, place.port] for place in places]]
    )
    return Card(keys.key, keys.identity.public, serial, places, keys.identity.sign(LABEL + body) + body)


def read_card(signed: bytes) -> Card | None:
    """The card if it is well-formed and its identity really signed it."""
    if not SIGNATURE < len(signed) <= MAX_CARD:
        return None
    body = signed[SIGNATURE:]
    try:
        key, identity, serial, places = unpack(body)
        owner = PublicIdentity(identity)
        if not (is_key(key) and isinstance(serial, int) and 0 <= serial < 2**63 and len(places) <= MAX_ENDPOINTS):
            return None
        endpoints = tuple(endpoint(str(host), int(port)) for host, port in places)
    except (BadIdentity, ValueError, TypeError):
        return None
    if None in endpoints or not owner.verify(signed[:SIGNATURE], LABEL + body):
        return None
    return Card(PeerKey(key), owner, serial, tuple(place for place in endpoints if place), signed)


def pack_cards(cards: Sequence[Card]) -> bytes:
    packed: bytes = msgpack.packb([card.signed for card in cards[:MAX_CARDS]])
    return packed


def read_cards(payload: bytes) -> list[Card]:
    try:
        items = unpack(payload)
    except ValueError:
        return []
    if not isinstance(items, list) or len(items) > MAX_CARDS:
        return []
    return [card for item in items if isinstance(item, bytes) and (card := read_card(item))]


def unpack(data: bytes) -> Any:
    """msgpack from a peer, within limits. Whatever is wrong with it becomes a ValueError."""
    try:
        return msgpack.unpackb(
            data,
            strict_map_key=True,
            max_str_len=1024,
            max_bin_len=MAX_CARD,
            max_array_len=64,
            max_map_len=64,
            max_ext_len=0,
        )
    except Exception as error:  # msgpack raises a dozen kinds, and new ones with new versions
        raise ValueError("not what was expected") from error
