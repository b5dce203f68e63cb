"""The command line's frame: finding commands, speaking on the right stream, exit codes."""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import cli.commands
from cli import main as frame
from cli import output
from cli.main import build_parser, command_names, main

ROOT = Path(__file__).parents[2]

SHOUT = """
from cli.output import Failed, WrongUse, add_json, emit

def add(subparsers):
    parser = subparsers.add_parser("shout-it", help="say it loudly")
    parser.add_argument("text")
    add_json(parser)

def run(args):
    if args.text == "fail":
        raise Failed("It did not work.")
    if args.text == "wrong":
        raise WrongUse("That cannot be.")
    if args.text == "stop":
        raise KeyboardInterrupt
    emit({"text": args.text.upper()}) if args.json else print(args.text.upper())
    return 0
"""


@pytest.fixture
def shout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shout_it.py").write_text(SHOUT)
    monkeypatch.setattr(cli.commands, "__path__", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "cli.commands.shout_it", raising=False)


@pytest.mark.usefixtures("shout")
class TestACommandIsOneFile:
    def test_it_is_found_under_the_name_of_its_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Dropping a file is all it takes; underscores become hyphens."""
        assert command_names() == ["shout-it"]
        assert main(["shout-it", "hear"]) == 0
        assert capsys.readouterr().out == "HEAR\n"

    def test_help_names_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        """`nodealer` alone and `nodealer --help` list every command."""
        assert main([]) == 0
        assert "say it loudly" in capsys.readouterr().out
        with pytest.raises(SystemExit) as stop:
            main(["--help"])
        assert stop.value.code == 0
        assert "say it loudly" in capsys.readouterr().out

    def test_json_is_one_line_and_all_of_stdout(self, capsys: pytest.CaptureFixture[str]) -> None:
        """--json prints one object on one line and nothing else on stdout."""
        assert main(["shout-it", "hé", "--json"]) == 0
        out = capsys.readouterr().out
        assert out.count("\n") == 1
        assert json.loads(out) == {"text": "HÉ"}

    @pytest.mark.parametrize(
        ("text", "code", "said"), [("fail", 1, "It did not work."), ("wrong", 2, "That cannot be.")]
    )
    def test_trouble_is_a_sentence_on_stderr(
        self, text: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A command that cannot go on says one sentence on stderr, nothing on stdout, and the right exit code."""
        assert main(["shout-it", text]) == code
        seen = capsys.readouterr()
        assert seen.out == ""
        assert seen.err == f"nodealer: {said}\n"

    def test_ctrl_c_ends_without_a_traceback(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Ctrl-C is a wish, not an error."""
        assert main(["shout-it", "stop"]) == 130
        assert capsys.readouterr().err == ""

    @pytest.mark.parametrize("argv", [["shout-it"], ["shout-it", "a", "b"], ["shout-it", "a", "--no-such"], ["--nope"]])
    def test_wrong_arguments_are_one_sentence(self, argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        """Wrong use is exit code 2 and one line on stderr that says where to look."""
        with pytest.raises(SystemExit) as stop:
            main(argv)
        assert stop.value.code == 2
        seen = capsys.readouterr()
        assert seen.out == ""
        assert seen.err.count("\n") == 1
        assert "--help" in seen.err

    def test_an_unknown_command_is_named_with_those_there_are(self, capsys: pytest.CaptureFixture[str]) -> None:
        """A typing mistake shows what could have been meant."""
        assert main(["shuot"]) == 2
        assert "`shuot`" in (err := capsys.readouterr().err)
        assert "shout-it" in err
        assert err.count("\n") == 1


def test_every_command_of_this_project_loads_and_has_help() -> None:
    """Each file in cli/commands/ adds a command of its own name, with a help line."""
    parser = build_parser()
    subparsers = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    assert sorted(subparsers.choices) == command_names()
    helped = {action.dest: action.help for action in subparsers._choices_actions}
    assert set(helped) == set(command_names())
    assert all(helped.values())
    assert all(callable(subparsers.choices[name].get_default("run")) for name in command_names())


def test_version_is_the_distributions(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """--version prints name and version, and says so where nothing is installed."""
    monkeypatch.setattr(frame.metadata, "version", lambda name: {"nodealer": "1.2.3"}[name])
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == "nodealer 1.2.3\n"

    def missing(name: str) -> str:
        raise frame.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(frame.metadata, "version", missing)
    assert "not installed" in frame.version()


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    """`nodealer ... | head` must end quietly when head has seen enough."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "cli"], cwd=ROOT, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.returncode == 1
    assert done.stderr == b""


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_draws_on_a_terminal_and_wipes_itself_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar shows share and count, is not redrawn too often, and leaves an empty line."""
    now = 0.0
    monkeypatch.setattr(output.time, "monotonic", lambda: now)
    screen = FakeTerminal()
    with output.Progress(4, "games", stream=screen) as bar:
        bar.advance()
        assert screen.getvalue() == ""  # too early: would only flicker
        now = 1.0
        bar.advance()
        assert " 50%  2/4 games" in screen.getvalue()
        drawn = screen.getvalue()
        bar.advance()
        assert screen.getvalue() == drawn
    assert screen.getvalue().endswith("\r\x1b[K")


def test_progress_is_silent_where_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe or a log file a bar is noise."""
    monkeypatch.setattr(output, "QUIET_SECONDS", 0.0)
    log = io.StringIO()
    with output.Progress(2, "games", stream=log) as bar:
        bar.advance(2)
    assert log.getvalue() == ""
