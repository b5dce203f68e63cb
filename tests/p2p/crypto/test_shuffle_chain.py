"""Chains of shuffles: checked together for less, with the same verdict as one by one, and the culprit named."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace

import pytest
from deck_cases import ALICE, BOB, JOINT, STAYING, dealt, entropy
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto import deck as crypto
from p2p.crypto import shuffle_message, shuffling
from p2p.crypto import shuffle_proof as sp
from p2p.crypto.errors import DecodeError, ProofError
from p2p.crypto.group import Scalar, counted
from p2p.crypto.merged_sum import MergedSum

CARDS = 3


def chain(length: int, width: int = 1) -> list[crypto.Link]:
    """Each seat shuffles what the one before it put down."""
    rows = tuple((card,) * width for card in dealt(range(1, CARDS + 1), JOINT))
    links = []
    for seat in range(length):
        context = b"seat %d" % seat
        message = crypto.shuffle(rows, JOINT, context, entropy("chain", seat, width))
        links.append(crypto.Link(rows, message, JOINT, context))
        rows = crypto.shuffle_output(message, CARDS, width)
    return links


LINKS = chain(4)
ROWS_BYTES = CARDS * 64


def spoilt(link: crypto.Link, how: str) -> crypto.Link:
    message = link.message
    return {
        "context": replace(link, context=b"elsewhere"),
        "key": replace(link, key=STAYING),
        "rows": replace(link, rows=crypto.as_rows(link.rows)[::-1]),
        "answer": replace(link, message=message[:-32] + (Scalar.decode(message[-32:]) + Scalar(1)).encode()),
        "card": replace(link, message=message[64:ROWS_BYTES] + message[:64] + message[ROWS_BYTES:]),
        "cut": replace(link, message=message[:-1]),
        "no point": replace(link, message=b"\xff" * 32 + message[32:]),
        "empty": replace(link, message=b""),
    }[how]


HOW = ["context", "key", "rows", "answer", "card", "cut", "no point", "empty"]


@pytest.mark.parametrize("length", [1, 2, 4])
@pytest.mark.parametrize("width", [1, 2])
def test_an_honest_chain_gives_the_last_rows(length: int, width: int) -> None:
    """The same rows as link by link, however many links there are."""
    links = chain(length, width)
    last = links[-1]
    rows = crypto.verify_chain(links)
    assert rows == crypto.verify_shuffle(last.rows, last.message, last.key, last.context)
    assert rows == crypto.shuffle_output(last.message, CARDS, width)


def test_links_need_not_be_connected_nor_of_one_size() -> None:
    """Whatever waits to be verified can be verified together: other rows, other keys, other widths."""
    hand = dealt([4, 5], BOB.public)
    single = crypto.Link(hand, crypto.shuffle(hand, BOB.public, b"x", entropy("single")), BOB.public, b"x")
    assert crypto.verify_chain([*chain(1, 2), single, LINKS[2]]) == crypto.shuffle_output(LINKS[2].message, CARDS)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("at", range(4))
def test_the_link_at_fault_is_named(at: int, how: str) -> None:
    """A chain with one bad link: exactly that one, whatever is wrong with it."""
    links = [spoilt(link, how) if index == at else link for index, link in enumerate(LINKS)]
    with pytest.raises(crypto.LinkError) as caught:
        crypto.verify_chain(links)
    assert caught.value.index == at
    assert str(at) in str(caught.value)


@given(st.lists(st.sampled_from(["fine", *HOW]), min_size=4, max_size=4))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_the_verdict_is_that_of_checking_one_by_one(hows: list[str]) -> None:
    """With several bad links the first is named, also when a later one is not even well-formed."""
    links = [link if how == "fine" else spoilt(link, how) for link, how in zip(LINKS, hows, strict=True)]
    bad = [index for index, how in enumerate(hows) if how != "fine"]
    for index, link in enumerate(links):
        alone = index not in bad
        try:
            crypto.verify_shuffle(link.rows, link.message, link.key, link.context)
            assert alone
        except (DecodeError, ProofError):
            assert not alone
    if bad:
        with pytest.raises(crypto.LinkError) as caught:
            crypto.verify_chain(links)
        assert caught.value.index == bad[0]
    else:
        crypto.verify_chain(links)


def bent(link: crypto.Link, by: int) -> crypto.Link:
    """The first answer of the proof is off by this."""
    at = ROWS_BYTES + 32 * (2 * CARDS + 6)
    answer = Scalar.decode(link.message[at : at + 32]) + Scalar(by)
    return replace(link, message=link.message[:at] + answer.encode() + link.message[at + 32 :])


def test_two_cheats_whose_errors_cancel_are_both_caught() -> None:
    """Without weights the two false links would hold each other up; with weights the first is named."""
    links = [LINKS[0], bent(LINKS[1], 1), bent(LINKS[2], -1)]
    unweighted = MergedSum()
    for link in links:
        heard = shuffle_message._hear(shuffling._claim(link))
        sp.add_equations(unweighted, heard, [1] * sp.equations(heard))
    assert unweighted.is_identity()
    with pytest.raises(crypto.LinkError) as caught:
        crypto.verify_chain(links)
    assert caught.value.index == 1
    with pytest.raises(crypto.LinkError) as caught:
        crypto.verify_chain([links[0], links[2]])
    assert caught.value.index == 1


def test_weights_hang_on_every_byte_of_every_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grinding one link for good weights is throwing all dice again: no weight survives a change anywhere."""
    drawn: list[list[int]] = []

    def watching(total: MergedSum, heard: sp.Heard, weights: list[int]) -> None:
        drawn.append(weights)
        sp.add_equations(total, heard, weights)

    def weights(links: list[crypto.Link]) -> set[int]:
        drawn.clear()
        shuffle_message._check([shuffle_message._hear(shuffling._claim(link)) for link in links])
        return {weight for one in drawn for weight in one}

    monkeypatch.setattr(shuffle_message, "add_equations", watching)
    before = weights(LINKS)
    assert len(before) == 4 * 6
    assert all(weight.bit_length() > 128 for weight in before)
    for index, link in enumerate(LINKS):
        for changed in (replace(link, context=b"elsewhere"), bent(link, 1)):
            with pytest.raises(ProofError):
                weights([*LINKS[:index], changed, *LINKS[index + 1 :]])
            assert not before & {weight for one in drawn for weight in one}
    assert not before & weights(LINKS[:3])


def test_a_chain_costs_less_than_its_links() -> None:
    """Rows between two links and the generators of all links are multiplied once: counted, not timed."""
    with counted() as together:
        crypto.verify_chain(LINKS)
    with counted() as alone:
        for link in LINKS:
            crypto.verify_shuffle(link.rows, link.message, link.key, link.context)
    # Of 7 terms for each row of a link 2 coincide with the link before, and 1 with all others.
    assert together.mul <= alone.mul - 3 * CARDS * 3


@pytest.mark.parametrize("how", [None, "answer", "cut"])
def test_threads_change_nothing_but_the_time(how: str | None) -> None:
    """With an executor: the same rows, the same culprit."""
    links = chain(4, 2)
    if how is not None:
        links[2] = spoilt(links[2], how) if how == "cut" else replace(links[2], context=b"elsewhere")
    executor: Executor
    with ThreadPoolExecutor(2) as executor:
        if how is None:
            assert crypto.verify_chain(links, executor) == crypto.verify_chain(links)
        else:
            with pytest.raises(crypto.LinkError) as caught:
                crypto.verify_chain(links, executor)
            assert caught.value.index == 2


def test_large_sums_are_split_into_pieces() -> None:
    """Pieces given to threads add up to the same: more terms than one piece, cancelling across pieces."""
    points = [secret.public for secret in (ALICE, BOB)]
    many = [Scalar(number) * points[number % 2] for number in range(1, 300)]
    total = MergedSum()
    total.add_each(range(1, 300), many)
    rest = [sum(n * n for n in range(1, 300) if n % 2 == parity) for parity in (0, 1)]
    total.add_each([-rest[0], -rest[1]], points)
    with ThreadPoolExecutor(2) as executor:
        assert total.is_identity()
        assert total.is_identity(executor)
        total.add(1, points[0])
        assert not total.is_identity()
        assert not total.is_identity(executor)


def test_a_sum_of_nothing_is_the_identity() -> None:
    """No equations, nothing wrong; and a chain without links is the caller's mistake."""
    assert MergedSum().is_identity()
    with pytest.raises(ValueError, match="at least one link"):
        crypto.verify_chain([])


@pytest.mark.parametrize(("rows", "width"), [(0, 1), (1, 0), (-1, 1)])
def test_there_is_no_shuffle_of_nothing(rows: int, width: int) -> None:
    """Asked for the rows of an empty shuffle: ProofError, whatever the bytes."""
    with pytest.raises(ProofError):
        crypto.shuffle_output(b"", rows, width)
    with pytest.raises(ProofError):
        crypto.verify_shuffle([], b"", JOINT, b"")
    with pytest.raises(crypto.WitnessError):
        crypto.shuffle([], JOINT, b"", entropy("nothing"))
