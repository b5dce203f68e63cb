"""How things look: the signs and colours of cards, the marks, and the styles of everything on screen.

Law: data and look-ups; knows colours by the names the rules give them, and no rule. Colour is never the only sign:
every colour has a letter in each language and a symbol of its own, and every state a mark.

The colours keep a distance that nobody can miss, in normal vision and in the three kinds of colour blindness; a test
computes it. Cards set both paper and ink, so that they are the same on a light and on a dark terminal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cli.ui.messages import Language, Message, m, to_ascii
from cli.ui.text import MORE, MORE_ASCII


class Ink(NamedTuple):
    name: Message
    letter: Message
    symbol: str
    paper: str
    ink: str


BLACK, WHITE = "#000000", "#ffffff"

INKS: Mapping[str, Ink] = {
    "blue": Ink(m("blue"), m("B", context="letter of blue"), "●", "#0d2c85", WHITE),
    "pink": Ink(m("pink"), m("P", context="letter of pink"), "▲", "#e8559f", BLACK),
    "green": Ink(m("green"), m("G", context="letter of green"), "■", "#54fba0", BLACK),
    "red": Ink(m("red"), m("R", context="letter of red"), "●", "#a20106", WHITE),
    "orange": Ink(m("orange"), m("O", context="letter of orange"), "▲", "#f5ae22", BLACK),
    "light_blue": Ink(m("light blue"), m("B", context="letter of light blue"), "◆", "#c4ddf2", BLACK),
    "magenta": Ink(m("magenta"), m("M", context="letter of magenta"), "★", "#fc04f5", BLACK),
    "turquoise": Ink(m("turquoise"), m("T", context="letter of turquoise"), "▼", "#0e7d77", WHITE),
    "lilac": Ink(m("lilac"), m("L", context="letter of lilac"), "○", "#491b73", WHITE),
}


class Marks(NamedTuple):
    """Everything drawn that is no word. All one column wide."""

    star: str
    done: str  # has spoken
    wait: str  # is waited for
    me: str
    full: str  # a step of a run, a part of a bar
    empty: str
    bar: str
    point: tuple[str, str]  # around the card under the cursor
    may: tuple[str, str]  # around a card that may be used
    picked: tuple[str, str]  # around a chosen card
    gone: str  # a card that would be taken
    minus: str
    times: str
    more: str
    corners: tuple[str, str, str, str]
    side: str
    dot: str


UNICODE = Marks(
    star="★", done="✓", wait="…", me="▸", full="●", empty="○", bar="─",
    point=("▸", "◂"), may=("[", "]"), picked=("{", "}"), gone="×", minus="−", times="×", more=MORE,
    corners=("╭", "╮", "╰", "╯"), side="│", dot="·",
)  # fmt: skip
ASCII = Marks(
    star="*", done="+", wait="~", me=">", full="#", empty=".", bar="-",
    point=(">", "<"), may=("[", "]"), picked=("{", "}"), gone="x", minus="-", times="x", more=MORE_ASCII,
    corners=("+", "+", "+", "+"), side="|", dot=".",
)  # fmt: skip


@dataclass(frozen=True)
class Look:
    """The language and the signs of one screen."""

    tr: Language
    ascii: bool = False

    @cached_property
    def marks(self) -> Marks:
        return ASCII if self.ascii else UNICODE

    def plain(self, text: str) -> str:
        """Text that is no message (a name): in ASCII if nothing else can be shown."""
        return to_ascii(text) if self.ascii else text

    def letter(self, colour: str) -> str:
        return self.tr(INKS[colour].letter)

    def symbol(self, colour: str) -> str:
        """The colour's own symbol; in ASCII its letter."""
        return self.letter(colour) if self.ascii else INKS[colour].symbol

    def colour(self, colour: str) -> str:
        ink = INKS.get(colour)
        return colour.replace("_", " ") if ink is None else self.tr(ink.name)

    def signed(self, number: int) -> str:
        """A change: +3, −2, or 0."""
        return f"+{number}" if number > 0 else f"{self.marks.minus}{-number}" if number < 0 else "0"


def paper(colour: str) -> str:
    """The style of a card of this colour."""
    return f"class:card.{colour}" if colour in INKS else "class:card"


#: Style sheet for prompt_toolkit. Where colours are switched off, bold, underline and reverse remain and say enough.
STYLES: Mapping[str, str] = {
    "bar": "reverse",
    "bar.strong": "reverse bold underline",
    "head": "bold",
    "title": "bold",
    "rule": "",
    "me": "bold",
    "out": "italic",
    "dim": "",
    "wait": "bold",
    "key": "reverse",
    "label": "",
    "prompt": "bold",
    "hint": "",
    "warning": "bold",
    "new": "bold",
    "cut": "",
    "card": "",
    "may": "bold",
    "cannot": "",
    "point": "reverse bold",
    "picked": "bold underline",
    "taken": "underline",
    **{f"card.{name}": f"bg:{ink.paper} {ink.ink}" for name, ink in INKS.items()},
}
