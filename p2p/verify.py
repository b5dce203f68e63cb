"""Re-checks a saved log from its bytes alone and names the first fault and its author.

Law: trusts nothing but the bytes. A table without identity, a stranger, hears every message of the file in order and
checks it as every seat did: signatures, digests, proofs, commitments, rules, result. So there is one set of checks, not
two that could differ. What the stranger would save in the end must be the file again, bit for bit: nothing was left
over, twice, missing in between or in another order. Games come in as an argument.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.cards import Seat
from engine.game import ContractError, Game, Over
from p2p.errors import Fault, TableError, WireError
from p2p.events import Why
from p2p.identity import PublicIdentity
from p2p.log import read_log
from p2p.seating import Proposal, decode_proposal
from p2p.states import Life
from p2p.table import AT_ONCE, Table
from p2p.wire import VOTES, Entry, Seal, decode_body, encode_entry_packet

#: id -> game; raises a ContractError for an id it does not know.
Games = Callable[[str], Game[Any]]


class NotALog(TableError):
    """These bytes cannot be verified here. `name` says why, for screens to word.

    not_a_log     no log of this program, or cut or damaged inside a message
    no_contract   none of the messages holds the contract that the table is named after
    unknown_game  a game that is not installed
    other_rules   other rules of this game than those installed
    """

    def __init__(self, name: str, detail: str = "") -> None:
        super().__init__(name, detail)
        self.name = name
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Problem:
    """The file is not what honest seats write, and nobody's signature says whose doing that is.

    not_taken  this message does not belong where it stands: altered, or others are missing before it
    not_whole  every message is genuine, but they are not in order, not each once, or some came too early
    """

    name: str
    message: int = 0  # counted from 1; 0: the file as a whole
    epoch: int = 0
    step: int = 0
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    finished: bool  # every seat still in signed the result
    game: str | None
    seats: tuple[tuple[str, PublicIdentity], ...]  # name and identity, by seat (before the lots: as in the contract)
    result: Over | None
    steps: int  # closed steps that were checked
    fault: Fault | None
    problem: Problem | None
    departed: tuple[tuple[Seat, Why], ...] = ()  # seats that were gone for good before the end, in order
    minority: bool = False  # those who voted others gone were once no strict majority of those playing
    state: Any = None  # the rules' public state at the end of the file, None before the game began

    @property
    def ok(self) -> bool:
        return self.fault is None and self.problem is None


NOTHING = Verdict(False, None, (), None, 0, None, None)


def verify_log(data: bytes, games: Games, advance: Callable[[], None] | None = None) -> Verdict:
    """Check a log file. Raises NotALog; `advance` is called after each message."""
    entries = messages_of(data)
    if not entries:
        return NOTHING
    proposal = find_proposal(entries)
    if proposal is None:
        raise NotALog("no_contract")
    table = seat_a_stranger(proposal, games)
    problem = feed(table, data, entries, advance)
    return Verdict(
        finished=table.life is Life.OVER,
        game=proposal.game,
        seats=tuple(zip(table.names, table.members, strict=True)),
        result=table.result,
        steps=len(table.log.steps),
        fault=table.fault,
        problem=problem,
        departed=tuple(table.departed),
        minority=table.minority,
        state=table.state,
    )


def messages_of(data: bytes) -> list[Entry]:
    """All messages of a log file, not yet checked. Raises NotALog."""
    try:
        return read_log(data)
    except WireError as error:
        raise NotALog("not_a_log", str(error)) from error


def find_proposal(entries: list[Entry]) -> Proposal | None:
    """The contract: some seal holds it, and its digest is the table's name in every message."""
    for entry in entries:
        if entry.header.kind == Seal.kind:
            try:
                body = decode_body(Seal.kind, entry.body_bytes)
                assert isinstance(body, Seal)
                proposal = decode_proposal(body.proposal)
            except WireError:
                continue
            if proposal.table == entries[0].header.table:
                return proposal
    return None


def seat_a_stranger(proposal: Proposal, games: Games) -> Table:
    try:
        return Table(proposal, games(proposal.game))
    except ContractError as error:
        raise NotALog("unknown_game", proposal.game) from error
    except TableError as error:
        raise NotALog("other_rules", proposal.game) from error


def feed(table: Table, data: bytes, entries: list[Entry], advance: Callable[[], None] | None = None) -> Problem | None:
    """Let the table hear every entry in order. What is wrong with the file, if the table found no fault in it."""
    early: Problem | None = None  # the first message of a step that is not open yet: most likely one is missing there
    for number, entry in enumerate(entries, 1):
        table.receive(encode_entry_packet(entry), 0.0)
        discard_what_it_says(table)
        if advance:
            advance()
        if table.fault is None and not table.holds(entry):
            return early or problem_with(number, entry)
        if early is None and table.place < (entry.header.epoch, entry.header.step) < (entry.header.epoch, VOTES):
            early = problem_with(number, entry)
    while table.next_timeout() == AT_ONCE:  # shuffles that still wait to be verified
        table.handle_timeout(0.0)
        discard_what_it_says(table)
    if table.fault is None and table.save() != data:
        return early or Problem("not_whole")
    return None


def problem_with(number: int, entry: Entry) -> Problem:
    return Problem("not_taken", number, entry.header.epoch, entry.header.step, entry.header.seat)


def discard_what_it_says(table: Table) -> None:
    table.outgoing()
    while table.next_event() is not None:
        pass
