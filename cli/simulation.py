"""Many games between bots, and what came of them, counted the same way for every game.

Law: knows the contract and the bots, no game by name and no rule: what happens in a game is read from the names and
numbers of its notes. Counts are exact (whole numbers and fractions), so that it does not matter who counted in which
order: the same seed gives the same result with any number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from engine.bots import bot
from engine.cards import Seat
from engine.dealer import Chance, Chooser, play_game
from engine.game import Fact, Moved, Need, Over
from engine.shelf import find

#: One process gets so many games at a time: few enough for a lively progress bar, enough to be worth the sending.
BATCH = 25
#: The note that opens a round. A game without rounds is measured in turns per seat.
ROUND = "round"


@dataclass(frozen=True)
class Plan:
    """Which games to play. Levels go round the seats, and rotate by one seat with each game."""

    game: str
    players: int
    levels: tuple[str, ...]
    seed: int

    def level(self, index: int, seat: int) -> str:
        return self.levels[(seat + index) % len(self.levels)]

    def choosers(self, index: int) -> list[Chooser]:
        """The bots of one game. They share a source of chance of their own: other bots, same cards."""
        chance = Random(f"bots/{self.seed}/{index}")
        game = find(self.game)
        return [bot(self.level(index, seat), game, chance) for seat in range(self.players)]

    def cards(self, index: int) -> Chance:
        """The source of one game's cards."""
        return Random(f"cards/{self.seed}/{index}")


@dataclass
class Tally:
    """Sums over games. Two tallies add up to that of all their games."""

    games: int = 0
    length: Counter[Fraction] = field(default_factory=Counter)  # how many games were so long
    endings: Counter[str] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)  # how often a level sat
    wins: dict[str, Fraction] = field(default_factory=dict)  # by level
    seat_wins: dict[int, Fraction] = field(default_factory=dict)  # by seat
    events: Counter[str] = field(default_factory=Counter)  # how often each kind of news came
    games_with: Counter[str] = field(default_factory=Counter)  # in how many games it came at all
    sums: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # (level, detail, value's name) -> its sum
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.games += other.games
        for name in ("length", "endings", "seats", "events", "games_with", "sums", "counts"):
            getattr(self, name).update(getattr(other, name))
        for level, share in other.wins.items():
            self.wins[level] = self.wins.get(level, Fraction()) + share
        for seat, share in other.seat_wins.items():
            self.seat_wins[seat] = self.seat_wins.get(seat, Fraction()) + share

    def won(self, level: str, seat: int, share: Fraction) -> None:
        self.wins[level] = self.wins.get(level, Fraction()) + share
        self.seat_wins[seat] = self.seat_wins.get(seat, Fraction()) + share


def play(plan: Plan, first: int, last: int) -> Tally:
    """The games `first` … `last - 1` of a plan."""
    tally = Tally()
    for index in range(first, last):
        play_one(plan, index, tally)
    return tally


def play_one(plan: Plan, index: int, tally: Tally) -> None:
    game = find(plan.game)
    events: Counter[str] = Counter()
    turns = 0

    def watch(before: Any, need: Need, fact: Fact, after: Any) -> None:
        nonlocal turns
        turns += isinstance(fact, Moved)
        for news in after.news:
            events[news.name] += 1

    final = play_game(game, plan.players, plan.choosers(index), plan.cards(index), watch=watch)
    over = game.need(final)
    assert isinstance(over, Over)

    tally.games += 1
    tally.length[Fraction(events[ROUND]) if ROUND in events else Fraction(turns, plan.players)] += 1
    tally.endings[over.reason.name] += 1
    tally.events.update(events)
    tally.games_with.update(events.keys())
    for seat in range(plan.players):
        tally.seats[plan.level(index, seat)] += 1
    for seat in over.ranking[0]:
        tally.won(plan.level(index, seat), seat, Fraction(1, len(over.ranking[0])))
    for detail in over.details:
        values = dict(detail.values)
        seat = values.pop("seat", None)
        level = "" if seat is None else plan.level(index, Seat(seat))
        for name, value in values.items():
            if isinstance(value, int):
                tally.sums[level, detail.name, name] += value
                tally.counts[level, detail.name, name] += 1


def batches(plan: Plan, games: int, jobs: int) -> Iterator[Tally]:
    """Tallies that add up to the first `games` games of a plan, in whatever order they are ready."""
    parts = [(first, min(first + BATCH, games)) for first in range(0, games, BATCH)]
    if jobs == 1:
        for first, last in parts:
            yield play(plan, first, last)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(play, plan, first, last) for first, last in parts]
        try:
            for done in as_completed(waiting):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def report(plan: Plan, tally: Tally) -> dict[str, Any]:
    """What came of it, as plain data. Nothing in it depends on the machine."""
    games = tally.games
    details: dict[str, dict[str, dict[str, float]]] = {}
    for (level, detail, name), total in sorted(tally.sums.items()):
        details.setdefault(detail, {}).setdefault(level, {})[name] = total / tally.counts[level, detail, name]
    return {
        "game": plan.game,
        "players": plan.players,
        "games": games,
        "seed": plan.seed,
        "bots": list(plan.levels),
        "mean_length": float(sum(length * count for length, count in tally.length.items()) / games),
        "shortest": float(min(tally.length)),
        "longest": float(max(tally.length)),
        "endings": {name: count / games for name, count in sorted(tally.endings.items())},
        "win_share": {level: float(tally.wins.get(level, Fraction()) / games) for level in sorted(tally.seats)},
        "seat_share": [float(tally.seat_wins.get(seat, Fraction()) / games) for seat in range(plan.players)],
        "fair_share": {level: count / plan.players / games for level, count in sorted(tally.seats.items())},
        "events": {
            name: {"per_game": count / games, "games": tally.games_with[name] / games}
            for name, count in sorted(tally.events.items())
        },
        "details": details,
    }
