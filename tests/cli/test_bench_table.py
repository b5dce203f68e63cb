"""`nodealer bench table`: what it prints, and that logs stay as small as they are promised to be."""

from __future__ import annotations

import json

import pytest

from cli.bench_table import Meter, play
from cli.main import main
from engine.shelf import find
from p2p.net.remembered import remembered

MOST_BYTES = 800_000  # of one log of six seats
USUAL_BYTES = 500_000  # on average


def test_the_result_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object on one line: ratios to the group operations for set-up and round, to playing for verifying, bytes."""
    assert main(["bench", "table", "2sans3", "--players", "2", "--runs", "1", "--games", "1", "--json"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    result = json.loads(out)
    assert (result["game"], result["players"], result["log_games"]) == ("2sans3", 2, 1)
    assert result["setup"]["ratio"] > 0 < result["round"]["ratio"]
    assert result["verify_ratio"] > 0
    assert 10_000 < result["log_bytes_mean"] == result["log_bytes_most"] < MOST_BYTES


def test_the_result_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json the same as a page; a game of rounds is measured round by round."""
    assert main(["bench", "table", "2win", "--players", "2", "--runs", "1", "--games", "1"]) == 0
    out = capsys.readouterr().out
    for said in ("set-up, to hands dealt", "a round, on average", "its log is checked in", "kB on average"):
        assert said in out


def test_logs_of_six_seats_are_small() -> None:
    """Two of the twenty games that `nodealer bench table` weighs, and none near the limit."""
    with remembered():
        sizes = [len(play(find("2win"), 6, seed)[0].save()) for seed in (0, 1)]
    assert sum(sizes) / len(sizes) <= USUAL_BYTES
    assert max(sizes) <= MOST_BYTES


def test_every_call_is_measured_in_its_part() -> None:
    """What all seats spend in all parts is what the meter read altogether."""
    ticks = iter(range(10**9))
    meter = Meter(lambda: (float(next(ticks)),))
    with remembered():
        play(find("2win"), 2, 0, meter)
    assert meter.parts[0] == "setup"
    assert meter.parts[1] == "round 1"
    assert sum(meter.seats()) == sum(meter.part(part)[0] for part in meter.parts) > 0
