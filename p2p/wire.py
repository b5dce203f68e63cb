"""Every message as a frozen dataclass and its bytes: the only codec.

Law: one value, one byte string. What decodes encodes back to the same bytes, so nothing can be varied without its
author's signature. Knows no step order, no keys' meaning and no game.

An entry (what is signed, kept in the log and shown as evidence) is

    header   fixed size: protocol, table, epoch, step, seat, digest of the previous step, kind
    body     a msgpack array of the fields of the kind's dataclass, in order
    signature Ed25519 over header and body, 64 bytes

Every limit has its reason beside it.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, get_type_hints

import msgpack

from engine.cards import Seat
from p2p.errors import WireError

PROTOCOL = 1  # goes up with any change that an older peer would read differently

MAX_ENTRY = 256 * 1024  # the largest honest one is a rebuild's mark for some hundred cards, well below 100 kB
MAX_SEATS = 16  # far above any game here; bounds loops over a contract's seats
MAX_NAME = 24  # characters of a nickname: fits a table column
MAX_PLACES = 64  # places a single move may use
MAX_NUMBER = 2**31  # any plain number in a body
MAX_ROUND = 255  # of votes in one epoch; each must grow what it says of at most MAX_SEATS seats
VOTES = 2**30  # where votes stand in an epoch: behind all steps a game could have
GOODBYE = 2**32 - 1  # and a goodbye behind them
DIGEST = 32
SIGNATURE = 64

_HEADER = struct.Struct(">B32sHIB32sB")
HEADER_SIZE = _HEADER.size


@dataclass(frozen=True, slots=True)
class Header:
    """Where a message belongs. `previous` is the digest of the step before, which covers everything until then."""

    table: bytes
    epoch: int
    step: int
    seat: Seat
    previous: bytes
    kind: int

    def encode(self) -> bytes:
        return _HEADER.pack(PROTOCOL, self.table, self.epoch, self.step, self.seat, self.previous, self.kind)


# --- bodies -------------------------------------------------------------------------------------------------------


class Size:
    """How long a field may be, or how large a number. `each`: the same for every item of a list."""

    def __init__(self, least: int, most: int, each: Size | None = None) -> None:
        self.least, self.most, self.each = least, most, each


Blob = Annotated[bytes, Size(0, MAX_ENTRY)]
Digest = Annotated[bytes, Size(DIGEST, DIGEST)]
Salt = Annotated[bytes, Size(32, 32)]
Opening = Annotated[bytes, Size(0, 8192)]  # shares of the few cards one move can open
Name = Annotated[str, Size(0, MAX_NAME)]
Number = Annotated[int, Size(0, MAX_NUMBER)]
Numbers = Annotated[tuple[int, ...], Size(0, MAX_PLACES, Size(0, MAX_NUMBER))]
Seats = Annotated[int, Size(0, 2**MAX_SEATS - 1)]  # one bit per seat
Flag = Annotated[bool, Size(0, 1)]


class Body:
    """Base of all message bodies. `kind` is its number on the wire; numbers are never used again."""

    __slots__ = ()
    kind: ClassVar[int]


@dataclass(frozen=True, slots=True)
class Seal(Body):
    """I agree to this proposal and have fixed a nonce for the lots."""

    kind: ClassVar[int] = 1
    proposal: Annotated[bytes, Size(0, 4096)]
    name: Name
    commitment: Digest


@dataclass(frozen=True, slots=True)
class Nonce(Body):
    """The nonce I had sealed: seat order comes from all of them."""

    kind: ClassVar[int] = 2
    nonce: Salt


@dataclass(frozen=True, slots=True)
class Key(Body):
    """My card key for this table, with proof that I know its secret."""

    kind: ClassVar[int] = 3
    public: Annotated[bytes, Size(32, 32)]
    proof: Annotated[bytes, Size(0, 256)]


@dataclass(frozen=True, slots=True)
class Link(Body):
    """One seat's shuffle with its proof."""

    kind: ClassVar[int] = 4
    message: Blob


@dataclass(frozen=True, slots=True)
class Confirm(Body):
    """I saw the same: the digest in my header says it."""

    kind: ClassVar[int] = 5


@dataclass(frozen=True, slots=True)
class Share(Body):
    """My shares of cards that are drawn by others or opened to all."""

    kind: ClassVar[int] = 6
    message: Blob


@dataclass(frozen=True, slots=True)
class Commit(Body):
    """My hand, hidden anew, and the commitment to a choice from exactly that hand."""

    kind: ClassVar[int] = 7
    hidden: Blob
    commitment: Digest


@dataclass(frozen=True, slots=True)
class Reveal(Body):
    """The choice I had committed to, and the shares that open its cards."""

    kind: ClassVar[int] = 8
    move: Name
    slots: Numbers
    values: Numbers
    salt: Salt
    share: Opening


@dataclass(frozen=True, slots=True)
class Give(Body):
    """The card I had committed to pass, re-keyed to its receiver."""

    kind: ClassVar[int] = 9
    slot: Number
    salt: Salt
    message: Annotated[bytes, Size(0, 1024)]


@dataclass(frozen=True, slots=True)
class Play(Body):
    """An open move: my hand hidden anew, the move, and the shares that open its cards."""

    kind: ClassVar[int] = 10
    hidden: Blob
    move: Name
    slots: Numbers
    values: Numbers
    share: Opening


@dataclass(frozen=True, slots=True)
class Answer(Body):
    """I can move; or I cannot, and here is the proof."""

    kind: ClassVar[int] = 11
    can: Flag
    proof: Blob


@dataclass(frozen=True, slots=True)
class HandOver(Body):
    """I am out: my hand goes to those who stay, my layer comes off every face-down card."""

    kind: ClassVar[int] = 12
    hand: Blob
    strip: Blob


@dataclass(frozen=True, slots=True)
class Ack(Body):
    """The game is over and this is its result."""

    kind: ClassVar[int] = 13
    result: Digest


@dataclass(frozen=True, slots=True)
class Have(Body):
    """A vote: the seats in `gone` are gone. What I hold of my open step; I sign nothing more of this epoch."""

    kind: ClassVar[int] = 14
    round: Annotated[int, Size(0, MAX_ROUND)]
    gone: Seats
    open: Number  # my open step; the digest in the header is that of the step before it
    held: Annotated[tuple[bytes, ...], Size(0, MAX_SEATS, Size(DIGEST, DIGEST))]
    evidence: Annotated[tuple[bytes, ...], Size(0, 2 * MAX_SEATS, Size(0, MAX_ENTRY))]


@dataclass(frozen=True, slots=True)
class Cut(Body):
    """The messages that count, as all who stay computed them from each other's `Have` of this round."""

    kind: ClassVar[int] = 15
    round: Annotated[int, Size(0, MAX_ROUND)]
    votes: Digest  # of the `Have`s it was computed from: without it a wrong cut could be another's lie
    digest: Digest


@dataclass(frozen=True, slots=True)
class Mark(Body):
    """Which unseen cards I hold, hidden, with proof: the first half of rebuilding the pile."""

    kind: ClassVar[int] = 16
    message: Blob


@dataclass(frozen=True, slots=True)
class Goodbye(Body):
    """I leave on purpose."""

    kind: ClassVar[int] = 17


BODIES: dict[int, type[Body]] = {
    body.kind: body
    for body in (
        Seal, Nonce, Key, Link, Confirm, Share, Commit, Reveal, Give, Play, Answer, HandOver, Ack, Have, Cut, Mark,
        Goodbye,
    )
}  # fmt: skip


def _specification(body: type[Body]) -> tuple[tuple[str, Any, Size], ...]:
    hints = get_type_hints(body, include_extras=True)
    return tuple(
        (spec.name, hints[spec.name].__origin__, hints[spec.name].__metadata__[0])
        for spec in fields(body)  # type: ignore[arg-type]
    )


#: kind -> (name, type, size) of each field in order: the whole grammar of bodies, read off the dataclasses.
GRAMMAR = {kind: _specification(body) for kind, body in BODIES.items()}


def encode_body(body: Body) -> bytes:
    packed: bytes = msgpack.packb([getattr(body, name) for name, _, _ in GRAMMAR[body.kind]], use_bin_type=True)
    return packed


def decode_body(kind: int, data: bytes) -> Body:
    """The body, or WireError. Only bytes that the encoder would have made are taken."""
    grammar = GRAMMAR.get(kind)
    if grammar is None:
        raise WireError(f"unknown kind {kind}")
    values = _unpack(data)
    if not isinstance(values, list) or len(values) != len(grammar):
        raise WireError("wrong number of fields")
    body = BODIES[kind](*(_check(type_, value, size) for (_, type_, size), value in zip(grammar, values, strict=True)))
    if encode_body(body) != data:
        raise WireError("not in canonical form")
    return body


def _unpack(data: bytes) -> Any:
    try:
        return msgpack.unpackb(
            data,
            raw=False,
            use_list=True,
            strict_map_key=True,
            max_bin_len=MAX_ENTRY,
            max_str_len=1024,
            max_array_len=4096,
            max_map_len=0,
            max_ext_len=0,
        )
    except (
        Exception
    ) as error:  # msgpack raises ValueError, StackError, UnicodeError, ExtraData ... : all mean "no message"
        raise WireError("not msgpack") from error


def _check(type_: Any, value: Any, size: Size) -> Any:
    """The value, if it is of this type and size. Lists come back as tuples."""
    if size.each:
        if type(value) is not list:
            raise WireError("a field is no list")
        (item_type, _) = type_.__args__  # tuple[int, ...]
        type_, value = tuple, tuple(_check(item_type, item, size.each) for item in value)
    if type(value) is not type_:
        raise WireError(f"a field is not {type_}")
    extent: int = value if type_ in (int, bool) else len(value)
    if not size.least <= extent <= size.most or (type_ is str and clean_name(value) != value):
        raise WireError("a field is too long, too short or not clean")
    return value


#: Characters that can paint a screen or hide in a name. Listed, not looked up: every peer must decide alike, whatever
#: Unicode tables it has.
_UNSHOWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)


def clean_name(text: str) -> str:
    """What of a text may travel as a name: composed, on one line, without control, bidi or zero-width characters."""
    return " ".join(_UNSHOWABLE.sub("", text).split(" ")).strip()[:MAX_NAME].strip()


# --- entries ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A signed message: the exact bytes and what they say. The signature is not yet believed by holding one."""

    header: Header
    signed: bytes  # header and body, as signed
    signature: bytes

    @property
    def body_bytes(self) -> bytes:
        return self.signed[HEADER_SIZE:]

    @property
    def place(self) -> tuple[int, int, Seat]:
        return (self.header.epoch, self.header.step, self.header.seat)

    def encode(self) -> bytes:
        return self.signed + self.signature


def decode_entry(data: bytes) -> Entry:
    """Split an entry and read its header; the body is left for after the signature. WireError if it is none."""
    if not HEADER_SIZE + SIGNATURE < len(data) <= MAX_ENTRY:
        raise WireError("not the size of a message")
    version, table, epoch, step, seat, previous, kind = _HEADER.unpack_from(data)
    if version != PROTOCOL:
        raise WireError(f"protocol {version}, not {PROTOCOL}")
    header = Header(table, epoch, step, Seat(seat), previous, kind)
    return Entry(header, data[:-SIGNATURE], data[-SIGNATURE:])


# --- packets: what goes over a link; only entries are signed and logged -------------------------------------------


@dataclass(frozen=True, slots=True)
class Want:
    """Send me what you have of this step (except from the seats in `have`) and after. Unsigned; claims nothing."""

    table: bytes
    epoch: int
    step: int
    have: int  # bit per seat

    def encode(self) -> bytes:
        return b"W" + struct.pack(">32sHII", self.table, self.epoch, self.step, self.have)


@dataclass(frozen=True, slots=True)
class Alive:
    """I am here, and have heard these seats lately. Unsigned; believed only as far as the link's sender is."""

    table: bytes
    heard: int  # bit per seat

    def encode(self) -> bytes:
        return b"A" + struct.pack(">32sI", self.table, self.heard)


def encode_entry_packet(entry: Entry) -> bytes:
    return b"E" + entry.encode()


def decode_packet(data: bytes) -> Entry | Want | Alive:
    """What came over a link, or WireError."""
    if data[:1] == b"E":
        return decode_entry(data[1:])
    if data[:1] == b"W" and len(data) == 43:
        return Want(*struct.unpack(">32sHII", data[1:]))
    if data[:1] == b"A" and len(data) == 37:
        return Alive(*struct.unpack(">32sI", data[1:]))
    raise WireError("unknown packet")
