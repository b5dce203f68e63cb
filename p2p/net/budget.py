"""How much a peer that does not sit at my table may send.

Law: pure; time is an argument.
"""

from __future__ import annotations

#: Somebody in the lobby sends greetings, table lists and chat: a few messages a second at the very most.
MESSAGES_PER_SECOND, MESSAGES_AT_ONCE = 30.0, 200.0
BYTES_PER_SECOND, BYTES_AT_ONCE = 256 * 1024.0, 1024 * 1024.0
#: Bytes that were no message: a program of ours never sends any, so three can be no accident.
STRIKES = 3


class Budget:
    """Of one peer: refills with time, is spent by messages."""

    __slots__ = ("_bytes", "_messages", "_seen", "strikes")

    def __init__(self, now: float) -> None:
        self._seen = now
        self._messages = MESSAGES_AT_ONCE
        self._bytes = BYTES_AT_ONCE
        self.strikes = 0

    def allows(self, size: int, now: float) -> bool:
        """Books a message of this size, or says that it is one too many."""
        passed, self._seen = now - self._seen, now
        self._messages = min(MESSAGES_AT_ONCE, self._messages + passed * MESSAGES_PER_SECOND)
        self._bytes = min(BYTES_AT_ONCE, self._bytes + passed * BYTES_PER_SECOND)
        if self._messages < 1 or self._bytes < size:
            return False
        self._messages -= 1
        self._bytes -= size
        return True
