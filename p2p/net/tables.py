"""What peers announce of their tables: small flat records for a list on a screen.

Law: pure, and knows no game. Everything here is a claim of the peer that sent it.

Everyone agrees on these fields; others may be added:
    id      the table, hex      game    as on the command line    state   "open", "playing", "over"
    seats   how many it has     taken   how many are taken        host    the nickname of who opened it
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgpack

from p2p.names import clean_text
from p2p.net.cards import unpack

Value: TypeAlias = str | int | bool
TableNotice: TypeAlias = Mapping[str, Value]

MAX_TABLES = 8  # that one peer announces: its own, and those it sits at
MAX_FIELDS = 16
MAX_TEXT = 64  # characters: the longest that a list could show
MAX_NUMBER = 2**31


def pack_tables(tables: Sequence[TableNotice]) -> bytes:
    """Raises ValueError if a notice is not what receivers would accept."""
    packed: bytes = msgpack.packb([dict(table) for table in tables])
    if read_tables(packed) != tuple(dict(table) for table in tables):
        raise ValueError(f"at most {MAX_TABLES} tables of {MAX_FIELDS} short, clean fields with an id each")
    return packed


def read_tables(payload: bytes) -> tuple[TableNotice, ...] | None:
    """The tables, or None if this is no list of tables."""
    try:
        items = unpack(payload)
    except ValueError:
        return None
    if not isinstance(items, list) or len(items) > MAX_TABLES:
        return None
    tables = []
    for item in items:
        if not isinstance(item, dict) or len(item) > MAX_FIELDS or not isinstance(item.get("id"), str):
            return None
        if not all(isinstance(name, str) and name.isidentifier() and len(name) <= MAX_TEXT for name in item):
            return None
        if not all(_fits(value) for value in item.values()):
            return None
        tables.append(
            {name: clean_text(value, MAX_TEXT) if isinstance(value, str) else value for name, value in item.items()}
        )
    return tuple(tables)


def _fits(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT
    return isinstance(value, int) and abs(value) < MAX_NUMBER
