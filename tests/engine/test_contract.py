"""What the contract promises of every game, checked on every game there is, also on one that only the tests have.

No game is named here: a new one is found in its folder and has to pass as it is.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import every_game
import pytest
from every_game import GAMES, TABLE_NAMES, TABLES
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import CardId, Seat, Slot
from engine.dealer import Dealer, deciders, play_game
from engine.game import (
    ANSWERS,
    BadFact,
    BadSetup,
    Choose,
    Chosen,
    ContractError,
    Departed,
    Fact,
    Game,
    Gift,
    IllegalMove,
    Move,
    Moved,
    Open,
    Opened,
    Over,
    Pass,
    Passed,
    Played,
    Turn,
    canonical,
    note,
    rules_identity,
)

every_table = pytest.mark.parametrize(("game", "players"), TABLES, ids=TABLE_NAMES)
every_id = pytest.mark.parametrize("game", GAMES, ids=[game.id for game in GAMES])

seeded = st.tuples(st.sampled_from(TABLES), st.integers(0, 10**6))


def test_the_toy_is_found_by_its_folder() -> None:
    """A game is added by one file in a folder: the engine's two and the toy of the tests are there."""
    assert [game.id for game in GAMES] == ["2sans3", "2win", "ladder"]


# --- a game declares itself ---------------------------------------------------------------------------------------


@every_id
def test_a_game_declares_its_deck(game: Game[Any]) -> None:
    """Card ids count from 1 in the order of the deck, each card has the declared attributes, faces differ in print."""
    assert [card.id for card in game.deck] == list(range(1, len(game.deck) + 1))
    assert all(len(card.attributes) == len(game.attributes) for card in game.deck)
    assert all(game.face(card.id) for card in game.deck)
    assert len(game.seats) > 0
    assert game.seats[0] >= 2


def test_the_rules_digest_tells_games_and_tables_apart() -> None:
    """Two games never have the same rules identity, and a changed data table or version changes it."""
    assert len({rules_identity(game) for game in GAMES}) == len(GAMES)
    for game in GAMES:
        newer = type("Newer", (type(game),), {"version": game.version + 1})()
        other = type("Other", (type(game),), {"tables": {**game.tables, "more": 1}})()
        assert len({rules_identity(one) for one in (game, newer, other)}) == 3


@every_id
def test_a_game_that_cannot_be_started_is_a_bad_setup(game: Game[Any]) -> None:
    """Wrong numbers of players, unknown settings and wrong values raise BadSetup and nothing else."""
    for players in (game.seats[0] - 1, game.seats[-1] + 1, -1, 0, 10**5000, True, None, "4", 2.0):
        with pytest.raises(BadSetup) as refused:
            game.start(players, {})
        told = refused.value.note
        assert told == note("wrong_players", game=game.id, least=min(game.seats), most=max(game.seats))
    for wrong in ({"no such": 1}, {"": None}, {5: 5}):
        with pytest.raises(BadSetup):
            game.start(game.seats[0], wrong)
    for name, allowed in game.settings.items():
        for value in allowed:
            game.start(game.seats[0], {name: value})
        for value in (None, "junk", -1, 10**5000, 1.5, [], True):
            with pytest.raises(BadSetup):
                game.start(game.seats[0], {name: value})


# --- replicas -----------------------------------------------------------------------------------------------------


@every_table
def test_replicas_that_know_only_their_own_cards_stay_equal(game: Game[Any], players: int) -> None:
    """Each seat keeps its own state, chooses from its own view and is told the facts: all stay equal in bytes."""
    chance = random.Random(f"{game.id}{players}")
    table = Dealer(game, players, chance)
    choose = every_game.any_move(chance)
    replicas = [type(game)() for _ in range(players)]
    states = [replica.start(players, {}) for replica in replicas]
    while not isinstance(table.need, Over):
        needs = [replica.need(state) for replica, state in zip(replicas, states, strict=True)]
        assert all(canonical(need) == canonical(table.need) for need in needs)
        for seat in deciders(table.need):
            table.hide(seat)
        moves = {
            seat: choose(replicas[seat].view(states[seat], seat, table.known(seat))) for seat in deciders(table.need)
        }
        fact = table.step(moves)
        states = [replica.apply(state, fact) for replica, state in zip(replicas, states, strict=True)]
        assert {canonical(state) for state in states} == {canonical(table.state)}


def test_processes_with_different_hash_seeds_agree_on_every_state() -> None:
    """Two processes with different PYTHONHASHSEED go through byte-identical states in 200 games of each."""
    script = Path(__file__).parent / "fingerprint.py"
    runs = [
        subprocess.Popen(
            [sys.executable, str(script), "200"],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(script.parents[2])},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "4242")
    ]
    first, second = (run.communicate()[0] for run in runs)
    assert [run.returncode for run in runs] == [0, 0]
    assert first == second
    assert [line.split()[:2] for line in first.splitlines()] == [[game.id, "200"] for game in GAMES]


@every_table
def test_apply_changes_neither_the_state_nor_the_fact(game: Game[Any], players: int) -> None:
    """The same state and fact give the same next state again, and are what they were before."""
    seen: list[tuple[Any, bytes, Fact, bytes, bytes]] = []

    def watch(state: Any, need: Any, fact: Fact, after: Any) -> None:
        assert game.need(state) == need
        assert isinstance(fact, ANSWERS[type(need)])
        seen.append((state, befores.pop(), fact, canonical(fact), canonical(after)))
        befores.append(canonical(after))

    befores = [canonical(game.start(players, {}))]
    play_game(game, players, every_game.any_move(random.Random(7)), random.Random(8), watch=watch)
    for state, before, fact, told, after in seen:
        assert canonical(state) == before
        assert canonical(fact) == told
        assert canonical(game.apply(state, fact)) == after


# --- whole games --------------------------------------------------------------------------------------------------


@every_table
def test_every_game_ends_and_loses_no_card(game: Game[Any], players: int) -> None:
    """Games by random players end; at every step each card is in one place and the need asks only for what is there."""
    for seed in range(8):
        used: set[int] = set()
        for table in every_game.steps(game, players, seed, hiding=seed % 2 == 1):
            every_game.check_cards(table)
            every_game.check_need(table, used)
            every_game.check_plain(table.state)


@every_table
def test_departures_at_any_point_keep_the_game_whole(game: Game[Any], players: int) -> None:
    """Seats depart at any step, with any part of it done: nothing is lost, the game ends, who went ranks last."""
    for seed in range(30):
        used: set[int] = set()
        gone: set[int] = set()
        out: set[int] = set()
        playing: set[int] = set(range(players))
        for table, lost in every_game.stormy_steps(game, players, seed, risk=0.02 + 0.15 * (seed % 3)):
            every_game.check_cards(table)
            every_game.check_need(table, used)
            every_game.check_plain(table.state)
            assert gone.isdisjoint(lost)
            gone |= set(lost) - out
            now = set(game.playing(table.state))
            assert now <= playing - gone
            out |= playing - now
            playing = now
        assert isinstance(table.need, Over)
        order = [seat for group in table.need.ranking for seat in group]
        assert set(order[players - len(gone) :]) == gone
        for group in table.need.ranking:
            assert set(group) <= gone or gone.isdisjoint(group)


@every_table
def test_when_all_go_at_once_the_game_is_over(game: Game[Any], players: int) -> None:
    """Even nobody left is an end, at every point of a game."""
    for table in every_game.steps(game, players, 3):
        if not isinstance(table.need, Over):
            end = table.copy()
            end.depart(*game.playing(end.state))
            assert isinstance(end.need, Over)
            every_game.check_result(end.need, players)


@every_table
def test_the_last_one_left_wins_at_once(game: Game[Any], players: int) -> None:
    """Whenever all but one go, that one has won there and then."""
    for table in every_game.steps(game, players, 4):
        for stays in game.playing(table.state) if not isinstance(table.need, Over) else ():
            end = table.copy()
            end.depart(*(seat for seat in game.playing(end.state) if seat != stays))
            assert isinstance(end.need, Over)
            assert end.need.ranking[0] == (stays,)


@every_table
def test_a_departed_seat_is_asked_nothing_any_more(game: Game[Any], players: int) -> None:
    """At every point of a game any one seat may go; neither needs nor moves come back to it."""
    for number, table in enumerate(every_game.steps(game, players, 5)):
        able = every_game.may_go(table) if not isinstance(table.need, Over) else []
        if able:
            lost = able[number % len(able)]
            rest = table.copy()
            chance = random.Random(number)
            rest.step(every_game.choices(rest, chance), gone=(lost,))
            for _ in range(6):
                if isinstance(rest.need, Over):
                    break
                assert lost not in deciders(rest.need)
                assert lost not in every_game.may_go(rest)
                assert rest.view(lost).moves == ()
                assert game.hands(rest.state)[lost] == ()
                rest.step(every_game.choices(rest, chance))


# --- views --------------------------------------------------------------------------------------------------------


@every_table
def test_a_view_shows_no_card_that_its_seat_does_not_know(game: Game[Any], players: int) -> None:
    """Two deals that differ only in cards a seat cannot see give it, or a spectator, canonically equal views."""
    chance = random.Random(5)
    for table in every_game.steps(game, players, 6):
        if not table.faces:
            continue
        for seat in (None, *map(Seat, range(players))):
            view = table.view(seat)
            other = Dealer.imagine(game, view, chance)
            assert every_game.everything_in(other.view(seat)) == every_game.everything_in(view)
            assert dict(view.hand) == ({} if seat is None else table.known(seat))
            every_game.check_cards(other)


@every_table
def test_an_unknown_place_is_in_no_move(game: Game[Any], players: int) -> None:
    """With only some of its hand known, a seat is offered exactly the moves that use known places alone."""
    for table in every_game.steps(game, players, 8):
        for seat in deciders(table.need):
            known = table.known(seat)
            part = dict(list(known.items())[::2])
            offered = game.moves(table.state, seat, known)
            assert game.moves(table.state, seat, part) == tuple(
                move for move in offered if all(slot in part for slot in move.slots)
            )
            assert [slot for slot, _ in game.view(table.state, seat, part).hand] == list(part)


@every_table
def test_only_who_is_asked_is_offered_moves(game: Game[Any], players: int) -> None:
    """Who is not asked now, and a spectator, has no moves."""
    for table in every_game.steps(game, players, 9):
        asked = deciders(table.need)
        assert table.view(None).moves == ()
        for seat in map(Seat, range(players)):
            assert bool(table.view(seat).moves) == (seat in asked)


@every_table
def test_judgement_is_defined_everywhere(game: Game[Any], players: int) -> None:
    """Every offered move can be weighed, every seat's standing lies in 0 … 1, and at the end the winners' is best."""
    calm, stormy = every_game.steps(game, players, 10), every_game.stormy_steps(game, players, 10, risk=0.02)
    for table in (*(table.copy() for table in calm), *(table.copy() for table, _ in stormy)):
        standing = [game.standing(table.state, seat) for seat in map(Seat, range(players))]
        assert all(0.0 <= worth <= 1.0 for worth in standing)
        for seat in deciders(table.need):
            view = table.view(seat)
            for move in view.moves:
                assert abs(game.weigh(view, move)) < 1e9
        if isinstance(table.need, Over) and type(game).standing is not Game.standing:
            best = {seat for seat in range(players) if standing[seat] == max(standing)}
            assert best == set(table.need.ranking[0])


# --- moves: exactly the offered ones are accepted -----------------------------------------------------------------


def fact_with(table: Dealer[Any], seat: Seat, move: Move) -> Fact:
    """What this move of this seat would lead to, the others moving as they may."""
    need = table.need
    moves = {other: table.view(other).moves[0] for other in deciders(need)}
    moves[seat] = move
    if isinstance(need, Pass):
        return Passed((), tuple(Gift(one, two, moves[one].slots[0]) for one, two in need.ring))
    played = [
        Played(other, moves[other], tuple(table.faces.get(slot, CardId(1)) for slot in moves[other].slots))
        for other in deciders(need)
    ]
    return Moved((), played[0]) if isinstance(need, Turn) else Chosen((), tuple(played))


def imaginable_moves(table: Dealer[Any], seat: Seat, kinds: set[str]) -> set[Move]:
    """Every move with up to two own places and small values, and some that use others' places."""
    hand = table.game.hands(table.state)[seat]
    foreign = [*[slot for slot in table.faces if slot not in hand][:2], Slot(-1), Slot(10**6)]
    slots = [(), *((one,) for one in (*hand, *foreign)), *((one, two) for one in (*hand, *foreign) for two in hand)]
    if isinstance(table.need, Pass):
        return {Move("pass", (one,)) for one in (*hand, *foreign)}
    return {
        Move(kind, some, values)
        for kind in {*kinds, "junk"}
        for some in slots
        for values in ((), (0,), (1,), (2,), (0, 0))
    }


@every_id
def test_the_rules_accept_exactly_the_moves_they_offer(game: Game[Any]) -> None:
    """Each offered move is accepted, each other one is refused as this seat's illegal move."""
    players = game.seats[len(game.seats) // 2]
    for number, table in enumerate(every_game.steps(game, players, 11)):
        asked = deciders(table.need)
        if not asked or number > 40:
            continue
        seat = asked[number % len(asked)]
        offered = set(table.view(seat).moves)
        assert len(offered) == len(table.view(seat).moves)
        for move in imaginable_moves(table, seat, {move.kind for move in offered}) | offered:
            fact = fact_with(table, seat, move)
            if move in offered:
                game.apply(table.state, fact)
                continue
            with pytest.raises(IllegalMove) as refused:
                game.apply(table.state, fact)
            assert refused.value.seat == seat
            assert refused.value.note.name


# --- junk ---------------------------------------------------------------------------------------------------------

JUNK: list[Any] = [
    None, True, False, -1, 0, 1, 5, 10**30, 10**5000, -(10**5000), "", "x", b"x", 1.0, float("nan"), float("inf"),
    (), (0,), (0, 1), (1, 0), (0, 0), (10**9,), (-1,), (None,), (True,), ((),), [], [0], {}, {0: 0}, set(), object(),
    Move("x"), Move("form", (Slot(0), Slot(0))), Played(Seat(0), Move("x"), ()), Gift(Seat(0), Seat(1), Slot(0)),
    Departed((Seat(0),)), Over(((Seat(0),),), ()), type, len,
]  # fmt: skip


def mutants(value: Any, junk: Any) -> list[Any]:
    """The value with each of its parts in turn replaced by junk, doubled, or left out."""
    found = [junk]
    if isinstance(value, Fact):
        for name in value.__dataclass_fields__:
            for mutant in mutants(getattr(value, name), junk):
                found.append(
                    type(value)(**{**{k: getattr(value, k) for k in value.__dataclass_fields__}, name: mutant})
                )
    elif isinstance(value, tuple):
        make = type(value)._make if hasattr(value, "_fields") else tuple
        for index, part in enumerate(value):
            for mutant in mutants(part, junk):
                found.append(make([*value[:index], mutant, *value[index + 1 :]]))
        if make is tuple and value:
            found += [value[1:], value + value[:1], value[::-1], list(value)]
    return found


def refuse_or_stay_sound(game: Game[Any], state: Any, fact: Any) -> None:
    """A fact is refused with the contract's error, or leads to a state like any other."""
    try:
        after = game.apply(state, fact)
    except ContractError as error:
        refused = error
    else:
        refused = None
    if refused is not None:
        assert refused.note.name
        assert str(refused)
        return
    every_game.check_plain(after)
    canonical(after)
    places = [place for hand in game.hands(after) for place in hand] + list(game.face_down(after))
    assert len(set(places)) == len(places)
    assert len(places) + len(game.open_cards(after)) == len(game.deck)
    assert len(set(game.open_cards(after))) == len(game.open_cards(after))


@every_id
def test_junk_raises_the_contracts_error_and_nothing_else(game: Game[Any]) -> None:
    """Every part of every fact of a game replaced by every kind of junk: an error of the contract, or a legal fact."""
    players = game.seats[len(game.seats) // 2]
    seen: Counter[str] = Counter()
    chance = random.Random(12)
    for table in every_game.steps(game, players, 12):
        kind = type(table.need).__name__
        if isinstance(table.need, Over) or seen[kind] == 2:
            continue
        seen[kind] += 1
        fact = table.copy().step(every_game.choices(table, chance))
        partial = table.copy().step(every_game.choices(table, chance), gone=game.playing(table.state)[:1], finished=[1])
        for junk in JUNK:
            for mutant in [*mutants(fact, junk), *mutants(partial, junk)]:
                refuse_or_stay_sound(game, table.state, mutant)
    assert len(seen) >= 4


@every_table
def test_a_card_is_opened_only_once(game: Game[Any], players: int) -> None:
    """A fact that shows a card twice, one that lies open already, or one that is not in the deck is refused."""
    shown = 0
    for table in every_game.steps(game, players, 13):
        if not isinstance(table.need, Open | Turn | Choose):
            continue
        fact = table.copy().step(every_game.choices(table, random.Random(1)))
        for card in [*game.open_cards(table.state)[:2], 0, -1, len(game.deck) + 1]:
            with pytest.raises(BadFact):
                game.apply(table.state, with_first_card(fact, CardId(card)))
            shown += 1
    assert shown


def with_first_card(fact: Fact, card: CardId) -> Fact:
    if isinstance(fact, Opened):
        return Opened(fact.gone, (card, *fact.cards[1:]))
    if isinstance(fact, Moved):
        return Moved(fact.gone, fact.played._replace(cards=(card, *fact.played.cards[1:])))
    first, *others = fact.played
    return Chosen(fact.gone, (first._replace(cards=(card, *first.cards[1:])), *others))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(seeded, st.data())
def test_no_fact_but_the_one_that_was_needed_is_taken(seed: tuple[Any, int], data: st.DataObject) -> None:
    """At any point of any game, a fact of another row, an empty one, and one without its departures are refused."""
    (game, players), number = seed
    stop = data.draw(st.integers(0, 60))
    for step, table in enumerate(every_game.steps(game, players, number)):  # noqa: B007
        if step == stop:
            break
    answer = ANSWERS.get(type(table.need))
    for kind in {*ANSWERS.values(), Fact} - {answer}:
        with pytest.raises(BadFact):
            game.apply(table.state, kind())
        with pytest.raises(BadFact):
            game.apply(table.state, kind((Seat(0),)))
    with pytest.raises(BadFact):
        game.apply(table.state, Departed())
    for gone in [(99,), (-1,), (0, 0), (1, 0), [0], (True,), (None,), 0]:
        with pytest.raises(BadFact):
            game.apply(table.state, Departed(gone))
    if isinstance(table.need, Choose):
        with pytest.raises(BadFact):
            game.apply(table.state, Chosen())
    if isinstance(table.need, Over):
        with pytest.raises(BadFact):
            game.apply(table.state, Departed((Seat(0),)))
        assert Departed not in ANSWERS.values()


def test_canonical_bytes_tell_different_values_apart_and_refuse_the_rest() -> None:
    """One value, one byte string: types are tagged, lengths framed; floats, sets and objects have none."""
    values: list[Any] = [
        None, True, False, 0, 1, -1, 10, "1", b"1", "", b"", (), ((),), (1,), (1, 1), (11,), ("1",), Move("a"),
        Gift(Seat(0), Seat(1), Slot(2)), (0, 1, 2), Departed(), Fact(), {}, {"a": 1}, {"a": 2}, {"b": 1},
    ]  # fmt: skip
    assert len({canonical(value) for value in values}) == len(values)
    assert canonical({"a": 1, "b": 2}) == canonical({"b": 2, "a": 1})
    assert canonical([1, 2]) == canonical((1, 2))
    for wrong in (1.0, {1, 2}, object(), {1: 1}.keys()):
        with pytest.raises(TypeError):
            canonical(wrong)


def test_canonical_bytes_are_these_bytes() -> None:
    """Digests of different versions must agree, so the encoding itself is fixed: tag, length, body."""
    assert canonical((None, True, False, -12, "é", b"x")) == b"l:6(ntfi3:-12s2:\xc3\xa9b1:x)"
    assert canonical({"b": 1, "a": ()}) == b"m:4(s1:al:0()s1:bi1:1)"
    assert canonical(Move("form", (Slot(3), Slot(14)))) == b"lMove:3(s4:forml:2(i1:3i2:14)l:0())"
    assert canonical(Departed((Seat(1),))) == b"dDeparted:1(l:1(i1:1))"


def test_an_error_names_its_problem() -> None:
    """Every error carries a name and values, and shows them to whoever reads a trace."""
    error = IllegalMove(Seat(2), note("number_too_low", number=23, last=45))
    assert (error.seat, error.note["number"], error.note["last"]) == (2, 23, 45)
    assert error.args == ("number_too_low", "number=23", "last=45")
    assert error.note[0] == "number_too_low"
