"""Need `Claim`: each seat says "I can move", or proves in zero knowledge that no order of its hand makes a move.

Law: the statement is data from the rules; "I can" needs no proof, for whoever says it must then open a legal move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Seat
from engine.game import Cannot, Claim, Claimed, Fact, Move
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step, require
from p2p.steps.confirm import ConfirmStep
from p2p.wire import Answer


def holds(statement: Cannot, attributes: list[int]) -> bool:
    """Can these attributes be ordered so that one clause holds? (Only who is first matters.)"""
    return any(
        first in clause.first and all(other in clause.others for other in attributes[:at] + attributes[at + 1 :])
        for clause in statement.any_of
        for at, first in enumerate(attributes)
    )


class AnswerStep(CardStep[Answer]):
    stage = Stage.ANSWER
    rule = Rule.FALSE_CLAIM

    def __init__(self, ground: Ground, asked: tuple[Cannot, ...]) -> None:
        super().__init__(ground, tuple(sorted(item.seat for item in asked)))
        self.asked = {item.seat: item for item in asked}

    def speak(self, me: Me, context: Context, move: Move | None) -> Answer:
        statement = self.asked[me.seat]
        felt = self.ground.felt
        hand = felt.at(self.ground.hand(me.seat))
        cards = self.ground.game.deck
        attributes = [cards[me.look(card, felt.deck) - 1].attributes[statement.attribute] for card in hand]
        if not holds(statement, attributes):
            return Answer(True, b"")
        proof = crypto.prove_cannot(
            hand,
            me.secret,
            felt.deck,
            statement.attribute,
            statement.any_of,
            context.of(me.seat, "cannot"),
            me.entropy(context, "cannot"),
        )
        return Answer(False, proof)

    def check(self, seat: Seat, body: Answer, context: Context, mine: bool) -> bool:
        if body.can:
            require(not body.proof, Rule.FALSE_CLAIM, "no proof is asked of who can move")
        elif not mine:
            statement = self.asked[seat]
            felt = self.ground.felt
            crypto.verify_cannot(
                felt.at(self.ground.hand(seat)),
                felt.publics[seat],
                felt.deck,
                statement.attribute,
                statement.any_of,
                body.proof,
                context.of(seat, "cannot"),
            )
        return body.can

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        fact = self._fact(said)
        return ConfirmStep(self.ground, self.ground.felt.active, lambda: fact)

    def cut(self, said: Mapping[Seat, Any], gone: frozenset[Seat]) -> Fact | None:
        return self._fact(said)

    def _fact(self, said: Mapping[Seat, bool]) -> Claimed:
        return Claimed(answers=tuple((seat, said[seat]) for seat in sorted(said)))


def begin(ground: Ground, need: Claim) -> Step[Any] | Fact:
    return AnswerStep(ground, need.asked) if need.asked else Claimed()
