"""A challenge depends on everything that was said, in its order, with its labels and lengths, and on nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto.group import G, Scalar, base_mul
from p2p.crypto.transcript import Transcript, tracing

frames = st.lists(st.tuples(st.binary(max_size=6), st.binary(max_size=20)), max_size=5)


def heard(protocol: bytes, context: bytes, appended: list[tuple[bytes, bytes]]) -> Transcript:
    transcript = Transcript(protocol, context)
    for label, data in appended:
        transcript.append(label, data)
    return transcript


def test_the_bytes_are_as_specified() -> None:
    """Recomputed from the specification alone: framed appends, then a framed request, over SHAKE-256."""

    def frame(kind: int, label: bytes, data: bytes) -> bytes:
        return bytes([kind]) + len(label).to_bytes(8, "little") + label + len(data).to_bytes(8, "little") + data

    stream = frame(1, b"version", b"nodealer/crypto/1") + frame(1, b"protocol", b"p") + frame(1, b"context", b"c")
    stream += frame(1, b"point", G.encode()) + frame(2, b"challenge", (64).to_bytes(8, "little"))
    transcript = Transcript(b"p", b"c")
    transcript.append_point(b"point", G)
    expected = Scalar(int.from_bytes(hashlib.shake_256(stream).digest(64), "little"))
    assert transcript.challenge(b"challenge") == expected


@given(frames, frames)
@settings(derandomize=True, deadline=None)
def test_different_conversations_differ(one: list[tuple[bytes, bytes]], other: list[tuple[bytes, bytes]]) -> None:
    """No two different lists of appends give one challenge, however their bytes run together."""
    same = heard(b"p", b"c", one).challenge(b"x") == heard(b"p", b"c", other).challenge(b"x")
    assert same == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([(b"ab", b"c")], [(b"a", b"bc")]),
        ([(b"a", b"b"), (b"c", b"d")], [(b"c", b"d"), (b"a", b"b")]),
        ([(b"a", b"")], []),
        ([(b"a", b"bc")], [(b"a", b"b"), (b"", b"c")]),
    ],
)
def test_labels_lengths_and_order_count(one: list[tuple[bytes, bytes]], other: list[tuple[bytes, bytes]]) -> None:
    """Moving a byte from label to data, swapping two appends, or appending nothing changes the challenge."""
    assert heard(b"p", b"c", one).state() != heard(b"p", b"c", other).state()


def test_protocol_and_context_count() -> None:
    """The same words in another protocol or context (table, step, seat) are another conversation."""
    states = {heard(p, c, []).state() for p in (b"", b"p", b"pc") for c in (b"", b"c", b"pc")}
    assert len(states) == 9


@pytest.mark.parametrize(
    "say",
    [
        lambda t: t.append(b"x", b"1"),
        lambda t: t.append_int(b"x", 1),
        lambda t: t.append_point(b"x", G),
        lambda t: t.append_points(b"x", [G, base_mul(Scalar(2))]),
        lambda t: t.append_points(b"x", [base_mul(Scalar(2)), G]),
        lambda t: t.append_scalar(b"x", Scalar(1)),
        lambda t: t.append_scalars(b"x", [Scalar(1), Scalar(2)]),
        lambda t: t.challenge(b"x"),
        lambda t: t.challenge(b"y"),
        lambda t: t.challenges(b"x", 2),
        lambda t: t.challenge_bytes(b"x", 7),
    ],
)
def test_every_verb_changes_what_follows(say: Callable[[Transcript], object]) -> None:
    """Appending and drawing both leave a mark, so that a second challenge depends on the first."""
    silent, speaking = Transcript(b"p", b"c"), Transcript(b"p", b"c")
    say(speaking)
    assert silent.challenge(b"end") != speaking.challenge(b"end")


def test_challenges_are_independent_of_each_other() -> None:
    """Drawn one after the other, drawn together, drawn with another count: all numbers differ."""
    transcript = Transcript(b"p", b"c")
    drawn = [transcript.challenge(b"x"), transcript.challenge(b"x"), *transcript.challenges(b"x", 3)]
    drawn += transcript.challenges(b"x", 4)
    assert len(set(drawn)) == len(drawn)


def test_a_clone_goes_its_own_way() -> None:
    """A clone starts with the same words and shares nothing afterwards."""
    original = heard(b"p", b"c", [(b"a", b"b")])
    twin = original.clone()
    assert twin.state() == original.state()
    twin.append(b"more", b"")
    assert twin.state() != original.state()
    assert original.challenge(b"x") == heard(b"p", b"c", [(b"a", b"b")]).challenge(b"x")


def test_looking_at_the_state_changes_nothing() -> None:
    """`state` is a look, not a draw."""
    transcript = Transcript(b"p", b"c")
    before = transcript.state()
    assert transcript.state() == before
    assert transcript.challenge(b"x") == Transcript(b"p", b"c").challenge(b"x")


def test_the_trace_names_every_append_and_challenge() -> None:
    """The debug printout has a line for each, with its label, its length and its bytes; outside it nothing is kept."""
    with tracing() as lines:
        transcript = Transcript(b"proto", b"ctx")
        transcript.append_point(b"the point", G)
        transcript.append(b"long", bytes(1000))
        challenge = transcript.challenge_bytes(b"c", 16)
    transcript.append(b"later", b"")
    text = "\n".join(lines)
    assert [line.split()[0] for line in lines] == ["append"] * 5 + ["challenge", "="]
    assert f"the point [32] {G.encode().hex()}" in text
    assert "long [1000]" in text
    assert challenge.hex() in text
    assert "later" not in text


def test_a_trace_inside_a_trace_ends_with_its_block() -> None:
    """Nested traces each get their own lines."""
    with tracing() as outer:
        with tracing() as inner:
            Transcript(b"p", b"inner")
        Transcript(b"p", b"outer")
    assert len(inner) == len(outer) == 3
    assert b"inner".hex() in inner[2]
    assert b"outer".hex() in outer[2]
