"""The table of 2 WIN: for every player the hand count, the runs, this round's draws and all numbers, newest on top.

Law: pure; reads the view's public state and its own hand, decides nothing.
"""

from __future__ import annotations

from typing import ClassVar

from cli.ui.board import Board
from cli.ui.messages import m
from cli.ui.story import last_round
from cli.ui.text import Fragment, Line, fit, line, pad
from engine.cards import Seat, Slot
from engine.game import Choose, Move, Note, Pass, note
from engine.games import two_win
from engine.games.two_win import Player, Run, TwoWinView

GUTTER = 9  # the words at the left
LEAST_COLUMN = 11  # of a player: a number with all its stars, and a space
MOST_COLUMN = 20
CARD = 4  # of a card: letter, digit, two stars
LEAST_NUMBERS = 2
HEADS = 4  # names, cards, runs, draws


class TwoWinBoard(Board):
    card_columns: ClassVar[int] = 7
    view: TwoWinView | None

    # --- the bars -------------------------------------------------------------------------------------------------

    def heading(self) -> Line:
        parts = [Fragment("class:bar.strong", self.title())]
        if self.view is not None and self.view.round:
            told = self.tr(m("Round {round}"), round=self.view.round)
            parts += [Fragment("class:bar", f"  {told}  "), *self.steps()]
        return line(*parts)

    def steps(self) -> list[Fragment]:
        """The three steps of a round, the present one marked."""
        assert self.view is not None
        names = (m("pass", context="step"), m("form", context="step"), m("draw", context="step"))
        parts: list[Fragment] = []
        for number, name in enumerate(names, 1):
            here = number == self.view.step
            left, right = self.look.marks.point if here else (" ", " ")
            style = "class:bar.strong" if here else "class:bar"
            parts.append(Fragment(style, f"{left}{number} {self.tr(name)}{right}"))
        return parts

    def facts(self) -> Line:
        if self.view is None or not self.view.round:
            return ()
        return line(Fragment("class:bar", self.tr(m("pile {count}", context="cards left"), count=self.view.pile)))

    # --- the table ------------------------------------------------------------------------------------------------

    def rows(self) -> tuple[int, int]:
        longest = max((len(player.numbers) for player in self.players()), default=0)
        return HEADS + LEAST_NUMBERS, HEADS + max(LEAST_NUMBERS, longest)

    def players(self) -> tuple[Player, ...]:
        return self.view.players if self.view else ()

    def table(self, columns: int, rows: int) -> list[Line]:
        players = self.players()
        width = max(LEAST_COLUMN, min(MOST_COLUMN, (columns - GUTTER) // max(1, len(players))))
        lines = [
            self.across("", [self.name(seat, width) for seat in range(len(players))]),
            self.across(
                self.tr(m("cards", context="row label")), [self.count(seat, width) for seat in range(len(players))]
            ),
            self.across(self.tr(m("runs", context="row label")), [self.runs(one, width) for one in players]),
            self.across(
                self.tr(m("draws", context="row label")), [self.earned(seat, width) for seat in range(len(players))]
            ),
        ]
        room = rows - len(lines)
        for row in range(room):
            label = self.tr(m("numbers", context="row label")) if row == 0 else ""
            lines.append(self.across(label, [self.number(one, row, room, width) for one in players]))
        while len(lines) > HEADS and not any(part.text.strip() for part in lines[-1]):
            lines.pop()
        return [fit(one, columns, self.look.marks.more) for one in lines]

    def across(self, label: str, parts: list[Line | Fragment]) -> Line:
        cells: list[Fragment] = [Fragment("class:dim", pad(label, GUTTER, more=self.look.marks.more))]
        for part in parts:
            cells += [part] if isinstance(part, Fragment) else part
        return line(*cells)

    def count(self, seat: int, width: int) -> Line:
        player = self.players()[seat]
        if player.how:
            shown = Fragment("class:out", self.tr(m("out, {round}", context="since round"), round=player.round))
        else:
            shown = Fragment("", f"{len(player.hand)} {self.state_of(seat)}")
        return fit(line(" ", shown), width, self.look.marks.more)

    def runs(self, player: Player, width: int) -> Line:
        parts = [" ", *self.run(player.tens), " ", *self.run(player.units)] if player.numbers else [" "]
        return fit(line(*parts), width, self.look.marks.more)

    def run(self, run: Run) -> tuple[Fragment, ...]:
        """How far a column is towards three of one colour."""
        marks = self.look.marks
        if not run.length:
            return (Fragment("class:dim", marks.dot + marks.empty * two_win.FULL_RUN),)
        colour = two_win.COLOURS[run.colour]
        bar = marks.full * run.length + marks.empty * (two_win.FULL_RUN - run.length)
        return (Fragment(f"class:card.{colour}", self.look.letter(colour)), Fragment("", bar))

    def earned(self, seat: int, width: int) -> Line:
        """The letters by which this seat draws in this round, as far as they have been told."""
        letters = [
            entry.told.name[-1].upper()
            for entry in last_round(self.scene.log)
            if entry.told.name.startswith("draw_") and dict(entry.told.values)["seat"] == seat
        ]
        return fit(line(" ", Fragment("class:new", " ".join(letters))), width, self.look.marks.more)

    def number(self, player: Player, row: int, room: int, width: int) -> Line:
        """The number in this row, newest first; the last row says how many more there are."""
        numbers = player.numbers[::-1]
        if row >= len(numbers):
            return fit((), width)
        if row == room - 1 and len(numbers) > room:
            more = self.tr(m("+{count} older", "+{count} older"), count=len(numbers) - row)
            return fit(line(" ", Fragment("class:dim", more)), width, self.look.marks.more)
        tens, units = numbers[row]
        return fit(line(" ", self.card(tens, CARD), " ", self.card(units, CARD)), width, self.look.marks.more)

    # --- the choice -----------------------------------------------------------------------------------------------

    def prompt(self) -> str:
        scene, view = self.scene, self.view
        if view is None or not scene.moves:
            return super().prompt()
        if scene.choice.move(scene.moves):
            return super().prompt()
        if isinstance(view.need, Pass) and view.seat is not None:
            receiver = dict(view.need.ring).get(view.seat)
            return self.tr(m("Choose a card to pass to {seat}"), seat=self.speaker.name(receiver or Seat(0)))
        if isinstance(view.need, Choose) and not scene.choice.picked:
            if view.last:
                return self.tr(m("Form a number above {last}: choose the tens"), last=view.last)
            return self.tr(m("Form a number: choose the tens"))
        return self.tr(m("Choose the units"))

    def about(self) -> str:
        scene, view = self.scene, self.view
        if view is None or not scene.moves or scene.pointed is None:
            return ""
        whole = scene.choice.move(scene.moves)
        if whole is not None:
            return self.outcome(whole)
        picked = scene.choice.picked
        if picked and isinstance(view.need, Choose):
            pair = Move("form", (*picked, scene.pointed.slot))
            if pair in scene.moves:
                return self.outcome(pair)
        return super().about()

    def outcome(self, move: Move) -> str:
        """What this move would do."""
        assert self.view is not None
        if move.kind != "form":
            return self.tr(m("You pass {card}."), card=self.face(self.view.cards[move.slots[0]]))
        return self.tr(m("{number}: {gist}"), number=self.view.earned(move).number, gist=self.gist(move))

    def gist(self, move: Move) -> str:
        if self.view is None or move.kind != "form":
            return ""
        earned = self.view.earned(move)
        stars = self.tr(m("{count} star", "{count} stars"), count=earned.stars)
        parts = [stars if earned.stars else self.tr(m("no star"))]
        if earned.equal:
            parts.append(self.tr(m("C: equal digits")))
        if "tens" in earned.runs:
            parts.append(self.tr(m("D: run in the tens")))
        if "units" in earned.runs:
            parts.append(self.tr(m("D: run in the units")))
        return ", ".join(parts)

    def option(self, slot: Slot, move: Move | None) -> str:
        if move is None or move.kind != "form" or self.view is None:
            return super().option(slot, None)
        told = super().option(slot, None)
        return f"{self.view.earned(move).number}: {told}; {self.gist(move)}"

    def situation(self) -> list[str]:
        """Everyone's hand count: it decides a third of all games."""
        shown = ", ".join(
            f"{self.speaker.title(seat)} {len(one.hand)}" for seat, one in enumerate(self.players()) if not one.how
        )
        return [self.tr(m("cards in hand: {counts}"), counts=shown)]

    def spoken(self) -> list[str]:
        lines = []
        for seat, player in enumerate(self.players()):
            numbers = " ".join(str(two_win.number_of(*number)) for number in player.numbers) or self.look.marks.dot
            if player.how:
                told = self.tr(m("out since round {round}"), round=player.round)
            else:
                tens, units = (f"{self.letter_of(run)}{run.length}" for run in (player.tens, player.units))
                told = self.tr(m("runs: tens {tens}, units {units}"), tens=tens, units=units)
                told = f"{self.count_of(len(player.hand))}; {told}"
            numbered = self.tr(m("numbers: {numbers}"), numbers=numbers)
            lines.append(f"{self.speaker.title(seat)}: {told}; {numbered}")
        return lines

    def letter_of(self, run: Run) -> str:
        return self.look.letter(two_win.COLOURS[run.colour]) if run.length else ""

    def signs_spoken(self) -> str:
        return ", ".join(f"{self.look.letter(name)} {self.look.colour(name)}" for name in two_win.COLOURS)

    def why_not(self, slot: Slot) -> Note:
        scene, view = self.scene, self.view
        assert view is not None
        if isinstance(view.need, Pass):
            return note("just_received")
        if not scene.choice.picked:
            return note("too_low_for_tens", last=view.last) if len(scene.hand) > 1 else note("no_other_card")
        tens = view.cards[scene.choice.picked[0]]
        return note("number_too_low", number=two_win.number_of(tens, view.cards[slot]), last=view.last)
