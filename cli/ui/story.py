"""What has happened at one table, folded from what its driver tells: the log, the open step, and what goes on beneath.

Law: pure. Reads events and the view that came with them, never a table, so it is the same over a thread, a network
or a saved log. What only the player knows (which card was drawn or received) is read from the view's own hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.cards import CardId, Seat
from engine.game import Drawn, Left, Need, Note, Over, Passed, View, note
from p2p import events
from p2p.errors import Fault
from p2p.events import Why
from p2p.net.driver import Happened, News, Refused, Stopped
from p2p.states import Stage

KEPT = 400  # deeds kept for the protocol panel: more than a game of six has

Place = tuple[int, int]


class Entry(NamedTuple):
    """A line of the log, and the step in which it came."""

    place: Place
    told: Note


class Deed(NamedTuple):
    """Something a table did beneath the game. `stage` is None for shuffles proven."""

    place: Place
    seats: tuple[Seat, ...]
    stage: Stage | None
    milliseconds: float  # of work for this table; 0 if the deed after it has it
    call: int = 0  # what was done in one go has one number


@dataclass(frozen=True, slots=True)
class Code:
    """Words that are equal for all who sit at this table with the same people."""

    words: str


@dataclass(frozen=True, slots=True)
class Chat:
    name: str
    text: str


Told = News | Code | Chat

#: Stages whose messages carry a proof that every other seat checks.
PROVING = frozenset(
    {Stage.KEY, Stage.SHARE, Stage.COMMIT, Stage.REVEAL, Stage.GIVE, Stage.PLAY, Stage.HAND_OVER, Stage.MARK}
)
#: How a link of a shuffle chain stands.
WAITS, WORKS, DONE, PROVEN = "waits", "works", "done", "proven"
#: The log's line for a seat that is gone for good.
WENT: Mapping[Why, str] = {Why.GOODBYE: "went_goodbye", Why.LOST: "went_lost", Why.FAULT: "went_fault"}


def last_round(log: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The log since the last round in it began; all of it where there are no rounds."""
    for index in range(len(log) - 1, -1, -1):
        if log[index].told.name == "round":
            return log[index:]
    return log


@dataclass(frozen=True, slots=True)
class Story:
    names: tuple[str, ...] = ()  # by seat; empty until the lots are drawn
    me: Seat | None = None
    code: str = ""
    place: Place = (0, 0)
    stage: Stage = Stage.SEAL
    authors: tuple[Seat, ...] = ()  # whom the open step asks
    spoken: tuple[Seat, ...] = ()  # who of them has spoken
    asked: bool = False  # a decision is on me
    need: Need | None = None  # what a decision is asked for
    log: tuple[Entry, ...] = ()
    deeds: tuple[Deed, ...] = ()
    dealt: bool = False  # cards are in hands; before that only the shuffle can be watched
    shuffle: tuple[tuple[Seat, str], ...] = ()  # the latest shuffle: how each seat's part stands
    sealing: tuple[Seat, ...] = ()  # who is asked for the latest sealed choice
    sealed: tuple[Seat, ...] = ()  # whose is in
    opened: tuple[Seat, ...] = ()  # who has opened it
    proofs: int = 0  # of others, checked here
    milliseconds: float = 0.0  # of work, all in all
    lost: tuple[tuple[Seat, float], ...] = ()  # who is waited for, and until when
    silent: tuple[Seat, ...] = ()
    gone: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()  # whose part in the cryptography is over: gone, or handed over
    voting: tuple[Seat, ...] = ()
    watching: bool = False  # the others went on without me
    fault: Fault | None = None
    over: Over | None = None
    refused: Note | None = None  # why my last decision was not taken
    stopped: str = ""  # why the driver cannot go on
    hand: frozenset[CardId] = frozenset()
    latest: float = -1.0  # the work that brought the latest event: one call can bring several,
    calls: int = 0  # and has this number

    @property
    def waiting(self) -> tuple[Seat, ...]:
        """Who has not spoken yet in the open step."""
        return tuple(seat for seat in self.authors if seat not in self.spoken)

    @property
    def shuffling(self) -> bool:
        return bool(self.shuffle) and any(state != PROVEN for _, state in self.shuffle)

    @property
    def ended(self) -> bool:
        return self.over is not None or bool(self.stopped) or (self.fault is not None and not self.names)

    def after(self, told: Told, view: View | None) -> Story:
        """The story with one more thing told. `view`: what I may see by then."""
        match told:
            case Code(words):
                return replace(self, code=words)
            case Chat(name, text):
                return self._say(note("chat", name=name, text=text))
            case Refused(error):
                values = {key: str(value) for key, value in error.values.items() if key != "move"}
                return replace(self, refused=note(error.name, **values))
            case Stopped(reason):
                return replace(self, stopped=reason, asked=False)
            case Happened(event, milliseconds):
                if milliseconds == self.latest:
                    return self._happened(event, view)
                timed = replace(
                    self,
                    latest=milliseconds,
                    calls=self.calls + 1,
                    milliseconds=self.milliseconds + milliseconds,
                )
                return timed._happened(event, view)

    def _happened(self, event: events.Event, view: View | None) -> Story:
        match event:
            case events.Opened(epoch, step, stage, authors):
                return self._open((epoch, step), stage, authors)
            case events.Asked(need):
                return replace(self, asked=True, need=need, refused=None)
            case events.Spoke(seat, stage, _, proven):
                return self._spoke(seat, stage, proven)
            case events.Proven(seats):
                states = tuple((seat, PROVEN if seat in seats else state) for seat, state in self.shuffle)
                return replace(
                    self, shuffle=states, proofs=self.proofs + len(seats), deeds=self._deed(seats, None)
                )._say(note("shuffles_proven", seats=seats))
            case events.Seated(names, mine):
                story = replace(self, names=names, me=mine, deeds=(), spoken=(), sealed=())
                return story._say(note("seated", seats=tuple(map(Seat, range(len(names))))))
            case events.Booked():
                return self._booked(event, view)
            case events.Finished(over):
                return replace(self, over=over, asked=False)
        return self._trouble(event)

    def _trouble(self, event: events.Event) -> Story:
        """Somebody is lost, gone or at fault."""
        match event:
            case events.TakenBack(epoch, step):
                kept = tuple(entry for entry in self.log if entry.place < (epoch, step))
                return replace(self, log=kept, asked=False)._say(note("taken_back"))
            case events.Lost(seat, until):
                others = tuple(one for one in self.lost if one[0] != seat)
                return replace(self, lost=(*others, (seat, until)))._say(note("lost", seat=seat))
            case events.Back(seat):
                return replace(self, lost=tuple(one for one in self.lost if one[0] != seat))._say(
                    note("back", seat=seat)
                )
            case events.Voting(gone):
                return replace(self, voting=gone, asked=False)._say(note("voting", seats=gone))
            case events.Gone(seats, _, minority):
                left = tuple(seat for seat, _ in seats)
                story = replace(
                    self,
                    gone=(*self.gone, *left),
                    out=(*self.out, *left),
                    lost=tuple(one for one in self.lost if one[0] not in left),
                    voting=(),
                    asked=False,
                )
                for seat, why in seats:
                    story = story._say(note(WENT[why], seat=seat))
                return story._say(note("minority")) if minority else story
            case events.VotedOut():
                return replace(self, watching=True, asked=False)._say(note("voted_out"))
            case events.Accused(fault):
                return replace(self, fault=self.fault or fault)._say(
                    note("accused", seat=fault.seat, rule=fault.rule.value)
                )
            case events.Silent(seats):
                return replace(self, silent=seats)._say(note("silent", seats=seats)) if seats else self
        return self

    def _open(self, place: Place, stage: Stage, authors: tuple[Seat, ...]) -> Story:
        story = replace(self, place=place, stage=stage, authors=authors, spoken=(), asked=False, silent=())
        if stage is Stage.COMMIT:
            return replace(story, sealing=authors, sealed=(), opened=())
        if stage in (Stage.REVEAL, Stage.GIVE):
            return replace(story, opened=())
        if stage is Stage.LINK:
            chain = self.shuffle
            if self.stage is not Stage.LINK:  # the first link of a chain
                chain = tuple((Seat(seat), WAITS) for seat in range(len(self.names)) if seat not in self.out)
            return replace(story, shuffle=tuple((seat, WORKS if seat in authors else how) for seat, how in chain))
        return story

    def _spoke(self, seat: Seat, stage: Stage, proven: bool) -> Story:
        others = seat != self.me
        story = replace(
            self,
            spoken=(*self.spoken, seat) if seat not in self.spoken else self.spoken,
            proofs=self.proofs + (others and proven and stage in PROVING),
            deeds=self._deed((seat,), stage),
            asked=self.asked and others,
        )
        if stage is Stage.COMMIT:
            return replace(story, sealed=(*self.sealed, seat))
        if stage in (Stage.REVEAL, Stage.GIVE):
            return replace(story, opened=(*self.opened, seat))
        if stage is Stage.LINK:
            state = PROVEN if proven else DONE
            return replace(
                story, shuffle=tuple((one, state if one == seat else how) for one, how in self.shuffle)
            )._say(note("shuffled_by", seat=seat))
        return story

    def _booked(self, event: events.Booked, view: View | None) -> Story:
        hand = self.hand if view is None else frozenset(card for _, card in view.hand)
        story = replace(self, hand=hand, dealt=self.dealt or isinstance(event.fact, Drawn))
        if isinstance(event.fact, Left):
            story = replace(story, out=(*self.out, *event.fact.seats))
        for told in event.news:
            if told.name == "gone" and set(told["seats"]) <= set(self.gone):
                continue  # said already, and why
            story = story._say(self._privately(told, event, hand))
        return story

    def _privately(self, told: Note, event: events.Booked, hand: frozenset[CardId]) -> Note:
        """The note, with the cards that are my own business in it."""
        gained, given = tuple(sorted(hand - self.hand)), tuple(sorted(self.hand - hand))
        values = dict(told.values)
        if isinstance(event.fact, Drawn) and values.get("seat") == self.me and len(gained) == values.get("count"):
            return note("drew_cards", cards=gained)
        if isinstance(event.fact, Passed) and told.name == "passed":
            giver, receiver = values["seats"]
            if giver == self.me and len(given) == 1:
                return note("gave", seats=(giver, receiver), card=given[0])
            if receiver == self.me and len(gained) == 1:
                return note("received", seats=(giver, receiver), card=gained[0])
        return told

    def _say(self, told: Note) -> Story:
        return replace(self, log=(*self.log, Entry(self.place, told)))

    def _deed(self, seats: tuple[Seat, ...], stage: Stage | None) -> tuple[Deed, ...]:
        """With one deed more. Of several in one go the last shows the work, for it is mine if anything of it is."""
        before = self.deeds
        if before and before[-1].call == self.calls:
            before = (*before[:-1], before[-1]._replace(milliseconds=0.0))
        return (*before, Deed(self.place, seats, stage, self.latest, self.calls))[-KEPT:]
