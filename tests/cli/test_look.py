"""Colours, signs and the choice in the making."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from prompt_toolkit.styles import Style

from cli.ui.choice import Choice
from cli.ui.look import ASCII, INKS, STYLES, UNICODE
from cli.ui.text import cells
from engine.cards import Slot
from engine.game import Move
from engine.games.two_sans_three import NAMES as SANS_COLOURS
from engine.games.two_win import COLOURS as WIN_COLOURS

#: How the three kinds of dichromats see linear RGB: Machado, Oliveira and Fernandes 2009, severity 1.0.
VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
#: CIE76 distance that nobody overlooks; the smallest visible one is about 2.3.
UNMISTAKABLE = 35.0
READABLE = 4.5  # contrast of ink on paper that WCAG asks of text


def linear(colour: str) -> list[float]:
    values = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]


def lab(colour: str, vision: str) -> tuple[float, float, float]:
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in VISIONS[vision]
    )
    x = 0.4124 * red + 0.3576 * green + 0.1805 * blue
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = 0.0193 * red + 0.1192 * green + 0.9505 * blue
    a, b, c = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x / 0.95047, y, z / 1.08883))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("colours", [WIN_COLOURS, SANS_COLOURS], ids=["2win", "2sans3"])
def test_no_two_colours_of_a_game_look_alike_to_anybody(vision: str, colours: tuple[str, ...]) -> None:
    """In normal vision and in the three kinds of colour blindness every two papers are far apart."""
    for one, other in combinations(colours, 2):
        assert math.dist(lab(INKS[one].paper, vision), lab(INKS[other].paper, vision)) > UNMISTAKABLE, (one, other)


def test_the_measure_sees_the_classic_bad_pair() -> None:
    """The check can fail: a usual pink and green are close for a deuteranope."""
    assert math.dist(lab("#e06070", "deutan"), lab("#709048", "deutan")) < UNMISTAKABLE


@pytest.mark.parametrize("name", INKS)
def test_ink_can_be_read_on_its_paper(name: str) -> None:
    """Both are set, so it does not matter whether the terminal is light or dark."""
    dark, light = sorted((luminance(INKS[name].paper), luminance(INKS[name].ink)))
    assert (light + 0.05) / (dark + 0.05) >= READABLE


def test_every_sign_is_one_column_wide_and_told_apart() -> None:
    """Nothing that is drawn shifts what stands behind it."""
    for marks in (UNICODE, ASCII):
        for sign in marks:
            assert cells("".join(sign)) == len("".join(sign))
        states = (marks.may, marks.point, marks.picked, (" ", " "))
        assert len(set(states)) == len(states)
        assert len({marks.done, marks.wait, "?"}) == 3
    assert "".join("".join(sign) for sign in ASCII).isascii()


def test_prompt_toolkit_understands_every_style() -> None:
    """The style sheet is one."""
    assert Style.from_dict(dict(STYLES)).style_rules


PAIRS = [Move("form", (Slot(one), Slot(two))) for one in range(4) for two in range(4) if one != two and one + two > 2]


def test_a_choice_grows_card_by_card_and_can_always_be_changed() -> None:
    """Only what leads to a legal move can be picked; picking again puts back; a full choice starts afresh."""
    choice = Choice()
    assert choice.next_slots(PAIRS) == (0, 1, 2, 3)
    first = choice.pick(Slot(0), PAIRS)
    assert first.next_slots(PAIRS) == (3,)
    assert first.pick(Slot(1), PAIRS) == first  # 0 and 1 are no move
    whole = first.pick(Slot(3), PAIRS)
    assert whole.move(PAIRS) == Move("form", (Slot(0), Slot(3)))
    assert first.move(PAIRS) is None
    assert whole.pick(Slot(3), PAIRS) == first
    assert whole.pick(Slot(0), PAIRS) == Choice()
    assert whole.pick(Slot(2), PAIRS) == Choice((Slot(2),))
    assert whole.back() == first
    assert first.back().back() == Choice()


def test_a_move_may_end_in_a_number() -> None:
    """A game can ask for a number after the cards."""
    moves = [Move("top", (Slot(5),), (draw,)) for draw in (0, 1)]
    picked = Choice().pick(Slot(5), moves)
    assert picked.move(moves) is None
    assert picked.next_values(moves) == (0, 1)
    whole = Choice(picked.picked, (1,))
    assert whole.move(moves) == moves[1]
    assert whole.back() == picked
