"""Every rule of 2 WIN, with the sentence it comes from, and every example of the sources."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement, permutations, product

import pytest
from two_win_table import GAME, Table

from engine.dealer import Dealer, holds
from engine.game import Choose, Claim, Draw, Leave, Pass, Shuffle, rules_identity
from engine.games.two_win import (
    FACES,
    NO_RUN,
    STARS,
    STEPS,
    Run,
    cannot_exceed,
    grow,
)

# --- cards --------------------------------------------------------------------------------------------------------


def test_the_cards() -> None:
    """ "108 cards = 3 colours × digits 1–9 × 4 copies"; "108; 36 per colour; 12 per digit"."""
    assert len(GAME.deck) == len(FACES) == 108
    assert Counter(face.colour for face in FACES) == {0: 36, 1: 36, 2: 36}
    assert Counter(face.digit for face in FACES) == dict.fromkeys(range(1, 10), 12)
    assert set(Counter((face.colour, face.digit) for face in FACES).values()) == {4}


def test_the_stars() -> None:
    """ "The four copies of every colour+digit carry 0, 0, 1, 2 stars (54 / 27 / 27 cards)"."""
    assert STARS == (0, 0, 1, 2)
    assert Counter(face.stars for face in FACES) == {0: 54, 1: 27, 2: 27}


def test_the_digit_is_declared_and_the_tables_are_part_of_the_identity() -> None:
    """The digit is what proofs may speak of; "keep [the split] in one data table"."""
    assert GAME.attributes == ("digit",)
    assert all(card.attributes == (face.digit,) for card, face in zip(GAME.deck, FACES, strict=True))
    other = type("Other", (type(GAME),), {"tables": {**GAME.tables, "faces": FACES[::-1]}})()
    assert rules_identity(other) != rules_identity(GAME)


# --- setting up ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.seats)
def test_deal_nine_each(players: int) -> None:
    """ "Deal 9 each; the rest is a face-down pile. No start player." """
    table = Dealer(GAME, players, random.Random(1))
    assert isinstance(table.need, Shuffle)
    assert len(table.need.cards) == 108
    table.step()
    assert table.need == Draw(tuple((seat, table.state.pile[seat::players][:9]) for seat in range(players)))
    table.step()
    assert [len(hand) for hand in GAME.hands(table.state)] == [9] * players
    assert len(table.state.pile) == 108 - 9 * players
    assert table.state.round == 1
    assert table.need == Pass(tuple((seat, (seat + 1) % players) for seat in range(players)))


def test_two_to_six_play() -> None:
    """The game is for 2 to 6 players."""
    assert list(GAME.seats) == [2, 3, 4, 5, 6]


def test_everybody_starts_with_nothing() -> None:
    """No numbers, no runs, nobody out; which round it is and which step are shown from the first pass on."""
    table = Dealer(GAME, 3, random.Random(1))
    steps = []
    for _ in range(3):
        steps.append((table.view(None).round, table.view(None).step))
        assert [player[1:] for player in table.state.players] == [((), 0, (-1, 0), (-1, 0), "", 0, 0, 0)] * 3
        table.step()
        if isinstance(table.need, Pass):
            break
    steps.append((table.view(None).round, table.view(None).step))
    assert steps == [(0, 0), (0, 0), (1, 1)]


def test_the_steps_as_they_are_shown() -> None:
    """ "Rounds of three steps": 1 pass, 2 form (its check included), 3 draw; 0 before and after."""
    assert STEPS == {"shuffle": 0, "deal": 0, "pass": 1, "check": 2, "form": 2, "draw": 3, "over": 0}


# --- 1 pass -------------------------------------------------------------------------------------------------------


def test_everyone_passes_to_the_left_at_once() -> None:
    """ "Left = next seat clockwise"; "all choices are hidden and final, then all swap"."""
    table = Table("b1 b2", "p1 p2", "g1 g2", stage="pass")
    assert table.need == Pass(((0, 1), (1, 2), (2, 0)))
    table.step("b1", "p2", "g1")
    assert [table.hand(seat) for seat in range(3)] == [["b2", "g1"], ["b1", "p1"], ["g2", "p2"]]
    assert [told["seats"] for told in table.told("passed")] == [(0, 1), (1, 2), (2, 0)]


def test_whoever_is_out_is_not_in_the_ring() -> None:
    """ "The ring is built of those who hold at least 1 card": it closes over who dropped out."""
    table = Table("b1 b2", "", "g1 g2", "p1 p2", stage="pass", out=[1])
    assert table.need == Pass(((0, 2), (2, 3), (3, 0)))


def test_any_own_card_may_be_passed_but_not_one_just_received() -> None:
    """ "Everyone else chooses one hand card before receiving any"."""
    table = Table("b1 b2", "p1 p2", "g1 g2", stage="pass")
    assert [move.kind for move in table.dealer.view(0).moves] == ["pass", "pass"]
    table.step("b1", "p2", "g1", gone=[2], finished=[0])  # seat 1 has got b1 and has yet to give, now to seat 0
    assert table.need == Pass(((1, 0),))
    table.dealer.committed.clear()
    places = [move.slots[0] for move in table.dealer.view(1).moves]
    assert sorted(GAME.face(table.dealer.faces[place]) for place in places) == ["p1", "p2"]


def test_only_giver_and_receiver_learn_the_card() -> None:
    """ "Only giver and receiver ever learn the card": the fact holds its place, the views of others nothing more."""
    table = Table("b1 b2", "p1 p2", "g1 g2", stage="pass")
    fact = table.step("b1", "p2", "g1")
    gift = fact.gifts[0]
    assert gift.slot in dict(table.dealer.view(1).hand)
    for seat in (0, 2, None):
        assert gift.slot not in dict(table.dealer.view(seat).hand)


def test_who_has_no_card_drops_out_before_the_ring_is_built() -> None:
    """ "Everyone with 0 cards drops out first, all at once. Then the ring is built"."""
    table = Table("b1 b2", "p1 p2", "g1 g2 g3", "p7 p8 p9", last=[10] * 4)
    table.step("b1 b2", "p1 p2", "g1 g2", "p7 p8")
    while not isinstance(table.need, Leave):
        table.step()
    assert table.who("out_no_card") == [0, 1]  # they drew nothing; the other two drew or kept a card
    assert table.need == Leave((0, 1))
    table.step()
    assert table.need == Pass(((2, 3), (3, 2)))


def test_the_only_one_who_holds_cards_wins_at_once() -> None:
    """ "Exactly one player holds cards → that player wins at once"."""
    table = Table("b1 b2", "p1 p3", "g1 g2", last=[10] * 3)
    table.step("b1 b2", "p1 p3", "g1 g2")  # 13 is the highest: seat 1 alone draws
    assert table.drawing() == {1: 1}
    table.step()
    assert table.over().reason.name == "last_player"
    assert table.over().ranking == ((1,), (0, 2))
    assert table.state.players[1].hand


def test_when_nobody_holds_a_card_all_drop_together() -> None:
    """ "Nobody holds a card → all drop together": equal hands of none, so the lowest last number wins."""
    table = Table("b1 b2", "p1 p3", last=[10, 10], pile=0)
    table.step("b1 b2", "p1 p3")
    assert table.told("draws_lost")[0]["seats"] == (1,)
    assert table.who("out_no_card") == [0, 1]
    assert table.over().ranking == ((0,), (1,))
    assert table.over().reason.name == "lowest_number"


def test_with_one_card_you_pass_it_receive_one_and_cannot_form() -> None:
    """ "With 1 card you pass it, receive one, and cannot form a number"."""
    table = Table("b9", "p1 p2 p3", "g1 g2 g3", last=[10, 10, 10], stage="pass")
    table.step("b9", "p3", "g3")
    assert table.hand(0) == ["g3"]
    assert table.need == Claim(tuple(one for one in table.need.asked))
    assert [one.seat for one in table.need.asked] == [1, 2]  # by public count nobody has to ask seat 0
    table.step()
    assert table.who("out_one_card") == [0]
    assert table.need == Leave((0,))


# --- 2 form -------------------------------------------------------------------------------------------------------


def test_in_the_first_round_any_number() -> None:
    """ "Two different cards of your hand, left = tens, right = units: 11–99. First round: any." No check is made."""
    table = Table("b1 b1 b9", "p9 p9", round=1, stage="pass")
    table.step("b9", "p9")
    assert table.need == Choose((0, 1))
    assert table.numbers(0) == [11, 19, 91]


def test_later_strictly_greater_than_the_own_previous_number() -> None:
    """ "Later: strictly greater than your **own** previous number"."""
    table = Table("b3 b4 p3 b2", "g1 g2 g9", last=[33, 91])
    assert table.numbers(0) == [34, 42, 43]
    assert table.numbers(1) == [92]


def test_a_card_is_used_once_in_a_number() -> None:
    """ "Two different cards": a single 7 forms no 77."""
    assert Table("b7 b1", "p1 p2", last=[0, 0]).numbers(0) == [17, 71]


def test_cards_received_this_round_may_be_used() -> None:
    """ "Cards received this round may be used"."""
    table = Table("b1 b9", "p1 p2 p3", last=[20, 20], stage="pass")
    table.step("b1", "p3")
    table.step()
    assert table.numbers(0) == [39, 93]


def test_the_check_comes_after_the_swap_and_before_anyone_chooses() -> None:
    """ "Form check, all at once, after the swap and before anyone chooses"; "only those still in choose"."""
    table = Table("b9 b8 b1", "p1 p2 p3", "g1 g2 g9", last=[50, 50, 50], stage="pass")
    table.step("b9", "p1", "g9")  # a 9 came to seats 1 and 0; seat 2 has 1, 1, 2 now
    assert isinstance(table.need, Claim)
    assert [one.seat for one in table.need.asked] == [0, 1, 2]
    table.step()
    assert table.who("out_no_number") == [2]
    assert table.need == Leave((2,))
    table.step()
    assert table.need == Choose((0, 1))


def test_nobody_drops_out_who_can_form() -> None:
    """ "Whoever can form a legal number says so and must"; "no voluntary drop-out"."""
    table = Table("b9 b9", "p1 p2", last=[98, 11], stage="check")
    assert table.step().answers == ((0, True), (1, True))
    assert all(move.kind == "form" for seat in (0, 1) for move in table.dealer.view(seat).moves)


def test_choices_are_revealed_together() -> None:
    """ "All choices hidden until everyone has chosen, then revealed together": one need for all, one fact."""
    table = Table("b1 b2", "p1 p2 p5", "g1 g2 g4", last=[0] * 3)
    assert table.need == Choose((0, 1, 2))
    table.step("b2 b1", "p5 p1", "g4 g2")
    assert [told["number"] for told in table.told("number")] == [21, 51, 42]


def test_new_numbers_lie_on_top_and_all_stay_visible() -> None:
    """ "The new number lies on top of the old ones …, all numbers stay visible"."""
    table = Table("b5 b6", "p7 p8", numbers=["b1 b2 p1 p2", "g3 g4"])
    table.step("b5 b6", "p7 p8")
    shown = [[GAME.face(card) for number in player.numbers for card in number] for player in table.state.players]
    assert shown == [["b1", "b2", "p1", "p2", "b5", "b6"], ["g3", "g4", "p7", "p8"]]


def test_a_card_passed_before_dropping_stays_passed() -> None:
    """ "A card passed before dropping stays passed"."""
    table = Table("b9 b1 b2", "p9 p8 p7", "g9 g8 g7", last=[80, 80, 80], stage="pass")
    table.step("b9", "p7", "g7")
    table.step()
    assert table.who("out_no_number") == [0]
    assert "b9" in table.hand(1)


# --- the statement "I cannot" -------------------------------------------------------------------------------------


def test_the_statement_means_that_no_ordered_pair_exceeds_the_last_number() -> None:
    """For every last number and every hand of 2 to 6 digits the clauses hold exactly when no pair is higher."""
    hands = [hand for size in range(2, 7) for hand in combinations_with_replacement(range(1, 10), size)]
    highest = [max(10 * x + y for x, y in permutations(hand, 2)) for hand in hands]
    for last in [10 * a + b for a, b in product(range(1, 10), repeat=2)]:
        clauses = cannot_exceed(last)
        for hand, best in zip(hands, highest, strict=True):
            assert any(holds(clause, hand) for clause in clauses) == (best <= last)


@pytest.mark.parametrize(
    ("last", "clauses"),
    [
        (11, [((1,), (1,))]),
        (53, [((1, 2, 3, 4), (1, 2, 3, 4)), ((1, 2, 3, 4, 5), (1, 2, 3))]),
        (54, [((1, 2, 3, 4, 5), (1, 2, 3, 4))]),
        (28, [((1, 2), (1, 2))]),
        (99, [(tuple(range(1, 10)), tuple(range(1, 10)))]),
    ],
)
def test_the_statement_as_data(last: int, clauses: list[object]) -> None:
    """Last number 10a+b: all below a, or the first at most a and the others at most a and b. The first clause is left
    out where b is at least a-1."""
    assert list(cannot_exceed(last)) == clauses


def test_a_clause_is_about_some_order_of_the_hand() -> None:
    """A clause holds if the hand can be ordered with its first card in the one set and all others in the other."""
    for clause in [((1, 2), (3,)), ((1,), (1, 2)), ((), (1,)), ((3,), ()), ((1, 2, 3), (1, 2, 3))]:
        for size in range(1, 5):
            for hand in product((1, 2, 3), repeat=size):
                literally = any(
                    order[0] in clause[0] and all(value in clause[1] for value in order[1:])
                    for order in permutations(hand)
                )
                assert holds(clause, hand) == literally


# --- 3 draw -------------------------------------------------------------------------------------------------------


def test_a_the_highest_number_draws_one() -> None:
    """ "A: highest number revealed this round; all tied players draw 1 each"."""
    table = Table("b1 b2", "p7 g6", "g7 p6", last=[0, 0, 0])
    table.step("b1 b2", "p7 g6", "g7 p6")
    assert table.who("draw_a") == [1, 2]
    assert table.drawing() == {1: 1, 2: 1}


def test_b_the_most_stars_draw_one() -> None:
    """ "B: most stars over the two cards just revealed; all tied draw 1 each"."""
    table = Table("b1* b2**", "p1** p2*", "g9 p8**", last=[0, 0, 0])
    table.step("b1* b2**", "p1** p2*", "g9 p8**")
    assert table.who("draw_b") == [0, 1]
    assert [told["stars"] for told in table.told("draw_b")] == [3, 3]
    assert table.who("draw_a") == [2]


def test_b_nobody_draws_without_stars() -> None:
    """ "Nobody if the maximum is 0"."""
    table = Table("b1 b2", "p1 p3", last=[0, 0])
    table.step("b1 b2", "p1 p3")
    assert table.who("draw_b") == []
    assert table.drawing() == {1: 1}


def test_c_two_equal_digits_of_any_colours() -> None:
    """ "C: two equal digits, any colours"."""
    table = Table("b4 g4", "p5 p5", "g9 g8", last=[0] * 3)
    table.step("b4 g4", "p5 p5", "g9 g8")
    assert table.who("draw_c") == [0, 1]
    assert table.drawing() == {0: 1, 1: 1, 2: 1}


def test_d_a_card_that_completes_three_of_a_colour_in_its_column() -> None:
    """ "D: per column, the card completes a run of 3 equal colours …; tens and units separately, so up to 2 cards"."""
    table = Table("b4 g5", "p5 p6", "g9 g8", last=[0] * 3, tens=["bb", "p", "gg"], units=["gg", "pp", "bb"])
    table.step("b4 g5", "p5 p6", "g9 g8")
    assert [(told["seat"], told["column"], told["colour"]) for told in table.told("draw_d")] == [
        (0, "tens", "blue"),
        (0, "units", "green"),
        (1, "units", "pink"),
        (2, "tens", "green"),
    ]
    assert table.drawing() == {0: 2, 1: 1, 2: 2}
    assert [(told["tens_run"], told["units_run"]) for told in table.told("number")] == [(3, 3), (2, 3), (3, 1)]
    assert [player.tens for player in table.state.players] == [NO_RUN, Run(1, 2), NO_RUN]


def test_d_another_colour_starts_a_run_of_its_own() -> None:
    """ "3 equal colours in consecutive rounds": two of one colour and a card of another is a run of one."""
    table = Table("b4 g5", "p5 p6", last=[0, 0], tens=["gg", "pp"])
    table.step("b4 g5", "p5 p6")
    assert [player.tens for player in table.state.players] == [Run(0, 1), NO_RUN]


def test_d_the_fourth_card_starts_a_new_run() -> None:
    """ "The fourth equal card starts a new run (third, sixth, ninth… score)". The sources: a draw at the third, none
    at the fourth."""
    run, scored = NO_RUN, []
    for nth in range(1, 10):
        run, length = grow(run, 1)
        assert run.length in (0, 1, 2)
        if length == 3:
            scored.append(nth)
    assert scored == [3, 6, 9]
    table = Table("b4 b5 b6 b7", "p1 p2 p3 p4", last=[0, 0], tens=["bb", ""], seed=3)
    table.step("b4 b5", "p1 p2")
    assert table.who("draw_d") == [0]
    table = Table(
        "b6 b7", "p3 p4", numbers=["b1 p1 b2 g1 b4 b5", "p1 p2"]
    )  # three blue tens lie there, the run is over
    table.step("b6 b7", "p3 p4")
    assert table.who("draw_d") == []
    assert table.state.players[0].tens == Run(0, 1)


def test_the_run_is_state_and_does_not_depend_on_the_cards_still_lying_there() -> None:
    """ "Keep the run … as state per column; never recompute it from the cards that are still lying there"."""
    table = Table("b6 g7", "p3 g4", numbers=["", ""], last=[50, 11], tens=["bb", "pp"])
    table.step("b6 g7", "p3 g4")
    assert [(told["seat"], told["column"]) for told in table.told("draw_d")] == [(0, "tens"), (1, "tens")]


def test_the_example_with_four_players() -> None:
    """ "Revealed together 33, 22, 52, 28; 33 and 22 tie for most stars; 33 completes a run in both columns, 22 in one,
    52 in both, 28 in one → draws 4, 3, 3, 1"."""
    table = Table(
        "p3* g3 b1",
        "b2 g2* b3",
        "p5 g2 b4",
        "b2 b8 b5",
        last=[0] * 4,
        tens=["pp", "bb", "pp", ""],
        units=["gg", "", "gg", "bb"],
    )
    table.step("p3* g3", "b2 g2*", "p5 g2", "b2 b8")
    assert table.drawing() == {0: 4, 1: 3, 2: 3, 3: 1}
    earned = dict.fromkeys(range(4), "")
    for told in table.state.news:
        if told.name.startswith("draw_"):
            earned[told["seat"]] += told.name[-1].upper()
    assert earned == {0: "BCDD", 1: "BCD", 2: "ADD", 3: "D"}


def test_draws_are_secret_and_counts_public_and_hands_unlimited() -> None:
    """ "Draws are secret; counts are public. No hand limit." """
    table = Table("b1 b1 b2 b2 b3 b3 b4 b4 b5 b5 b6 b6 b7 b7 b8 b9", "p1 p2 p3", last=[0, 0])
    table.step("b8 b9", "p1 p2")
    table.step()
    assert len(table.hand(0)) == 15
    assert table.dealer.view(1).counts == (15, 1)
    assert [(told["seat"], told["count"]) for told in table.told("drew")] == [(0, 1)]


# --- order of draws, reshuffling ----------------------------------------------------------------------------------

EARNS_3_2_2 = (  # seat 0 earns B C and D once, seat 1 A and D, seat 2 D twice
    ("b1** g1 p9", "g9 b8 p9", "g2 b3 p8"),
    {"last": [0] * 3, "tens": ["bb", "", "gg"], "units": ["", "bb", "bb"]},
)


@pytest.mark.parametrize(
    ("round", "pile", "drawing"),
    [
        (1, 3, {0: 1, 1: 1, 2: 1}),
        (1, 4, {0: 2, 1: 1, 2: 1}),
        (2, 4, {0: 1, 1: 2, 2: 1}),
        (2, 1, {1: 1}),
        (3, 4, {0: 1, 1: 1, 2: 2}),
        (3, 2, {0: 1, 2: 1}),
        (4, 6, {0: 2, 1: 2, 2: 2}),
        (4, 7, {0: 3, 1: 2, 2: 2}),
        (6, 6, {0: 2, 1: 2, 2: 2}),
    ],
)
def test_cards_that_run_short_go_round_one_at_a_time(round: int, pile: int, drawing: dict[int, int]) -> None:
    """ "One card at a time, clockwise, repeated, starting from seat (round − 1) mod seats, skipping those owed
    nothing"."""
    hands, how = EARNS_3_2_2
    table = Table(*hands, **how, round=round, pile=pile)
    table.step("b1** g1", "g9 b8", "g2 b3")
    assert table.drawing() == drawing
    assert table.need.hands[0][1] == tuple(
        place for place, seat in zip(table.state.pile, table.state.owed, strict=False) if seat == table.need.hands[0][0]
    )


def test_drawing_goes_on_where_it_stopped_when_the_pile_was_rebuilt() -> None:
    """ "Also in mid-draw": after the reshuffle the next card goes to whoever was next."""
    hands, how = EARNS_3_2_2
    table = Table(*hands, **how, round=2, pile=4, aside="p1 p2")
    table.step("b1** g1", "g9 b8", "g2 b3")
    assert table.drawing() == {0: 1, 1: 2, 2: 1}
    table.step()
    assert isinstance(table.need, Shuffle)
    table.step()
    assert table.drawing() == {0: 1, 2: 1}  # two cards for the three still owed: seat 2, then seat 0
    table.step()
    assert [(told["seats"], told["count"]) for told in table.told("draws_lost")] == [((0,), 1)]


def test_the_pile_is_rebuilt_only_when_a_card_is_owed() -> None:
    """ "Reshuffle lazily: only when a card is owed and the pile is empty"."""
    hands, how = EARNS_3_2_2
    table = Table(*hands, **how, pile=7, aside="p1 p2")
    table.step("b1** g1", "g9 b8", "g2 b3")
    table.step()
    assert table.state.pile == ()
    assert isinstance(table.need, Pass)
    assert len(table.state.aside) == 2


def test_both_kinds_of_cards_are_gathered() -> None:
    """ "Gather both: every card, hand and table, of everyone already out …, and everything under each active player's
    5 newest numbers (10 cards). Shuffle them face down into the new pile"."""
    old = "b1 b1* b1** b2"
    five = "b3 b4 b3* b4* b3** b4** b5 b6 b5* b6*"
    table = Table(
        "p9 p9*",
        "g9 g9* g1",
        "",
        numbers=[f"{old} {five}", "p1 p2", "g3 g4 g5 g6"],
        pile=0,
        out=[2],
        aside="g8 g8*",
    )
    lying = [table.state.players[0].numbers, table.state.players[2].numbers]
    table.step("p9 p9*", "g9 g9*")
    # Seat 0 has 99 on top of seven numbers now: three of them lie under the five newest.
    gathered = [card for number in lying[0][:3] + lying[1] for card in number]
    assert isinstance(table.need, Shuffle)
    assert sorted(gathered) == list(table.need.cards)
    assert table.need.places == table.state.aside
    assert len(table.need.into) == len(gathered) + 2
    table.step()
    assert table.told("reshuffled")[0]["count"] == 12
    assert [len(player.numbers) for player in table.state.players] == [5, 2, 0]
    assert table.state.players[0].numbers[:-1] == lying[0][3:]
    assert table.state.aside == ()
    assert isinstance(table.need, Draw)


def test_this_rounds_drop_outs_are_gathered_too() -> None:
    """ "Everyone already out (including this round's drop-outs)"."""
    table = Table("p9 b9 b5", "g9 g8 b5", "g1 b1 b3", numbers=["p1 p1", "p2 p2", "p8 p8"], pile=0, stage="check")
    hand = table.state.players[2].hand
    table.step()
    assert table.need == Leave((2,))
    table.step()
    assert table.state.aside == hand
    table.step("p9 b9", "g9 g8")
    assert isinstance(table.need, Shuffle)
    assert table.need.places == hand
    assert [GAME.face(card) for card in table.need.cards] == ["p8", "p8"]


def test_draws_are_lost_when_nothing_is_left() -> None:
    """ "If nothing is left even so, the remaining draws of this round are lost"."""
    table = Table("p9 b9 b1", "g9 g8 b2", numbers=["p1 p1", "p2 p2"], pile=0)
    table.step("p9 b9", "g9 g8")
    assert [(told["seats"], told["count"]) for told in table.told("draws_lost")] == [((0,), 2)]
    assert isinstance(table.need, Pass)
    assert table.state.owed == ()


# --- the end ------------------------------------------------------------------------------------------------------


def test_the_last_player_wins_without_drawing_or_playing_on() -> None:
    """ "One player left: wins, without drawing or playing on"."""
    table = Table("b9 b8", "p1 p2", "g1 g2", last=[90] * 3, stage="check")
    table.step()
    over = table.over()
    assert over.ranking == ((0,), (1, 2))
    assert (over.reason.name, over.reason["seat"]) == ("last_player", 0)
    assert table.hand(0) == ["b8", "b9"]


def test_of_all_who_drop_together_most_cards_win() -> None:
    """ "All remaining drop in the same check: most cards in hand (counted then, after passing) wins". The sources: the
    last three cannot form: the one with most cards wins."""
    table = Table("b1 b2", "p1 p2 p3 p4", "g1 g2 g3", last=[90] * 3, stage="pass")
    table.step("b1", "p1", "g1")
    table.step()
    over = table.over()
    assert over.ranking == ((1,), (2,), (0,))
    assert (over.reason.name, over.reason["seat"], over.reason["count"]) == ("most_cards", 1, 4)


def test_equal_hands_are_decided_by_the_lowest_last_number() -> None:
    """ "Tie → lowest last number"."""
    table = Table("b1 b2 b3", "p1 p2 p3", "g1 g2", last=[91, 90, 80], stage="check")
    table.step()
    assert table.over().ranking == ((1,), (0,), (2,))
    reason = table.over().reason
    assert (reason.name, reason["seat"], reason["count"], reason["number"]) == ("lowest_number", 1, 3, 90)


def test_equal_hands_and_numbers_share_the_victory() -> None:
    """ "Still tied → shared victory"."""
    table = Table("b1 b2 b3", "p1 p2 p3", "g1 g2", last=[90, 90, 80], stage="check")
    table.step()
    assert table.over().ranking == ((0, 1), (2,))
    assert (table.over().reason.name, table.over().reason["seats"]) == ("shared", (0, 1))


def test_only_those_who_fell_last_are_compared() -> None:
    """Who dropped out before ranks behind all who dropped together in the end, whatever it held."""
    table = Table("b1 b2", "p1 p2", "", last=[90, 91, 20], stage="check", out=[2])
    table.step()
    assert table.over().ranking == ((0,), (1,), (2,))


def test_few_cards_and_no_number_drop_in_the_same_check() -> None:
    """Who has fewer than two cards and who can form no number drop out at once, and are compared together."""
    table = Table("b9", "p1 p2", "g1", last=[90, 90, 90], stage="pass")
    table.step("b9", "p2", "g1")
    assert [one.seat for one in table.need.asked] == [1]
    table.step()
    assert table.over().reason.name == "last_player"  # the 9 came to seat 1: it can, the others cannot
    table = Table("b8", "p1 p2", "g1", last=[90, 90, 90], stage="pass")
    table.step("b8", "p2", "g1")
    table.step()
    assert table.over().ranking == ((1,), (0, 2))
    assert table.over().reason.name == "most_cards"


def test_the_result_tells_how_everyone_fared() -> None:
    """The result has a note per seat: how and when it ended, with how many cards and which last number."""
    table = Table("b9 b8", "p1 p2 p3", "", last=[90, 80, 70], stage="check", out=[2])
    table.step()
    assert [tuple(dict(told.values).values()) for told in table.over().details] == [
        (0, "in", 2, 2, 90),
        (1, "out_no_number", 2, 3, 80),
        (2, "out_no_number", 1, 0, 70),
    ]


# --- what a screen gets -------------------------------------------------------------------------------------------


def test_hand_counts_are_always_visible() -> None:
    """ "Hand counts must always be visible: the hand-count tie-break settles a third of all games"."""
    table = Table("b1 b2 b3", "p1 p2", "", last=[0, 0, 0], out=[2], pile=7)
    for seat in (0, 1, 2, None):
        view = table.dealer.view(seat)
        assert (view.counts, view.pile, view.round, view.step) == ((3, 2, 0), 7, 2, 2)
        assert view.players == table.state.players
    assert table.dealer.view(None).last == 0


def test_a_view_tells_what_each_number_is_sure_to_earn() -> None:
    """For each own move: the number, its stars, whether digits are equal and which runs it completes."""
    table = Table("b4** b5 p4*", "p1 p2", last=[11, 0], tens=["bb", ""], units=["pp", ""])
    view = table.dealer.view(0)
    earned = view.earned(table.move(0, "b4** p4*"))
    assert (earned.number, earned.stars, earned.equal, earned.runs, earned.sure) == (44, 3, True, ("tens", "units"), 3)
    earned = view.earned(table.move(0, "p4* b5"))
    assert (earned.number, earned.stars, earned.equal, earned.runs, earned.sure) == (45, 1, False, (), 0)
    assert [number for number, _ in view.numbers] == [44, 44, 45, 45, 54, 54]
