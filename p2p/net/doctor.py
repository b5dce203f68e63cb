"""Why do I see nobody? Looks at this machine's networks from inside and says what it finds, worst first.

Law: `observe` looks and changes nothing; `diagnose` is pure and judges what was observed. Names and values, no
sentences.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import platform
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from engine.game import Note, note
from p2p.net.errors import CannotStart
from p2p.net.interfaces import Interface, targets
from p2p.net.lan import TCP_PORT, TCP_PORTS, Lan, LanSettings
from p2p.net.profile import Profile

CONNECT_SECONDS = 1.0
_TUNNELS = ("tun", "tap", "utun", "wg", "ppp", "tailscale", "zt", "ipsec")


class Level(IntEnum):
    BAD = 0  # this keeps peers from finding each other
    ODD = 1  # this may
    FINE = 2


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    note: Note


@dataclass(frozen=True, slots=True)
class Observed:
    """What was seen. `cannot_start`: then there is nothing else."""

    settings: LanSettings
    interfaces: tuple[Interface, ...] = ()
    cannot_start: Note | None = None
    port: int = 0
    echoes: frozenset[str] = frozenset()  # addresses from which my own beacon came back
    send_errors: Mapping[str, int] = field(default_factory=dict)  # target -> errno
    unreachable: tuple[str, ...] = ()  # own addresses at which I cannot connect to myself
    peers: int = 0
    foreign: int = 0
    unencrypted: int = 0
    troubles: tuple[Note, ...] = ()
    platform: str = sys.platform
    wsl: bool = False
    container: bool = False


async def observe(
    profile: Profile, settings: LanSettings, seconds: float, tell: Callable[[], None] = lambda: None
) -> Observed:
    """Take part in the network for so long; `tell` is called ten times a second meanwhile."""
    lan = Lan(profile, settings)
    try:
        await lan.start()
    except CannotStart as problem:
        return Observed(settings, cannot_start=problem.note)
    try:
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while loop.time() < end:
            await asyncio.sleep(0.1)
            tell()
        interfaces = lan.interfaces
        mine = [host for interface in interfaces for host, _ in interface.ipv4]
        return Observed(
            settings,
            interfaces,
            port=lan.port,
            echoes=frozenset(lan.echoes),
            send_errors=dict(lan.send_errors),
            unreachable=tuple([host for host in mine if not await _connects(host, lan.port)]),
            peers=len([peer for peer in lan.peers() if not peer.headers.get("X-ROLE")]),
            foreign=lan.foreign,
            unencrypted=lan.unencrypted,
            troubles=tuple(trouble for _, trouble in lan.troubles()),
            wsl="microsoft" in platform.release().lower(),
            container=Path("/.dockerenv").exists() or Path("/run/.containerenv").exists(),
        )
    finally:
        await lan.stop()


async def _connects(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(host, port), CONNECT_SECONDS)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True


def diagnose(seen: Observed) -> list[Finding]:
    """What it means, the worst first."""
    if seen.cannot_start:
        return [Finding(Level.BAD, seen.cannot_start)]
    found = [finding for interface in seen.interfaces for finding in _of_interface(seen, interface)]
    found += [_of_send_error(seen, target, number) for target, number in sorted(seen.send_errors.items())]
    found += [
        Finding(Level.BAD, note("doctor_port_blocked", address=host, port=seen.port)) for host in seen.unreachable
    ]
    if not seen.settings.interfaces and all(interface.loopback for interface in seen.interfaces):
        found.append(Finding(Level.ODD, note("doctor_no_network")))
    preferred = seen.settings.tcp_port
    if preferred and seen.port != preferred:
        found.append(Finding(Level.ODD, note("doctor_port_taken", preferred=preferred, port=seen.port)))
    else:
        found.append(Finding(Level.FINE, note("doctor_port", port=seen.port)))
    if seen.wsl:
        found.append(Finding(Level.ODD, note("doctor_wsl")))
    if seen.container:
        found.append(Finding(Level.ODD, note("doctor_container")))
    found += [Finding(Level.ODD, trouble) for trouble in seen.troubles]
    if seen.unencrypted:
        found.append(Finding(Level.ODD, note("doctor_unencrypted")))
    if seen.foreign:
        found.append(Finding(Level.FINE, note("doctor_foreign", count=seen.foreign)))
    if seen.peers:
        found.append(Finding(Level.FINE, note("doctor_peers", count=seen.peers)))
    else:
        alone = all(finding.level is not Level.BAD for finding in found)
        found.append(Finding(Level.ODD, note("doctor_nobody_else" if alone else "doctor_nobody_because")))
    return sorted(found, key=lambda finding: finding.level)


def interface_echo(interface: Interface, echoes: Collection[str]) -> bool:
    """Did my own beacon come back over this interface?"""
    mine = {host for host, _ in interface.ipv4} | set(interface.ipv6)
    return any(echo.partition("%")[0] in mine for echo in echoes)


def _of_interface(seen: Observed, interface: Interface) -> list[Finding]:
    if not targets(interface, seen.platform):
        kind = "doctor_tunnel" if interface.name.startswith(_TUNNELS) else "doctor_no_broadcast"
        return [Finding(Level.ODD, note(kind, interface=interface.name))]
    address = next((host for host, _ in interface.ipv4), next(iter(interface.ipv6), ""))
    if interface_echo(interface, seen.echoes):
        return [Finding(Level.FINE, note("doctor_echo", interface=interface.name, address=address))]
    return [Finding(Level.BAD, note("doctor_no_echo", interface=interface.name, address=address))]


def _of_send_error(seen: Observed, target: str, number: int) -> Finding:
    if number == errno.EHOSTUNREACH and seen.platform == "darwin":
        return Finding(Level.BAD, note("doctor_macos_privacy", target=target))
    if number in (errno.EACCES, errno.EPERM):
        return Finding(Level.BAD, note("doctor_send_forbidden", target=target))
    return Finding(Level.ODD, note("doctor_send_failed", target=target, why=os.strerror(number)))


def firewall_hints(settings: LanSettings, system: str = sys.platform, python: str = sys.executable) -> list[Note]:
    """What to type on this platform so that its firewall lets peers through; commands are one value each."""
    udp, first, last = settings.udp_port, settings.tcp_port or TCP_PORT, (settings.tcp_port or TCP_PORT) + TCP_PORTS - 1
    if system == "win32":
        rule = 'netsh advfirewall firewall add rule name="nodealer {what}" dir=in action=allow profile=private '
        return [
            note("hint_windows_private"),
            note("hint_windows_rule", command=rule.format(what="UDP") + f'program="{python}" protocol=UDP'),
            note("hint_windows_rule", command=rule.format(what="TCP") + f'program="{python}" protocol=TCP'),
        ]
    if system == "darwin":
        return [note("hint_macos_local_network"), note("hint_macos_firewall", program=python)]
    ufw = f"sudo ufw allow {udp}/udp; sudo ufw allow {first}:{last}/udp; sudo ufw allow {first}:{last}/tcp"
    firewalld = f"sudo firewall-cmd --add-port={udp}/udp --add-port={first}-{last}/udp --add-port={first}-{last}/tcp"
    return [note("hint_ufw", command=ufw), note("hint_firewalld", command=firewalld)]
