"""An invite: a line of text that tells somebody where I am and by which key to recognise me.

    NODEALER:192.168.1.23,10.0.0.5:49670:7KQ49XMT3HPA2VWZ

Law: pure. Addresses, TCP port, and 80 bits of the hash of the CURVE key in Crockford's base 32 (no I, L, O, U; read
back with any case and with I, L and O taken for 1, 1 and 0). Upper case throughout keeps a QR code small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.game import note
from p2p.net.address import Endpoint, endpoint
from p2p.net.errors import NetError
from p2p.net.keys import INVITE_PRINT_SIZE, PeerKey, invite_print

PREFIX = "NODEALER"
MAX_ADDRESSES = 4  # each makes the QR code larger; nobody has more networks worth trying
MAX_TEXT = 256

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("ILO", "110", "-")


class BadInvite(NetError):
    """This text is no invite."""


@dataclass(frozen=True, slots=True)
class Invite:
    endpoints: tuple[Endpoint, ...]
    print: bytes

    def __str__(self) -> str:
        hosts = ",".join(f"[{place.host}]" if ":" in place.host else place.host for place in self.endpoints)
        return f"{PREFIX}:{hosts}:{self.endpoints[0].port}:{_write(self.print)}".upper()


def make_invite(hosts: Sequence[str], port: int, key: PeerKey) -> Invite:
    places = tuple(place for host in hosts[:MAX_ADDRESSES] if (place := endpoint(host, port)))
    if not places:
        raise BadInvite(note("invite_no_address"))
    return Invite(places, invite_print(key))


def read_invite(text: str) -> Invite:
    """Raises BadInvite, which says what is wrong with it."""
    text = "".join(text.split())  # pasted from a mail it may have been wrapped
    head, _, rest = text.partition(":")
    if head.upper() != PREFIX or len(text) > MAX_TEXT or rest.count(":") < 2:
        raise BadInvite(note("invite_not_one"))
    hosts, port, digits = rest.rsplit(":", 2)
    if not (port.isascii() and port.isdecimal() and len(port) <= 5):
        raise BadInvite(note("invite_bad_port"))
    places = []
    for host in hosts.split(","):
        bracketed = host.startswith("[") and host.endswith("]")
        place = endpoint(host[1:-1].lower() if bracketed else host, int(port))
        if place is None or bracketed != (":" in place.host):
            raise BadInvite(note("invite_bad_address", address=host[:60]))
        places.append(place)
    if len(places) > MAX_ADDRESSES:
        raise BadInvite(note("invite_not_one"))
    return Invite(tuple(places), _read(digits))


def _write(raw: bytes) -> str:
    bits = int.from_bytes(raw, "big")
    return "".join(_DIGITS[bits >> shift & 31] for shift in range(8 * len(raw) - 5, -1, -5))


def _read(text: str) -> bytes:
    digits = text.upper().translate(_READ_AS)
    if len(digits) * 5 != INVITE_PRINT_SIZE * 8 or any(digit not in _DIGITS for digit in digits):
        raise BadInvite(note("invite_bad_print"))
    bits = 0
    for digit in digits:
        bits = bits << 5 | _DIGITS.index(digit)
    return bits.to_bytes(INVITE_PRINT_SIZE, "big")
