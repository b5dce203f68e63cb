"""What a `PeerBook` tells: peers as everyone may see them, things to do, and what happened.

Law: values only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from p2p.identity import PublicIdentity
from p2p.net.address import Endpoint
from p2p.net.keys import PeerKey


class Status(StrEnum):
    PRESENT = "present"
    SILENT = "silent"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Peer:
    """What everyone may know of a peer."""

    key: PeerKey
    identity: PublicIdentity
    name: str
    status: Status
    groups: frozenset[str]
    headers: Mapping[str, str]
    address: str  # where my connection to it goes


# What comes out: things to do …


@dataclass(frozen=True, slots=True)
class Dial:
    """Connect to this peer there. A beacon goes to the same address first, in case it does not know me yet."""

    key: PeerKey
    at: Endpoint


@dataclass(frozen=True, slots=True)
class Hang:
    """Drop the connection to this peer."""

    key: PeerKey


@dataclass(frozen=True, slots=True)
class Ask:
    """Send a PING: is it still there?"""

    key: PeerKey


Action: TypeAlias = Dial | Hang | Ask

# … and what happened, for whoever uses the network.


@dataclass(frozen=True, slots=True)
class Appeared:
    peer: Peer


@dataclass(frozen=True, slots=True)
class Changed:
    """Another name, group or header."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Silent:
    """Nothing heard for seconds: perhaps asleep, perhaps out of reach."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Back:
    """Heard again, or connected anew: messages in between may be missing on either side."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Left:
    """It said goodbye, or my own door closed behind it."""

    peer: Peer


@dataclass(frozen=True, slots=True)
class Lost:
    """Gone without a goodbye. A seated peer is still searched for, and may appear again."""

    peer: Peer


Event: TypeAlias = Appeared | Changed | Silent | Back | Left | Lost
