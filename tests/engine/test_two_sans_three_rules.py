"""Every rule of 2 SANS 3, with the sentence it comes from, and every example of the sources."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain

import every_game
import pytest
from two_sans_three_table import GAME, Table, card, colour, of

from engine.cards import Seat
from engine.dealer import Dealer
from engine.game import BadFact, Departed, Draw, IllegalMove, Move, Moved, Open, Opened, Over, Played, Shuffle, Turn
from engine.games.two_sans_three import (
    BONUSES,
    COLOURS,
    NEUTRALS,
    STARTS,
    VALUE,
    VALUES,
    collect,
    final_bonus,
    worth,
)

# --- cards --------------------------------------------------------------------------------------------------------


def test_the_cards() -> None:
    """ "90 number cards 0–89, one each. 0, 30, 60 are the start cards. 15, 45, 75 have no colour." """
    assert len(GAME.deck) == 87
    assert sorted((*VALUES, *STARTS)) == list(range(90))
    assert sorted(chain(NEUTRALS, *COLOURS.values())) == sorted(VALUES)


def test_the_colours() -> None:
    """ "The other 84: seven colours × 12"; the table is balanced: "12 per colour, 4 per row, each colour once per block
    of seven"."""
    assert len(COLOURS) == 7
    coloured = sorted(chain(*COLOURS.values()))
    assert len(set(coloured)) == 84
    for values in COLOURS.values():
        assert Counter(value // 30 for value in values) == {0: 4, 1: 4, 2: 4}
    for block in range(0, 84, 7):
        assert len({colour(value) for value in coloured[block : block + 7]}) == 7


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("red", "4 8 20 28 37 41 46 56 67 71 76 86"),
        ("orange", "3 9 22 26 31 43 48 58 65 74 78 83"),
        ("green", "6 13 17 24 36 40 50 54 62 68 81 89"),
        ("light_blue", "5 10 16 29 33 38 52 57 66 70 79 85"),
        ("magenta", "2 14 19 25 35 39 47 59 63 73 77 87"),
        ("turquoise", "7 12 18 23 34 44 49 53 61 69 82 88"),
        ("lilac", "1 11 21 27 32 42 51 55 64 72 80 84"),
    ],
)
def test_the_colour_of_each_value(name: str, values: str) -> None:
    """This project's table, which is part of the rules identity."""
    assert COLOURS[name] == tuple(map(int, values.split()))
    assert all(colour(value) == name for value in COLOURS[name])
    assert GAME.tables["colours"] is COLOURS


# --- setting up ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.seats)
def test_setting_up(players: int) -> None:
    """ "Three random cards from the other 87 are placed by the placement rule. Each player gets 20 of the remaining 84
    as a face-down personal pile nobody has seen, and takes 8 from it. The rest stays unseen." """
    table = Dealer(GAME, players, random.Random(2))
    assert isinstance(table.need, Shuffle)
    assert len(table.need.cards) == 87
    table.step()
    assert isinstance(table.need, Open)
    assert len(table.need.places) == 3
    assert [len(player.pile) for player in table.state.players] == [20] * players
    assert len(table.state.unused) == 84 - 20 * players
    table.step()
    assert sum(map(len, table.state.rows)) == 3
    assert isinstance(table.need, Draw)
    assert [(seat, len(places)) for seat, places in table.need.hands] == [(seat, 8) for seat in range(players)]
    table.step()
    assert [(len(player.hand), len(player.pile)) for player in table.state.players] == [(8, 12)] * players
    assert table.state.bonuses == BONUSES == (10, 7, 5, 3)
    assert table.need == Turn(0)  # the seating is the lot: seat 0 begins


def test_two_to_four_play() -> None:
    """The game is for 2 to 4 players."""
    assert list(GAME.seats) == [2, 3, 4]


def test_the_opened_cards_may_be_neutral_and_fall_in_one_row() -> None:
    """ "They may be neutral, and may all fall in one row": nothing is taken; the next card there is the fifth."""
    table = Dealer(GAME, 2, random.Random(1))
    table.step()
    state = GAME.apply(table.state, Opened((), (card(45), card(31), card(59))))
    assert [VALUE[one] for one in state.rows[1]] == [31, 45, 59]
    assert all(player.taken == () for player in state.players)
    table = Table([50, 1, 2], [3, 4, 5], rows=[[], [31, 45, 59], []])
    table.play(50)
    assert table.took() == [59]


def test_turns_go_clockwise() -> None:
    """ "Turns go clockwise." """
    table = Table([1, 2, 3, 4], [31, 32, 33, 34], [61, 62, 63, 64])
    for value, following in [(1, 1), (31, 2), (61, 0), (2, 1)]:
        table.play(value)
        assert table.need == Turn(Seat(following))


# --- 1 play -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", VALUES)
def test_every_card_always_has_exactly_one_place(value: int) -> None:
    """ "Play exactly one card into its row (value ÷ 30), sorted ascending. Every card always has exactly one place"."""
    row = value // 30
    lying = [30 * row + offset for offset in (8, 20) if 30 * row + offset != value]
    rows: list[list[int]] = [[], [], []]
    rows[row] = lying
    others = [one for one in VALUES if one != value and one not in lying]
    table = Table([value, *others[:3]], others[3:7], rows=rows)
    table.play(value)
    assert table.row(value) == sorted([30 * row, *lying, value])
    assert [len(cards) for cards in table.state.rows] == [len(lying) + 1 if one == row else 0 for one in range(3)]
    told = table.told("placed")[0]
    assert (told["seat"], VALUE[told["card"]], told["row"]) == (0, value, row)


def test_the_example_of_placing() -> None:
    """ "Row 30 46 57, play 40 → 30 40 46 57, nothing taken." """
    table = Table([40, 1, 2], [3, 4, 5], rows=[[], [46, 57], []])
    table.play(40)
    assert table.row(40) == [30, 40, 46, 57]
    assert table.took() == []


def test_exactly_one_card_and_no_passing() -> None:
    """ "Play exactly one card"; "no passing": every hand card is a move, nothing else is."""
    table = Table([40, 1, 2], [3, 4, 5])
    hand = table.state.players[0].hand
    view = table.dealer.view(Seat(0))
    assert view.moves == tuple(Move("play", (place,)) for place in hand)
    for wrong in (Move("play"), Move("play", hand[:2]), Move("pass"), Move("play", hand[:1], (1,))):
        faces = tuple(table.dealer.faces[place] for place in wrong.slots)
        with pytest.raises(IllegalMove) as refused:
            GAME.apply(table.state, Moved((), Played(Seat(0), wrong, faces)))
        assert (refused.value.seat, refused.value.note.name) == (0, "not_one_card")


# --- 2 the fifth card ---------------------------------------------------------------------------------------------


def test_the_example_of_the_highest_card() -> None:
    """ "If the played card is the highest of its row, take the one card next to the start card". "Row 0 10 19 24, play
    28 → take 10; row 0 19 24 28." """
    table = Table([28, 1, 2], [3, 4, 5], rows=[[10, 19, 24], [], []])
    table.play(28)
    assert table.took() == [10]
    assert table.row(28) == [0, 19, 24, 28]


def test_the_example_of_a_card_that_is_not_the_highest() -> None:
    """ "Otherwise take every card of the row higher than the played one". "Row 30 40 46 57, play 37 → take 40, 46, 57;
    row 30 37." """
    table = Table([37, 1, 2], [3, 4, 5], rows=[[], [40, 46, 57], []])
    table.play(37)
    assert table.took() == [40, 46, 57]
    assert table.row(37) == [30, 37]


@pytest.mark.parametrize(
    ("played", "takes", "left"), [(61, [65, 70, 80], [61]), (68, [70, 80], [65, 68]), (75, [80], [65, 70, 75])]
)
def test_one_to_three_cards_are_taken(played: int, takes: list[int], left: list[int]) -> None:
    """ "(1–3). The start card and the played card always stay." """
    table = Table([played, 1, 2], [3, 4, 5], rows=[[], [], [65, 70, 80]])
    table.play(played)
    assert table.took() == takes
    assert table.row(60) == [60, *left]


def test_taking_is_compulsory_and_only_at_the_fifth_card() -> None:
    """ "Fifth card of a row (start card counts): taking is compulsory": four lie there and nothing happens."""
    table = Table([20, 1, 2], [3, 25, 5], rows=[[10, 15], [], []])
    table.play(20)
    assert table.row(20) == [0, 10, 15, 20]
    assert table.took() == []
    table.play(25)
    assert table.took() == [10]


# --- 3 the collection ---------------------------------------------------------------------------------------------


def test_taken_neutrals_leave_the_game() -> None:
    """ "Taken neutrals leave the game at once": they are in no collection and score nothing."""
    table = Table([3, 1, 2], [4, 5, 6], rows=[[10, 15, 24], [], []])
    table.play(3)
    assert table.took() == [10, 15, 24]
    assert [VALUE[one] for one in table.told("removed")[0]["cards"]] == [15]
    assert [VALUE[one] for one in table.state.players[0].taken] == [10, 24]
    assert [VALUE[one] for one in table.state.removed] == [15]
    every_game.check_cards(table.dealer)


def test_the_third_card_of_a_colour_turns_all_three_over() -> None:
    """ "Two green and a third green → three face down. Later a fourth → one face up." """
    table = Table([1, 31, 2, 89], [3, 33, 7, 8], rows=[[6, 10, 20], [36, 41, 46], []], taken=[[13, 17], []])
    table.play(1)  # takes green 6 with 10 and 20
    assert table.up(0) == {"light_blue": 1, "red": 1}
    assert table.down(0) == 3
    assert [(told["seat"], told["colour"]) for told in table.told("flipped")] == [(0, "green")]
    table.play(3)
    table.play(31)  # takes green 36 with two reds, which makes three of those
    assert table.up(0) == {"light_blue": 1, "green": 1}
    assert table.down(0) == 6


def test_all_cards_of_a_take_join_as_one_event() -> None:
    """ "Coloured ones join your collection as one event: … With n of a colour: n mod 3 face up, the rest face down"."""
    counts = collect((0,) * 7, tuple(card(value) for value in of("red", 5)))
    assert sum(count % 3 for count in counts) == 2
    assert worth(counts) == 5 - 3
    reds = of("red", 2)
    table = Table([61, 1, 2], [3, 5, 6], rows=[[], [], [67, 71, 76]], taken=[reds, []])
    table.play(61)  # three reds on top of two: five, of which two stay up
    assert table.up(0) == {"red": 2}
    assert table.down(0) == 3
    assert len(table.told("flipped")) == 1


@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 1), (2, 5), (3, -3), (4, -2), (5, 2), (6, -6), (12, -12)])
def test_what_a_colour_is_worth(count: int, points: int) -> None:
    """ "Per colour 1 face-up card = 1, 2 face-up = 5; −1 per face-down card"."""
    assert worth((count, 0, 0, 0, 0, 0, 0)) == points
    assert worth((count,) * 7) == 7 * points


# --- 4 the intermediate bonus -------------------------------------------------------------------------------------

SIX = [4, 3, 6, 5, 2, 7]  # one of every colour but lilac


def test_seven_colours_win_the_highest_bonus_left() -> None:
    """ "All seven colours face up → highest bonus left." """
    table = Table([31, 8, 9], [41, 10, 12], rows=[[], [32, 33, 34], []], taken=[SIX, []])
    table.play(31)  # takes lilac 32
    assert [(told["seat"], told["points"]) for told in table.told("bonus")] == [(0, 10)]
    assert table.state.players[0].bonus == 10
    assert table.state.bonuses == (7, 5, 3)


def test_the_next_one_gets_the_next_bonus() -> None:
    """The bonuses 10, 7, 5, 3 lie in a stack."""
    table = Table([31, 8, 9], [41, 10, 12], rows=[[], [32, 33, 34], []], taken=[SIX, []], bonus=[0, 10])
    table.play(31)
    assert table.state.players[0].bonus == 7


def test_the_bonus_comes_once_and_stays() -> None:
    """ "Once per player, kept even if a colour is lost later." """
    lilac = 1
    table = Table([31, 8, 9], [41, 10, 12], rows=[[], [33, 34, 35], []], taken=[[*SIX, lilac], []], bonus=[10, 0])
    table.play(31)
    assert table.told("bonus") == []
    assert (table.state.players[0].bonus, table.state.bonuses) == (10, (7, 5, 3))
    table = Table([31, 8, 9], [41, 10, 12], rows=[[], [32, 42, 51], []], taken=[[*SIX, lilac, 11], []], bonus=[10, 0])
    table.play(31)  # three lilacs on top of two: two are left
    assert "lilac" in table.up(0)
    table = Table([31, 9, 15], [41, 10, 12], rows=[[], [37, 42, 46], []], taken=[[*SIX, lilac], []], bonus=[10, 0])
    table.play(31)  # two reds on top of one: red is lost
    assert "red" not in table.up(0)
    assert table.state.players[0].bonus == 10


def test_the_bonus_is_checked_after_the_flips() -> None:
    """ "Checked once after the whole take and its flips": a take that brings the seventh colour and loses another."""
    table = Table([31, 9, 10], [41, 1, 12], rows=[[], [32, 37, 46], []], taken=[SIX, []])
    table.play(31)  # lilac 32, and reds 37 and 46 as the second and third red
    assert len(table.up(0)) == 6
    assert table.told("bonus") == []


# --- 5 drawing ----------------------------------------------------------------------------------------------------


def test_draw_six_when_down_to_two() -> None:
    """ "Draw six from your pile when you are down to two cards and the pile is not empty"."""
    table = Table([1, 2, 3], [31, 32, 33, 34], piles=[12, 12])
    pile = table.state.players[0].pile
    table.play(1)
    assert table.need == Draw(((Seat(0), pile[:6]),))
    table.dealer.step()
    assert (len(table.state.players[0].hand), len(table.state.players[0].pile)) == (8, 6)
    assert [(told["seat"], told["count"]) for told in table.told("drew")] == [(0, 6)]
    assert table.need == Turn(Seat(1))
    table.play(31)
    assert table.need == Turn(Seat(0))  # three cards left: no draw


@pytest.mark.parametrize("players", GAME.seats)
def test_eighteen_turns_each_and_two_refills(players: int) -> None:
    """ "(Happens exactly twice)"; "after 18 turns each, piles are empty and everyone holds two cards"."""
    for seed in range(5):
        turns, refills = Counter[int](), Counter[int]()
        for table in every_game.steps(GAME, players, seed):
            if isinstance(table.need, Turn):
                turns[table.need.seat] += 1
                left = table.view(None).turns_left
                assert left[table.need.seat] == 19 - turns[table.need.seat]
            elif isinstance(table.need, Draw):
                refills.update(seat for seat, places in table.need.hands if len(places) == 6)
        assert turns == dict.fromkeys(range(players), 18)
        assert refills == dict.fromkeys(range(players), 2)
        assert [(len(one.hand), one.pile) for one in table.state.players] == [(2, ())] * players


# --- the end ------------------------------------------------------------------------------------------------------


def last_turn(taken: list[list[int]], bonus: list[int] | None = None) -> Table:
    """The last card of a game is played, and takes nothing."""
    seats = len(taken)
    low = [61, 62, 63, 64, 68, 69, 72, 73, 75]
    hands = [low[2 * seat : 2 * seat + 2] for seat in range(seats)]
    table = Table(*hands[:-1], [*hands[-1], 80], taken=taken, bonus=bonus, turn=seats - 1)
    table.play(80)
    return table


def test_the_example_of_scoring() -> None:
    """ "Four colours with 1, two with 2, six face down, intermediate 7, six colours at the end → 4 + 10 − 6 + 7 + 5 =
    20." """
    collection = [
        *of("red", 1),
        *of("orange", 1),
        *of("green", 1),
        *of("light_blue", 4),
        *of("magenta", 5),
        *of("turquoise", 2),
    ]
    table = last_turn([collection, []], bonus=[7, 10])
    score = table.over().details[0]
    assert dict(score.values) == {
        "seat": 0,
        "points": 20,
        "singles": 4,
        "pairs": 2,
        "down": 6,
        "bonus": 7,
        "colours": 6,
        "final": 5,
    }


@pytest.mark.parametrize(("colours", "points"), [(7, 10), (6, 5), (5, 0), (0, 0)])
def test_the_final_bonus(colours: int, points: int) -> None:
    """ "Final bonus 10 for seven face-up colours, 5 for six"."""
    assert final_bonus((1,) * colours + (0,) * (7 - colours)) == points
    assert final_bonus((2,) * colours + (3,) * (7 - colours)) == points


def test_the_final_bonus_is_for_each_player_independently() -> None:
    """ "For each player independently": two may have it, and it does not depend on the intermediate one."""
    seven = [[values[number] for values in COLOURS.values()] for number in range(2)]
    table = last_turn(seven)
    assert [told["final"] for told in table.over().details] == [10, 10]
    assert [told["points"] for told in table.over().details] == [17, 17]


def test_most_points_win() -> None:
    """ "Most points wins". The two cards left in hand "do not count"."""
    table = last_turn([of("red", 1), of("green", 2), of("lilac", 3)])
    assert table.over().ranking == ((1,), (0,), (2,))
    reason = table.over().reason
    assert (reason.name, reason["seat"], reason["points"]) == ("most_points", 1, 5)


def test_ties_share_the_win() -> None:
    """ "Ties share the win." """
    table = last_turn([of("red", 2), of("green", 2), of("lilac", 1)])
    assert table.over().ranking == ((0, 1), (2,))
    assert (table.over().reason.name, table.over().reason["seats"]) == ("shared_points", (0, 1))


def test_a_score_may_be_negative() -> None:
    """Face-down cards cost a point each; nothing stops at zero."""
    table = last_turn([of("red", 3), of("green", 6)])
    assert [told["points"] for told in table.over().details] == [-3, -6]
    assert table.over().ranking == ((0,), (1,))


# --- what everybody sees ------------------------------------------------------------------------------------------


def test_rows_collections_bonuses_and_counts_are_public_hands_and_piles_not() -> None:
    """ "Rows, collections, bonuses and all counts are public; hands and piles are not, one's own pile included"."""
    taken = [[4, 8, 20, 28, 3], [6]]
    table = Table([1, 2, 5], [9, 10, 11, 12], taken=taken, rows=[[7], [], [61]], piles=[6, 12], bonus=[0, 10])
    for seat in (Seat(0), Seat(1), None):
        view = table.dealer.view(seat)
        assert [[VALUE[one] for one in row] for row in view.rows] == [[7], [], [61]]
        assert view.up == ((1, 1, 0, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0, 0))
        assert view.down == ((3, 0, 0, 0, 0, 0, 0), (0,) * 7)
        assert (view.counts, view.piles) == ((3, 4), (6, 12))
        assert view.turns_left == (7, 14)
        assert view.bonuses == (7, 5, 3)
        assert view.points == (-3 + 1 + 1, 1 + 10)
    known = table.dealer.known(Seat(0))
    assert set(known) == set(table.state.players[0].hand)


def test_a_view_tells_what_each_own_card_would_take() -> None:
    """For each own card, also when it is not one's turn: row, position, what it takes and what that changes."""
    table = Table([1, 2, 3], [37, 59, 61], rows=[[], [40, 46, 57], []], taken=[[], [6, 13]])
    view = table.dealer.view(Seat(1))
    outcomes = [outcome for _, outcome in view.outcomes]
    assert [[VALUE[one] for one in outcome.takes] for outcome in outcomes] == [[40, 46, 57], [40], []]
    assert [(outcome.row, outcome.position) for outcome in outcomes] == [(1, 1), (1, 4), (2, 1)]
    assert [outcome.points for outcome in outcomes] == [-3 + 1 + 1 - 5, -3 - 5, 0]
    assert [outcome.bonus for outcome in outcomes] == [0, 0, 0]


# --- outside the rules --------------------------------------------------------------------------------------------


def test_who_is_gone_takes_no_more_turns() -> None:
    """ "Whoever leaves or is gone for good takes no more turns"."""
    table = Table([1, 2, 3, 4], [31, 32, 33, 34], [61, 62, 63, 64])
    table.play(1, gone=[1])
    assert [told["seats"] for told in table.told("gone")] == [(1,)]
    assert [player.fell for player in table.state.players] == [0, 1, 0]
    assert table.need == Turn(Seat(2))
    table.play(61)
    assert table.need == Turn(Seat(0))


def test_who_goes_on_its_own_turn_is_followed_by_the_next() -> None:
    """The turn of who goes passes on; a card it had played stays played."""
    table = Table([1, 2, 3, 4], [31, 32, 33, 34], [61, 62, 63, 64])
    table.dealer.depart(Seat(0))
    assert table.need == Turn(Seat(1))
    table.play(31, gone=[1])
    assert table.over().ranking == ((2,), (1,), (0,))
    assert table.row(31) == [30, 31]


def test_a_turn_goes_on_while_others_leave() -> None:
    """Who is on turn stays on turn when somebody else goes, and what it had committed to still binds it."""
    table = Table([1, 2, 3, 4], [31, 32, 33, 34], [61, 62, 63, 64])
    table.dealer.depart(Seat(2))
    assert table.need == Turn(Seat(0))


def test_hand_and_pile_leave_the_game_unseen() -> None:
    """ "Hand and pile leave the game unseen, rows stay, its collection stays visible, unscored, ranked last"."""
    table = Table([1, 2, 3, 4], [31, 32, 33, 34], [61, 62, 63, 64], taken=[[8], [13, 17], []], piles=[6, 6, 6])
    lost = table.state.players[1]
    unused = table.state.unused
    table.dealer.depart(Seat(1))
    assert table.state.unused == unused + lost.hand + lost.pile
    assert table.state.players[1].taken == lost.taken
    piles = [table.state.players[seat].pile for seat in (0, 2)]
    assert GAME.face_down(table.state) == (*piles[0], *piles[1], *table.state.unused)
    every_game.check_cards(table.dealer)
    table.dealer.depart(Seat(2))
    over = table.over()
    assert over.ranking == ((0,), (2,), (1,))
    assert (over.reason.name, over.reason["seat"]) == ("forfeit", 0)
    assert [told.name for told in over.details] == ["score", "unscored", "unscored"]
    assert over.details[2]["pairs"] == 1


@pytest.mark.parametrize("players", [3, 4])
def test_the_others_still_get_eighteen_turns_each(players: int) -> None:
    """ "The others still get 18 turns each", whoever goes and whenever."""
    for seed in range(12):
        chance = random.Random(seed)
        table = Dealer(GAME, players, chance)
        lost, moment = Seat(seed % players), chance.randrange(2, 60)
        turns: Counter[int] = Counter()
        for step in range(400):
            if isinstance(table.need, Over):
                break
            if isinstance(table.need, Turn):
                turns[table.need.seat] += 1
            moves = every_game.choices(table, chance)
            gone = [lost] if step == moment else []
            table.step(moves, gone)
        assert {seat: turns[seat] for seat in range(players) if seat != lost} == {
            seat: 18 for seat in range(players) if seat != lost
        }
        assert table.need.ranking[-1] == (lost,)


def test_who_goes_before_the_deal_has_no_pile() -> None:
    """Before the shuffle: only those who stay get piles. Between shuffle and deal: its pile goes to the unused rest."""
    table = Dealer(GAME, 3, random.Random(1))
    table.depart(Seat(0))
    table.step()
    assert [len(player.pile) for player in table.state.players] == [0, 20, 20]
    table.step()
    table.step()
    assert table.need == Turn(Seat(1))
    table = Dealer(GAME, 3, random.Random(1))
    table.step(gone=[Seat(1)])
    assert len(table.state.unused) == 84 - 60 + 20
    table.step()
    table.step(gone=[Seat(0)], finished=[0])
    assert isinstance(table.need, Over)


def test_an_owed_draw_goes_with_who_is_gone_and_stays_with_who_stays() -> None:
    """A refill that did not come is asked again, unless it was for who has gone."""
    table = Table([1, 2, 3], [31, 32, 33, 34], [61, 62, 63, 64], piles=[6, 6, 6])
    table.play(1)
    table.dealer.depart(Seat(1))
    assert isinstance(table.need, Draw)
    assert table.need.hands[0][0] == 0
    table = Table([1, 2, 3], [31, 32, 33, 34], [61, 62, 63, 64], piles=[6, 6, 6])
    table.play(1)
    table.dealer.depart(Seat(0))
    assert table.need == Turn(Seat(1))


def test_only_who_is_at_the_table_can_go() -> None:
    """Naming a seat that has gone already is no fact."""
    table = Table([1, 2, 3, 4], [31, 32, 33, 34], [61, 62, 63, 64])
    table.dealer.depart(Seat(1))
    with pytest.raises(BadFact):
        GAME.apply(table.state, Departed((Seat(1),)))
