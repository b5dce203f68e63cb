"""Need `Choose`, and the commitment that `Pass` shares with it: nobody shows a choice before everyone's is fixed.

Law: commit (the hand hidden anew, and a hash of a choice from exactly that hand), confirm that all saw the same,
reveal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.cards import Seat
from engine.game import Choose, Chosen, Fact, Move, Played
from p2p.commit_reveal import Opening, commit, matches
from p2p.crypto import deck as crypto
from p2p.errors import Broken, LocalError, Rule
from p2p.felt import Bound, Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step, check_hidden, hide, own_places, translate
from p2p.steps.confirm import ConfirmStep
from p2p.wire import Commit, Reveal


class CommitStep(CardStep[Commit]):
    stage = Stage.COMMIT
    rule = Rule.BAD_HIDE

    def __init__(self, ground: Ground, authors: tuple[Seat, ...], after: Callable[[], Step[Any]]) -> None:
        super().__init__(ground, authors)
        self.after = after

    def speak(self, me: Me, context: Context, move: Move | None) -> Commit:
        if move is None:
            raise LocalError("no_move")
        hidden = hide(self.ground, me, context)
        opening = Opening(translate(move, hidden.moved), me.entropy(context, "salt")[:32])
        commitment = commit(context.of(me.seat, "choice"), hidden.message, opening)
        me.bind(commitment, opening)
        return Commit(hidden.message, commitment)

    def check(self, seat: Seat, body: Commit, context: Context, mine: bool) -> Bound:
        hand = check_hidden(self.ground, seat, body.hidden, context, mine)
        return Bound(hand, body.hidden, body.commitment, context.of(seat, "choice"))

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        felt = self.ground.felt
        felt.bound.update(said)
        return ConfirmStep(self.ground, felt.active, self.after)

    def cut(self, said: Mapping[Seat, Any], gone: frozenset[Seat]) -> Fact | None:
        """Who stays and has committed stays bound."""
        self.ground.felt.bound.update({seat: bound for seat, bound in said.items() if seat not in gone})
        return None


def bind(ground: Ground, seats: tuple[Seat, ...], after: Callable[[], Step[Any]]) -> Step[Any]:
    """Ask those for a commitment who are not bound already (a cut can leave some bound), then go on."""
    free = tuple(seat for seat in seats if seat not in ground.felt.bound)
    if free:
        return CommitStep(ground, free, after)
    return ConfirmStep(ground, ground.felt.active, after)


def bound_choice(ground: Ground, seat: Seat, move: Move, salt: bytes) -> Bound:
    """The commitment of this seat, if it is to this move. Else the fault `bad_opening`."""
    bound = ground.felt.bound[seat]
    if any(slot not in bound.hand for slot in move.slots):  # a cut can have brought it new cards since
        raise Broken(Rule.ILLEGAL_MOVE, "not places of the hand committed from")
    if not matches(bound.commitment, bound.context, bound.hidden, Opening(move, salt)):
        raise Broken(Rule.BAD_OPENING, "not the choice committed to")
    return bound


def my_opening(ground: Ground, me: Me) -> Opening:
    """The choice that the commitment in force binds me to."""
    return me.opening(ground.felt.bound[me.seat].commitment)


def settle(ground: Ground, seats: Mapping[Seat, Any]) -> None:
    """The hands of these seats now lie as they were hidden for the choice, and nothing binds them any more."""
    for seat in seats:
        bound = ground.felt.bound.pop(seat)
        ground.felt.cards.update(bound.hand)


class RevealStep(CardStep[Reveal]):
    stage = Stage.REVEAL
    rule = Rule.BAD_SHARE

    def speak(self, me: Me, context: Context, move: Move | None) -> Reveal:
        opening = my_opening(self.ground, me)
        bound = self.ground.felt.bound[me.seat]
        cards = [bound.hand[slot] for slot in opening.move.slots]
        share = open_share(me, cards, context)
        kind, slots, values = opening.move
        return Reveal(kind, slots, values, opening.salt, share)

    def check(self, seat: Seat, body: Reveal, context: Context, mine: bool) -> Played:
        move = Move(body.move, own_places(self.ground, seat, body.slots), body.values)
        bound = bound_choice(self.ground, seat, move, body.salt)
        return check_played(self.ground, seat, move, bound.hand, body.share, context)

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        return self._book(said)

    def _book(self, said: Mapping[Seat, Played]) -> Chosen:
        settle(self.ground, said)
        for played in said.values():
            self.ground.felt.clear(played.move.slots)
        return Chosen(played=tuple(said[seat] for seat in sorted(said)))

    def cut(self, said: Mapping[Seat, Any], gone: frozenset[Seat]) -> Fact | None:
        """What has been shown counts, also of a seat now gone."""
        return self._book(said)


def open_share(me: Me, cards: list[crypto.Ciphertext], context: Context) -> bytes:
    if not cards:
        return b""
    return crypto.give_shares(me.secret, cards, context.of(me.seat, "open"), me.entropy(context, "open"))


def check_played(
    ground: Ground, seat: Seat, move: Move, hand: Mapping[Any, Any], share: bytes, context: Context
) -> Played:
    """The move with the faces it opened, if the shares are right, the faces are cards, and the rules allow it."""
    faces = ground.felt.opened(seat, [hand[slot] for slot in move.slots], share, context.of(seat, "open"))
    if not ground.is_legal(seat, move, dict(zip(move.slots, faces, strict=True))):
        raise Broken(Rule.ILLEGAL_MOVE, move.kind)
    return Played(seat, move, faces)


def begin(ground: Ground, need: Choose) -> Step[Any] | Fact:
    return bind(ground, need.seats, lambda: RevealStep(ground, need.seats))
