"""Line mode, for screen readers and scripts: the same story and the same choices as the screen, one line at a time.

Law: knows no stream; lines go out through `write`, answers come in through `read`. One event is one line. Choices are
numbered, one line answers one question, and 1 always goes on: never back, never help, never another game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cli.ui import rulebook
from cli.ui.beneath import deed_words
from cli.ui.board import Board
from cli.ui.boards import board
from cli.ui.chair import Chair
from cli.ui.choice import Choice
from cli.ui.look import Look
from cli.ui.messages import Message, m
from cli.ui.scene import scene_of
from cli.ui.screen import verdict
from cli.ui.story import Told
from cli.ui.text import text_of
from p2p.errors import LocalError
from p2p.events import Proven, Spoke, TakenBack
from p2p.net.driver import Happened, Refused
from p2p.states import Stage

POLL = 1.0  # seconds; so that Ctrl-C is heard also where a blocked wait does not hear it
LINE = 76  # columns of the rules' text

GOODBYE = m("Goodbye.")


class Quit(Exception):
    """The player wants to stop."""


class Option(NamedTuple):
    text: str
    choice: Choice | None  # what the choice becomes; None: it is sent


@dataclass
class Plain:
    """One game in lines. `read()` gives the next line of input without its end, or raises EOFError."""

    chair: Chair
    look: Look
    read: Callable[[], str]
    write: Callable[[str], None]
    confirm: bool = True  # ask once more before a choice is sent
    protocol: bool = False  # tell also what happens underneath
    log_file: str = ""

    def play(self) -> None:
        """Until the game is over. Raises Quit, EOFError or KeyboardInterrupt if the player wants no more."""
        told_until = 0
        while True:
            told = self.chair.next(POLL)
            if told is None:
                continue
            log = self.chair.story.log
            if isinstance(told, Happened) and isinstance(told.event, TakenBack):
                told_until = len(log) - 1
            self.tell(told)
            for entry in log[told_until:]:
                self.write(self.board().speaker.say(entry.told))
            told_until = len(log)
            if self.chair.story.ended:
                self.result()
                return
            if self.chair.asked and not self.chair.waiting:
                self.decide()

    def board(self, choice: Choice | None = None) -> Board:
        return board(scene_of(self.chair, choice=choice or Choice(), log_file=self.log_file), self.look)

    def say(self, message: Message, **values: object) -> None:
        self.write(self.look.tr(message, **values))

    # --- what happens ---------------------------------------------------------------------------------------------

    def tell(self, told: Told) -> None:
        """What is no line of the game's own log."""
        story = self.chair.story
        if isinstance(told, Refused) and story.refused is not None:
            self.write(self.board().speaker.say(story.refused))
        elif self.protocol and isinstance(told, Happened) and isinstance(told.event, Spoke | Proven) and story.deeds:
            again = len(story.deeds) > 1 and story.deeds[-2].call == story.deeds[-1].call  # its work is told already
            took = "" if again or told.milliseconds < 1 else f" {told.milliseconds:.0f} ms"
            self.write(f"  {deed_words(story.deeds[-1], self.board().speaker, self.look)}{took}")

    def result(self) -> None:
        """How it ended: the reason, then the ranking."""
        shown = self.board()
        for text, _ in verdict(shown.scene, self.look):
            self.write(text)
        over = self.chair.story.over
        if over is None:
            return
        for place, seats in enumerate(over.ranking, 1):
            for seat in seats:
                self.write(f"{place}. {text_of(shown.result(seat))}")

    # --- what to do -----------------------------------------------------------------------------------------------

    def decide(self) -> None:
        """Ask until a move is chosen and sent, or the table no longer asks."""
        shown = self.board()
        self.lines(shown.situation())
        held = " ".join(shown.face(one.card) for one in shown.scene.hand)
        self.write(f"{self.look.tr(m('Your hand'))}: {held}")
        choice = Choice()
        while self.chair.asked:
            answer = self.ask(choice)
            if answer.choice is not None:
                choice = answer.choice
            if answer.choice is None or (not self.confirm and choice.move(self.chair.moves)):
                self.send(choice)
                return

    def ask(self, choice: Choice) -> Option:
        """One question. Whatever is no number of an option is answered, and the question stays."""
        shown = self.board(choice)
        options = self.options(choice, shown)
        self.write(f"{shown.prompt()}.")
        for number, option in enumerate(options, 1):
            self.write(f"{number}  {option.text}")
        while True:
            answer = self.read().strip().lower()
            if answer.isdecimal() and 1 <= int(answer) <= len(options):
                return options[int(answer) - 1]
            self.command(answer, shown, len(options))

    def options(self, choice: Choice, shown: Board) -> list[Option]:
        """What can be chosen next, in the order of the hand; going back comes last."""
        moves = self.chair.moves
        whole = choice.move(moves)
        options = []
        if whole is not None:
            gist = shown.about().rstrip(".")
            options.append(Option(self.look.tr(m("send it: {gist}"), gist=gist), None))
        else:
            following = choice.next_slots(moves)
            for one in shown.scene.hand:
                if one.slot in following:
                    longer = choice.pick(one.slot, moves)
                    options.append(Option(shown.option(one.slot, longer.move(moves)), longer))
            for value in choice.next_values(moves):
                options.append(Option(str(value), Choice(choice.picked, (*choice.values, value))))
        if choice != Choice():
            options.append(Option(self.look.tr(m("choose again")), Choice()))
        return options

    def send(self, choice: Choice) -> None:
        sealed = self.chair.story.stage is Stage.COMMIT
        try:
            self.chair.choose(choice.move(self.chair.moves))
            self.chair.commit()
        except LocalError as error:
            self.write(self.board().speaker.error(error))
            return
        if sealed:
            self.say(m("Your choice is sealed and sent."))

    # --- besides choosing -----------------------------------------------------------------------------------------

    def command(self, answer: str, shown: Board, most: int) -> None:
        if answer in ("q", "quit", "exit"):
            raise Quit
        if answer in ("?", "h", "help"):
            self.lines(help_lines(shown, self.look))
        elif answer == "t":
            self.lines(shown.spoken())
        elif answer == "r":
            self.lines([text_of(one) for one in rulebook.rules(shown.scene.game.id, self.look, LINE)])
        elif answer == "p":
            self.protocol = not self.protocol
            self.say(m("From here on the protocol is told too.") if self.protocol else m("The protocol is silent now."))
        else:
            self.say(m("Type a number from 1 to {most}, or ? for help."), most=most)

    def lines(self, lines: Sequence[str]) -> None:
        for one in lines:
            self.write(one)


def help_lines(shown: Board, look: Look) -> list[str]:
    """What can be typed."""
    tr = look.tr
    lines = [
        tr(m("A number chooses. Until it is sent, a choice can be changed; after that never.")),
        f"t  {tr(m('what lies on the table'))}",
        f"r  {tr(m('the rules of this game'))}",
        f"p  {tr(m('tell what happens underneath, or stop telling'))}",
        f"q  {tr(m('leave the table'))}",
    ]
    signs = shown.signs_spoken()
    return [*lines, signs] if signs else lines
