"""Need `Leave`: who is out re-keys its hand to those who stay and takes its layer off every face-down card.

Law: for exactly all of them, with proof. When the stayers have confirmed, a leaver can switch off its machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Seat
from engine.game import Fact, Leave, Left, Move
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step, require
from p2p.steps.confirm import ConfirmStep
from p2p.wire import HandOver


class HandOverStep(CardStep[HandOver]):
    stage = Stage.HAND_OVER
    rule = Rule.BAD_HANDOVER

    def __init__(self, ground: Ground, leavers: tuple[Seat, ...]) -> None:
        super().__init__(ground, leavers)
        felt = ground.felt
        self.stayers = tuple(seat for seat in felt.active if seat not in leavers)
        self.heirs = felt.joint_of(self.stayers)
        self.face_down = tuple(slot for slot in ground.game.face_down(ground.state) if slot in felt.cards)

    def speak(self, me: Me, context: Context, move: Move | None) -> HandOver:
        felt = self.ground.felt
        hand = felt.at(self.ground.hand(me.seat))
        pile = felt.at(self.face_down)
        over = strip = b""
        if hand:
            over = crypto.hand_over(
                hand, me.secret, self.heirs, context.of(me.seat, "hand over"), me.entropy(context, "hand over")
            )
        if pile:
            strip = crypto.give_shares(me.secret, pile, context.of(me.seat, "strip"), me.entropy(context, "strip"))
        return HandOver(over, strip)

    def check(self, seat: Seat, body: HandOver, context: Context, mine: bool) -> Any:
        felt = self.ground.felt
        hand: tuple[crypto.Ciphertext, ...] = ()
        shares: tuple[crypto.Point, ...] = ()
        places = self.ground.hand(seat)
        require(bool(body.hand) == bool(places), Rule.BAD_HANDOVER, "not the whole hand")
        require(bool(body.strip) == bool(self.face_down), Rule.BAD_HANDOVER, "not every face-down card")
        if places:
            over = context.of(seat, "hand over")
            hand = crypto.verify_hand_over(felt.at(places), felt.publics[seat], self.heirs, body.hand, over)
        if self.face_down:
            strip = context.of(seat, "strip")
            shares = crypto.verify_shares(felt.publics[seat], felt.at(self.face_down), body.strip, strip)
        return dict(zip(places, hand, strict=True)), shares

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        self._take_over(said)
        return ConfirmStep(self.ground, self.stayers, lambda: Left(seats=self.authors))

    def cut(self, said: Mapping[Seat, Any], gone: frozenset[Seat]) -> Fact | None:
        """Who has handed over is out; the rebuilding that follows makes anew what this left half done."""
        self._take_over(said)
        return Left(seats=tuple(sorted(said)))

    def _take_over(self, said: Mapping[Seat, Any]) -> None:
        felt = self.ground.felt
        for at, slot in enumerate(self.face_down):
            felt.cards[slot] = crypto.peel(felt.cards[slot], [shares[at] for _, shares in said.values()])
        for hand, _ in said.values():
            felt.cards.update(hand)
        felt.without(said)


def begin(ground: Ground, need: Leave) -> Step[Any] | Fact:
    return HandOverStep(ground, tuple(sorted(need.seats)))
