"""Every message of the deck: the honest one is accepted; change anything about it, and it is not."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from deck_cases import CONTEXT, Action, actions, word_mutations
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto.deck import LinkError
from p2p.crypto.errors import DecodeError, ProofError


def rejected(action: Action, **changed: Any) -> bool:
    try:
        action.verify(**changed)
    except (DecodeError, ProofError):
        return True
    return False


ALL = pytest.mark.parametrize("action", actions(), ids=str)


@ALL
def test_an_honest_message_is_accepted(action: Action) -> None:
    """By the function that belongs to it, in its context; and it has exactly the words its kind says."""
    action.verify()
    assert len(action.message) == 32 * len(action.kinds)


@ALL
def test_every_changed_word_of_a_message_is_rejected(action: Action) -> None:
    """Each point and each scalar, changed in each of several ways, repeated, or swapped with its neighbour."""
    for what, changed in word_mutations(action):
        assert rejected(action, message=changed), what


@given(st.data())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_change_of_any_bytes_of_a_message_is_rejected(data: st.DataObject) -> None:
    """A few bytes overwritten anywhere in any message."""
    action = data.draw(st.sampled_from(actions()))
    at = data.draw(st.integers(0, len(action.message) - 1))
    piece = data.draw(st.binary(min_size=1, max_size=40))[: len(action.message) - at]
    changed = action.message[:at] + piece + action.message[at + len(piece) :]
    if changed != action.message:
        assert rejected(action, message=changed)


@ALL
def test_a_message_holds_for_no_other_statement(action: Action) -> None:
    """Other cards, another order, another key, another deck, other clauses: each in turn."""
    for name, values in action.others.items():
        for index, value in enumerate(values):
            assert rejected(action, **{name: value}), f"{name} ({index})"


@ALL
@pytest.mark.parametrize(
    "context",
    [
        b"",
        CONTEXT[:-1],
        CONTEXT + b"0",
        b"table 8, step 3, seat 1",
        b"table 7, step 4, seat 1",
        b"table 7, step 3, seat 2",
    ],
)
def test_a_message_holds_at_no_other_table_step_or_seat(action: Action, context: bytes) -> None:
    """The same bytes, replayed elsewhere, prove nothing."""
    with pytest.raises(ProofError):
        action.verify(context=context)


@ALL
def test_a_message_has_exactly_one_length(action: Action) -> None:
    """Cut anywhere or extended: DecodeError (in a chain, the LinkError that names it)."""
    message, malformed = action.message, LinkError if action.name == "chain" else DecodeError
    for size in (0, 1, 31, 32, 64, len(message) // 2, len(message) - 33, len(message) - 32, len(message) - 1):
        if size < len(message):
            with pytest.raises(malformed):
                action.verify(message[:size])
    for extra in (b"\0", bytes(32), message[-32:], message):
        with pytest.raises(malformed):
            action.verify(message + extra)


@ALL
@pytest.mark.parametrize("wrong", [None, 7, "text", [], bytearray(64)], ids=repr)
def test_what_is_not_bytes_is_no_message(action: Action, wrong: Any) -> None:
    """Whatever a decoder further out may hand in."""
    verify = partial(action.verifier, **action.statement, context=CONTEXT)
    with pytest.raises((DecodeError, LinkError)):
        verify(message=wrong)


@ALL
def test_a_message_of_another_kind_is_rejected(action: Action) -> None:
    """Each message of every other action, also those of equal length."""
    for other in actions():
        if other.name != action.name:
            assert rejected(action, message=other.message), other.name
