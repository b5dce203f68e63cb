"""Agreement: every seat says that it saw the same so far. No share, reveal or strip flows before.

Law: the body is empty; the digest in the header is what is confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.cards import Seat
from engine.game import Fact, Move
from p2p.errors import Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step
from p2p.wire import Confirm


class ConfirmStep(CardStep[Confirm]):
    stage = Stage.CONFIRM
    rule = Rule.MALFORMED

    def __init__(self, ground: Ground, authors: tuple[Seat, ...], after: Callable[[], Step[Any] | Fact]) -> None:
        super().__init__(ground, authors)
        self.after = after

    def speak(self, me: Me, context: Context, move: Move | None) -> Confirm:
        return Confirm()

    def check(self, seat: Seat, body: Confirm, context: Context, mine: bool) -> None:
        return None

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        return self.after()

    def cut(self, said: Mapping[Seat, Any], gone: frozenset[Seat]) -> Fact | None:
        """What was to be confirmed had been said by all its authors, and all who stay hold it: it counts."""
        outcome = self.after()
        return outcome if isinstance(outcome, Fact) else None
