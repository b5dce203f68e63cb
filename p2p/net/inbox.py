"""The one socket on which everything from peers arrives.

Law: a message has the sender that CURVE authenticated (the User-Id which the door attached to the connection), or it
is dropped. Knows no peer and no message; one task reads, for as long as the socket lives, whatever arrives.

It is a bound DEALER, not a ROUTER: a ROUTER believes routing ids, which anyone may claim, and a second connection
with another's id silently takes over its answers. A DEALER hears all connections and tells nobody apart by claims.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import zmq
import zmq.asyncio

from p2p.net.envelope import MAX_FRAME
from p2p.net.gate import DOMAIN
from p2p.net.greeting import unz85, z85
from p2p.net.keys import Keys, PeerKey, is_key
from p2p.net.link import HANDSHAKE_IVL
from p2p.net.zre import FRAMES

log = logging.getLogger(__name__)

#: Messages per peer that may wait while this program is busy; with MAX_FRAME this bounds the memory one peer can take.
RECEIVE_QUEUE = 128
#: Connections that may wait to be accepted: a room of 200 starting at once.
BACKLOG = 256
#: After so many messages in a row everything else gets its turn.
BATCH = 32
#: Room beside the payload in a content frame: the kind's name, and CURVE's own bytes.
_SLACK = 128

OnMessage: TypeAlias = Callable[[PeerKey, str, list[bytes]], None]


class Inbox:
    """`on_message` gets the sender's key, the address it comes from, and the frames."""

    def __init__(self, context: zmq.asyncio.Context, keys: Keys, on_message: OnMessage) -> None:
        self._context = context
        self._keys = keys
        self._on_message = on_message
        self._socket: zmq.asyncio.Socket | None = None
        self._task: asyncio.Task[None] | None = None
        self.bytes_received = 0

    def bind(self, port: int) -> int | None:
        """Take this TCP port (0: any) of every address of this machine, and say which. None: somebody else has it."""
        for ipv6 in (True, False):  # False for machines without IPv6
            socket = self._context.socket(zmq.DEALER)
            socket.linger = 0
            socket.ipv6 = ipv6
            socket.maxmsgsize = MAX_FRAME + _SLACK
            socket.rcvhwm = RECEIVE_QUEUE
            socket.sndhwm = 1  # nothing is ever sent here
            socket.backlog = BACKLOG
            socket.handshake_ivl = HANDSHAKE_IVL
            socket.curve_server = True
            socket.curve_secretkey = z85(self._keys.curve_secret).encode()
            socket.curve_publickey = z85(self._keys.key).encode()
            socket.zap_domain = DOMAIN
            socket.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)  # without a door nobody enters
            try:
                socket.bind(f"tcp://*:{port or '*'}")
            except zmq.ZMQError as error:
                socket.close()
                if error.errno == zmq.EADDRINUSE:
                    return None
                continue
            self._socket = socket
            return int(socket.get_string(zmq.LAST_ENDPOINT).rpartition(":")[2])
        return None

    def unbind(self) -> None:
        """Give the port back before anything was read."""
        if self._socket:
            self._socket.close()
            self._socket = None

    def open(self) -> None:
        """Read from now on."""
        if self._socket:
            self._task = asyncio.create_task(self._read(self._socket), name="inbox")

    @property
    def alive(self) -> bool:
        return self._task is not None and not self._task.done()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self.unbind()

    async def _read(self, socket: zmq.asyncio.Socket) -> None:
        count = 0
        try:
            while True:
                try:
                    self._take(await socket.recv_multipart(copy=False))
                except zmq.Again:
                    pass  # announced and then withdrawn: a connection broke off in the middle of its message
                except zmq.ZMQError as error:
                    log.warning("the inbox cannot be read any more: %s", error)
                    return
                except Exception:
                    log.exception("a message was not taken well")
                count += 1
                if count % BATCH == 0:
                    await asyncio.sleep(0)  # a flood must not keep the rest of the program waiting
        finally:
            socket.close()

    def _take(self, frames: list[zmq.Frame]) -> None:
        self.bytes_received += sum(map(len, frames))
        sender = _key(_property(frames[0], "User-Id"))
        if sender is None:
            return
        self._on_message(sender, _property(frames[0], "Peer-Address"), [frame.bytes for frame in frames[: FRAMES + 1]])


@lru_cache(1024)
def _key(user_id: str) -> PeerKey | None:
    raw = unz85(user_id)
    return PeerKey(raw) if is_key(raw) else None


def _property(frame: zmq.Frame, name: str) -> str:
    try:
        return str(frame.get(name))
    except zmq.ZMQError:
        return ""
