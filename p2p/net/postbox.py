"""What the LAN has to tell waits here until somebody takes it, in order and within bounds.

Law: knows no peer and no socket. One peer that sends too much loses its own messages, never anyone else's.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import dataclass
from typing import TypeAlias

from engine.game import Note
from p2p.net import presence
from p2p.net.keys import PeerKey

#: Of one sender, waiting: some hundred ordinary messages, or a whole game's log in pieces.
MAX_MESSAGES = 512
MAX_BYTES = 16 * 1024 * 1024
#: Of all kinds together. Only a program that never looks reaches it; the oldest go.
MAX_EVENTS = 20_000


@dataclass(frozen=True, slots=True)
class Message:
    """Bytes from a peer, to me alone or to a group that I am in."""

    sender: PeerKey
    kind: str
    payload: bytes
    group: str = ""


@dataclass(frozen=True, slots=True)
class TablesChanged:
    """This peer announces other tables than before."""

    sender: PeerKey


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the player should know."""

    note: Note
    about: PeerKey | None = None


Event: TypeAlias = presence.Event | Message | TablesChanged | Warned


class Postbox:
    def __init__(self) -> None:
        self._events: deque[Event] = deque()
        self._messages: Counter[PeerKey] = Counter()
        self._bytes: Counter[PeerKey] = Counter()
        self._something = asyncio.Event()
        self._closed = False

    def put(self, event: Event) -> bool:
        """False: its sender has too much waiting, and it was dropped."""
        if isinstance(event, Message):
            size = len(event.payload)
            if self._messages[event.sender] >= MAX_MESSAGES or self._bytes[event.sender] + size > MAX_BYTES:
                return False
            self._messages[event.sender] += 1
            self._bytes[event.sender] += size
        self._events.append(event)
        if len(self._events) > MAX_EVENTS:
            self._take()
        self._something.set()
        return True

    def close(self) -> None:
        """What is in it can still be taken; then it is over."""
        self._closed = True
        self._something.set()

    def get_nowait(self) -> Event | None:
        return self._take() if self._events else None

    async def get(self) -> Event | None:
        """The next event; None once closed and empty."""
        while not self._events:
            if self._closed:
                return None
            self._something.clear()
            await self._something.wait()
        return self._take()

    def _take(self) -> Event:
        event = self._events.popleft()
        if isinstance(event, Message):
            for counter, size in ((self._messages, 1), (self._bytes, len(event.payload))):
                counter[event.sender] -= size
                if not counter[event.sender]:
                    del counter[event.sender]
        return event
