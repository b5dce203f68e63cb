"""This machine's network interfaces, and where a beacon must be sent so that everyone near hears it once.

Law: reads the system, sends nothing.

    127.255.255.255        every program on this machine, also without any network (a unicast would reach one of them)
    a directed broadcast   every machine of an IPv4 network; 255.255.255.255 would leave by one interface only
    ff02::1                every machine of a link that speaks IPv6
    239.255.86.70          this machine where its loopback has no broadcast (macOS, Windows)
"""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Collection
from dataclasses import dataclass

import psutil

ALL_NODES = "ff02::1"
LOOPBACK_GROUP = "239.255.86.70"
#: Virtual networks of this machine alone: worth a beacon (somebody may play in a container), not worth an invite.
_VIRTUAL = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "cni", "flannel", "lxc", "podman", "vEthernet")


@dataclass(frozen=True, slots=True, order=True)
class Interface:
    name: str
    index: int  # 0 where the system does not number it
    ipv4: tuple[tuple[str, str], ...]  # address, broadcast address (empty: a point-to-point link, which has none)
    ipv6: tuple[str, ...]
    loopback: bool

    @property
    def virtual(self) -> bool:
        return self.name.startswith(_VIRTUAL)


@dataclass(frozen=True, slots=True)
class Target:
    """Send there, out of this interface. For IPv4 multicast `source` names the interface, for IPv6 `scope`."""

    host: str
    source: str = ""
    scope: int = 0


def read_interfaces(only: Collection[str] = ()) -> tuple[Interface, ...]:
    """The interfaces that are up, in a stable order; `only`: names to restrict it to."""
    stats = psutil.net_if_stats()
    found = []
    for name, addresses in psutil.net_if_addrs().items():
        if (only and name not in only) or not (name in stats and stats[name].isup):
            continue
        ipv4 = tuple(
            (entry.address, _broadcast(entry.address, entry.netmask))
            for entry in addresses
            if entry.family == socket.AF_INET
        )
        ipv6 = tuple(entry.address.partition("%")[0] for entry in addresses if entry.family == socket.AF_INET6)
        if ipv4 or ipv6:
            loopback = any(host.startswith("127.") for host, _ in ipv4) or "::1" in ipv6
            found.append(Interface(name, _index(name), ipv4, ipv6, loopback))
    return tuple(sorted(found))


def interface_names() -> tuple[str, ...]:
    """All there are, also those that are down."""
    return tuple(sorted(psutil.net_if_addrs()))


def targets(interface: Interface, platform: str = sys.platform) -> list[Target]:
    """Where to send a beacon so that all of this interface's network hears it."""
    found = [Target(broadcast) for _, broadcast in interface.ipv4 if broadcast]
    if interface.loopback:
        if platform != "linux":
            found += [Target(LOOPBACK_GROUP, source=host) for host, _ in interface.ipv4]
    elif interface.ipv6 and interface.index:
        found.append(Target(ALL_NODES, scope=interface.index))
    return found


def own_addresses(interfaces: Collection[Interface]) -> list[str]:
    """Addresses others can reach me at, the most likely first; loopback only if there is nothing else."""
    real = [interface for interface in interfaces if not interface.loopback]
    real.sort(key=lambda interface: (interface.virtual, not interface.ipv4, interface.name))
    hosts = [host for interface in real for host, _ in interface.ipv4]
    hosts += [host for interface in real for host in interface.ipv6 if not ipaddress.ip_address(host).is_link_local]
    return hosts or ["127.0.0.1"]


def address_towards(host: str, interfaces: Collection[Interface]) -> str:
    """Which of my addresses somebody there would best use."""
    bare = host.partition("%")[0]
    for interface in interfaces:
        for mine, broadcast in interface.ipv4:
            if mine == bare or (":" not in bare and broadcast and _same_network(mine, broadcast, bare)):
                return mine
    if ":" in bare:
        for interface in interfaces:
            for mine in interface.ipv6:
                if mine == bare or ipaddress.ip_address(mine).is_link_local == ipaddress.ip_address(bare).is_link_local:
                    return mine
    return own_addresses(interfaces)[0]


def _broadcast(address: str, netmask: str | None) -> str:
    """From address and netmask, because not every system tells it, and none does for loopback."""
    if not netmask:
        return ""
    network = ipaddress.IPv4Network(f"{address}/{netmask}", strict=False)
    return str(network.broadcast_address) if network.prefixlen < 31 else ""


def _same_network(mine: str, broadcast: str, other: str) -> bool:
    """Do two addresses share the network whose broadcast address this is?"""
    host_bits = int(ipaddress.IPv4Address(mine)) ^ int(ipaddress.IPv4Address(broadcast))
    shift = host_bits.bit_length()
    return int(ipaddress.IPv4Address(mine)) >> shift == int(ipaddress.IPv4Address(other)) >> shift


def _index(name: str) -> int:
    try:
        return socket.if_nametoindex(name)
    except OSError:
        return 0
