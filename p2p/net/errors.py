"""What can go wrong on the network, as names and values. Whoever shows it finds the words, in any language.

Law: every error that this folder lets out to its users is a NetError with a `note`.
"""

from __future__ import annotations

from engine.game import Note


class NetError(Exception):
    """Base of them all."""

    def __init__(self, problem: Note) -> None:
        super().__init__(problem.name, *(f"{key}={value}" for key, value in problem.values))
        self.note = problem


class Unreachable(NetError):
    """A message could not be handed over to this peer now: no connection, or it takes nothing any more."""


class TooLarge(NetError):
    """A message is larger than its receiver would accept. Nothing was sent."""


class CannotJoin(NetError):
    """Whoever gave the invite could not be reached by it."""


class CannotStart(NetError):
    """The network could not be opened on this machine."""


class ProfileTrouble(NetError):
    """A profile cannot be opened: damaged, not ours, or not writable."""
