"""Need `Over`: every seat still in signs the result; that closes the log.

Law: the result is what the rules say, never what somebody claims.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from engine.cards import Seat
from engine.game import Fact, Move, Over, canonical
from p2p.errors import Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step, require
from p2p.wire import Ack


class Finished(Fact):
    """Not a fact for the rules: the log is closed."""


def result_digest(ground: Ground) -> bytes:
    return hashlib.sha256(b"nodealer/1/result" + canonical((ground.need, ground.state))).digest()


class AckStep(CardStep[Ack]):
    stage = Stage.ACK
    rule = Rule.OTHER_RESULT

    def speak(self, me: Me, context: Context, move: Move | None) -> Ack:
        return Ack(result_digest(self.ground))

    def check(self, seat: Seat, body: Ack, context: Context, mine: bool) -> None:
        require(body.result == result_digest(self.ground), Rule.OTHER_RESULT, "another result")

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        return Finished()


def begin(ground: Ground, need: Over) -> Step[Any] | Fact:
    return AckStep(ground, ground.felt.active)
