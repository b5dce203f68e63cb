"""The table of 2 SANS 3: the three rows, every collection colour by colour, and what each own card would take.

Law: pure; reads the view's public state and its own hand, decides nothing.
"""

from __future__ import annotations

from typing import ClassVar

from cli.ui.board import Board
from cli.ui.look import paper
from cli.ui.messages import m
from cli.ui.text import Fragment, Line, fit, line, pad
from engine.cards import CardId
from engine.game import Move, Turn
from engine.games.two_sans_three import FLIP, NAMES, ROW_SIZE, STARTS, TURNS, Outcome, TwoSansThreeView

GUTTER = 9
CELL = 6  # of a card in a row
NAME = 16
COLOUR = 4
COUNT = 7


class TwoSansThreeBoard(Board):
    card_columns: ClassVar[int] = 9
    view: TwoSansThreeView | None

    # --- the bars -------------------------------------------------------------------------------------------------

    def phase(self) -> str:
        if self.view is None or not isinstance(self.view.need, Turn):
            return super().phase()
        seat = self.view.need.seat
        turn = TURNS - self.view.turns_left[seat] + 1
        return self.tr(m("Turn {turn} of {turns}: {seat}"), turn=turn, turns=TURNS, seat=self.speaker.title(seat))

    def facts(self) -> Line:
        if self.view is None:
            return ()
        left = " ".join(map(str, self.view.bonuses)) or self.look.marks.dot
        return line(Fragment("class:bar", self.tr(m("bonuses left: {bonuses}"), bonuses=left)))

    # --- the table ------------------------------------------------------------------------------------------------

    def rows(self) -> tuple[int, int]:
        least = len(STARTS) + 1 + len(self.speaker.names)
        return least, least + 3

    def table(self, columns: int, rows: int) -> list[Line]:
        spare = rows - self.rows()[0]
        gap: list[Line] = [()]
        lines = gap * (spare > 2) + [self.place(row) for row in range(len(STARTS))] + gap * (spare > 1)
        lines += [self.legend()] * (spare > 0) + [self.header()]
        lines += [self.collection(seat) for seat in range(len(self.view.players if self.view else ()))]
        return [fit(one, columns, self.look.marks.more) for one in lines[:rows]]

    def place(self, row: int) -> Line:
        """A row with its start card; while a card of mine is pointed at, also what it would do there."""
        assert self.view is not None
        marks = self.look.marks
        label = self.tr(m("row {row}"), row=row + 1)
        lying = self.view.rows[row]
        parts = [Fragment("class:dim", pad(label, GUTTER, more=marks.more)), Fragment("", f"[{STARTS[row]:^4}]")]
        outcome = self.pointed()
        comes = outcome if outcome is not None and outcome.row == row else None
        shown = sorted((*lying, *((comes.card,) if comes else ())))
        for card in shown:
            parts += self.lying(card, comes)
        if comes is None and 1 + len(lying) == ROW_SIZE:
            parts.append(Fragment("class:dim", "  " + self.tr(m("full: the next card takes"))))
        if comes is not None:
            parts.append(Fragment("class:new", "  " + self.taking(comes)))
        return line(*parts)

    def lying(self, card: CardId, comes: Outcome | None) -> list[Fragment]:
        """A card in its row: lying there, to be placed (pointed at), or to be taken (crossed)."""
        marks = self.look.marks
        left, right, style = " ", " ", ""
        if comes is not None and card == comes.card:
            (left, right), style = marks.point, "class:point"
        elif comes is not None and card in comes.takes:
            left, right, style = marks.gone, marks.gone, "class:taken"
        face = self.card(card, CELL - 2)
        return [Fragment(style, left), Fragment(f"{face.style} {style}".strip(), face.text), Fragment(style, right)]

    def pointed(self) -> Outcome | None:
        """What the card under the cursor, or the chosen one, would do now."""
        scene, view = self.scene, self.view
        if view is None or not scene.moves or scene.pointed is None:
            return None
        outcomes = dict(view.outcomes)
        return outcomes.get(scene.choice.picked[0] if scene.choice.picked else scene.pointed.slot)

    def legend(self) -> Line:
        """Every colour with its sign and its name."""
        parts = [Fragment("", " ")]
        for name in NAMES:
            sign = self.look.symbol(name)
            parts += [Fragment(paper(name), sign), Fragment("", f" {self.look.colour(name)} ")]
        return line(*parts[:-1], parts[-1]._replace(text=parts[-1].text.rstrip()))

    def header(self) -> Line:
        parts = [Fragment("class:dim", pad("", NAME))]
        for text in (m("hand", context="column"), m("pile", context="column")):
            parts.append(self.column(self.tr(text)))
        parts.append(Fragment("", " "))
        for name in NAMES:
            parts += [Fragment("", " "), Fragment(paper(name), pad(self.look.symbol(name), COLOUR - 1, "^"))]
        for text in (m("down", context="column"), m("bonus", context="column"), m("points", context="column")):
            parts.append(self.column(self.tr(text)))
        return line(*parts)

    def column(self, text: str, style: str = "class:dim") -> Fragment:
        return Fragment(style, " " + pad(text, COUNT - 1, ">", self.look.marks.more))

    def collection(self, seat: int) -> Line:
        assert self.view is not None
        view, marks = self.view, self.look.marks
        points = marks.gone if view.players[seat].fell else str(view.points[seat])
        parts = [
            self.name(seat, NAME),
            self.column(f"{view.counts[seat]} {self.state_of(seat)}", ""),
            self.column(str(view.piles[seat]), ""),
            Fragment("", " "),
        ]
        for name, up in zip(NAMES, view.up[seat], strict=True):
            shown = self.look.symbol(name) * up if up else marks.dot
            parts += [Fragment("", " "), Fragment(paper(name) if up else "class:dim", pad(shown, COLOUR - 1, "^"))]
        down = sum(view.down[seat])
        parts += [self.column(str(down) if down else marks.dot, "")]
        bonus = view.players[seat].bonus
        parts += [self.column(str(bonus) if bonus else marks.dot, ""), self.column(points, "class:head")]
        return line(*parts)

    # --- the choice -----------------------------------------------------------------------------------------------

    def hand(self, columns: int, tall: bool) -> list[Line]:
        """My cards, and below each what it would do: its row, what it takes, what that is worth."""
        lines = super().hand(columns, tall)
        if self.view is None:
            return lines
        outcomes = dict(self.view.outcomes)
        below: list[list[Fragment]] = [[], []]
        for one in self.scene.hand:
            outcome = outcomes[one.slot]
            took = len(outcome.takes)
            row = self.tr(m("row {row}"), row=outcome.row + 1)
            takes = f"{took}{self.look.marks.gone} {self.worth(outcome)}" if took else self.look.marks.dot
            for index, text in enumerate((row, takes)):
                style = "class:new" if took and index else "class:dim"
                below[index].append(Fragment(style, pad(text, self.card_columns - 1, "^", self.look.marks.more) + " "))
        return [*lines, *(line(*parts) for parts in below)]

    def prompt(self) -> str:
        scene = self.scene
        if not scene.moves or scene.choice.move(scene.moves):
            return super().prompt()
        return self.tr(m("Your turn: choose a card to play"))

    def about(self) -> str:
        outcome = self.pointed()
        return "" if outcome is None else self.sentence(outcome)

    def sentence(self, outcome: Outcome) -> str:
        """What playing this card would do, in full."""
        face = self.face(outcome.card)
        if not outcome.takes:
            return self.tr(m("{card} goes into row {row} and takes nothing."), card=face, row=outcome.row + 1)
        taken = ", ".join(map(self.face, outcome.takes))
        told = [self.tr(m("{card} takes {cards}; points {points}"), card=face, cards=taken, points=self.worth(outcome))]
        flips = self.flips(outcome)
        if flips:
            told.append(self.tr(m("turned face down: {colours}"), colours=", ".join(flips)))
        if outcome.bonus:
            told.append(self.tr(m("intermediate bonus {points}"), points=outcome.bonus))
        return "; ".join(told) + "."

    def worth(self, outcome: Outcome) -> str:
        return self.look.signed(outcome.points + outcome.bonus)

    def flips(self, outcome: Outcome) -> list[str]:
        """The colours of which three turn face down."""
        assert self.view is not None
        assert self.view.seat is not None
        before = self.view.players[self.view.seat].counts
        return [
            self.look.colour(name)
            for name, had, has in zip(NAMES, before, outcome.counts, strict=True)
            if has // FLIP > had // FLIP
        ]

    def taking(self, outcome: Outcome) -> str:
        if not outcome.takes:
            return ""
        return self.tr(m("takes {count}: {points}"), count=len(outcome.takes), points=self.worth(outcome))

    def situation(self) -> list[str]:
        """The rows."""
        lines = []
        for row, lying in enumerate(self.view.rows if self.view else ()):
            shown = " ".join((str(STARTS[row]), *map(self.face, lying)))
            lines.append(self.tr(m("row {row}: {cards}"), row=row + 1, cards=shown))
        return lines

    def spoken(self) -> list[str]:
        view = self.view
        if view is None:
            return []
        lines = self.situation()
        for seat, player in enumerate(view.players):
            colours = [self.look.symbol(name) * up for name, up in zip(NAMES, view.up[seat], strict=True) if up]
            told = self.tr(
                m("{name}: collection {colours}, face down {down}, bonus {bonus}, points {points}"),
                name=self.speaker.title(seat),
                colours=" ".join(colours) or self.look.marks.dot,
                down=sum(view.down[seat]),
                bonus=player.bonus,
                points=view.points[seat],
            )
            lines.append(told)
        return lines

    def signs_spoken(self) -> str:
        return ", ".join(f"{self.look.symbol(name)} {self.look.colour(name)}" for name in NAMES)

    def gist(self, move: Move) -> str:
        if self.view is None:
            return ""
        outcome = dict(self.view.outcomes).get(move.slots[0])
        if outcome is None:
            return ""
        row = self.tr(m("row {row}"), row=outcome.row + 1)
        if not outcome.takes:
            return row
        taken = ", ".join(map(self.face, outcome.takes))
        told = self.tr(m("takes {cards}: {points}"), cards=taken, points=self.worth(outcome))
        return f"{row}, {told}"
