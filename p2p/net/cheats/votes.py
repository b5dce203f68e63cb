"""Cheats when a seat was lost: false votes, and false marks while the pile is made anew. Each needs somebody lost."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from p2p.errors import Rule
from p2p.net.cheats.base import Cheat
from p2p.states import Stage
from p2p.wire import Body, Cut, Entry, Have, Mark


class Mourner(Cheat):
    least = 3
    needs_loss = True


class FalseMark(Mourner):
    name = "false-mark"
    what = "marks another card than one of its own while the pile of a lost seat is made anew"
    rule = Rule.BAD_MARK
    stages = frozenset({Stage.MARK})

    def lie(self, truth: Body) -> Body | None:
        known = set(self.known().values())
        wish = next((card for card in self.step.unseen if card not in known), None)
        if wish is None or not self.places():
            return None
        cards = self.cards
        (card,) = cards.deck.fresh([wish], cards.publics[self.my_seat])
        return self.with_other_cards({self.places()[0]: card})


class NoMark(Mourner):
    name = "no-mark"
    what = "marks none of its cards, so that they come into the pile a second time"
    rule = Rule.BAD_MARK
    stages = frozenset({Stage.MARK})

    def lie(self, truth: Body) -> Body | None:
        return Mark(b"") if self.places() else None


class FalseCut(Mourner):
    name = "false-cut"
    what = "signs another cut than the one that follows from everyone's votes"
    rule = Rule.BAD_VOTE

    def lie(self, truth: Body) -> Body | None:
        return None

    def _sign(self, body: Body, step: int, previous: bytes) -> Entry:
        if isinstance(body, Cut) and not self.lied:
            self.lied = True
            body = replace(body, digest=bytes(32))
        return super()._sign(body, step, previous)


class TwoVotes(Mourner):
    name = "two-votes"
    what = "tells some that its last message counts and others that it does not, so that honest cuts differ"
    rule = Rule.TWO_STORIES
    games = ("2win",)
    stages = patient = frozenset({Stage.COMMIT})

    def lie(self, truth: Body) -> Body | None:
        return None

    @property
    def bides_its_time(self) -> bool:
        return self.stage in self.patient and self.may_lie

    def _sign(self, body: Body, step: int, previous: bytes) -> Entry:
        if not isinstance(body, Have) or self.lied or self.planned is None:
            return super()._sign(body, step, previous)
        self.lied = True
        self.move = self.planned
        word = self.signed(self.spoken(self.step, self.me))
        self.say(word)  # nobody has it yet, but all will before they sign what counts
        counted = replace(body, held=tuple(sorted((*body.held, hashlib.sha256(word.signed).digest()))))
        here = [seat for seat in self.others if seat not in self._out]
        split = (len(here) + 1) // 2
        other = self.signed(counted, previous=previous, step=step)
        self.say_to(here[split:], self.signed(body, previous=previous, step=step))
        self.say_to(here[:split], other)
        self._mute = True  # a cut of its own would fit only one of its stories
        return other


CHEATS: tuple[type[Cheat], ...] = (FalseMark, NoMark, FalseCut, TwoVotes)
