"""What a table tells whoever drives it: facts for screens, bots and the protocol panel.

Law: names and values only, all of it public except that `Asked` is about me. No event carries a secret or a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.cards import Seat
from engine.game import Fact, Need, Note, Over
from p2p.errors import Fault
from p2p.states import Stage


class Event:
    """Base of all events."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """A step waits for these seats."""

    epoch: int
    step: int
    stage: Stage
    authors: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Asked(Event):
    """It is on me to decide: call `play` with one of the view's moves."""

    need: Need


@dataclass(frozen=True, slots=True)
class Spoke(Event):
    """A seat's message was taken; `proven`: everything in it has been verified already."""

    seat: Seat
    stage: Stage
    size: int
    proven: bool


@dataclass(frozen=True, slots=True)
class Proven(Event):
    """These seats' shuffles, put off until now, have been verified."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Seated(Event):
    """The lots are drawn: names by seat, and which seat is mine (None for a spectator)."""

    names: tuple[str, ...]
    mine: Seat | None


@dataclass(frozen=True, slots=True)
class Booked(Event):
    """The rules took a fact; `news` is what a player may be told of it."""

    need: Need
    fact: Fact
    news: tuple[Note, ...]
    state: Any


@dataclass(frozen=True, slots=True)
class Accused(Event):
    """A fault that anybody can check from the log."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Silent(Event):
    """A machine step has waited too long for these seats: a suspicion, no fault."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """Every seat still in has signed this result."""

    over: Over
