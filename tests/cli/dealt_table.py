"""A runner for the tests of screens: tells a chair what a real table would tell, from the fake dealer's cards.

Law: no cryptography, no thread, no clock: the same seed gives the same screens whatever the protocol's bytes are. That
real tables tell the same is shown in test_local_tables.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from cli.ui.chair import Chair
from cli.ui.story import Code
from engine import game as contract
from engine.bots import bot
from engine.cards import Seat
from engine.dealer import Chooser, Dealer, deciders
from engine.game import Game, Move, Over
from p2p import events
from p2p.errors import LocalError
from p2p.net.driver import Happened, Refused
from p2p.states import Stage

NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix")
CODE = "acorn-bridge-canvas-dolphin-ember-falcon"
#: How long each kind of work "took", so that every number on the screens is known.
WORK = {Stage.LINK: 37.2, Stage.COMMIT: 6.4, Stage.ANSWER: 21.5}
USUAL = 2.1


class DealtTable:
    """`me`: the seat of the chair. The others are played by bots."""

    def __init__(self, game: Game[Any], players: int, seed: int, me: int = 1, level: str = "greedy") -> None:
        self.game = game
        self.dealer = Dealer(game, players, Random(seed))
        self.me = Seat(me)
        self.names = NAMES[:players]
        self.bots: list[Chooser] = [bot(level, game, Random(f"{seed}/{seat}")) for seat in range(players)]
        self.chair = Chair(game, self)
        self.step = -1
        self.choices: dict[Seat, Move] = {}
        self.out: list[Seat] = []
        self.left = False
        self.played: list[Move] = []  # what the chair has sent
        self.held_up = False  # nobody answers any more
        self.refusing: LocalError | None = None  # what the chair's next move is refused with
        self._work = 0.0

    # --- Runner ---------------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        self.played.append(move)
        if self.refusing:
            self.chair.tell(Refused(self.refusing), None)
        if self.refusing or self.held_up:
            return
        self.choices[self.me] = move
        self._decided()
        self.run()

    def leave(self) -> None:
        self.left = True

    # --- the table ------------------------------------------------------------------------------------------------

    def start(self) -> Chair:
        """Seats, keys, and on until the chair is asked or the game is over."""
        everyone = self.everyone()
        for stage in (Stage.SEAL, Stage.NONCE):
            self.stage(stage, everyone)
        self.tell(events.Seated(self.names, self.me))
        self.chair.tell(Code(CODE), None)
        self.stage(Stage.KEY, everyone)
        self.run()
        return self.chair

    def run(self) -> None:
        while not isinstance(self.dealer.need, Over):
            if not self._go_on():
                return
        self.stage(Stage.ACK, self.active())
        self.tell(events.Finished(self.dealer.need))

    def _go_on(self) -> bool:
        """Satisfy one need; False if the chair has to decide first."""
        need = self.dealer.need
        asked = deciders(need)
        if asked:
            self.open(Stage.PLAY if isinstance(need, contract.Turn) else Stage.COMMIT, asked)
            self.choices = {seat: self.bots[seat](self.dealer.view(seat)) for seat in asked if seat != self.me}
            for seat in self.choices:
                self.speak(seat)
            if self.me in asked:
                self.tell(events.Asked(need))
                return False
            self._decided()
            return True
        if isinstance(need, contract.Shuffle):
            for seat in self.active():
                self.stage(Stage.LINK, (seat,))
            self.tell(events.Proven(tuple(seat for seat in self.active() if seat != self.me)))
            self.stage(Stage.CONFIRM, self.active())
        elif isinstance(need, contract.Claim):
            self.stage(Stage.ANSWER, tuple(one.seat for one in need.asked))
            self.stage(Stage.CONFIRM, self.active())
        elif isinstance(need, contract.Leave):
            self.stage(Stage.HAND_OVER, need.seats)
            self.out += need.seats
            self.stage(Stage.CONFIRM, self.active())
        else:
            self.stage(Stage.SHARE, self.active())
        self.book()
        return True

    def _decided(self) -> None:
        """All choices are in: compare, open, book."""
        need = self.dealer.need
        if self.me in self.choices:
            self.speak(self.me)
        self.stage(Stage.CONFIRM, self.active())
        if not isinstance(need, contract.Turn):
            opening = Stage.GIVE if isinstance(need, contract.Pass) else Stage.REVEAL
            self.stage(opening, tuple(sorted(self.choices)))
        self.book(self.choices)

    def book(self, choices: Mapping[Seat, Move] | None = None) -> None:
        need = self.dealer.need
        fact = self.dealer.step(choices)
        self.tell(events.Booked(need, fact, self.dealer.state.news, self.dealer.state))

    # --- telling --------------------------------------------------------------------------------------------------

    def everyone(self) -> tuple[Seat, ...]:
        return tuple(map(Seat, range(len(self.names))))

    def active(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.everyone() if seat not in self.out)

    def stage(self, stage: Stage, authors: Sequence[Seat]) -> None:
        self.open(stage, authors)
        for seat in authors:
            self.speak(seat)

    def open(self, stage: Stage, authors: Sequence[Seat]) -> None:
        self.step += 1
        self.now = stage
        self.tell(events.Opened(0, self.step, stage, tuple(authors)))

    def speak(self, seat: Seat) -> None:
        proven = self.now is not Stage.LINK or seat == self.me
        self.tell(events.Spoke(seat, self.now, 100, proven))

    def tell(self, event: events.Event) -> None:
        self._work += 0.001  # so that no two calls took equally long
        work = WORK.get(getattr(event, "stage", Stage.ACK), USUAL) + self._work % 0.1
        started = self.dealer.faces
        view = self.game.view(self.dealer.state, self.me, self.dealer.known(self.me) if started else {})
        self.chair.tell(Happened(event, work), view)


def listen(chair: Chair) -> None:
    """Take in all that has been told."""
    while chair.next() is not None:
        pass


def play_until(table: DealtTable, stop: Callable[[Chair], bool], choose: Chooser | None = None) -> Chair:
    """Play this seat (as a greedy bot) until something is so, or the game is over."""
    chair = table.chair
    mine = choose or table.bots[table.me]
    listen(chair)
    while not (stop(chair) or chair.story.ended):
        assert chair.asked
        assert chair.view is not None
        chair.choose(mine(chair.view))
        chair.commit()
        listen(chair)
    return chair
