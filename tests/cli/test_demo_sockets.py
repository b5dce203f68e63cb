"""The commands that play over real sockets, as processes: what they print, how they end, what they leave behind."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from cli.demo import free_udp_port, loopback
from cli.main import main
from cli.peer_arguments import TCP_PORT, ZRE_PORT
from engine.shelf import find
from p2p.net import lan
from p2p.verify import verify_log

ROOT = Path(__file__).parents[2]


def start(home: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NODEALER_HOME": str(home)},
    )


def run(home: Path, *words: str) -> tuple[int, list[dict[str, Any]], str]:
    with nothing_left():
        process = start(home, *words)
        out, told = process.communicate(timeout=120)
    return process.returncode, [json.loads(line) for line in out.splitlines()], told


@contextmanager
def nothing_left() -> Iterator[None]:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before


def local(port: int) -> list[str]:
    return ["--lan-port", str(port), "--port", "0", "--interface", loopback()]


def first_event(process: subprocess.Popen[str], kind: str) -> dict[str, Any]:
    assert process.stdout is not None
    for line in process.stdout:
        row: dict[str, Any] = json.loads(line)
        if row["event"] == kind:
            return row
    raise AssertionError(f"ended without telling {kind}")


@pytest.mark.parametrize(("game", "players"), [("2win", 3), ("2sans3", 2)])
def test_a_demo(tmp_path: Path, game: str, players: int) -> None:
    """A whole game between processes, verified; only the log is kept, and the narration is not on stdout."""
    code, rows, told = run(tmp_path, "demo", game, "--players", str(players), "--seed", "7", "--json")
    assert code == 0, told
    (result,) = rows
    assert {name: result[name] for name in ("game", "players", "verified")} == {
        "game": game,
        "players": players,
        "verified": True,
    }
    assert sorted(seat for group in result["result"]["ranking"] for seat in group) == list(range(players))
    assert 0 < result["setup_ms"] <= result["wall_ms"]
    assert result["rounds"] > 0
    assert result["bytes_sent"] > 10_000
    log = Path(result["log"])
    assert log.is_absolute()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [log]
    verdict = verify_log(log.read_bytes(), find)
    assert verdict.ok
    assert verdict.finished
    assert "shuffles and re-encrypts" in told


def test_two_demos_at_once_do_not_mix(tmp_path: Path) -> None:
    """Each has a port of its own for its beacons."""
    demos = [start(tmp_path / str(index), "demo", "2sans3", "--players", "2", "--json") for index in range(2)]
    outs = [demo.communicate(timeout=120) for demo in demos]
    assert [demo.returncode for demo in demos] == [0, 0], outs
    assert all(json.loads(out)["verified"] for out, _ in outs)


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "3win"],
        ["demo", "2win", "--players", "7"],
        ["host", "2win", "--players", "3", "--bots", "3"],
        ["host", "2win", "--table", "not this"],
        ["join", "NO-INVITE"],
        ["bot", "--level", "cheat"],
        ["bot", "--lan-port", "70000"],
        ["bot", "--pause", "-1"],
        ["resume", "--throw-away"],
        ["join", "--profile", "../elsewhere"],
    ],
)
def test_wrong_use(words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: Any, tmp_path: Path) -> None:
    """Exit code 2, one sentence, nothing on stdout and nothing opened."""
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    try:
        code = main(words)
    except SystemExit as ended:
        code = int(ended.code or 0)
    shown = capsys.readouterr()
    assert code == 2
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1


def test_nothing_found_and_nothing_to_resume(tmp_path: Path) -> None:
    """Used rightly, and it did not work: exit code 1 and a sentence."""
    port = free_udp_port()
    code, rows, told = run(tmp_path, "join", "--wait", "0.3", "--json", *local(port))
    assert (code, [row["event"] for row in rows]) == (1, ["started"])
    assert "No table with a free seat was found" in told
    code, _, told = run(tmp_path, "resume", *local(port))
    assert (code, "no unfinished game" in told) == (1, True)


def test_host_with_bots_and_a_guest_by_invite(tmp_path: Path) -> None:
    """Host, its child bot and a guest with the invite play one game: events in order, the result last, one log."""
    port = free_udp_port()
    with nothing_left():
        host = start(tmp_path / "host", "host", "2sans3", "--players", "3", "--bots", "1", "--json", *local(port))
        opened = first_event(host, "opened")
        guest = start(tmp_path / "guest", "join", opened["invite"], "--json", *local(port))
        outs = [process.communicate(timeout=120)[0].splitlines() for process in (host, guest)]
    assert [host.returncode, guest.returncode] == [0, 0]
    results = [json.loads(lines[-1]) for lines in outs]
    assert {row["event"] for row in results} == {"result"}
    assert results[0]["digest"] == results[1]["digest"]
    assert results[0]["table"] == opened["table"] == results[1]["table"]
    events = [json.loads(line)["event"] for line in outs[1]]
    order = [events.index(kind) for kind in ("started", "seated", "begun", "seats", "dealt", "result")]
    assert order == sorted(order)
    for row in results:
        log = Path(row["log"])
        assert stat.S_IMODE(log.with_name(log.stem + ".faces.json").stat().st_mode) == 0o600
        assert list(log.parents[1].glob("journals/*")) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("state", ["opened", "begun", "dealt"])
def test_a_signal_ends_it_with_a_goodbye(tmp_path: Path, state: str, number: int) -> None:
    """Waiting, seating or playing: it says goodbye and ends, with its children; the others play on without it."""
    port = free_udp_port()
    with nothing_left():
        host = start(
            tmp_path,
            "host",
            "2win",
            "--players",
            "3",
            "--bots",
            "0" if state == "opened" else "2",
            "--json",
            *local(port),
        )
        first_event(host, state)
        host.send_signal(number)
        _, told = host.communicate(timeout=20)
    assert host.returncode == 130
    assert "Goodbye." in told


def test_a_killed_demo_leaves_no_process(tmp_path: Path) -> None:
    """Even a kill that cannot be caught: its peers notice and say goodbye."""
    demo = start(tmp_path, "demo", "2win", "--players", "3")
    children: list[psutil.Process] = []
    deadline = time.monotonic() + 20
    while len(children) < 3 and time.monotonic() < deadline:
        children = psutil.Process(demo.pid).children()
    demo.kill()
    demo.communicate(timeout=20)
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []


def test_the_ports_are_those_of_the_network() -> None:
    """The command line knows them without importing sockets."""
    assert (ZRE_PORT, TCP_PORT) == (lan.ZRE_PORT, lan.TCP_PORT)
