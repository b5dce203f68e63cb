"""Whom this profile has met: which key goes with which name, and where somebody was last found.

Law: pure; the profile reads and writes it. Trust on first use: the first key that comes with a name is believed, and
any other key that comes with the same name is shown loudly until the player says that it is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from p2p.identity import BadIdentity, PublicIdentity
from p2p.names import clean_name, name_key
from p2p.net.address import Endpoint, endpoint
from p2p.net.greeting import unz85, z85
from p2p.net.keys import PeerKey, is_key

MAX_PEOPLE = 1000  # names; who only passed by is forgotten before anyone played with
MAX_KEYS = 8  # keys accepted for one name: one for each device, and some years of lost ones
MAX_PLACES = 16  # peers tried at the next start; more would only delay it
MAX_ENDPOINTS = 3  # addresses of each


class Trust(StrEnum):
    NEW = "new"  # nobody of this name was known
    KNOWN = "known"
    CHANGED = "changed"  # the name is known, with another key


@dataclass(slots=True)
class _Person:
    name: str
    keys: list[PublicIdentity]
    seen: float
    played: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody who was here, and where."""

    key: PeerKey
    name: str
    endpoints: tuple[Endpoint, ...]
    seen: float


@dataclass
class Acquaintances:
    _people: dict[str, _Person] = field(default_factory=dict)
    _places: dict[PeerKey, Place] = field(default_factory=dict)

    # --- who ---

    def meet(self, name: str, identity: PublicIdentity, now: float) -> Trust:
        """Somebody of this name and key is here."""
        person = self._people.get(name_key(name))
        if person is None:
            self._people[name_key(name)] = _Person(clean_name(name), [identity], now)
            self._forget_some()
            return Trust.NEW
        if identity not in person.keys:
            return Trust.CHANGED
        person.seen = now
        return Trust.KNOWN

    def known_words(self, name: str) -> list[str]:
        """The fingerprints of the keys known for this name, to show beside a new one."""
        person = self._people.get(name_key(name))
        return [key.words for key in person.keys] if person else []

    def accept(self, name: str, identity: PublicIdentity, now: float) -> None:
        """The player compared the words, or has played with this key: it belongs to the name."""
        person = self._people.setdefault(name_key(name), _Person(clean_name(name), [], now))
        if identity not in person.keys:
            person.keys = [*person.keys, identity][-MAX_KEYS:]
        person.seen, person.played = now, True
        self._forget_some()

    def _forget_some(self) -> None:
        while len(self._people) > MAX_PEOPLE:
            stalest = min(self._people, key=lambda name: (self._people[name].played, self._people[name].seen))
            del self._people[stalest]

    # --- where ---

    def remember(self, key: PeerKey, name: str, endpoints: Iterable[Endpoint], now: float) -> None:
        places = [place for place in endpoints if "%" not in place.host][:MAX_ENDPOINTS]  # zones change with each start
        if places:
            self._places[key] = Place(key, clean_name(name), tuple(places), now)
        while len(self._places) > MAX_PLACES:
            del self._places[min(self._places, key=lambda key: self._places[key].seen)]

    @property
    def places(self) -> tuple[Place, ...]:
        """The latest first."""
        return tuple(sorted(self._places.values(), key=lambda place: -place.seen))

    # --- as a file ---

    def to_json(self) -> dict[str, Any]:
        return {
            "people": [
                {"name": p.name, "keys": [key.hex() for key in p.keys], "seen": p.seen, "played": p.played}
                for p in self._people.values()
            ],
            "places": [
                {
                    "key": z85(p.key),
                    "name": p.name,
                    "endpoints": [[place.host, place.port] for place in p.endpoints],
                    "seen": p.seen,
                }
                for p in self._places.values()
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Acquaintances:
        """What can be read of it. A damaged entry is skipped: it is worth less than a start without it."""
        book = cls()
        for item in _list(data, "people"):
            try:
                keys = [PublicIdentity(bytes.fromhex(key)) for key in item["keys"]][:MAX_KEYS]
                person = _Person(clean_name(item["name"]), keys, _time(item["seen"]), bool(item["played"]))
            except _UNREADABLE:
                continue
            book._people[name_key(person.name)] = person
        for item in _list(data, "places"):
            try:
                key = unz85(item["key"])
                places = [endpoint(str(host), int(port)) for host, port in item["endpoints"]]
                if is_key(key):
                    book.remember(PeerKey(key), item["name"], filter(None, places), _time(item["seen"]))
            except _UNREADABLE:
                continue
        book._forget_some()
        return book


_UNREADABLE = (BadIdentity, ValueError, TypeError, KeyError, AttributeError, OverflowError)


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    found = data.get(name)
    return found if isinstance(found, list) else []


def _time(value: Any) -> float:
    seen = float(value)
    if not math.isfinite(seen):
        raise ValueError("not a time")
    return seen
