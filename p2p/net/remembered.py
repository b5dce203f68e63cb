"""For simulations: many seats in one process verify the same bytes once.

Law: a switch of simulations, never of a table: while it is on, the verifying functions that tables call are replaced,
and no table knows. Remembered is only that a verification *held*, under everything that went into it (bytes, context,
statement; the values themselves, no hash of them); what fails is computed afresh each time, by the real function. Off
in part of every soak, so that what real tables do is soaked too. Not for threads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from p2p.crypto import deck as crypto
from p2p.identity import PublicIdentity

#: What tables look up in `p2p.crypto.deck` at each call: bytes and public values in, verified public values out.
REMEMBERED = (
    "verify_key",
    "verify_shares",
    "verify_hide",
    "verify_pass",
    "verify_hand_over",
    "verify_cannot",
    "verify_mark",
)


@contextmanager
def remembered() -> Iterator[None]:
    """While open, what was verified once in this process is not verified again."""
    instead: dict[tuple[Any, str], Any] = {(crypto, name): _remember(getattr(crypto, name)) for name in REMEMBERED}
    instead[crypto, "verify_chain"] = _remember_links(crypto.verify_chain)
    instead[PublicIdentity, "verify"] = _remember_signatures(PublicIdentity.verify)
    originals = {place: getattr(*place) for place in instead}
    try:
        for (owner, name), function in instead.items():
            setattr(owner, name, function)
        yield
    finally:
        for (owner, name), function in originals.items():
            setattr(owner, name, function)


def _remember(real: Callable[..., Any]) -> Callable[..., Any]:
    held: dict[Hashable, Any] = {}

    def verify(*arguments: Any) -> Any:
        key = tuple(_key(argument) for argument in arguments)
        if key not in held:
            held[key] = real(*arguments)
        return held[key]

    return verify


def _remember_links(real: Callable[..., crypto.Rows]) -> Callable[..., crypto.Rows]:
    """A chain's links are remembered singly: each seat has others of them waiting together."""
    held: set[Hashable] = set()

    def verify_chain(links: Sequence[crypto.Link], executor: crypto.Executor | None = None) -> crypto.Rows:
        keys = [_key(link) for link in links]
        fresh = [link for link, key in zip(links, keys, strict=True) if key not in held]
        if fresh:
            try:
                real(fresh, executor)
            except crypto.LinkError:
                return real(links, executor)  # names the link by its place in the whole chain
            held.update(keys)
        last = links[-1]
        rows = crypto.as_rows(last.rows)
        return crypto.shuffle_output(last.message, len(rows), len(rows[0]))

    return verify_chain


def _remember_signatures(real: Callable[[PublicIdentity, bytes, bytes], bool]) -> Callable[..., bool]:
    held: set[Hashable] = set()

    def verify(self: PublicIdentity, signature: bytes, message: bytes) -> bool:
        key = (self, signature, message)
        if key not in held:
            if not real(self, signature, message):
                return False
            held.add(key)
        return True

    return verify


def _key(value: Any) -> Hashable:
    """All that a value says, as something with exact equality."""
    if isinstance(value, crypto.Deck):
        return value.attributes, tuple(value.face(card_id) for card_id in value.ids)
    if isinstance(value, list | tuple):
        return tuple(_key(item) for item in value)
    if isinstance(value, crypto.Link):
        return crypto.as_rows(value.rows), value.message, value.key, value.context
    assert isinstance(value, Hashable)
    return value
