"""Liars, floods and broken parts over real sockets: the true peers are not affected, and doors fail closed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import zmq
from lan_party import Raw, all_meet, drain, expect, key_of, party, play, udp_port, until

from p2p.net import lan as lan_module
from p2p.net.envelope import MAX_FRAME, MAX_STRANGER_FRAME, Envelope
from p2p.net.errors import Unreachable
from p2p.net.gate import Gate
from p2p.net.greeting import make_greeting, z85
from p2p.net.keys import Keys, PeerKey
from p2p.net.lan import Lan
from p2p.net.link import SEND_QUEUE
from p2p.net.postbox import Message, Warned
from p2p.net.presence import Appeared, Back, Left, Lost
from p2p.net.zre import Beacon, Hello, Shout, Whisper, encode

MALLORY = Keys(b"m" * 32)


def hello(keys: Keys, port: int = 9, name: str = "Mallory") -> Hello:
    return make_greeting(keys, endpoint=f"tcp://127.0.0.1:{port}", name=name, groups=(), status=0, headers={})


def whisper(number: int, kind: str = "chat", payload: bytes = b"") -> list[bytes]:
    return encode(Whisper(number, Envelope(kind, payload).encode()))


async def still_talking(ada: Lan, bo: Lan) -> None:
    """Ada and Bo are present to each other, never went away, and messages pass both ways."""
    for one, other in ((ada, bo), (bo, ada)):
        await one.send(key_of(other).key, "check", b"")
        while (await expect(other, Message)).kind != "check":
            pass
        assert key_of(other).key in [peer.key for peer in one.peers()]
        assert not [e for e in drain(one) if isinstance(e, Left | Lost) and e.peer.key == key_of(other).key]


# --- the door ---


def test_who_is_unknown_does_not_get_in() -> None:
    """A key nobody has heard of is refused; after its beacon it is let in; without encryption nobody ever is."""

    async def story() -> None:
        async with party("Ada") as (ada,):
            with Raw(MALLORY) as mallory:
                assert await mallory.outcome(mallory.dealer(ada)) == "refused"
                mallory.beacon(ada)
                await until(lambda: ada._book.knows(MALLORY.key))
                assert await mallory.outcome(mallory.dealer(ada)) == "let in"
                assert await mallory.outcome(mallory.dealer(ada, server=Keys(b"x" * 32))) == "cut off"
                plain = mallory.context.socket(zmq.DEALER)
                plain.connect(f"tcp://127.0.0.1:{ada.port}")
                assert await mallory.outcome(plain) in ("cut off", "mute")
                assert ada.peers() == ()

    play(story())


def test_without_a_door_nobody_gets_in() -> None:
    """The door's task is dead or was never there: handshakes wait in vain, they do not pass."""

    async def story() -> None:
        async with party("Ada") as (ada,):
            with Raw(MALLORY) as mallory:
                mallory.beacon(ada)
                await until(lambda: ada._book.knows(MALLORY.key))
                await ada._transport.gate.close()
                assert await mallory.outcome(mallory.dealer(ada)) != "let in"
                ada._transport.gate.open()
                assert await mallory.outcome(mallory.dealer(ada)) == "let in"

    play(story())


def test_a_failing_decision_refuses_that_one_only() -> None:
    """The question "may it enter" raises: refused, and the next one is decided as if nothing had happened."""

    async def story() -> None:
        async with party("Ada") as (ada,):
            answers = [ZeroDivisionError(), True]

            def admits(_: PeerKey) -> bool:
                answer = answers.pop(0)
                if isinstance(answer, Exception):
                    raise answer
                return answer

            ada._transport.gate._admits = admits
            with Raw(MALLORY) as mallory:
                assert await mallory.outcome(mallory.dealer(ada)) == "refused"
                assert await mallory.outcome(mallory.dealer(ada)) == "let in"
            assert ada._transport.gate.failures == 1

    play(story())


def test_a_door_that_breaks_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if its own code fails, it comes back by itself; meanwhile nobody gets in."""

    async def story() -> None:
        broken = [True]
        answer = Gate._answer

        def faulty(self: Gate, request: list[bytes]) -> list[bytes] | None:
            if broken:
                broken.pop()
                raise RuntimeError("a bug")
            return answer(self, request)

        monkeypatch.setattr(Gate, "_answer", faulty)
        async with party("Ada") as (ada,):
            with Raw(MALLORY) as mallory:
                mallory.beacon(ada)
                await until(lambda: ada._book.knows(MALLORY.key))
                assert await mallory.outcome(mallory.dealer(ada)) != "let in"
                await until(lambda: ada._transport.gate.failures == 1)
                assert await mallory.outcome(mallory.dealer(ada)) == "let in"

    play(story())


# --- impostors ---


def test_a_hello_with_anothers_name_tag_is_refused() -> None:
    """Over Mallory's connection: Bo's whole HELLO, Bo's identity under her key, her own without a signature."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            bos, hers = hello(key_of(bo), bo.port, "Bo"), hello(MALLORY)
            stolen = dict(hers.headers) | {"X-ID": z85(key_of(bo).identity.public)}
            for index, lie in enumerate(
                [
                    bos,
                    Hello(1, hers.endpoint, (), 0, "Bo", tuple(stolen.items())),
                    Hello(1, hers.endpoint, (), 0, "Bo", tuple(h for h in hers.headers if h[0] != "X-SIG")),
                ]
            ):
                keys = Keys(b"m" * 31 + bytes([index]))
                if index:
                    lie = Hello(
                        1,
                        lie.endpoint,
                        (),
                        0,
                        lie.name,
                        tuple((n, z85(keys.key) if n == "X-PUBLICKEY" else v) for n, v in lie.headers),
                    )
                with Raw(keys) as mallory:
                    mallory.beacon(ada)
                    await until(lambda keys=keys: ada._book.knows(keys.key))
                    dealer = mallory.dealer(ada)
                    await dealer.send_multipart(encode(lie))
                    await dealer.send_multipart(whisper(2))
                    await until(lambda keys=keys: not ada._book.may_enter(keys.key, ada._now()))
            await still_talking(ada, bo)
            assert [peer.name for peer in ada.peers()] == ["Bo"]

    play(story())


def test_claimed_routing_ids_mean_nothing() -> None:
    """Mallory connects under Bo's routing id, which once redirected answers: Bo is heard, and so is only Bo."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            with Raw(MALLORY) as mallory:
                mallory.beacon(ada)
                await until(lambda: ada._book.knows(MALLORY.key))
                dealer = mallory.context.socket(zmq.DEALER)
                dealer.routing_id = b"\1" + key_of(bo).uuid
                dealer.curve_serverkey = z85(key_of(ada).key).encode()
                dealer.curve_publickey = z85(MALLORY.key).encode()
                dealer.curve_secretkey = z85(MALLORY.curve_secret).encode()
                dealer.connect(f"tcp://127.0.0.1:{ada.port}")
                await dealer.send_multipart(whisper(2, "chat", b"I am Bo"))
                await still_talking(ada, bo)

    play(story())


def test_no_key_no_seat() -> None:
    """The table admits Bo's key. Mallory knows everything about Bo but his secret, and does not get in."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            ada.seat([key_of(bo).key])
            with Raw(MALLORY) as mallory:
                mallory.beacon(ada)
                mallory.beacon(ada, keys=key_of(bo))
                assert await mallory.outcome(mallory.dealer(ada)) == "refused"
                half = mallory.context.socket(zmq.DEALER)
                half.curve_serverkey = z85(key_of(ada).key).encode()
                half.curve_publickey = z85(key_of(bo).key).encode()
                half.curve_secretkey = z85(MALLORY.curve_secret).encode()
                half.connect(f"tcp://127.0.0.1:{ada.port}")
                assert await mallory.outcome(half) == "cut off"
                await still_talking(ada, bo)

    play(story())


# --- floods and limits ---


def test_datagrams_of_any_kind_end_nothing() -> None:
    """Thousands of random, cut, stretched and forged datagrams at both sockets: discovery goes on."""

    async def story() -> None:
        port = udp_port()
        rng = random.Random(5)
        true = Beacon(MALLORY.uuid, 9, MALLORY.key).encode()
        async with party("Ada", "Bo", port=port) as (ada, bo):
            await all_meet(ada, bo)
            with Raw(MALLORY) as mallory:
                for size in range(2000):
                    forged = bytearray((true * 40)[:size])
                    if size:
                        forged[rng.randrange(size)] ^= rng.randrange(256)
                    for data in (b"ZRE" + rng.randbytes(size), bytes(forged), rng.randbytes(54)):
                        mallory.say(data, port)
                        mallory.say(data, ada.port)
                    if size % 50 == 0:
                        await asyncio.sleep(0)
            async with party("Cy", port=port) as (cy,):
                await until(lambda: {"Ada", "Bo"} <= {peer.name for peer in cy.peers()})
                await still_talking(ada, bo)

    play(story())


def test_frames_over_the_limit_reach_nobody() -> None:
    """One byte over 64 KiB from a stranger, one over 1 MiB from anyone, 10,000 frames at once: the others go on."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            with Raw(MALLORY) as mallory:
                mallory.beacon(ada)
                await until(lambda: ada._book.knows(MALLORY.key))
                dealer = mallory.dealer(ada)
                await dealer.send_multipart(encode(hello(MALLORY)))
                await dealer.send_multipart(whisper(2, "fits", bytes(MAX_STRANGER_FRAME - 5)))
                assert (await expect(ada, Message)).kind == "fits"
                dropped = ada._reception.dropped
                await dealer.send_multipart(whisper(3, "over", bytes(MAX_STRANGER_FRAME + 8193)))
                await dealer.send_multipart([b"frame"] * 10_000)
                await until(lambda: ada._reception.dropped == dropped + 2)
                monitor = dealer.get_monitor_socket(zmq.EVENT_DISCONNECTED)
                await dealer.send_multipart(whisper(4, "huge", bytes(MAX_FRAME + 200)))
                await monitor.recv_multipart()  # libzmq cuts whoever sends more than one frame may have
                dealer.disable_monitor()
                await still_talking(ada, bo)
                assert not [event for event in drain(ada) if isinstance(event, Message)]

    play(story())


def test_a_flood_of_messages_costs_only_its_sender() -> None:
    """Mallory sends 20,000 small messages: a few hundred pass, and Bo's next message is not among the dropped."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            with Raw(MALLORY) as mallory:
                mallory.beacon(ada)
                await until(lambda: ada._book.knows(MALLORY.key))
                dealer = mallory.dealer(ada)
                await dealer.send_multipart(encode(hello(MALLORY)))
                for number in range(20_000):
                    await dealer.send_multipart(whisper(2 + number & 0xFFFF, "spam", b"x" * 50))
                await bo.send(key_of(ada).key, "move", b"mine")
                received = []
                while not received or received[-1].kind != "move":
                    received.append(await expect(ada, Message))
                assert len(received) < 2000
                await still_talking(ada, bo)

    play(story())


def test_shouts_to_groups_i_am_not_in_are_not_heard() -> None:
    """Nor messages of the network's own kinds that nobody knows, nor nonsense in them."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            drain(ada)
            link = bo._transport.link(key_of(ada).key)
            assert link
            link.send(Shout(0, "elsewhere", Envelope("move", b"").encode()))
            for kind, payload in (("lan.future", b"x"), ("lan.cards", b"\xff"), ("lan.tables", b"\xff")):
                link.send(Whisper(0, Envelope(kind, payload).encode()))
            await still_talking(ada, bo)
            assert [event for event in drain(ada) if isinstance(event, Message)] == []

    play(story())


def test_who_never_greets_is_not_heard() -> None:
    """Let in by its beacon, silent about who it is, then talking: nothing arrives."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            with Raw(MALLORY) as mallory:
                mallory.beacon(ada)
                await until(lambda: ada._book.knows(MALLORY.key))
                dealer = mallory.dealer(ada)
                for number in range(5):
                    await dealer.send_multipart(whisper(number))
                await still_talking(ada, bo)
                assert [e for e in drain(ada) if isinstance(e, Message | Appeared)] == []

    play(story())


def test_memory_that_a_flood_fills_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """One message of a hundred thousand frames: the inbox is renewed while it grows, and true peers come back."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            object.__setattr__(ada.settings, "memory_alarm", 48 << 20)
            script = (
                "import sys, zmq\n"
                "server, public, secret, port = sys.argv[1:]\n"
                "d = zmq.Context().socket(zmq.DEALER)\n"
                "d.curve_serverkey, d.curve_publickey = server.encode(), public.encode()\n"
                "d.curve_secretkey = secret.encode()\n"
                "d.linger = 0; d.connect('tcp://127.0.0.1:' + port)\n"
                "[d.send(b'x' * 1000, zmq.SNDMORE) for _ in range(200000)]; d.send(b'')\n"
                "print('sent', flush=True); sys.stdin.read()\n"
            )
            with Raw(MALLORY) as mallory:
                mallory.beacon(ada)
                await until(lambda: ada._book.knows(MALLORY.key))
            arguments = [z85(key_of(ada).key), z85(MALLORY.key), z85(MALLORY.curve_secret), str(ada.port)]
            flood = subprocess.Popen(
                [sys.executable, "-c", script, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
            )
            try:
                assert (await expect(ada, Warned)).note.name == "connections_renewed"
            finally:
                flood.kill()
                flood.communicate()
            object.__setattr__(ada.settings, "memory_alarm", 1 << 40)
            await expect(ada, Back)
            await still_talking(ada, bo)

    play(story())


def test_an_inbox_that_ends_is_opened_again() -> None:
    """Whatever made it end: a moment later peers are connected anew."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            await all_meet(ada, bo)
            await ada._transport.inbox.close()
            assert (await expect(ada, Warned)).note.name == "connections_renewed"
            await expect(ada, Back)
            await still_talking(ada, bo)

    play(story())


CHILD = Path(__file__).with_name("lan_child.py")


def test_a_peer_that_does_not_read_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bo's process is stopped in its tracks: sending to him ends with an error in the end, to Cy it stays instant."""
    monkeypatch.setattr(lan_module, "SEND_PATIENCE", 0.5)

    async def story() -> None:
        port = udp_port()
        async with party("Ada", "Cy", port=port) as (ada, cy):
            child = await asyncio.create_subprocess_exec(
                sys.executable, str(CHILD), "Bo", str(port), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            try:
                await all_meet(ada, cy, ada)
                (bo,) = [peer.key for peer in ada.peers() if peer.name == "Bo"]
                ada.seat([bo, key_of(cy).key], strangers=None)
                os.kill(child.pid, signal.SIGSTOP)
                sent = 0

                async def fill() -> None:
                    nonlocal sent
                    for _ in range(10_000):
                        await ada.send(bo, "fill", bytes(100_000))
                        sent += 1
                        await ada.send(key_of(cy).key, "move", b"")
                        await expect(cy, Message)  # on time, whatever has piled up for Bo

                with pytest.raises(Unreachable) as raised:
                    await fill()
                assert raised.value.note.name == "peer_not_reading"
                assert SEND_QUEUE // 2 < sent < 1000
                assert await ada.shout("nobody", "move", b"") == []
            finally:
                os.kill(child.pid, signal.SIGCONT)
                child.kill()
                await child.communicate()

    play(story())


# --- the end ---


@pytest.mark.parametrize("goodbye", [True, False])
@pytest.mark.parametrize("state", ["at once", "calling nobody", "calling a mute one", "with peers", "with full queues"])
def test_the_end_leaves_nothing_in_any_state(state: str, goodbye: bool) -> None:
    """Whatever it is doing, it stops with no task, file or socket left (`play` looks); twice is as good as once."""

    async def story() -> None:
        async with party("Ada", "Bo") as (ada, bo):
            mute = await asyncio.start_server(lambda *_: asyncio.sleep(0), "127.0.0.1", 0)
            with Raw(MALLORY) as mallory:
                if state == "calling nobody":
                    mallory.beacon(ada, 1)
                    await until(lambda: ada.troubles())
                if state == "calling a mute one":
                    mallory.beacon(ada, mute.sockets[0].getsockname()[1])
                    await until(lambda: ada._transport.links)
                if state in ("with peers", "with full queues"):
                    await all_meet(ada, bo)
                if state == "with full queues":
                    link = ada._transport.link(key_of(bo).key)
                    assert link
                    while link.send(Whisper(0, Envelope("fill", bytes(60_000)).encode())):
                        pass
            async with asyncio.timeout(5):  # it takes milliseconds (bench/lan_mesh.py says how many)
                await ada.stop(goodbye)
            await ada.stop()
            mute.close()
            await mute.wait_closed()

    play(story())
