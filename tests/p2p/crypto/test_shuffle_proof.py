"""The proof of a shuffle: complete for every size, and each of its equations stops a lie that no other stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from deck_cases import CONTEXT, dealt, entropy
from hypothesis import given, settings
from hypothesis import strategies as st
from shuffle_cheat import Vector, applied, forge, permutation_matrix

from p2p.crypto import shuffle_proof as sp
from p2p.crypto.elgamal import Ciphertext, decrypt, encrypt, reencrypt
from p2p.crypto.errors import DecodeError, ProofError
from p2p.crypto.group import G, Point, Q, Scalar, base_mul, counted
from p2p.crypto.merged_sum import MergedSum
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript

SECRETS = tuple(Scalar.from_wide(entropy("key", k) * 2) for k in range(3))
KEYS = tuple(base_mul(secret) for secret in SECRETS)
#: A false statement, a proof for it, and the equation that is all there is to stop it.
Told = tuple[sp.Statement, sp.ShuffleProof, str]
EQUATIONS = ("columns", "product", "opening", "chain", "card a", "card b")


def hedge(*what: object) -> Hedge:
    return Hedge(b"tests", secret=b"", witness=b"", statement=repr(what).encode(), entropy=bytes(32))


def start(context: bytes = CONTEXT) -> Transcript:
    return Transcript(b"tests/shuffle", context)


def rows_of(count: int, width: int = 1) -> sp.Rows:
    source = hedge("rows", count, width)
    return tuple(
        tuple(encrypt(base_mul(source.scalar()), key, source.scalar()) for key in KEYS[:width]) for _ in range(count)
    )


def holds(
    statement: sp.Statement, proof: sp.ShuffleProof, context: bytes = CONTEXT, ignoring: str | None = None
) -> bool:
    """What a verifier finds; one that ignores an equation gives it the weight 0."""
    heard = sp.hear(statement, proof, start(context))
    weights = [int(z) for z in Transcript(b"tests/weights", heard.digest).challenges(b"z", sp.equations(heard))]
    if ignoring is not None:
        weights[EQUATIONS.index(ignoring)] = 0
    total = MergedSum()
    sp.add_equations(total, heard, weights)
    return total.is_identity()


@given(st.integers(1, 9), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(derandomize=True, deadline=None, max_examples=25)
def test_every_honest_shuffle_is_accepted(count: int, width: int, choice: Random) -> None:
    """Any number of rows from 1, any width, each column under its own key; the rows stay whole."""
    rows = rows_of(count, width)
    order = hedge(repr(choice), choice.random()).permutation(count)
    outputs, proof = sp.shuffle(rows, KEYS[:width], order, start(), hedge("shuffle", count, width))
    assert holds(sp.Statement(rows, KEYS[:width], outputs), proof)
    for new, old in enumerate(order):
        for k, secret in enumerate(SECRETS[:width]):
            assert decrypt(outputs[new][k], secret) == decrypt(rows[old][k], secret)
            assert outputs[new][k] != rows[old][k]
    decoded = sp.ShuffleProof.decode(proof.encode(), count, width)
    assert decoded == proof
    assert len(proof.encode()) == sp.proof_size(count, width)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_the_identity_order_and_trivial_ciphertexts_are_nothing_special(count: int) -> None:
    """Nothing degenerates when nothing moves, when a card stands twice, or when all inputs share a component."""
    for rows in (
        rows_of(count),
        tuple((Ciphertext(G, base_mul(Scalar(card + 2)) + KEYS[0]),) for card in range(count)),
        (rows_of(1)[0],) * count,
    ):
        outputs, proof = sp.shuffle(rows, KEYS[:1], range(count), start(), hedge("same"))
        assert holds(sp.Statement(rows, KEYS[:1], outputs), proof)


def test_a_proof_for_108_cards_is_small() -> None:
    """At most 20 kB."""
    assert sp.proof_size(108, 1) <= 20_000


def test_the_price_in_group_operations() -> None:
    """Shuffle and proof cost five multiplications of any point per card, verification seven: counted, not timed."""
    rows = rows_of(20)
    sp.row_generators(20)
    with counted() as done:
        outputs, proof = sp.shuffle(rows, KEYS[:1], hedge("order").permutation(20), start(), hedge("price"))
    assert done.mul == 5 * 20 + 2  # the two of the chain's announcement, whatever the number of cards
    with counted() as done:
        assert holds(sp.Statement(rows, KEYS[:1], outputs), proof)
    assert done.mul <= 7 * 20 + 8


# --- lies ----------------------------------------------------------------------------------------------------------


def scale(rows: Sequence[Ciphertext], factors: Sequence[int]) -> list[Ciphertext]:
    return [Ciphertext(Scalar(f) * ct.a, Scalar(f) * ct.b) for ct, f in zip(rows, factors, strict=True)]


class Lie:
    """Three cards; what a cheat puts down for them, and the proof it makes."""

    def __init__(self, caught_by: str) -> None:
        self.caught_by = caught_by
        self.inputs = rows_of(3)
        self.cards = [row[0] for row in self.inputs]
        self.hedge = hedge("lie", caught_by)
        self.fresh = [self.hedge.scalar() for _ in range(3)]

    def tell(self, put_down: Sequence[Ciphertext], matrix: Sequence[Vector], **lies: Any) -> Told:
        outputs = tuple((reencrypt(ct, KEYS[0], r),) for ct, r in zip(put_down, self.fresh, strict=True))
        return self.about(outputs, matrix, **lies)

    def about(self, outputs: sp.Rows, matrix: Sequence[Vector], **lies: Any) -> Told:
        statement = sp.Statement(self.inputs, KEYS[:1], outputs)
        fresh = [[r] for r in self.fresh]
        return statement, forge(statement, matrix, fresh, start(), self.hedge, **lies), self.caught_by


HALF = pow(2, -1, Q)
STRETCH = [[2, 0, 0], [0, HALF, 0], [0, 0, 1]]  # times two, divided by two: the product of all stays


MIX = [[1, 0, 0], [-1, 2, 0], [0, 0, 1]]  # every row sums to one


def mixed(cards: Sequence[Ciphertext]) -> list[Ciphertext]:
    """What the rows must be for MIX: card 0 becomes "card 0 plus half of card 1", card 1 the half of itself."""
    half = scale(cards, [1, HALF, 1])
    return [half[0] + half[1], half[1], half[2]]


def mixed_cards() -> Told:
    """Sums of cards instead of cards; the commitments say so openly, and their columns still sum to one."""
    lie = Lie("product")
    return lie.tell(mixed(lie.cards), MIX)


def mixed_cards_with_a_mended_chain() -> Told:
    """The same, and the last step of the chain jumps to the product that is expected."""
    lie = Lie("chain")

    def mended(moved: Vector, product: int) -> Vector:
        return [*moved[:-1], product * pow(moved[0] * moved[1], -1, Q) % Q]

    return lie.tell(mixed(lie.cards), MIX, chained=mended)


def stretched_cards() -> Told:
    """Cards replaced by multiples of cards, with commitments to match: the product is right, the columns are not."""
    lie = Lie("columns")
    return lie.tell(scale(lie.cards, [HALF, 2, 1]), STRETCH)


def stretched_cards_with_fine_commitments() -> Told:
    """The same, but what is committed to is an honest permutation, and other numbers are used for the rows."""
    lie = Lie("opening")
    return lie.tell(scale(lie.cards, [HALF, 2, 1]), permutation_matrix((0, 1, 2)), used=lambda u: applied(STRETCH, u))


def replaced_card() -> Told:
    """Card 1 becomes another card, under the same key; all else is honest."""
    lie, order = Lie("card b"), (2, 1, 0)
    cards = [lie.cards[old] for old in order]
    cards[1] = Ciphertext(cards[1].a, cards[1].b + G)
    return lie.tell(cards, permutation_matrix(order))


def card_made_unreadable() -> Told:
    """Only the first half of a ciphertext is touched: nobody could ever open that card."""
    lie, order = Lie("card a"), (2, 1, 0)
    cards = [lie.cards[old] for old in order]
    cards[1] = Ciphertext(cards[1].a + G, cards[1].b)
    return lie.tell(cards, permutation_matrix(order))


LIES: tuple[Callable[[], Told], ...] = (
    mixed_cards,
    mixed_cards_with_a_mended_chain,
    stretched_cards,
    stretched_cards_with_fine_commitments,
    replaced_card,
    card_made_unreadable,
)


def test_the_cheat_can_be_honest() -> None:
    """With honest arguments the cheat's own prover makes valid proofs: its lies fail for what they say."""
    lie, order = Lie("honest"), (2, 0, 1)
    statement, proof, _ = lie.tell([lie.cards[old] for old in order], permutation_matrix(order))
    assert holds(statement, proof)


@pytest.mark.parametrize("lie", LIES, ids=[lie.__name__ for lie in LIES])
def test_each_equation_alone_stops_a_lie(lie: Callable[[], Told]) -> None:
    """A verifier who left out this one equation would be deceived; the real one is not."""
    statement, proof, caught_by = lie()
    assert not holds(statement, proof)
    assert holds(statement, proof, ignoring=caught_by)
    for other in EQUATIONS:
        if other != caught_by:
            assert not holds(statement, proof, ignoring=other)


@pytest.mark.parametrize("order", [(0, 1, 0), (1, 1, 1), (2, 2, 0)])
@pytest.mark.parametrize("committed", [None, (0, 1, 2), (2, 0, 1)])
def test_a_duplicated_card_is_rejected(order: tuple[int, ...], committed: tuple[int, ...] | None) -> None:
    """One card twice or three times, whatever is committed to and whatever numbers are used for the rows."""
    lie = Lie("duplicate")
    cards = [lie.cards[old] for old in order]
    matrix = permutation_matrix(order if committed is None else committed)
    for used in (None, lambda u: applied(permutation_matrix(order), u), lambda u: u):
        statement, proof, _ = lie.tell(cards, matrix, used=used)
        assert not holds(statement, proof)


def test_errors_that_would_cancel_are_caught() -> None:
    """Two wrong answers whose errors add up to nothing: weights hashed from the complete proof keep them apart."""
    rows = rows_of(3)
    outputs, proof = sp.shuffle(rows, KEYS[:1], (1, 2, 0), start(), hedge("cancel"))
    first, second, *rest = proof.responses
    bent = sp.ShuffleProof(
        proof.commitments,
        proof.chain,
        proof.announcements,
        (first + Scalar(1), second - Scalar(1), *rest),
        proof.row_responses,
    )
    statement = sp.Statement(rows, KEYS[:1], outputs)
    unweighted = MergedSum()
    heard = sp.hear(statement, bent, start())
    sp.add_equations(unweighted, heard, [1] * sp.equations(heard))
    assert unweighted.is_identity()
    assert not holds(statement, bent)


def test_weak_fiat_shamir_every_challenge_hears_everything_before_it() -> None:
    """Context, key, rows and commitments move u; the chain moves w; announcements move c; answers, the digest."""
    rows = rows_of(3)
    outputs, proof = sp.shuffle(rows, KEYS[:1], (1, 2, 0), start(), hedge("strong"))
    statement = sp.Statement(rows, KEYS[:1], outputs)
    honest = sp.hear(statement, proof, start())

    def swapped(items: Sequence[Any]) -> tuple[Any, ...]:
        return (items[1], items[0], *items[2:])

    def heard(statement: sp.Statement = statement, context: bytes = CONTEXT, **parts: Any) -> sp.Heard:
        names = ("commitments", "chain", "announcements", "responses", "row_responses")
        values = [parts.get(name, getattr(proof, name)) for name in names]
        return sp.hear(statement, sp.ShuffleProof(*values), start(context))

    before_u = [
        heard(context=b"elsewhere"),
        heard(sp.Statement(rows, KEYS[1:2], outputs)),
        heard(sp.Statement(swapped(rows), KEYS[:1], outputs)),
        heard(sp.Statement(rows, KEYS[:1], swapped(outputs))),
        heard(commitments=swapped(proof.commitments)),
    ]
    assert all(not {*other.u} & {*honest.u} and other.w != honest.w and other.c != honest.c for other in before_u)
    other = heard(chain=swapped(proof.chain))
    assert other.u == honest.u
    assert not {*other.w} & {*honest.w}
    assert other.c != honest.c
    other = heard(announcements=swapped(proof.announcements))
    assert (other.u, other.w) == (honest.u, honest.w)
    assert other.c != honest.c
    assert heard(responses=swapped(proof.responses)).digest != honest.digest
    assert heard(row_responses=swapped(proof.row_responses)).digest != honest.digest


def test_no_number_repeats_within_or_between_proofs() -> None:
    """Nonces, blindings and re-encryptions are all fresh: two shuffles of one deck have no word in common."""
    rows, seen = rows_of(4), set[bytes]()
    for attempt in range(3):
        outputs, proof = sp.shuffle(rows, KEYS[:1], (1, 2, 0, 3), start(), hedge("attempt", attempt))
        message = sp.encode_rows(outputs) + proof.encode()
        words = [message[at : at + 32] for at in range(0, len(message), 32)]
        assert not seen & {*words}
        assert len({*words}) == len(words)
        seen |= {*words}


def test_generators_are_hashed_from_public_labels() -> None:
    """Nobody knows a logarithm between any two of them: they come from hash-to-group, all different, never G."""
    generators = (*sp.row_generators(108), sp._CHAIN_START, G, *KEYS)
    assert len({*generators}) == len(generators)
    assert sp.row_generators(5) == sp.row_generators(108)[:5]


@pytest.mark.parametrize(
    ("inputs", "keys", "outputs"),
    [
        ((), KEYS[:1], ()),
        (rows_of(2), (), ((), ())),
        (rows_of(2), KEYS[:1], rows_of(3)),
        (rows_of(2), KEYS[:2], rows_of(2)),
        (rows_of(2, 2), KEYS[:2], rows_of(2, 1)),
    ],
)
def test_a_statement_without_sense_is_refused(inputs: sp.Rows, keys: tuple[Point, ...], outputs: sp.Rows) -> None:
    """No rows, no columns, rows that appear or vanish, rows of the wrong width: ProofError."""
    with pytest.raises(ProofError):
        sp.Statement(inputs, keys, outputs)


@given(st.binary(max_size=1000), st.integers(1, 4), st.integers(1, 2))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_arbitrary_bytes_are_no_proof(data: bytes, count: int, width: int) -> None:
    """DecodeError; or, for the few that happen to be points and scalars, a proof that does not hold."""
    rows = rows_of(count, width)
    for candidate in (data, data[:1] * sp.proof_size(count, width), bytes(sp.proof_size(count, width))):
        try:
            proof = sp.ShuffleProof.decode(candidate, count, width)
        except DecodeError:
            continue
        assert not holds(sp.Statement(rows, KEYS[:width], rows), proof)


def test_dealt_cards_of_one_seat_shuffle_like_any_others() -> None:
    """One owner's key instead of a joint one makes no difference."""
    hand = tuple((card,) for card in dealt([1, 2, 3], KEYS[1]))
    outputs, proof = sp.shuffle(hand, KEYS[1:2], (2, 1, 0), start(), hedge("hand"))
    assert holds(sp.Statement(hand, KEYS[1:2], outputs), proof)
    assert not holds(sp.Statement(hand, KEYS[:1], outputs), proof)
