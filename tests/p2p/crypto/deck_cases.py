"""Every message of the deck as data, so that one set of tests can attack all of them alike.

An `Action` is an honest message with the `verify_…` that takes it, what else that takes (the statement), and for each
part of the statement other values of the same kind, for which the message must not hold. `kinds` says what each word
of 32 bytes is: a point (p) or a scalar (s).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from p2p.crypto import deck as crypto
from p2p.crypto.elgamal import encrypt
from p2p.crypto.group import IDENTITY, SIZE, G, Point, Scalar, generators
from p2p.crypto.seat_keys import SecretKey

CONTEXT = b"table 7, step 3, seat 1"
OTHER_POINT = generators(b"tests/other", 1)[0]
CARDS = [(card, (card % 5, card % 3)) for card in range(1, 9)]
DECK = crypto.Deck(CARDS, ("digit", "suit"))
OTHER_DECK = crypto.Deck([(card, ((card + 1) % 5, card % 3)) for card in range(1, 9)], ("digit", "suit"))


def entropy(*what: object) -> bytes:
    """Different bytes for different purposes, the same in every run."""
    return hashlib.sha256(repr(what).encode()).digest()


ALICE, BOB, CAROL = (crypto.new_key(entropy(name)) for name in ("alice", "bob", "carol"))
JOINT = crypto.joint_key(secret.public for secret in (ALICE, BOB, CAROL))
STAYING = crypto.joint_key(secret.public for secret in (ALICE, BOB))


def dealt(ids: Sequence[int], key: Point, deck: crypto.Deck = DECK) -> tuple[crypto.Ciphertext, ...]:
    """These cards under this key, as if shuffled and dealt."""
    randomness = [Scalar.from_wide(hashlib.sha512(entropy(card, key)).digest()) for card in ids]
    return tuple(encrypt(deck.point(card), key, r) for card, r in zip(ids, randomness, strict=True))


def ids_of(cards: Sequence[crypto.Ciphertext], secret: SecretKey, deck: crypto.Deck = DECK) -> list[int]:
    return [crypto.look(card, secret, deck) for card in cards]


@dataclass(frozen=True)
class Action:
    name: str
    message: bytes
    verifier: Callable[..., Any]
    statement: dict[str, Any]
    others: dict[str, tuple[Any, ...]]
    kinds: str

    def __str__(self) -> str:
        return self.name

    def verify(self, message: bytes | None = None, context: bytes = CONTEXT, **changed: Any) -> Any:
        said = self.message if message is None else message
        return self.verifier(**{**self.statement, **changed}, message=said, context=context)


def shuffle_kinds(rows: int, width: int) -> str:
    return "pp" * rows * width + "pp" * rows + "p" * (4 + 2 * width) + "s" * (4 + width) + "s" * rows


def changed_hands(hand: Sequence[crypto.Ciphertext]) -> tuple[tuple[crypto.Ciphertext, ...], ...]:
    """Hands that are not this one: a card more, less, twice, another, re-encrypted, in another order."""
    last = hand[-1]
    changed = [
        (*hand, last),
        hand[:-1],
        (*hand[:-1], dealt([8], ALICE.public)[0]),
        (*hand[:-1], crypto.Ciphertext(last.a + G, last.b + ALICE.public)),
        (*hand[:-1], crypto.Ciphertext(last.b, last.a)),
    ]
    if len(hand) > 1:
        changed += [(*hand[:-1], hand[0]), tuple(reversed(hand))]
    return tuple(tuple(cards) for cards in changed)


def key_action() -> Action:
    message = crypto.prove_key(ALICE, CONTEXT, entropy("key"))
    others = {"public": (BOB.public.encode(), (ALICE.public + G).encode())}
    return Action("key", message, crypto.verify_key, {"public": ALICE.public.encode()}, others, "ss")


def shuffle_action(count: int, width: int) -> Action:
    ids = range(1, count + 1)
    rows = tuple(zip(*(dealt(list(ids)[k:] + list(ids)[:k], JOINT) for k in range(width)), strict=True))
    message = crypto.shuffle(rows, JOINT, CONTEXT, entropy("shuffle", count, width))
    changed = [tuple((card,) * width for card in cards) for cards in changed_hands(crypto.column(rows))]
    if width > 1:
        changed.append(tuple(tuple(reversed(row)) for row in rows))  # columns swapped
        changed.append(tuple(zip(crypto.column(rows), reversed(crypto.column(rows, 1)), strict=True)))  # rows torn
    return Action(
        f"shuffle-{count}x{width}",
        message,
        crypto.verify_shuffle,
        {"items": rows, "key": JOINT},
        {"items": tuple(rows_ for rows_ in changed if rows_ != rows), "key": (STAYING, G)},
        shuffle_kinds(count, width),
    )


def chain_action() -> Action:
    """The middle link of a chain of three is the message."""
    rows = crypto.as_rows(DECK.fresh([1, 2, 3], JOINT))
    links = []
    for seat in range(3):
        message = crypto.shuffle(rows, JOINT, CONTEXT, entropy("chain", seat))
        links.append(crypto.Link(rows, message, JOINT, CONTEXT))
        rows = crypto.shuffle_output(message, 3)

    def verify(message: bytes, context: bytes, rows: crypto.Rows, key: Point) -> crypto.Rows:
        return crypto.verify_chain([links[0], crypto.Link(rows, message, key, context), links[2]])

    others = {"rows": (links[0].rows, links[2].rows), "key": (STAYING,)}
    return Action("chain", links[1].message, verify, {"rows": links[1].rows, "key": JOINT}, others, shuffle_kinds(3, 1))


def shares_action(count: int) -> Action:
    cards = dealt(range(1, count + 1), JOINT)
    message = crypto.give_shares(ALICE, cards, CONTEXT, entropy("shares"))
    others = {"cards": changed_hands(cards), "public": (BOB.public, JOINT)}
    statement = {"cards": cards, "public": ALICE.public}
    return Action(f"shares-{count}", message, crypto.verify_shares, statement, others, "p" * count + "ss")


def hide_action(count: int, first: int | None) -> Action:
    hand = dealt(range(1, count + 1), ALICE.public)
    message, _ = crypto.hide(hand, ALICE, CONTEXT, entropy("hide", count, first), first=first)
    others = {"hand": changed_hands(hand), "public": (BOB.public, JOINT)}
    statement = {"hand": hand, "public": ALICE.public}
    return Action(f"hide-{count}", message, crypto.verify_hide, statement, others, shuffle_kinds(count, 1))


def pass_action() -> Action:
    card, other = dealt([3, 4], ALICE.public)
    message = crypto.pass_card(card, ALICE, BOB.public, CONTEXT, entropy("pass"))
    statement = {"card": card, "giver": ALICE.public, "receiver": BOB.public}
    swapped = crypto.Ciphertext(card.b, card.a)
    others = {
        "card": (other, swapped, dealt([3], BOB.public)[0], crypto.Ciphertext(card.a + G, card.b + ALICE.public)),
        "giver": (BOB.public, CAROL.public),
        "receiver": (ALICE.public, CAROL.public, STAYING),
    }
    return Action("pass", message, crypto.verify_pass, statement, others, "ppsss")


def hand_over_action(count: int) -> Action:
    hand = dealt(range(1, count + 1), ALICE.public)
    message = crypto.hand_over(hand, ALICE, STAYING, CONTEXT, entropy("hand over"))
    statement = {"hand": hand, "public": ALICE.public, "joint": STAYING}
    others = {"hand": changed_hands(hand), "public": (BOB.public,), "joint": (JOINT, BOB.public)}
    return Action(f"hand-over-{count}", message, crypto.verify_hand_over, statement, others, "pp" * count + "sss")


def cannot_action(ids: Sequence[int], clauses: Sequence[crypto.Clause]) -> Action:
    hand = dealt(ids, ALICE.public)
    message = crypto.prove_cannot(hand, ALICE, DECK, 0, clauses, CONTEXT, entropy("cannot", ids))
    one_value_more = tuple((first, (*others, 4)) for first, others in clauses)
    one_value_less = tuple((first[1:], others) for first, others in clauses)
    statement = {"hand": hand, "public": ALICE.public, "deck": DECK, "attribute": 0, "clauses": clauses}
    others: dict[str, tuple[Any, ...]] = {
        "hand": changed_hands(hand),
        "public": (BOB.public,),
        "deck": (crypto.Deck([(1, (1, 2, 3))], ("a", "b", "c")),),
        "attribute": (1,),
        "clauses": (clauses[:1], clauses[1:], clauses[::-1], one_value_less, (*clauses, clauses[0])),
    }
    if len(ids) > 1:  # with a single card there are no others to speak about
        others["clauses"] = (*others["clauses"], one_value_more)
    points = shuffle_kinds(len(ids), 1) + "p" * len(ids)
    kinds = points + "s" * (len(message) // SIZE - len(points))
    return Action(f"cannot-{len(ids)}", message, crypto.verify_cannot, statement, others, kinds)


def mark_action(held: Sequence[int], unseen: Sequence[int]) -> Action:
    hand = dealt(held, ALICE.public)
    message = crypto.mark(unseen, hand, ALICE, STAYING, DECK, CONTEXT, entropy("mark", held))
    statement = {"unseen": unseen, "hand": hand, "public": ALICE.public, "joint": STAYING, "deck": DECK}
    others = {
        "unseen": (unseen[1:], (*unseen, 8), (*unseen[:-1], 8), tuple(reversed(unseen))),
        "hand": changed_hands(hand) if hand else (dealt([8], ALICE.public), dealt(unseen[:1], ALICE.public)),
        "public": (BOB.public,),
        "joint": (JOINT, ALICE.public),
        "deck": (OTHER_DECK,),
    }
    free = len(unseen) - len(held)
    kinds = "pp" * free + shuffle_kinds(len(unseen), 2) + "ss"
    return Action(f"mark-{len(held)}-of-{len(unseen)}", message, crypto.verify_mark, statement, others, kinds)


@cache
def actions() -> tuple[Action, ...]:
    low, all_ = (0, 1, 2), (0, 1, 2, 3)
    return (
        key_action(),
        shuffle_action(1, 1),
        shuffle_action(2, 1),
        shuffle_action(4, 1),
        shuffle_action(3, 2),
        chain_action(),
        shares_action(1),
        shares_action(3),
        hide_action(1, None),
        hide_action(3, 2),
        pass_action(),
        hand_over_action(1),
        hand_over_action(3),
        cannot_action([1], ((low, low), (all_, low))),
        cannot_action([1, 3, 7], ((low, low), (all_, low))),
        mark_action([2, 5], (1, 2, 3, 5)),
        mark_action([], (1, 2)),
        mark_action([2, 1], (1, 2)),
    )


def word_mutations(action: Action) -> Iterator[tuple[str, bytes]]:
    """Messages of the same length that differ in one word, or have two words swapped."""
    parts = [action.message[at : at + SIZE] for at in range(0, len(action.message), SIZE)]
    for index, (word, kind) in enumerate(zip(parts, action.kinds, strict=True)):
        following = parts[index + 1] if index + 1 < len(parts) else word
        for what, variant in (*_changed(word, kind), ("the next word", following)):
            if variant != word:
                yield f"word {index} {what}", b"".join([*parts[:index], variant, *parts[index + 1 :]])
        if following != word:
            swapped = [*parts[:index], following, word, *parts[index + 2 :]]
            yield f"words {index} and {index + 1} swapped", b"".join(swapped)


def _changed(word: bytes, kind: str) -> Iterator[tuple[str, bytes]]:
    if kind == "p":
        point = Point.decode(word)
        yield "+ G", (point + G).encode()
        yield "negated", (-point).encode()
        yield "another", OTHER_POINT.encode()
        yield "identity", IDENTITY.encode()
    else:
        scalar = Scalar.decode(word)
        yield "+ 1", (scalar + Scalar(1)).encode()
        yield "negated", (-scalar).encode()
        yield "zero", Scalar(0).encode()
    yield "first bit", bytes([word[0] ^ 1]) + word[1:]
    yield "last bit", word[:-1] + bytes([word[-1] ^ 0x80])
