"""How people sit down at a table before it begins: what the host and those who ask tell each other.

Law: pure codecs. Nothing here is binding: what counts is the proposal that every seat then signs. Malformed bytes are
None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgpack

from p2p.errors import WireError
from p2p.identity import BadIdentity, PublicIdentity
from p2p.net.cards import unpack
from p2p.net.keys import PeerKey, is_key
from p2p.seating import Proposal, decode_proposal
from p2p.wire import clean_name

ASK, ROSTER, REFUSE, READY, STAND, BEGIN = (
    "seat.ask",
    "seat.roster",
    "seat.no",
    "seat.ready",
    "seat.stand",
    "seat.begin",
)
TABLE, CHAT, DONE = "table", "chat", "seat.done"
MAX_CHAT = 200  # characters of one line of talk


@dataclass(frozen=True, slots=True)
class Member:
    key: PeerKey
    identity: PublicIdentity
    name: str
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Roster:
    """Who sits at a table that has not begun; the host's word. The host is the first."""

    id: str
    game: str
    players: int
    members: tuple[Member, ...]


def pack(*values: Any) -> bytes:
    packed: bytes = msgpack.packb(list(values))
    return packed


def read_id(payload: bytes, *, flag: bool = False) -> tuple[str, bool] | None:
    """(table id, flag) of a short message."""
    try:
        values = unpack(payload)
        name, value = values if flag else (*values, False)
    except (ValueError, TypeError):
        return None
    return (name, value) if isinstance(name, str) and len(name) <= 64 and isinstance(value, bool) else None


def pack_roster(roster: Roster) -> bytes:
    members = [[bytes(m.key), bytes(m.identity), m.name, m.ready] for m in roster.members]
    return pack(roster.id, roster.game, roster.players, members)


def read_roster(payload: bytes) -> Roster | None:
    try:
        name, game, players, rows = unpack(payload)
        members = tuple(
            Member(PeerKey(key), PublicIdentity(identity), clean_name(nick), bool(ready))
            for key, identity, nick, ready in rows
        )
        fine = (
            all(isinstance(text, str) and len(text) <= 64 for text in (name, game))
            and isinstance(players, int)
            and 2 <= players <= 16
            and 1 <= len(members) <= players
            and all(is_key(member.key) for member in members)
        )
    except (ValueError, TypeError, BadIdentity):
        return None
    return Roster(name, game, players, members) if fine else None


def pack_begin(roster: Roster, proposal: Proposal) -> bytes:
    return pack(pack_roster(roster), proposal.encode())


def read_begin(payload: bytes) -> tuple[Roster, Proposal] | None:
    """Who sits there at last, and what all of them are to sign."""
    try:
        members, data = unpack(payload)
        roster = read_roster(members) if isinstance(members, bytes) else None
        return (roster, decode_proposal(data)) if roster is not None and isinstance(data, bytes) else None
    except (ValueError, TypeError, WireError):
        return None


def read_chat(payload: bytes) -> tuple[str, str] | None:
    """(table id, what was said)."""
    try:
        name, text = unpack(payload)
    except (ValueError, TypeError):
        return None
    return (name, text[:MAX_CHAT]) if isinstance(name, str) and isinstance(text, str) else None
