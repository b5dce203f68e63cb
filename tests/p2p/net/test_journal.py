"""The journal: whatever the moment the power goes, what is left is the beginning of the story, and nothing else."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.net.journal import MAX_RECORD, Journal, Story, read_journal

SETUP = {"proposal": "00", "seed": "11", "members": []}

#: What a seat notes down: (entry, its memory; None: an entry of somebody else).
NOTES = st.lists(st.tuples(st.binary(min_size=1, max_size=40), st.none() | st.binary(max_size=20)), max_size=6)
Notes = list[tuple[bytes, bytes | None]]


def write(path: Path, notes: Notes) -> None:
    journal = Journal(path, SETUP)
    append(journal, notes)


def append(journal: Journal, notes: Notes) -> None:
    for entry, memory in notes:
        if memory is None:
            journal.heard(entry)
        else:
            journal.say(entry, memory)
    journal.sync()
    journal.close()


def told(notes: Notes) -> tuple[tuple[bytes, bytes], ...]:
    return tuple((entry, memory or b"") for entry, memory in notes)


@settings(deadline=None, max_examples=15)  # each tries every cut, with a sync
@given(NOTES, NOTES)
def test_cut_at_every_byte_the_story_is_a_beginning(first: Notes, more: Notes) -> None:
    """And it can be continued from there: what was half written is gone, what follows is read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole"
        write(path, first)
        data = path.read_bytes()
        assert read_journal(path) == Story(SETUP, told(first))
        longest = -1
        for cut in range(len(data) + 1):
            part = Path(folder) / "part"
            part.write_bytes(data[:cut])
            story = read_journal(part)
            if story is None:
                assert longest == -1, "a longer part tells less"
                continue
            assert story.setup == SETUP
            assert story.entries == told(first)[: len(story.entries)]
            assert len(story.entries) >= longest
            longest = len(story.entries)
            append(Journal(part), more)
            again = read_journal(part)
            assert again is not None
            kept, added = again.entries[: len(story.entries)], again.entries[len(story.entries) :]
            assert kept == story.entries
            assert [entry for entry, _ in added] == [entry for entry, _ in more]
            assert added[1:] == told(more)[1:]
        assert longest == len(first)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_story_or_none(data: bytes) -> None:
    """Never an exception."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "any"
        path.write_bytes(data)
        story = read_journal(path)
        assert story is None or isinstance(story.setup, dict)


def test_a_setup_that_is_none_is_refused(tmp_path: Path) -> None:
    """JSON of another kind, or none at all, in the place of the setup."""
    for content in (b"S[]", b"S{", b"S\xff", b"S" + b"[" * 100_000):
        (tmp_path / "journal").write_bytes(len(content).to_bytes(4, "big") + content)
        assert read_journal(tmp_path / "journal") is None


def test_a_record_too_long_to_be_one_ends_the_story(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    write(path, [(b"one", None)])
    with path.open("ab") as file:
        file.write((MAX_RECORD + 1).to_bytes(4, "big") + bytes(MAX_RECORD + 1))
    assert read_journal(path) == Story(SETUP, ((b"one", b""),))


def test_only_its_owner_can_read_it_from_the_first_moment(tmp_path: Path) -> None:
    """Whatever the process would allow others by default."""
    before = os.umask(0)
    try:
        journal = Journal(tmp_path / "journal", SETUP)
        assert stat.S_IMODE((tmp_path / "journal").stat().st_mode) == 0o600
        journal.close()
    finally:
        os.umask(before)


def test_a_new_journal_never_replaces_one(tmp_path: Path) -> None:
    """It may be the only way back into a game."""
    write(tmp_path / "journal", [(b"one", None)])
    with pytest.raises(FileExistsError):
        Journal(tmp_path / "journal", SETUP)
    assert read_journal(tmp_path / "journal") == Story(SETUP, ((b"one", b""),))


def test_erased_it_holds_nothing_any_more(tmp_path: Path) -> None:
    """Its bytes are written over before its name goes: a second name for them shows it."""
    path, other = tmp_path / "journal", tmp_path / "other"
    journal = Journal(path, SETUP)
    journal.say(b"entry", b"secret")
    journal.sync()
    os.link(path, other)
    journal.close(erase=True)
    assert not path.exists()
    assert set(other.read_bytes()) == {0}
    journal.close(erase=True)  # once more is harmless


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    """Whoever writes before sending must notice."""
    path = tmp_path / "journal"
    path.symlink_to("/dev/full")
    journal = Journal.__new__(Journal)
    journal.path, journal._file = path, os.open(path, os.O_WRONLY)
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        journal.heard(b"entry")
    journal.close()
