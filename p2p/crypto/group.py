"""The group: ristretto255 (RFC 9496), prime order `Q`, written additively. The only file that knows libsodium.

Law: construction is validation. A `Point` that came from bytes is canonical and not the identity; a `Scalar` is below
`Q`. So nobody after this file checks either again. The identity can still appear as a *result* (a sum that cancels),
and every operation here takes and returns it correctly, though libsodium itself refuses to produce it.

libsodium is reached through the shared library that rbcl carries: its thin Python wrappers add nothing but checks of
types already guaranteed here. Every call releases the interpreter lock, so threads help.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NoReturn, overload

from rbcl.rbcl import _crypto_core_ristretto255_point_new as _Buffer
from rbcl.rbcl import _sodium

from p2p.crypto.errors import DecodeError

Q = 2**252 + 27742317777372353535851937790883648493  # the order of the group
SIZE = 32  # bytes of an encoded point, and of an encoded scalar
WIDE = 64  # uniform bytes that become a scalar, or a point, without measurable bias

_DOMAIN = b"nodealer/crypto/1/generator"
_ZERO = bytes(SIZE)  # how RFC 9496 encodes the identity

_set = object.__setattr__


class _Calls:
    """The six calls everything is made of. Held here, and looked up at each use, so that `counted` can swap them."""

    def __init__(self) -> None:
        self.mul: Callable[..., int] = _sodium.crypto_scalarmult_ristretto255
        self.base_mul: Callable[..., int] = _sodium.crypto_scalarmult_ristretto255_base
        self.add: Callable[..., int] = _sodium.crypto_core_ristretto255_add
        self.sub: Callable[..., int] = _sodium.crypto_core_ristretto255_sub
        self.decode: Callable[..., int] = _sodium.crypto_core_ristretto255_is_valid_point
        self.hash: Callable[..., int] = _sodium.crypto_core_ristretto255_from_hash


_lib = _Calls()


class _Immutable:
    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self


class Scalar(_Immutable):
    """A number modulo `Q`. Often a secret, so it never shows its value; `int(scalar)` is the one way to it."""

    __slots__ = ("_n",)
    _n: int

    def __init__(self, value: int) -> None:
        _set(self, "_n", value % Q)

    @classmethod
    def decode(cls, data: bytes) -> Scalar:
        if not isinstance(data, bytes) or len(data) != SIZE:
            raise DecodeError("a scalar is 32 bytes")
        value = int.from_bytes(data, "little")
        if value >= Q:
            raise DecodeError("a scalar must be below the group order")
        return cls(value)

    @classmethod
    def from_wide(cls, data: bytes) -> Scalar:
        """A uniform scalar from 64 uniform bytes."""
        if len(data) != WIDE:
            raise ValueError("a wide scalar is made from 64 bytes")
        return cls(int.from_bytes(data, "little"))

    def encode(self) -> bytes:
        return self._n.to_bytes(SIZE, "little")

    def __int__(self) -> int:
        return self._n

    def __bool__(self) -> bool:
        return self._n != 0

    def __add__(self, other: Scalar) -> Scalar:
        return Scalar(self._n + other._n)

    def __sub__(self, other: Scalar) -> Scalar:
        return Scalar(self._n - other._n)

    def __neg__(self) -> Scalar:
        return Scalar(-self._n)

    @overload
    def __mul__(self, other: Scalar) -> Scalar: ...
    @overload
    def __mul__(self, other: Point) -> Point: ...
    def __mul__(self, other: Scalar | Point) -> Scalar | Point:
        if isinstance(other, Scalar):
            return Scalar(self._n * other._n)
        if isinstance(other, Point):
            return mul(self, other)
        return NotImplemented

    def inverse(self) -> Scalar:
        if self._n == 0:
            raise ZeroDivisionError("zero has no inverse")
        return Scalar(pow(self._n, -1, Q))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and self._n == other._n

    def __hash__(self) -> int:
        return hash((Scalar, self._n))

    def __repr__(self) -> str:
        return "Scalar(…)"


class Point(_Immutable):
    """An element of the group, kept as its canonical 32 bytes. From outside only through `Point.decode`."""

    __slots__ = ("_bytes",)
    _bytes: bytes

    def __init__(self) -> None:
        raise TypeError("points come from Point.decode, from arithmetic, or from hash_to_group")

    @classmethod
    def decode(cls, data: bytes) -> Point:
        """The one door for foreign bytes: refuses whatever is not canonical, and the identity."""
        if not isinstance(data, bytes) or len(data) != SIZE:
            raise DecodeError("a point is 32 bytes")
        if data == _ZERO:
            raise DecodeError("a point must not be the identity")
        # libsodium 1.0.18, which rbcl carries, ignores the top bit: every point would have a second encoding.
        if data[31] & 0x80 or _lib.decode(data) != 1:
            raise DecodeError("the bytes are not the canonical encoding of a point")
        return _trusted(data)

    def encode(self) -> bytes:
        """The 32 bytes; 32 zero bytes for the identity, which `decode` refuses."""
        return self._bytes

    @property
    def is_identity(self) -> bool:
        return self._bytes == _ZERO

    def __add__(self, other: Point) -> Point:
        out = _Buffer()
        _lib.add(out, self._bytes, other._bytes)
        return _trusted(out.raw)

    def __sub__(self, other: Point) -> Point:
        out = _Buffer()
        _lib.sub(out, self._bytes, other._bytes)
        return _trusted(out.raw)

    def __neg__(self) -> Point:
        return IDENTITY - self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash((Point, self._bytes))

    def __repr__(self) -> str:
        return f"Point({self._bytes.hex()})"


def _trusted(data: bytes) -> Point:
    """A point from bytes that libsodium itself has just produced or checked."""
    point = object.__new__(Point)
    _set(point, "_bytes", data)
    return point


def mul(scalar: Scalar, point: Point) -> Point:
    """scalar · point. The same as `scalar * point`."""
    out = _Buffer()
    # Points are valid, so the only failure left is an identity result (zero scalar, or the identity itself).
    return _trusted(out.raw) if _lib.mul(out, scalar.encode(), point._bytes) == 0 else IDENTITY


def base_mul(scalar: Scalar) -> Point:
    """scalar · G, three times faster than a multiplication of any other point."""
    out = _Buffer()
    return _trusted(out.raw) if _lib.base_mul(out, scalar.encode()) == 0 else IDENTITY


def multi_mul(scalars: Sequence[Scalar], points: Sequence[Point]) -> Point:
    """Σ scalarᵢ · pointᵢ; the identity if there is nothing to add."""
    total = _Buffer()
    product = _Buffer()
    empty = True
    for scalar, point in zip(scalars, points, strict=True):
        encoded = point._bytes
        term = total if empty else product
        if scalar._n == 1:  # the first weight of every batch
            term.raw = encoded
        elif _lib.base_mul(term, scalar.encode()) if encoded == _G else _lib.mul(term, scalar.encode(), encoded):
            continue  # libsodium refuses to produce the identity: nothing to add
        if not empty:
            _lib.add(total, total, product)
        empty = False
    return IDENTITY if empty else _trusted(total.raw)


def add_all(points: Iterable[Point]) -> Point:
    """Σ pointᵢ; the identity if there is none."""
    total = IDENTITY
    for point in points:
        total = point if total is IDENTITY else total + point
    return total


def hash_to_group(label: bytes) -> Point:
    """A point whose discrete logarithm nobody knows, from a public label (RFC 9496, section 4.3.4, over SHA-512)."""
    out = _Buffer()
    framed = len(_DOMAIN).to_bytes(8, "little") + _DOMAIN + len(label).to_bytes(8, "little") + label
    _lib.hash(out, hashlib.sha512(framed).digest())
    return _trusted(out.raw)


@lru_cache(maxsize=64)
def generators(label: bytes, count: int) -> tuple[Point, ...]:
    """`count` independent generators of one family. A longer list of the same family begins with the shorter one."""
    return tuple(hash_to_group(label + b"/" + str(index).encode()) for index in range(count))


IDENTITY = _trusted(_ZERO)
ZERO = Scalar(0)
ONE = Scalar(1)
_G = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")  # RFC 9496, appendix A.1
G = Point.decode(_G)


@dataclass(slots=True)
class Operations:
    """How many group operations were done: what a benchmark compares a running time with."""

    mul: int = 0
    base_mul: int = 0
    add: int = 0  # and subtractions
    decode: int = 0
    hash: int = 0

    @property
    def total(self) -> int:
        return sum(asdict(self).values())


@contextmanager
def counted() -> Iterator[Operations]:
    """Counts every group operation of this process while it is open. For benchmarks: from one thread, and not while
    time is measured (counting costs time too)."""
    operations = Operations()
    originals = dict(_lib.__dict__)

    def counting(name: str, call: Callable[..., int]) -> Callable[..., int]:
        def wrapper(*arguments: Any) -> int:
            setattr(operations, name, getattr(operations, name) + 1)
            return call(*arguments)

        return wrapper

    try:
        for name, call in originals.items():
            setattr(_lib, name, counting("add" if name == "sub" else name, call))
        yield operations
    finally:
        _lib.__dict__.update(originals)
