"""Profiles on disk: secrets stay private and whole, and belong to one program at a time."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from p2p.net.acquaintances import Trust
from p2p.net.address import Endpoint
from p2p.net.errors import ProfileTrouble
from p2p.net.keys import Keys
from p2p.net.profile import MAX_PROFILES, home, open_profile, throw_away

ADA = Keys(b"a" * 32).identity.public
EVE = Keys(b"e" * 32).identity.public


def trouble(**arguments: object) -> str:
    with pytest.raises(ProfileTrouble) as raised:
        open_profile(**arguments)  # type: ignore[arg-type]
    return raised.value.note.name


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_same_profile_is_the_same_person(tmp_path: Path) -> None:
    """Closed and opened again: same keys, same nickname, same acquaintances."""
    with open_profile(root=tmp_path) as profile:
        keys = profile.keys
        profile.rename("Ada\x1b[1m Lovelace")
        profile.people.accept("Eve", EVE, 1.0)
        profile.people.remember(keys.key, "Eve", [Endpoint("10.0.0.1", 5)], 2.0)
    with open_profile(root=tmp_path) as again:
        assert again.keys.key == keys.key
        assert again.keys.identity.public == keys.identity.public
        assert again.nickname == "Ada[1m Lovelace"
        assert again.people.meet("Eve", EVE, 3.0) is Trust.KNOWN
        assert again.people.places[0].endpoints == (Endpoint("10.0.0.1", 5),)
        assert again.notices == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_nobody_else_can_read_it(tmp_path: Path, umask: int) -> None:
    """Files 0600 and folder 0700 whatever the umask, and no half-written file is left."""
    before = os.umask(umask)
    try:
        with open_profile("ada", root=tmp_path) as profile:
            profile.rename("Ada")
    finally:
        os.umask(before)
    folder = tmp_path / "profiles" / "ada"
    assert mode(folder) == 0o700
    assert {path.name: mode(path) for path in folder.iterdir()} == dict.fromkeys(
        ["key", "lock", "profile.json", "people.json"], 0o600
    )


def test_a_readable_key_is_closed_and_told(tmp_path: Path) -> None:
    """Copied around with open permissions: tightened, and the player hears that others may have read it."""
    open_profile(root=tmp_path).close()
    key = tmp_path / "profiles" / "default" / "key"
    key.chmod(0o644)
    with open_profile(root=tmp_path) as profile:
        assert [notice.name for notice in profile.notices] == ["profile_key_was_open"]
    assert mode(key) == 0o600


def test_a_second_program_takes_the_next_profile_and_says_so(tmp_path: Path) -> None:
    """Three at once are three people; when one ends, its place is free again."""
    first, second, third = (open_profile("ada", root=tmp_path) for _ in range(3))
    assert [profile.name for profile in (first, second, third)] == ["ada", "ada-2", "ada-3"]
    assert len({profile.keys.key for profile in (first, second, third)}) == 3
    assert len({profile.nickname for profile in (first, second, third)}) == 3
    (notice,) = second.notices
    assert (notice.name, notice["wanted"], notice["taken"]) == ("profile_next", "ada", "ada-2")
    assert trouble(name="ada", root=tmp_path, exact=True) == "profile_in_use"
    second.close()
    with open_profile("ada", root=tmp_path) as fourth:
        assert fourth.name == "ada-2"
        assert fourth.keys.key == second.keys.key
    first.close()
    third.close()


def test_a_killed_program_leaves_no_lock(tmp_path: Path) -> None:
    """The lock belongs to the process, not to a file: after kill -9 the same profile can be opened at once."""
    script = (
        "import sys, time; from pathlib import Path; from p2p.net.profile import open_profile\n"
        "profile = open_profile('ada', root=Path(sys.argv[1])); print(profile.name, flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=Path(__file__).parents[3],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout
        assert child.stdout.readline() == "ada\n"
        assert trouble(name="ada", root=tmp_path, exact=True) == "profile_in_use"
        child.kill()
        child.wait()
    open_profile("ada", root=tmp_path, exact=True).close()


@pytest.mark.parametrize("content", ["", "xyz", "00" * 31, "00" * 33, "\ud800".encode("utf-8", "surrogatepass")])
def test_a_damaged_key_is_never_replaced(tmp_path: Path, content: str | bytes) -> None:
    """It may be the only copy of somebody's name: opening fails, says where, and touches nothing."""
    open_profile(root=tmp_path).close()
    key = tmp_path / "profiles" / "default" / "key"
    raw = content if isinstance(content, bytes) else content.encode()
    key.write_bytes(raw)
    assert trouble(root=tmp_path) == "profile_key_damaged"
    assert key.read_bytes() == raw
    assert trouble(root=tmp_path) == "profile_key_damaged"  # and the lock was given back


@pytest.mark.parametrize("content", ["", "{", "[]", "[" * 100_000, "nul"])
def test_other_damaged_files_are_set_aside(tmp_path: Path, content: str) -> None:
    """Forgetting whom one met is better than not being able to play; the old file is kept beside."""
    open_profile(root=tmp_path).close()
    folder = tmp_path / "profiles" / "default"
    (folder / "people.json").write_text(content)
    with open_profile(root=tmp_path) as profile:
        assert [notice.name for notice in profile.notices] == ["profile_file_damaged"]
    assert [path.read_text() for path in folder.glob("people.json.damaged-*")] == [content]


def test_odd_entries_are_skipped(tmp_path: Path) -> None:
    """One bad entry does not cost the good ones."""
    with open_profile(root=tmp_path) as profile:
        profile.people.accept("Ada", ADA, 1.0)
    path = tmp_path / "profiles" / "default" / "people.json"
    content = json.loads(path.read_text())
    content["people"] += [{}, {"name": 5}, {"name": "x", "keys": ["zz"], "seen": 1, "played": 1}, "what"]
    content["places"] += [{}, {"key": "x", "name": "x", "endpoints": [["h", 1]], "seen": 1}, 7]
    path.write_text(json.dumps(content))
    with open_profile(root=tmp_path) as profile:
        assert profile.people.meet("Ada", ADA, 2.0) is Trust.KNOWN


@pytest.mark.parametrize("name", ["../up", "a/b", ".", "", " ", "a" * 33, "-x", "nul\0"])
def test_a_profile_name_is_no_path(tmp_path: Path, name: str) -> None:
    """Names cannot lead out of the folder. (No name means the default.)"""
    if name:
        assert trouble(name=name, root=tmp_path) == "profile_bad_name"
        assert not (tmp_path / "profiles").exists()


def test_an_unusable_place_is_a_sentence_not_a_crash(tmp_path: Path) -> None:
    """The user data folder is a file: said with its path."""
    (tmp_path / "profiles").write_text("in the way")
    assert trouble(root=tmp_path) == "profile_unusable"


def test_there_is_an_end_to_further_profiles(tmp_path: Path) -> None:
    """A program started in a loop does not fill the disk."""
    opened = [open_profile(root=tmp_path) for _ in range(MAX_PROFILES)]
    assert trouble(root=tmp_path) == "profile_in_use"
    for profile in opened:
        profile.close()


def test_a_throw_away_profile_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody new each time, and not a byte on disk."""
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    assert home() == tmp_path
    with throw_away("Bot") as one, throw_away("Bot") as two:
        one.rename("Robot")
        assert one.keys.key != two.keys.key
    assert list(tmp_path.iterdir()) == []
