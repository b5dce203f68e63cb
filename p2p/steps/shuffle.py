"""Need `Shuffle`: every active seat in turn shuffles under the joint key and proves it; then all confirm.

Law: no share leaves before every link is verified by everyone. Verification of a link is put off (`Waiting`) so that
it can run while the next seat shuffles, several merged into one check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import Seat
from engine.game import Fact, Move, Shuffle, Shuffled
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step
from p2p.steps.confirm import ConfirmStep
from p2p.wire import Link

Rows = tuple[tuple[crypto.Ciphertext, ...], ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A link that has arrived and is not verified yet."""

    seat: Seat
    link: crypto.Link


def verify_waiting(waiting: list[Waiting]) -> Seat | None:
    """Check all these links at once; the seat of the first false one, or None."""
    try:
        crypto.verify_chain([item.link for item in waiting])
    except crypto.LinkError as error:
        return waiting[error.index].seat
    return None


class LinkStep(CardStep[Link]):
    """One seat's link of the chain."""

    stage = Stage.LINK
    rule = Rule.BAD_SHUFFLE

    def __init__(
        self, ground: Ground, rows: Rows, order: tuple[Seat, ...], after: Any, purpose: str = "shuffle"
    ) -> None:
        super().__init__(ground, order[:1])
        self.rows = rows
        self.order = order
        self.after = after  # rows -> what follows when the chain is complete
        self.purpose = purpose

    def speak(self, me: Me, context: Context, move: Move | None) -> Link:
        key = self.ground.felt.joint
        return Link(
            crypto.shuffle(self.rows, key, context.of(me.seat, self.purpose), me.entropy(context, self.purpose))
        )

    def check(self, seat: Seat, body: Link, context: Context, mine: bool) -> tuple[Rows, Waiting | None]:
        rows = crypto.shuffle_output(body.message, len(self.rows), len(self.rows[0]))
        if mine:
            return rows, None
        link = crypto.Link(self.rows, body.message, self.ground.felt.joint, context.of(seat, self.purpose))
        return rows, Waiting(seat, link)

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        rows, _ = said[self.order[0]]
        if len(self.order) > 1:
            return LinkStep(self.ground, rows, self.order[1:], self.after, self.purpose)
        return ConfirmStep(self.ground, self.ground.felt.active, lambda: self.after(rows))


def begin(ground: Ground, need: Shuffle) -> Step[Any] | Fact:
    felt = ground.felt
    rows = tuple((card,) for card in felt.at(need.places) + felt.deck.fresh(need.cards, felt.joint))
    if not rows:
        return Shuffled()

    def done(shuffled: Rows) -> Fact:
        felt.clear(need.places)
        felt.lay(need.into, [row[0] for row in shuffled])
        return Shuffled()

    return LinkStep(ground, rows, felt.active, done)
