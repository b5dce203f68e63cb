"""Whole tables over a network that fails: every game with every number of seats ends with one log, one state, no leak.

The long form is `nodealer soak`; here one table of each kind is played.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from simulated import game_of

from engine.bots import greedy_bot, random_bot
from engine.game import Game, Left, canonical
from engine.shelf import all_games
from p2p import events
from p2p.log import read_log
from p2p.net.memory import Death, Faults, Host, Network
from p2p.net.remembered import remembered
from p2p.net.soak import NETWORK_FAULTS, Plan, play, simulate, soak
from p2p.net.verdict import Simulation, Tally
from p2p.states import Life, Stage
from p2p.table import Table
from p2p.wire import Entry, decode_entry, encode_entry_packet

GAMES = (*all_games(), game_of("ladder"))
KINDS = tuple((game, seats) for game in GAMES for seats in game.seats)
BOTS = (random_bot, greedy_bot)
TERRIBLE = Faults(delay=0.05, loss=0.1, duplicate=0.2, reorder=0.2, partitions=2, hold_work=True)


def table_of(game: Game[Any], players: int, seed: int = 1) -> Simulation:
    """A table whose keys, randomness and decisions depend on the seed alone, not on what the network does."""
    choosers = [random_bot(game, Random(f"{seed}/{place}")) for place in range(players)]
    return simulate(game, players, Random(seed), choosers)


def run(table: Simulation, faults: Faults | None = None, seed: int = 1, hosts: list[Host] | None = None) -> Network:
    network = Network(hosts or table.hosts, Random(f"network {seed}"), faults)
    with remembered():
        network.run(7200.0, network.all_over)
    return network


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[f"{game.id}-{seats}" for game, seats in KINDS])
def test_every_table_finishes_with_one_log_one_state_and_no_leak(kind: int) -> None:
    """Delay, loss, duplicates, reordering and partitions at once; the verdict is that of `nodealer soak`."""
    verdict = play(Plan((KINDS[kind],), BOTS, NETWORK_FAULTS), 2024 + kind)
    assert verdict.trouble == []
    assert verdict.good
    assert verdict.finished


@pytest.mark.parametrize(("game", "players"), [("2win", 3), ("2sans3", 2), ("ladder", 4)])
def test_the_network_leaves_no_trace_in_the_log(game: str, players: int) -> None:
    """The same seats making the same decisions: the same bytes over a perfect network and over a terrible one.

    So nothing of the transport is in the log: no retry, no order of arrival, no time.
    """
    perfect, terrible = table_of(game_of(game), players), table_of(game_of(game), players)
    run(perfect)
    network = run(terrible, TERRIBLE)
    logs = {host.table.save() for table in (perfect, terrible) for host in table.hosts}
    assert len(logs) == 1
    assert network.sent_bytes > 2 * len(logs.pop())


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_processes() -> None:
    """Verdicts, down to the digest of all logs, are those of the seeds, whoever reaches them in which order."""
    plan = Plan(((game_of("2sans3"), 2),), BOTS)
    reports = []
    for jobs in (1, 2):
        tally = Tally()
        for verdict in soak(plan, 2, 77, jobs):
            tally.add(verdict)
        reports.append(tally.report())
    assert reports[0] == reports[1]
    assert reports[0]["finished"] == 2
    one = Tally()
    one.add(play(plan, 78))
    assert one.report()["digest"] != reports[0]["digest"]


def test_what_is_verified_once_for_all_seats_is_what_each_would_verify() -> None:
    """The memory that simulations may use changes no byte, and is gone afterwards."""
    game = game_of("ladder")
    alone, together = table_of(game, 3), table_of(game, 3)
    network = Network(alone.hosts, Random("network 1"), TERRIBLE)
    network.run(7200.0, network.all_over)
    run(together, TERRIBLE)
    assert alone.hosts[0].table.life is Life.OVER
    assert {host.table.save() for host in alone.hosts} == {host.table.save() for host in together.hosts}


def test_the_log_is_ordered_by_step_and_seat_and_holds_nothing_else() -> None:
    """Every byte after the first line is a length or a signed message; each place comes once, in order."""
    table = table_of(game_of("ladder"), 4)
    run(table, TERRIBLE)
    data = table.hosts[0].table.save()
    entries = read_log(data)
    places = [entry.place for entry in entries]
    assert places == sorted(set(places))
    assert data == b"nodealer log 1\n" + b"".join(
        len(entry.encode()).to_bytes(4, "big") + entry.encode() for entry in entries
    )
    said = {data for host in table.hosts for data in host.sent}
    assert {entry.encode() for entry in entries} == said


def test_who_dropped_out_can_switch_off_and_the_others_play_on() -> None:
    """Once those who stay have confirmed its hand-over, a seat is not needed: its log is a beginning of theirs."""
    table = table_of(game_of("ladder"), 4, seed=3)
    for host in table.hosts:
        host.leaves_when_out = True
    run(table, TERRIBLE)
    off = [host for host in table.hosts if host.off]
    here = [host for host in table.hosts if host.alive]
    assert len(off) >= 2
    assert {host.table.life for host in here} == {Life.OVER}
    assert len({host.table.save() for host in here}) == 1
    whole = [closed.digest for closed in here[0].table.log.steps]
    for host in off:
        steps = [closed.digest for closed in host.table.log.steps]
        assert steps == whole[: len(steps)]
        assert len(steps) < len(whole)
        assert host.table.fault is None


def test_who_dropped_out_and_stays_follows_to_the_end() -> None:
    """Out of the game is not out of the room: it ends with the same log as those who played on."""
    table = table_of(game_of("ladder"), 4, seed=3)
    run(table)
    assert any(isinstance(event, events.Booked) and isinstance(event.fact, Left) for event in table.hosts[0].seen)
    assert {host.table.life for host in table.hosts} == {Life.OVER}
    assert len({host.table.save() for host in table.hosts}) == 1


def test_a_stranger_follows_live_and_sees_only_what_is_public() -> None:
    """Without a seat: the same log and state as everyone, no card of any hand, and never a word of its own."""
    game = game_of("2win")
    table = table_of(game, 3)
    stranger = Host("stranger", Table(table.proposal, game))
    known: list[int] = []

    def look(event: events.Event) -> None:
        if stranger.table.state is not None:
            known.append(len(stranger.table.view().hand) + len(stranger.table.known()))

    stranger.watch = look
    run(table, Faults(delay=0.02, loss=0.1), hosts=[*table.hosts, stranger])
    assert stranger.table.save() == table.hosts[0].table.save()
    assert canonical(stranger.table.state) == canonical(table.hosts[0].table.state)
    assert known
    assert not any(known)
    assert stranger.sent == []


@pytest.mark.parametrize(("game", "players"), [("2win", 4), ("ladder", 5)])
def test_nothing_is_shown_that_rests_on_what_is_not_verified(game: str, players: int) -> None:
    """Whenever the rules move on or a player is asked, every shuffle heard so far has been verified, though it is put
    off: and it is put off, so that chains are verified together."""
    table = table_of(game_of(game), players)
    run(table, Faults(delay=0.05, hold_work=True))
    together = 0
    for host in table.hosts:
        open_: list[Any] = []
        for event in host.seen:
            if isinstance(event, events.Spoke) and not event.proven:
                open_.append(event.seat)
            elif isinstance(event, events.Proven):
                together = max(together, len(event.seats))
                assert list(event.seats) == open_
                open_ = []
            elif isinstance(event, events.Booked | events.Asked | events.Finished):
                assert open_ == []
    assert together > 1


def test_every_seat_still_in_signs_the_result() -> None:
    """The log ends with one acknowledgement of the same result from each seat that did not drop out."""
    table = table_of(game_of("2win"), 3)
    run(table)
    model = table.hosts[0].table
    last = model.log.steps[-1]
    assert [entry.header.seat for entry in last.entries] == list(model.active)
    assert len({entry.body_bytes for entry in last.entries}) == 1
    assert model.result == model.need


def test_a_machine_that_stops_and_comes_back_repeats_itself_and_goes_on() -> None:
    """Stopped several times in the middle of sending, back from its journal: one story, the same log for all."""
    died = 0
    for place, message in ((0, 2), (1, 5), (2, 8), (0, 12)):
        table = table_of(game_of("ladder"), 3)
        table.hosts[place].deaths = [Death(message, 5.0), Death(message + 3, 1.0)]
        run(table, Faults(delay=0.02, loss=0.05), seed=message)
        died += len(table.hosts[place].died)
        assert {host.table.life for host in table.hosts} == {Life.OVER}
        assert len({host.table.save() for host in table.hosts}) == 1
        assert all(host.table.fault is None for host in table.hosts)
        by_place: dict[tuple[int, int, int], Entry] = {}
        for entry in map(decode_entry, table.hosts[place].sent):
            assert by_place.setdefault(entry.place, entry).signed == entry.signed
    assert died >= 6


def test_what_a_late_comer_is_sent_is_the_whole_table() -> None:
    """A machine that hears nothing until the others wait for it catches up by asking, however much it has missed."""
    table = table_of(game_of("ladder"), 3)
    late = Host("late", Table(table.proposal, game_of("ladder")))
    run(table)
    network = Network([*table.hosts, late], Random(5), Faults(delay=0.01))
    network.run(60.0, lambda: late.table.life is Life.OVER)
    assert late.table.save() == table.hosts[0].table.save()


def test_foreign_messages_change_nothing() -> None:
    """Entries of another table, unsigned noise and requests for anything leave the log as it would have been."""
    game = game_of("ladder")
    quiet, noisy, other = table_of(game, 3), table_of(game, 3), table_of(game, 3, seed=9)
    run(quiet)
    run(other)
    foreign = [encode_entry_packet(entry) for entry in read_log(other.hosts[0].table.save())]
    chance = Random(4)

    def shout(event: events.Event) -> None:
        for host in noisy.hosts:
            host.table.receive(foreign[chance.randrange(len(foreign))], 0.0, "stranger")
            host.table.receive(chance.randbytes(chance.randrange(200)), 0.0, "stranger")

    noisy.hosts[0].watch = shout
    run(noisy)
    assert {host.table.save() for host in noisy.hosts} == {host.table.save() for host in quiet.hosts}


def test_all_stages_of_a_game_are_reached_here() -> None:
    """What these tests play together goes through every stage that a game without departures has."""
    seen = set()
    for game, players in (("2win", 3), ("ladder", 4)):
        table = table_of(game_of(game), players, seed=3)
        run(table)
        seen |= {event.stage for event in table.hosts[0].seen if isinstance(event, events.Opened)}
    assert {stage.value for stage in set(Stage) - seen} == {"play", "mark"} - {stage.value for stage in seen}
