"""The screens: what stands on them, that they fit, and that they survive any size."""

from __future__ import annotations

import gettext
import io
import os
import re
from dataclasses import replace
from pathlib import Path

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import Style
from scenes import Pseudo, all_scenes, decisions, ended, seating

from cli.ui.choice import Choice
from cli.ui.look import STYLES, Look
from cli.ui.messages import LANGUAGES, language
from cli.ui.scene import Scene
from cli.ui.screen import LEAST_COLUMNS, LEAST_ROWS, page
from cli.ui.text import CUT, formatted, plain, text_of, width
from engine.game import note

SCREENS = Path(__file__).parent / "screens"
#: Set it to write the files anew after a wanted change; then read the difference.
UPDATE = bool(os.environ.get("NODEALER_UPDATE_SCREENS"))
GAMES = (("2win", 2), ("2win", 6), ("2sans3", 2), ("2sans3", 4))
ENGLISH = Look(language("en"))


def picking(scene: Scene) -> Scene:
    """With the cursor on the second card that can be chosen, and what was chosen before it."""
    first = Choice((scene.moves[0].slots[0],)) if len(scene.moves[0].slots) > 1 else Choice()
    following = first.next_slots(scene.moves)
    cursor = [at for at, one in enumerate(scene.hand) if one.slot in following]
    return replace(scene, choice=first, cursor=cursor[min(1, len(cursor) - 1)])


def golden() -> dict[str, Scene]:
    win, win6, sans = decisions("2win", 3), decisions("2win", 6), decisions("2sans3", 4)
    return {
        "seating": seating("2win", 4),
        "2win-pass": win[2],
        "2win-form": picking(win[5]),
        "2win-six": picking(win6[5]),
        "2win-protocol": replace(win[5], panel=True),
        "2win-refused": replace(win[5], hint=note("number_too_low", number=12, last=34)),
        "2win-end": ended("2win", 3),
        "2sans3-turn": replace(sans[9], cursor=2),
        "2sans3-protocol": replace(sans[9], panel=True),
        "2sans3-end": ended("2sans3", 4),
        "help": replace(win[0], page="help"),
        "rules": replace(sans[0], page="rules"),
    }


CASES = [
    *((name, 80, 24, False) for name in golden()),
    *((name, 120, 40, False) for name in ("2win-form", "2win-protocol", "2sans3-turn", "2win-end", "seating")),
    *((name, 80, 24, True) for name in ("2win-form", "2sans3-turn", "2win-protocol", "help")),
]


def compare(name: str, shown: str) -> None:
    path = SCREENS / name
    if UPDATE:
        SCREENS.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8"), f"set NODEALER_UPDATE_SCREENS=1 if {name} is to change"


@pytest.mark.parametrize(("name", "columns", "rows", "ascii"), CASES)
def test_the_screens_are_those_on_file(name: str, columns: int, rows: int, ascii: bool) -> None:
    """Every page as text, in the sizes and signs people have."""
    look = Look(language("en", ascii=ascii), ascii)
    shown = plain(page(golden()[name], look, columns, rows))
    assert not ascii or shown.isascii()
    compare(f"{name}-{columns}x{rows}{'-ascii' if ascii else ''}.txt", shown)


def on_terminal(scene: Scene, columns: int, rows: int, depth: ColorDepth) -> pyte.Screen:
    """The screen as a real terminal shows it, through prompt_toolkit."""
    sink = io.StringIO()
    output = Vt100_Output(sink, lambda: Size(rows=rows, columns=columns), default_color_depth=depth)
    text = FormattedText(formatted(page(scene, ENGLISH, columns, rows)))
    print_formatted_text(output, text, Style.from_dict(dict(STYLES)), color_depth=depth)
    screen = pyte.Screen(columns, rows)
    stream = pyte.Stream(screen)
    stream.feed(sink.getvalue())
    return screen


def marks(screen: pyte.Screen, row: int) -> str:
    """How each cell of a row is drawn: Reverse, bold, underlined, italic; capital: two at once."""
    shown = ""
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        on = [name for name in ("reverse", "bold", "underscore", "italics") if getattr(cell, name)]
        shown += " " if not on else on[0][0] if len(on) == 1 else on[0][0].upper()
    return shown.rstrip()


@pytest.mark.parametrize("name", ["2win-form", "2sans3-turn"])
def test_without_colour_the_screen_still_says_everything(name: str) -> None:
    """NO_COLOR (one bit of colour): no cell has a colour; letters, signs, bold, underline and reverse remain."""
    screen = on_terminal(golden()[name], 80, 24, ColorDepth.DEPTH_1_BIT)
    cells = [screen.buffer[row][column] for row in range(24) for column in range(80)]
    assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
    rows = [part for row in range(24) for part in (screen.display[row].rstrip(), marks(screen, row)) if part]
    compare(f"{name}-80x24-no-color.txt", "\n".join(rows) + "\n")


def test_with_colour_every_card_lies_on_its_paper() -> None:
    """The face of each hand card stands on its colour, ink and paper both set."""
    screen = on_terminal(golden()["2win-form"], 80, 24, ColorDepth.DEPTH_24_BIT)
    row = next(at for at, shown in enumerate(screen.display) if "[" in shown)
    papers = {screen.buffer[row][column].bg for column in range(80)} - {"default"}
    assert papers <= {"0d2c85", "e8559f", "54fba0"}
    assert papers


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_nothing_is_cut_in_any_language(code: str, game: str, players: int) -> None:
    """80 columns hold every word of every page in every language, and the keys that matter."""
    look = Look(language(code))
    for scene in all_scenes(game, players):
        for columns, rows in ((80, 24), (120, 40)):
            lines = page(scene, look, columns, rows)
            assert len(lines) == rows
            assert max(map(width, lines)) <= columns
            cut = [text_of(one) for one in lines if any(fragment.style == CUT for fragment in one)]
            assert not cut, cut
            assert not scene.page or "key close" in {fragment.action for fragment in lines[-1]}
            assert scene.page or "key quit" in {fragment.action for fragment in lines[-1]}


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_word_comes_from_a_catalogue(game: str, players: int) -> None:
    """In a made-up language without ASCII letters only names, keys, draws, codes and milliseconds have any."""
    look = Look(Pseudo("xx", gettext.NullTranslations()))
    known = {
        "Ada",
        "Blaise",
        "Carl",
        "Dorothy",
        "Emmy",
        "Felix",
        "Esc",
        "PgUp",
        "p",
        "q",
        "r",
        "a",
        "A",
        "B",
        "C",
        "D",
        "ms",
    }
    for scene in all_scenes(game, players):
        shown = plain(page(scene, look, 100, 40))
        shown = shown.replace(scene.story.code or "-", "").replace(scene.game_file or "-", "")
        assert set(re.findall("[A-Za-z]+", shown)) <= known


@given(st.integers(0, 130), st.integers(0, 50), st.integers(0, 10**6), st.booleans())
@settings(max_examples=120, deadline=None)
def test_any_size_is_filled_exactly_and_never_overflows(columns: int, rows: int, which: int, ascii: bool) -> None:
    """From nothing at all up to a wall: so many lines, none too wide; below the least size a sentence says so."""
    game, players = GAMES[which % len(GAMES)]
    scenes = all_scenes(game, players)
    lines = page(scenes[which % len(scenes)], Look(language("pl", ascii=ascii), ascii), columns, rows)
    assert len(lines) == rows
    assert all(width(one) <= columns for one in lines)
    small = columns < LEAST_COLUMNS or rows < LEAST_ROWS
    if small and columns >= 40 and rows >= 3:
        assert str(LEAST_COLUMNS) in plain(lines)
        assert str(LEAST_ROWS) in plain(lines)


def test_the_next_frame_of_the_same_scene_is_the_same() -> None:
    """Drawing is a function of the scene, the look and the size."""
    scene = golden()["2win-form"]
    assert page(scene, ENGLISH, 80, 24) == page(replace(scene), ENGLISH, 80, 24)


def test_cards_carry_what_a_click_on_them_means() -> None:
    """Every hand card names its place, every key its action; nothing else can be clicked."""
    scene = golden()["2win-form"]
    actions = {fragment.action for one in page(scene, ENGLISH, 80, 24) for fragment in one} - {""}
    assert {f"card {one.slot}" for one in scene.hand} <= actions
    assert all(action.split()[0] in ("card", "key") for action in actions)
    clicked: list[str] = []
    text = formatted(page(scene, ENGLISH, 80, 24), lambda action: lambda event: clicked.append(action))
    next(part for part in text if len(part) == 3 and part[2])[2](None)
    assert clicked
