"""Ctrl-C and `kill` as an event, so that a program can say goodbye before it ends.

Law: knows no command. Also for Windows, where an event loop takes no signal handlers of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import TypeVar

from cli.main import STOPPED

T = TypeVar("T")


def run_until_stopped(work: Callable[[], Coroutine[None, None, int]]) -> int:
    """Run this work in a loop that suits ZeroMQ. A signal cancels it; what it then closes is waited for."""
    # ZeroMQ's sockets need a loop that watches file descriptors, which the default one of Windows does not.
    loop_factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(_until_stopped(work()))


async def _until_stopped(work: Coroutine[None, None, int]) -> int:
    stop = asyncio.Event()
    with heeding_signals(stop):
        working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
            return await working if working.done() else STOPPED
        finally:
            for task in (working, stopping):
                task.cancel()
            await asyncio.gather(working, stopping, return_exceptions=True)


@contextlib.contextmanager
def heeding_signals(stop: asyncio.Event) -> Iterator[None]:
    """Meanwhile SIGINT and SIGTERM set this event."""
    loop = asyncio.get_running_loop()
    before = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
