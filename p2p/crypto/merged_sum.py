"""Many equations of points checked as one: Σ coefficient · point = identity, equal points collected first.

Law: knows sums, not what they mean. Every equation must enter with a weight of its own that its author could not
foresee: a wrong equation then survives only if a random number of 252 bits happens to cancel it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Protocol

from p2p.crypto.group import Point, Scalar, add_all, multi_mul

_PIECE = 128  # terms per piece of work: some milliseconds, long against handing it to a thread


class Executor(Protocol):
    """What a `concurrent.futures` executor offers. This folder starts no thread; whoever calls may bring some."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any: ...


class MergedSum:
    __slots__ = ("_coefficients",)

    def __init__(self) -> None:
        self._coefficients: dict[Point, int] = {}

    def add(self, coefficient: int, point: Point) -> None:
        self._coefficients[point] = self._coefficients.get(point, 0) + coefficient

    def add_each(self, coefficients: Iterable[int], points: Iterable[Point]) -> None:
        known = self._coefficients
        for coefficient, point in zip(coefficients, points, strict=True):
            known[point] = known.get(point, 0) + coefficient

    def is_identity(self, executor: Executor | None = None) -> bool:
        if executor is None:
            return _piece_sum(self._coefficients.items()).is_identity
        terms = iter(self._coefficients.items())
        pieces = []
        while piece := list(islice(terms, _PIECE)):
            pieces.append(executor.submit(_piece_sum, piece))
        return add_all(piece.result() for piece in pieces).is_identity


def _piece_sum(terms: Iterable[tuple[Point, int]]) -> Point:
    collected = list(terms)
    return multi_mul([Scalar(coefficient) for _, coefficient in collected], [point for point, _ in collected])
