"""Cheats with the cards themselves: shuffles, shares, hands, what a leaver hands over, what is rebuilt."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import cast

from p2p.crypto import deck as crypto
from p2p.crypto.elgamal import CIPHERTEXT_SIZE
from p2p.errors import Rule
from p2p.net.cheats.base import Cheat
from p2p.states import Stage
from p2p.wire import Body, HandOver, Link, Share

HAND_GAMES = ("2win",)  # where hands are dealt, cards are passed and numbers chosen at once
TURN_GAMES = ("2sans3",)  # where one seat moves after the other


# --- the joint shuffle ----------------------------------------------------------------------------------------------


class Shuffler(Cheat):
    rule = Rule.BAD_SHUFFLE
    stages = frozenset({Stage.LINK})

    def shuffled(self, rows: list[tuple[crypto.Ciphertext, ...]]) -> Link:
        """An honest shuffle, honestly proven, of other rows than those that lie there."""
        return Link(crypto.shuffle(rows, self.cards.joint, self.for_purpose(self.step.purpose), self.entropy()))


class ReplacedCard(Shuffler):
    name = "replaced-card"
    what = "shuffles a card of its own choice into the deck in place of another"

    def lie(self, truth: Body) -> Body | None:
        rows = list(self.step.rows)
        rows[0] = self.cards.deck.fresh([self.game.deck[-1].id], self.cards.joint) + rows[0][1:]
        return self.shuffled(rows)


class DoubledCard(Shuffler):
    name = "doubled-card"
    what = "shuffles one card into the deck twice and leaves another out"

    def lie(self, truth: Body) -> Body | None:
        rows = list(self.step.rows)
        rows[1] = rows[0]
        return self.shuffled(rows)


class MarkedCard(Shuffler):
    name = "marked-card"
    what = "changes one card after its shuffle was proven, so that it knows it again"

    def lie(self, truth: Body) -> Body | None:
        message = cast(Link, truth).message
        marked = (crypto.Ciphertext.decode(message[:CIPHERTEXT_SIZE]) + self.another_card()).encode()
        return Link(marked + message[CIPHERTEXT_SIZE:])


class EmptiedCard(Shuffler):
    name = "emptied-card"
    what = "puts down bytes that are no point of the group in the place of a card"

    def lie(self, truth: Body) -> Body | None:
        return Link(bytes(CIPHERTEXT_SIZE) + cast(Link, truth).message[CIPHERTEXT_SIZE:])


class CopiedShuffle(Shuffler):
    name = "copied-shuffle"
    what = "hands in the shuffle of the seat before it as its own"

    def lie(self, truth: Body) -> Body | None:
        before = self.log.steps[-1].entries[0]
        body = self.body_of(before)
        return body if isinstance(body, Link) else None


class MisplacedShuffle(Shuffler):
    name = "misplaced-shuffle"
    what = "proves its shuffle for another step than the one it is made in"

    def lie(self, truth: Body) -> Body | None:
        elsewhere = replace(self.here, step=self.here.step + 1).of(self.my_seat, self.step.purpose)
        return Link(crypto.shuffle(self.step.rows, self.cards.joint, elsewhere, self.entropy()))


# --- shares ---------------------------------------------------------------------------------------------------------


class Sharer(Cheat):
    rule = Rule.BAD_SHARE
    stages = frozenset({Stage.SHARE})


class WrongShare(Sharer):
    name = "wrong-share"
    what = "gives the share of another card, so that somebody draws a wrong one"

    def lie(self, truth: Body) -> Body | None:
        message = cast(Share, truth).message
        if len(message) < 4 * 32:  # two shares at least, and the proof
            return None
        return Share(message[32:64] + message[:32] + message[64:])


class OtherKeysShare(Sharer):
    name = "other-keys-share"
    what = "gives shares of another key than its own, truly proven"

    def lie(self, truth: Body) -> Body | None:
        return self.with_another_key() if cast(Share, truth).message else None


class NoShare(Sharer):
    name = "no-share"
    what = "gives no share, so that cards cannot be drawn"

    def lie(self, truth: Body) -> Body | None:
        return Share(b"") if cast(Share, truth).message else None


# --- the own hand ---------------------------------------------------------------------------------------------------


class Hider(Cheat):
    """Each hides another hand than its own. The hidden hand and the choice from it come in one message."""

    rule = Rule.BAD_HIDE
    stages = frozenset({Stage.COMMIT, Stage.PLAY})


class SwappedHide(Hider):
    name = "swapped-hide"
    what = "swaps a card of its hand for one of its own choice while hiding the hand"

    def lie(self, truth: Body) -> Body | None:
        return self.with_other_cards(self.a_wish()) if self.places() else None


class DoubledHide(Hider):
    name = "doubled-hide"
    what = "hides one of its cards twice and drops another"

    def lie(self, truth: Body) -> Body | None:
        if len(self.places()) < 2:
            return None
        first, second, *_ = self.places()
        return self.with_other_cards({first: self.cards.cards[second]})


class StolenHide(Hider):
    name = "stolen-hide"
    what = "hides a card of somebody else's hand as its own"

    def lie(self, truth: Body) -> Body | None:
        theirs = self.ground.hand(self.others[0])
        if not theirs or not self.places():
            return None
        card = self.cards.cards[theirs[0]]
        self.me.learn(card, self.game.deck[0].id)  # whatever it is: it cannot be looked at
        return self.with_other_cards({self.places()[0]: card})


# --- leaving --------------------------------------------------------------------------------------------------------


class Leaver(Cheat):
    rule = Rule.BAD_HANDOVER
    stages = frozenset({Stage.HAND_OVER})
    games = HAND_GAMES
    least = 3
    hasty = True


class FalseHandOver(Leaver):
    name = "false-hand-over"
    what = "drops out and hands over other cards than it held"

    def lie(self, truth: Body) -> Body | None:
        return self.with_other_cards(self.a_wish()) if self.places() else None


class KeptHand(Leaver):
    name = "kept-hand"
    what = "drops out and takes its hand along"

    def lie(self, truth: Body) -> Body | None:
        return replace(cast(HandOver, truth), hand=b"") if self.places() else None


class KeptLayer(Leaver):
    name = "kept-layer"
    what = "drops out and leaves its layer on the face-down cards, so that nobody can draw them"

    def lie(self, truth: Body) -> Body | None:
        return replace(cast(HandOver, truth), strip=b"") if self.step.face_down else None


class FavouredHeir(Leaver):
    name = "favoured-heir"
    what = "drops out and hands its cards to one friend instead of to all who stay"

    def lie(self, truth: Body) -> Body | None:
        if not self.places():
            return None
        step = copy(self.step)
        step.heirs = self.cards.publics[step.stayers[0]]
        return self.spoken(step, self.me)


class WrongStrip(Leaver):
    name = "wrong-strip"
    what = "drops out and takes its layer off the wrong cards"

    def lie(self, truth: Body) -> Body | None:
        down = self.step.face_down
        if len(down) < 2:
            return None
        step = copy(self.step)
        step.face_down = (*down[1:], down[0])
        return self.spoken(step, self.me)


CHEATS: tuple[type[Cheat], ...] = (
    ReplacedCard, DoubledCard, MarkedCard, EmptiedCard, CopiedShuffle, MisplacedShuffle,
    WrongShare, OtherKeysShare, NoShare,
    SwappedHide, DoubledHide, StolenHide,
    FalseHandOver, KeptHand, KeptLayer, FavouredHeir, WrongStrip,
)  # fmt: skip
