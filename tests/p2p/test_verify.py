"""A saved log proves a game to a stranger who has nothing but its bytes, and no altered log does."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import finished, game_of

from engine.game import BadSetup, Game, note
from p2p.log import MAGIC, frame, read_log
from p2p.seating import draw_lots
from p2p.verify import NotALog, Verdict, verify_log
from p2p.wire import HEADER_SIZE, SIGNATURE

SMALL = ("ladder", 2, 1)


def verify(data: bytes) -> Verdict:
    return verify_log(data, game_of)


def log_of(game: str = SMALL[0], players: int = SMALL[1], seed: int = SMALL[2]) -> bytes:
    return finished(game, players, seed).tables[0].save()


def starts(data: bytes) -> list[int]:
    """Where each message's length field begins, and the end of the file."""
    at, found = len(MAGIC), []
    for entry in read_log(data):
        found.append(at)
        at += len(frame(entry))
    return [*found, at]


@pytest.mark.parametrize(("game", "players"), [("2win", 2), ("2win", 6), ("2sans3", 3), ("ladder", 4)])
def test_every_seats_log_proves_the_game(game: str, players: int) -> None:
    """From any seat's file a stranger learns who played, that all of it holds, and the result; and they agree."""
    party = finished(game, players, 1)
    for table in {table.save(): table for table in party.tables}.values():
        verdict = verify(table.save())
        assert verdict.ok
        assert verdict.game == game
        assert verdict.steps == len(table.log.steps)
        assert [(name, bytes(identity)) for name, identity in verdict.seats] == list(
            zip(table.names, map(bytes, table.members), strict=True)
        )
        if table.result is not None:
            assert verdict.finished
            assert verdict.result == party.game.need(verdict.state) == table.result
    assert any(table.result for table in party.tables)


def test_who_sat_where_follows_from_everyones_nonce() -> None:
    """The seats in the verdict are those of the lot, computed here from the nonces in the file."""
    party = finished(*SMALL)
    nonces = [entry.body_bytes[-32:] for entry in read_log(log_of()) if entry.header.step == 1]
    order = draw_lots(party.proposal.table, nonces)
    assert [bytes(identity) for _, identity in verify(log_of()).seats] == [party.proposal.members[at] for at in order]


def test_cut_between_messages_it_holds_as_far_as_it_goes() -> None:
    """A log that ends after any whole message is fine and not finished; the last message finishes it."""
    data = log_of()
    *cuts, end = starts(data)
    assert end == len(data)
    for cut in cuts:
        verdict = verify(data[:cut])
        assert verdict.ok
        assert not verdict.finished
        assert verdict.result is None
    assert verify(data).finished


def test_cut_inside_a_message_it_is_no_log() -> None:
    """Every cut at another byte is refused as damaged."""
    data = log_of()
    whole = set(starts(data))
    for cut in [*range(400), *Random(1).sample(range(len(data)), 300), *range(len(data) - 200, len(data))]:
        if cut not in whole:
            with pytest.raises(NotALog, match="not_a_log"):
                verify(data[:cut])


def rejected(data: bytes) -> bool:
    try:
        return not verify(data).ok
    except NotALog:
        return True


def flip(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_any_flipped_bit_is_noticed() -> None:
    """Magic, lengths, headers, bodies, signatures: a sample of all bits, and of every message one in each part.

    `python tests/p2p/flip_every_bit.py` does all bits of a file.
    """
    data = log_of()
    bits = {8 * at + at % 8 for at in range(len(MAGIC))}
    chance = Random(2)
    edges = starts(data)
    for at, end in pairwise(edges):
        for spot in (at, at + 3, at + 4, at + 40, at + 60, end - 64, end - 32, end - 1):
            bits.add(8 * spot + chance.randrange(8))
    bits.update(chance.sample(range(8 * len(data)), 300))
    assert [bit for bit in sorted(bits) if not rejected(flip(data, bit))] == []


def test_the_framing_of_the_first_and_last_messages_bit_by_bit() -> None:
    """Length, header and signature: every bit of the first message, one of every byte of the second and the last."""
    data = log_of()
    chance = Random(3)
    edges = starts(data)
    for index, bits in ((0, range(8)), (1, None), (-2, None)):
        at, end = edges[index], edges[index + 1]
        for spot in [*range(at, at + 4 + HEADER_SIZE), *range(end - SIGNATURE, end)]:
            for bit in bits or [chance.randrange(8)]:
                assert rejected(flip(data, 8 * spot + bit)), (spot, bit)


def pieces(data: bytes) -> list[bytes]:
    return [frame(entry) for entry in read_log(data)]


def joined(parts: list[bytes]) -> bytes:
    return MAGIC + b"".join(parts)


def test_a_message_left_out_twice_or_elsewhere_is_noticed() -> None:
    """Genuine messages do not make a genuine log: each belongs in its place, once."""
    parts = pieces(log_of())
    closed = len(parts) - 2  # of the last step one message alone would be a game not yet finished
    for index in range(closed):
        assert rejected(joined(parts[:index] + parts[index + 1 :])), index
        assert rejected(joined([*parts[:index], parts[index], *parts[index:]])), index
        assert rejected(joined([*parts[:index], parts[index + 1], parts[index], *parts[index + 2 :]])), index


def test_messages_of_another_table_are_noticed() -> None:
    """The same people's genuine messages from another game do not fit in, wherever they are put."""
    parts, others = pieces(log_of()), pieces(log_of(seed=2))
    for index in range(0, min(len(parts), len(others)), 3):
        assert rejected(joined([*parts[:index], others[index], *parts[index:]]))
        assert rejected(joined([*parts[:index], *others[index:]])) or index == 0


def test_nothing_follows_the_end() -> None:
    """After the result is signed a log is complete: not one more message, of whatever step, belongs to it."""
    parts = pieces(log_of())
    for more in parts:
        assert rejected(joined([*parts, more]))


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_a_log_or_refused(data: bytes) -> None:
    """Nothing but NotALog comes out, with and without the right beginning."""
    for text in (data, MAGIC + data):
        try:
            verify(text)
        except NotALog:
            continue
        assert text == MAGIC


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_cut_up_and_glued_logs_never_raise_anything_else(draw: st.DataObject) -> None:
    """Random surgery on a genuine log ends in a verdict or in NotALog, and is accepted only where it is a prefix."""
    data = log_of()
    for _ in range(draw.draw(st.integers(1, 3))):
        at = draw.draw(st.integers(0, len(data)))
        end = draw.draw(st.integers(at, min(len(data), at + 2000)))
        data = data[:at] + draw.draw(st.binary(max_size=40)) + data[end:]
    assert rejected(data) or log_of().startswith(data)


def test_an_unknown_game_or_other_rules_cannot_be_verified() -> None:
    """Whoever lacks the game, or has other rules by that name, is told so instead of seeing a fault."""

    def nothing(name: str) -> Game[object]:
        raise BadSetup(note("unknown_game", game=name))

    with pytest.raises(NotALog, match="unknown_game"):
        verify_log(log_of(), nothing)
    with pytest.raises(NotALog, match="other_rules"):
        verify_log(log_of(), lambda name: game_of("2win"))


def test_progress_is_told_message_by_message() -> None:
    """Whoever waits for a long log sees it move."""
    told: list[None] = []
    verify_log(log_of(), game_of, lambda: told.append(None))
    assert len(told) == len(read_log(log_of()))
