"""What the content frame of a WHISPER or SHOUT holds: a kind and a payload.

Law: pure. Kinds that start with `lan.` belong to this folder; all others to whoever uses it.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Large enough for any message of a table (256 KiB at most) and several of them in one answer to "what did I miss".
MAX_FRAME = 1024 * 1024
#: What somebody who does not sit at my table may send: greetings, table lists, chat, and the start of a seating.
MAX_STRANGER_FRAME = 64 * 1024
MAX_KIND = 32


@dataclass(frozen=True, slots=True)
class Envelope:
    kind: str
    payload: bytes

    def encode(self) -> bytes:
        kind = self.kind.encode("ascii")
        if not valid_kind(self.kind):
            raise ValueError(f"no kind of message: {self.kind!r}")
        return bytes([len(kind)]) + kind + self.payload


def open_envelope(content: bytes) -> Envelope | None:
    if not content or not len(content) > content[0] <= MAX_KIND:
        return None
    size = content[0]
    kind = content[1 : 1 + size].decode("ascii", "replace")
    return Envelope(kind, content[1 + size :]) if valid_kind(kind) else None


def valid_kind(kind: str) -> bool:
    return 0 < len(kind) <= MAX_KIND and kind.isascii() and kind.replace(".", "a").replace("-", "a").isalnum()
