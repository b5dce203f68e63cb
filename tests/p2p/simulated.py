"""Whole tables in memory for tests: who sits down, who plays how, and what everybody holds in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from engine.bots import bot
from engine.game import Game
from engine.shelf import FOLDERS, find
from p2p.identity import Identity
from p2p.net.memory import Faults, Host, Network
from p2p.seating import Proposal, rules_digest
from p2p.table import Table

TOYS = str(Path(__file__).parents[1] / "games")
Maker = Callable[..., Table]


def game_of(name: str) -> Game[Any]:
    """Any game of the shelf, the tests' toys included."""
    return find(name, (*FOLDERS, TOYS))


class Party:
    """`players` hosts around one table. `cheats`: for a member (by place in the proposal) what sits there instead."""

    def __init__(
        self,
        game: str,
        players: int,
        seed: int,
        *,
        cheats: dict[int, Maker] | None = None,
        faults: Faults | None = None,
        level: str = "greedy",
        settings: Sequence[tuple[str, Any]] = (),
    ) -> None:
        self.game = game_of(game)
        chance = Random(f"{game}/{players}/{seed}")
        self.identities = sorted(
            [Identity(chance.randbytes(32)) for _ in range(players)], key=lambda identity: identity.public
        )
        members = tuple(bytes(identity.public) for identity in self.identities)
        self.proposal = Proposal(self.game.id, rules_digest(self.game), tuple(settings), members, chance.randbytes(32))
        makers = cheats or {}
        self.hosts = [
            Host(
                identity.public,
                makers.get(place, Table)(
                    self.proposal, self.game, identity=identity, seed=chance.randbytes(32), name=f"player {place}"
                ),
                bot(level, self.game, Random(chance.random())),
            )
            for place, identity in enumerate(self.identities)
        ]
        self.net = Network(self.hosts, chance, faults)

    @property
    def tables(self) -> list[Table]:
        return [host.table for host in self.hosts]

    def play(self, stop: Callable[[], bool] | None = None, until: float = 600.0) -> Party:
        self.net.run(until, stop or self.net.all_over)
        return self


@cache
def finished(game: str, players: int, seed: int) -> Party:
    """A whole honest game, played once for all tests of a process. Not to be played on."""
    return Party(game, players, seed).play()
