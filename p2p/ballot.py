"""The votes of one epoch: who stays, and which messages of the open step count.

Law: collects and compares; what is believed, and when to vote, is decided in p2p/table.py. Every seat that holds the
same votes comes to the same `Agreement`.

A vote has rounds. In a round each stayer says `Have` (who is gone, my open step, what I hold of it), then, from
everyone's `Have`, the same `Cut`. Who learns more starts a higher round; a round counts when all who stay
in it have signed its cut.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.cards import Seat
from p2p.wire import VOTES, Cut, Entry, Have

JUMP = 8  # rounds somebody may be ahead of all I know: more would let one seat use them up


def mask_of(seats: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in seats)


def seats_of(mask: int) -> frozenset[Seat]:
    return frozenset(Seat(seat) for seat in range(mask.bit_length()) if mask >> seat & 1)


def have_step(round_: int) -> int:
    return VOTES + 2 * round_


def cut_step(round_: int) -> int:
    return VOTES + 2 * round_ + 1


@dataclass(frozen=True, slots=True)
class Agreement:
    """A round in which all who stay said `Have` with the same gone seats."""

    round: int
    gone: frozenset[Seat]
    stayers: tuple[Seat, ...]
    open: int  # the step that is cut: the furthest any stayer has come
    previous: frozenset[bytes]  # the digest before it; more than one: the stayers stand on different pasts
    counted: frozenset[bytes]  # hashes of the messages of that step that count
    votes: bytes  # digest of the stayers' votes it was computed from

    def digest(self, epoch: int, previous: bytes) -> bytes:
        """What all who stay sign: there is nothing to choose in it."""
        hasher = hashlib.sha256(
            b"nodealer/1/cut" + struct.pack(">HIII", epoch, self.round, mask_of(self.gone), self.open)
        )
        hasher.update(previous + b"".join(sorted(self.counted)))
        return hasher.digest()


def _digest_of(entries: Iterable[Entry]) -> bytes:
    hashes = sorted(hashlib.sha256(entry.signed).digest() for entry in entries)
    return hashlib.sha256(b"nodealer/1/votes" + b"".join(hashes)).digest()


@dataclass
class Ballot:
    haves: dict[int, dict[Seat, tuple[Entry, Have]]] = field(default_factory=dict)
    cuts: dict[int, dict[Seat, tuple[Entry, Cut]]] = field(default_factory=dict)

    @property
    def highest(self) -> int:
        return max((*self.haves, *self.cuts), default=-1)

    def find(self, step: int, seat: Seat) -> Entry | None:
        """The entry held of this seat for this place among the votes."""
        rounds: dict[int, dict[Seat, tuple[Entry, Have]]] | dict[int, dict[Seat, tuple[Entry, Cut]]]
        rounds = self.cuts if (step - VOTES) % 2 else self.haves
        held = rounds.get((step - VOTES) // 2, {}).get(seat)
        return held[0] if held else None

    def add(self, entry: Entry, body: Have | Cut, *, bounded: bool = True) -> bool:
        """Keep a vote that stands where it says. False: it does not, or is too far ahead for somebody who votes."""
        seat, step = entry.header.seat, entry.header.step
        if bounded and body.round > self.highest + JUMP:
            return False
        if isinstance(body, Have):
            if step != have_step(body.round) or seat in seats_of(body.gone):
                return False
            self.haves.setdefault(body.round, {})[seat] = (entry, body)
        else:
            if step != cut_step(body.round):
                return False
            self.cuts.setdefault(body.round, {})[seat] = (entry, body)
        return True

    def agreements(self, active: tuple[Seat, ...]) -> list[Agreement]:
        """Every round in which all who stay say the same is gone, the latest first."""
        return [found for round_ in sorted(self.haves, reverse=True) if (found := self._agreement(round_, active))]

    def furthest(self, seats: Iterable[Seat]) -> int:
        """The furthest open step that any of these seats' votes names."""
        wanted = set(seats)
        return max(
            (have.open for votes in self.haves.values() for seat, (_, have) in votes.items() if seat in wanted),
            default=0,
        )

    def _agreement(self, round_: int, active: tuple[Seat, ...]) -> Agreement | None:
        votes = self.haves[round_]
        for mask in sorted({have.gone for _, have in votes.values()}):
            gone = seats_of(mask)
            stayers = tuple(seat for seat in active if seat not in gone)
            if stayers and all(seat in votes and votes[seat][1].gone == mask for seat in stayers):
                furthest = max(votes[seat][1].open for seat in stayers)
                there = [votes[seat] for seat in stayers if votes[seat][1].open == furthest]
                return Agreement(
                    round_,
                    gone,
                    stayers,
                    furthest,
                    frozenset(entry.header.previous for entry, _ in there),
                    frozenset(digest for _, have in there for digest in have.held),
                    _digest_of(votes[seat][0] for seat in stayers),
                )
        return None

    def signed(self, agreement: Agreement) -> bool:
        """Have all who stay signed this round's cut, from the same votes?"""
        cuts = self.cuts.get(agreement.round, {})
        return all(seat in cuts and cuts[seat][1].votes == agreement.votes for seat in agreement.stayers)

    def voters(self) -> set[Seat]:
        """Who has signed a vote, and so signs nothing else in this epoch."""
        return {seat for votes in self.haves.values() for seat in votes}

    def entries(self, gone: frozenset[Seat] | None = None) -> list[Entry]:
        """The votes in the order of the log: all, or those of rounds in which just these seats are held for gone."""
        mask = None if gone is None else mask_of(gone)
        held = []
        for round_, votes in self.haves.items():
            same = [entry for entry, have in votes.values() if mask in (None, have.gone)]
            held += same
            if same:
                held += [entry for entry, _ in self.cuts.get(round_, {}).values()]
        return sorted(held, key=lambda entry: entry.place)
