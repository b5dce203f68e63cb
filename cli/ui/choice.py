"""A choice in the making: which cards are picked, which may follow, when it is a move. The same for every game.

Law: pure; knows moves as the contract gives them (own places in order, then numbers) and no rule. Nothing here is
sent: as long as a choice is only this, it can be changed freely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.cards import Slot
from engine.game import Move


@dataclass(frozen=True, slots=True)
class Choice:
    """`picked`: own places in the order of the move. `values`: the numbers after them, where a game has such."""

    picked: tuple[Slot, ...] = ()
    values: tuple[int, ...] = ()

    def fitting(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """The moves that begin like this."""
        slots, values = len(self.picked), len(self.values)
        return tuple(
            move for move in moves if move.slots[:slots] == self.picked and move.values[:values] == self.values
        )

    def next_slots(self, moves: Sequence[Move]) -> tuple[Slot, ...]:
        """The own places that may be picked next, each once."""
        at = len(self.picked)
        return tuple(dict.fromkeys(move.slots[at] for move in self.fitting(moves) if len(move.slots) > at))

    def next_values(self, moves: Sequence[Move]) -> tuple[int, ...]:
        """The numbers that may follow once every place is picked."""
        at = len(self.values)
        fitting = [move for move in self.fitting(moves) if len(move.slots) == len(self.picked)]
        return tuple(dict.fromkeys(move.values[at] for move in fitting if len(move.values) > at))

    def move(self, moves: Sequence[Move]) -> Move | None:
        """The move this choice is, once nothing is missing."""
        for move in self.fitting(moves):
            if move.slots == self.picked and move.values == self.values:
                return move
        return None

    def pick(self, slot: Slot, moves: Sequence[Move]) -> Choice:
        """With this card picked, or put back if it was. A full choice starts again with the new card."""
        if slot in self.picked:
            return Choice(self.picked[: self.picked.index(slot)])
        if slot in self.next_slots(moves):
            return replace(self, picked=(*self.picked, slot))
        first = Choice()
        return Choice((slot,)) if slot in first.next_slots(moves) and self.move(moves) else self

    def back(self) -> Choice:
        """One step back."""
        if self.values:
            return replace(self, values=self.values[:-1])
        return Choice(self.picked[:-1])
