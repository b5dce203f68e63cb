"""The door: decides, before a connection is let in, whether its key may enter (ZeroMQ's ZAP, RFC 27).

Law: fails closed. While this is not running, or when the decision itself goes wrong, nobody gets in: the inbox sets
ZAP_ENFORCE_DOMAIN, so libzmq lets no handshake finish without an answer from here. Nothing a peer sends ends it, and
should it end after all, it is started again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

import zmq
import zmq.asyncio

from p2p.net.greeting import z85
from p2p.net.keys import PeerKey, is_key

log = logging.getLogger(__name__)

DOMAIN = b"nodealer"
_ADDRESS = "inproc://zeromq.zap.01"  # where libzmq asks, once per context
_RESTART_AFTER = 0.1  # seconds; long enough not to spin should it fail at once, short enough that nobody notices


class Gate:
    """`admits` is asked with the public key of everyone who wants in."""

    def __init__(self, context: zmq.asyncio.Context, admits: Callable[[PeerKey], bool]) -> None:
        self._context = context
        self._admits = admits
        self._task: asyncio.Task[None] | None = None
        self.refused = 0
        self.failures = 0

    def open(self) -> None:
        socket = self._bound()
        self._task = asyncio.create_task(self._keep_serving(socket), name="gate")

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def _bound(self) -> zmq.asyncio.Socket:
        socket = self._context.socket(zmq.ROUTER)  # not REP, which a single lost answer would block for ever
        socket.linger = 0
        socket.bind(_ADDRESS)
        return socket

    async def _keep_serving(self, socket: zmq.asyncio.Socket) -> None:
        while True:
            try:
                await self._serve(socket)
            except Exception:
                self.failures += 1
                log.exception("the door had to be started again; nobody came in meanwhile")
            finally:
                socket.close()
            socket = await self._bound_again()

    async def _bound_again(self) -> zmq.asyncio.Socket:
        while True:
            await asyncio.sleep(_RESTART_AFTER)
            try:
                return self._bound()
            except zmq.ZMQError:
                log.exception("the door cannot be started yet")

    async def _serve(self, socket: zmq.asyncio.Socket) -> None:
        while True:
            request = await socket.recv_multipart()
            answer = self._answer(request)
            if answer:
                await socket.send_multipart(answer)

    def _answer(self, request: Sequence[bytes]) -> list[bytes] | None:
        if len(request) < 8 or request[2] != b"1.0":
            return None
        asker, empty, version, request_id, domain, _address, _routing_id, mechanism, *credentials = request
        status, user = b"400", b""
        try:
            raw = credentials[0] if len(credentials) == 1 else b""
            if domain == DOMAIN and mechanism == b"CURVE" and is_key(raw) and self._admits(PeerKey(raw)):
                status, user = b"200", z85(raw).encode()
        except Exception:
            self.failures += 1
            log.exception("a decision at the door failed, so the answer is no")
        self.refused += status != b"200"
        return [asker, empty, version, request_id, status, b"", user, b""]
