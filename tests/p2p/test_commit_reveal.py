"""A commitment binds exactly one choice of one seat in one place, and says nothing about it before it is opened."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated import finished

from engine.cards import Slot
from engine.game import Move
from p2p.commit_reveal import SALT, Opening, commit, matches
from p2p.log import read_log
from p2p.table import Table
from p2p.wire import Commit, encode_entry_packet

CONTEXT, HIDDEN = b"table 1, step 7, seat 2", b"a hidden hand"
SALT_ONE = bytes(range(32))
OPENING = Opening(Move("number", (Slot(3), Slot(5)), (1,)), SALT_ONE)

moves = st.builds(
    Move,
    st.text(max_size=8),
    st.lists(st.integers(0, 2**31).map(Slot), max_size=4).map(tuple),
    st.lists(st.integers(0, 2**31), max_size=4).map(tuple),
)
openings = st.builds(Opening, moves, st.binary(min_size=SALT, max_size=SALT))


@given(openings, st.binary(max_size=40), st.binary(max_size=40))
def test_a_commitment_is_opened_by_what_was_committed(opening: Opening, context: bytes, hidden: bytes) -> None:
    """The honest way works for any choice, context and hand."""
    assert matches(commit(context, hidden, opening), context, hidden, opening)


@given(openings, openings)
def test_no_two_choices_share_a_commitment(one: Opening, other: Opening) -> None:
    """Different move or salt: different commitment, also where their parts put together would look alike."""
    same = commit(CONTEXT, HIDDEN, one) == commit(CONTEXT, HIDDEN, other)
    assert same == (one == other)


OTHERS = {
    "another kind": replace(OPENING, move=OPENING.move._replace(kind="numbe")),
    "another place": replace(OPENING, move=OPENING.move._replace(slots=(Slot(3), Slot(6)))),
    "the places in another order": replace(OPENING, move=OPENING.move._replace(slots=(Slot(5), Slot(3)))),
    "a place moved to the numbers": replace(OPENING, move=Move("number", (Slot(3),), (5, 1))),
    "another number": replace(OPENING, move=OPENING.move._replace(values=(2,))),
    "another salt": replace(OPENING, salt=bytes(32)),
}


@pytest.mark.parametrize("what", OTHERS)
def test_it_cannot_be_opened_differently(what: str) -> None:
    """Whatever part of the choice differs, the commitment does not open."""
    assert not matches(commit(CONTEXT, HIDDEN, OPENING), CONTEXT, HIDDEN, OTHERS[what])


def test_it_cannot_be_copied_replayed_or_moved_to_another_hand() -> None:
    """The same commitment in another seat's name, step or table, or for another hiding of the hand, does not open."""
    commitment = commit(CONTEXT, HIDDEN, OPENING)
    assert not matches(commitment, CONTEXT[:-1] + b"3", HIDDEN, OPENING)
    assert not matches(commitment, CONTEXT, HIDDEN + b"x", OPENING)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_salt_has_exactly_its_length(length: int) -> None:
    """A commitment made with another salt than the protocol's does not open, though its hash is right."""
    opening = replace(OPENING, salt=bytes(length))
    assert not matches(commit(CONTEXT, HIDDEN, opening), CONTEXT, HIDDEN, opening)


def test_trying_all_choices_shows_nothing_without_the_salt() -> None:
    """Two commitments to the same move are different, and no choice with a guessed salt gives either."""
    one, other = (commit(CONTEXT, HIDDEN, replace(OPENING, salt=bytes([salt]) * 32)) for salt in (1, 2))
    assert one != other
    tried = {commit(CONTEXT, HIDDEN, Opening(OPENING.move, salt)) for salt in (b"", bytes(32), CONTEXT.ljust(32))}
    assert not tried & {one, other}


@given(openings)
def test_a_journal_can_hold_an_opening_and_a_screen_cannot_show_it(opening: Opening) -> None:
    """It comes back from its bytes as it was; what is printed of it is the same for all."""
    assert Opening.decode(opening.encode()) == opening
    assert repr(opening) == "Opening(…)"


def test_commit_messages_have_one_size_whatever_was_chosen() -> None:
    """In a whole game: the size of a commit message tells how many cards the hand holds, and nothing else."""
    party = finished("2win", 3, 1)
    stranger = Table(party.proposal, party.game)
    sizes: dict[int, set[int]] = defaultdict(set)
    count = 0
    for entry in read_log(party.tables[0].save()):
        if entry.header.kind == Commit.kind:
            sizes[len(party.game.hands(stranger.state)[entry.header.seat])].add(len(entry.signed))
            count += 1
        stranger.receive(encode_entry_packet(entry), 0.0)
    assert count > len(sizes) > 1
    assert all(len(found) == 1 for found in sizes.values())
