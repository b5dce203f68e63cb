"""What a player has set, the log file, and the completion scripts."""

from __future__ import annotations

import io
import logging
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli import logfile, settings
from cli.completion import SHELLS
from cli.main import build_parser, command_names, main
from cli.settings import Settings, load, save


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "config.toml"


# --- settings -----------------------------------------------------------------------------------------------------


def test_without_a_file_there_are_defaults(file: Path) -> None:
    """Nobody has to set anything."""
    assert load(file) == (Settings(), [])


def test_what_is_saved_is_read_again_and_nothing_else_is_touched(file: Path) -> None:
    """Comments, unknown lines and tables of a file survive; only what changed is written."""
    file.parent.mkdir()
    file.write_text('# mine\nname = "Ada"  # me\nbell = true\n\n[later]\nthing = 1\n')
    found, troubles = load(file)
    assert found == Settings(name="Ada")
    assert "later" in troubles[0]
    save(replace(found, bell=False, lang="pl"), file)
    assert file.read_text() == '# mine\nname = "Ada"  # me\nbell = false\n\nlang = "pl"\n[later]\nthing = 1\n'
    assert load(file)[0] == Settings(name="Ada", bell=False, lang="pl")
    assert [path.name for path in file.parent.iterdir()] == ["config.toml"]


@given(st.text(max_size=40), st.booleans())
def test_any_text_can_be_saved(name: str, bell: bool) -> None:
    """Quotes, backslashes, line ends and signs nobody has seen come back as they were."""
    name = name.encode("utf-8", "replace").decode("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        wanted = Settings(name=name, bell=bell)
        save(wanted, Path(folder) / "config.toml")
        assert load(Path(folder) / "config.toml") == (wanted, [])


@pytest.mark.parametrize(
    ("text", "kept", "said"),
    [
        ("name = 7", Settings(), "`name`"),
        ('bell = "yes"', Settings(), "true or false"),
        ('name = "Ada"\nbell = 1', Settings(name="Ada"), "`bell`"),
        ("colour = false", Settings(), "`colour`"),
        ("name = ", Settings(), "cannot be read"),
        ("\x00", Settings(), "cannot be read"),
    ],
)
def test_a_damaged_file_is_one_sentence_and_no_obstacle(file: Path, text: str, kept: Settings, said: str) -> None:
    """What can be used is used; what cannot is named, and the game begins all the same."""
    file.parent.mkdir()
    file.write_text(text)
    found, troubles = load(file)
    assert found == kept
    assert len(troubles) == 1
    assert said in troubles[0]
    assert "\n" not in troubles[0]


def test_everything_lies_where_the_platform_or_the_player_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The platform's own folders for settings and logs, or the one folder that NODEALER_HOME names."""
    monkeypatch.delenv("NODEALER_HOME", raising=False)
    assert settings.path().parent.name == logfile.path().parent.parent.name or settings.path() != logfile.path()
    assert "nodealer" in settings.path().parts
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    assert settings.path() == tmp_path / "config.toml"
    assert logfile.path() == tmp_path / "nodealer.log"


def test_every_setting_has_the_type_of_its_default() -> None:
    """A flat table of texts and switches: what `save` can write."""
    assert {type(field.default) for field in fields(Settings)} == {str, bool}


# --- the log file -------------------------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "logs" / "nodealer.log"
    logfile.stop()


def test_whatever_looks_like_a_secret_never_reaches_the_file(log: Path) -> None:
    """Keys in hexadecimal and base64, raw bytes, also inside a traceback; what is no secret stays."""
    assert logfile.start(file=log) == log
    secrets = ("a1" * 16, "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4", repr(b"\x01secret\xff"), repr(b"it's"))
    try:
        raise ValueError(" ".join(secrets))
    except ValueError:
        logging.getLogger("table").exception("step 0.12 commit seat 1")
    logfile.stop()
    text = log.read_text()
    assert "step 0.12 commit seat 1" in text
    assert "ValueError" in text
    assert text.count(logfile.HIDDEN) >= 4
    assert not any(secret in text for secret in secrets)


def test_a_whole_game_leaves_no_card_of_a_hand_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even with --verbose: steps, seats and sizes, no face that was not open, no key; and it is on stderr too."""
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n"))
    assert main(["play", "2win", "--bots", "1", "--seed", "4", "--verbose", "--lang", "en"]) == 0
    seen = capsys.readouterr()
    text = (tmp_path / "nodealer.log").read_text()
    assert "commit" in text
    assert "step 0.3 link" in seen.err
    drawn = next(line for line in seen.out.splitlines() if line.startswith("You draw "))
    faces = drawn.removeprefix("You draw ").rstrip(".").replace("*", "").split(", ")
    assert len(faces) == 9
    lines = text.splitlines()
    assert not any(f" {face} " in line or "hand=" in line for line in lines for face in faces)
    assert logfile.HIDDEN not in text


def test_a_place_that_cannot_be_written_costs_the_log_not_the_game(tmp_path: Path) -> None:
    """A file where the folder should be: nothing is raised."""
    (tmp_path / "taken").write_text("")
    assert logfile.start(file=tmp_path / "taken" / "nodealer.log") is None
    logfile.stop()


# --- completion ---------------------------------------------------------------------------------------------------


def completed(script: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    typed = " ".join(f"'{word}'" for word in words)
    ask = f"source {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _nodealer; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True, cwd=script.parent)
    return done.stdout.split()


def test_bash_completes_commands_options_and_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Asked as bash itself asks."""
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "nodealer.bash"
    script.write_text(capsys.readouterr().out)
    assert completed(script, "nodealer", "pla") == ["play", "playthrough"]
    assert completed(script, "nodealer", "play", "--lang", "p") == ["pl"]
    assert completed(script, "nodealer", "play", "2s") == ["2sans3"]
    assert completed(script, "nodealer", "play", "--pl") == ["--plain"]
    assert completed(script, "nodealer", "simulate", "--bots", "th") == ["thinker"]
    assert completed(script, "nodealer", "verify", "nodealer.b") == ["nodealer.bash"]
    assert set(completed(script, "nodealer", "")) >= set(command_names())


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_knows_every_command_and_option(shell: str) -> None:
    """Whatever the command line has is in it; its texts cannot break out of their quotes."""
    parser = build_parser()
    script = SHELLS[shell](parser)
    for name in command_names():
        assert name in script
    assert script.count("2sans3") >= 3
    assert "--no-color" in script or "no-color" in script
    for line in script.splitlines():
        assert line.count("'") % 2 == 0, line


def test_an_unknown_shell_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, exit code 2."""
    with pytest.raises(SystemExit) as stop:
        main(["completion", "tcsh"])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
