"""The cards one seat saw, kept beside the log of a game so that its player can see that game again with its own hand.

Law: faces only, no keys: with this file nobody can open any other card. Still private, so its owner alone can read it.

    {"version": 1, "seat": 2, "seen": [[epoch, step, [[slot, card], ...]], ...]}

A row says which hand this seat knew while that step was open; it holds until the next row.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from engine.cards import CardId, Seat, Slot

VERSION = 1
SUFFIX = ".faces.json"

Hand = tuple[tuple[Slot, CardId], ...]


class Faces:
    def __init__(self) -> None:
        self.seen: list[tuple[tuple[int, int], Hand]] = []

    def see(self, place: tuple[int, int], hand: Mapping[Slot, CardId]) -> None:
        row = (place, tuple(sorted(hand.items())))
        last = self.seen[-1] if self.seen else ((-1, -1), ())
        if last[1] == row[1]:
            return
        if last[0] == place:
            self.seen.pop()
        self.seen.append(row)

    def encode(self, seat: Seat | None) -> bytes:
        rows = [[*place, [list(card) for card in hand]] for place, hand in self.seen]
        return json.dumps({"version": VERSION, "seat": seat, "seen": rows}).encode()


def faces_path(log: Path) -> Path:
    """Where the faces to this log are kept."""
    return log.with_name(log.stem + SUFFIX)


def write_faces(log: Path, faces: Faces, seat: Seat | None) -> None:
    path = faces_path(log)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(faces.encode(seat))


def read_faces(data: bytes) -> tuple[Seat | None, list[tuple[tuple[int, int], Hand]]]:
    """(seat, rows). Raises ValueError for anything else than such a file."""
    try:
        content = json.loads(data)
        seat = content["seat"]
        if content["version"] != VERSION or not (seat is None or type(seat) is int):
            raise ValueError("another version")
        rows = [
            ((int(epoch), int(step)), tuple((Slot(int(slot)), CardId(int(card))) for slot, card in hand))
            for epoch, step, hand in content["seen"]
        ]
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("these are no faces") from error
    return None if seat is None else Seat(seat), rows
