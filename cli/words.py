"""English for the names and values that leave engine and p2p: one sentence per note.

Law: no sentence of its own; they are in cli/ui/words.py, in every language. This is for commands that print English.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cli.ui.look import Look
from cli.ui.messages import USUAL, language
from cli.ui.words import Speaker, readable
from engine.cards import CardId
from engine.game import Note
from engine.shelf import all_games

__all__ = ["readable", "sentence"]

Namer = Callable[[int], str]
Face = Callable[[CardId], str]


@dataclass(frozen=True)
class _Namer(Speaker):
    """A speaker that asks others what seats are called and cards look like."""

    called: Namer = str
    shown: Face = str

    def name(self, seat: int) -> str:
        return self.called(seat)

    def face(self, card: CardId) -> str:
        return self.shown(card)


def sentence(note: Note, name: Namer = str, face: Face = str) -> str:
    """What a note says. `name` is what a seat is called, `face` how a card looks."""
    speaker = _Namer(Look(language(USUAL)), all_games()[0], (), None, name, face)
    return speaker.say(note)
