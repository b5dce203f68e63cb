"""Peers on this machine's loopback for tests with real sockets: each test has a UDP port of its own.

Nothing here sends anything beyond loopback: every `Lan` is restricted to the interface `lo`.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

import psutil
import zmq
import zmq.asyncio

from p2p.net.greeting import z85
from p2p.net.keys import Keys
from p2p.net.lan import Lan, LanSettings
from p2p.net.postbox import Event
from p2p.net.profile import Profile, throw_away
from p2p.net.zre import Beacon

LOOPBACK = "lo" if sys.platform == "linux" else "lo0"
T = TypeVar("T")


def play(story: Coroutine[Any, Any, T]) -> T:
    """Run a test's story; afterwards nothing of it may be left: no task, no file, no socket."""
    gc.collect()
    before = psutil.Process().num_fds()

    async def watched() -> T:
        result = await asyncio.wait_for(story, 60)
        left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert left == [], f"still running: {left}"
        return result

    result = asyncio.run(watched())
    gc.collect()
    assert psutil.Process().num_fds() <= before, "files or sockets were left open"
    return result


def udp_port() -> int:
    """A UDP port that nobody uses now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def settings(port: int, **more: Any) -> LanSettings:
    return LanSettings(udp_port=port, tcp_port=0, interfaces=(LOOPBACK,), memory_alarm=1 << 40, **more)


@contextlib.asynccontextmanager
async def party(*names: str, port: int = 0, apart: bool = False, **more: Any) -> AsyncIterator[list[Lan]]:
    """These peers, started. `apart`: each with a discovery port of its own, so that no broadcast joins them."""
    port = port or udp_port()
    lans = [Lan(throw_away(name), settings(udp_port() if apart else port, **more)) for name in names]
    try:
        for lan in lans:
            await lan.start()
        yield lans
    finally:
        await asyncio.gather(*(lan.stop() for lan in lans))


async def until(condition: Callable[[], Any], what: str = "") -> None:
    """Wait for it; a test that waits in vain fails."""
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)


async def all_meet(*lans: Lan) -> None:
    await until(lambda: all(len(lan.peers()) >= len(lans) - 1 for lan in lans))


def drain(lan: Lan) -> list[Event]:
    """Everything that has happened so far."""
    events = []
    while (event := lan._postbox.get_nowait()) is not None:
        events.append(event)
    return events


async def expect(lan: Lan, kind: type[T]) -> T:
    """The next event of this kind."""
    async with asyncio.timeout(20):
        while True:
            event = await lan._postbox.get()
            if isinstance(event, kind):
                return event


def key_of(profile: Profile | Lan) -> Keys:
    return profile.profile.keys if isinstance(profile, Lan) else profile.keys


class Raw:
    """Somebody with ZeroMQ and a UDP socket who does not keep to our rules."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.context = zmq.asyncio.Context()
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def __enter__(self) -> Raw:
        return self

    def __exit__(self, *_: object) -> None:
        self.udp.close()
        self.context.destroy(linger=0)

    def beacon(self, to: Lan, port: int = 9, keys: Keys | None = None, uuid: bytes | None = None) -> None:
        """Make a key known to somebody: as good as any beacon."""
        keys = keys or self.keys
        self.say(Beacon(uuid or keys.uuid, port, keys.key).encode(), to.port)

    def say(self, datagram: bytes, port: int) -> None:
        self.udp.sendto(datagram, ("127.0.0.1", port))

    def dealer(self, to: Lan, *, server: Keys | None = None, **options: Any) -> zmq.asyncio.Socket:
        """A CURVE connection to somebody's inbox, under my own key."""
        dealer = self.context.socket(zmq.DEALER)
        dealer.curve_serverkey = z85((server or key_of(to)).key).encode()
        dealer.curve_publickey = z85(self.keys.key).encode()
        dealer.curve_secretkey = z85(self.keys.curve_secret).encode()
        dealer.immediate = True
        dealer.connect(f"tcp://127.0.0.1:{to.port}")
        return dealer

    async def outcome(self, dealer: zmq.asyncio.Socket) -> str:
        """How the handshake ends: "let in", "refused", "mute" or "cut off"."""
        monitor = dealer.get_monitor_socket()
        names = {
            zmq.EVENT_HANDSHAKE_SUCCEEDED: "let in",
            zmq.EVENT_HANDSHAKE_FAILED_AUTH: "refused",
            zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: "cut off",
            zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: "cut off",
        }
        try:
            async with asyncio.timeout(3):
                while True:
                    event = int.from_bytes((await monitor.recv_multipart())[0][:2], sys.byteorder)
                    if event in names:
                        return names[event]
        except TimeoutError:
            return "mute"
        finally:
            dealer.disable_monitor()
