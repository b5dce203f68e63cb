"""The commands that look at the network, as whole programs beside real peers. Loopback only."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from p2p.net.invite import read_invite
from p2p.net.profile import open_profile

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "p2p" / "net"))

from lan_party import LOOPBACK, all_meet, party, udp_port, until  # noqa: E402

NOTICE = {"id": "c0ffee", "game": "2win", "seats": 4, "taken": 1, "state": "open", "host": "Ada"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    return tmp_path


def nodealer(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "cli", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(*words: str, code: int = 0) -> dict[str, Any]:
    """What `--json` printed: one object on one line, nothing else."""
    running = nodealer(*words, "--json")
    out, err = running.communicate(timeout=60)
    assert running.returncode == code, err
    (line,) = out.splitlines()
    told: dict[str, Any] = json.loads(line)
    return told


def near(port: int, *more: str) -> list[str]:
    return ["--lan-port", str(port), "--interface", LOOPBACK, "--port", "0", *more]


@pytest.fixture
def port() -> int:
    return udp_port()


def beside(peers: list[str], port: int, words: list[str]) -> dict[str, Any]:
    """Run a command while these peers are there and Ada announces a table."""
    import asyncio

    async def story() -> dict[str, Any]:
        async with party(*peers, port=port) as lans:
            await all_meet(*lans)
            lans[0].announce([NOTICE])
            return await asyncio.to_thread(result, *words)

    return asyncio.run(story())


def test_peers_shows_who_is_there(home: Path, port: int) -> None:
    """Names, words, keys and addresses; and the looking program itself is remembered by nobody."""
    told = beside(["Ada", "Bo"], port, ["peers", "--seconds", "2", *near(port)])
    assert [peer["name"] for peer in told["peers"]] == ["Ada", "Bo"]
    for peer in told["peers"]:
        assert len(peer["words"].split("-")) == 6
        assert (peer["address"], peer["status"], peer["role"]) == ("127.0.0.1", "present", "play")
    assert not (home / "profiles").exists()


def test_peers_warns_of_a_known_name_with_another_key(home: Path, port: int) -> None:
    """What the own profile knows counts, although the looking program is somebody new."""
    with open_profile(root=home) as profile:
        profile.people.accept("Ada", profile.keys.identity.public, 1.0)
    told = beside(["Ada"], port, ["peers", "--seconds", "1", *near(port)])
    assert [peer["trust"] for peer in told["peers"]] == ["changed"]


def test_tables_shows_what_is_announced(home: Path, port: int) -> None:
    """The notice, and whose it is."""
    told = beside(["Ada", "Bo"], port, ["tables", "--seconds", "2", *near(port)])
    (table,) = told["tables"]
    assert {name: table[name] for name in NOTICE} == NOTICE
    assert table["peer"]["name"] == "Ada"


def test_nobody_there_is_no_failure(home: Path, port: int) -> None:
    """An empty list and a hint, not an error."""
    assert result("peers", "--seconds", "0.3", *near(port))["peers"] == []
    assert result("tables", "--seconds", "0.3", *near(port))["tables"] == []
    running = nodealer("peers", "--seconds", "0.3", *near(port))
    out, err = running.communicate(timeout=30)
    assert (out, running.returncode) == ("", 0)
    assert "nodealer doctor" in err


def test_doctor_hears_its_own_beacon(home: Path, port: int) -> None:
    """On loopback everything works: exit 0, the echo seen, and hints since nobody else is there."""
    told = result("doctor", "--seconds", "1", *near(port))
    assert told["ok"] is True
    assert [interface["echo"] for interface in told["interfaces"]] == [True]
    assert told["hints"]
    assert all(finding["sentence"].endswith(".") for finding in told["findings"])


def test_doctor_says_when_the_port_is_taken(home: Path) -> None:
    """Another program keeps the discovery port to itself: exit 1 and the reason."""
    import socket

    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as four,
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as six,
    ):
        four.bind(("", 0))
        six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        six.bind(("", four.getsockname()[1]))
        told = result("doctor", "--seconds", "1", *near(four.getsockname()[1]), code=1)
    assert [finding["name"] for finding in told["findings"]] == ["lan_no_udp"]


def test_id_is_the_same_each_time_and_its_invite_can_be_read(home: Path) -> None:
    """Words, identity, invite; also while the profile is in use."""
    told = result("id", "--profile", "ada", "--interface", LOOPBACK)
    with open_profile("ada", root=home, exact=True) as profile:
        assert told["words"] == profile.keys.identity.public.words
        assert told["identity"] == profile.keys.identity.public.hex()
        assert result("id", "--profile", "ada", "--interface", LOOPBACK) == told
    assert read_invite(told["invite"]).endpoints[0].host == "127.0.0.1"
    assert Path(told["folder"]).is_dir()


@pytest.mark.parametrize(
    "words",
    [
        ["peers", "--seconds", "0"],
        ["peers", "--seconds", "nan"],
        ["tables", "--seconds", "x"],
        ["doctor", "--lan-port", "70000"],
        ["peers", "--profile", "../x"],
        ["id", "--profile", "a/b"],
    ],
)
def test_wrong_use_is_one_sentence(home: Path, words: list[str]) -> None:
    """Exit code 2, one line on stderr, nothing on stdout."""
    running = nodealer(*words)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (2, "")
    assert len(err.strip().splitlines()) == 1


def test_an_interface_that_is_not_there_is_named(home: Path, port: int) -> None:
    """With those that are."""
    running = nodealer("peers", "--interface", "nowhere0", "--lan-port", str(port))
    _, err = running.communicate(timeout=30)
    assert running.returncode == 1
    assert "nowhere0" in err
    assert LOOPBACK in err


@pytest.mark.parametrize(
    ("command", "number"), [("peers", signal.SIGINT), ("tables", signal.SIGTERM), ("doctor", signal.SIGINT)]
)
def test_a_signal_ends_it_with_a_goodbye(home: Path, port: int, command: str, number: signal.Signals) -> None:
    """In the middle of looking: exit code 130, no traceback, and the peers see it leave, not vanish."""
    import asyncio

    from p2p.net.presence import Left

    async def story() -> tuple[int, str, str]:
        async with party("Ada", port=port) as (ada,):
            running = nodealer(command, "--seconds", "50", *near(port))
            await until(lambda: ada.peers())
            os.kill(running.pid, number)
            out, err = await asyncio.to_thread(running.communicate, timeout=30)
            await until(lambda: not ada.peers())
            while not isinstance(event := await ada._postbox.get(), Left):
                assert type(event).__name__ in ("Appeared", "Changed")
            return running.returncode, out, err

    code, out, err = asyncio.run(story())
    assert (code, out) == (130, "")
    assert "Traceback" not in err
