"""One file per need of the rules: how a table without a dealer satisfies it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import game as contract
from engine.game import Fact
from p2p.steps import choose, claim, draw, leave, over, pass_, shuffle, turn
from p2p.steps.base import Ground, Step

BEGINNINGS: dict[type[contract.Need], Callable[[Ground, Any], Step[Any] | Fact]] = {
    contract.Shuffle: shuffle.begin,
    contract.Draw: draw.begin,
    contract.Open: draw.begin_open,
    contract.Turn: turn.begin,
    contract.Choose: choose.begin,
    contract.Pass: pass_.begin,
    contract.Claim: claim.begin,
    contract.Leave: leave.begin,
    contract.Over: over.begin,
}


def begin(ground: Ground) -> Step[Any] | Fact:
    """The first step of what satisfies this need, or the fact itself where nothing has to be done."""
    return BEGINNINGS[type(ground.need)](ground, ground.need)
