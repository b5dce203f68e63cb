"""Measures the card cryptography: what is timed, and how.

Law: the operations are those a table does, through the same public functions, on ciphertexts that have been shuffled
before. Times are the best of several runs: on a machine that does other things too, that is what repeats. Group
operations are counted in a run of their own, and their cost is measured in the same minute, through the library's own
calls.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rbcl import (
    crypto_core_ristretto255_add,
    crypto_core_ristretto255_from_hash,
    crypto_core_ristretto255_is_valid_point,
    crypto_scalarmult_ristretto255,
    crypto_scalarmult_ristretto255_base,
)

from p2p.crypto import deck as crypto
from p2p.crypto.group import counted
from p2p.crypto.shuffle_proof import proof_size

CARDS, SEATS, HAND, OPENED = 108, 6, 10, 54
HERE = b"bench"
#: 2 WIN's "cannot form a number" at its most expensive: last number 77, so both clauses speak of eight digits.
DIGITS = tuple(range(8))
CANNOT = ((DIGITS[:-1], DIGITS[:-1]), (DIGITS, DIGITS))

_UNIT_CALLS = 200


@dataclass(frozen=True)
class Job:
    """One operation. `run` does it once and returns how many bytes it sends."""

    name: str
    what: str
    run: Callable[[], int]
    share: int = 1  # the figures are divided by this: a link is a sixth of a chain of six


def measure(jobs: Sequence[Job], runs: int, advance: Callable[[], None]) -> dict[str, Any]:
    best = {job.name: float("inf") for job in jobs}
    units = unit_seconds()
    counts = {}
    for job in jobs:
        with counted() as done:
            sent = job.run()
        counts[job.name] = asdict(done), sent
    for _ in range(runs):  # round after round, so that a busy moment of the machine does not hit one operation alone
        units = {name: min(cost, units[name]) for name, cost in unit_seconds().items()}
        for job in jobs:
            start = time.perf_counter()
            job.run()
            best[job.name] = min(best[job.name], time.perf_counter() - start)
            advance()
    return {
        "mul_seconds": units["mul"],
        "unit_seconds": units,
        "runs": runs,
        "operations": {job.name: _figures(job, best[job.name], *counts[job.name], units) for job in jobs},
    }


def _figures(job: Job, seconds: float, done: dict[str, int], sent: int, units: dict[str, float]) -> dict[str, Any]:
    alone = sum(count * units[name] for name, count in done.items())
    return {
        "what": job.what,
        "seconds": seconds / job.share,
        "mul_equivalents": seconds / units["mul"] / job.share,
        "group_ops": sum(done.values()) / job.share,
        "by_kind": {name: count / job.share for name, count in done.items()},
        "group_mul_equivalents": alone / units["mul"] / job.share,
        "ratio": seconds / alone,
        "bytes": sent // job.share,
    }


def unit_seconds(clock: Callable[[], float] = time.perf_counter) -> dict[str, float]:
    """What one group operation of each kind costs here and now, by the clock that the rest is timed with."""
    scalar = bytes(range(1, 32)) + b"\x01"
    point = crypto_scalarmult_ristretto255_base(scalar)
    other = crypto_scalarmult_ristretto255(scalar, point)
    calls: dict[str, Callable[[], object]] = {
        "mul": lambda: crypto_scalarmult_ristretto255(scalar, other),
        "base_mul": lambda: crypto_scalarmult_ristretto255_base(scalar),
        "add": lambda: crypto_core_ristretto255_add(point, other),
        "decode": lambda: crypto_core_ristretto255_is_valid_point(point),
        "hash": lambda: crypto_core_ristretto255_from_hash(scalar * 2),
    }
    return {name: min(_seconds(call, clock) for _ in range(3)) for name, call in calls.items()}


def _seconds(call: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    for _ in range(_UNIT_CALLS):
        call()
    return (clock() - start) / _UNIT_CALLS


# --- the operations ------------------------------------------------------------------------------------------------


class Fresh:
    """Entropy for a benchmark: different in every run, and the same numbers in every process."""

    def __init__(self) -> None:
        self._drawn = 0

    def __call__(self) -> bytes:
        self._drawn += 1
        return hashlib.sha256(b"bench %d" % self._drawn).digest()


def operations() -> list[Job]:
    fresh = Fresh()
    table = Table(CARDS, SEATS, fresh)
    deck, joint, me = table.deck, table.joint, table.secrets[0]
    public = me.public
    rows = table.chain[0].rows
    one_link = crypto.Link(rows, table.chain[0].message, joint, HERE)
    hand = table.deal(0, HAND)
    receiver = table.secrets[1].public
    pile = crypto.column(table.rows)[:OPENED]

    def shuffle_prove() -> int:
        crypto.shuffle(rows, joint, HERE, fresh())
        return proof_size(CARDS, 1)

    def verify() -> int:
        crypto.verify_chain([one_link])
        return proof_size(CARDS, 1)

    def verify_chain() -> int:
        crypto.verify_chain(table.chain)
        return SEATS * proof_size(CARDS, 1)

    def hide() -> int:
        message, _ = crypto.hide(hand, me, HERE, fresh())
        crypto.verify_hide(hand, message, public, HERE)
        return len(message)

    def cannot() -> int:
        message = crypto.prove_cannot(hand, me, deck, 0, CANNOT, HERE, fresh())
        crypto.verify_cannot(hand, public, deck, 0, CANNOT, message, HERE)
        return len(message)

    def rekey() -> int:
        message = crypto.pass_card(hand[0], me, receiver, HERE, fresh())
        crypto.verify_pass(hand[0], public, receiver, message, HERE)
        return len(message)

    def hand_over() -> int:
        message = crypto.hand_over(hand, me, joint, HERE, fresh())
        crypto.verify_hand_over(hand, public, joint, message, HERE)
        return len(message)

    def give() -> int:
        message = crypto.give_shares(me, pile, HERE, fresh())
        crypto.verify_shares(public, pile, message, HERE)
        return len(message)

    def open_all() -> int:
        message = crypto.give_shares(me, opened, HERE, fresh())
        shares = crypto.verify_shares(public, opened, message, HERE)
        for card, share in zip(opened, shares, strict=True):
            crypto.open_card(card, [share], deck)
        return len(message)

    opened = table.deal(0, OPENED)
    return [
        Job("shuffle_prove_108", "shuffle 108 cards under a joint key and prove it (bytes: the proof)", shuffle_prove),
        Job("verify_108", "verify that shuffle alone", verify),
        Job("verify_link_108", "the same in a chain of six, verified at once: one link", verify_chain, SEATS),
        Job("hide_prove_verify_10", "hide a hand of ten: prove and verify", hide),
        Job("cannot_move_prove_verify_10", "ten cards cannot exceed 77: prove and verify", cannot),
        Job("rekey", "pass one card: re-key, prove and verify", rekey),
        Job("hand_over_10", "hand ten cards over to a joint key: prove and verify", hand_over),
        Job("shares_54", "one layer's shares of 54 cards: prove and verify", give),
        Job("open_54", "open 54 cards under one key: shares, proof, verification, look-up", open_all),
        *rebuild_jobs(fresh),
    ]


class Table:
    """A deck that every seat has shuffled, and hands dealt from it."""

    def __init__(self, cards: int, seats: int, fresh: Fresh) -> None:
        self.deck = crypto.Deck([(number, (number % 8,)) for number in range(1, cards + 1)], ("digit",))
        self.secrets = [crypto.new_key(fresh()) for _ in range(seats)]
        self.joint = crypto.joint_key(secret.public for secret in self.secrets)
        start = crypto.as_rows(self.deck.fresh(self.deck.ids, self.joint))
        # One shuffle before the first link, so that no ciphertext of the chain is a trivial one (those are cheaper).
        self.rows = crypto.shuffle_output(crypto.shuffle(start, self.joint, HERE, fresh()), cards)
        self.chain = []
        for _ in self.secrets:
            message = crypto.shuffle(self.rows, self.joint, HERE, fresh())
            self.chain.append(crypto.Link(self.rows, message, self.joint, HERE))
            self.rows = crypto.shuffle_output(message, cards)

    def deal(self, seat: int, count: int, skip: int = 0) -> tuple[crypto.Ciphertext, ...]:
        """The hand of a seat: all layers but its own taken off."""
        others = [secret.scalar for at, secret in enumerate(self.secrets) if at != seat]
        cards = crypto.column(self.rows)[skip : skip + count]
        return tuple(crypto.peel(card, [other * card.a for other in others]) for card in cards)


def rebuild_jobs(fresh: Fresh) -> list[Job]:
    """Four seats, the last is lost, each stayer holds eight cards, and nobody has seen any of the 108."""
    table = Table(CARDS, 4, fresh)
    stayers = table.secrets[:3]
    hands = [table.deal(seat, 8, skip=8 * seat) for seat in range(3)]
    deck, unseen = table.deck, table.deck.ids
    joint = crypto.joint_key(secret.public for secret in stayers)
    me, hand = stayers[0], hands[0]
    message = crypto.mark(unseen, hand, me, joint, deck, HERE, fresh())

    def mark() -> int:
        return len(crypto.mark(unseen, hand, me, joint, deck, HERE, fresh()))

    def verify_mark() -> int:
        crypto.verify_mark(unseen, hand, me.public, joint, deck, message, HERE)
        return len(message)

    def rebuild() -> int:
        """What all three do, one after the other; each checks the other two."""
        said = [
            crypto.mark(unseen, own, secret, joint, deck, HERE, fresh())
            for own, secret in zip(hands, stayers, strict=True)
        ]
        sent = sum(map(len, said))
        marks: list[tuple[crypto.Ciphertext, ...]] = [()] * len(stayers)
        for checker in range(3):
            for at, (own, secret, proof) in enumerate(zip(hands, stayers, said, strict=True)):
                if at != checker:
                    marks[at] = crypto.verify_mark(unseen, own, secret.public, joint, deck, proof, HERE)
        links = []
        rows = crypto.mark_rows(unseen, marks, joint, deck)
        for _ in stayers:
            shuffled = crypto.shuffle(rows, joint, HERE, fresh())
            links.append(crypto.Link(rows, shuffled, joint, HERE))
            rows = crypto.shuffle_output(shuffled, CARDS, 2)
            sent += len(shuffled)
        for checker in range(3):
            crypto.verify_chain([link for at, link in enumerate(links) if at != checker])
        sums = crypto.column(rows, 1)
        given = [crypto.give_shares(secret, sums, HERE, fresh()) for secret in stayers]
        sent += sum(map(len, given))
        for checker in range(3):
            for at, (secret, proof) in enumerate(zip(stayers, given, strict=True)):
                if at != checker:
                    crypto.verify_shares(secret.public, sums, proof, HERE)
        return sent

    return [
        Job("mark_108", "mark eight held cards among 108: prove", mark),
        Job("verify_mark_108", "verify that mark", verify_mark),
        Job("rebuild_108_3", "rebuild a pile of 108 cards, one of four seats lost: CPU of all three stayers", rebuild),
    ]
