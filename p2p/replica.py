"""What every seat and every stranger holds equal: the log, the open step, the rules' state, the cards.

Law: a deterministic function of the entries it is given, in whatever order they come within a step. No secret, no
time, no packets; whom to believe, when to speak and when to vote is p2p/table.py's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.cards import Seat
from engine.game import Departed, Fact, Game, Need, Over
from p2p import events
from p2p.ballot import Agreement
from p2p.crypto import deck as crypto
from p2p.errors import Broken, Rule, WireError
from p2p.felt import Bound, Context, Felt
from p2p.identity import PublicIdentity
from p2p.log import ClosedStep, Log, close
from p2p.seating import KeyStep, Lots, Proposal, SealStep, Seated
from p2p.states import TAKES, Stage
from p2p.steps import begin, rebuild
from p2p.steps.base import Ground, Step
from p2p.steps.over import Finished
from p2p.wire import Entry, decode_body

KEY_STEP = 2  # seal, nonce, then keys: the first step in which seats are numbered by the lot


@dataclass(frozen=True, slots=True)
class Moment:
    """A step just before it closed, so that it can be opened again if it was closed on one of two stories."""

    step: Step[Any]
    context: Context
    entries: Mapping[Seat, Entry]
    said: Mapping[Seat, Any]
    cards: Mapping[Any, crypto.Ciphertext]
    bound: Mapping[Seat, Bound]
    active: tuple[Seat, ...]
    state: Any
    need: Need | None


@dataclass(frozen=True, slots=True)
class Replay:
    """Everything needed to undo a taking back."""

    number: int
    moment: Moment
    steps: list[ClosedStep]
    moments: Mapping[int, Moment]


class Replica:
    def __init__(self, proposal: Proposal, game: Game[Any], name: str) -> None:
        self.proposal = proposal
        self.game = game
        self.members = tuple(PublicIdentity(key) for key in proposal.members)  # by seat, once the lots are drawn
        self.names = tuple("" for _ in self.members)
        self.order: tuple[int, ...] | None = None  # order[seat] = place in the proposal
        self.log = Log(proposal.table)
        self.state: Any = None
        self.need: Need | None = None
        self.felt: Felt | None = None
        self.over: Over | None = None  # the result, when all still in have signed it
        self.epoch = 0
        self.number = 0
        self.entries: dict[Seat, Entry] = {}
        self.said: dict[Seat, Any] = {}
        self.news: list[events.Event] = []
        self._moments: dict[int, Moment] = {}  # since the last confirmation: what may have to be taken back
        self.step: Step[Any] = SealStep(proposal, name)
        self._open()

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats whose part in the cryptography is not over."""
        if self.felt is not None:
            return self.felt.active
        return tuple(Seat(number) for number in range(len(self.members)))

    @property
    def waiting_for(self) -> tuple[Seat, ...]:
        """Who has not spoken yet in the open step."""
        return () if self.over else tuple(seat for seat in self.step.authors if seat not in self.entries)

    def author(self, entry: Entry) -> PublicIdentity:
        """Whose seat this is: by the proposal until the lots are drawn, by the lot afterwards."""
        if entry.header.epoch == 0 and entry.header.step < KEY_STEP:
            return PublicIdentity(self.proposal.members[entry.header.seat])
        return self.members[entry.header.seat]

    # --- one step -----------------------------------------------------------------------------------------------

    def check(self, entry: Entry, mine: bool = False) -> Any:
        """What this entry brings to the open step. Broken if its author breaks a rule by it."""
        step, seat = self.step, entry.header.seat
        if seat not in step.authors:
            raise Broken(Rule.NOT_ASKED)
        if entry.header.kind != TAKES[step.stage].kind:
            raise Broken(Rule.WRONG_KIND)
        try:
            body = decode_body(entry.header.kind, entry.body_bytes)
        except WireError as error:
            raise Broken(Rule.MALFORMED, str(error)) from error
        try:
            return step.check(seat, body, self.context, mine)
        except crypto.CryptoError as error:
            raise Broken(step.rule, str(error)) from error

    def take(self, entry: Entry, said: Any) -> None:
        self.entries[entry.header.seat] = entry
        self.said[entry.header.seat] = said

    def drop(self, seat: Seat) -> bool:
        """What this seat said in the open step does not count. False: it had said nothing."""
        self.said.pop(seat, None)
        return self.entries.pop(seat, None) is not None

    def close(self) -> None:
        """All have spoken: the step enters the log, what it brought is booked, the next one opens."""
        step, said = self.step, self.said
        if step.stage is Stage.CONFIRM:
            self._moments.clear()  # everyone saw the same until here: nothing before it will be taken back
        self._moments[self.number] = self._moment()
        self.log.append(close(self.epoch, self.number, self.context.previous, self.entries.values()))
        self.number += 1
        outcome = step.close(said)
        if isinstance(step, SealStep):
            self.names = tuple(said[seat].name for seat in sorted(said))
        self._go_on(outcome)

    def _go_on(self, outcome: Step[Any] | Fact) -> None:
        if isinstance(outcome, Fact):
            follows = self._book(outcome)
            if follows is None:
                self.entries, self.said = {}, {}
                return
            outcome = follows
        self.step = outcome
        self._open()

    def _open(self) -> None:
        self.entries, self.said = {}, {}
        self.context = Context(self.proposal.table, self.epoch, self.number, self.log.digest)
        self.news.append(events.Opened(self.epoch, self.number, self.step.stage, self.step.authors))

    # --- what closed flows bring --------------------------------------------------------------------------------

    def _book(self, fact: Fact) -> Step[Any] | None:
        """The first step of the flow that follows, or None at the end."""
        outcome: Step[Any] | Fact = fact
        while isinstance(outcome, Fact):
            if isinstance(outcome, Lots):
                return self._seat(outcome.order)
            if isinstance(outcome, Finished):
                assert isinstance(self.need, Over)
                self.over = self.need
                self.news.append(events.Finished(self.over))
                return None
            if isinstance(outcome, Seated):
                self._start(outcome.publics)
            elif not isinstance(outcome, rebuild.Rebuilt):
                self._apply(outcome)
            outcome = begin(self._ground())
        return outcome

    def _apply(self, fact: Fact) -> None:
        assert self.need is not None
        need = self.need
        self.state = self.game.apply(self.state, fact)
        self.need = self.game.need(self.state)
        self.news.append(events.Booked(need, fact, self.state.news, self.state))

    def _ground(self) -> Ground:
        assert self.felt is not None
        assert self.need is not None
        return Ground(self.game, self.state, self.need, self.felt)

    def _seat(self, order: tuple[int, ...]) -> Step[Any]:
        self.order = order
        self.members = tuple(self.members[place] for place in order)
        self.names = tuple(self.names[place] for place in order)
        return KeyStep(tuple(Seat(number) for number in range(len(order))))

    def _start(self, publics: tuple[crypto.Point, ...]) -> None:
        keys = {Seat(seat): public for seat, public in enumerate(publics)}
        self.felt = Felt(crypto.Deck(self.game.deck, self.game.attributes), keys, tuple(keys))
        self.state = self.game.start(len(keys), dict(self.proposal.settings))
        self.need = self.game.need(self.state)
        self._moments.clear()  # before the keys there are no votes, so nothing is ever taken back

    # --- taking back: a step that was closed on one of two stories is void -----------------------------------------

    def _moment(self) -> Moment:
        felt = self.felt
        return Moment(
            self.step,
            self.context,
            dict(self.entries),
            dict(self.said),
            dict(felt.cards) if felt else {},
            dict(felt.bound) if felt else {},
            self.active,
            self.state,
            self.need,
        )

    def can_take_back(self, number: int) -> bool:
        return number in self._moments

    def take_back(self, number: int) -> Replay:
        """Open this step again, and forget all after it. Returns what undoes that."""
        undo = Replay(self.number, self._moment(), list(self.log.steps), dict(self._moments))
        self._restore(number, self._moments[number])
        self.log.back_to(self.epoch, number)
        self._moments = {at: moment for at, moment in self._moments.items() if at < number}
        self.news.append(events.TakenBack(self.epoch, number))
        return undo

    def redo(self, undo: Replay) -> None:
        self._restore(undo.number, undo.moment)
        self.log = Log(self.proposal.table)
        for closed in undo.steps:
            self.log.append(closed)
        self._moments = dict(undo.moments)

    def _restore(self, number: int, moment: Moment) -> None:
        self.number = number
        self.step, self.context = moment.step, moment.context
        self.entries, self.said = dict(moment.entries), dict(moment.said)
        self.state, self.need = moment.state, moment.need
        if self.felt is not None:
            self.felt.cards.clear()
            self.felt.cards.update(moment.cards)
            self.felt.bound.clear()
            self.felt.bound.update(moment.bound)
            self.felt.set_active(moment.active)

    # --- the cut ------------------------------------------------------------------------------------------------

    def cut(self, agreement: Agreement, haves: list[Entry], cuts: list[Entry]) -> None:
        """These seats are gone for good: book what counts of the open step, begin the next epoch, rebuild, go on."""
        assert self.felt is not None
        gone = agreement.gone
        said = {seat: self.said[seat] for seat in sorted(self.entries)}
        step: Step[Any] = self.step
        fact: Fact | None = None
        if self.entries:
            whole = all(seat in said for seat in step.authors)
            self.log.append(
                close(self.epoch, self.number, self.context.previous, self.entries.values(), partial=not whole)
            )
            if whole:
                outcome = step.close(said)
                fact = outcome if isinstance(outcome, Fact) else outcome.cut({}, gone)
            else:
                fact = step.cut(said, gone)
        else:
            fact = step.cut({}, gone)
        for entries in (haves, cuts):
            self.log.append(close(self.epoch, entries[0].header.step, self.log.digest, entries))
        for seat in gone:
            self.felt.bound.pop(seat, None)
        self.felt.without(gone)
        self.epoch += 1
        self.number = 0
        self._moments.clear()
        if isinstance(fact, Finished) or isinstance(self.need, Over):
            self._go_on(fact if isinstance(fact, Finished) else begin(self._ground()))
            return
        departed = tuple(sorted(gone))
        real = fact is not None and not isinstance(fact, rebuild.Rebuilt)
        self._apply(replace(fact, gone=departed) if fact is not None and real else Departed(gone=departed))
        ground = self._ground()
        self._go_on(begin(ground) if isinstance(self.need, Over) else rebuild.begin(ground))
