"""My connection to one peer, for sending only. What comes back arrives in the inbox.

Law: knows one peer and one address. Never waits: a message is handed over at once or not at all, so one slow peer
costs the others nothing. HELLO is the first message on every connection.

The peer's key stands in the connection itself: whoever answers there without its secret cannot finish the handshake.
"""

from __future__ import annotations

import asyncio
import errno
import itertools
import logging
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import TypeAlias

import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from p2p.net.address import Endpoint
from p2p.net.greeting import z85
from p2p.net.keys import Keys, PeerKey
from p2p.net.zre import Hello, Message, after, encode

log = logging.getLogger(__name__)

#: Messages that may wait for a peer that does not read. A table in lockstep has a handful; beyond this the peer has
#: not been listening for seconds, and what it misses it can ask for later.
SEND_QUEUE = 128
#: Milliseconds. ZMTP heartbeats free both ends of a connection that died without a word. They are slow because their
#: number grows with the square of a room, and because they cannot tell whether the peer's *program* still lives: libzmq
#: answers them by itself. The PINGs of the peer book can, and are quick wherever it matters.
HEARTBEAT_IVL, HEARTBEAT_TIMEOUT, HEARTBEAT_TTL = 15_000, 30_000, 60_000
HANDSHAKE_IVL = 5_000
RECONNECT_IVL = 200

_names = itertools.count()
_EVENTS = (
    zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_DISCONNECTED
    | zmq.EVENT_CLOSED
)


class LinkNews(Enum):
    UP = "up"
    DOWN = "down"
    #: The other side's door said no: it does not know me, or its table is closed.
    REFUSED = "refused"
    #: Something answered that does not own the key, or broke off at once.
    NOT_THE_PEER = "not_the_peer"
    #: Connected, but the handshake got no answer.
    MUTE = "mute"
    #: Nobody listens at this address and port.
    NOBODY = "nobody"


Report: TypeAlias = Callable[["Link", LinkNews], None]


class Link:
    def __init__(self, context: zmq.asyncio.Context, keys: Keys, key: PeerKey, place: Endpoint, report: Report) -> None:
        self.key = key
        self.place = place
        self.up = False
        self.answered_at = float("-inf")  # when a HELLO was last answered with one
        self.bytes_sent = 0
        self._closed = False
        self._report = report
        self._next = 0  # the next message's sequence number; 0: no HELLO yet on this connection
        self._socket = _dealer(context, keys, key)
        name = f"inproc://link-{next(_names)}"
        self._socket.monitor(name, _EVENTS)
        self._monitor = context.socket(zmq.PAIR)
        self._monitor.linger = 0
        self._monitor.connect(name)
        self._task = asyncio.create_task(self._watch(), name=f"link to {place.url}")
        self._socket.connect(place.url)

    def greet(self, hello: Hello) -> bool:
        """The first message of a connection; numbers begin anew with it."""
        self._next = hello.sequence
        return self.send(hello)

    @property
    def ready(self) -> bool:
        """The connection stands, and HELLO has gone ahead."""
        return self.up and self._next != 0

    def send(self, message: Message) -> bool:
        """Hand it over now. False: no connection, or as much is waiting already as may."""
        if not self.ready:
            return False
        frames = encode(replace(message, sequence=self._next))
        try:
            self._socket.send_multipart(frames, zmq.DONTWAIT)
        except zmq.ZMQError:
            return False
        self._next = after(self._next)
        self.bytes_sent += sum(map(len, frames))
        return True

    def close(self, linger: int = 0) -> asyncio.Task[None]:
        """At once; the task that ends with it. `linger`: milliseconds that what was handed over may take to leave."""
        self.up, self._closed = False, True
        self._task.cancel()
        self._socket.disable_monitor()
        self._monitor.close()  # an open monitor would keep the whole context from ending
        self._socket.close(linger)
        return self._task

    async def _watch(self) -> None:
        while not self._closed:  # the report of one event may close it
            event = parse_monitor_message(await self._monitor.recv_multipart())
            news = self._read(event["event"], event["value"])
            if news:
                try:
                    self._report(self, news)
                except Exception:
                    log.exception("the news of a link were not taken well")

    def _read(self, event: int, value: int) -> LinkNews | None:
        was_up = self.up
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self.up, self._next = True, 0
            return LinkNews.UP
        self.up = False
        match event:
            case zmq.EVENT_DISCONNECTED:
                return LinkNews.DOWN if was_up else None  # while connecting, a failure was told just before
            case zmq.EVENT_CLOSED:
                return None if was_up else LinkNews.NOBODY
            case zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                return LinkNews.REFUSED
            case zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL if value in (errno.EAGAIN, errno.ETIMEDOUT):
                return LinkNews.MUTE
            case _:
                return LinkNews.NOT_THE_PEER


def _dealer(context: zmq.asyncio.Context, keys: Keys, key: PeerKey) -> zmq.SyncSocket:
    options: dict[int, int | bytes] = {
        zmq.LINGER: 0,
        zmq.IPV6: 1,
        zmq.ROUTING_ID: b"\x01" + keys.uuid,  # how the C zyre tells its peers apart; nobody here looks at it
        zmq.IMMEDIATE: 1,  # nothing is queued for a connection that does not stand
        zmq.SNDHWM: SEND_QUEUE,
        zmq.RCVHWM: 1,  # an inbox never answers; whoever does is not listened to
        zmq.MAXMSGSIZE: 1024,  # the handshake's own frames count too
        zmq.HANDSHAKE_IVL: HANDSHAKE_IVL,
        zmq.RECONNECT_IVL: RECONNECT_IVL,
        zmq.HEARTBEAT_IVL: HEARTBEAT_IVL,
        zmq.HEARTBEAT_TIMEOUT: HEARTBEAT_TIMEOUT,
        zmq.HEARTBEAT_TTL: HEARTBEAT_TTL,
        zmq.CURVE_SERVERKEY: z85(key).encode(),
        zmq.CURVE_PUBLICKEY: z85(keys.key).encode(),
        zmq.CURVE_SECRETKEY: z85(keys.curve_secret).encode(),
    }
    socket: zmq.SyncSocket = zmq.Context.shadow(context.underlying).socket(zmq.DEALER)
    for option, value in options.items():
        socket.set(option, value)
    return socket
