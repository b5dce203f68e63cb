"""`nodealer play`: a whole game line by line, for people and for scripts."""

from __future__ import annotations

import io
from itertools import repeat

import pytest

from cli.main import main


class Typing(io.StringIO):
    """A person who types the same line for ever."""

    def __init__(self, line: str) -> None:
        self._lines = repeat(line + "\n")

    def readline(self, size: int | None = -1) -> str:
        return next(self._lines)


@pytest.mark.parametrize("game", ["2win", "2sans3"])
@pytest.mark.parametrize("bots", ["1", "2"])
def test_an_endless_stream_of_ones_plays_to_the_end(
    game: str, bots: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Choice 1 is always legal and goes on with the game; the winner is named and the exit code is 0."""
    monkeypatch.setattr("sys.stdin", Typing("1"))
    assert main(["play", game, "--bots", bots, "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "wins" in out or "share the win" in out


def test_the_end_of_input_is_a_goodbye(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-D, or a script that has no more lines, is no error."""
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n\n1\n"))
    assert main(["play", "2win", "--seed", "1"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("Goodbye.")


def test_what_is_no_choice_is_explained_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A typing mistake costs nothing."""
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n99\nseven\n²\n-1\n"))
    assert main(["play", "2sans3", "--seed", "1"]) == 0
    seen = capsys.readouterr()
    assert seen.err.count("is not a number from 1 to") == 5
    assert seen.out.count("You: plays") == 0


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["go"], "2sans3, 2win"),
        (["2sans3", "--bots", "4"], "2 to 4 players"),
        (["2win", "--bots", "0"], "0 is less than 1"),
        (["2win", "--level", "genius"], "genius"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line on stderr and exit code 2."""
    try:
        code: object = main(["play", *argv])
    except SystemExit as stop:
        code = stop.code
    seen = capsys.readouterr()
    assert (code, seen.out, seen.err.count("\n")) == (2, "", 1)
    assert said in seen.err
