"""ZRE on the wire (ZeroMQ RFC 20, 36, 43): beacons and messages as values and bytes. The only codec of them.

Law: pure. Decoding answers None to whatever is no beacon or message, and raises nothing. Knows no peer and no socket.

Where the C library zyre differs from the RFC's text this follows zyre, so that both understand each other: messages
say version 2 also beside version 3 beacons, a CURVE key never starts with a zero byte, and the key stands once more in
the header X-PUBLICKEY of HELLO.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

UUID_SIZE = 16
KEY_SIZE = 32

# --- beacons ------------------------------------------------------------------------------------------------------

_MAGIC = b"ZRE"
_V1 = struct.Struct(">3sB16sH")
_V3 = struct.Struct(">3sB16sH32s")
BEACON_SIZE = _V3.size  # 54 bytes; a shorter or longer datagram is no beacon


@dataclass(frozen=True, slots=True)
class Beacon:
    """ "I am here, at this TCP port" (0: "I am leaving"). Without a key it is a version 1 beacon: no encryption."""

    uuid: bytes
    port: int
    key: bytes | None = None

    def encode(self) -> bytes:
        if self.key is None:
            return _V1.pack(_MAGIC, 1, self.uuid, self.port)
        return _V3.pack(_MAGIC, 3, self.uuid, self.port, self.key)


def decode_beacon(datagram: bytes) -> Beacon | None:
    if len(datagram) == _V3.size:
        magic, version, uuid, port, key = _V3.unpack(datagram)
        if magic == _MAGIC and version == 3 and key[0] != 0:  # zyre reads a zero there as "no key"
            return Beacon(uuid, port, key)
    elif len(datagram) == _V1.size:
        magic, version, uuid, port = _V1.unpack(datagram)
        if magic == _MAGIC and version == 1:
            return Beacon(uuid, port)
    return None


# --- messages -----------------------------------------------------------------------------------------------------

#: HELLO is the longest header frame: own ones stay below 1 KiB, and this bounds the work before anything is checked.
MAX_HEADER = 8 * 1024
MAX_GROUPS = 64  # a peer is in one group per table it sits at or follows
MAX_HEADERS = 32  # own HELLOs have about six
FRAMES = 2  # a header and at most one content frame: nothing of ours needs more, and frames cost memory each


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message on every connection: who I am and where my inbox is."""

    sequence: int
    endpoint: str
    groups: tuple[str, ...]
    status: int
    name: str
    headers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Whisper:
    """To one peer."""

    sequence: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Shout:
    """To everyone in a group, one copy each."""

    sequence: int
    group: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Join:
    sequence: int
    group: str
    status: int


@dataclass(frozen=True, slots=True)
class Leave:
    sequence: int
    group: str
    status: int


@dataclass(frozen=True, slots=True)
class Ping:
    sequence: int


@dataclass(frozen=True, slots=True)
class PingOk:
    sequence: int


Message: TypeAlias = Hello | Whisper | Shout | Join | Leave | Ping | PingOk

_HEADER = struct.Struct(">HBBH")  # signature, command, version, sequence
_SIGNATURE = 0xAAA1
_VERSION = 2
_COMMANDS: dict[type[Message], int] = {Hello: 1, Whisper: 2, Shout: 3, Join: 4, Leave: 5, Ping: 6, PingOk: 7}


def encode(message: Message) -> list[bytes]:
    """The frames of a message."""
    head = [_HEADER.pack(_SIGNATURE, _COMMANDS[type(message)], _VERSION, message.sequence)]
    match message:
        case Hello():
            head += [_short(message.endpoint), _count(message.groups), *map(_long, message.groups)]
            head += [bytes([message.status]), _short(message.name), _count(message.headers)]
            head += [_short(name) + _long(value) for name, value in message.headers]
        case Shout():
            head.append(_short(message.group))
        case Join() | Leave():
            head += [_short(message.group), bytes([message.status])]
    content = [message.content] if isinstance(message, Whisper | Shout) else []
    return [b"".join(head), *content]


def decode(frames: Sequence[bytes]) -> Message | None:
    """The message of these frames, or None if they are none."""
    if not 1 <= len(frames) <= FRAMES or not _HEADER.size <= len(frames[0]) <= MAX_HEADER:
        return None
    signature, command, version, sequence = _HEADER.unpack_from(frames[0])
    if signature != _SIGNATURE or version != _VERSION:
        return None
    reader = _Reader(frames[0][_HEADER.size :])
    try:
        message = _read(command, sequence, reader, frames[1:])
        reader.finish()
    except _Malformed:
        return None
    return message


def _read(command: int, sequence: int, reader: _Reader, content: Sequence[bytes]) -> Message:
    if len(content) != (1 if command in (2, 3) else 0):
        raise _Malformed
    match command:
        case 1:
            endpoint = reader.short()
            groups = tuple(reader.long() for _ in range(reader.count(MAX_GROUPS)))
            status, name = reader.byte(), reader.short()
            headers = tuple((reader.short(), reader.long()) for _ in range(reader.count(MAX_HEADERS)))
            if len({key for key, _ in headers}) != len(headers):
                raise _Malformed  # which of two values counts must never be a matter of taste
            return Hello(sequence, endpoint, groups, status, name, headers)
        case 2:
            return Whisper(sequence, content[0])
        case 3:
            return Shout(sequence, reader.short(), content[0])
        case 4:
            return Join(sequence, reader.short(), reader.byte())
        case 5:
            return Leave(sequence, reader.short(), reader.byte())
        case 6:
            return Ping(sequence)
        case 7:
            return PingOk(sequence)
        case _:
            raise _Malformed


class _Malformed(Exception):
    """Never leaves this file."""


class _Reader:
    """Takes a header frame apart, piece by piece."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        piece = self._data[self._at : self._at + size]
        if len(piece) != size:
            raise _Malformed
        self._at += size
        return piece

    def byte(self) -> int:
        return self.take(1)[0]

    def count(self, most: int) -> int:
        count = int.from_bytes(self.take(4), "big")
        if count > most:
            raise _Malformed
        return count

    def short(self) -> str:
        return _text(self.take(self.byte()))

    def long(self) -> str:
        return _text(self.take(int.from_bytes(self.take(4), "big")))

    def finish(self) -> None:
        if self._at != len(self._data):
            raise _Malformed


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise _Malformed from None


def _short(text: str) -> bytes:
    raw = text.encode()
    return bytes([len(raw)]) + raw


def _long(text: str) -> bytes:
    raw = text.encode()
    return len(raw).to_bytes(4, "big") + raw


def _count(items: Sequence[object]) -> bytes:
    return len(items).to_bytes(4, "big")


def after(sequence: int) -> int:
    """The next message's number: HELLO has 1, and 65535 is followed by 0 as in every 16-bit counter."""
    return (sequence + 1) & 0xFFFF
