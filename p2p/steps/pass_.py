"""Need `Pass`: each giver commits to a card of its hidden hand; when all have, each re-keys its card to its receiver.

Law: the proof shows that it is the same card, not which; only giver and receiver can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Seat
from engine.game import Fact, Gift, Move, Pass, Passed
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step, own_places
from p2p.steps.choose import bind, bound_choice, my_opening, settle
from p2p.wire import Give

PASS = "pass"  # the one kind of move of this need; see engine/game.py


class GiveStep(CardStep[Give]):
    stage = Stage.GIVE
    rule = Rule.BAD_PASS

    def __init__(self, ground: Ground, ring: tuple[tuple[Seat, Seat], ...]) -> None:
        super().__init__(ground, tuple(sorted(giver for giver, _ in ring)))
        self.receiver = dict(ring)

    def speak(self, me: Me, context: Context, move: Move | None) -> Give:
        opening = my_opening(self.ground, me)
        felt = self.ground.felt
        (slot,) = opening.move.slots
        message = crypto.pass_card(
            felt.bound[me.seat].hand[slot],
            me.secret,
            felt.publics[self.receiver[me.seat]],
            context.of(me.seat, "pass"),
            me.entropy(context, "pass"),
        )
        return Give(slot, opening.salt, message)

    def check(self, seat: Seat, body: Give, context: Context, mine: bool) -> tuple[Gift, crypto.Ciphertext]:
        (slot,) = own_places(self.ground, seat, (body.slot,))
        bound = bound_choice(self.ground, seat, Move(PASS, (slot,)), body.salt)
        felt = self.ground.felt
        receiver = self.receiver[seat]
        card = crypto.verify_pass(
            bound.hand[slot], felt.publics[seat], felt.publics[receiver], body.message, context.of(seat, "pass")
        )
        return Gift(seat, receiver, slot), card

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        return self._book(said)

    def cut(self, said: Mapping[Seat, Any], gone: frozenset[Seat]) -> Fact | None:
        """A card on its way to a lost seat that did not pass on itself goes to the next in the ring instead: the same
        card, for its giver stays bound. If the lost seat's own pass counts, it had received: the card stays with it."""
        counts = {
            seat: given for seat, given in said.items() if given[0].receiver not in gone or given[0].receiver in said
        }
        return self._book(counts)

    def _book(self, said: Mapping[Seat, tuple[Gift, crypto.Ciphertext]]) -> Passed:
        settle(self.ground, said)
        for gift, card in said.values():
            self.ground.felt.cards[gift.slot] = card
        return Passed(gifts=tuple(said[seat][0] for seat in sorted(said)))


def begin(ground: Ground, need: Pass) -> Step[Any] | Fact:
    givers = tuple(sorted(giver for giver, _ in need.ring))
    return bind(ground, givers, lambda: GiveStep(ground, need.ring))
