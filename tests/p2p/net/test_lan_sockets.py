"""Peers in one process over real sockets: finding, talking, leaving, and every other way in."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import zmq
from lan_party import Raw, all_meet, drain, expect, key_of, party, play, settings, udp_port, until

from p2p.net.errors import CannotJoin, CannotStart, TooLarge, Unreachable
from p2p.net.greeting import z85
from p2p.net.invite import read_invite
from p2p.net.keys import Keys
from p2p.net.lan import Lan
from p2p.net.postbox import Message, TablesChanged, Warned
from p2p.net.presence import Appeared, Back, Changed, Left, Lost, Status
from p2p.net.profile import open_profile, throw_away
from p2p.net.zre import Beacon, Hello, Ping, PingOk, decode, encode

NOTICE = {"id": "c0ffee", "game": "2win", "seats": 4, "taken": 1, "state": "open", "host": "Ada"}


def test_peers_find_each_other_and_talk() -> None:
    """Beacon, HELLO over CURVE, a whisper each way, and a goodbye that is a goodbye."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            (peer,) = ada.peers()
            assert (peer.name, peer.identity, peer.status) == ("Bo", key_of(bo).identity.public, Status.PRESENT)
            await ada.send(peer.key, "chat", b"hello")
            assert await expect(bo, Message) == Message(key_of(ada).key, "chat", b"hello")
            await bo.send(key_of(ada).key, "chat", b"and you")
            assert (await expect(ada, Message)).payload == b"and you"
            await ada.stop()
            assert (await expect(bo, Left)).peer.name == "Ada"
            assert bo.peers() == ()

    play(story())


def test_appeared_comes_before_any_message() -> None:
    """Whoever drives the network never hears from somebody it has not been shown."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await expect(ada, Appeared)
            await ada.send(key_of(bo).key, "first", b"")
            events = [await bo._postbox.get(), await bo._postbox.get()]
            assert [type(event) for event in events] == [Appeared, Message]

    play(story())


def test_tables_are_announced_to_everyone_and_to_whoever_comes_later() -> None:
    """Present peers hear of a change, a newcomer of what there is, and a host that leaves takes its tables along."""

    async def story() -> None:
        port = udp_port()
        async with party("Ada", "Bo", port=port) as (ada, bo):
            await all_meet(ada, bo)
            ada.announce([NOTICE])
            await expect(bo, TablesChanged)
            assert [(peer.name, table) for peer, table in bo.tables()] == [("Ada", NOTICE)]
            async with party("Cy", port=port) as (cy,):
                await until(lambda: cy.tables())
                assert [table for _, table in cy.tables()] == [NOTICE]
            ada.announce([{**NOTICE, "taken": 2}])
            await until(lambda: [table["taken"] for _, table in bo.tables()] == [2])
            with pytest.raises(ValueError, match="short, clean"):
                ada.announce([{"id": "x", "secret": "\x1b"}])
            await ada.stop()
            await until(lambda: not bo.tables())

    play(story())


def test_a_shout_reaches_the_group_and_nobody_else() -> None:
    """Joined before or after meeting, left again: exactly the members hear."""

    async def story() -> None:
        port = udp_port()
        async with party("Ada", "Bo", port=port) as (ada, bo):
            ada.join_group("table")
            await all_meet(ada, bo)
            bo.join_group("table")
            async with party("Cy", port=port) as (cy,):
                await all_meet(ada, bo, cy)
                await until(lambda: {"Bo"} == {p.name for p in ada.peers() if "table" in p.groups})
                assert await ada.shout("table", "move", b"x") == []
                assert await expect(bo, Message) == Message(key_of(ada).key, "move", b"x", "table")
                bo.leave_group("table")
                await expect(ada, Changed)
                await until(lambda: not [p for p in ada.peers() if "table" in p.groups])
                await ada.shout("table", "move", b"y")
                await ada.send(key_of(cy).key, "end", b"")
                await ada.send(key_of(bo).key, "end", b"")
                assert [e.kind for e in [await expect(cy, Message), await expect(bo, Message)]] == ["end", "end"]

    play(story())


def test_large_messages_are_for_the_table() -> None:
    """200 kB among seats; a stranger is told at once that it is too large, and nothing is sent."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            with pytest.raises(TooLarge):
                await ada.send(key_of(bo).key, "shuffle", bytes(200_000))
            ada.seat([key_of(bo).key])
            bo.seat([key_of(ada).key])
            await ada.send(key_of(bo).key, "shuffle", bytes(200_000))
            assert len((await expect(bo, Message)).payload) == 200_000
            with pytest.raises(TooLarge):
                await ada.send(key_of(bo).key, "shuffle", bytes(1 << 20))

    play(story())


def test_once_seated_others_are_out_and_stay_out() -> None:
    """The door closes on a stranger who is already connected, and opens again after the game."""

    async def story() -> None:
        async with party("Ada", "Bo", "Cy") as (ada, bo, cy):
            await all_meet(ada, bo, cy)
            ada.seat([key_of(bo).key])
            assert [peer.name for peer in ada.peers()] == ["Bo"]
            drain(ada)
            await cy.send(key_of(ada).key, "chat", b"still here")
            await bo.send(key_of(ada).key, "chat", b"me too")
            assert (await expect(ada, Message)).payload == b"me too"
            ada.unseat()
            await until(lambda: len(ada.peers()) == 2)

    play(story())


def test_nobody_is_unreachable_by_surprise() -> None:
    """Sending to somebody who is not there is an error at once."""

    async def story() -> None:
        async with party("Ada") as (ada,):
            with pytest.raises(Unreachable):
                await ada.send(Keys(bytes(32)).key, "chat", b"")

    play(story())


def test_a_known_name_with_another_key_is_announced_loudly() -> None:
    """Somebody else comes along as Bo: a warning with both fingerprints, until the player accepts it."""

    async def story() -> None:
        port = udp_port()
        async with party("Ada", port=port) as (ada,):
            async with party("Bo", port=port) as (bo,):
                await expect(ada, Appeared)
                words = key_of(bo).identity.public.words
            async with party("Bo", port=port) as (other,):
                warning = await expect(ada, Warned)
                assert warning.note.name == "name_with_another_key"
                assert warning.note["words"] == key_of(other).identity.public.words
                assert warning.note["known"] == (words,)
                assert ada.trust(key_of(other).key) == "changed"
                ada.accept(key_of(other).key)
                assert ada.trust(key_of(other).key) == "known"

    play(story())


# --- ports ---


def test_the_preferred_port_and_then_the_next() -> None:
    """The first program gets the known port, the second the next one; both are reachable."""

    async def story() -> None:
        base = udp_port()
        config = settings(udp_port())
        config = type(config)(**{**vars(config), "tcp_port": base})
        first, second = Lan(throw_away("Ada"), config), Lan(throw_away("Bo"), config)
        await first.start()
        await second.start()
        assert first.port == base
        assert base < second.port < base + 10
        await all_meet(first, second)
        await asyncio.gather(first.stop(), second.stop())

    play(story())


def test_a_taken_discovery_port_is_said() -> None:
    """A program that keeps the UDP port to itself: a problem with a name, and nothing left open."""

    async def story() -> None:
        with (
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as four,
            socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as six,
        ):
            four.bind(("", 0))
            six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            six.bind(("", four.getsockname()[1]))
            lan = Lan(throw_away("Ada"), settings(four.getsockname()[1]))
            with pytest.raises(CannotStart) as raised:
                await lan.start()
            assert raised.value.note.name == "lan_no_udp"
            await lan.stop()

    play(story())


# --- other ways in ---


def test_an_invite_joins_where_no_broadcast_reaches() -> None:
    """Two peers that cannot hear each other's beacons meet by one line of text."""

    async def story() -> None:
        async with party("Ada", "Bo", apart=True) as (ada, bo):
            text = ada.invite()
            assert text.startswith(f"NODEALER:127.0.0.1:{ada.port}:")
            assert not bo.peers()
            peer = await bo.join_invite(text.lower())
            assert peer.name == "Ada"
            await expect(ada, Appeared)

    play(story())


def test_an_invite_with_another_key_is_not_believed() -> None:
    """Somebody else answers at the address: not joined, and said so. (This is what stops a man in the middle.)"""

    async def story() -> None:
        async with party("Ada", "Bo", apart=True) as (ada, bo):
            invite = read_invite(ada.invite())
            text = str(type(invite)(invite.endpoints, bytes(10)))
            with pytest.raises(CannotJoin) as raised:
                await bo.join_invite(text, seconds=1.0)
            assert raised.value.note.name == "invite_other_key"

    play(story())


def test_an_invite_to_nobody_and_to_oneself() -> None:
    """Each is said in its own way."""

    async def story() -> None:
        async with party("Ada", apart=True) as (ada,):
            with pytest.raises(CannotJoin) as raised:
                await ada.join_invite(ada.invite())
            assert raised.value.note.name == "invite_is_mine"
            with pytest.raises(CannotJoin) as raised:
                await ada.join_invite(f"NODEALER:127.0.0.1:{udp_port()}:0000000000000000", seconds=0.6)
            assert raised.value.note.name == "invite_no_answer"

    play(story())


def test_one_reachable_member_is_enough() -> None:
    """Ada knows Bo and Cy, who have never heard of each other: in one group they meet through her."""

    async def story() -> None:
        async with party("Ada", "Bo", "Cy", apart=True) as (ada, bo, cy):
            for lan in (ada, bo, cy):
                lan.join_group("table")
            await bo.join_invite(ada.invite())
            await cy.join_invite(ada.invite())
            await all_meet(ada, bo, cy)

    play(story())


def test_without_a_common_group_nobody_is_introduced() -> None:
    """In the lobby a member of nothing learns no addresses through others."""

    async def story() -> None:
        async with party("Ada", "Bo", "Cy", apart=True) as (ada, bo, cy):
            ada.join_group("table")
            bo.join_group("table")
            await bo.join_invite(ada.invite())
            await cy.join_invite(ada.invite())
            await cy.send(key_of(ada).key, "lan.cards", b"\x90")
            cy.join_group("another")
            await ada.send(key_of(cy).key, "end", b"")
            await expect(cy, Message)
            assert {peer.name for peer in cy.peers()} == {"Ada"}

    play(story())


def test_peers_of_yesterday_are_tried_first(tmp_path: Path) -> None:
    """Bo comes back under his profile and finds Ada without a beacon reaching either."""

    async def story() -> None:
        async with party("Ada", apart=True) as (ada,):
            for _ in range(2):
                with open_profile("bo", root=tmp_path, exact=True) as profile:
                    bo = Lan(profile, settings(udp_port()))
                    await bo.start()
                    if not profile.people.places:
                        await bo.join_invite(ada.invite())
                    assert (await expect(bo, Appeared)).peer.name == "Ada"
                    await bo.stop()
                await expect(ada, Left)

    play(story())


# --- other programs, reconnecting ---


def test_a_zyre_node_is_answered_and_never_listed() -> None:
    """A C zyre in CURVE mode gets our HELLO under our routing id and an answer to its PING, and is no player."""

    async def story() -> None:
        async with party("Ada") as (ada,):
            with Raw(Keys(b"z" * 32)) as zyre:
                inbox = zyre.context.socket(zmq.ROUTER)
                inbox.curve_server = True
                inbox.curve_secretkey = z85(zyre.keys.curve_secret).encode()
                port = inbox.bind_to_random_port("tcp://127.0.0.1")
                zyre.beacon(ada, port, uuid=bytes(range(16)))
                routing_id, *frames = await inbox.recv_multipart()
                assert routing_id == b"\1" + key_of(ada).uuid
                hello = decode(frames)
                assert isinstance(hello, Hello)
                assert dict(hello.headers)["X-PUBLICKEY"] == z85(key_of(ada).key)
                assert hello.endpoint == f"tcp://127.0.0.1:{ada.port}"
                mailbox = zyre.dealer(ada)
                theirs = (("X-PUBLICKEY", z85(zyre.keys.key)), ("X-APP", "czyre"))
                await mailbox.send_multipart(encode(Hello(1, f"tcp://127.0.0.1:{port}", (), 0, "znode", theirs)))
                await mailbox.send_multipart(encode(Ping(2)))
                _, *frames = await inbox.recv_multipart()
                assert decode(frames) == PingOk(2)
                assert ada.peers() == ()
                assert drain(ada) == []

    play(story())


def test_a_restart_under_the_same_key_is_a_reconnection(tmp_path: Path) -> None:
    """Crashed without a goodbye and started again: the same peer, and a hint that messages may be missing."""

    async def story() -> None:
        port = udp_port()
        async with party("Ada", port=port) as (ada,):
            with open_profile("bo", root=tmp_path) as profile:
                bo = Lan(profile, settings(port))
                await bo.start()
                key = (await expect(ada, Appeared)).peer.key
                ada.seat([key])
                await bo.stop(goodbye=False)
                bo = Lan(profile, settings(port))
                await bo.start()
                event = await ada._postbox.get()
                while not isinstance(event, Appeared | Back):
                    event = await ada._postbox.get()
                assert event.peer.key == key
                await expect(bo, Appeared)
                await until(lambda: (link := ada._transport.link(key)) and link.ready)
                await ada.send(key, "log", b"what you missed")
                assert (await expect(bo, Message)).payload == b"what you missed"
                await bo.stop()

    play(story())


def test_a_beacon_repeated_from_elsewhere_moves_nobody() -> None:
    """Bo's own beacon, replayed with Mallory's port: Ada's connection to Bo stays, and who listens there is not Bo."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            with Raw(Keys(b"m" * 32)) as mallory:
                inbox = mallory.context.socket(zmq.DEALER)
                inbox.curve_server = True
                inbox.curve_secretkey = z85(mallory.keys.curve_secret).encode()
                port = inbox.bind_to_random_port("tcp://127.0.0.1")
                mallory.beacon(ada, port, keys=key_of(bo))
                mallory.say(Beacon(key_of(bo).uuid, 0, key_of(bo).key).encode(), ada.port)
                await bo.send(key_of(ada).key, "chat", b"here")
                await expect(ada, Message)
                assert [peer.name for peer in ada.peers()] == ["Bo"]
                assert not [event for event in drain(ada) if isinstance(event, Left | Lost)]

    play(story())


def test_who_listens_at_a_peers_address_without_its_key_is_named() -> None:
    """A false address only: the reason is "not the peer", nobody appears, and the impostor learns nothing."""

    async def story() -> None:
        async with party("Ada") as (ada,):
            with Raw(Keys(b"m" * 32)) as mallory:
                inbox = mallory.context.socket(zmq.DEALER)
                inbox.curve_server = True
                inbox.curve_secretkey = z85(mallory.keys.curve_secret).encode()
                port = inbox.bind_to_random_port("tcp://127.0.0.1")
                victim = Keys(b"v" * 32)
                mallory.beacon(ada, port, keys=victim)
                await until(lambda: ada.troubles())
                assert dict(ada.troubles())[victim.key].name == "link_not_the_peer"
                assert ada.peers() == ()
                assert await inbox.poll(200) == 0

    play(story())


def test_a_room_of_forty_finds_itself() -> None:
    """Forty peers in eight processes: everyone sees everyone, and still does afterwards. (The bench tells how fast.)"""
    bench = Path(__file__).parents[3] / "bench" / "lan_mesh.py"
    done = subprocess.run(
        [sys.executable, str(bench), "--peers", "40", "--processes", "8", "--idle", "0.5", "--settle", "0", "--json"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["saw_everyone"], told["still_saw_everyone"]) == (40, 40)
