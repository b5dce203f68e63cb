"""The dealer who sees everything: fair, repeatable, and as discreet as a real table."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, permutations

import every_game
import pytest
from every_game import GAMES, TABLE_NAMES, TABLES
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dealer import Dealer, deciders, play_game, shuffled
from engine.game import Choose, Departed, IllegalMove, Move, Over, Pass, canonical
from engine.shelf import find

every_table = pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_NAMES)


def test_shuffling_is_uniform() -> None:
    """All orders of four cards come up equally often, also the untouched one and both parities (Fisher-Yates)."""
    chance = random.Random(1)
    seen = Counter(tuple(shuffled(range(4), chance)) for _ in range(24_000))
    assert set(seen) == set(permutations(range(4)))
    squares = sum((count - 1000) ** 2 / 1000 for count in seen.values())
    assert squares < 60  # 23 degrees of freedom: beyond 60 once in 40,000


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers()), st.floats(0, 1, exclude_max=True))
def test_shuffling_keeps_every_item(items: list[int], value: float) -> None:
    """Whatever number chance gives, nothing is lost or doubled, and the given list stays as it is."""

    class Always:
        def random(self) -> float:
            return value

    before = list(items)
    assert sorted(shuffled(items, Always())) == sorted(items)
    assert items == before


@every_table
def test_a_seed_gives_the_same_game(game, players: int) -> None:
    """The same chance leads through the same states; another one does not."""

    def digest(seed: int) -> bytes:
        chance = random.Random(seed)
        return canonical(play_game(game, players, every_game.any_move(chance), chance))

    assert digest(1) == digest(1)
    assert digest(1) != digest(2)


@every_table
def test_each_seat_is_asked_for_itself(game, players: int) -> None:
    """`play_game` takes one player per seat, shows each its own view, and lets a watcher follow every step."""
    chance = random.Random(3)
    asked: set[int] = set()
    steps = []

    def player(seat: int):
        def choose(view):
            assert view.seat == seat
            asked.add(seat)
            return every_game.any_move(chance)(view)

        return choose

    end = play_game(
        game, players, [player(seat) for seat in range(players)], chance, watch=lambda *step: steps.append(step)
    )
    assert asked == {seat for _, need, _, _ in steps for seat in deciders(need)}
    assert isinstance(game.need(end), Over)
    assert steps[0][0] == game.start(players, {})
    assert steps[-1][3] is end
    assert all(one[3] is two[0] for one, two in pairwise(steps))


def test_an_illegal_move_is_refused_and_nothing_happened() -> None:
    """The dealer passes on what the rules say of a move; the table stays as it was."""
    table = Dealer(find("2win"), 2, random.Random(1))
    while not isinstance(table.need, Choose):
        table.step(every_game.choices(table, random.Random(1)))
    before, faces = table.state, dict(table.faces)
    hand = table.state.players[0].hand
    with pytest.raises(IllegalMove):
        table.step({0: Move("form", hand[:1]), 1: table.view(1).moves[0]})
    assert table.state is before
    assert table.faces == faces


def test_a_finished_game_has_no_next_step() -> None:
    """After the end there is nothing to satisfy."""
    for game in GAMES:
        *_, table = every_game.steps(game, game.seats[0], 1)
        with pytest.raises(ValueError, match="over"):
            table.step()


def test_settings_reach_the_game() -> None:
    """The toy deals as many cards as it is told to."""
    toy = find("ladder", every_game.ALL_FOLDERS)
    for hand in toy.settings["hand"]:
        table = Dealer(toy, 3, random.Random(1), {"hand": hand})
        while not all(toy.hands(table.state)):
            table.step()
        assert [len(held) for held in toy.hands(table.state)] == [hand] * 3


# --- hiding, departing, rebuilding --------------------------------------------------------------------------------


@every_table
def test_hiding_mixes_a_hand_and_nothing_else(game, players: int) -> None:
    """The hand holds the same cards at the same places in another order; the state knows nothing of it."""
    moved = False
    for table in every_game.steps(game, players, 2):
        for seat in deciders(table.need):
            before, faces = table.known(seat), dict(table.faces)
            state = table.state
            table.hide(seat)
            after = table.known(seat)
            assert list(after) == list(before)
            assert sorted(after.values()) == sorted(before.values())
            assert {place: card for place, card in table.faces.items() if place not in after} == {
                place: card for place, card in faces.items() if place not in after
            }
            assert table.state is state
            moved = moved or after != before
    assert moved


@every_table
def test_a_departure_deals_the_face_down_places_anew(game, players: int) -> None:
    """After a loss the stayers hold what they held; whatever else is hidden is mixed over the face-down places."""
    changed = False
    for table in every_game.steps(game, players, 3):
        if isinstance(table.need, Over) or not table.faces:
            continue
        rest = table.copy()
        lost = game.playing(rest.state)[0]
        stay = [seat for seat in game.playing(rest.state) if seat != lost]
        known = [rest.known(seat) for seat in stay]
        assert isinstance(rest.depart(lost), Departed)
        assert [rest.known(seat) for seat in stay] == known
        every_game.check_cards(rest)
        down = game.face_down(rest.state)
        changed = changed or any(rest.faces[place] != table.faces[place] for place in down if place in table.faces)
    assert changed


def test_a_choice_that_did_not_come_through_still_binds() -> None:
    """After a departure whoever had chosen is held to it, whatever is chosen now."""
    game = find("2win")
    table = Dealer(game, 3, random.Random(1))
    while not isinstance(table.need, Pass):
        table.step()
    first = {seat: table.view(seat).moves[0] for seat in range(3)}
    other = {seat: table.view(seat).moves[1] for seat in range(3)}
    table.step(first, gone=[2], finished=[0])
    assert table.committed == {1: first[1]}
    fact = table.step(other)
    assert [gift.slot for gift in fact.gifts] == [first[1].slots[0]]
    assert table.committed == {}


def test_a_copy_goes_its_own_way() -> None:
    """What happens on a copy of a table leaves the table as it is."""
    for game in GAMES:
        for table in every_game.steps(game, game.seats[-1], 4):
            if isinstance(table.need, Over):
                break
            state, faces = table.state, dict(table.faces)
            twin = table.copy()
            twin.chance = random.Random(1)
            twin.step(every_game.choices(twin, random.Random(1)))
            assert twin.state != state
            assert table.state is state
            assert table.faces == faces


# --- imagining ----------------------------------------------------------------------------------------------------


@every_table
def test_an_imagined_table_is_one_that_could_be(game, players: int) -> None:
    """It holds what the seat sees, every other card once, and can be played to the end."""
    chance = random.Random(5)
    for number, table in enumerate(every_game.steps(game, players, 5)):
        asked = deciders(table.need)
        if not asked or number % 7:
            continue
        dream = Dealer.imagine(game, table.view(asked[0]), chance)
        assert dream.state is table.state
        assert dream.known(asked[0]) == table.known(asked[0])
        every_game.check_cards(dream)
        for _ in range(every_game.ENDLESS):
            if isinstance(dream.need, Over):
                break
            moves = {seat: dream.view(seat).moves for seat in deciders(dream.need)}
            if not all(moves.values()):
                break  # somebody who said that it can move, cannot in this dream
            dream.step({seat: offered[0] for seat, offered in moves.items()})
        every_game.check_cards(dream)


def test_imagining_is_uniform_over_what_the_seat_cannot_see() -> None:
    """Every unseen card is at every unseen place equally often."""
    game = find("ladder", every_game.ALL_FOLDERS)
    table = next(table for seed in range(20) for table in every_game.steps(game, 2, seed) if deciders(table.need))
    seat = deciders(table.need)[0]
    chance = random.Random(6)
    place = game.hands(table.state)[1 - seat][0]
    rounds = 6000
    seen = Counter(Dealer.imagine(game, table.view(seat), chance).faces[place] for _ in range(rounds))
    hidden = len(table.faces) - len(table.known(seat))
    assert len(seen) == hidden
    squares = sum((count - rounds / hidden) ** 2 / (rounds / hidden) for count in seen.values())
    assert squares < 3 * hidden


def test_a_spectator_may_imagine_too() -> None:
    """Without a hand everything hidden is dealt anew."""
    for table in every_game.steps(find("2sans3"), 2, 1):
        if table.faces:
            every_game.check_cards(Dealer.imagine(table.game, table.view(None), random.Random(1)))
