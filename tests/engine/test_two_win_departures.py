"""2 WIN when a player leaves or is gone for good: the paragraph "Outside the rules", at every step of a round."""

from __future__ import annotations

import random

import every_game
import pytest
from two_win_table import GAME, Table

from engine.cards import Seat
from engine.dealer import Dealer
from engine.game import BadFact, Choose, Claim, Departed, Draw, Gift, IllegalMove, Leave, Pass, Passed, Shuffle


def test_a_departure_is_a_drop_out_at_that_moment_with_its_cards_set_aside() -> None:
    """ "Whoever leaves or is gone for good drops out at that moment"; its hand joins the face-down places."""
    table = Table("b1 b2", "p1 p2", "g1 g2", numbers=["b3 b4", "", ""])
    hand = table.state.players[0].hand
    table.dealer.depart(0)
    assert table.told("gone")[0]["seats"] == (0,)
    assert table.need == Choose((1, 2))
    assert table.state.aside == hand
    assert GAME.face_down(table.state) == table.state.pile + hand  # the pile first, then set-aside hands
    assert len(table.state.players[0].numbers) == 1  # what it had opened stands
    every_game.check_cards(table.dealer)


def test_the_end_check_is_made_at_once() -> None:
    """ "The end check is made at once": with one player left, that player has won, whatever was going on."""
    for stage in ("pass", "check", "form"):
        table = Table("b1 b2", "p1 p2", "g1 g2", stage=stage, last=[90] * 3)
        table.dealer.depart(0, 2)
        over = table.over()
        assert over.ranking == ((1,), (0, 2))
        assert (over.reason.name, over.reason["seat"]) == ("forfeit", 1)


def test_who_left_ranks_below_all_who_stayed() -> None:
    """ "It ranks below all who stayed", also below who dropped out long before; the first to go is last."""
    table = Table("b9 b8", "p1 p2", "", "g1 g2", "g3 g4", last=[90] * 5, out=[2], stage="check")
    table.dealer.depart(3)
    table.dealer.depart(4)
    table.step()
    assert table.over().ranking == ((0,), (1,), (2,), (4,), (3,))


def test_lost_seats_go_before_the_end_check() -> None:
    """First what a fact holds, then the departures, then the game goes on: who alone is left need not form."""
    table = Table("b1 b2", "p1 p2", "g1 g2", last=[90] * 3, stage="check")
    table.step(gone=[1, 2], finished=[0])  # seat 0 has shown that it cannot form, but the others are gone
    assert table.over().ranking == ((0,), (1, 2))
    assert table.over().reason.name == "forfeit"


def test_nobody_left_is_an_abandoned_game() -> None:
    """All gone at once: no winner, all of them equal."""
    table = Table("b1 b2", "p1 p2", last=[0, 0])
    table.dealer.depart(0, 1)
    assert table.over().ranking == ((0, 1),)
    assert table.over().reason.name == "abandoned"


# --- before the first round ---------------------------------------------------------------------------------------


def test_who_goes_before_the_deal_is_dealt_nothing() -> None:
    """The deck is shuffled and dealt to those who are still there."""
    table = Dealer(GAME, 4, random.Random(1))
    table.depart(1)
    assert isinstance(table.need, Shuffle)
    table.step(gone=[3])
    assert isinstance(table.need, Draw)
    assert [(seat, len(places)) for seat, places in table.need.hands] == [(0, 9), (2, 9)]
    assert len(table.state.pile) == 108


def test_a_deal_that_came_through_in_part_goes_on_for_the_rest() -> None:
    """Who had got its hand keeps it, who was gone gives it up, the others are dealt theirs."""
    table = Dealer(GAME, 4, random.Random(1))
    table.step()
    hands = dict(table.need.hands)
    table.step(gone=[1], finished=[1, 2])
    assert GAME.hands(table.state) == ((), (), hands[2], ())
    assert table.state.aside == hands[1]
    assert [(seat, len(places)) for seat, places in table.need.hands] == [(0, 9), (3, 9)]
    table.step()
    assert table.need == Pass(((0, 2), (2, 3), (3, 0)))
    every_game.check_cards(table)


# --- passing ------------------------------------------------------------------------------------------------------


def test_a_pass_aimed_at_who_is_gone_goes_to_the_next_in_the_ring() -> None:
    """ "A pass aimed at it goes to the next in the ring": the same committed card."""
    table = Table("b1 b2", "p1 p2", "g1 g2", "b8 b9", stage="pass")
    table.step("b1", "p1", "g1", "b8", gone=[2], finished=[0, 3])
    assert table.need == Pass(((1, 3),))
    assert table.dealer.committed == {1: table.move(1, "p1")}
    table.step()
    assert [table.hand(seat) for seat in range(4)] == [["b2", "b8"], ["b1", "p2"], [], ["b9", "p1"]]
    assert [told["seats"] for told in table.told("passed")] == [(1, 3)]


def test_a_card_that_was_passed_to_who_stays_stays_passed() -> None:
    """ "What it had opened stands: a card passed to a player still in stays passed"."""
    table = Table("b1 b2", "p1 p2", "g1 g2", "b8 b9", stage="pass")
    table.step("b1", "p1", "g1", "b8", gone=[2], finished=[1, 2])
    assert "g1" in table.hand(3)
    assert len(table.state.aside) == 2  # its other card and the one it had just got
    assert table.need == Pass(((0, 1), (3, 0)))


def test_a_pass_aimed_at_who_has_given_and_gone_goes_on_too() -> None:
    """ "A pass aimed at it goes to the next in the ring", even if that one has got the card of who is gone already."""
    table = Table("b1 b2", "p1 p2", "g1 g2", "b8 b9", stage="pass")
    table.step("b1", "p1", "g1", "b8", gone=[2], finished=[2])
    assert table.need == Pass(((0, 1), (1, 3), (3, 0)))
    table.step()
    assert [table.hand(seat) for seat in (0, 1, 3)] == [["b2", "b8"], ["b1", "p2"], ["b9", "g1", "p1"]]


def test_a_pass_of_who_is_gone_that_did_not_come_takes_it_out_of_the_ring() -> None:
    """Its own card goes nowhere but aside with the rest of its hand; everyone else gives one and gets one."""
    table = Table("b1 b2", "p1 p2", "g1 g2", stage="pass")
    table.step("b1", "p1", "g1", gone=[0], finished=[])
    assert table.need == Pass(((1, 2), (2, 1)))
    table.step()
    assert (table.hand(1), table.hand(2)) == (["g1", "p2"], ["g2", "p1"])
    assert len(table.state.aside) == 2


def test_two_who_go_one_after_the_other_leave_a_ring_of_the_rest() -> None:
    """However many go during a pass, each remaining giver gives to the next one still in."""
    table = Table("b1 b2", "p1 p2", "g1 g2", "b8 b9", "p8 p9", stage="pass")
    table.step("b1", "p1", "g1", "b8", "p8", gone=[2], finished=[4])
    assert table.need == Pass(((0, 1), (1, 3), (3, 4)))
    table.step(gone=[3], finished=[])
    assert table.need == Pass(((0, 1), (1, 4)))
    table.step()
    assert [table.hand(seat) for seat in (0, 1, 4)] == [["b2", "p8"], ["b1", "p2"], ["p1", "p9"]]


def test_an_incomplete_pass_without_a_departure_is_no_fact() -> None:
    """A fact is partial only when somebody has gone."""
    table = Table("b1 b2", "p1 p2", stage="pass")
    with pytest.raises(BadFact):
        GAME.apply(table.state, Passed((), (Gift(0, 1, table.state.players[0].hand[0]),)))


def test_a_card_just_received_cannot_be_passed_on_in_the_same_pass() -> None:
    """ "All choices are hidden and final, then all swap": whoever does it is at fault."""
    table = Table("b1 b2", "p1 p2", "g1 g2", stage="pass")
    place = table.state.players[0].hand[0]
    for fact in [Passed((), (Gift(0, 1, place), Gift(1, 2, place), Gift(2, 0, place)))]:
        with pytest.raises(IllegalMove) as refused:
            GAME.apply(table.state, fact)
        assert refused.value.seat == 1
    table.step("b1", "p2", "g1", gone=[2], finished=[0])
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(table.state, Passed((), (Gift(1, 0, place),)))
    assert (refused.value.seat, refused.value.note.name) == (1, "just_received")


# --- forming ------------------------------------------------------------------------------------------------------


def test_a_check_that_came_in_part_asks_the_rest() -> None:
    """Answers that were given count; the others are still asked, and all who cannot drop out together."""
    table = Table("b1 b2", "p9 p2", "g1 g2", "b9 b8", "p8 p3", last=[90] * 5, stage="check")
    table.step(gone=[4], finished=[0, 1])
    assert [one.seat for one in table.need.asked] == [2, 3]
    assert table.who("out_no_number") == []
    table.step()
    assert table.who("out_no_number") == [0, 2]
    assert table.need == Leave((0, 2))


def test_a_revealed_number_counts_for_this_round_even_if_its_player_is_gone() -> None:
    """ "A revealed number counts for this round's A and B; its own draws lapse"."""
    table = Table("b9** b8*", "p1* p2 p7", "g3 g4 g7", last=[0] * 3)
    table.step("b9** b8*", "p1* p2", "g3 g4", gone=[0], finished=[0, 1])
    assert table.need == Choose((2,))
    table.step()
    assert table.who("draw_a") == table.who("draw_b") == []  # 98 with three stars beats both who are left
    assert isinstance(table.need, Pass)
    assert [player.last for player in table.state.players] == [98, 12, 34]


def test_a_number_that_was_not_revealed_does_not_count() -> None:
    """Who goes before its number is open has none this round, and choices already committed bind the others."""
    table = Table("b9** b8*", "p1* p2", "g3 g4", last=[0] * 3)
    table.step("b9** b8*", "p1* p2", "g3 g4", gone=[0], finished=[1])
    assert table.dealer.committed == {2: table.move(2, "g3 g4")}
    table.step()
    assert (table.who("draw_a"), table.who("draw_b")) == ([2], [1])


# --- drawing ------------------------------------------------------------------------------------------------------


def test_the_draws_of_who_is_gone_lapse() -> None:
    """ "Its own draws lapse", and the cards stay on the pile for the others."""
    table = Table("b1 b2", "p5 p5", "g9 g9", last=[0] * 3, pile=None)
    pile = table.state.pile
    table.step("b1 b2", "p5 p5", "g9 g9")
    assert table.drawing() == {1: 1, 2: 2}
    table.dealer.depart(2)
    assert table.drawing() == {1: 1}
    table.step()
    assert len(table.state.pile) == len(pile) - 1
    every_game.check_cards(table.dealer)


def test_a_draw_that_came_in_part_leaves_the_rest_owed() -> None:
    """Who had drawn keeps its cards, also to give them up when it goes; who had not is still owed them."""
    table = Table("b4 b4", "p5 p5", "g9 g9", last=[0] * 3, tens=["bb", "", "gg"])
    table.step("b4 b4", "p5 p5", "g9 g9")
    assert table.drawing() == {0: 2, 1: 1, 2: 3}
    table.step(gone=[0], finished=[0, 2])
    assert len(table.state.aside) == 2
    assert len(table.hand(2)) == 3
    assert table.drawing() == {1: 1}


def test_who_goes_during_a_reshuffle_is_gathered_by_the_next_one() -> None:
    """A shuffle that came through holds what it was asked to; one that did not takes in the hand of who has gone."""
    hands = ("b4 b4 b1", "p5 p5 b2", "g9 g9 b3")
    table = Table(*hands, last=[0] * 3, numbers=["p1 p2", "p3 p4", "p6 p7"], pile=0, aside="g1 g2")
    table.step("b4 b4", "p5 p5", "g9 g9")
    before = table.need
    assert isinstance(before, Shuffle)
    table.dealer.state = GAME.apply(table.state, Departed((Seat(0),)))
    after = GAME.need(table.state)
    assert isinstance(after, Shuffle)
    assert len(after.places) == len(before.places) + 1
    assert len(after.cards) == len(before.cards) + 4


# --- handing over -------------------------------------------------------------------------------------------------


def test_who_goes_while_handing_over_has_dropped_out_and_not_left() -> None:
    """Who is out by the rules keeps its rank when it vanishes before its hand is handed over."""
    table = Table("b9 b8", "p9 p8", "g1 g2", "b1 b2", last=[80] * 4, stage="check")
    table.step()
    assert table.need == Leave((2, 3))
    table.step(gone=[2], finished=[3])
    assert table.need == Choose((0, 1))
    assert len(table.state.aside) == 4
    assert table.state.players[2].how == "out_no_number"
    table.dealer.depart(0)
    assert table.over().ranking == ((1,), (2, 3), (0,))


def test_handing_over_in_part_asks_the_rest() -> None:
    """Two drop out, one has handed over, somebody else goes: the other still has to."""
    table = Table("b9 b8", "p9 p8", "g1 g2", "b1 b2", "g9 g8", last=[80] * 5, stage="check")
    table.step()
    table.step(gone=[4], finished=[2])
    assert table.need == Leave((3,))
    table.step()
    assert table.need == Choose((0, 1))


def test_a_seat_cannot_go_twice() -> None:
    """Who is out and has handed over is not at the table any more: naming it is no fact."""
    table = Table("b9 b8", "p9 p8", "g1 g2", "", last=[80] * 4, out=[3])
    table.dealer.depart(2)
    for gone in (2, 3):
        with pytest.raises(BadFact):
            table.dealer.depart(gone)
    assert isinstance(table.need, Choose)


def test_zero_card_drop_outs_hand_over_too() -> None:
    """Who drops out with no card at all still leaves the table in order, before the others pass."""
    table = Table("b1 b2", "p5 p3 p1", "g9 g8 g1", last=[10] * 3, stage="form")
    table.step("b1 b2", "p5 p3", "g9 g8")
    while isinstance(table.need, Draw):
        table.step()
    assert table.need == Leave((0,))
    table.dealer.depart(2)
    assert table.over().ranking == ((1,), (0,), (2,))
    assert not isinstance(table.need, Claim)
