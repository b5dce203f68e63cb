"""From a proposal to a seated table: agreement, lots for the seats, card keys.

Law: nobody can choose its seat. Every seat seals a nonce before any is shown; seat order comes from all of them.
Breaking off before the end is possible (said in THREATS.md) and names who did.

Until the lots are drawn, seats are numbered as in the proposal; afterwards by the lot. Seat 0 begins, in games where
somebody does.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgpack

from engine.cards import Seat
from engine.game import Fact, Game, Move, rules_identity
from p2p.crypto import deck as crypto
from p2p.crypto.rng import Hedge
from p2p.errors import Rule, WireError
from p2p.felt import Context
from p2p.identity import PublicIdentity
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import Step, require
from p2p.wire import MAX_SEATS, PROTOCOL, Key, Nonce, Seal

MACHINE_SECONDS = 20  # a machine step: the slowest (a six-seat shuffle) takes well below one second of work
GRACE_SECONDS = 60  # how long a lost peer is waited for: a restart, or a walk back into Wi-Fi range


@dataclass(frozen=True, slots=True)
class Proposal:
    """Everything all seats agree to before the first card: the contract without the nonces."""

    game: str
    rules: bytes  # digest of the rules' identity: version, cards and data tables
    settings: tuple[tuple[str, int | str], ...]
    members: tuple[bytes, ...]  # identity keys, strictly ascending
    nonce: bytes  # makes this table unlike any other
    machine_seconds: int = MACHINE_SECONDS
    grace_seconds: int = GRACE_SECONDS
    decision_seconds: int = 0  # 0: no clock
    clock: str = "off"  # off, nudge, or bot: what happens when a decision's time is up
    protocol: int = PROTOCOL

    def encode(self) -> bytes:
        return msgpack.packb(  # type: ignore[no-any-return]
            [
                self.protocol,
                self.game,
                self.rules,
                [list(pair) for pair in self.settings],
                list(self.members),
                self.nonce,
                self.machine_seconds,
                self.grace_seconds,
                self.decision_seconds,
                self.clock,
            ]
        )

    @property
    def table(self) -> bytes:
        """The table's name in every message."""
        return hashlib.sha256(b"nodealer/1/proposal" + self.encode()).digest()


def rules_digest(game: Game[Any]) -> bytes:
    return hashlib.sha256(b"nodealer/1/rules" + rules_identity(game)).digest()


def decode_proposal(data: bytes) -> Proposal:
    """The proposal, or WireError."""
    try:
        protocol, game, rules, settings, members, nonce, machine, grace, decision, clock = msgpack.unpackb(
            data, strict_map_key=True, max_map_len=0, max_ext_len=0
        )
        pairs = tuple((name, value) for name, value in settings)
        proposal = Proposal(game, rules, pairs, tuple(members), nonce, machine, grace, decision, clock, protocol)
        well_typed = (
            type(game) is str
            and all(type(name) is str and type(value) in (int, str) for name, value in pairs)
            and all(type(key) is bytes and len(key) == 32 for key in (*members, rules, nonce))
            and all(type(number) is int and 0 <= number <= 86400 for number in (machine, grace, decision))
            and clock in ("off", "nudge", "bot")
        )
        ordered = list(proposal.members) == sorted(set(proposal.members)) and len(dict(pairs)) == len(pairs)
        _ = [PublicIdentity(key) for key in proposal.members]
        if not (well_typed and ordered and proposal.encode() == data):
            raise WireError("a proposal with fields that make no sense")
    except WireError:
        raise
    except Exception as error:  # msgpack and unpacking raise many kinds: all mean "no proposal"
        raise WireError("this is not a proposal") from error
    if proposal.protocol != PROTOCOL:
        raise WireError(f"a table of protocol {proposal.protocol}, not {PROTOCOL}")
    if not 2 <= len(proposal.members) <= MAX_SEATS:
        raise WireError("a table needs at least two members")
    return proposal


def _seal(table: bytes, member: bytes, nonce: bytes) -> bytes:
    return hashlib.sha256(b"nodealer/1/seal" + table + member + nonce).digest()


def draw_lots(table: bytes, nonces: list[bytes]) -> list[int]:
    """Which member sits on seat 0, 1, …: uniform as long as one nonce is."""
    digest = hashlib.sha256(b"nodealer/1/lots" + table + b"".join(nonces)).digest()
    lots = Hedge(b"lots", secret=b"", witness=b"", statement=table, entropy=digest)
    return lots.permutation(len(nonces))


@dataclass(frozen=True, slots=True)
class Seated(Fact):
    """Not a fact for the rules: keys are known by seat, the game can start."""

    publics: tuple[crypto.Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Lots(Fact):
    """Not a fact for the rules: from now on seats are numbered by the lot. order[seat] = place in the proposal."""

    order: tuple[int, ...] = ()


def _everyone(proposal: Proposal) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in range(len(proposal.members)))


class SealStep(Step[Seal]):
    stage = Stage.SEAL
    rule = Rule.OTHER_CONTRACT

    def __init__(self, proposal: Proposal, name: str = "") -> None:
        super().__init__(_everyone(proposal))
        self.proposal = proposal
        self.name = name

    def speak(self, me: Me, context: Context, move: Move | None) -> Seal:
        commitment = _seal(context.table, self.proposal.members[me.seat], me.nonce())
        return Seal(self.proposal.encode(), self.name, commitment)

    def check(self, seat: Seat, body: Seal, context: Context, mine: bool) -> Seal:
        require(body.proposal == self.proposal.encode(), Rule.OTHER_CONTRACT, "another proposal")
        return body

    def close(self, said: Mapping[Seat, Seal]) -> Step[Any] | Fact:
        return NonceStep(self.proposal, said)


class NonceStep(Step[Nonce]):
    stage = Stage.NONCE
    rule = Rule.BAD_NONCE

    def __init__(self, proposal: Proposal, seals: Mapping[Seat, Seal]) -> None:
        super().__init__(_everyone(proposal))
        self.proposal = proposal
        self.seals = seals

    def speak(self, me: Me, context: Context, move: Move | None) -> Nonce:
        return Nonce(me.nonce())

    def check(self, seat: Seat, body: Nonce, context: Context, mine: bool) -> bytes:
        sealed = _seal(context.table, self.proposal.members[seat], body.nonce)
        require(hmac.compare_digest(sealed, self.seals[seat].commitment), Rule.BAD_NONCE, "not the nonce sealed")
        return body.nonce

    def close(self, said: Mapping[Seat, bytes]) -> Step[Any] | Fact:
        return Lots(order=tuple(draw_lots(self.proposal.table, [said[seat] for seat in sorted(said)])))


class KeyStep(Step[Key]):
    stage = Stage.KEY
    rule = Rule.BAD_KEY

    def speak(self, me: Me, context: Context, move: Move | None) -> Key:
        proof = crypto.prove_key(me.secret, context.of(me.seat, "key"), me.entropy(context, "key"))
        return Key(me.secret.public.encode(), proof)

    def check(self, seat: Seat, body: Key, context: Context, mine: bool) -> crypto.Point:
        return crypto.verify_key(body.public, body.proof, context.of(seat, "key"))

    def close(self, said: Mapping[Seat, crypto.Point]) -> Step[Any] | Fact:
        return Seated(publics=tuple(said[seat] for seat in sorted(said)))
