"""What a table tells whoever drives it: facts for screens, bots and the protocol panel.

Law: names and values only, all of it public except that `Asked` is about me. No event carries a secret or a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
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
class TakenBack(Event):
    """Some had closed this step on one of two stories: it is open again, what came after it is void."""

    epoch: int
    step: int


@dataclass(frozen=True, slots=True)
class Lost(Event):
    """The connection to a seat is lost (it has not left); it is waited for until `until`."""

    seat: Seat
    until: float


@dataclass(frozen=True, slots=True)
class Back(Event):
    """A lost seat is heard again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Voting(Event):
    """All who stay agree which messages of these seats count; then play goes on without them."""

    gone: tuple[Seat, ...]


class Why(StrEnum):
    """Why a seat is gone."""

    FAULT = "fault"  # it broke a rule; the evidence is in the log
    GOODBYE = "goodbye"  # it left on purpose
    LOST = "lost"  # nobody who stays reaches it: their word, which the log shows


@dataclass(frozen=True, slots=True)
class Gone(Event):
    """These seats are gone for good. `minority`: those who stay are no strict majority of the seats then playing."""

    seats: tuple[tuple[Seat, Why], ...]
    stayers: tuple[Seat, ...]
    minority: bool


@dataclass(frozen=True, slots=True)
class Forked(Event):
    """This lost seat has gone on by itself and holds me for lost: there are two tables now, and two results."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class VotedOut(Event):
    """The others went on without me: I only watch from here."""


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
