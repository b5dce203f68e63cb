"""Cheats before the first card: another contract, other lots, keys of others."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from p2p.crypto import deck as crypto
from p2p.crypto.group import add_all
from p2p.errors import Rule
from p2p.net.cheats.base import Cheat
from p2p.states import Stage
from p2p.wire import Body, Key, Nonce, Seal, decode_body


class OtherRules(Cheat):
    name = "other-rules"
    what = "agrees to a contract with other rules than everyone else's"
    rule = Rule.OTHER_CONTRACT
    stages = frozenset({Stage.SEAL})

    def lie(self, truth: Body) -> Body | None:
        contract = replace(self.proposal, rules=bytes(32))
        return replace(cast(Seal, truth), proposal=contract.encode())


class OldProtocol(Cheat):
    name = "old-protocol"
    what = "agrees to play by an older version of the protocol"
    rule = Rule.OTHER_CONTRACT
    stages = frozenset({Stage.SEAL})

    def lie(self, truth: Body) -> Body | None:
        contract = replace(self.proposal, protocol=self.proposal.protocol - 1)
        return replace(cast(Seal, truth), proposal=contract.encode())


class OtherNonce(Cheat):
    name = "other-nonce"
    what = "waits for everyone's nonce and then shows another than it had sealed, to choose its seat"
    rule = Rule.BAD_NONCE
    stages = patient = frozenset({Stage.NONCE})

    def lie(self, truth: Body) -> Body | None:
        return Nonce(self.entropy()[:32])


class CopiedSeal(Cheat):
    name = "copied-seal"
    what = "seals what somebody else has sealed, and shows the same nonce, so that the two cancel out of the lots"
    rule = Rule.BAD_NONCE
    stages = patient = frozenset({Stage.SEAL, Stage.NONCE})
    again = True

    def lie(self, truth: Body) -> Body | None:
        victim = self.others[0]
        body = decode_body(truth.kind, self.replica.entries[victim].body_bytes)
        return (
            replace(truth, commitment=body.commitment) if isinstance(body, Seal) and isinstance(truth, Seal) else body
        )


class RogueKey(Cheat):
    name = "rogue-key"
    what = "waits for the others' keys and gives one that takes them out of the joint key, so that it alone could open"
    rule = Rule.BAD_KEY
    stages = patient = frozenset({Stage.KEY})

    def lie(self, truth: Body) -> Body | None:
        theirs = add_all([self.replica.said[seat] for seat in self.others])
        return replace(cast(Key, truth), public=(self.me.secret.public - theirs).encode())


class StolenKey(Cheat):
    name = "stolen-key"
    what = "gives somebody else's key with its proof as its own, to be dealt the same hand"
    rule = Rule.BAD_KEY
    stages = patient = frozenset({Stage.KEY})

    def lie(self, truth: Body) -> Body | None:
        return decode_body(truth.kind, self.replica.entries[self.others[0]].body_bytes)


class NoKey(Cheat):
    name = "no-key"
    what = "gives bytes that are no key at all: not the canonical encoding of a point"
    rule = Rule.BAD_KEY
    stages = frozenset({Stage.KEY})

    def lie(self, truth: Body) -> Body | None:
        return replace(cast(Key, truth), public=b"\xff" * 32)


class ReplayedKey(Cheat):
    name = "replayed-key"
    what = "proves its key for another table: the proof of knowledge is of another place"
    rule = Rule.BAD_KEY
    stages = frozenset({Stage.KEY})

    def lie(self, truth: Body) -> Body | None:
        elsewhere = replace(self.here, table=bytes(32)).of(self.my_seat, "key")
        return replace(cast(Key, truth), proof=crypto.prove_key(self.me.secret, elsewhere, self.entropy()))


CHEATS: tuple[type[Cheat], ...] = (
    OtherRules, OldProtocol, OtherNonce, CopiedSeal, RogueKey, StolenKey, NoKey, ReplayedKey,
)  # fmt: skip
