"""Cheats when a seat was lost: false votes, and false marks while the pile is made anew. Each needs somebody lost."""

from __future__ import annotations

from dataclasses import replace

from p2p.errors import Rule
from p2p.net.cheats.base import Cheat
from p2p.states import Stage
from p2p.wire import Body, Cut, Entry, Mark


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


CHEATS: tuple[type[Cheat], ...] = (FalseMark, NoMark, FalseCut)
