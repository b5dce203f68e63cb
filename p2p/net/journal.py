"""What lets a killed program go on with the same game: its seed, and everything it has said and heard, in order.

Law: a message of my own is on the disk before it is on the wire. So a seat that comes back can only repeat itself.
Holds secrets: the file is readable by its owner alone and goes when the game is over.

    file   = records, each: length (4 bytes, big endian), kind, content
    kinds  S  what the table was made of (once, first)
           M  my choice of the moment, kept beside the entry that follows
           E  an entry
"""

from __future__ import annotations

import json
import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_LENGTH = struct.Struct(">I")
MAX_RECORD = 1024 * 1024  # four times the largest entry: anything longer is damage


@dataclass(frozen=True, slots=True)
class Story:
    """What a journal holds. `entries`: (entry, memory kept beside it), in the order they were written."""

    setup: dict[str, Any]
    entries: tuple[tuple[bytes, bytes], ...]


class Journal:
    def __init__(self, path: Path, setup: dict[str, Any] | None = None) -> None:
        """A new journal with this setup, or with none the one that is there, to be continued."""
        self.path = path
        fresh = setup is not None
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | (os.O_EXCL if fresh else 0)
        if not fresh:
            _mend(path)
        self._file = os.open(path, flags, 0o600)
        if setup is not None:
            self._write(b"S" + json.dumps(setup).encode())
            self.sync()
            _sync_folder(path.parent)

    def heard(self, entry: bytes) -> None:
        self._write(b"E" + entry)

    def say(self, entry: bytes, memory: bytes) -> None:
        """Before it is sent. Follow with `sync` before anything leaves."""
        self._write(b"M" + memory)
        self._write(b"E" + entry)

    def sync(self) -> None:
        os.fsync(self._file)

    def close(self, *, erase: bool = False) -> None:
        """`erase`: the game is over, and with it the need for its secrets."""
        if self._file < 0:
            return
        os.close(self._file)
        self._file = -1
        if erase:
            size = self.path.stat().st_size
            with open(self.path, "r+b") as file:  # best effort: a disk may keep what was overwritten
                file.write(bytes(size))
                file.flush()
                os.fsync(file.fileno())
            self.path.unlink()

    def _write(self, record: bytes) -> None:
        data = memoryview(_LENGTH.pack(len(record)) + record)
        while data:  # a write may be short when the disk fills up; the next one raises
            data = data[os.write(self._file, data) :]


def read_journal(path: Path) -> Story | None:
    """The story in this file, up to where it breaks off; None if it does not even say what the table was."""
    setup: dict[str, Any] | None = None
    entries: list[tuple[bytes, bytes]] = []
    memory = b""
    for record in _records(path.read_bytes())[0]:
        kind, content = record[:1], record[1:]
        if kind == b"S" and setup is None:
            setup = _setup(content)
        elif kind == b"M":
            memory = content
        elif kind == b"E":
            entries.append((content, memory))
            memory = b""
    return Story(setup, tuple(entries)) if setup is not None else None


def _setup(content: bytes) -> dict[str, Any] | None:
    try:
        setup = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return setup if isinstance(setup, dict) else None


def _records(data: bytes) -> tuple[list[bytes], int]:
    """The whole records, and where they end: power may have gone in the middle of the last one."""
    records, at = [], 0
    while len(data) - at >= _LENGTH.size:
        (length,) = _LENGTH.unpack_from(data, at)
        if not 0 < length <= MAX_RECORD or length > len(data) - at - _LENGTH.size:
            break
        records.append(data[at + _LENGTH.size : at + _LENGTH.size + length])
        at += _LENGTH.size + length
    return records, at


def _sync_folder(folder: Path) -> None:
    """A new file is there after a power cut only if its folder says so."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mend(path: Path) -> None:
    """Cut off what was written only in part. It was never sent: nothing is sent before it is whole on the disk."""
    data = path.read_bytes()
    end = _records(data)[1]
    if end < len(data):
        with open(path, "r+b") as file:
            file.truncate(end)
