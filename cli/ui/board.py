"""The table as one player sees it: what every game has. Each game's own board (board_*.py) draws over it.

Law: pure; lines out of a scene. This base is a board of its own: it shows any game, with the cards as the game writes
them, so that a new game can be played before anybody has drawn a board for it.
"""

from __future__ import annotations

from typing import Any, ClassVar

from cli.ui import cards
from cli.ui.look import Look
from cli.ui.messages import Message, m
from cli.ui.scene import HandCard, Scene
from cli.ui.text import Fragment, Line, cells, cut, fit, line, pad
from cli.ui.words import WATCHING_ONLY
from engine.cards import CardId, Slot
from engine.game import Need, Note, Turn, note

TITLES: dict[str, Message] = {"2win": m("2 WIN"), "2sans3": m("2 SANS 3")}


class Board:
    """Drawn anew for every frame. `tall`: there is room for cards with a frame."""

    card_columns: ClassVar[int] = 7  # of a card in the hand, with a space
    tall_rows: ClassVar[int] = 4

    def __init__(self, scene: Scene, look: Look) -> None:
        self.scene = scene
        self.look = look
        self.tr = look.tr
        self.speaker = scene.speaker(look)
        self.view: Any = scene.view

    # --- what each game says differently --------------------------------------------------------------------------

    def heading(self) -> Line:
        """The left end of the title bar: how far the game is."""
        return line(Fragment("class:bar.strong", self.title()), Fragment("class:bar", "  " + self.phase()))

    def facts(self) -> Line:
        """The right end of the title bar: what lies on the table."""
        return ()

    def rows(self) -> tuple[int, int]:
        """The fewest rows the table can be drawn in, and the most it has use for."""
        return len(self.speaker.names), len(self.speaker.names)

    def table(self, columns: int, rows: int) -> list[Line]:
        counts = self.scene.game.hands(self.view.state)
        return [
            fit(line(self.name(seat, 18), f" {self.count_of(len(hand))}"), columns, self.look.marks.more)
            for seat, hand in enumerate(counts)
        ][:rows]

    def prompt(self) -> str:
        """What I am asked to do, or what is going on."""
        scene = self.scene
        if scene.story.watching or scene.story.me is None:
            return self.tr(WATCHING_ONLY)
        if not scene.moves:
            return self.tr(m("Your hand")) if scene.hand else self.tr(m("You have no cards"))
        if scene.choice.move(scene.moves):
            return self.tr(m("Ready: send it, or change it"))
        return self.tr(m("Choose a card"))

    def about(self) -> str:
        """A sentence about the choice so far, or the card under the cursor."""
        scene = self.scene
        if not scene.moves or not scene.pointed:
            return ""
        faces = [self.face(one.card) for one in scene.hand if one.picked]
        return ", ".join(faces) or cards.words(scene.game, scene.pointed.card, self.look)

    def why_not(self, slot: Slot) -> Note:
        """Why this card cannot be picked now. Only for cards that cannot."""
        return note("illegal_move")

    def situation(self) -> list[str]:
        """What must be known before a decision, for the ear."""
        return []

    def spoken(self) -> list[str]:
        """What lies on the table, for the ear: one line per thing worth knowing."""
        counts = self.scene.game.hands(self.view.state) if self.view else ()
        return [f"{self.speaker.title(seat)}: {self.count_of(len(hand))}" for seat, hand in enumerate(counts)]

    def signs_spoken(self) -> str:
        """What the letters on the cards mean; "" if there are none."""
        return ""

    def option(self, slot: Slot, move: Any) -> str:
        """A card in a list of choices; `move` if choosing it makes the choice complete."""
        held = dict(self.view.hand)[slot]
        told = cards.words(self.scene.game, held, self.look)
        gist = self.gist(move) if move else ""
        return f"{told}, {gist}" if gist else told

    def gist(self, move: Any) -> str:
        """What this move would do, for lists; "" if there is nothing to say."""
        return " ".join(map(str, move.values))

    # --- what they share ------------------------------------------------------------------------------------------

    def title(self) -> str:
        game = self.scene.game.id
        return self.tr(TITLES[game]) if game in TITLES else game

    def phase(self) -> str:
        return self.speaker.need(self.view.need if self.view else None)

    def refusal(self, slot: Slot | None) -> Note:
        """Why this card cannot be picked, or nothing can."""
        scene = self.scene
        if scene.sent:
            return note("already_sent")
        if not scene.moves:
            need: Need | None = self.view.need if self.view else None
            if isinstance(need, Turn) and need.seat != scene.story.me:
                return note("not_your_turn", seat=need.seat)
            return note("nothing_to_choose")
        return self.why_not(slot) if slot is not None else note("not_complete")

    def face(self, card: CardId) -> str:
        return cards.face(self.scene.game, card, self.look)

    def card(self, card: CardId, columns: int = 0) -> Fragment:
        """The card's face on its paper."""
        return Fragment(cards.style(self.scene.game, card), pad(self.face(card), columns or cells(self.face(card))))

    def name(self, seat: int, columns: int) -> Fragment:
        """The seat's name with the mark of my own."""
        marks, scene = self.look.marks, self.scene
        mine = seat == scene.story.me
        style = "class:me" if mine else "class:out" if self.is_out(seat) else "class:head"
        mark = marks.me if mine else " "
        return Fragment(style, pad(mark + cut(self.speaker.title(seat), columns - 1, marks.more), columns))

    def is_out(self, seat: int) -> bool:
        return self.view is not None and seat not in self.scene.game.playing(self.view.state)

    def state_of(self, seat: int) -> str:
        """A mark: has this seat done what the open step asks, or is it waited for?"""
        story, marks = self.scene.story, self.look.marks
        if seat in [lost for lost, _ in story.lost]:
            return "?"
        if story.over or seat not in story.authors:
            return " "
        return marks.done if seat in story.spoken else marks.wait

    def count_of(self, count: int) -> str:
        return self.tr(m("{count} card", "{count} cards"), count=count)

    # The hand.

    def hand(self, columns: int, tall: bool) -> list[Line]:
        """My cards, in as many rows as they need."""
        per_row = max(1, columns // self.card_columns)
        hand = self.scene.hand
        lines: list[Line] = []
        for start in range(0, len(hand), per_row):
            part = hand[start : start + per_row]
            lines += self.tall_row(part) if tall else [self.row(part)]
        return lines or [()]

    def row(self, part: tuple[HandCard, ...]) -> Line:
        return line(*(fragment for one in part for fragment in (*self.hand_card(one), Fragment("", " "))))

    def hand_card(self, one: HandCard) -> Line:
        """One card between the signs of what can be done with it."""
        width = self.card_columns - 3
        left, right = self.signs(one)
        action = f"card {one.slot}"
        style = self.hand_style(one)
        return line(
            (f"class:{style}", left, action),
            (f"{cards.style(self.scene.game, one.card)} class:{style}", pad(self.face(one.card), width, "^"), action),
            (f"class:{style}", right, action),
        )

    def signs(self, one: HandCard) -> tuple[str, str]:
        marks = self.look.marks
        if one == self.scene.pointed and self.scene.moves:
            return marks.point
        if one.picked:
            return marks.picked
        return marks.may if one.may else (" ", " ")

    def hand_style(self, one: HandCard) -> str:
        if one == self.scene.pointed and self.scene.moves:
            return "point"
        return "picked" if one.picked else "may" if one.may else "cannot"

    def tall_row(self, part: tuple[HandCard, ...]) -> list[Line]:
        """The cards with a frame."""
        marks, width = self.look.marks, self.card_columns - 3
        top_left, top_right, low_left, low_right = marks.corners
        tops: list[Fragment] = []
        middles: list[Fragment] = []
        bottoms: list[Fragment] = []
        for one in part:
            style = f"class:{self.hand_style(one)}"
            action = f"card {one.slot}"
            tops += [Fragment(style, top_left + marks.bar * width + top_right, action), Fragment("", " ")]
            middles += [*self.hand_card(one), Fragment("", " ")]
            bottoms += [Fragment(style, low_left + marks.bar * width + low_right, action), Fragment("", " ")]
        return [line(*tops), line(*middles), line(*bottoms)]

    # The end.

    def result(self, seat: int) -> Line:
        """What stands behind a seat in the ranking."""
        over = self.scene.story.over
        assert over is not None
        for detail in over.details:
            values = dict(detail.values)
            if values.get("seat") == seat:
                return line(self.speaker.say(detail))
        return line(self.speaker.title(seat))
