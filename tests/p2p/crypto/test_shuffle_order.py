"""Orders are uniform: of a hidden hand, of a shuffled pile, and of a pile that was rebuilt.

The short form runs with the tests. The long form (two minutes) is a command and prints what it found:

    PYTHONPATH=. python tests/p2p/crypto/test_shuffle_order.py 10000
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from itertools import permutations
from math import factorial

import pytest
from deck_cases import ALICE, BOB, CONTEXT, DECK, STAYING, dealt, entropy

from p2p.crypto import deck as crypto
from p2p.crypto import shuffle_message, shuffling
from p2p.crypto.rng import Hedge

#: χ² that a uniform distribution exceeds once in a thousand times, by degrees of freedom.
RARE = {1: 10.83, 5: 20.52, 23: 49.73, 119: 172.7}

STAYERS = (ALICE, BOB)
UNSEEN = (1, 2, 3, 4, 5)
HELD = ((2,), (5,))  # what the stayers hold; 1, 3 and 4 form the new pile


def chi_square(seen: Iterable[Hashable], outcomes: int) -> float:
    counts = Counter(seen)
    assert len(counts) <= outcomes
    expected = sum(counts.values()) / outcomes
    unseen = outcomes - len(counts)
    return sum((count - expected) ** 2 / expected for count in counts.values()) + unseen * expected


def looked(cards: Sequence[crypto.Ciphertext], seats: Sequence[crypto.SecretKey]) -> tuple[int, ...]:
    return tuple(crypto.open_card(card, [seat.scalar * card.a for seat in seats], DECK) for card in cards)


@cache
def hidden_order(run: int) -> tuple[int, ...]:
    return crypto.hide(dealt((1, 2, 3, 4), ALICE.public), ALICE, CONTEXT, entropy("hidden", run))[1]


def rest_of_an_arranged_hand(run: int) -> tuple[int, ...]:
    """Behind a card that was asked to the front."""
    return crypto.hide(dealt((1, 2, 3, 4), ALICE.public), ALICE, CONTEXT, entropy("arranged", run), first=2)[1][1:]


def shuffled_pile(run: int) -> tuple[int, ...]:
    message = crypto.shuffle(dealt((1, 2, 3), STAYING), STAYING, CONTEXT, entropy("pile", run))
    return looked(crypto.column(crypto.shuffle_output(message, 3)), STAYERS)


def rebuilt_pile(run: int, lazy: crypto.SecretKey | None = None) -> tuple[int, ...]:
    """The order of the new pile. A `lazy` stayer re-encrypts the rows and never moves any."""
    marks = []
    for held, secret in zip(HELD, STAYERS, strict=True):
        hand = dealt(held, secret.public)
        message = crypto.mark(UNSEEN, hand, secret, STAYING, DECK, CONTEXT, entropy("mark", run, held))
        marks.append(crypto.column(crypto.shuffle_output(message[64 * 4 : -64], 5, 2), 1))
    rows = crypto.mark_rows(UNSEEN, marks, STAYING, DECK)
    for secret in STAYERS:
        seed = entropy("rows", run, secret.public)
        if secret is lazy:
            hedge = Hedge(b"lazy", secret=b"", witness=b"", statement=b"", entropy=seed)
            keys = (STAYING, STAYING)
            message = shuffle_message.make(shuffling._JOINT, rows, keys, range(5), CONTEXT, hedge)
        else:
            message = crypto.shuffle(rows, STAYING, CONTEXT, seed)
        rows = crypto.shuffle_output(message, 5, 2)
    free = [card for card, total in rows if not crypto.is_held(total, [secret.scalar * total.a for secret in STAYERS])]
    return looked(free, STAYERS)


def lazily_rebuilt_pile(run: int) -> tuple[int, ...]:
    return rebuilt_pile(run, lazy=STAYERS[run % 2])


@pytest.mark.parametrize(
    ("draw", "size", "runs"),
    [
        (hidden_order, 4, 960),
        (rest_of_an_arranged_hand, 3, 480),
        (shuffled_pile, 3, 480),
        (rebuilt_pile, 3, 240),
        (lazily_rebuilt_pile, 3, 240),
    ],
    ids=["hidden", "arranged", "shuffled", "rebuilt", "lazily-rebuilt"],
)
def test_every_order_is_equally_likely(draw: Callable[[int], tuple[int, ...]], size: int, runs: int) -> None:
    """All orders occur, none more often than chance allows; one stayer who really shuffles is enough."""
    seen = [draw(run) for run in range(runs)]
    assert len({*seen}) == factorial(size)
    assert chi_square(seen, factorial(size)) < RARE[factorial(size) - 1]


def test_cards_may_stay_where_they_are_and_half_of_all_orders_are_odd() -> None:
    """Fixed points: one on average (a cyclic shuffle has none). Parity: as many even orders as odd ones."""
    orders = [hidden_order(run) for run in range(960)]
    fixed = sum(sum(new == old for new, old in enumerate(order)) for order in orders) / len(orders)
    assert abs(fixed - 1) < 0.12  # standard error 0.032
    odd = [sum(a > b for at, a in enumerate(order) for b in order[at + 1 :]) % 2 for order in orders]
    assert chi_square(odd, 2) < RARE[1]


def test_the_check_itself_sees_a_bias() -> None:
    """Orders of a cyclic shuffle, or one order a quarter too frequent, do not pass."""
    every = list(permutations(range(4)))
    cyclic = [order for order in every if all(new != old for new, old in enumerate(order))]
    assert chi_square(cyclic * 100, 24) > RARE[23]
    assert chi_square(every * 40, 24) == 0
    assert chi_square([*every * 40, *[every[0]] * 60], 24) > RARE[23]


if __name__ == "__main__":
    count = int(sys.argv[1])
    found = Counter(lazily_rebuilt_pile(run) for run in range(count))
    statistic = chi_square(found.elements(), 6)
    report = {"rebuilds": count, "orders": {str(order): found[order] for order in sorted(found)}}
    print(json.dumps({**report, "chi_square": round(statistic, 2), "limit": RARE[5]}))
    sys.exit(statistic > RARE[5])
