"""The rules of each game in a page, in our own words.

Law: texts only. A heading is a text of its own; what follows it are paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cli.ui.look import Look
from cli.ui.messages import Message, m
from cli.ui.text import Fragment, Line, line, wrap


class Section(NamedTuple):
    heading: Message
    paragraphs: tuple[Message, ...]


_WIN = (
    Section(m("Goal"), (m("Be the last player who can go on."),)),
    Section(
        m("Cards"),
        (
            m(
                "108 cards in three colours (blue, pink, green) with the digits 1 to 9; each shows no star, one or two."
                " Everyone starts with nine cards; the rest is the pile."
            ),
            m("All play at the same time, in rounds of three steps."),
        ),
    ),
    Section(
        m("1. Pass a card"),
        (
            m("Choose a card for the next player on your left who is still in the game; all swap at once."),
            m("Whoever has no card left to pass drops out."),
        ),
    ),
    Section(
        m("2. Form a number"),
        (
            m(
                "Two cards of your hand form a number: the left one the tens, the right one the units. From the second"
                " round on it must be higher than your own last number."
            ),
            m("Whoever can form a number must; whoever cannot drops out. All numbers are turned over together."),
        ),
    ),
    Section(
        m("3. Draw cards"),
        (
            m("A: one card for the highest number of the round; if several tie, each of them draws."),
            m("B: one card for the most stars on the two cards; if several tie, each draws; without stars nobody."),
            m("C: one card for two equal digits."),
            m(
                "D: one card for each column, tens or units, in which your number completes a run of three cards of one"
                " colour. A fourth card of that colour begins a new run."
            ),
            m(
                "If the pile is empty, the cards of those who are out and all but everyone's five newest numbers are"
                " shuffled into a new one."
            ),
        ),
    ),
    Section(
        m("End of the game"),
        (
            m("The last player left in the game wins."),
            m(
                "If all who are left drop out at once, the one with the most cards in hand wins; after that the lowest"
                " last number counts; if that is equal too, they share the victory."
            ),
            m("Whoever leaves the table drops out and is ranked behind all who stayed."),
        ),
    ),
    Section(
        m("What is ours"),
        (m("How the stars are spread: of four equal cards two have no star, one has one and one has two."),),
    ),
)

_SANS = (
    Section(
        m("Goal"),
        (m("Collect one or, better, two cards of a colour. A third one turns all three into minus points."),),
    ),
    Section(
        m("Cards"),
        (
            m(
                "Number cards from 0 to 89. The start cards 0, 30 and 60 open three rows; 15, 45 and 75 have no colour;"
                " the others come in seven colours with twelve cards each."
            ),
            m("Everyone has a personal pile of 20 cards and takes 8 of them in hand."),
            m("The first player is drawn by lot."),
        ),
    ),
    Section(
        m("1. Play a card"),
        (m("On your turn play exactly one card into its row: 1 to 29, 31 to 59 or 61 to 89, in ascending order."),),
    ),
    Section(
        m("2. Take cards"),
        (
            m("Whoever plays the fifth card of a row, the start card included, must take cards from it:"),
            m("if the played card is the highest, the one next to the start card;"),
            m("if it is not, all cards of the row that are higher than the played one."),
            m("Cards without colour leave the game at once. All others go into your collection."),
            m("A third face-up card of a colour turns all three face down. The fourth counts as a first one again."),
        ),
    ),
    Section(
        m("3. Intermediate bonus"),
        (
            m(
                "Whoever has all seven colours face up at the end of a turn takes the highest bonus left: 10, 7, 5 or 3"
                " points; once per player, and for keeps."
            ),
        ),
    ),
    Section(
        m("4. Draw cards"),
        (m("When you are down to two cards, you draw six from your pile, twice in the game."),),
    ),
    Section(
        m("End of the game"),
        (
            m("After 18 turns each, everyone holds two cards; they do not count."),
            m("Per colour, one face-up card is 1 point and two are 5; every face-down card is −1."),
            m("Final bonus: 10 points for seven colours face up, 5 for six. Most points win; equal points share it."),
            m("Whoever leaves the table is not scored and is ranked behind all who stayed."),
        ),
    ),
    Section(
        m("What is ours"),
        (m("Which number has which colour: the printed rules do not say."),),
    ),
)

BOOK: Mapping[str, tuple[Section, ...]] = {"2win": _WIN, "2sans3": _SANS}
MISSING = m("Nobody has written a summary of this game's rules yet.")


def rules(game: str, look: Look, columns: int) -> list[Line]:
    """The summary, broken into lines."""
    lines: list[Line] = []
    for heading, paragraphs in BOOK.get(game, ()):
        lines += (
            [(), line(Fragment("class:title", look.tr(heading)))]
            if lines
            else [line(Fragment("class:title", look.tr(heading)))]
        )
        for paragraph in paragraphs:
            lines += [line("  ", part) for part in wrap(look.tr(paragraph), columns - 2)]
    return lines or [line(look.tr(MISSING))]
