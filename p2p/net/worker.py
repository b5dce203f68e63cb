"""One thread that works off what it is given, in order, for code on an event loop.

Law: a daemon. Unlike the threads of an executor it never holds up the end of the program: whoever wants to be gone
within a second need not wait for the last proof to be checked.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    async def run(self, work: Callable[[], T]) -> T:
        """Its result, or what it raises."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def job() -> None:
            try:
                result = work()
            except BaseException as error:
                _call(loop, _settle, done, None, error)
            else:
                _call(loop, _settle, done, result, None)

        self._jobs.put(job)
        return await done

    def end(self) -> None:
        """After what it has been given."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


def _call(loop: asyncio.AbstractEventLoop, *call: Any) -> None:
    with contextlib.suppress(RuntimeError):  # the loop has ended without waiting
        loop.call_soon_threadsafe(*call)


def _settle(done: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if done.done():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(result)
