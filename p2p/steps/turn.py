"""Need `Turn`: one seat hides its hand anew and plays from it, in one message; then all confirm.

Law: hiding first means that nobody sees whether the card played is an old one or the one just drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Seat, Slot
from engine.game import Fact, Move, Moved, Played, Turn
from p2p.crypto import deck as crypto
from p2p.errors import LocalError, Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step, check_hidden, hide, own_places, translate
from p2p.steps.choose import check_played, open_share
from p2p.steps.confirm import ConfirmStep
from p2p.wire import Play


class PlayStep(CardStep[Play]):
    stage = Stage.PLAY
    rule = Rule.BAD_SHARE

    def speak(self, me: Me, context: Context, move: Move | None) -> Play:
        if move is None:
            raise LocalError("no_move")
        hidden = hide(self.ground, me, context)
        kind, slots, values = translate(move, hidden.moved)
        share = open_share(me, [hidden.cards[slot] for slot in slots], context)
        return Play(hidden.message, kind, slots, values, share)

    def check(
        self, seat: Seat, body: Play, context: Context, mine: bool
    ) -> tuple[Played, dict[Slot, crypto.Ciphertext]]:
        hand = check_hidden(self.ground, seat, body.hidden, context, mine)
        move = Move(body.move, own_places(self.ground, seat, body.slots), body.values)
        return check_played(self.ground, seat, move, hand, body.share, context), hand

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        felt = self.ground.felt
        ((played, hand),) = said.values()

        def done() -> Fact:
            felt.cards.update(hand)
            felt.clear(played.move.slots)
            return Moved(played=played)

        return ConfirmStep(self.ground, felt.active, done)


def begin(ground: Ground, need: Turn) -> Step[Any] | Fact:
    return PlayStep(ground, (need.seat,))
