"""Cheats in how and when something is said: unreadable, of the wrong kind, out of turn, after leaving."""

from __future__ import annotations

import msgpack

from p2p.errors import Rule
from p2p.net.cheats.base import Cheat, Meddler, Misspeaker, Raw
from p2p.net.cheats.cards import HAND_GAMES
from p2p.states import Stage
from p2p.wire import Body, Confirm, Nonce, encode_body

CALM = frozenset({Stage.CONFIRM})  # a step of every game, in which everybody says the same little


class Malformed(Misspeaker):
    name = "malformed"
    what = "signs bytes that no decoder can read"
    rule = Rule.MALFORMED
    stages = CALM

    def raw(self, truth: Body) -> Raw | None:
        return Raw(truth.kind, b"\xc1 no message at all")


class NestedTooDeep(Malformed):
    name = "nested"
    what = "signs lists within lists, thousands deep, to exhaust whoever reads them"

    def raw(self, truth: Body) -> Raw | None:
        return Raw(truth.kind, b"\x91" * 60_000 + b"\x90")


class SecondSpelling(Malformed):
    name = "second-spelling"
    what = "signs a true message in a longer spelling than the only one there is"
    stages = frozenset({Stage.NONCE})

    def raw(self, truth: Body) -> Raw | None:
        data = encode_body(truth)
        return Raw(truth.kind, b"\xdc\x00\x01" + data[1:])  # an array of one with its length in two bytes more


class TooManyFields(Malformed):
    name = "too-many-fields"
    what = "signs a message with more in it than belongs there"

    def raw(self, truth: Body) -> Raw | None:
        return Raw(truth.kind, msgpack.packb([bytes(1000)]))


class HugeField(Malformed):
    name = "huge-field"
    what = "signs a nonce of many kilobytes, to fill everybody's memory and log"
    stages = frozenset({Stage.NONCE})

    def raw(self, truth: Body) -> Raw | None:
        return Raw(truth.kind, msgpack.packb([bytes(200_000)], use_bin_type=True))


class PaintedName(Malformed):
    name = "painted-name"
    what = "calls itself by a name with control characters, to paint over everybody's screen"
    stages = frozenset({Stage.SEAL})

    def raw(self, truth: Body) -> Raw | None:
        proposal, _, commitment = msgpack.unpackb(encode_body(truth))
        return Raw(truth.kind, msgpack.packb([proposal, "\x1b[2J", commitment], use_bin_type=True))


class WrongKind(Cheat):
    name = "wrong-kind"
    what = "says something else than what the step asks for"
    rule = Rule.WRONG_KIND
    stages = CALM

    def lie(self, truth: Body) -> Body | None:
        return Nonce(bytes(32))


class UnknownKind(Misspeaker):
    name = "unknown-kind"
    what = "signs a message of a kind that does not exist"
    rule = Rule.WRONG_KIND
    stages = CALM

    def raw(self, truth: Body) -> Raw | None:
        return Raw(200, encode_body(truth))


class OutOfTurn(Meddler):
    name = "out-of-turn"
    what = "speaks in a step in which somebody else is asked"
    rule = Rule.NOT_ASKED

    def meddle(self) -> bool:
        if self.stage not in (Stage.LINK, Stage.PLAY) or self.my_seat in self.step.authors:
            return False
        self.say(self.signed(Confirm()))
        return True


class LateWord(Meddler):
    name = "late-word"
    what = "speaks in a step that is over and had not asked it"
    rule = Rule.NOT_ASKED

    def meddle(self) -> bool:
        for closed in self.log.steps[-4:]:
            if closed.step > 2 and closed.by(self.my_seat) is None and not closed.partial:
                self.say(self.signed(Confirm(), previous=closed.previous, step=closed.step))
                return True
        return False


class Ghost(Meddler):
    name = "ghost"
    what = "drops out, hands over, and then goes on speaking"
    rule = Rule.NOT_ASKED
    games = HAND_GAMES
    least = 3
    hasty = True

    def meddle(self) -> bool:
        if self.felt is None or self.my_seat in self.active or self.stage is Stage.CONFIRM:
            return False
        self.say(self.signed(Confirm()))
        return True


CHEATS: tuple[type[Cheat], ...] = (
    Malformed, NestedTooDeep, SecondSpelling, TooManyFields, HugeField, PaintedName,
    WrongKind, UnknownKind,
    OutOfTurn, LateWord, Ghost,
)  # fmt: skip
