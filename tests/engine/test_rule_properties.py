"""Single rules of both games, for any cards at all."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import two_sans_three, two_win

always = settings(derandomize=True, deadline=None, max_examples=300)
row_and_card = st.integers(0, 2).flatmap(
    lambda row: st.lists(
        st.sampled_from([card for card in range(1, 88) if two_sans_three.row_of(card) == row]),
        min_size=1,
        max_size=4,
        unique=True,
    )
)


@always
@given(row_and_card)
def test_a_placed_card_stays_and_nothing_is_lost(cards: list[int]) -> None:
    """2 SANS 3: row and take together are what lay there and the card; at most four remain, the start card counted."""
    card, *lying = cards
    row, takes = two_sans_three.place(tuple(sorted(lying)), card)
    assert sorted(row + takes) == sorted(cards)
    assert card in row
    assert list(row) == sorted(row)
    assert 1 + len(row) <= 4
    if len(cards) < 4:
        assert takes == ()
    elif card == max(cards):
        assert takes == (min(cards),)
    else:
        assert sorted(takes) == sorted(other for other in cards if other > card)


@always
@given(st.lists(st.integers(1, 87), unique=True), st.integers(0, 87))
def test_a_collection_is_the_same_however_it_was_taken(cards: list[int], cut: int) -> None:
    """2 SANS 3: with n of a colour n mod 3 lie face up, whether they came in one take or in many."""
    none = (0,) * 7
    together = two_sans_three.collect(none, tuple(cards))
    parts = two_sans_three.collect(two_sans_three.collect(none, tuple(cards[:cut])), tuple(cards[cut:]))
    assert together == parts
    colours = Counter(two_sans_three.COLOUR[card] for card in cards)
    colours.pop(two_sans_three.NO_COLOUR, None)
    assert sum(together) == colours.total()
    up = [count % 3 for count in together]
    assert two_sans_three.worth(together) == up.count(1) + 5 * up.count(2) - (sum(together) - sum(up))
    assert two_sans_three.colours_up(together) == sum(count > 0 for count in up)


@always
@given(st.lists(st.integers(0, 2), max_size=20))
def test_runs_score_at_every_third_equal_colour(colours: list[int]) -> None:
    """2 WIN: a column scores exactly when the length of its last stretch of one colour is a multiple of three."""
    run = two_win.NO_RUN
    for index, colour in enumerate(colours):
        run, length = two_win.grow(run, colour)
        stretch = 1
        while stretch <= index and colours[index - stretch] == colour:
            stretch += 1
        assert (length == 3) == (stretch % 3 == 0)
        assert run.length == stretch % 3
        assert run == two_win.NO_RUN or run.colour == colour
