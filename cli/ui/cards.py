"""What a card looks like in each game: a few characters, a style, and in words.

Law: looks only. A game that is not listed here shows its cards as the game itself writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cli.ui.look import Look, paper
from cli.ui.messages import m
from engine.cards import CardId
from engine.game import Game
from engine.games import two_sans_three, two_win


def _win_face(card: CardId, look: Look) -> str:
    face = two_win.FACES[card - 1]
    return f"{look.letter(two_win.COLOURS[face.colour])}{face.digit}{look.marks.star * face.stars}"


def _win_colour(card: CardId) -> str:
    return two_win.COLOURS[two_win.COLOUR[card]]


def _win_words(card: CardId, look: Look) -> str:
    face = two_win.FACES[card - 1]
    name = f"{look.colour(_win_colour(card))} {face.digit}"
    if not face.stars:
        return name
    return f"{name}, {look.tr(m('{count} star', '{count} stars'), count=face.stars)}"


def _sans_face(card: CardId, look: Look) -> str:
    colour = _sans_colour(card)
    return f"{two_sans_three.VALUE[card]}{look.symbol(colour) if colour else ''}"


def _sans_colour(card: CardId) -> str:
    index = two_sans_three.COLOUR[card]
    return "" if index == two_sans_three.NO_COLOUR else two_sans_three.NAMES[index]


def _sans_words(card: CardId, look: Look) -> str:
    colour = _sans_colour(card)
    name = look.colour(colour) if colour else look.tr(m("without colour"))
    return f"{two_sans_three.VALUE[card]} ({name})"


_FACES: Mapping[str, Callable[[CardId, Look], str]] = {"2win": _win_face, "2sans3": _sans_face}
_COLOURS: Mapping[str, Callable[[CardId], str]] = {"2win": _win_colour, "2sans3": _sans_colour}
_WORDS: Mapping[str, Callable[[CardId, Look], str]] = {"2win": _win_words, "2sans3": _sans_words}
#: In which order a hand is shown. A card's number tells nothing in 2 WIN: the digit comes first there.
_ORDER: Mapping[str, Callable[[CardId], Any]] = {
    "2win": lambda card: (two_win.DIGIT[card], two_win.COLOUR[card], two_win.STAR[card], card),
}


def face(game: Game[Any], card: CardId, look: Look) -> str:
    """The card in a few columns."""
    return _FACES[game.id](card, look) if game.id in _FACES else game.face(card)


def style(game: Game[Any], card: CardId) -> str:
    return paper(_COLOURS[game.id](card)) if game.id in _COLOURS else paper("")


def words(game: Game[Any], card: CardId, look: Look) -> str:
    """The card as one would say it."""
    return _WORDS[game.id](card, look) if game.id in _WORDS else game.face(card)


def order(game: Game[Any], card: CardId) -> Any:
    """By what a hand is sorted; never by the place a card lies at, which changes with every hiding."""
    return _ORDER[game.id](card) if game.id in _ORDER else card
