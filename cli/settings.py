"""What a player has set: a small file in the platform's own place for such files, or where NODEALER_HOME says.

Law: knows files and plain values, no screen and no game. A damaged file never stops a game: what cannot be used is
named in one sentence, and the default holds. Unknown lines and comments survive when the program writes.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

APP = "nodealer"
FILE = "config.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """Each field is a line of the file. A field's type is that of its default."""

    name: str = ""  # nickname; "": the name of the login
    lang: str = ""  # en fr de it es nl pl; "": what the system says
    ascii: bool = False  # nothing but ASCII on the screen
    color: bool = True  # colours, where the terminal has them and NO_COLOR does not forbid them
    plain: bool = False  # line mode, for screen readers
    bell: bool = True  # ring when it is my turn
    mouse: bool = True  # cards can be clicked
    confirm: bool = True  # ask once more before a choice is sent
    panel: bool = False  # the protocol panel is out from the start


def home() -> Path | None:
    """Where everything of this program lies if NODEALER_HOME says so."""
    chosen = os.environ.get("NODEALER_HOME")
    return Path(chosen) if chosen else None


def path() -> Path:
    return (home() or user_config_path(APP, appauthor=False)) / FILE


def load(file: Path | None = None) -> tuple[Settings, list[str]]:
    """The settings, and a sentence for everything in the file that could not be used."""
    file = file or path()
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(), []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        return Settings(), [f"The settings in {file} cannot be read ({reason}): mend or delete the file."]
    return from_table(found, str(file))


def from_table(found: Mapping[str, Any], where: str) -> tuple[Settings, list[str]]:
    usable: dict[str, Any] = {}
    troubles = []
    for field in fields(Settings):
        if field.name not in found:
            continue
        value = found[field.name]
        if type(value) is type(field.default):
            usable[field.name] = value
        else:
            wanted = "true or false" if isinstance(field.default, bool) else "a text in quotes"
            troubles.append(f"`{field.name}` in {where} must be {wanted}: the default is used instead.")
    unknown = sorted(set(found) - {field.name for field in fields(Settings)})
    if unknown:
        troubles.append(f"{where} sets {', '.join(f'`{name}`' for name in unknown)}, which nothing here is called.")
    return replace(Settings(), **usable), troubles


def save(settings: Settings, file: Path | None = None) -> None:
    """Write what differs from what the file says, in place; everything else in it stays as it is. Raises OSError."""
    file = file or path()
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    kept, _ = load(file)
    lines = before.splitlines()
    for field in fields(Settings):
        value = getattr(settings, field.name)
        if value != getattr(kept, field.name):
            lines = _with(lines, field.name, value)
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{FILE}.")
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write("".join(f"{line}\n" for line in lines))
    os.replace(temporary, file)


def _with(lines: list[str], name: str, value: bool | str) -> list[str]:
    """The lines with this one set; a new line stands before the first table, where it still is ours."""
    shown = f"{name} = {_toml(value)}"
    end = next((at for at, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    for at in range(end):
        if lines[at].split("=")[0].strip() == name:
            return [*lines[:at], shown, *lines[at + 1 :]]
    return [*lines[:end], shown, *lines[end:]]


def _toml(value: bool | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\U{ord(char):08x}" for char in escaped) + '"'
