"""Who I am on this machine: a folder with my secret, my nickname and whom I have met. In use by one program at a time.

Law: the only file that reads or writes secrets of a profile. A secret is never readable by anyone else, never written
over, and never half written.

    <user data>/profiles/NAME/key        32 bytes in hex, mode 0600: everything else follows from it
                             /lock       held while a program uses the profile
                             /profile.json, people.json

The folder is the platform's own place for user data; NODEALER_HOME puts it elsewhere.
"""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import re
import secrets
import stat
import sys
import time
from pathlib import Path
from typing import Any

import platformdirs

from engine.game import Note, note
from p2p.names import MAX_NAME, clean_name
from p2p.net.acquaintances import Acquaintances
from p2p.net.errors import ProfileTrouble
from p2p.net.keys import Keys

DEFAULT = "default"
MAX_PROFILES = 64  # how many programs may use profiles of one name at once
MAX_FILE = 4 * 1024 * 1024  # a file larger than this is not ours

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


def home() -> Path:
    """Where this program keeps what belongs to the user."""
    chosen = os.environ.get("NODEALER_HOME")
    return Path(chosen) if chosen else platformdirs.user_data_path("nodealer", appauthor=False)


class Profile:
    """An opened profile. Close it to let others use it; `notices` says what the player should know about opening it."""

    def __init__(self, name: str, keys: Keys, nickname: str, people: Acquaintances, folder: Path | None) -> None:
        self.name = name
        self.keys = keys
        self.nickname = nickname
        self.people = people
        self.folder = folder  # None: a throw-away profile, of which nothing is kept
        self.notices: list[Note] = []
        self._lock: int | None = None
        self._saved: dict[str, str] = {}

    def rename(self, nickname: str) -> None:
        self.nickname = clean_name(nickname)
        self.save()

    def save(self) -> None:
        """Write what has changed. A full disk costs the memory of whom we met, not the game."""
        if self.folder is None:
            return
        for name, content in (("profile.json", {"nickname": self.nickname}), ("people.json", self.people.to_json())):
            text = json.dumps(content, indent=1)
            if self._saved.get(name) != text:
                with contextlib.suppress(OSError):
                    _write_private(self.folder / name, text)
                    self._saved[name] = text

    def close(self) -> None:
        self.save()
        if self._lock is not None:
            os.close(self._lock)  # which releases it
            self._lock = None

    def __enter__(self) -> Profile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def throw_away(nickname: str = "") -> Profile:
    """A profile that exists only as long as this program."""
    return Profile("", Keys(secrets.token_bytes(32)), clean_name(nickname or _user()), Acquaintances(), None)


def glance(name: str = "", *, root: Path | None = None) -> Profile | None:
    """What a profile says, also while another program uses it; None if there is none. Keeps nothing that changes."""
    wanted = name or DEFAULT
    if not _NAME.fullmatch(wanted):
        raise ProfileTrouble(note("profile_bad_name", profile=wanted[:40]))
    folder = (root or home()) / "profiles" / wanted
    try:
        if not (folder / "key").exists():
            return None
        seen = _load(wanted, folder, 1)
    except OSError as error:
        raise ProfileTrouble(note("profile_unusable", path=str(folder), why=error.strerror or "")) from error
    seen.folder = None
    return seen


def open_profile(name: str = "", *, root: Path | None = None, exact: bool = False) -> Profile:
    """Open this profile (made if need be), or, while another program uses it, the next free one: NAME-2, NAME-3, …

    `exact`: take no other. Raises ProfileTrouble.
    """
    wanted = name or DEFAULT
    if not _NAME.fullmatch(wanted):
        raise ProfileTrouble(note("profile_bad_name", profile=wanted[:40]))
    root = root or home()
    for number in range(1, MAX_PROFILES + 1):
        each = wanted if number == 1 else f"{wanted}-{number}"
        folder = root / "profiles" / each
        try:
            _make_private_folder(folder)
            lock = _lock(folder / "lock")
            if lock is None:
                if exact:
                    raise ProfileTrouble(note("profile_in_use", profile=wanted))
                continue
            try:
                profile = _load(each, folder, number)
            except BaseException:
                os.close(lock)
                raise
        except OSError as error:
            raise ProfileTrouble(note("profile_unusable", path=str(folder), why=error.strerror or "")) from error
        profile._lock = lock
        if number > 1:
            profile.notices.append(note("profile_next", wanted=wanted, taken=each))
        return profile
    raise ProfileTrouble(note("profile_in_use", profile=wanted))


def _load(name: str, folder: Path, number: int) -> Profile:
    notices = []
    path = folder / "key"
    if not path.exists():
        _write_private(path, secrets.token_hex(32) + "\n")
    elif os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        path.chmod(0o600)
        notices.append(note("profile_key_was_open", path=str(path)))
    try:
        secret = bytes.fromhex(_read(path))
        keys = Keys(secret) if len(secret) == 32 else None
    except ValueError:
        keys = None
    if keys is None:  # never replaced by a new one: it may be the only copy of somebody's name
        raise ProfileTrouble(note("profile_key_damaged", path=str(path)))
    settings, people = _read_json(folder / "profile.json", notices), _read_json(folder / "people.json", notices)
    nickname = settings.get("nickname")
    if not isinstance(nickname, str) or not nickname:
        nickname = _user() if number == 1 else f"{_user()[: MAX_NAME - 3]} {number}"
    profile = Profile(name, keys, clean_name(nickname), Acquaintances.from_json(people), folder)
    profile.notices = notices
    return profile


def _user() -> str:
    try:
        return clean_name(getpass.getuser())
    except (OSError, KeyError, ImportError):
        return "player"


# --- files --------------------------------------------------------------------------------------------------------


def _make_private_folder(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.mkdir(exist_ok=True, mode=0o700)


def _write_private(path: Path, text: str) -> None:
    """All of it or nothing, readable by nobody else from the first moment, and still there after a power cut."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    if os.name == "posix":
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _read(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(MAX_FILE)


def _read_json(path: Path, notices: list[Note]) -> dict[str, Any]:
    """The object in this file; nothing if there is none. A damaged file is set aside, not lost."""
    if not path.exists():
        return {}
    try:
        content = json.loads(_read(path))
        if isinstance(content, dict):
            return content
    except (ValueError, RecursionError):
        pass
    aside = path.with_name(f"{path.name}.damaged-{int(time.time())}")
    path.replace(aside)
    notices.append(note("profile_file_damaged", path=str(aside)))
    return {}


if sys.platform == "win32":
    import msvcrt

    def _lock(path: Path) -> int | None:
        """The open lock file, or None if another program holds it."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            os.close(descriptor)
            return None
        return descriptor

else:
    import fcntl

    def _lock(path: Path) -> int | None:
        """The open lock file, or None if another program holds it."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor
