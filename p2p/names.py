"""Text that came from a peer, made fit to be seen: a name must not be able to paint somebody's screen.

Law: pure. Everything a peer wrote for people to read passes here before anyone reads it.
"""

from __future__ import annotations

import unicodedata

MAX_NAME = 24  # characters: fits a table column; the wire refuses longer ones

#: Format and control characters (bidi overrides, zero-width, escape), lone surrogates, private use and unassigned.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
_MARKS = {"Mn", "Me"}
_MOST_MARKS = 2  # on one letter: more is decoration that covers the lines above


def clean_text(text: str, most: int) -> str:
    """One line of visible characters in normal form, at most `most` of them."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text[: 8 * most]):
        category = unicodedata.category(character)
        if category[0] == "Z" or character in "\t\r\n":
            kept.append(" ")
        elif category in _UNSEEN:
            continue
        elif category in _MARKS:
            marks += 1
            if marks > _MOST_MARKS or not kept or kept[-1] == " ":
                continue
            kept.append(character)
            continue
        else:
            kept.append(character)
        marks = 0
    return " ".join("".join(kept).split())[:most].strip()


def clean_name(text: str) -> str:
    """A nickname anyone can see and say; never empty."""
    return clean_text(text, MAX_NAME) or "?"


def same_name(left: str, right: str) -> bool:
    """Do people read these as one name? Ignores case and compatible forms (full-width letters, ligatures)."""
    return name_key(left) == name_key(right)


def name_key(name: str) -> str:
    return unicodedata.normalize("NFKC", clean_name(name)).casefold()
