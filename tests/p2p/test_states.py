"""The tables of p2p/states.py are what happens: every entry is walked with really signed messages, at real tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from simulated import Party

from engine.cards import Seat
from p2p import events
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.hearing import AHEAD
from p2p.log import read_log
from p2p.net.fuzz import Snapshot
from p2p.net.memory import Death, Host
from p2p.net.remembered import remembered
from p2p.states import FLOWS, LIVES, RECEPTION, TAKES, Action, Flow, Heard, Life, Stage, Turn, When
from p2p.table import Table
from p2p.wire import (
    BODIES,
    GRAMMAR,
    SIGNATURE,
    VOTES,
    Body,
    Confirm,
    Entry,
    Goodbye,
    Have,
    Header,
    decode_entry,
    encode_body,
    encode_entry_packet,
)

# --- messages that really are what they say ------------------------------------------------------------------------


def signed(party: Party, table: Table, seat: Seat, body: Body, **other: Any) -> Entry:
    """What this seat would sign here, if it said that."""
    header = Header(table.proposal.table, *table.place, seat, table.log.digest, body.kind)
    header = replace(header, **other)
    data = header.encode() + encode_body(body)
    owner = table._replica.author(Entry(header, data, bytes(SIGNATURE)))
    identity = next(one for one in party.identities if one.public == owner)
    return Entry(header, data, identity.sign(data))


def some_body(kind: int) -> Body:
    """A well-formed message of this kind that fits nowhere."""

    def least(type_: Any, size: Any) -> Any:
        if size.each is not None:
            return ()
        return {int: size.least, bool: False}.get(type_, type_(b"x" * size.least, "ascii") if type_ is str else None)

    fields = [bytes(size.least) if type_ is bytes else least(type_, size) for _, type_, size in GRAMMAR[kind]]
    return BODIES[kind](*fields)


def hear(table: Table, entry: Entry) -> list[events.Event]:
    table.receive(encode_entry_packet(entry), 1.0, "somebody")
    told = []
    while (event := table.next_event()) is not None:
        told.append(event)
    return told


def blamed(told: list[events.Event]) -> list[tuple[Seat, Rule]]:
    return [(event.fault.seat, event.fault.rule) for event in told if isinstance(event, events.Accused)]


def moments(party: Party) -> Iterator[Host]:
    """The party played on, stopped whenever something has happened to a host."""
    net = party.net
    with remembered():
        while not net.all_over():
            until = net.steps + 1
            net.run(7200.0, lambda until=until: net.steps >= until)  # type: ignore[misc]
            yield from (host for host in party.hosts if host.alive)


# --- every stage and every kind of message --------------------------------------------------------------------------

#: Parties that together go through every stage.
PARTIES: dict[str, Callable[[], Party]] = {
    "2win": lambda: Party("2win", 3, 1),
    "ladder": lambda: Party("ladder", 4, 3),
    "2sans3": lambda: Party("2sans3", 2, 1),
    "with a loss": lambda: _losing(Party("ladder", 3, 2)),
}


def _losing(party: Party) -> Party:
    party.hosts[0].deaths = [Death(7)]
    return party


def scene(party: Party, wanted: set[Stage]) -> tuple[Table, Entry] | None:
    """A table in a stage not walked yet, and a message on its way to it that it waits for."""
    for host in party.hosts:
        table = host.table
        if host.alive and table.stage in wanted and table.life in (Life.SEATING, Life.PLAYING):
            for other in party.hosts:
                for entry in map(decode_entry, other.sent[-3:]):
                    here = entry.place[:2] == table.place and entry.header.previous == table.log.digest
                    if here and entry.header.seat in table.waiting_for:
                        return table, entry
    return None


def walk(party: Party, table: Table, right: Entry) -> None:
    """All kinds of message in the open step: from a seat that is asked, from one that is not, and a second one."""
    keep = Snapshot(table)
    stage, place, seat = table.stage, table.place, right.header.seat
    another = signed(party, table, seat, some_body(Goodbye.kind))
    names, departed = table.members, {gone for gone, _ in table.departed}
    for kind in sorted(BODIES):
        body = some_body(kind)
        if kind == TAKES[stage].kind:
            told = hear(table, right)
            assert blamed(told) == []
            assert any(isinstance(event, events.Spoke) and event.seat == seat for event in told)
            assert hear(table, right) == [] or table.place != place
        else:
            told = hear(table, signed(party, table, seat, body))
            assert blamed(told) == [(table.members.index(names[seat]), Rule.WRONG_KIND)]
        keep.restore()
        for idle in sorted(set(range(len(names))) - set(table._replica.step.authors)):
            told = hear(table, signed(party, table, Seat(idle), body))
            assert blamed(told) == ([] if idle in departed else [(idle, Rule.NOT_ASKED)])
            keep.restore()
    hear(table, right)
    assert blamed(hear(table, another)) == [(table.members.index(names[seat]), Rule.TWO_STORIES)]
    keep.restore()


@pytest.mark.parametrize("name", PARTIES)
def test_every_kind_of_message_in_every_stage(name: str) -> None:
    """In each stage the one right kind is taken, every other kind is `wrong_kind`, whoever is not asked is `not_asked`,
    and a second message is `two_stories`. What was heard is undone each time, and the game goes on to its end."""
    party = PARTIES[name]()
    wanted = set(Stage)
    for _ in moments(party):
        found = scene(party, wanted)
        if found is not None:
            wanted.discard(found[0].stage)
            walk(party, *found)
    walked[name] = set(Stage) - wanted
    assert {host.table.life for host in party.hosts if host.alive} == {Life.OVER}


walked: dict[str, set[Stage]] = {}


def test_no_stage_was_left_out() -> None:
    """The walks above went through every stage there is."""
    if walked.keys() >= PARTIES.keys():
        assert set().union(*walked.values()) == set(Stage)
    assert TAKES.keys() == set(Stage)
    assert len({body.kind for body in TAKES.values()}) == len(TAKES)


# --- how a message is received ---------------------------------------------------------------------------------------


def at_rest(party: Party, place: tuple[int, int]) -> Host:
    """A host whose step is open at (or after) this place, and which waits for somebody."""
    for host in moments(party):
        table = host.table
        waits = table.waiting_for and table.seat not in table.waiting_for
        if table.place >= place and table.life is Life.PLAYING and waits:
            return host
    raise AssertionError("never there")


def after_a_cut() -> tuple[Party, Host]:
    """A table that has gone on without a seat, in the next epoch; the cut step was partial."""
    for message in range(5, 30):
        party = Party("ladder", 3, 2)
        party.hosts[0].deaths = [Death(message)]
        host = at_rest(party, (1, 0))
        if any(closed.partial and closed.entries for closed in host.table.log.steps):
            return party, host
    raise AssertionError("no cut was partial")


def received(when: When, heard: Heard) -> tuple[Party, Table, Entry, Seat]:
    """A real table, and a rightly signed message for it that is placed so. The seat is its author."""
    if when is When.CUT:
        party, host = after_a_cut()
        table = host.table
        cut = next(closed for closed in table.log.steps if closed.partial and closed.entries)
        seat = cut.entries[0].header.seat
        if heard is Heard.SAME:
            return party, table, cut.entries[0], seat
        if heard is Heard.NOTHING:
            seat = next(Seat(one) for one in range(3) if cut.by(Seat(one)) is None)
        place = {"epoch": cut.epoch, "step": cut.step, "previous": cut.previous}
        return party, table, signed(party, table, seat, Goodbye(), **place), seat
    party = Party("ladder", 4, 3)
    host = at_rest(party, (0, 12))
    table = host.table
    step = table.place[1]
    if when is When.CLOSED:
        if heard is Heard.NOTHING:
            closed = next(one for one in reversed(table.log.steps) if len(one.entries) == 1)
            seat = next(Seat(one) for one in table.active if closed.by(Seat(one)) is None)
        else:
            closed = table.log.steps[-1]
            seat = closed.entries[0].header.seat
        entry = closed.by(seat)
        if heard is not Heard.SAME or entry is None:
            place = {"step": closed.step, "previous": closed.previous}
            entry = signed(party, table, seat, Goodbye(), **place)
        return party, table, entry, seat
    seat = table.waiting_for[0]
    place = {
        When.OPEN: {},
        When.AHEAD: {"step": step + AHEAD, "previous": bytes(32)},
        When.FAR: {"step": step + AHEAD + 1, "previous": bytes(32)},
    }[when]
    first = signed(party, table, seat, Confirm(), **place)
    if heard is Heard.NOTHING:
        return party, table, first, seat
    if when is When.OPEN:
        seat = next(iter(table._replica.entries)) if table._replica.entries else seat
        if seat not in table._replica.entries:  # nobody has spoken: let one speak for another past
            hear(table, signed(party, table, seat, Confirm(), previous=bytes(32)))
            first = signed(party, table, seat, Confirm(), previous=bytes(32))
        else:
            first = table._replica.entries[seat]
    else:
        hear(table, first)
    other = signed(party, table, seat, Goodbye(), **place)
    return party, table, first if heard is Heard.SAME else other, seat


#: Far away nothing is kept, so nothing can be known already.
IMPOSSIBLE = {(When.FAR, Heard.SAME), (When.FAR, Heard.OTHER)}


@pytest.mark.parametrize("when", When)
@pytest.mark.parametrize("heard", Heard)
def test_every_way_to_receive_a_message(when: When, heard: Heard) -> None:
    """Each entry of RECEPTION: the message is placed as the table says, and what is to be done with it is done."""
    party, table, entry, seat = received(when, heard)
    placed, other = table._placed(entry)
    assert placed is when
    known = Heard.NOTHING if other is None else Heard.SAME if other.signed == entry.signed else Heard.OTHER
    assert known is (Heard.NOTHING if (when, heard) in IMPOSSIBLE else heard)
    keep = Snapshot(table)
    forged = Entry(entry.header, entry.signed, bytes(SIGNATURE))
    assert hear(table, forged) == []  # whatever it says: badly signed, it is nobody's
    assert not table.holds(forged) or heard is Heard.SAME or table.holds(entry)
    keep.restore()
    action = RECEPTION[when, heard]
    told = hear(table, entry)
    if action is Action.DROP:
        assert told == []
        assert table.holds(entry) == (heard is Heard.SAME and (when, heard) not in IMPOSSIBLE)
    elif action is Action.KEEP:
        assert told == []
        assert table.holds(entry)
    elif action is Action.ACCUSE:
        assert blamed(told) == [(seat, Rule.TWO_STORIES)]
        assert table.fault is not None
        assert len(table.fault.evidence) == 2
    elif action is Action.LATE:
        assert blamed(told) == [(seat, Rule.NOT_ASKED)]
        keep.restore()
        elsewhere = signed(party, table, seat, Goodbye(), step=entry.header.step, previous=bytes(32))
        assert hear(table, elsewhere) == []
    else:
        assert action is Action.TAKE
        assert blamed(told) or any(isinstance(event, events.Spoke) for event in told)


def test_reception_has_an_entry_for_everything() -> None:
    """No combination is missing."""
    assert RECEPTION.keys() == {(when, heard) for when in When for heard in Heard}


def test_who_stands_on_another_past_is_not_blamed_but_answered() -> None:
    """Digests before proofs: a message for the open step on another digest is kept aside and answered with copies."""
    party = Party("ladder", 4, 3)
    table = at_rest(party, (0, 12)).table
    seat = table.waiting_for[0]
    table.outgoing()
    entry = signed(party, table, seat, Confirm(), previous=bytes(32))
    assert hear(table, entry) == []
    assert table.fault is None
    assert seat in table.waiting_for
    shown = {packet.data for packet in table.outgoing()}
    assert {encode_entry_packet(one) for one in table.log.steps[-1].entries} <= shown


# --- the table as a whole ------------------------------------------------------------------------------------------


class Watched(Table):
    """Notes each turn its life takes."""

    turns: set[tuple[Life, Turn]]

    def _turn(self, turn: Turn) -> None:
        type(self).turns.add((self.life, turn))
        super()._turn(turn)


def watched(turns: set[tuple[Life, Turn]], players: int = 3, seed: int = 2) -> Party:
    kind = type("Watched", (Watched,), {"turns": turns})
    return Party("ladder", players, seed, cheats=dict.fromkeys(range(players), kind))


def test_every_turn_in_the_life_of_a_table() -> None:
    """Each entry of LIVES happens to real tables, and no other: what is not in it cannot happen."""
    turns: set[tuple[Life, Turn]] = set()
    watched(turns).play()  # SEATED, RESULT

    party = watched(turns)  # FAULT and GOODBYE while seating
    hear(party.tables[0], signed(party, party.tables[0], Seat(1), Goodbye()))
    assert party.tables[0].life is Life.BROKEN
    party.tables[1].leave(0.0)
    assert party.tables[1].life is Life.LEFT

    party = watched(turns)  # GOODBYE while playing; VOTE and AGREED by those who stay
    party.hosts[0].leaves_at = 6
    party.play()
    assert party.tables[0].life is Life.LEFT
    assert {table.life for table in party.tables[1:]} == {Life.OVER}

    party = watched(turns, players=4)  # GOODBYE while voting
    party.hosts[0].deaths = [Death(6)]
    party.play(stop=lambda: any(table.life is Life.VOTING for table in party.tables))
    voter = next(table for table in party.tables if table.life is Life.VOTING)
    keep = Snapshot(voter)
    voter.leave(party.net.now)
    assert voter.life is Life.LEFT
    keep.restore()

    def cancelled() -> None:
        raise crypto.ProofError("these keys cancel each other out")

    for table in (voter, at_rest(watched(turns), (0, 5)).table):  # FAULT in a game: no sum of keys can be formed
        table._move(cancelled)
        assert table.life is Life.BROKEN
    assert turns == LIVES.keys()


def test_what_cannot_happen_is_an_error_here_and_not_a_state() -> None:
    """No silent way out of the table: a turn that LIVES does not have raises."""
    table = Party("ladder", 2, 1).tables[0]
    for life in Life:
        for turn in Turn:
            table.life = life
            if (life, turn) in LIVES:
                table._turn(turn)
                assert table.life is LIVES[life, turn]
            else:
                with pytest.raises(KeyError):
                    table._turn(turn)


def test_a_table_that_is_over_broken_or_left_says_nothing_more() -> None:
    """The ends are ends: no timer, no decision, no message of its own, whatever arrives."""
    party = Party("ladder", 3, 2).play()
    other = Party("ladder", 3, 2)
    other.play(stop=lambda: all(table.life is Life.PLAYING for table in other.tables))
    left = other.tables[0]
    left.leave(1.0)
    entries = read_log(party.tables[0].save())
    for table in (party.tables[0], left):
        table.outgoing()
        for entry in entries:
            table.receive(encode_entry_packet(entry), 1.0)
        table.handle_timeout(1000.0)
        assert table.next_timeout() is None
        assert not table.must_decide
        assert not any(packet.mine for packet in table.outgoing())


# --- which stages a need takes -------------------------------------------------------------------------------------


def expanded(flow: Flow, links: int) -> list[Stage]:
    return [stage for stage in flow.value for _ in range(links if stage is Stage.LINK else 1)]


@pytest.mark.parametrize("name", [name for name in PARTIES if name != "with a loss"])
def test_every_need_takes_the_stages_its_flow_says(name: str) -> None:
    """In whole games: between two facts that are booked lie exactly the stages of the need's flow, in order."""
    party = PARTIES[name]()
    with remembered():
        party.play()
    stages: list[Stage] = []
    active = len(party.hosts)
    needs = set()
    assert (
        expanded(Flow.SEATING, 0)
        == [event.stage for event in party.hosts[0].seen if isinstance(event, events.Opened)][:3]
    )
    for event in party.hosts[0].seen:
        if isinstance(event, events.Opened) and event.stage not in Flow.SEATING.value:
            stages.append(event.stage)
        elif isinstance(event, events.Booked):
            flow = FLOWS[type(event.need)]
            *taken, following = stages  # the next flow's first step opens before the fact is told
            needs.add(type(event.need))
            assert [*taken, following] == expanded(flow, active) or taken == expanded(flow, active)
            stages = [] if stages == expanded(flow, active) else [following]
            active = len(party.tables[0].active) if not stages else active
    assert needs


def test_every_need_has_a_flow() -> None:
    """No need of the contract is without its stages; votes alone stand outside of them."""
    from p2p.steps import BEGINNINGS

    assert FLOWS.keys() == BEGINNINGS.keys()
    assert set().union(*(flow.value for flow in Flow)) == set(Stage)
    assert set(FLOWS.values()) == set(Flow) - {Flow.SEATING, Flow.REBUILD}
    assert {body.kind for body in TAKES.values()} | {Have.kind, 15, Goodbye.kind} == BODIES.keys()
    assert Have.kind not in {body.kind for body in TAKES.values()}
    assert VOTES > 2**20
