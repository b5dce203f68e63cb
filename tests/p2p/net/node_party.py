"""Nodes on this machine's loopback, each with a user data folder of its own, played by bots; for tests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from lan_party import settings, udp_port

from engine.game import Note
from engine.shelf import find
from p2p import events
from p2p.identity import PublicIdentity
from p2p.net.driver import Happened, Refused, Stopped
from p2p.net.keys import PeerKey
from p2p.net.lan import Lan
from p2p.net.node import Node, Refusal, Seating, Sitting
from p2p.net.profile import open_profile
from p2p.table import Packet

QUICK = 30.0


class Player(Node):
    """A node whose program can end without a word: `crash_at` own messages of a table, `before` the last is sent."""

    def __init__(self, lan: Lan, folder: Path) -> None:
        super().__init__(lan, find, folder)
        self.folder = folder
        self.crash_at = 0
        self.before = False
        self.said = 0
        self.crashed = asyncio.Event()

    def _send(self, keys: Mapping[PublicIdentity, PeerKey], packet: Packet) -> None:
        if self.crashed.is_set():
            return
        self.said += packet.mine
        dies = packet.mine and self.said == self.crash_at
        if not (dies and self.before):
            super()._send(keys, packet)
        if dies:
            self.crashed.set()

    async def crash(self) -> None:
        """As a kill would: nothing is said, nothing is tidied up."""
        self.crashed.set()
        for sitting in self.sittings.values():
            driver = sitting.driver
            if driver is not None and driver._task is not None:
                driver._task.cancel()
                await asyncio.gather(driver._task, return_exceptions=True)
                await driver._worker.run(lambda: None)
                driver._worker.end()
                if driver._journal is not None:
                    driver._journal.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.lan.stop(goodbye=False)
        self.lan.profile.close()


async def new_player(folder: Path, port: int, tcp_port: int = 0) -> Player:
    player = Player(Lan(open_profile(root=folder), replace(settings(port), tcp_port=tcp_port)), folder)
    player.lan.profile.nickname = folder.name
    await player.start()
    return player


@contextlib.asynccontextmanager
async def players(folder: Path, *names: str) -> AsyncIterator[list[Player]]:
    """These, started; the list may be changed. Whoever is in it at the end says goodbye."""
    port = udp_port()
    found: list[Player] = [await new_player(folder / name, port) for name in names]
    try:
        yield found
    finally:
        await asyncio.gather(*(player.stop() for player in found))
        for player in found:
            player.lan.profile.close()


async def reborn(player: Player) -> tuple[Player, Sitting]:
    """The same profile in a new program, with its unfinished game; at the same port, as programs prefer it."""
    again = await new_player(player.folder, player.lan.settings.udp_port, player.lan.port)
    again.lan.profile.nickname = f"{player.folder.name} again"  # a name may change; what was signed must not
    (journal,) = again.unfinished()
    return again, again.resume(journal)


async def found(player: Node, host: Node) -> tuple[Any, Any]:
    """The host's table, as soon as this player has heard of it."""
    async with asyncio.timeout(QUICK):
        while True:
            for peer, notice in player.tables():
                if peer.key == host.me().key:
                    return peer, notice
            await asyncio.sleep(0.01)


async def seat(host: Player, *others: Player, game: str) -> list[Sitting]:
    """A table with all of them, before anyone is ready."""
    table = host.open_table(game, 1 + len(others))
    sittings = [table]
    for other in others:
        sittings.append(other.sit_down(*await found(other, host)))
        await told(sittings[-1], lambda news, me=other: isinstance(news, Seating) and me.me().key in keys(news))
    return sittings


def keys(news: Seating) -> list[bytes]:
    return [member.key for member in news.roster.members]


async def told(sitting: Sitting, wanted: Callable[[Any], bool]) -> Any:
    """The first of its news that is wanted; all before are dropped."""
    async with asyncio.timeout(QUICK):
        while not wanted(news := await sitting.next()):
            pass
    return news


async def refusal(sitting: Sitting) -> Note:
    news = await told(sitting, lambda news: isinstance(news, Refusal))
    reason: Note = news.reason
    return reason


async def play_on(sitting: Sitting, chance: Random, until: Callable[[Any], bool] = lambda _: False) -> None:
    """A bot plays until the game is over, or until this news."""
    if not sitting.wants_ready and sitting.driver is None:
        sitting.ready()
    while not sitting.ended:
        news = await sitting.next()
        assert not isinstance(news, Refusal | Stopped), news
        if until(news):
            return
        asked = isinstance(news, Happened) and isinstance(news.event, events.Asked)
        if (asked or isinstance(news, Refused)) and sitting.view and sitting.view.moves:
            sitting.play(chance.choice(sitting.view.moves))


async def play_all(sittings: list[Sitting], seed: int = 0) -> None:
    """To the end, and until everyone has the result."""
    await asyncio.gather(*(play_on(sitting, Random(f"{seed}/{index}")) for index, sitting in enumerate(sittings)))
    assert all(await asyncio.gather(*(sitting.settled() for sitting in sittings)))
