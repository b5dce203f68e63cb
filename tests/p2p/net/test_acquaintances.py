"""Trust on first use: a known name with another key never passes for the one that is known."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from p2p.net.acquaintances import MAX_PEOPLE, MAX_PLACES, Acquaintances, Trust
from p2p.net.address import Endpoint
from p2p.net.keys import Keys

ADA, EVE = (Keys(letter * 32).identity.public for letter in (b"a", b"e"))
KEYS = [Keys(index.to_bytes(32, "big")) for index in range(40)]


def test_a_known_name_with_a_new_key_is_seen_until_accepted() -> None:
    """New, known, changed; the warning stays however often she comes, and ends when the player says it is right."""
    people = Acquaintances()
    assert people.meet("Ada", ADA, 1.0) is Trust.NEW
    assert people.meet("Ada", ADA, 2.0) is Trust.KNOWN
    assert people.meet("Ada", EVE, 3.0) is Trust.CHANGED
    assert people.meet("Ada", EVE, 4.0) is Trust.CHANGED
    assert people.meet("Ada", ADA, 5.0) is Trust.KNOWN
    assert people.known_words("Ada") == [ADA.words]
    people.accept("Ada", EVE, 6.0)
    assert people.meet("Ada", EVE, 7.0) is Trust.KNOWN
    assert people.meet("Ada", ADA, 8.0) is Trust.KNOWN


def test_being_known_by_one_name_is_no_pass_for_another() -> None:
    """Eve came as Eve, then calls herself Ada: changed, although her key is known."""
    people = Acquaintances()
    people.meet("Ada", ADA, 1.0)
    people.meet("Eve", EVE, 2.0)
    assert people.meet("Ada", EVE, 3.0) is Trust.CHANGED


def test_names_that_look_alike_are_one_name() -> None:
    """Case, full-width letters and invisible characters make no new name to be trusted at first sight."""
    people = Acquaintances()
    people.meet("Ada", ADA, 1.0)
    for name in ("ADA", "ada ", "\uff21da", "A\u200bda", "\u202eAda"):
        assert people.meet(name, EVE, 2.0) is Trust.CHANGED


def test_passers_by_are_forgotten_before_friends() -> None:
    """Thousands of made-up names do not push out somebody I have played with, to come back under her name."""
    people = Acquaintances()
    people.accept("Ada", ADA, 0.0)
    for index in range(MAX_PEOPLE + 100):
        people.meet(f"p{index}", EVE, 1.0 + index)
    assert people.meet("Ada", EVE, 9999.0) is Trust.CHANGED
    assert len(people.to_json()["people"]) == MAX_PEOPLE


def test_the_latest_places_are_kept() -> None:
    """A short list, the last seen first, without addresses that mean nothing after a restart."""
    people = Acquaintances()
    for index, keys in enumerate(KEYS):
        people.remember(keys.key, "x", [Endpoint("fe80::1%2", 1), Endpoint("10.0.0.1", index + 1)], float(index))
    assert [place.endpoints[0].port for place in people.places] == [40 - index for index in range(MAX_PLACES)]
    people.remember(KEYS[0].key, "x", [Endpoint("fe80::1%2", 1)], 99.0)
    assert KEYS[0].key not in [place.key for place in people.places]


@given(st.recursive(st.none() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)))
def test_any_file_is_read(content: object) -> None:
    """Whatever json stands there, what comes out can be written again."""
    for data in ({"people": content, "places": content}, {"people": [content], "places": [content]}, content):
        if isinstance(data, dict):
            book = Acquaintances.from_json(data)
            assert Acquaintances.from_json(json.loads(json.dumps(book.to_json()))).to_json() == book.to_json()
