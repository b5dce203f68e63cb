"""Nodes in one process over real sockets: sitting down, whole games, people who leave, programs that die."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path
from random import Random

import pytest
from lan_party import play, until
from node_party import Player, new_player, play_all, play_on, players, reborn, refusal, seat, told

from engine.shelf import find
from p2p import events
from p2p.net import seats
from p2p.net.driver import Happened
from p2p.net.faces import faces_path, read_faces
from p2p.net.node import Begun, Said, Seating, SeatTrouble, Sitting
from p2p.states import Life
from p2p.verify import verify_log

KINDS = [("2win", 2), ("2win", 4), ("2sans3", 2), ("2sans3", 3)]


def same_log(sittings: list[Sitting]) -> bytes:
    logs = {sitting.table.save() for sitting in sittings if sitting.table}
    assert len(logs) == 1
    return logs.pop()


def checked(data: bytes) -> None:
    verdict = verify_log(data, find)
    assert verdict.ok
    assert verdict.finished


def happened(kind: type[events.Event]) -> object:
    return lambda news: isinstance(news, Happened) and isinstance(news.event, kind)


@pytest.mark.parametrize(("game", "number"), KINDS)
def test_a_whole_game(tmp_path: Path, game: str, number: int) -> None:
    """Found by beacon, seated, played to the end: everyone keeps the same log, and a stranger finds it right."""

    async def story() -> None:
        async with players(tmp_path, *"abcd"[:number]) as nodes:
            sittings = await seat(*nodes, game=game)
            await play_all(sittings)
            log = same_log(sittings)
            checked(log)
            for sitting in sittings:
                assert sitting.log_path is not None
                assert sitting.log_path.read_bytes() == log
            for node in nodes:
                assert node.bytes_sent > 0

    play(story())


def test_what_is_kept_of_a_game(tmp_path: Path) -> None:
    """The log, and beside it for its owner alone the faces this seat saw; the journal with its secrets is gone."""

    async def story() -> None:
        async with players(tmp_path, "a", "b") as nodes:
            sittings = await seat(*nodes, game="2win")
            begun = [asyncio.ensure_future(play_all(sittings))]
            await until(lambda: all(list(node.folder.glob("journals/*")) for node in nodes))
            for node in nodes:
                (journal,) = node.folder.glob("journals/*")
                assert stat.S_IMODE(journal.stat().st_mode) == 0o600
            await asyncio.gather(*begun)
            for node, sitting in zip(nodes, sittings, strict=True):
                assert sitting.log_path is not None
                path = faces_path(sitting.log_path)
                assert stat.S_IMODE(path.stat().st_mode) == 0o600
                seat_number, rows = read_faces(path.read_bytes())
                assert sitting.table is not None
                assert seat_number == sitting.table.seat
                assert len(rows[0][1]) == 9
                await sitting.leave()
                assert list(node.folder.glob("journals/*")) == []

    play(story())


def test_faces_are_read_back_or_refused() -> None:
    """Anything else than such a file is a ValueError, never another exception."""
    for content in (b"", b"{}", b"[]", b"null", json.dumps({"version": 2, "seat": 0, "seen": []}).encode()):
        with pytest.raises(ValueError, match=r"."):
            read_faces(content)


def test_talk(tmp_path: Path) -> None:
    """What one says at a table all others there hear, cleaned of what could paint their screens."""

    async def story() -> None:
        async with players(tmp_path, "a", "b", "c") as nodes:
            sittings = await seat(*nodes, game="2win")
            await told(sittings[1], lambda news: isinstance(news, Seating) and len(news.roster.members) == 3)
            sittings[1].say("good \x1b[2Jluck")
            for other in (sittings[0], sittings[2]):
                assert await told(other, lambda news: isinstance(news, Said)) == Said("b", "good [2Jluck")

    play(story())


def test_the_host_leaves_before_the_game(tmp_path: Path) -> None:
    """Who sits there is told so at once, and can sit down elsewhere."""

    async def story() -> None:
        async with players(tmp_path, "a", "b") as nodes:
            host, guest = nodes
            (_, sitting) = await seat(host, guest, game="2sans3")
            await host.leave(host.sittings[sitting.id])
            assert (await refusal(sitting)).name == "seat_refused"
            again = await seat(guest, host, game="2sans3")
            await play_all(again)

    play(story())


def test_the_hosts_program_ends_before_the_game(tmp_path: Path) -> None:
    """The same when it says nothing at its table, only goodbye to the network."""

    async def story() -> None:
        async with players(tmp_path, "a", "b") as nodes:
            host, guest = nodes
            (_, sitting) = await seat(host, guest, game="2sans3")
            host.sittings.clear()
            await host.stop()
            assert (await refusal(sitting)).name == "host_left"
            assert guest.sittings == {}

    play(story())


def test_refused_seats(tmp_path: Path) -> None:
    """A full table, a table that has begun and a table that is not there: each is refused in words."""

    async def story() -> None:
        async with players(tmp_path, "a", "b", "c") as nodes:
            host, guest, late = nodes
            sittings = await seat(host, guest, game="2win")
            notice = {"id": sittings[0].id, "game": "2win", "seats": 2}
            await until(lambda: late.lan.peer(host.me().key))
            peer = late.lan.peer(host.me().key)
            assert peer is not None
            assert (await refusal(late.sit_down(peer, notice))).name == "seat_refused"
            assert (await refusal(late.sit_down(peer, {**notice, "id": "elsewhere"}))).name == "seat_refused"
            with pytest.raises(SeatTrouble):
                late.sit_down(peer, {"id": "x"})
            for sitting in sittings:
                sitting.ready()
            await told(sittings[0], lambda news: isinstance(news, Begun))
            assert (await refusal(late.sit_down(peer, notice))).name == "seat_refused"
            await play_all(sittings)

    play(story())


def test_only_the_host_fills_its_table(tmp_path: Path) -> None:
    """Rosters, beginnings and refusals of anyone else change nothing, nor do bytes that are none."""

    async def story() -> None:
        async with players(tmp_path, "a", "b", "c") as nodes:
            host, guest, other = nodes
            (_, sitting) = await seat(host, guest, game="2win")
            await until(lambda: other.lan.peer(guest.me().key) and guest.lan.peer(other.me().key))
            before = sitting.roster
            for kind in (seats.ROSTER, seats.BEGIN, seats.REFUSE, seats.READY, seats.CHAT, seats.DONE, seats.TABLE):
                for payload in (b"", b"\xff" * 40, seats.pack(sitting.id), seats.pack(sitting.id, True)):
                    await other.lan.send(guest.me().key, kind, payload)
            other._post(guest.me().key, seats.ROSTER, seats.pack_roster(before))
            other.say(Sitting(other, before, host.me().key), "not of this table")
            await host.lan.send(guest.me().key, "seat.unknown", b"")
            sitting_two = sitting
            host.say(host.sittings[sitting.id], "last")
            assert await told(sitting_two, lambda news: isinstance(news, Said)) == Said("a", "last")
            assert guest.sittings[sitting.id].driver is None
            assert sitting.roster == before

    play(story())


def test_questions_and_answers_may_get_lost(tmp_path: Path) -> None:
    """A seat is asked for again until there is an answer, and a table that began without me tells me so."""

    class Deaf(Player):
        lost = 0

        def _post(self, key: object, kind: str, payload: bytes) -> None:
            if kind in (seats.ROSTER, seats.BEGIN) and self.lost < 6:
                self.lost += 1
                return
            super()._post(key, kind, payload)  # type: ignore[arg-type]

    async def story() -> None:
        async with players(tmp_path, "a", "b") as nodes:
            host, guest = nodes
            host.__class__ = Deaf
            table = host.open_table("2sans3", 2)
            table.ready()
            async with asyncio.timeout(20):
                while not guest.tables():
                    await asyncio.sleep(0.01)
            sitting = guest.sit_down(*guest.tables()[0])
            sitting.ready()
            await play_all([table, sitting])
            same_log([table, sitting])

    play(story())


@pytest.mark.parametrize("game", ["2win", "2sans3"])
def test_a_player_leaves_in_the_middle(tmp_path: Path, game: str) -> None:
    """A goodbye costs the others no waiting: they play on at once and end with one log that names who left."""

    async def story() -> None:
        async with players(tmp_path, "a", "b", "c") as nodes:
            sittings = await seat(*nodes, game=game)
            staying = [asyncio.ensure_future(play_on(sitting, Random(i))) for i, sitting in enumerate(sittings[:2])]
            await play_on(sittings[2], Random(2), until=happened(events.Asked))  # type: ignore[arg-type]
            await sittings[2].leave()
            await asyncio.gather(*staying)
            checked(same_log(sittings[:2]))
            for sitting in sittings[:2]:
                assert sitting.table is not None
                assert [why for _, why in sitting.table.departed] == [events.Why.GOODBYE]

    play(story())


def test_two_tables_at_once(tmp_path: Path) -> None:
    """Tables on one network do not mix."""

    async def story() -> None:
        async with players(tmp_path, *"abcd") as nodes:
            first = await seat(*nodes[:2], game="2win")
            second = await seat(*nodes[2:], game="2sans3")
            await asyncio.gather(play_all(first), play_all(second, 1))
            assert same_log(first) != same_log(second)

    play(story())


def test_goodbye_in_every_state(tmp_path: Path) -> None:
    """Alone, at an open table, while the seats are drawn, in the game: a node ends at once and leaves nothing."""

    async def story(state: int) -> None:
        folder = tmp_path / str(state)
        async with players(folder, "a", "b") as nodes:
            if state == 0:
                return
            sittings = await seat(*nodes, game="2win")
            if state == 1:
                return
            for sitting in sittings:
                sitting.ready()
            await told(sittings[0], lambda news: isinstance(news, Begun))
            if state == 3:
                await told(sittings[0], happened(events.Asked))  # type: ignore[arg-type]

    for state in range(4):
        play(story(state))


# --- programs that die --------------------------------------------------------------------------------------------


async def dies_and_returns(nodes: list[Player], sittings: list[Sitting], moments: list[tuple[int, bool]]) -> None:
    """The last player's program dies at each of these moments and is started again, while all others play on."""
    staying = [asyncio.ensure_future(play_on(sitting, Random(i))) for i, sitting in enumerate(sittings[:-1])]
    for count, before in moments:
        nodes[-1].crash_at, nodes[-1].before = nodes[-1].said + count, before
        playing = asyncio.ensure_future(play_on(sittings[-1], Random(count)))
        dead = asyncio.ensure_future(nodes[-1].crashed.wait())
        await asyncio.wait((playing, dead), return_when=asyncio.FIRST_COMPLETED)
        over = not nodes[-1].crashed.is_set()
        for task in (playing, dead):
            task.cancel()
        await asyncio.gather(playing, dead, return_exceptions=True)
        if over:
            break
        await nodes[-1].crash()
        nodes[-1], sittings[-1] = await reborn(nodes[-1])
    nodes[-1].crash_at = 0
    await asyncio.gather(play_on(sittings[-1], Random(99)), *staying)
    await asyncio.gather(*(sitting.settled() for sitting in sittings))


def nobody_was_blamed(sittings: list[Sitting]) -> None:
    for sitting in sittings:
        assert sitting.table is not None
        assert sitting.table.life is Life.OVER
        assert sitting.table.fault is None
        assert sitting.table.departed == []


@pytest.mark.parametrize(("game", "number"), [("2win", 3), ("2sans3", 3)])
@pytest.mark.parametrize("before", [True, False])
def test_a_killed_program_goes_on_with_the_same_game(tmp_path: Path, game: str, number: int, before: bool) -> None:
    """Killed once while a message was journaled but not sent, or just sent: the game goes on, with one log for all."""

    async def story() -> None:
        async with players(tmp_path, *"abcd"[:number]) as nodes:
            sittings = await seat(*nodes, game=game)
            await dies_and_returns(nodes, sittings, [(7, before)])
            nobody_was_blamed(sittings)
            checked(same_log(sittings))

    play(story())


@pytest.mark.parametrize(("game", "times"), [("2win", 400), ("2sans3", 25)])
def test_killed_at_every_message(tmp_path: Path, game: str, times: int) -> None:
    """A program that dies at each of its messages, in turn before and after sending it, never tells two stories.
    One game of 2 WIN from end to end; of 2 SANS 3, which is longer, the beginning."""

    async def story() -> None:
        async with players(tmp_path, "a", "b") as nodes:
            sittings = await seat(*nodes, game=game)
            await dies_and_returns(nodes, sittings, [(1, bool(number % 2)) for number in range(times)])
            nobody_was_blamed(sittings)
            checked(same_log(sittings))

    play(story())


def test_a_journal_belongs_to_its_profile(tmp_path: Path) -> None:
    """Nobody else can take up the game, and a damaged journal is refused in words."""

    async def story() -> None:
        async with players(tmp_path, "a", "b") as nodes:
            sittings = await seat(*nodes, game="2win")
            staying = asyncio.ensure_future(play_on(sittings[0], Random(0)))
            nodes[1].crash_at = 5
            playing = asyncio.ensure_future(play_on(sittings[1], Random(1)))
            await nodes[1].crashed.wait()
            playing.cancel()
            await nodes[1].crash()
            stranger = await new_player(tmp_path / "stranger", nodes[0].lan.settings.udp_port)
            (journal,) = nodes[1].folder.glob("journals/*")
            with pytest.raises(SeatTrouble, match="journal_of_another"):
                stranger.resume(journal)
            (tmp_path / "empty").write_bytes(b"")
            with pytest.raises(SeatTrouble, match="journal_unreadable"):
                stranger.resume(tmp_path / "empty")
            await stranger.stop()
            stranger.lan.profile.close()
            nodes[1], sittings[1] = await reborn(nodes[1])
            await asyncio.gather(staying, play_on(sittings[1], Random(2)))
            same_log(sittings)

    play(story())
