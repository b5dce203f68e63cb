"""`nodealer bench`: what it prints, and that the card operations cost as many group operations as they should.

Seconds are never tested, only counted operations: each kind at its usual price in multiplications.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from cli.benches.crypto import show
from cli.main import main

PRICE = {"mul": 1.0, "base_mul": 0.33, "add": 0.30, "decode": 0.10, "hash": 0.30}

#: The most that group operations alone may cost, in multiplications: below the promised times, Python needs the rest.
LIMITS = {
    "shuffle_prove_108": 1_100,
    "verify_108": 1_060,
    "verify_link_108": 780,
    "hide_prove_verify_10": 250,
    "cannot_move_prove_verify_10": 3_300,
    "rekey": 25,
    "open_54": 320,
    "rebuild_108_3": 34_000,
}


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patched:
        lines: list[str] = []
        patched.setattr("builtins.print", lambda *words, **_: lines.append(" ".join(map(str, words))))
        assert main(["bench", "crypto", "--json", "--runs", "1"]) == 0
    assert len(lines) == 1
    parsed: dict[str, Any] = json.loads(lines[0])
    return parsed


def test_every_operation_is_measured(result: dict[str, Any]) -> None:
    """One object with the machine's own price of a multiplication and, for each operation, the promised figures."""
    assert result["mul_seconds"] > 0
    assert {*LIMITS} <= {*result["operations"]}
    for name, figures in result["operations"].items():
        assert {"seconds", "mul_equivalents", "group_ops", "bytes", "ratio"} <= {*figures}, name
        assert figures["mul_equivalents"] == pytest.approx(figures["seconds"] / result["mul_seconds"])
        assert figures["group_ops"] == pytest.approx(sum(figures["by_kind"].values()))
        assert figures["bytes"] > 0


@pytest.mark.parametrize("name", LIMITS)
def test_no_operation_does_more_work_than_it_should(result: dict[str, Any], name: str) -> None:
    """Counted group operations, weighed by kind."""
    done = result["operations"][name]["by_kind"]
    assert sum(PRICE[kind] * count for kind, count in done.items()) <= LIMITS[name]


def test_a_proof_of_108_cards_is_at_most_20_kb(result: dict[str, Any]) -> None:
    """The shuffle's proof alone, without the cards it speaks about."""
    assert result["operations"]["shuffle_prove_108"]["bytes"] <= 20_000


def test_for_people_it_is_a_table(result: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each operation, and what each of them is."""
    show(result)
    out = capsys.readouterr().out
    for name, figures in result["operations"].items():
        assert out.count(f"{name} ") >= 1
        assert f"{name}: {figures['what']}" in out


@pytest.mark.parametrize("wrong", [[], ["nothing"], ["crypto", "--runs", "0"], ["crypto", "--runs", "many"]])
def test_wrong_use_is_said_in_a_sentence(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, one line on stderr, nothing on stdout."""
    with pytest.raises(SystemExit) as stopped:
        main(["bench", *wrong])
    assert stopped.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
