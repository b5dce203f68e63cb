"""The log: its digests cover everything signed and nothing else, and its file is read back or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Seat
from p2p.errors import WireError
from p2p.log import MAGIC, Log, close, frame, genesis, read_log
from p2p.wire import SIGNATURE, Cut, Entry, Header, encode_body

TABLE = bytes(range(32))


def entry(epoch: int = 0, step: int = 0, seat: int = 0, previous: bytes = bytes(32), word: int = 0) -> Entry:
    header = Header(TABLE, epoch, step, Seat(seat), previous, Cut.kind)
    return Entry(header, header.encode() + encode_body(Cut(word, bytes(32), bytes(32))), bytes([seat]) * SIGNATURE)


entries = st.builds(
    entry,
    st.integers(0, 3),
    st.integers(0, 9),
    st.integers(0, 5),
    st.binary(min_size=32, max_size=32),
    st.integers(0, 9),
)


def filled(places: list[tuple[int, int]], seats: int = 2) -> Log:
    log = Log(TABLE)
    for epoch, step in places:
        log.append(close(epoch, step, log.digest, [entry(epoch, step, seat, log.digest) for seat in range(seats)]))
    return log


def test_a_digest_does_not_depend_on_the_order_of_arrival() -> None:
    """Whoever spoke first, the closed step is the same, in the order of seats."""
    said = [entry(seat=seat) for seat in range(4)]
    one, other = close(0, 0, bytes(32), said), close(0, 0, bytes(32), reversed(said))
    assert one == other
    assert [said.header.seat for said in one.entries] == [0, 1, 2, 3]


def test_a_digest_never_covers_signatures() -> None:
    """A signature is not unique: a second valid one over the same bytes must change nothing."""
    said = [entry(seat=seat) for seat in range(2)]
    resigned = [replace(one, signature=bytes([77]) * SIGNATURE) for one in said]
    assert close(0, 0, bytes(32), said).digest == close(0, 0, bytes(32), resigned).digest


@settings(max_examples=60, deadline=None)
@given(entries, entries)
def test_a_digest_covers_every_signed_byte(one: Entry, other: Entry) -> None:
    """Two steps with one digest hold the same signed bytes."""
    same = close(0, 0, bytes(32), [one]).digest == close(0, 0, bytes(32), [other]).digest
    assert same == (one.signed == other.signed)


def test_a_digest_covers_the_past_the_place_and_the_number_of_messages() -> None:
    """Nothing around a step's messages can be exchanged either."""
    said = [entry(seat=0), entry(seat=1)]
    digests = {
        close(0, 0, bytes(32), said).digest,
        close(0, 0, bytes([1]) * 32, said).digest,
        close(0, 1, bytes(32), said).digest,
        close(1, 0, bytes(32), said).digest,
        close(0, 0, bytes(32), said[:1]).digest,
        close(0, 0, bytes(32), []).digest,
    }
    assert len(digests) == 6


def test_the_first_step_stands_on_the_table_itself() -> None:
    """Before anything is said the digest is the table's, so no two tables share a log."""
    assert Log(TABLE).digest == genesis(TABLE) != genesis(bytes(32))


def test_steps_are_found_and_listed_from_any_place_on() -> None:
    """By place, and everything since a place, across epochs and gaps."""
    log = filled([(0, 0), (0, 1), (0, 2**30), (1, 0), (1, 1)])
    assert log.find(0, 1) is log.steps[1]
    assert log.find(0, 2) is None
    assert (1, 1) in log
    assert (2, 0) not in log
    since = [one.place[:2] for one in log.since(0, 2)]
    assert since == [(0, 2**30)] * 2 + [(1, 0)] * 2 + [(1, 1)] * 2
    assert list(log.since(2, 0)) == []
    assert len(list(log.since(0, 0))) == 10
    assert log.steps[0].by(Seat(1)) is log.steps[0].entries[1]
    assert log.steps[0].by(Seat(2)) is None


def test_a_void_step_is_forgotten_with_all_after_it() -> None:
    """Going back leaves the log as it was before that step."""
    log = filled([(0, 0), (0, 1), (0, 2), (0, 3)])
    log.back_to(0, 2)
    assert log.digest == filled([(0, 0), (0, 1)]).digest
    assert (0, 2) not in log
    assert (0, 3) not in log
    log.back_to(0, 9)
    assert len(log.steps) == 2


@settings(max_examples=60, deadline=None)
@given(st.lists(entries, max_size=6))
def test_a_file_comes_back_as_it_went(said: list[Entry]) -> None:
    """Every entry, byte for byte, in the order written."""
    assert read_log(MAGIC + b"".join(frame(one) for one in said)) == said


def test_the_file_is_the_closed_steps_and_then_the_rest() -> None:
    """What belongs to no closed step stands behind; nothing else is in the file."""
    log = filled([(0, 0), (0, 1)])
    late = entry(0, 2)
    data = log.encode([late])
    assert read_log(data) == [one for closed in log.steps for one in closed.entries] + [late]
    assert len(data) == len(MAGIC) + sum(4 + len(one.encode()) for one in read_log(data))


def test_a_file_cut_between_messages_is_read_and_one_cut_inside_is_refused() -> None:
    """At every length: what is there is read, or the file is refused. Nothing is guessed."""
    data = filled([(0, 0), (0, 1)]).encode()
    whole = [len(MAGIC)]
    for one in read_log(data):
        whole.append(whole[-1] + len(frame(one)))
    for length in range(len(data) + 1):
        if length in whole:
            assert len(read_log(data[:length])) == whole.index(length)
        else:
            with pytest.raises(WireError):
                read_log(data[:length])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nodealer log 2\n",
        MAGIC + b"\x00\x00\x00\x00",
        MAGIC + b"\xff\xff\xff\xff" + bytes(500),
        MAGIC + b"\x00\x04\x00\x01" + bytes(2**18 + 1),
    ],
    ids=["empty", "another version", "empty message", "length beyond the end", "message too long"],
)
def test_what_is_no_log_is_refused(data: bytes) -> None:
    """A foreign file, or lengths that cannot be."""
    with pytest.raises(WireError):
        read_log(data)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_arbitrary_files_are_refused_or_read(data: bytes) -> None:
    """No bytes make the reader raise anything but WireError, and what it reads it would write alike."""
    try:
        found = read_log(MAGIC + data)
    except WireError:
        return
    assert b"".join(frame(one) for one in found) == data
