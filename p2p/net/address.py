"""Where a peer's inbox is: a numeric address and a TCP port.

Law: pure. Numbers only: a name would ask a server, and there is none.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True, order=True)
class Endpoint:
    """`host` is a numeric IPv4 or IPv6 address in its shortest form; link-local IPv6 carries its zone (`fe80::1%2`)."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """As ZeroMQ wants it."""
        return f"tcp://[{self.host}]:{self.port}" if ":" in self.host else f"tcp://{self.host}:{self.port}"

    @property
    def loopback(self) -> bool:
        return ipaddress.ip_address(self.host.partition("%")[0]).is_loopback


@lru_cache(1024)  # the same few addresses come with every beacon
def endpoint(host: str, port: int) -> Endpoint | None:
    """The endpoint if this is an address somebody can be reached at, else None."""
    if not 0 < port < 65536 or not host.isascii():
        return None
    bare, _, zone = host.partition("%")
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address, zone = address.ipv4_mapped, ""  # how a dual-stack socket shows an IPv4 peer
    if address.is_multicast or address.is_unspecified or str(address) == "255.255.255.255":
        return None
    if zone and not (address.version == 6 and address.is_link_local and len(zone) < 32 and zone.isprintable()):
        return None
    if zone and any(character in zone for character in "[]%:/"):
        return None
    return Endpoint(f"{address}%{zone}" if zone else str(address), port)


def parse_url(url: str) -> Endpoint | None:
    """Read `tcp://…`, as in the endpoint of a HELLO."""
    scheme, _, rest = url.partition("://")
    host, _, port = rest.rpartition(":")
    if scheme != "tcp" or not (port.isascii() and port.isdecimal() and len(port) <= 5):
        return None
    bracketed = host.startswith("[") and host.endswith("]")
    return endpoint(host[1:-1] if bracketed else host, int(port))
