"""Beacons over UDP: says "I am here" on every network of this machine, and hears others say it.

Law: carries datagrams and judges none. Nothing that arrives, and no network that goes away, ends it.

Two kinds of sockets, each once for IPv4 and once for IPv6:

    shared   the ZRE port, which every program on this machine may open: what is broadcast arrives here
    own      the number of the inbox's TCP port, which nobody else has: beacons are sent from here, and what is sent
             to this one program arrives here. A unicast to the shared port would reach only one of several programs.
"""

from __future__ import annotations

import asyncio
import logging
import random
import socket
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from p2p.net.address import Endpoint
from p2p.net.interfaces import ALL_NODES, LOOPBACK_GROUP, Interface, Target, read_interfaces, targets

log = logging.getLogger(__name__)

# Wi-Fi sends broadcasts at its lowest rate and lets sleeping devices miss them: a few close together at first, then
# seldom. Whether a peer is still there never depends on them.
BURST, BURST_GAP = 3, 0.2
EAGER_SECONDS, EAGER_GAP = 10.0, 1.0
STEADY_GAP = (3.0, 5.0)
REREAD_SECONDS = 5.0  # networks come and go
MAX_DATAGRAM = 64  # a beacon has 54 bytes; what is longer arrives cut, and is none

OnDatagram: TypeAlias = Callable[[bytes, str], None]


class BeaconFinder:
    """`beacon()` gives the bytes to send, `on_datagram` gets what arrives and from which address.

    `pace()`: how many times slower than normal; a large room needs fewer beacons from each.
    """

    def __init__(
        self,
        port: int,
        only: Sequence[str],
        *,
        beacon: Callable[[], bytes],
        on_datagram: OnDatagram,
        pace: Callable[[], float],
    ) -> None:
        self.port = port
        self.interfaces: tuple[Interface, ...] = ()
        self.trouble: dict[str, int] = {}  # target -> errno of the last attempt, for the doctor
        self.sent = 0
        self.bytes_sent = 0
        self._only = only
        self._beacon = beacon
        self._on_datagram = on_datagram
        self._shared: list[socket.socket] = []
        self._own: dict[int, socket.socket] = {}
        self._joined: set[tuple[str, str | int]] = set()
        self._task: asyncio.Task[None] | None = None
        self._pace = pace

    def claim(self, port: int) -> bool:
        """Open the own sockets on this UDP port. False: somebody has it."""
        for family in (socket.AF_INET, socket.AF_INET6):
            try:
                opened = _udp(family, shared=False)
            except OSError:
                continue  # this machine lacks the family
            try:
                opened.bind(("", port))
            except OSError:
                opened.close()
                self._close_own()
                return False
            self._own[family] = opened
        return bool(self._own)

    def start(self) -> None:
        """Raises OSError if the shared port cannot be opened at all."""
        problem: OSError | None = None
        for family in (socket.AF_INET, socket.AF_INET6):
            try:
                opened = _udp(family, shared=True)
                opened.bind(("", self.port))
            except OSError as error:
                problem = error
                continue
            self._shared.append(opened)
        if not self._shared:
            self._close_own()
            raise problem or OSError("no network at all")
        loop = asyncio.get_running_loop()
        for each in (*self._shared, *self._own.values()):
            loop.add_reader(each, self._receive, each)
        self._task = asyncio.create_task(self._keep_saying(), name="beacon")

    async def stop(self) -> None:
        loop = asyncio.get_running_loop()
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for each in (*self._shared, *self._own.values()):
            loop.remove_reader(each)
        for each in self._shared:
            each.close()
        self._shared.clear()
        self._close_own()

    def say(self) -> None:
        """One beacon to everyone on every network, now."""
        data = self._beacon()
        for interface in self.interfaces:
            for target in targets(interface):
                self._send(data, target)

    def say_to(self, place: Endpoint) -> None:
        """One beacon to one program: to its own port, and to the shared one in case a firewall knows only that."""
        data = self._beacon()
        host, _, zone = place.host.partition("%")
        scope = _zone_index(zone)
        for port in {place.port, self.port} if not place.loopback else {place.port}:
            self._send(data, Target(host, scope=scope), port)

    def _send(self, data: bytes, target: Target, port: int = 0) -> None:
        family = socket.AF_INET6 if ":" in target.host else socket.AF_INET
        sender = self._own.get(family)
        if sender is None:
            return
        address: tuple[Any, ...] = (target.host, port or self.port)
        try:
            if target.source:
                sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(target.source))
            if family == socket.AF_INET6:
                address = (*address, 0, target.scope)
            sender.sendto(data, address)
        except OSError as error:  # unplugged, asleep, forbidden: this network now, another one later
            self.trouble[target.host] = error.errno or 0
        else:
            self.trouble.pop(target.host, None)
            self.sent += 1
            self.bytes_sent += len(data)

    def _receive(self, source: socket.socket) -> None:
        for _ in range(64):  # then the rest of the program gets its turn
            try:
                data, address = source.recvfrom(MAX_DATAGRAM)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:  # an answer "nobody here" to something sent earlier; Windows reports it on reading
                continue
            try:
                self._on_datagram(data, _host(address))
            except Exception:
                log.exception("a datagram was not taken well")

    async def _keep_saying(self) -> None:
        loop = asyncio.get_running_loop()
        began = reread = loop.time()
        said = 0
        while True:
            if loop.time() >= reread:
                reread = loop.time() + REREAD_SECONDS
                if self._reread():
                    said, began = 0, loop.time()  # a new network (or the first): introduce myself
            self.say()
            said += 1
            await asyncio.sleep(self._gap(said, loop.time() - began))

    def _gap(self, said: int, age: float) -> float:
        if said < BURST:
            return BURST_GAP
        if age < EAGER_SECONDS:
            return EAGER_GAP * self._pace()
        return random.uniform(*STEADY_GAP) * self._pace()

    def _reread(self) -> bool:
        """Look at the networks again; says whether there is a new one."""
        try:
            now = read_interfaces(self._only)
        except OSError:
            return False
        new = set(now) - set(self.interfaces)
        self.interfaces = now
        self._join()
        return bool(new)

    def _join(self) -> None:
        """Hear the multicast of every interface too: once for each, and again after it went away."""
        wanted: set[tuple[str, str | int]] = set()
        for interface in self.interfaces:
            if interface.loopback:
                wanted |= {(LOOPBACK_GROUP, host) for host, _ in interface.ipv4}
            elif interface.ipv6 and interface.index:
                wanted.add((ALL_NODES, interface.index))
        self._joined &= wanted
        for group, where in wanted - self._joined:
            for each in self._shared:
                try:
                    if isinstance(where, str) and each.family == socket.AF_INET:
                        request = socket.inet_aton(group) + socket.inet_aton(where)
                        each.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, request)
                    elif isinstance(where, int) and each.family == socket.AF_INET6:
                        request = socket.inet_pton(socket.AF_INET6, group) + where.to_bytes(4, sys.byteorder)
                        each.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, request)
                except OSError:
                    continue
                self._joined.add((group, where))

    def _close_own(self) -> None:
        for each in self._own.values():
            each.close()
        self._own.clear()


def _udp(family: int, *, shared: bool) -> socket.socket:
    opened = socket.socket(family, socket.SOCK_DGRAM)
    opened.setblocking(False)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    if shared:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    elif sys.platform == "win32":
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    if family == socket.AF_INET6:
        opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    return opened


def _host(address: tuple[Any, ...]) -> str:
    """The sender's address. A link-local one means something only with the zone it arrived in."""
    host = str(address[0]).partition("%")[0]
    return f"{host}%{address[3]}" if len(address) == 4 and address[3] else host


def _zone_index(zone: str) -> int:
    if not zone:
        return 0
    try:
        return int(zone) if zone.isdecimal() else socket.if_nametoindex(zone)
    except OSError:
        return 0
