"""Every known way to cheat at a table, one named class each, shipped: demos, soaks and tests use them.

Law: a cheat is a `Table` that lies; put it in a seat instead of one. What it says besides its lie is honest, so that
nothing but the lie can be what it is blamed for. Attacks on the proofs themselves are in tests/p2p/crypto/.

    CHEATS["rogue-key"](proposal, game, identity=…, seed=…)     made and driven as a Table
    .what, .rule       a sentence; the rule it must be blamed for (None: it must have no effect)
    .games, .least     where its chance comes: `fits(cheat, game, players)`
    .lied              whether it has had its chance

To add one: a class in the file it belongs to, and its name in that file's `CHEATS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p.net.cheats import cards, choices, harmless, seating, speaking, stories, votes
from p2p.net.cheats.base import Cheat

CHEATS: Mapping[str, type[Cheat]] = {
    cheat.name: cheat for file in (seating, cards, choices, speaking, stories, votes, harmless) for cheat in file.CHEATS
}


def fits(cheat: type[Cheat], game: str, players: int) -> bool:
    """Can this cheat get its chance at such a table?"""
    return (not cheat.games or game in cheat.games) and players >= cheat.least


__all__ = ["CHEATS", "Cheat", "fits"]
