"""Texts and the language they are read in.

Law: knows no game and no screen. A text is written once, in English, inside `m(...)`; tools/catalogues.py finds every
such call and keeps the catalogues in cli/locale/ complete. Values go into `{named}` places.
"""

from __future__ import annotations

import gettext
import locale
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[1] / "locale"
DOMAIN = "nodealer"
#: Code of each language, and what its speakers call it.
LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "fr": "français",
    "de": "Deutsch",
    "it": "italiano",
    "es": "español",
    "nl": "Nederlands",
    "pl": "polski",
}
USUAL = "en"
#: Where a system says what language its user reads, first come first served (the order of gettext itself).
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


class Message(NamedTuple):
    """One text in English. With `many` it is the singular, and a value called `count` decides between the forms."""

    text: str
    many: str = ""
    context: str = ""  # tells apart equal English texts that are different elsewhere


def m(text: str, many: str = "", *, context: str = "") -> Message:
    return Message(text, many, context)


class Language:
    """Says messages. `ascii`: nothing but ASCII comes out, for terminals that know no more."""

    def __init__(self, code: str, catalogue: gettext.NullTranslations, *, ascii: bool = False) -> None:
        self.code = code
        self.ascii = ascii
        self._catalogue = catalogue

    def __call__(self, message: Message, **values: Any) -> str:
        text = self.template(message, values.get("count", 0)).format_map(values)
        return to_ascii(text) if self.ascii else text

    def template(self, message: Message, count: int) -> str:
        text, many, context = message
        if many:
            if context:
                return self._catalogue.npgettext(context, text, many, count)
            return self._catalogue.ngettext(text, many, count)
        return self._catalogue.pgettext(context, text) if context else self._catalogue.gettext(text)


def language(code: str, *, ascii: bool = False) -> Language:
    """One of LANGUAGES. A catalogue that is missing is an error: half a translation helps nobody."""
    if code == USUAL:
        return Language(code, gettext.NullTranslations(), ascii=ascii)
    with (FOLDER / code / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        return Language(code, gettext.GNUTranslations(file), ascii=ascii)


def system_language(environment: Mapping[str, str]) -> str:
    """The code of the language this system's user reads, if we have it; else English."""
    for variable in VARIABLES:
        for wish in environment.get(variable, "").split(":"):
            code = wish.replace("-", "_").split("_")[0].split(".")[0].lower()
            if code in LANGUAGES:
                return code
            if code in ("c", "posix"):
                return USUAL
    return _windows_language() or USUAL


def _windows_language() -> str | None:
    if sys.platform != "win32":
        return None
    import ctypes

    name = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    code = name.split("_")[0]
    return code if code in LANGUAGES else None


#: What has no plain letter inside its decomposition.
_PLAIN = {"ł": "l", "Ł": "L", "ß": "ss", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O"} | {
    "„": '"', "“": '"', "”": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": ",", "–": "-", "—": "-", "−": "-",
    "×": "x", "…": "...", "·": ".", "★": "*", "→": "->", "\u00a0": " ", "\u202f": " ",
}  # fmt: skip


def to_ascii(text: str) -> str:
    """The text in ASCII: letters without their accents, plain quotes and dashes, `?` for whatever is left."""
    if text.isascii():
        return text
    plain = "".join(_PLAIN.get(character, character) for character in text)
    bare = "".join(
        character for character in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(character)
    )
    return bare.encode("ascii", "replace").decode("ascii")
