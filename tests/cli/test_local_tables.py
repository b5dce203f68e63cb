"""Real tables of a whole game in one process, driven off the screen's thread."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import pytest

from cli.ui import local
from cli.ui.chair import Chair
from cli.ui.local import LocalTables
from engine.bots import bot
from engine.dealer import Chooser
from engine.game import Game, Move, View
from engine.shelf import find
from p2p.net.driver import Stopped
from p2p.verify import verify_log

PATIENCE = 60.0  # seconds; only a hang takes so long


def opened(
    game: Game[Any], seed: int, bots: list[Chooser] | None = None, players: int = 3
) -> tuple[LocalTables, Chair]:
    others = bots or [bot("greedy", game, Random(f"{seed}/{seat}")) for seat in range(1, players)]
    named = [(f"Bot {number}", choose) for number, choose in enumerate(others, 1)]
    tables = LocalTables(game, "Me", named, entropy=Random(seed).randbytes)
    return tables, Chair(game, tables)


def play(tables: LocalTables, chair: Chair) -> None:
    tables.start(chair.tell)
    while not chair.story.ended:
        assert chair.next(PATIENCE) is not None
        if chair.asked and not chair.waiting:
            chair.choose(chair.moves[0])
            chair.commit()
    tables.stop()


@pytest.mark.parametrize(("name", "players"), [("2win", 3), ("2sans3", 2)])
def test_a_game_is_played_with_real_proofs(name: str, players: int) -> None:
    """To the end; the log it leaves convinces a stranger; what the chair was told agrees with it."""
    game = find(name)
    tables, chair = opened(game, 4, players=players)
    play(tables, chair)
    story = chair.story
    assert story.over is not None
    verdict = verify_log(tables.save(), find)
    assert verdict.ok
    assert verdict.finished
    assert verdict.result == story.over
    assert [seat for seat, _ in verdict.seats] == list(story.names)
    assert story.names[story.me or 0] == "Me"
    assert story.proofs > 20 * (players - 1)
    assert story.milliseconds > 0
    assert story.code.count("-") == 5


def test_the_same_seed_is_the_same_game() -> None:
    """Seats, cards and bots: all chance comes from the arguments, none from the threads."""
    logs = []
    for _ in range(2):
        tables, chair = opened(find("2sans3"), 9, players=2)
        play(tables, chair)
        logs.append([entry for entry in chair.story.log if entry.told.name != "shuffles_proven"])
    assert logs[0] == logs[1]


def test_no_table_is_ever_touched_by_the_screens_thread() -> None:
    """Bots think, and tables work, in one thread of their own; the chair's calls only leave orders."""
    game = find("2win")
    threads = set()

    def noting(view: View) -> Move:
        threads.add(threading.current_thread())
        return view.moves[0]

    tables, chair = opened(game, 3, [noting])
    play(tables, chair)
    assert len(threads) == 1
    assert threading.main_thread() not in threads


def test_stopping_in_the_middle_ends_the_thread() -> None:
    """At any time: while the person thinks, nothing else runs on."""
    tables, chair = opened(find("2win"), 3)
    tables.start(chair.tell)
    while not chair.asked:
        assert chair.next(PATIENCE) is not None
    chair.leave()
    tables.stop(PATIENCE)
    assert "tables" not in [thread.name for thread in threading.enumerate() if thread.is_alive()]


def test_a_bug_reaches_the_screen() -> None:
    """A bot that breaks does not leave anybody waiting for ever."""

    def broken(view: View) -> Move:
        raise ZeroDivisionError

    tables, chair = opened(find("2win"), 3, [broken])
    tables.start(chair.tell)
    while not isinstance(told := chair.next(PATIENCE), Stopped):
        assert told is not None
    assert told.reason == "ZeroDivisionError"
    assert chair.story.ended
    tables.stop()


def test_nobody_is_lost_while_the_whole_process_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-Z, or with the lid closed for an hour, the game goes on as if nothing had been."""
    now = 100.0
    monkeypatch.setattr(local.time, "monotonic", lambda: now)
    tables, _ = opened(find("2win"), 3)
    assert tables._now() == 0.0
    now += 2.0
    assert tables._now() == 2.0
    now += 3600.0
    assert tables._now() == 2.0 + local.MOST_AT_ONCE


def test_bots_take_their_time_when_they_are_watched() -> None:
    """Each decision of a bot is put off by what `pause` says, and by nothing else."""
    pauses: list[float] = []

    def pause() -> float:
        pauses.append(0.001)
        return pauses[-1]

    game = find("2sans3")
    tables = LocalTables(
        game, "Me", [("Bot", bot("greedy", game, Random(1)))], entropy=Random(1).randbytes, pause=pause
    )
    chair = Chair(game, tables)
    play(tables, chair)
    assert len(pauses) == 18
