"""Everything a screen is drawn from: one frozen value.

Law: data and what follows from it; no drawing. The app makes a new scene for every frame from the chair, the cursor
and whatever is folded out; the same scene always gives the same screen.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from cli.ui import cards
from cli.ui.chair import Chair
from cli.ui.choice import Choice
from cli.ui.look import Look
from cli.ui.story import Entry, Story
from cli.ui.text import cut, tame
from cli.ui.words import Speaker
from engine.cards import CardId, Slot
from engine.game import Game, Move, Note, View
from p2p.names import name_key

NAME_COLUMNS = 16  # of a name inside a sentence


class HandCard(NamedTuple):
    slot: Slot
    card: CardId
    may: bool  # can be picked next, or put back
    picked: int  # which of the choice's cards it is, 1, 2, …; 0 if none


@dataclass(frozen=True)
class Scene:
    game: Game[Any]
    story: Story = field(default_factory=Story)
    view: View | None = None
    moves: tuple[Move, ...] = ()  # what may be chosen now; empty once it is sent
    choice: Choice = field(default_factory=Choice)
    sent: bool = False
    cursor: int = 0  # which card of the hand
    panel: bool = False  # is the protocol panel out?
    page: str = ""  # "help", "rules", or "" for the table
    scroll: int = 0  # lines up in the log, or down on a page
    hint: Note | None = None  # why the last try was not possible
    shown: int | None = None  # so many lines of the log are shown so far; None: all
    now: float = 0.0  # on the clock by which lost players are waited for
    again: tuple[int, ...] = ()  # who wants to play again
    game_file: str = ""  # where the whole game is kept, if it is
    log_file: str = ""  # where the program writes what went wrong
    local: bool = True  # all seats in this process: there is nobody to compare the code with

    @cached_property
    def hand(self) -> tuple[HandCard, ...]:
        """My cards in the order they are shown in."""
        if self.view is None:
            return ()
        whole = self.choice.move(self.moves) is not None
        following = (Choice() if whole else self.choice).next_slots(self.moves)
        picked = self.choice.picked
        shown = sorted(self.view.hand, key=lambda one: cards.order(self.game, one[1]))
        return tuple(
            HandCard(slot, card, slot in following or slot in picked, picked.index(slot) + 1 if slot in picked else 0)
            for slot, card in shown
        )

    @property
    def pointed(self) -> HandCard | None:
        """The card under the cursor."""
        return self.hand[min(self.cursor, len(self.hand) - 1)] if self.hand else None

    @property
    def log(self) -> tuple[Entry, ...]:
        return self.story.log if self.shown is None else self.story.log[: self.shown]

    def speaker(self, look: Look) -> Speaker:
        return Speaker(look, self.game, distinct(self.story.names, look), self.story.me)


def scene_of(chair: Chair, **more: Any) -> Scene:
    """The scene of this chair now; `more` are fields that only the screen knows (cursor, choice, panel …)."""
    scene = Scene(chair.game, chair.story, chair.view, chair.moves, sent=chair.sent is not None)
    return replace(scene, **more)


def distinct(names: tuple[str, ...], look: Look) -> tuple[str, ...]:
    """Names as they are shown: harmless, not too long, and no two that people would take for one."""
    shown: list[str] = []
    for name in names:
        short = tame(name) or "?"
        short = cut(look.plain(short), NAME_COLUMNS, look.marks.more)
        number = 1
        while name_key(different := short if number == 1 else f"{short} {number}") in map(name_key, shown):
            number += 1
        shown.append(different)
    return tuple(shown)
