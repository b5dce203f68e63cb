"""2 WIN played whole, against a second, plain reading of the rules that keeps every number from the first round on."""

from __future__ import annotations

import random
from collections import Counter

import every_game
import pytest
from two_win_table import GAME, thrifty

from engine.dealer import play_game
from engine.game import Chosen, Claim, Claimed, Draw, Fact, Need, Played, Shuffle
from engine.games.two_win import FACES, State


def run_completed(column: list[int]) -> bool:
    """Whether the last card makes the third, sixth, ninth … of one colour in a row, counted over the whole game."""
    length = 0
    for colour in reversed(column):
        if colour != column[-1]:
            break
        length += 1
    return length % 3 == 0


class Bookkeeper:
    """Follows a game from its facts alone and says what each round should earn."""

    def __init__(self, players: int) -> None:
        self.numbers: list[list[tuple[int, int]]] = [[] for _ in range(players)]
        self.earned: Counter[int] = Counter()
        self.drawn: Counter[int] = Counter()
        self.lost = 0

    def revealed(self, played: tuple[Played, ...]) -> None:
        for seat, _, (tens, units) in played:
            self.numbers[seat].append((tens, units))
        value = {seat: 10 * FACES[cards[0] - 1].digit + FACES[cards[1] - 1].digit for seat, _, cards in played}
        stars = {seat: sum(FACES[card - 1].stars for card in cards) for seat, _, cards in played}
        self.earned, self.drawn, self.lost = Counter(), Counter(), 0
        for seat, _, _ in played:
            self.earned[seat] += value[seat] == max(value.values())
            self.earned[seat] += stars[seat] > 0 and stars[seat] == max(stars.values())
            self.earned[seat] += value[seat] % 10 == value[seat] // 10
            for column in (0, 1):
                self.earned[seat] += run_completed([FACES[cards[column] - 1].colour for cards in self.numbers[seat]])


@pytest.mark.parametrize("players", GAME.seats)
def test_every_round_earns_what_the_plain_reading_says(players: int) -> None:
    """Over whole games, also with a rebuilt pile: each seat draws the sum of A, B, C and D, unless cards run out."""
    rebuilt = 0
    for seed in range(40):
        chance = random.Random(seed)
        choose = every_game.any_move(chance) if seed % 3 == 0 else thrifty
        books = Bookkeeper(players)

        def watch(before: State, need: Need, fact: Fact, after: State, books: Bookkeeper = books) -> None:
            nonlocal rebuilt
            rebuilt += before.round > 0 and isinstance(need, Shuffle)
            if isinstance(fact, Chosen):
                books.revealed(fact.played)
            elif isinstance(need, Draw) and before.round:
                books.drawn.update({seat: len(places) for seat, places in need.hands})
            books.lost += sum(told["count"] for told in after.news if told.name == "draws_lost")
            if after.round > before.round > 0:
                assert sum(books.drawn.values()) + books.lost == sum(books.earned.values())
                assert all(books.drawn[seat] <= books.earned[seat] for seat in range(players))

        play_game(GAME, players, choose, random.Random(seed), watch=watch)
    assert rebuilt > 0 or players < 6


@pytest.mark.parametrize("players", GAME.seats)
def test_whoever_says_it_can_has_a_number_and_whoever_cannot_has_none(players: int) -> None:
    """The dealer's answers to the statement agree with the moves each seat is offered afterwards."""
    asked = 0
    for seed in range(20):
        for table in every_game.steps(GAME, players, seed):
            if not isinstance(table.need, Claim):
                continue
            hands = {one.seat: table.known(one.seat) for one in table.need.asked}
            answers = dict(table.copy().step().answers)
            for seat, known in hands.items():
                digits = sorted((FACES[card - 1].digit for card in known.values()), reverse=True)
                assert answers[seat] == (10 * digits[0] + digits[1] > table.state.players[seat].last)
                asked += 1
    assert asked > 20


def test_a_claim_is_a_fact_of_its_own() -> None:
    """Nothing but an answer is learnt from a check: the fact holds seats and yes or no."""
    for table in every_game.steps(GAME, 4, 1):
        if isinstance(table.need, Claim):
            fact = table.copy().step()
            assert isinstance(fact, Claimed)
            assert all(type(can) is bool for _, can in fact.answers)
            return
    raise AssertionError("no check in this game")
