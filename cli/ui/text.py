"""Styled text on a grid: fragments, lines, and how wide they are.

Law: pure; no game, no language, no terminal. A line is never wider than it is told to be, whatever text comes in.

A fragment is (style, text, action) with the styles of prompt_toolkit (`class:card.blue`); `action` says what a click
on it means, "" for nothing. `formatted` hands lines to prompt_toolkit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from wcwidth import wcwidth

from p2p.names import clean_text

MORE = "…"  # ends a text that was cut
MORE_ASCII = "~"
CUT = "class:cut"  # the style of that sign, by which tests see that something was cut


class Fragment(NamedTuple):
    style: str
    text: str
    action: str = ""


Line = tuple[Fragment, ...]
Part = str | Fragment | tuple[str, str] | tuple[str, str, str]


def line(*parts: Part) -> Line:
    """A line of fragments; a bare string has no style. Empty ones are left out."""
    made = [Fragment("", part) if isinstance(part, str) else Fragment(*part) for part in parts]
    return tuple([fragment for fragment in made if fragment.text])


# --- width --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _cell(character: str) -> int:
    return max(0, wcwidth(character))


def cells(text: str) -> int:
    """How many columns this text takes."""
    return len(text) if text.isascii() and text.isprintable() else sum(map(_cell, text))


def width(one: Line) -> int:
    return sum(cells(fragment.text) for fragment in one)


def head(text: str, columns: int) -> str:
    """As much of the beginning as fits."""
    if cells(text) <= columns:
        return text
    taken = 0
    for index, character in enumerate(text):
        taken += _cell(character)
        if taken > columns:
            return text[:index]
    return text


def cut(text: str, columns: int, more: str = MORE) -> str:
    """The text, or its beginning and a sign that there is more."""
    if cells(text) <= columns:
        return text
    return head(text, columns - cells(more)) + more if columns >= cells(more) else ""


def pad(text: str, columns: int, align: str = "<", more: str = MORE) -> str:
    """The text in so many columns; cut if it is wider. `align`: < > or ^."""
    text = cut(text, columns, more)
    free = columns - cells(text)
    left = {"<": 0, ">": free, "^": free // 2}[align]
    return " " * left + text + " " * (free - left)


def crop(one: Line, columns: int, more: str = MORE) -> Line:
    """The line, or as much of it as fits and a sign that there is more."""
    if width(one) <= columns:
        return one
    room = columns - cells(more)
    if room < 0:
        return ()
    kept: list[Fragment] = []
    for fragment in one:
        text = head(fragment.text, room)
        room -= cells(text)
        kept.append(fragment._replace(text=text))
        if text != fragment.text:
            break
    return (*line(*kept), Fragment(CUT, more))


def fit(one: Line, columns: int, more: str = MORE, style: str = "") -> Line:
    """The line in exactly so many columns."""
    one = crop(one, columns, more)
    return line(*one, Fragment(style, " " * (columns - width(one))))


def spread(left: Line, right: Line, columns: int, more: str = MORE, style: str = "") -> Line:
    """One part at each end; when both do not fit, the left one gives way."""
    right = crop(right, columns, more)
    room = columns - width(right) - 1
    if room < 0:
        return fit(right, columns, more, style)
    return line(*fit(left, room, more, style), Fragment(style, " "), *right)


def wrap(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns, broken at spaces where there are any."""
    lines: list[str] = []
    current = ""
    for word in text.split(" "):
        while cells(word) > columns > 0:
            if current:
                lines.append(current)
                current = ""
            part = head(word, columns) or word[:1]
            lines.append(part)
            word = word[len(part) :]
        joined = f"{current} {word}" if current else word
        if cells(joined) <= columns:
            current = joined
        else:
            lines.append(current)
            current = word
    return [*lines, current] if current or not lines else lines


def beside(left: Sequence[Line], right: Sequence[Line], columns: int, gap: Line, more: str = MORE) -> tuple[Line, ...]:
    """Two blocks side by side; the left one gets `columns` columns."""
    rows = max(len(left), len(right))
    empty: Line = ()
    return tuple(
        line(
            *fit(left[row] if row < len(left) else empty, columns, more),
            *gap,
            *(right[row] if row < len(right) else empty),
        )
        for row in range(rows)
    )


# --- what comes from others ---------------------------------------------------------------------------------------

#: Characters that ask for another picture of the one before them, which changes its width.
_SELECTORS = range(0xFE00, 0xFE10)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_BLANKS = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800"}  # letters and signs that look like nothing


def tame(text: str, most: int = 200) -> str:
    """What a peer wrote, on one line and without anything that could move other text: emoji become `?`."""
    kept = []
    for character in clean_text(text, most):
        if ord(character) in _SELECTORS or character in _BLANKS:
            continue
        picture = unicodedata.category(character) in ("So", "Sk") and _cell(character) != 1
        kept.append("?" if picture or ord(character) in _FLAG_LETTERS else character)
    return "".join(kept)


# --- for whoever shows it -----------------------------------------------------------------------------------------


def text_of(one: Line) -> str:
    return "".join(fragment.text for fragment in one)


def plain(lines: Iterable[Line]) -> str:
    """The bare text, without the spaces at the ends of lines."""
    return "\n".join(text_of(one).rstrip() for one in lines) + "\n"


def formatted(lines: Iterable[Line], clicked: Callable[[str], Any] | None = None) -> list[Any]:
    """The lines as prompt_toolkit's formatted text. `clicked(action)` gives the mouse handler of an action."""
    out: list[Any] = []
    for number, one in enumerate(lines):
        if number:
            out.append(("", "\n"))
        for style, text, action in one:
            out.append((style, text, clicked(action)) if action and clicked else (style, text))
    return out
