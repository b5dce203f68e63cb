"""No need of the rules: seats are gone for good and took their layers with them; the face-down cards are made anew.

Law: hands stay as they are; nobody learns who holds what. Every stayer marks its own cards among all unseen ones,
hidden; the rows (card, sum of marks) are shuffled by all; only the sums are opened; rows nobody holds fill the
face-down places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Seat
from engine.game import Fact, Move
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step
from p2p.steps.shuffle import LinkStep, Rows
from p2p.wire import Mark, Share


class Rebuilt(Fact):
    """Not a fact for the rules: places hold other cards now, none of which anybody had seen there."""


class MarkStep(CardStep[Mark]):
    stage = Stage.MARK
    rule = Rule.BAD_MARK

    def __init__(self, ground: Ground) -> None:
        super().__init__(ground, ground.felt.active)
        seen = set(ground.game.open_cards(ground.state))
        self.unseen = tuple(card.id for card in ground.game.deck if card.id not in seen)

    def speak(self, me: Me, context: Context, move: Move | None) -> Mark:
        felt = self.ground.felt
        hand = felt.at(self.ground.hand(me.seat))
        message = crypto.mark(
            self.unseen,
            hand,
            me.secret,
            felt.joint,
            felt.deck,
            context.of(me.seat, "mark"),
            me.entropy(context, "mark"),
        )
        return Mark(message)

    def check(self, seat: Seat, body: Mark, context: Context, mine: bool) -> tuple[crypto.Ciphertext, ...]:
        felt = self.ground.felt
        hand = felt.at(self.ground.hand(seat))
        return tuple(
            crypto.verify_mark(
                self.unseen, hand, felt.publics[seat], felt.joint, felt.deck, body.message, context.of(seat, "mark")
            )
        )

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        felt = self.ground.felt
        rows = crypto.mark_rows(self.unseen, [said[seat] for seat in self.authors], felt.joint, felt.deck)
        return LinkStep(self.ground, rows, felt.active, lambda mixed: SumStep(self.ground, mixed), "rebuild")


class SumStep(CardStep[Share]):
    """All open the sums, and only the sums."""

    stage = Stage.SHARE
    rule = Rule.BAD_SHARE

    def __init__(self, ground: Ground, rows: Rows) -> None:
        super().__init__(ground, ground.felt.active)
        self.rows = rows
        self.sums = [total for _, total in rows]

    def speak(self, me: Me, context: Context, move: Move | None) -> Share:
        return Share(crypto.give_shares(me.secret, self.sums, context.of(me.seat, "sum"), me.entropy(context, "sum")))

    def check(self, seat: Seat, body: Share, context: Context, mine: bool) -> tuple[crypto.Point, ...]:
        public = self.ground.felt.publics[seat]
        return tuple(crypto.verify_shares(public, self.sums, body.message, context.of(seat, "sum")))

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        felt = self.ground.felt
        free = [
            card
            for at, (card, total) in enumerate(self.rows)
            if not crypto.is_held(total, [shares[at] for shares in said.values()])
        ]
        hands = self.ground.game.hands(self.ground.state)
        held = {slot for seat in felt.active for slot in hands[seat]}
        felt.clear([slot for slot in felt.cards if slot not in held])
        felt.lay(self.ground.game.face_down(self.ground.state), free)
        return Rebuilt()


def begin(ground: Ground) -> Step[Any] | Fact:
    """Nothing to do before the first cards are shuffled, and nothing when none is left face down."""
    felt = ground.felt
    places = ground.game.face_down(ground.state)
    if not felt.cards or not places:
        return Rebuilt()
    return MarkStep(ground)
