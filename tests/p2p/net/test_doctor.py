"""The doctor's verdicts: each thing that keeps peers apart has a name, and nothing is called broken that is not."""

from __future__ import annotations

import errno

import pytest

from engine.game import note
from p2p.net.doctor import Level, Observed, diagnose, firewall_hints
from p2p.net.interfaces import Interface
from p2p.net.lan import LanSettings

LOOPBACK = Interface("lo", 1, (("127.0.0.1", "127.255.255.255"),), ("::1",), True)
WIFI = Interface("wlan0", 3, (("192.168.1.5", "192.168.1.255"),), ("fe80::5",), False)
VPN = Interface("tun0", 4, (("10.8.0.2", ""),), (), False)
WELL = Observed(
    LanSettings(),
    (LOOPBACK, WIFI),
    port=49670,
    echoes=frozenset({"127.0.0.1", "fe80::5%3"}),
    peers=2,
    platform="linux",
)


def seen(**changed: object) -> Observed:
    return Observed(**{**{name: getattr(WELL, name) for name in WELL.__dataclass_fields__}, **changed})  # type: ignore[arg-type]


def names(observed: Observed, level: Level) -> list[str]:
    return [finding.note.name for finding in diagnose(observed) if finding.level is level]


def test_a_healthy_network_has_nothing_wrong() -> None:
    """Echo on both interfaces (one of them over IPv6), the usual port, somebody there: all fine."""
    assert {finding.level for finding in diagnose(WELL)} == {Level.FINE}


@pytest.mark.parametrize(
    ("changed", "bad"),
    [
        ({"cannot_start": note("lan_no_udp", port=5670, why="in use")}, "lan_no_udp"),
        ({"echoes": frozenset({"127.0.0.1"})}, "doctor_no_echo"),
        ({"unreachable": ("192.168.1.5",)}, "doctor_port_blocked"),
        ({"send_errors": {"192.168.1.255": errno.EPERM}}, "doctor_send_forbidden"),
        ({"send_errors": {"192.168.1.255": errno.EHOSTUNREACH}, "platform": "darwin"}, "doctor_macos_privacy"),
    ],
)
def test_what_keeps_peers_apart_is_bad(changed: dict[str, object], bad: str) -> None:
    """And stands first in the list."""
    observed = seen(**changed)
    assert names(observed, Level.BAD) == [bad]
    assert diagnose(observed)[0].note.name == bad


@pytest.mark.parametrize(
    ("changed", "odd"),
    [
        ({"interfaces": (LOOPBACK,), "peers": 0}, "doctor_no_network"),
        ({"interfaces": (LOOPBACK, WIFI, VPN)}, "doctor_tunnel"),
        ({"port": 49671}, "doctor_port_taken"),
        ({"wsl": True}, "doctor_wsl"),
        ({"container": True}, "doctor_container"),
        ({"unencrypted": 3}, "doctor_unencrypted"),
        ({"peers": 0}, "doctor_nobody_else"),
        ({"troubles": (note("link_nobody", address="a", port=1),)}, "link_nobody"),
        ({"send_errors": {"192.168.1.255": errno.ENETUNREACH}}, "doctor_send_failed"),
    ],
)
def test_what_may_explain_it_is_odd(changed: dict[str, object], odd: str) -> None:
    """Named, and not called broken."""
    assert odd in names(seen(**changed), Level.ODD)
    assert names(seen(**changed), Level.BAD) == []


def test_nobody_seen_points_to_the_reason_if_there_is_one() -> None:
    """With a broken network: see above. With a sound one: perhaps the network keeps devices apart."""
    assert "doctor_nobody_because" in names(seen(peers=0, echoes=frozenset()), Level.ODD)
    assert "doctor_nobody_else" in names(seen(peers=0), Level.ODD)


def test_hints_fit_the_platform() -> None:
    """Commands with the very ports and program in use."""
    linux = " ".join(str(hint["command"]) for hint in firewall_hints(LanSettings(udp_port=5999), "linux"))
    assert "5999/udp" in linux
    assert "49670:49679/tcp" in linux
    windows = firewall_hints(LanSettings(), "win32", r"C:\venv\python.exe")
    assert [r"C:\venv\python.exe" in str(dict(hint.values).get("command")) for hint in windows] == [False, True, True]
    assert [hint.name for hint in firewall_hints(LanSettings(), "darwin")] == [
        "hint_macos_local_network",
        "hint_macos_firewall",
    ]
