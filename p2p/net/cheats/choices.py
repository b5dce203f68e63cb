"""Cheats with decisions: commitments, what is opened, passed, claimed and played, and the result."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from itertools import permutations
from typing import cast

from engine.cards import Slot
from engine.game import Cannot, Clause, Move
from p2p.commit_reveal import Opening
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.net.cheats.base import Cheat
from p2p.net.cheats.cards import HAND_GAMES, TURN_GAMES
from p2p.states import Stage
from p2p.steps.choose import open_share
from p2p.wire import Ack, Answer, Body, Commit, Give, Play, Reveal, decode_body

OPENINGS = frozenset({Stage.GIVE, Stage.REVEAL})


# --- commitments ----------------------------------------------------------------------------------------------------


class Chooser(Cheat):
    rule = Rule.BAD_OPENING
    games = HAND_GAMES


class CopiedCommitment(Chooser):
    name = "copied-commitment"
    what = "commits to whatever somebody else has committed to, and then shows what that seat shows"
    stages = patient = frozenset({Stage.COMMIT}) | OPENINGS
    again = True

    def lie(self, truth: Body) -> Body | None:
        theirs = self.replica.entries.get(self.others[0])
        if theirs is None:
            return None
        said = decode_body(truth.kind, theirs.body_bytes)
        match said, truth:
            case Commit(), Commit():
                self.me.bind(said.commitment, self.me.opening(truth.commitment))
                return replace(truth, commitment=said.commitment)
            case Give(), Give():
                return replace(truth, salt=said.salt)
            case Reveal(), Reveal():
                return replace(truth, salt=said.salt, move=said.move, values=said.values)
        return None


class ReplayedCommitment(Chooser):
    name = "replayed-commitment"
    what = "repeats a commitment of an earlier step, for a choice it has meanwhile thought better of"
    stages = frozenset({Stage.COMMIT})
    old: bytes = b""

    def lie(self, truth: Body) -> Body | None:
        commit = cast(Commit, truth)
        if not self.old:
            self.old = commit.commitment
            return None
        self.me.bind(self.old, self.me.opening(commit.commitment))
        return replace(commit, commitment=self.old)


class ChangedMind(Chooser):
    name = "changed-mind"
    what = "waits until others have shown their choices and shows another than it had committed to"
    stages = patient = OPENINGS

    def lie(self, truth: Body) -> Body | None:
        bound = self.cards.bound[self.my_seat]
        opening = self.me.opening(bound.commitment)
        unused = [slot for slot in bound.hand if slot not in opening.move.slots]
        if not unused or not opening.move.slots:
            return None
        twin = self.twin()
        other = opening.move._replace(slots=(unused[0], *opening.move.slots[1:]))
        twin.bind(bound.commitment, Opening(other, opening.salt))
        return self.spoken(self.step, twin)


class NoSalt(Chooser):
    name = "no-salt"
    what = "shows its choice with another salt than the one it committed with"
    stages = OPENINGS

    def lie(self, truth: Body) -> Body | None:
        return replace(cast(Reveal, truth), salt=bytes(32))


# --- opening and passing --------------------------------------------------------------------------------------------


class OtherCard(Cheat):
    name = "other-card"
    what = "shows the place it committed to and opens the card of another place of its hand there"
    rule = Rule.BAD_SHARE
    games = HAND_GAMES
    stages = frozenset({Stage.REVEAL})

    def lie(self, truth: Body) -> Body | None:
        reveal, bound = cast(Reveal, truth), self.cards.bound[self.my_seat].hand
        unused = [slot for slot in bound if slot not in reveal.slots]
        if not unused or not reveal.slots:
            return None
        cards = [bound[unused[0]], *(bound[Slot(slot)] for slot in reveal.slots[1:])]
        return replace(reveal, share=open_share(self.me, cards, self.here))


class OtherCardPlayed(Cheat):
    name = "other-card-played"
    what = "plays the card of one place and opens that of another"
    rule = Rule.BAD_SHARE
    games = TURN_GAMES
    stages = frozenset({Stage.PLAY})

    def lie(self, truth: Body) -> Body | None:
        play = cast(Play, truth)
        if not play.slots or len(self.places()) < 2:
            return None
        cards = [self.cards.cards[slot] for slot in self.places()[: len(play.slots)]]  # as they lay before hiding
        return replace(play, share=open_share(self.me, cards, self.here))


class ReshuffledHand(Cheat):
    name = "reshuffled-hand"
    what = "hides its hand once more after committing, and passes from that one"
    rule = Rule.BAD_PASS
    games = HAND_GAMES
    stages = frozenset({Stage.GIVE})

    def lie(self, truth: Body) -> Body | None:
        bound = self.cards.bound[self.my_seat].hand
        if len(bound) < 2:
            return None
        places = tuple(bound)
        message, _ = crypto.hide(tuple(bound.values()), self.me.secret, self.for_purpose("hide"), self.entropy())
        again = [row[0] for row in crypto.shuffle_output(message, len(places), 1)]
        return self.bound_to(dict(zip(places, again, strict=True)))

    def bound_to(self, hand: dict[Slot, crypto.Ciphertext]) -> Body:
        step, felt = copy(self.step), copy(self.cards)
        felt.bound = {**felt.bound, self.my_seat: replace(felt.bound[self.my_seat], hand=hand)}
        step.ground = replace(self.ground, felt=felt)
        return self.spoken(step, self.twin())


class OtherPass(ReshuffledHand):
    name = "other-pass"
    what = "passes a card of its own choice instead of the one it committed to"

    def lie(self, truth: Body) -> Body | None:
        bound = self.cards.bound[self.my_seat].hand
        return self.bound_to(dict.fromkeys(bound, self.another_card()))


class PassToMyself(ReshuffledHand):
    name = "pass-to-itself"
    what = "passes its card encrypted for its own key: whoever should get it cannot read it"

    def lie(self, truth: Body) -> Body | None:
        step = copy(self.step)
        step.receiver = dict.fromkeys(step.receiver, self.my_seat)
        return self.spoken(step, self.me)


# --- claims ---------------------------------------------------------------------------------------------------------


class FalseCannot(Cheat):
    name = "false-cannot"
    what = "claims that it cannot form a number although it can, with a proof of something weaker"
    rule = Rule.FALSE_CLAIM
    games = HAND_GAMES
    stages = frozenset({Stage.ANSWER})

    def lie(self, truth: Body) -> Body | None:
        if not cast(Answer, truth).can:
            return None
        step = copy(self.step)
        values = tuple({card.attributes[0] for card in self.game.deck})
        anything = Cannot(self.my_seat, step.asked[self.my_seat].attribute, (Clause(values, values),))
        step.asked = {**step.asked, self.my_seat: anything}
        return self.spoken(step, self.me)


class BorrowedCannot(FalseCannot):
    name = "borrowed-cannot"
    what = "claims that it cannot form a number although it can, and proves it for another hand than its own"

    def lie(self, truth: Body) -> Body | None:
        if not cast(Answer, truth).can:
            return None
        statement = self.step.asked[self.my_seat]
        clause = statement.any_of[-1]
        weakest = [
            card.id
            for card in self.game.deck
            if card.attributes[statement.attribute] in {*clause.first} & {*clause.others}
        ]
        cards = self.cards
        fresh = cards.deck.fresh(weakest[: len(self.places())], cards.publics[self.my_seat])
        if len(fresh) < len(self.places()):
            return None
        return self.with_other_cards(dict(zip(self.places(), fresh, strict=True)))


class NoProof(FalseCannot):
    name = "unproven-cannot"
    what = "claims that it cannot form a number and gives no proof"

    def lie(self, truth: Body) -> Body | None:
        return Answer(False, b"")


class FalseCan(Cheat):
    name = "false-can"
    what = "says that it can form a number when it cannot, and then opens two cards that form none"
    rule = Rule.ILLEGAL_MOVE
    games = HAND_GAMES
    stages = frozenset({Stage.ANSWER})
    least = 3
    hasty = True

    def lie(self, truth: Body) -> Body | None:
        return None if cast(Answer, truth).can else Answer(True, b"")

    @property
    def must_decide(self) -> bool:
        return super().must_decide and not self.stuck

    @property
    def stuck(self) -> bool:
        """It has said that it can, and has no move: nobody is to be asked for one."""
        return self.lied and self.state is not None and not self.game.moves(self.state, self.my_seat, self.known())

    def _machine_speaks(self) -> bool:
        return super()._machine_speaks() or (self.decides() and self.stuck and not self._mute)

    def _body(self, move: Move | None) -> Body:
        if self.decides() and self.stuck:
            move = Move("form", self.places()[:2])
        return super()._body(move)


# --- moves ----------------------------------------------------------------------------------------------------------


class IllegalMove(Cheat):
    name = "illegal-move"
    what = "makes a move that the rules of the game forbid"
    rule = Rule.ILLEGAL_MOVE
    stages = frozenset({Stage.COMMIT, Stage.PLAY})

    def lie(self, truth: Body) -> Body | None:
        forbidden = self.forbidden()
        if forbidden is None:
            return None
        self.move = forbidden
        return self.spoken(self.step, self.me)  # commits to it as an honest seat would

    def forbidden(self) -> Move | None:
        """Another move with cards of my hand, of the kind that is asked for, which is not among the legal ones."""
        legal = self.game.moves(self.state, self.my_seat, self.known())
        if not legal or legal[0].kind == "pass":  # what is passed is not seen: there is no illegal card
            return None
        kind, slots, values = legal[0]
        if len(slots) < 2:  # any single card may be played: what is forbidden is to say more than that
            return Move(kind, slots, (*values, 1))
        known = (Move(kind, cards, values) for cards in permutations(self.places(), len(slots)))
        return next((move for move in known if move not in legal), None)


class ForeignCard(Cheat):
    name = "foreign-card"
    what = "uses a card of somebody else's hand"
    rule = Rule.ILLEGAL_MOVE
    stages = OPENINGS | {Stage.PLAY}

    def lie(self, truth: Body) -> Body | None:
        theirs = self.ground.hand(self.others[0])
        match truth:
            case _ if not theirs:
                return None
            case Give():
                return replace(truth, slot=theirs[0])
            case Reveal() | Play() if truth.slots:
                return replace(truth, slots=(theirs[0], *truth.slots[1:]))
        return None


class SameCardTwice(Cheat):
    name = "same-card-twice"
    what = "uses one card twice in one move"
    rule = Rule.ILLEGAL_MOVE
    games = HAND_GAMES
    stages = frozenset({Stage.REVEAL})

    def lie(self, truth: Body) -> Body | None:
        reveal = cast(Reveal, truth)
        return replace(reveal, slots=(reveal.slots[0],) * 2) if reveal.slots else None


# --- the result -----------------------------------------------------------------------------------------------------


class FalseResult(Cheat):
    name = "false-result"
    what = "signs another result than the rules give"
    rule = Rule.OTHER_RESULT
    stages = frozenset({Stage.ACK})

    def lie(self, truth: Body) -> Body | None:
        return Ack(bytes(32))


CHEATS: tuple[type[Cheat], ...] = (
    CopiedCommitment, ReplayedCommitment, ChangedMind, NoSalt,
    OtherCard, OtherCardPlayed, ReshuffledHand, OtherPass, PassToMyself,
    FalseCannot, BorrowedCannot, NoProof, FalseCan,
    IllegalMove, ForeignCard, SameCardTwice,
    FalseResult,
)  # fmt: skip
