"""`nodealer simulate` and `nodealer playthrough`: what they count, print and refuse."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from cli.main import main
from cli.simulation import Plan, Tally, batches, play, report
from engine.dealer import play_game
from engine.game import Over
from engine.shelf import find


def simulated(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert main(["simulate", *argv, "--json"]) == 0
    seen = capsys.readouterr()
    assert seen.out.count("\n") == 1
    assert seen.err == ""
    result: dict[str, Any] = json.loads(seen.out)
    return result


def test_json_has_what_scripts_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    """Game, players, games, seed, speed, length, endings that add up to 1, and wins that do."""
    result = simulated(capsys, "2win", "--players", "3", "--games", "40", "--bots", "greedy,random", "--seed", "7")
    assert (result["game"], result["players"], result["games"], result["seed"]) == ("2win", 3, 40, 7)
    assert result["games_per_second"] > 0
    assert result["shortest"] <= result["mean_length"] <= result["longest"]
    assert sum(result["endings"].values()) == pytest.approx(1)
    assert set(result["win_share"]) == {"greedy", "random"}
    assert sum(result["win_share"].values()) == pytest.approx(1)
    assert len(result["seat_share"]) == 3
    assert sum(result["seat_share"]) == pytest.approx(1)
    assert {"draw_a", "draw_b", "draw_c", "draw_d"} <= set(result["events"])


def test_2_sans_3_lasts_18_turns_each(capsys: pytest.CaptureFixture[str]) -> None:
    """Every game of it, with any number of players; takes, bonuses and scores are counted."""
    for players in ("2", "3", "4"):
        result = simulated(capsys, "2sans3", "--players", players, "--games", "10", "--bots", "random")
        assert result["shortest"] == result["mean_length"] == result["longest"] == 18
        assert {"took", "placed"} <= set(result["events"])
        assert {"points", "bonus", "final"} <= set(result["details"]["score"]["random"])


def test_the_number_of_processes_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Same seed, same result, to the last digit; only the speed differs."""
    argv = ("2win", "--games", "70", "--bots", "random,greedy", "--seed", "3")
    one, two = (simulated(capsys, *argv, "--jobs", jobs) for jobs in ("1", "2"))
    for result in (one, two):
        del result["games_per_second"], result["jobs"]
    assert one == two


def test_another_seed_is_another_set_of_games(capsys: pytest.CaptureFixture[str]) -> None:
    """The seed matters."""
    one, two = (simulated(capsys, "2win", "--games", "30", "--seed", seed) for seed in ("1", "2"))
    assert one["events"] != two["events"]


def test_levels_go_round_the_seats_and_rotate() -> None:
    """Each level sits on each seat equally often, so that none owes its wins to a seat."""
    plan = Plan("2win", 4, ("greedy", "random", "thinker"), 0)
    sat = Counter((plan.level(index, seat), seat) for index in range(3) for seat in range(4))
    assert set(sat.values()) == {1}
    assert [plan.level(0, seat) for seat in range(4)] == ["greedy", "random", "thinker", "greedy"]
    assert [plan.level(1, seat) for seat in range(4)] == ["random", "thinker", "greedy", "random"]


def test_equal_levels_are_added_up() -> None:
    """A level named twice is one level with twice the seats."""
    plan = Plan("2win", 4, ("random", "random"), 0)
    assert report(plan, play(plan, 0, 10))["win_share"] == {"random": 1.0}


def test_tied_wins_are_split() -> None:
    """Whoever shares a win gets a share of it; what seats get and what levels get is the same one game."""
    plan = Plan("2sans3", 4, ("random", "greedy"), 1)
    tally = play(plan, 0, 60)
    assert tally.endings["shared_points"] > 0
    assert sum(tally.wins.values()) == sum(tally.seat_wins.values()) == 60
    assert any(share.denominator > 1 for share in tally.seat_wins.values())


def test_counts_are_those_of_the_games_themselves() -> None:
    """Rounds, draws and endings in the tally are what the news of each game say."""
    plan = Plan("2win", 3, ("greedy",), 5)
    events: Counter[str] = Counter()
    rounds, endings = 0, Counter[str]()
    game = find("2win")
    for index in range(8):

        def watch(before: Any, need: Any, fact: Any, after: Any) -> None:
            events.update(note.name for note in after.news)

        final = play_game(game, 3, plan.choosers(index), plan.cards(index), watch=watch)
        rounds += final.round
        over = game.need(final)
        assert isinstance(over, Over)
        endings[over.reason.name] += 1
    tally = play(plan, 0, 8)
    assert tally.events == events
    assert tally.endings == endings
    assert sum(length * count for length, count in tally.length.items()) == rounds


def test_batches_add_up_to_the_whole() -> None:
    """Cutting the games into parts loses and doubles none."""
    plan = Plan("2win", 2, ("random",), 2)
    whole = Tally()
    for part in batches(plan, 60, 1):
        whole.add(part)
    assert whole == play(plan, 0, 60)
    assert whole.wins == {"random": Fraction(60)}


def test_a_page_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json: wins, length, endings, events and speed, in words."""
    assert main(["simulate", "2win", "--games", "20", "--bots", "greedy,random"]) == 0
    out = capsys.readouterr().out
    for part in ("2win: 20 games of 4 players", "greedy", "random", "seat 4", "rounds on average", "how games end"):
        assert part in out
    assert "draw a" in out
    assert "games per second" in out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["3win"], "2sans3, 2win"),
        (["2win", "--players", "7"], "2 to 6 players"),
        (["2sans3", "--players", "1"], "2 to 4 players"),
        (["2win", "--games", "0"], "0 is less than 1"),
        (["2win", "--games", "many"], "`many` is not a whole number"),
        (["2win", "--jobs", "-1"], "-1 is less than 1"),
        (["2win", "--bots", "greedy,genius"], "no bot level `genius`; the levels are random, greedy, thinker"),
        (["2win", "--bots", ""], "no bot level"),
        (["2win", "--seed", "x"], "--seed"),
        ([], "GAME"),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "playthrough"])
def test_what_cannot_be_is_one_sentence(
    command: str, argv: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown game, wrong number of players, bad options: one line on stderr, exit code 2, nothing on stdout."""
    try:
        code: Any = main([command, *argv])
    except SystemExit as stop:
        code = stop.code
    seen = capsys.readouterr()
    assert code == 2
    assert seen.out == ""
    assert seen.err.count("\n") == 1
    if command == "simulate" or not {"--games", "--jobs"} & set(argv):
        assert said in seen.err


@pytest.mark.parametrize("game", ["2win", "2sans3"])
def test_a_playthrough_is_one_whole_game(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It starts with the shuffle, ends with the ranking, and is the first game that `simulate` plays with this seed."""
    assert main(["playthrough", game, "--players", "3", "--seed", "4", "--bots", "greedy,random"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{game}, 3 players\n\n1. Shuffle")
    tally = play(Plan(game, 3, ("greedy", "random"), 4), 0, 1)
    (reason,) = tally.endings
    assert f"over: {reason}" in text
    news = Counter(line.split()[1] for line in text.split("\nover:")[0].splitlines() if line.startswith("   - "))
    assert news == tally.events
    assert main(["playthrough", game, "--players", "3", "--seed", "4", "--bots", "greedy,random"]) == 0
    assert capsys.readouterr().out == text
