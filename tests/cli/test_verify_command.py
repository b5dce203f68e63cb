"""`nodealer verify`: its words, its JSON and its exit codes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from cli.bench_table import play
from cli.main import main
from cli.verdict import BROKE, NOT_VERIFIABLE, PROBLEMS, WENT
from engine.bots import bot
from engine.shelf import find
from p2p.errors import Rule
from p2p.events import Why
from p2p.identity import Identity
from p2p.log import MAGIC, frame, read_log
from p2p.net.cheats import CHEATS
from p2p.net.memory import Host, Network
from p2p.net.remembered import remembered
from p2p.seating import Proposal, rules_digest
from p2p.table import Table


@cache
def whole_log() -> bytes:
    return play(find("2sans3"), 2, 1)[0].save()


@cache
def cheated_log(name: str) -> bytes:
    """Three sit down; "Mallory" cheats while the cards are shuffled, and is found out."""
    game, chance = find("2sans3"), Random(1)
    people = sorted([Identity(chance.randbytes(32)) for _ in range(3)], key=lambda one: one.public)
    proposal = Proposal(
        game.id, rules_digest(game), (), tuple(bytes(one.public) for one in people), chance.randbytes(32)
    )
    kinds = (("Mallory", CHEATS[name]), ("Ada", Table), ("Blaise", Table))
    hosts = [
        Host(
            one.public,
            kind(proposal, game, identity=one, seed=chance.randbytes(32), name=called),
            bot("greedy", game, chance),
        )
        for one, (called, kind) in zip(people, kinds, strict=True)
    ]
    with remembered():
        Network(hosts, chance).run(stop=lambda: all(host.table.fault for host in hosts[1:]))
    return hosts[1].table.save()


def verify(data: bytes, folder: Path, *more: str) -> int:
    path = folder / "game.log"
    path.write_bytes(data)
    return main(["verify", str(path), *more])


def test_a_whole_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0; who played, the result as sentences, and that everything was checked."""
    assert verify(whole_log(), tmp_path) == 0
    seen = capsys.readouterr()
    assert "2sans3: player " in seen.out
    assert "points" in seen.out
    assert "all hold" in seen.out
    assert seen.err == ""


def test_a_whole_game_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line with all that was found."""
    assert verify(whole_log(), tmp_path, "--json") == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    result = json.loads(out)
    assert result["ok"] is result["finished"] is True
    assert result["game"] == "2sans3"
    assert {seat["name"] for seat in result["seats"]} == {"player 1", "player 2"}
    assert all(len(bytes.fromhex(seat["identity"])) == 32 for seat in result["seats"])
    assert sorted(seat for group in result["result"]["ranking"] for seat in group) == [0, 1]
    assert result["result"]["reason"]["name"] in ("most_points", "shared_points")
    assert result["steps"] > 50
    assert result["fault"] is result["problem"] is None
    assert result["departed"] == []
    assert result["minority"] is False


@pytest.mark.parametrize(("name", "rule"), [("stolen-key", Rule.BAD_KEY), ("doubled-card", Rule.BAD_SHUFFLE)])
def test_a_cheat_is_named(name: str, rule: Rule, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1; the cheat's name and seat, the rule in words and by name, and the step."""
    assert verify(cheated_log(name), tmp_path) == 1
    out = capsys.readouterr().out
    assert "Mallory (seat " in out
    assert BROKE[rule] in out
    assert f"Rule {rule.value}, step " in out
    assert verify(cheated_log(name), tmp_path, "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert result["ok"] is result["finished"] is False
    fault = result["fault"]
    assert (fault["name"], fault["rule"]) == ("Mallory", rule.value)
    assert result["seats"][fault["seat"]]["name"] == "Mallory"
    assert f"step {fault['step']}" in out


def test_a_game_cut_between_messages_is_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0, not finished, and it says so."""
    part = MAGIC + b"".join(frame(entry) for entry in read_log(whole_log())[:25])
    assert verify(part, tmp_path) == 0
    assert "Not finished" in capsys.readouterr().out
    assert verify(part, tmp_path, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["ok"] is True
    assert result["finished"] is False
    assert result["result"] is None
    assert verify(MAGIC, tmp_path) == 0
    assert "empty" in capsys.readouterr().out


def test_what_is_no_log_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2 and one sentence: cut inside a message, another file, no file at all."""
    for data in (whole_log()[:-1], b"Dear diary", b""):
        assert verify(data, tmp_path) == 2
        seen = capsys.readouterr()
        assert seen.out == ""
        assert seen.err.count("\n") == 1
        assert "cannot be verified: it is no log" in seen.err
    assert main(["verify", str(tmp_path / "none.log")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert main(["verify", str(tmp_path)]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_an_altered_file_blames_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 1, but no seat is accused of what its signature does not show."""
    entries = read_log(whole_log())
    missing = MAGIC + b"".join(frame(entry) for entry in (*entries[:20], *entries[21:]))
    assert verify(missing, tmp_path) == 1
    out = capsys.readouterr().out
    assert "Message 21 (step " in out
    assert "altered" in out
    assert verify(missing, tmp_path, "--json") == 1
    result = json.loads(capsys.readouterr().out)
    assert result["fault"] is None
    assert "Message 21" in result["problem"]


def test_every_rule_and_problem_has_its_sentence() -> None:
    """Whatever the table can find, the command can say."""
    assert set(BROKE) == set(Rule)
    assert set(WENT) == set(Why)
    assert set(NOT_VERIFIABLE) == {"not_a_log", "no_contract", "unknown_game", "other_rules"}
    assert set(PROBLEMS) == {"not_taken", "not_whole"}
