"""Whose fault it is, and how strong the claim.

Law: every error that leaves p2p/ (without p2p/crypto and p2p/net) is one of these.

    TableError
    ├── LocalError     my own side asked for something impossible now; nothing was sent
    └── PeerFault      a seat broke a rule
          provable     signed bytes show it to any stranger: they are the evidence
          suspected    it only looks so from here (silence, a digest nobody can account for); never enough to accuse

Any other exception out of a table, whatever bytes a peer sends, is a bug; the fuzz tests look for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.cards import Seat


class Rule(StrEnum):
    """The rules of the table that a seat can break. The value is the name that logs, `verify` and screens use."""

    MALFORMED = "malformed"  # a signed message that does not decode
    TWO_STORIES = "two_stories"  # two different signed messages for one step
    WRONG_KIND = "wrong_kind"  # a message of a kind this step does not ask for
    NOT_ASKED = "not_asked"  # a message in a step that does not ask this seat
    OTHER_CONTRACT = "other_contract"  # agreed to another game, version or rules than the table's
    BAD_NONCE = "bad_nonce"  # revealed another nonce than it had sealed
    BAD_KEY = "bad_key"  # a key without proof that the seat knows its secret
    BAD_SHUFFLE = "bad_shuffle"  # a shuffle that is not a shuffle of what lay there
    BAD_SHARE = "bad_share"  # a share that is not of this key and card
    BAD_HIDE = "bad_hide"  # a hidden hand that is not the same hand
    BAD_OPENING = "bad_opening"  # revealed another choice than it had committed to
    NOT_A_CARD = "not_a_card"  # an opening that shows no card of the game
    BAD_PASS = "bad_pass"  # a passed card that is not the one committed to
    FALSE_CLAIM = "false_claim"  # "I cannot move" without a valid proof
    ILLEGAL_MOVE = "illegal_move"  # the game's rules forbid the opened move
    BAD_HANDOVER = "bad_handover"  # a leaver's hand or layers not handed over rightly
    OTHER_RESULT = "other_result"  # signed another result than the rules give
    BAD_MARK = "bad_mark"  # false statement about the own hand while the pile is rebuilt
    BAD_VOTE = "bad_vote"  # a vote that contradicts what its author had signed
    SILENT = "silent"  # sends nothing valid (always a suspicion, never proof)


class TableError(Exception):
    """Base of everything the table raises."""


class LocalError(TableError):
    """The caller asked for something that is not possible now. `name` says what, for screens to word."""

    def __init__(self, name: str, **values: object) -> None:
        super().__init__(name, *(f"{key}={value}" for key, value in values.items()))
        self.name = name
        self.values = values


class WireError(TableError):
    """Bytes that are no message at all: nobody's fault, since nobody signed them."""


@dataclass(frozen=True)
class Fault:
    """A seat broke a rule in a step. `evidence`: signed messages that show it to anyone (empty: only suspected)."""

    seat: Seat
    rule: Rule
    epoch: int
    step: int
    evidence: tuple[bytes, ...] = ()

    @property
    def provable(self) -> bool:
        return bool(self.evidence)


class Broken(TableError):
    """Raised inside a step's check: this message breaks this rule. The table adds seat, step and evidence."""

    def __init__(self, rule: Rule, detail: str = "") -> None:
        super().__init__(rule.value, detail)
        self.rule = rule
        self.detail = detail
