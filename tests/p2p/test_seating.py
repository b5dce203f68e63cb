"""Seating: one contract, seats by a lot nobody can bias, keys only with proof, and a name for who does not play on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import Party, game_of

from engine.cards import Seat
from p2p import events
from p2p.errors import LocalError, Rule, WireError
from p2p.identity import Identity
from p2p.me import Me
from p2p.net.memory import Host, Network
from p2p.seating import KeyStep, NonceStep, Proposal, SealStep, decode_proposal, draw_lots, rules_digest
from p2p.states import Life
from p2p.steps.base import Step
from p2p.table import Packet, Table
from p2p.wire import Header, Nonce, Seal, decode_packet, encode_body, encode_entry_packet

IDENTITIES = sorted((Identity(bytes([number]) * 32) for number in range(1, 7)), key=lambda one: one.public)
PROPOSAL = Proposal("2win", bytes(32), (("pace", 3),), tuple(bytes(one.public) for one in IDENTITIES[:3]), bytes(32))


# --- the contract -------------------------------------------------------------------------------------------------

proposals = st.builds(
    Proposal,
    st.text(max_size=8),
    st.binary(min_size=32, max_size=32),
    st.dictionaries(st.text(max_size=5), st.one_of(st.integers(-9, 9), st.text(max_size=5)), max_size=3).map(
        lambda pairs: tuple(sorted(pairs.items()))
    ),
    st.integers(2, 6).map(lambda count: tuple(bytes(one.public) for one in IDENTITIES[:count])),
    st.binary(min_size=32, max_size=32),
    st.integers(0, 86400),
    st.integers(0, 86400),
    st.integers(0, 86400),
    st.sampled_from(["off", "nudge", "bot"]),
)


@settings(max_examples=60, deadline=None)
@given(proposals)
def test_a_proposal_comes_back_as_it_went(proposal: Proposal) -> None:
    """Everything that is agreed to survives the wire; each part of it changes the table's name."""
    assert decode_proposal(proposal.encode()) == proposal
    for changed in (
        replace(proposal, game=proposal.game + "x"),
        replace(proposal, rules=bytes([1]) * 32 if proposal.rules[0] == 0 else bytes(32)),
        replace(proposal, settings=(*proposal.settings, ("zzzzzz", 1))),
        replace(proposal, nonce=bytes([1]) * 32 if proposal.nonce[0] == 0 else bytes(32)),
        replace(proposal, machine_seconds=proposal.machine_seconds + 1),
        replace(proposal, grace_seconds=proposal.grace_seconds + 1),
        replace(proposal, decision_seconds=proposal.decision_seconds + 1),
        replace(proposal, clock="nudge" if proposal.clock == "off" else "off"),
        replace(proposal, protocol=proposal.protocol + 1),
    ):
        assert changed.table != proposal.table


MEMBERS = PROPOSAL.members
NONSENSE: dict[str, Proposal] = {
    "members out of order": replace(PROPOSAL, members=MEMBERS[::-1]),
    "a member twice": replace(PROPOSAL, members=(MEMBERS[0], MEMBERS[0])),
    "one member": replace(PROPOSAL, members=MEMBERS[:1]),
    "seventeen members": replace(
        PROPOSAL, members=tuple(sorted(bytes(Identity(bytes([number]) * 32).public) for number in range(1, 18)))
    ),
    "a member that is no key": replace(PROPOSAL, members=tuple(sorted((bytes(32), MEMBERS[0])))),
    "a short key": replace(PROPOSAL, members=(MEMBERS[0][:31], MEMBERS[1])),
    "a setting twice": replace(PROPOSAL, settings=(("pace", 1), ("pace", 2))),
    "a setting that is a list": replace(PROPOSAL, settings=(("pace", [1]),)),  # type: ignore[arg-type]
    "a negative time": replace(PROPOSAL, grace_seconds=-1),
    "an endless time": replace(PROPOSAL, machine_seconds=86401),
    "an unknown clock": replace(PROPOSAL, clock="bomb"),
    "a short nonce": replace(PROPOSAL, nonce=bytes(31)),
    "another protocol": replace(PROPOSAL, protocol=2),
    "a number for a game": replace(PROPOSAL, game=2),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", NONSENSE)
def test_proposals_that_make_no_sense_are_refused(what: str) -> None:
    """Nobody has to look at them twice: they are no proposals."""
    with pytest.raises(WireError):
        decode_proposal(NONSENSE[what].encode())


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_no_proposal(data: bytes) -> None:
    """No bytes make the decoder raise anything but WireError."""
    with pytest.raises(WireError):
        decode_proposal(data)
    with pytest.raises(WireError):
        decode_proposal(msgpack.packb([data] * 10))


def test_a_table_is_not_opened_on_terms_that_cannot_be_played() -> None:
    """Other rules, a wrong number of players, settings the game refuses, somebody else's table: said at once."""
    game = game_of("ladder")
    right = replace(PROPOSAL, game=game.id, rules=rules_digest(game), settings=())
    Table(right, game, identity=IDENTITIES[0], seed=bytes(32))
    many = tuple(bytes(one.public) for one in IDENTITIES)
    for wrong, name in (
        (replace(right, rules=bytes(32)), "other_rules"),
        (replace(right, game="2win"), "other_rules"),
        (replace(right, members=many), "wrong_number_of_players"),
        (replace(right, settings=(("hand", 99),)), "wrong_settings"),
        (replace(right, settings=(("nonsense", 1),)), "wrong_settings"),
    ):
        with pytest.raises(LocalError) as raised:
            Table(wrong, game, identity=IDENTITIES[0], seed=bytes(32))
        assert raised.value.name == name
    with pytest.raises(LocalError) as raised:
        Table(right, game, identity=IDENTITIES[5], seed=bytes(32))
    assert raised.value.name == "not_a_member"


# --- the lots -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_lots_are_uniform(players: int) -> None:
    """Every order of seats is equally likely when the nonces are random: chi-square over thousands of draws."""
    chance = Random(players)
    draws = 6000
    orders = Counter(tuple(draw_lots(bytes(32), [chance.randbytes(32) for _ in range(players)])) for _ in range(draws))
    expected = draws / {2: 2, 3: 6, 4: 24}[players]
    chi_square = sum((count - expected) ** 2 / expected for count in orders.values())
    assert len(orders) == draws / expected
    assert chi_square < {2: 24.0, 3: 36.0, 4: 72.0}[players]  # exceeded by chance once in a million


@pytest.mark.parametrize("place", range(3))
def test_one_honest_nonce_makes_the_lots_uniform(place: int) -> None:
    """Whatever the others fix, and however they choose it together: one random nonce among them suffices."""
    chance = Random(place)
    firsts: Counter[int] = Counter()
    for _ in range(3000):
        nonces = [bytes(32)] * 3
        nonces[place] = chance.randbytes(32)
        firsts[draw_lots(bytes(32), nonces)[0]] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in firsts.values()) < 28.0


def test_lots_differ_from_table_to_table() -> None:
    """The same nonces at another table are another draw: nothing can be prepared."""
    nonces = [bytes([number]) * 32 for number in range(6)]
    assert len({tuple(draw_lots(bytes([table]) * 32, nonces)) for table in range(40)}) > 30


def swap(packet: Packet, author: Identity, body: Any) -> Packet:
    """The same message with another body, signed by its author."""
    entry = decode_packet(packet.data)
    header: Header = replace(entry.header, kind=body.kind)  # type: ignore[union-attr]
    signed = header.encode() + encode_body(body)
    return Packet(encode_entry_packet(replace(entry, header=header, signed=signed, signature=author.sign(signed))))  # type: ignore[type-var]


class Crooked(Table):
    """Says something else than its own rules would, in one of the steps of seating."""

    lies: ClassVar[dict[type[Step[Any]], Any]] = {}

    def _sign(self, body: Any, step: int, previous: bytes) -> Any:
        lie = self.lies.get(type(self._replica.step))
        return super()._sign(lie(self, body) if lie else body, step, previous)


def crooked(**lies: Any) -> type[Crooked]:
    steps: dict[str, type[Step[Any]]] = {"seal": SealStep, "nonce": NonceStep, "key": KeyStep}
    return type("Crooked", (Crooked,), {"lies": {steps[name]: lie for name, lie in lies.items()}})


def blamed(party: Party, cheat: int) -> set[tuple[Any, Rule]]:
    """What every honest seat holds against whom: (identity, rule)."""
    party.play(until=100)
    found = set()
    for place, table in enumerate(party.tables):
        if place != cheat:
            assert table.life is Life.BROKEN
            assert table.fault is not None
            found.add((table.members[table.fault.seat], table.fault.rule))
    return found


def other_nonce(table: Table, body: Nonce) -> Nonce:
    return Nonce(bytes(32))


def other_contract(table: Table, body: Seal) -> Seal:
    return replace(body, proposal=replace(table.proposal, decision_seconds=5).encode())


def rogue_key(table: Table, body: Any) -> Any:
    """My key minus another one, so that the other cancels out of the joint key. The proof is of my own key."""
    other = Me(bytes(32)).secret.public
    return replace(body, public=(table._me.secret.public - other).encode())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("lies", "rule"),
    [
        ({"nonce": other_nonce}, Rule.BAD_NONCE),
        ({"seal": other_contract}, Rule.OTHER_CONTRACT),
        ({"key": rogue_key}, Rule.BAD_KEY),
        ({"seal": lambda table, body: Nonce(bytes(32))}, Rule.WRONG_KIND),
    ],
    ids=["another nonce than sealed", "another contract", "a rogue key", "no seal at all"],
)
@pytest.mark.parametrize("cheat", [0, 2])
def test_who_cheats_while_seating_is_named_by_all(lies: dict[str, Any], rule: Rule, cheat: int) -> None:
    """Every honest seat ends with the same name and rule, also where seats are not numbered by the lot yet."""
    party = Party("ladder", 3, 5, cheats={cheat: crooked(**lies)})
    assert blamed(party, cheat) == {(party.identities[cheat].public, rule)}


def test_a_copied_seal_cannot_be_opened() -> None:
    """Who seals what another sealed, to reveal what the other reveals, is caught: a seal is its author's alone."""
    party = Party("ladder", 3, 6)
    victim = party.tables[0]

    def copy(table: Table, body: Seal) -> Seal:
        step = victim._replica.step.speak(victim._me, victim._replica.context, None)  # type: ignore[arg-type]
        return replace(body, commitment=step.commitment)

    def reveal(table: Table, body: Nonce) -> Nonce:
        return Nonce(victim._me.nonce())  # type: ignore[union-attr]

    lies = crooked(seal=copy, nonce=reveal)
    sly = lies(party.proposal, party.game, identity=party.identities[2], seed=bytes(32))
    hosts = [*party.hosts[:2], Host(party.identities[2].public, sly)]
    party.hosts, party.net = hosts, Network(hosts, Random(1))
    assert blamed(party, 2) == {(party.identities[2].public, Rule.BAD_NONCE)}


# --- who does not play on -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [0, 1, 2])
def test_who_breaks_off_while_seating_is_named_as_silent(step: int) -> None:
    """Breaking off to get other lots is possible, but every other seat sees who it was. It is a suspicion, no fault."""

    class Quiet(Table):
        def outgoing(self) -> list[Packet]:
            return [packet for packet in super().outgoing() if not mine(packet) or step_of(packet) < step]

    party = Party("ladder", 3, 7, cheats={1: Quiet})
    party.play(until=60)
    for place, (host, table) in enumerate(zip(party.hosts, party.tables, strict=True)):
        if place == 1:
            continue
        silent = [event for event in host.seen if isinstance(event, events.Silent)]
        assert silent
        assert {table.members[seat] for event in silent for seat in event.seats} == {party.identities[1].public}
        assert table.fault is None
        assert table.place == (0, step)


def mine(packet: Packet) -> bool:
    return packet.mine or packet.data[:1] == b"E"


def step_of(packet: Packet) -> int:
    entry = decode_packet(packet.data)
    return entry.header.step  # type: ignore[union-attr]


def test_all_know_who_sits_where() -> None:
    """After the lots every seat has the same members and names in the same order, and each knows its own seat."""
    party = Party("ladder", 4, 8)
    party.play(stop=lambda: all(table.life is Life.PLAYING for table in party.tables))
    assert len({(table.members, table.names) for table in party.tables}) == 1
    for place, table in enumerate(party.tables):
        assert table.seat is not None
        assert table.members[table.seat] == party.identities[place].public
        assert table.names[table.seat] == f"player {place}"
    assert sorted(table.seat for table in party.tables) == [Seat(seat) for seat in range(4)]  # type: ignore[type-var]
