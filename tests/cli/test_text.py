"""Styled text on a grid: never wider than told, and nothing from others can move it."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from cli.ui.look import Look
from cli.ui.messages import language
from cli.ui.scene import NAME_COLUMNS, distinct
from cli.ui.text import (
    CUT,
    Fragment,
    beside,
    cells,
    crop,
    cut,
    fit,
    head,
    line,
    pad,
    plain,
    spread,
    tame,
    text_of,
    width,
    wrap,
)

TEXT = st.text(max_size=60)
COLUMNS = st.integers(0, 40)
LINES = st.lists(st.tuples(st.sampled_from(["", "class:a"]), TEXT), max_size=5).map(lambda parts: line(*parts))


@given(TEXT, COLUMNS)
def test_cutting_never_leaves_too_much(text: str, columns: int) -> None:
    """Whatever the characters are: wide, combining, or nothing to see."""
    assert cells(cut(text, columns)) <= columns
    assert cells(pad(text, columns)) == columns
    assert text.startswith(head(text, columns))
    if cells(text) <= columns:
        assert cut(text, columns) == text


@given(LINES, COLUMNS)
def test_a_line_fits_exactly(one: tuple[Fragment, ...], columns: int) -> None:
    """Cropped lines are never too wide, fitted ones have just the width; what was cut is marked."""
    assert width(crop(one, columns)) <= columns
    assert width(fit(one, columns)) == columns
    marked = any(fragment.style == CUT for fragment in crop(one, columns))
    assert marked == (width(one) > columns > 0)


@given(LINES, LINES, COLUMNS)
def test_two_ends_share_a_line(left: tuple[Fragment, ...], right: tuple[Fragment, ...], columns: int) -> None:
    """The right end stays whole as long as it can."""
    both = spread(left, right, columns)
    assert width(both) == columns
    if width(right) < columns:
        assert text_of(both).endswith(text_of(right))


@given(st.text(alphabet="abc é日", max_size=80), st.integers(2, 30))
def test_wrapping_keeps_every_word(text: str, columns: int) -> None:
    """No line is too wide, and no character but spaces is lost."""
    lines = wrap(text, columns)
    assert all(cells(one) <= columns for one in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.text(max_size=120))
def test_a_peers_text_cannot_move_anything(text: str) -> None:
    """No control, no bidi, no zero-width, nothing whose width terminals disagree on; one line."""
    tamed = tame(text)
    for character in tamed:
        assert unicodedata.category(character)[0] != "C"
        assert not 0xFE00 <= ord(character) < 0xFE10
    assert cells(tame(tamed)) == cells(tamed)


def test_emoji_and_blank_letters_in_names_are_tamed() -> None:
    """They would shift every column behind them, or be invisible."""
    assert tame("Ada 😀♥️") == "Ada ?♥"
    assert tame("🇩🇪") == "??"
    assert tame("a\u202eb\x1b[31mc\u200bd\u3164") == "ab[31mcd"


def test_names_are_short_and_never_taken_for_each_other() -> None:
    """Equal to the eye means numbered; long means cut, by columns; empty means a question mark."""
    look = Look(language("en"))
    shown = distinct(("Ada", "ada", "ＡＤＡ", "", "x" * 40, "日" * 24), look)
    assert shown[:4] == ("Ada", "ada 2", "ＡＤＡ 3", "?")
    assert all(cells(name) <= NAME_COLUMNS + 2 for name in shown)
    ascii = Look(language("en", ascii=True), True)
    assert all(name.isascii() for name in distinct(("Zoë", "日本"), ascii))


def test_blocks_stand_side_by_side() -> None:
    """The shorter one is filled up; trailing spaces are nobody's business."""
    left, right = [line("ab"), line("c")], [line("1"), line("2"), line("3")]
    assert plain(beside(left, right, 4, line("|"))) == "ab  |1\nc   |2\n    |3\n"
