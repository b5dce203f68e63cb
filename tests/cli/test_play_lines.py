"""`nodealer play` in line mode: a whole game for people, screen readers and scripts."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import gettext
import io
import os
import pty
import re
import signal
import subprocess
import sys
import termios
from itertools import repeat
from pathlib import Path

import pytest
from dealt_table import DealtTable
from scenes import Pseudo

from cli.main import main
from cli.settings import Settings
from cli.ui.look import Look
from cli.ui.messages import LANGUAGES, language
from cli.ui.options import Manner, add_options, choose
from cli.ui.plain import Plain, Quit
from cli.ui.text import cells
from engine.shelf import find

ROOT = Path(__file__).parents[2]
SCREENS = Path(__file__).parent / "screens"
COMMAND = [sys.executable, "-m", "cli", "play"]


class Typing(io.StringIO):
    """Somebody who types the same line for ever."""

    def __init__(self, line: str) -> None:
        super().__init__()
        self._lines = repeat(line + "\n")

    def readline(self, size: int | None = -1, /) -> str:
        return next(self._lines)


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English, and nothing read from or written to this user's own folders."""
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)


def told(game: str, answers: list[str], *, look: Look | None = None, seed: int = 5, confirm: bool = True) -> list[str]:
    """The lines of a game from the fake dealer's cards; after the answers there is no more input."""
    table = DealtTable(find(game), 3, seed)
    lines: list[str] = []
    waiting = iter(answers)

    def read() -> str:
        for answer in waiting:
            lines.append(f"<- {answer}")
            return answer
        raise EOFError

    mode = Plain(table.chair, look or Look(language("en"), True), read=read, write=lines.append, confirm=confirm)
    table.start()
    with contextlib.suppress(EOFError):
        mode.play()
    return lines


# --- whole games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["2win", "2sans3"])
def test_an_endless_stream_of_ones_plays_to_the_end(game: str) -> None:
    """`yes 1 | nodealer play --bots 2`: real tables, real pipe; the winner is named and the exit code is 0."""
    ones = subprocess.Popen(["yes", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    done = subprocess.run(
        [*COMMAND, game, "--bots", "2"], cwd=ROOT, stdin=ones.stdout, capture_output=True, text=True, check=False
    )
    ones.kill()
    ones.communicate()
    assert (done.returncode, done.stderr) == (0, "")
    ending = done.stdout.splitlines()[-4:]
    assert re.search(r"\bwins?\b|Shared victory", ending[0])
    assert [line[:2] for line in ending[1:]] == ["1.", "2.", "3."] or "Shared" in ending[0]


@pytest.mark.parametrize("game", ["2win", "2sans3"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_ones_play_to_the_end_in_every_language_and_nothing_overflows(game: str, code: str) -> None:
    """One event is one line, of at most 80 columns."""
    lines = told(game, ["1"] * 400, look=Look(language(code), True))
    assert lines[-3:][0][:2] == "1."
    assert "<- 1" in lines
    assert all(cells(line) <= 80 for line in lines), max(lines, key=cells)
    assert not any("\n" in line or "\x1b" in line for line in lines)


@pytest.mark.parametrize("game", ["2win", "2sans3"])
def test_every_word_of_it_comes_from_a_catalogue(game: str) -> None:
    """Line mode in a made-up language: only names, letters of commands and milliseconds are ASCII."""
    look = Look(Pseudo("xx", gettext.NullTranslations()), True)
    lines = told(game, ["?", "t", "r", "p", "p", "no", *["1"] * 400], look=look)
    shown = "\n".join(line for line in lines if not line.startswith("<-"))
    assert set(re.findall("[A-Za-z]+", shown)) <= {"Ada", "Carl", "t", "r", "p", "q", "ms"}


@pytest.mark.parametrize("game", ["2win", "2sans3"])
def test_the_beginning_of_a_game_is_the_one_on_file(game: str) -> None:
    """What a screen reader says: every line up to the third decision, with what can be asked for on the way."""
    shown = "\n".join(told(game, ["?", "t", "2", "2", "1", "1", "2", "1", "1", "x"])) + "\n"
    path = SCREENS / f"{game}-lines.txt"
    if os.environ.get("NODEALER_UPDATE_SCREENS"):
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


# --- one decision -------------------------------------------------------------------------------------------------


def test_a_choice_can_be_changed_until_it_is_sent() -> None:
    """The last option goes back; the first one sends; nothing is asked again after that."""
    lines = told("2win", ["3", "2", "1", "1"])
    ready = [at for at, line in enumerate(lines) if line == "Ready: send it, or change it."]
    assert len(ready) == 2
    assert lines[ready[0] + 2] == "2  choose again"
    assert lines[ready[0] + 4].startswith("Choose a card to pass")
    assert lines[ready[1] + 4] == "Your choice is sealed and sent."


def test_confirming_can_be_switched_off() -> None:
    """Then the choice itself is the last question."""
    assert not any("Ready" in line for line in told("2sans3", ["1"] * 30, confirm=False))


def test_what_is_no_choice_is_answered_and_asked_again() -> None:
    """A typing mistake costs nothing: empty, zero, too large, negative, superscript, words."""
    lines = told("2sans3", ["", "0", "99", "-1", "²", "seven"])
    assert lines.count("Type a number from 1 to 8, or ? for help.") == 6
    assert not any(line.startswith("You play") for line in lines)


def test_help_rules_table_and_quit_are_letters() -> None:
    """They answer, and the question stays; q leaves."""
    lines = told("2win", ["?", "t", "r", "h"])
    assert "q  leave the table" in lines
    assert "B blue, P pink, G green" in lines
    assert any(line.startswith("You: 9 cards; runs") for line in lines)
    assert "3. Draw cards" in lines
    table = DealtTable(find("2win"), 3, 5)
    table.start()
    with pytest.raises(Quit):
        Plain(table.chair, Look(language("en"), True), read=lambda: "q", write=lambda line: None).play()


def test_the_protocol_can_be_heard() -> None:
    """`p` tells from then on what happens underneath, with the milliseconds, and stops again."""
    lines = told("2win", ["p", "1", "1", "p", "1", "1", "1"])
    assert any(re.fullmatch(r"  Ada saw the same as you\. \d+ ms", line) for line in lines)
    assert any("Carl hands on the sealed card, proven the same." in line for line in lines)
    silent = lines[lines.index("The protocol is silent now.") :]
    assert not any(line.startswith("  ") for line in silent)


# --- the command --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answers", ["", "1\n", "1\n1\n1\n"])
def test_the_end_of_input_is_a_goodbye(
    answers: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-D, or a script that has no more lines, is no error, wherever it happens."""
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    assert main(["play", "2win", "--seed", "1"]) == 0
    assert capsys.readouterr().out.endswith("\nGoodbye.\n")


@pytest.mark.parametrize(("given", "code"), [("printf '\\377\\n1\\n' |", 0), ("<&-", 0), ("< /dev/null", 0)])
def test_nothing_that_comes_in_is_a_traceback(given: str, code: int) -> None:
    """Bytes that are no text, no input at all, not even a stream to read from."""
    command = f"{sys.executable} -m cli play 2sans3 --bots 1"
    line = f"{given} {command}" if given.endswith("|") else f"{command} {given}"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.endswith("Goodbye.\n")


def test_a_reader_that_goes_away_ends_the_game() -> None:
    """`yes 1 | nodealer play | head -2` is no traceback, and nothing runs on."""
    line = f"yes 1 | {sys.executable} -m cli play 2sans3 --bots 1 | head -2"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 2


def test_the_same_seed_and_answers_are_the_same_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Line by line."""
    shown = []
    for _ in range(2):
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
        assert main(["play", "2sans3", "--seed", "7", "--bots", "1"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


def test_a_saved_game_convinces_a_stranger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--save keeps the log that `nodealer verify` checks; a place that cannot be written is said in a sentence."""
    monkeypatch.setattr("sys.stdin", Typing("1"))
    file = tmp_path / "game.log"
    assert main(["play", "2sans3", "--bots", "1", "--save", str(file), "--lang", "fr"]) == 0
    assert str(file) in capsys.readouterr().out
    assert main(["verify", str(file)]) == 0
    capsys.readouterr()
    assert main(["play", "2win", "--bots", "1", "--save", str(tmp_path / "no" / "such")]) == 1
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["go"], "Es gibt kein Spiel „go“; die Spiele sind 2sans3, 2win."),
        (["2sans3", "--bots", "4"], "2sans3 ist für 2 bis 4 Personen."),
        (["2win", "--bots", "0"], "0 is less than 1"),
        (["2win", "--level", "genius"], "genius"),
        (["2win", "--lang", "tlh"], "tlh"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line on stderr and exit code 2."""
    try:
        code: object = main(["play", "--lang", "de", *argv])
    except SystemExit as stop:
        code = stop.code
    seen = capsys.readouterr()
    assert (code, seen.out, seen.err.count("\n")) == (2, "", 1)
    assert said in seen.err


def test_ascii_is_all_that_comes_out_if_wanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--ascii, also in a language full of other letters."""
    monkeypatch.setattr("sys.stdin", io.StringIO("?\nt\nr\n1\n1\n"))
    assert main(["play", "2win", "--lang", "pl", "--ascii", "--seed", "2"]) == 0
    assert (shown := capsys.readouterr().out).isascii()
    assert "Wybierz karte do przekazania" in shown


# --- the terminal -------------------------------------------------------------------------------------------------


def in_terminal(*argv: str) -> tuple[subprocess.Popen[bytes], int]:
    """The command in a terminal of its own, which is its controlling one, so that Ctrl-C reaches it."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *argv], cwd=ROOT, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        env={**os.environ, "TERM": "dumb"}, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(slave)
    return process, master


def read_until(master: int, wanted: bytes) -> bytes:
    seen = b""
    while wanted not in seen:
        try:
            part = os.read(master, 4096)
        except OSError:  # the other end is closed: the program has ended
            break
        if not part:
            break
        seen += part
    return seen


def test_ctrl_c_says_goodbye_and_leaves_the_terminal_as_it_was() -> None:
    """In a real terminal, in the middle of a question."""
    process, master = in_terminal("2win", "--bots", "1")
    before = termios.tcgetattr(master)
    assert b"\r\n> " in read_until(master, b"> ")
    os.write(master, b"\x03")
    assert b"Goodbye." in read_until(master, b"Goodbye.")
    assert process.wait(30) == 130
    assert termios.tcgetattr(master) == before
    os.close(master)


def test_kill_says_goodbye_too() -> None:
    """SIGTERM is heard as Ctrl-C is."""
    process, master = in_terminal("2win", "--bots", "1")
    read_until(master, b"> ")
    process.send_signal(signal.SIGTERM)
    assert b"Goodbye." in read_until(master, b"Goodbye.")
    assert process.wait(30) == 130
    os.close(master)


class Stream(io.TextIOWrapper):
    def __init__(self, *, terminal: bool, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def manner_of(*argv: str, settings: Settings | None = None, encoding: str = "utf-8", **environment: str) -> Manner:
    """In a terminal, unless said otherwise."""
    terminal = environment.pop("terminal", "yes") == "yes"
    parser = argparse.ArgumentParser()
    add_options(parser)
    stream = Stream(terminal=terminal, encoding=encoding)
    return choose(parser.parse_args(argv), settings or Settings(), environment, stdin=stream, stdout=stream)


def test_line_mode_is_chosen_where_nothing_else_works() -> None:
    """By option, by setting, on a dumb terminal, and where there is none."""
    assert not manner_of().plain
    assert manner_of("--plain").plain
    assert manner_of(settings=Settings(plain=True)).plain
    assert manner_of(TERM="dumb").plain
    assert manner_of(terminal="no").plain


def test_the_language_is_the_options_then_the_settings_then_the_systems() -> None:
    """The nearer wish wins; a setting that is no language is passed over."""
    assert manner_of("--lang", "it", settings=Settings(lang="nl"), LANG="pl").look.tr.code == "it"
    assert manner_of(settings=Settings(lang="nl"), LANG="pl").look.tr.code == "nl"
    assert manner_of(settings=Settings(lang="tlh"), LANG="pl").look.tr.code == "pl"


def test_colour_and_signs_are_what_the_terminal_and_the_player_bear() -> None:
    """NO_COLOR, --no-color and the setting each switch colours off; ASCII where the encoding knows no more."""
    assert manner_of().colour
    assert not manner_of("--no-color").colour
    assert not manner_of(NO_COLOR="1").colour
    assert manner_of(NO_COLOR="").colour
    assert not manner_of(settings=Settings(color=False)).colour
    assert not manner_of().look.ascii
    for how in (manner_of("--ascii"), manner_of(settings=Settings(ascii=True)), manner_of(encoding="latin-1")):
        assert how.look.ascii
        assert how.look.tr.ascii
    lines = manner_of("--plain", "--lang", "pl").look
    assert lines.ascii  # signs that are read aloud
    assert not lines.tr.ascii  # words as they are written
