"""Nobody can end the game for the others: leaving, vanishing, coming back, in whatever step it happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from crashes import Crowd, crash_everywhere, trouble

from p2p import events
from p2p.events import Why
from p2p.net.memory import Host
from p2p.net.remembered import remembered
from p2p.states import DECISIONS, Life, Stage
from p2p.verify import verify_log
from p2p.wire import GOODBYE, VOTES, decode_entry, decode_packet


def run_until(made: Crowd, stop: Callable[[], bool]) -> None:
    made.net.run(3600.0, stop)


def playing(made: Crowd, steps: int) -> Callable[[], bool]:
    """Has the game come this far?"""
    return lambda: all(host.table.place >= (0, steps) for host in made.hosts if host.alive)


def told(host: Host, kind: type) -> list:
    return [event for event in host.seen if isinstance(event, kind)]


@pytest.mark.parametrize(("game", "players"), [("2win", 3), ("2sans3", 3)])
def test_a_crash_at_any_message_costs_the_others_seconds(game: str, players: int) -> None:
    """Short form of `python tests/p2p/crashes.py`: the author of a message vanishes, before or after it leaves."""
    tried, failures, _ = crash_everywhere(game, players, 1, every=61)
    assert tried >= 3
    assert not failures


@pytest.mark.parametrize("steps", [5, 14, 30])
def test_leaving_on_purpose_does_not_delay_the_others(steps: int) -> None:
    """A goodbye needs no waiting: the others agree on the cut and go on; the leaver ranks last and is not blamed."""
    made = Crowd("2win", 4, steps)
    with remembered():
        run_until(made, playing(made, steps))
        leaver = next(host for host in made.hosts if host.table.seat in host.table.active)
        seat, left_at = leaver.table.seat, made.net.now
        leaver.table.leave(made.net.now)
        made.net._after(leaver)
        others = [host for host in made.hosts if host is not leaver]
        run_until(made, lambda: all(host.table.life in (Life.OVER, Life.BROKEN) for host in others))
    assert made.net.now - left_at < 30.0  # simulated: no clock had to run out
    assert leaver.table.life is Life.LEFT
    for host in others:
        assert host.table.life is Life.OVER
        assert host.table.departed == [(seat, Why.GOODBYE)]
        assert not host.table.minority
        assert host.table.fault is None
        result = host.table.result
        assert result is not None
        assert seat in result.ranking[-1]
    assert len({host.table.save() for host in others}) == 1


def test_who_is_back_within_the_grace_time_plays_on() -> None:
    """Lost is not gone: the table waits, says so, and goes on by itself; nobody is voted out."""
    for seed in range(4):
        made = Crowd("2win", 3, 100 + seed)
        chance = Random(seed)
        with remembered():
            run_until(made, playing(made, chance.randrange(5, 25)))
            victim = made.hosts[chance.randrange(3)]
            if victim.table.seat not in victim.table.active or made.net.all_over():
                continue
            made.net.crash(victim.handle)
            made.net.run(made.net.now + 20.0, made.net.all_over)
            if all(host.table.life is Life.OVER for host in made.hosts if host is not victim):
                continue  # the game did not need it any more
            made.net.restart(victim.handle)
            made.play(until=3600.0)
        assert trouble(made) == ""
        others = [host for host in made.hosts if host is not victim]
        assert all(host.table.departed == [] for host in others)
        assert any(told(host, events.Lost) for host in others)
        assert any(told(host, events.Back) for host in others)


def test_a_seat_killed_again_and_again_never_says_two_things() -> None:
    """Killed and started at every message of one seat: it repeats itself or goes on, and never equivocates."""
    made = Crowd("2win", 3, 7)
    net = made.net
    victim = made.hosts[0]
    restarts = 0

    def at(count: int, host: Host, sent: bool) -> None:
        nonlocal restarts
        if host is victim and host.alive and host.table.life is Life.PLAYING:
            restarts += 1
            host.alive = False
            net.at(net.now + 1.0 + restarts % 3, revive)

    def revive() -> None:
        net.restart(victim.handle)

    net.on_message = at
    with remembered():
        made.play(until=7200.0)
    assert restarts > 20
    assert trouble(made) == ""


def test_a_message_of_mine_that_i_do_not_know_silences_me() -> None:
    """A journal that was put back to an older state must not lead to a second story: the seat signs nothing more."""
    made = Crowd("2win", 3, 11)
    with remembered():
        run_until(made, playing(made, 12))
        victim = made.hosts[0]
        own = victim.table.seat
        mine = [at for at, (data, _) in enumerate(victim.journal) if decode_entry(data).header.seat == own]
        assert victim.make is not None
        stale = victim.make(made.net.now)
        stale.recall(victim.journal[: mine[-2]], made.net.now)
        for data, _ in victim.journal[mine[-2] :]:
            stale.receive(b"E" + data, made.net.now, made.hosts[1].handle)
        packets = [decode_packet(packet.data) for packet in stale.outgoing() if packet.mine]
    known = {decode_entry(data).signed for data, _ in victim.journal}
    places = {decode_entry(data).place for data, _ in victim.journal}
    assert all(entry.signed in known or entry.place not in places for entry in packets)


def test_several_may_vanish_at_once_and_during_the_rebuild() -> None:
    """Two of five go together, a third while the pile is made anew; the two who stay finish."""
    made = Crowd("2win", 5, 3)
    with remembered():
        run_until(made, playing(made, 16))
        for host in made.hosts[:2]:
            made.net.crash(host.handle)
        run_until(made, lambda: any(host.table.stage is Stage.MARK for host in made.hosts[2:]) or made.net.all_over())
        made.net.crash(made.hosts[2].handle)
        made.play(until=7200.0)
    assert trouble(made) == ""
    assert {seat for seat, _ in made.hosts[4].table.departed} == {host.table.seat for host in made.hosts[:3]}


def test_with_two_left_the_other_wins_by_forfeit_and_says_that_it_is_a_minority_s_word() -> None:
    """One of two vanishes: the other's result stands, marked as one that no majority carries."""
    made = Crowd("2sans3", 2, 5)
    with remembered():
        run_until(made, playing(made, 12))
        made.net.crash(made.hosts[0].handle)
        made.play(until=3600.0)
    table = made.hosts[1].table
    assert table.life is Life.OVER
    assert table.minority
    assert table.result is not None
    assert table.result.ranking[0] == (table.seat,)
    verdict = verify_log(table.save(), lambda name: made.game)
    assert verdict.ok


def test_who_comes_back_after_the_vote_watches() -> None:
    """Gone for good: the late-comer's own table learns of the cut, holds no secret any more and follows to the end."""
    made = Crowd("2win", 3, 21)
    with remembered():
        run_until(made, playing(made, 14))
        victim = next(host for host in made.hosts if host.table.seat in host.table.active)
        made.net.crash(victim.handle)
        others = [host for host in made.hosts if host is not victim]
        run_until(made, lambda: all(host.table.place[0] == 1 for host in others))
        made.net.restart(victim.handle)
        made.play(until=3600.0)
    assert trouble(made) == ""
    assert victim.table.seat is None
    assert victim.table.known() == {}
    assert told(victim, events.VotedOut)


def test_a_stranger_follows_everything_and_sees_no_hand() -> None:
    """A spectator's table verifies cuts and rebuilds from the log alone and comes to the same log."""
    made = Crowd("2win", 4, 31)
    with remembered():
        run_until(made, playing(made, 18))
        made.net.crash(made.hosts[0].handle)
        made.play(until=3600.0)
        survivor = made.hosts[1].table
        verdict = verify_log(survivor.save(), lambda name: made.game)
    assert verdict.ok
    assert verdict.finished
    assert verdict.fault is None


def test_a_lone_voter_cannot_put_a_living_seat_out() -> None:
    """Who votes out somebody the others still hear is not followed, and is lost itself: it signs nothing more."""
    made = Crowd("2win", 4, 41)
    with remembered():
        run_until(made, playing(made, 10))
        rogue, victim = made.hosts[0], made.hosts[1]
        own, target = rogue.table.seat, victim.table.seat
        assert own is not None
        assert target is not None
        rogue.table._out[target] = Why.LOST
        rogue.table._advance()
        made.net._after(rogue)
        made.play(until=7200.0)
    honest = made.hosts[1:]
    assert all(host.table.life is Life.OVER for host in honest)
    assert all(host.table.departed in ([(own, Why.LOST)], []) for host in honest)
    assert len({host.table.save() for host in honest}) == 1


def test_two_halves_that_meet_again_see_the_fork() -> None:
    """Two and two lose each other, both go on as minorities; when they meet, they see that there are two tables."""
    made = Crowd("2win", 4, 51)
    with remembered():
        run_until(made, playing(made, 8))
        now = made.net.now
        half = frozenset(host.handle for host in made.hosts[:2])
        made.net._walls.append((now, now + 90.0, half))
        made.net.faults = replace(made.net.faults, thinking=60.0)
        made.play(until=7200.0)
    for host in made.hosts:
        assert host.table.minority
        assert len(host.table.departed) >= 2
    assert any(told(host, events.Forked) for host in made.hosts[:2])
    assert any(told(host, events.Forked) for host in made.hosts[2:])


def test_votes_stand_behind_all_steps_and_goodbyes_behind_them() -> None:
    """So a log is in one order: steps, the cut step, votes."""
    assert max(len(DECISIONS), 2**20) < VOTES < GOODBYE
