"""All ZeroMQ sockets of one peer: the door, the inbox, and a link to each peer it talks to.

Law: one context, one event loop. Carries frames and knows nothing of what they say. When `close` returns, no socket
and no task of it is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import threading
from collections.abc import Callable

import psutil
import zmq
import zmq.asyncio

from p2p.net.address import Endpoint
from p2p.net.gate import Gate
from p2p.net.inbox import Inbox, OnMessage
from p2p.net.keys import Keys, PeerKey
from p2p.net.link import Link, LinkNews, Report

log = logging.getLogger(__name__)

MAX_SOCKETS = 8192  # libzmq's own limit would end at some 300 peers
#: A link takes about five files (its connection, the peer's one to me, and what libzmq needs to watch them); the usual
#: limits of 256 and 1024 would end at 50 or 200 peers.
WANTED_FILES = 8192
#: A message is read only when it is complete, and libzmq counts neither its frames nor their sum: whoever may enter
#: could fill this machine's memory with one message that never ends. A program that grows by this much (tables and
#: screens take a tenth of it) closes its inbox, which frees all of that, and opens it again.
MEMORY_ALARM = 256 * 1024 * 1024
RENEW_SECONDS, RENEW_GAP = 3.0, 0.05  # the port is free again when libzmq's own thread has closed it
TERM_SECONDS = 0.4  # beyond what was allowed to linger; then the context is left to end by itself


class Transport:
    def __init__(
        self, keys: Keys, *, admits: Callable[[PeerKey], bool], on_message: OnMessage, on_news: Report
    ) -> None:
        self._keys = keys
        self._context = zmq.asyncio.Context()
        self._context.set(zmq.MAX_SOCKETS, MAX_SOCKETS)
        self._on_news = on_news
        self._links: dict[PeerKey, Link] = {}
        self.gate = Gate(self._context, admits)
        self.inbox = Inbox(self._context, keys, on_message)
        self._bytes_of_ended = 0
        self._port = 0
        self._process = psutil.Process()
        self._memory = 0  # at the start, or after the last renewal

    def open(self) -> None:
        """The door first: an inbox without one would let nobody in."""
        _allow_many_files()
        self.gate.open()

    def claim(self, port: int) -> int | None:
        """Take this TCP port (0: any), and say which. None: somebody else has it."""
        self._port = self.inbox.bind(port) or 0
        return self._port or None

    def release(self) -> None:
        self.inbox.unbind()

    def listen(self) -> None:
        self._memory = self._process.memory_info().rss
        self.inbox.open()

    def unwell(self, alarm: int = MEMORY_ALARM) -> bool:
        """Has the inbox ended, or has this program grown as only a flood makes it grow?"""
        return not self.inbox.alive or self._process.memory_info().rss > self._memory + alarm

    async def renew(self) -> None:
        """Close all connections to me and listen anew. Peers come back by themselves, through the door."""
        await self.inbox.close()
        deadline = asyncio.get_running_loop().time() + RENEW_SECONDS
        while not self.inbox.bind(self._port) and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(RENEW_GAP)
        self.inbox.open()
        self._memory = self._process.memory_info().rss  # if it was something else that grew, then not again for that

    def dial(self, key: PeerKey, place: Endpoint) -> None:
        self.hang(key)
        self._links[key] = Link(self._context, self._keys, key, place, self._news)

    def hang(self, key: PeerKey) -> None:
        link = self._links.pop(key, None)
        if link:
            self._bytes_of_ended += link.bytes_sent
            link.close()

    def link(self, key: PeerKey) -> Link | None:
        return self._links.get(key)

    @property
    def links(self) -> list[Link]:
        return list(self._links.values())

    @property
    def bytes_sent(self) -> int:
        return self._bytes_of_ended + sum(link.bytes_sent for link in self._links.values())

    def _news(self, link: Link, news: LinkNews) -> None:
        if self._links.get(link.key) is link:  # not the last words of one that was replaced
            self._on_news(link, news)

    async def close(self, linger: int = 0) -> None:
        """`linger`: milliseconds that what was handed over may take to leave."""
        tasks = [link.close(linger) for link in self._links.values()]
        self._links.clear()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.inbox.close()
        await self.gate.close()
        await self._end_context(TERM_SECONDS + linger / 1000)

    async def _end_context(self, seconds: float) -> None:
        # Ending it waits for what lingers; and in a thread of its own, for one in the loop's executor that got stuck
        # would hold up the end of the whole program.
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()

        def end() -> None:
            self._context.term()
            with contextlib.suppress(RuntimeError):  # the loop did not wait
                loop.call_soon_threadsafe(ended.set)

        threading.Thread(target=end, daemon=True, name="zmq-term").start()
        try:
            await asyncio.wait_for(ended.wait(), seconds)
        except TimeoutError:
            log.warning("the network did not close in time and is left behind")


def _allow_many_files() -> None:
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
