"""Cheats who tell different seats different things.

Each tells two true stories, so that nothing but their being two is wrong: the same with other randomness.
"""

from __future__ import annotations

from engine.cards import Seat
from engine.game import Move
from p2p.errors import Rule
from p2p.net.cheats.base import Cheat, Meddler
from p2p.net.cheats.cards import HAND_GAMES, TURN_GAMES
from p2p.states import Stage
from p2p.wire import Body, Confirm, Entry, Seal


class Storyteller(Cheat):
    """Says one thing to itself and half of the others, and another to the rest."""

    rule = Rule.TWO_STORIES
    least = 3

    def lie(self, truth: Body) -> Body | None:
        return None

    def other_story(self, truth: Body) -> Body | None:
        other = self.in_other_words()
        return None if other == truth else other

    def listeners(self) -> int:
        """So many of the others hear the second story."""
        return (len(self.others) + 1) // 2

    def _speak(self, move: Move | None) -> None:
        other = self.other_story(self._body(move)) if self.may_lie else None
        before = len(self._packets)
        super()._speak(move)
        if other is None:
            return
        self.lied = True
        told = [self._packets.pop() for _ in range(len(self._packets) - before)]
        split = self.listeners()
        for packet in reversed(told):
            for seat in self.others[split:]:
                self._packets.append(type(packet)(packet.data, self.members[seat], packet.mine))
        self.say_to(self.others[:split], self.signed(other))


class TwoSeals(Storyteller):
    name = "two-seals"
    what = "goes by one name to some and by another to others"
    stages = frozenset({Stage.SEAL})

    def other_story(self, truth: Body) -> Body | None:
        assert isinstance(truth, Seal)
        return Seal(truth.proposal, "somebody else", truth.commitment)


class TwoKeys(Storyteller):
    name = "two-keys"
    what = "gives its card key with two different proofs"
    stages = frozenset({Stage.KEY})


class TwoShuffles(Storyteller):
    name = "two-shuffles"
    what = "shuffles twice, and shows some the one deck and others the other"
    stages = frozenset({Stage.LINK})


class TwoShares(Storyteller):
    name = "two-shares"
    what = "gives its shares with two different proofs"
    stages = frozenset({Stage.SHARE})


class TwoCommitments(Storyteller):
    name = "two-commitments"
    what = "commits to one choice towards some and to another towards others"
    games = HAND_GAMES
    stages = frozenset({Stage.COMMIT})


class TwoPasses(Storyteller):
    name = "two-passes"
    what = "passes its card in two different encryptions"
    games = HAND_GAMES
    stages = frozenset({Stage.GIVE})


class TwoReveals(Storyteller):
    name = "two-reveals"
    what = "opens its cards with two different proofs"
    games = HAND_GAMES
    stages = frozenset({Stage.REVEAL})


class TwoPlays(Storyteller):
    name = "two-plays"
    what = "plays one move towards some and hides its hand otherwise towards others"
    games = TURN_GAMES
    stages = frozenset({Stage.PLAY})


class TwoAnswers(Storyteller):
    name = "two-answers"
    what = "proves to some and to others in two ways that it cannot move"
    games = HAND_GAMES
    hasty = True
    stages = frozenset({Stage.ANSWER})


class TwoLegacies(Storyteller):
    name = "two-legacies"
    what = "hands over its cards in two different encryptions"
    games = HAND_GAMES
    hasty = True
    stages = frozenset({Stage.HAND_OVER})


class SecondThoughts(Meddler):
    name = "second-thoughts"
    what = "says something else to one seat when the step is long over"
    rule = Rule.TWO_STORIES
    kept: Entry | None = None

    def _body(self, move: Move | None) -> Body:
        truth = super()._body(move)
        if self.stage is Stage.SHARE and self.kept is None and (other := self.in_other_words()) != truth:
            self.kept = self.signed(other)
        return truth

    def meddle(self) -> bool:
        if self.kept is None or self._replica.number < self.kept.header.step + 3 or not self.others:
            return False
        self.say_to(self.others[:1], self.kept)
        return True


class NewName(Meddler):
    name = "new-name"
    what = "seals again under another name when the seats are already drawn"
    rule = Rule.TWO_STORIES
    kept: Entry | None = None

    def _body(self, move: Move | None) -> Body:
        truth = super()._body(move)
        if isinstance(truth, Seal):
            self.kept = self.signed(Seal(truth.proposal, "somebody else", truth.commitment))
        return truth

    def meddle(self) -> bool:
        if self.kept is None or self.state is None:
            return False
        self.say(self.kept)
        return True


class OtherPasts(Meddler):
    name = "other-pasts"
    what = "signs several messages for one step, each on another past that nobody else knows"
    rule = Rule.TWO_STORIES

    def meddle(self) -> bool:
        if not self.decides():
            return False
        for past in (b"\x01", b"\x02"):
            self.say(self.signed(Confirm(), previous=past * 32))
        return True


class EarlyBird(Meddler):
    name = "early-bird"
    what = "signs messages for steps to come before the lots are drawn, in every seat's name, to frame who sits there"
    rule = Rule.TWO_STORIES  # on its own seat, which it could not know yet

    def meddle(self) -> bool:
        if self.stage is not Stage.SEAL:
            return False
        for step in range(2, 26):
            for seat in range(len(self.members)):
                self.say(self.signed(Confirm(), Seat(seat), bytes(32), step))
        return True


CHEATS: tuple[type[Cheat], ...] = (
    TwoSeals, TwoKeys, TwoShuffles, TwoShares, TwoCommitments, TwoPasses, TwoReveals, TwoPlays, TwoAnswers, TwoLegacies,
    SecondThoughts, NewName, EarlyBird, OtherPasts,
)  # fmt: skip
