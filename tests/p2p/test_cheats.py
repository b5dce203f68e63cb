"""One cheat in one seat: every honest seat blames exactly that seat for exactly that rule, and so does every log."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from simulated import Party, finished, game_of

from p2p import events
from p2p.catchup import SERVE_PAUSE
from p2p.errors import Fault, Rule
from p2p.net.cheats import CHEATS, Cheat, fits
from p2p.net.memory import Faults, Host
from p2p.net.remembered import remembered
from p2p.states import Life, Stage
from p2p.verify import Verdict, verify_log
from p2p.wire import Want

BLAMED = sorted(name for name, cheat in CHEATS.items() if cheat.rule is not None and not cheat.needs_loss)
AFTER_A_LOSS = sorted(name for name, cheat in CHEATS.items() if cheat.needs_loss)
HARMLESS = sorted(name for name, cheat in CHEATS.items() if cheat.rule is None)
CHEATER = 0  # its place among the members; the lot decides on which seat it sits
SEEDS = range(1, 9)  # some cheats need a chance that not every game offers


def honest(party: Party) -> list[Host]:
    return [host for place, host in enumerate(party.hosts) if place != CHEATER and host.alive]


def cheat_of(party: Party) -> Cheat:
    table = party.tables[CHEATER]
    assert isinstance(table, Cheat)
    return table


def accusations(host: Host) -> list[Fault]:
    return [event.fault for event in host.seen if isinstance(event, events.Accused)]


def blamed(host: Host) -> set[tuple[bytes, str, int, int]]:
    """Whom this host blames for what, by identity: seats are numbered by lot."""
    return {
        (bytes(host.table.members[fault.seat]), fault.rule.value, fault.epoch, fault.step)
        for fault in accusations(host)
    }


def party_with(name: str, game: str, players: int, seed: int) -> Party:
    return Party(game, players, seed, cheats={CHEATER: CHEATS[name]})


def usual(name: str) -> tuple[str, int]:
    cheat = CHEATS[name]
    if name == "false-result":
        return "2sans3", 3  # where everybody is still in at the end
    return (cheat.games or ("ladder",))[0], max(3, cheat.least)


def caught(name: str, game: str, players: int) -> Party:
    """A game until the cheat has lied and everyone has noticed: the first of a few seeds in which its chance comes."""
    for seed in SEEDS:
        party = party_with(name, game, players, seed)
        with remembered():
            party.play(stop=lambda party=party: is_settled(party))
        if cheat_of(party).lied:
            return party
    raise AssertionError(f"{name} never got its chance")


def is_settled(party: Party) -> bool:
    """Everyone has noticed, or the chance will not come any more."""
    cheat = cheat_of(party)
    missed = (
        cheat.stages == {Stage.LINK} and not cheat.lied and any(table.stage is Stage.SHARE for table in party.tables)
    )
    return missed or party.net.all_over() or all(host.table.fault for host in honest(party))


def verdicts(party: Party) -> Iterator[Verdict]:
    """What a stranger makes of each honest seat's log; proofs that two logs share are checked once."""
    with remembered():
        for data in sorted({host.table.save() for host in honest(party)}):
            yield verify_log(data, game_of)


def check_blame(party: Party) -> None:
    """All honest seats and all their logs name the cheat, its rule, one and the same step; nobody else is named."""
    cheat = cheat_of(party)
    assert cheat.rule is not None
    found = [blamed(host) for host in honest(party)]
    assert len(found[0]) == 1
    assert all(one == found[0] for one in found)
    ((identity, rule, epoch, step),) = found[0]
    assert identity == bytes(party.identities[CHEATER].public)
    assert rule == cheat.rule.value
    for verdict in verdicts(party):
        assert verdict.problem is None
        assert not verdict.ok
        fault = verdict.fault
        assert fault is not None
        assert (bytes(verdict.seats[fault.seat][1]), fault.rule.value, fault.epoch, fault.step) == (
            identity, rule, epoch, step,
        )  # fmt: skip


@pytest.mark.parametrize("name", BLAMED)
def test_a_cheat_is_blamed_by_all_for_its_rule(name: str) -> None:
    """Every cheat of the registry: exactly its seat, exactly its rule, the same from every honest seat's saved log."""
    check_blame(caught(name, *usual(name)))


#: Cheats that get their chance in a second game too, in another kind of step.
ELSEWHERE = [
    (name, "2sans3") for name in ("swapped-hide", "doubled-hide", "stolen-hide", "illegal-move", "foreign-card")
] + [("out-of-turn", "2sans3"), ("wrong-share", "2sans3"), ("doubled-card", "2win")]


@pytest.mark.parametrize(("name", "game"), ELSEWHERE)
def test_it_is_blamed_in_every_game_alike(name: str, game: str) -> None:
    """What is checked belongs to the step, not to the game."""
    check_blame(caught(name, game, 3))


@pytest.mark.parametrize(
    "name", ["two-seals", "two-shuffles", "two-shares", "two-commitments", "two-passes", "two-reveals"]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_two_stories_on_a_bad_network_name_only_who_told_them(name: str, seed: int) -> None:
    """Lost, doubled, late and overtaken messages: whoever built on either story is innocent, and all come to know."""
    faults = Faults(delay=0.05, loss=0.1, duplicate=0.1, reorder=0.2)
    party = Party("2win", 4, seed, cheats={CHEATER: CHEATS[name]}, faults=faults)
    with remembered():
        party.play(stop=lambda: is_settled(party))
    assert cheat_of(party).lied
    check_blame(party)


GO_ON = ("doubled-card", "two-shuffles", "two-commitments", "changed-mind", "false-can", "two-legacies")


@pytest.mark.parametrize("name", GO_ON)
def test_the_others_play_on_without_the_cheat(name: str) -> None:
    """A proven cheat is put out, its cards come back into the pile, and those who stay finish with equal logs."""
    party = caught(name, "2win", 4)
    with remembered():
        party.play()
    logs = {host.table.save() for host in honest(party)}
    assert len({frozenset(blamed(host)) for host in honest(party)}) == 1
    for host in honest(party):
        assert host.table.life is Life.OVER
        assert [bytes(host.table.members[seat]) for seat, _ in host.table.departed] == [
            bytes(party.identities[CHEATER].public)
        ]
    with remembered():
        for data in logs:
            verdict = verify_log(data, game_of)
            assert verdict.problem is None
            assert verdict.finished
            assert verdict.departed == tuple(honest(party)[0].table.departed)
            assert not verdict.minority
            assert {why for _, why in verdict.departed} == {events.Why.FAULT}
            assert verdict.fault is not None


@pytest.mark.parametrize("name", AFTER_A_LOSS)
def test_lies_after_a_loss_are_blamed_too(name: str) -> None:
    """While a lost seat's cards are made anew, or voted about, a lie is found as anywhere else."""
    game = (CHEATS[name].games or ("ladder",))[0]
    for seed in SEEDS:
        party = party_with(name, game, 4, seed)
        with remembered():
            party.play(stop=lambda party=party: party.tables[3].must_decide)
            party.net.crash(party.hosts[3].handle)
            party.play(stop=lambda party=party: is_settled(party))
        if cheat_of(party).lied:
            check_blame(party)
            return
    raise AssertionError("no chance came")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_proves_nothing_blames_nobody(name: str) -> None:
    """Forgeries, replays, garbage, floods, coups and silence: no fault, and the others finish the game."""
    party = party_with(name, "ladder", 3, 1)
    with remembered():
        party.play()
    assert cheat_of(party).lied
    for host in honest(party):
        assert accusations(host) == []
        assert host.table.fault is None
        assert host.table.life is Life.OVER
    for verdict in verdicts(party):
        assert verdict.ok
        assert verdict.finished


@pytest.mark.parametrize("seed", range(1, 5))
def test_nobody_is_framed_by_messages_from_before_the_lots(seed: int) -> None:
    """Messages signed for seats that were not drawn yet are never held against whoever then sits there."""
    faults = Faults(delay=0.05, reorder=0.5)
    party = Party("ladder", 4, seed, cheats={CHEATER: CHEATS["early-bird"]}, faults=faults)
    with remembered():
        party.play()
    assert cheat_of(party).lied
    for host in honest(party):
        assert {identity for identity, *_ in blamed(host)} <= {bytes(party.identities[CHEATER].public)}
        assert host.table.life is Life.OVER or host.table.fault is not None


def test_a_flood_of_requests_is_answered_in_measure() -> None:
    """However often somebody asks for the whole log, what goes out to it in a second is bounded."""
    table = finished("ladder", 3, 1).tables[0]
    table.outgoing()
    whole = len(table.save())
    for asked in range(1000):
        table.receive(Want(table.proposal.table, 0, 0, asked % 8).encode(), 1e6 + asked / 1000, "flooder")
    sent = sum(len(packet.data) for packet in table.outgoing())
    assert sent <= (1 / SERVE_PAUSE + 1) * whole
    assert all(packet.to == "flooder" for packet in table.outgoing())


def test_the_registry_covers_every_rule_that_can_be_proven() -> None:
    """Each rule of the table is broken by some cheat, each cheat has a name of its own and says what it does."""
    rules = {cheat.rule for cheat in CHEATS.values()}
    assert {rule.value for rule in set(Rule) - rules} <= {"silent", "not_a_card"}  # suspicion; ruled out by the proofs
    for name, cheat in CHEATS.items():
        assert cheat.name == name == name.lower()
        assert cheat.what[0].islower()
        assert not cheat.what.endswith(".")
        assert fits(cheat, (cheat.games or ("2win",))[0], 5)
        assert not fits(cheat, "2win", cheat.least - 1)
