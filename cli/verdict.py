"""What `p2p.verify` found, as data and as sentences.

Law: words only. Every rule of the table and every way in which a file can be wrong has its sentence here; a test
compares the lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli.words import sentence
from engine.cards import CardId
from engine.game import BadSetup, Note
from engine.shelf import find
from p2p.errors import Rule
from p2p.events import Why
from p2p.verify import NotALog, Problem, Verdict

WENT: Mapping[Why, str] = {
    Why.LOST: "was lost: those who stayed voted to go on without it",
    Why.FAULT: "was put out for breaking a rule",
    Why.GOODBYE: "left on purpose",
}

#: What a seat did that broke the rule, to be read after its name.
BROKE: Mapping[Rule, str] = {
    Rule.MALFORMED: "signed a message that cannot be read",
    Rule.TWO_STORIES: "signed two different messages for one step",
    Rule.WRONG_KIND: "signed another kind of message than the step asks for",
    Rule.NOT_ASKED: "spoke in a step that did not ask it to",
    Rule.OTHER_CONTRACT: "agreed to another contract than the table's",
    Rule.BAD_NONCE: "showed another nonce for the lots than the one it had sealed",
    Rule.BAD_KEY: "gave a card key without proving that it knows the key's secret",
    Rule.BAD_SHUFFLE: "put down cards that are not a shuffle of those that lay there",
    Rule.BAD_SHARE: "opened a card with a share that is not of its key and that card",
    Rule.BAD_HIDE: "hid its hand anew, and it was not the same hand",
    Rule.BAD_OPENING: "showed another choice than the one it had committed to",
    Rule.NOT_A_CARD: "opened something that is no card of this game",
    Rule.BAD_PASS: "passed another card than the one it had committed to",
    Rule.FALSE_CLAIM: "claimed that it could not move, without a valid proof",
    Rule.ILLEGAL_MOVE: "made a move that the game's rules forbid",
    Rule.BAD_HANDOVER: "left without handing over exactly its hand and its layer of every face-down card",
    Rule.OTHER_RESULT: "signed another result than the rules give",
    Rule.BAD_MARK: "stated falsely which unseen cards it holds",
    Rule.BAD_VOTE: "cast a vote that contradicts what it had signed",
    Rule.SILENT: "fell silent",
}

NOT_VERIFIABLE: Mapping[str, str] = {
    "not_a_log": "it is no log of this program, or damaged ({detail}).",
    "no_contract": "no message in it holds the contract that its messages are signed for.",
    "unknown_game": "the game `{detail}` is not installed here.",
    "other_rules": "it was played by other rules of `{detail}` than those installed here.",
}

PROBLEMS: Mapping[str, str] = {
    "not_taken": "Message {message} (step {step}, seat {seat}) does not belong where it stands: the file was altered, "
    "or messages before it are missing.",
    "not_whole": "Every message in it is genuine, but they are not in order, or some are there twice or too early: "
    "the file was put together by hand.",
}


def why_not(error: NotALog) -> str:
    return NOT_VERIFIABLE[error.name].format(detail=error.detail)


def named(verdict: Verdict, seat: int) -> str:
    """A seat for people: its name and place, or the words of its key while it has no name."""
    name, identity = verdict.seats[seat]
    return f"{name or identity.words} (seat {seat + 1})"


def wording(verdict: Verdict, problem: Problem) -> str:
    seats = len(verdict.seats)
    where = named(verdict, problem.seat) if problem.seat < seats else str(problem.seat + 1)
    return PROBLEMS[problem.name].format(message=problem.message, step=problem.step, seat=where)


def sentences(verdict: Verdict) -> list[str]:
    """Who played, the result, or the first fault."""
    if verdict.game is None:
        return ["The log is empty: nobody has said anything yet. Nothing in it is wrong."]
    names = [name or identity.words for name, identity in verdict.seats]
    lines = [f"{verdict.game}: {', '.join(names)} (seats 1 to {len(names)})."]
    if verdict.fault is not None:
        fault = verdict.fault
        lines.append(f"{named(verdict, fault.seat)} {BROKE[fault.rule]}.")
        lines.append(f"Rule {fault.rule.value}, step {place(fault.epoch, fault.step)}; its own signature proves it.")
    lines += [f"{named(verdict, seat)} {WENT[why]}." for seat, why in verdict.departed]
    if verdict.problem is not None:
        lines.append(wording(verdict, verdict.problem))
    if verdict.result is not None:
        lines += [told(verdict, note) for note in (verdict.result.reason, *verdict.result.details)]
        if verdict.minority:
            lines.append("This is a minority's result: at some point no majority of those playing stayed.")
    elif verdict.problem is None:
        lines.append("Not finished: the log ends in the middle of the game.")
    if verdict.ok:
        lines.append(f"{verdict.steps} steps checked: signatures, digests, proofs, commitments and moves all hold.")
    else:
        lines.append(f"{verdict.steps} steps checked.")
    return lines


def told(verdict: Verdict, note: Note) -> str:
    names = [name or identity.words for name, identity in verdict.seats]

    def face(card: CardId) -> str:
        try:
            return find(verdict.game or "").face(card)
        except BadSetup:
            return f"#{card}"

    return sentence(note, names.__getitem__, face)


def place(epoch: int, step: int) -> str:
    return f"{epoch}.{step}" if epoch else str(step)


def as_data(verdict: Verdict) -> dict[str, Any]:
    """The verdict for `--json`. Seats count from 0, as they do in the log."""
    fault, problem, result = verdict.fault, verdict.problem, verdict.result
    return {
        "ok": verdict.ok,
        "finished": verdict.finished,
        "game": verdict.game,
        "seats": [{"name": name, "identity": identity.hex()} for name, identity in verdict.seats],
        "result": result
        and {
            "ranking": [list(group) for group in result.ranking],
            "reason": noted(result.reason),
            "details": [noted(note) for note in result.details],
        },
        "steps": verdict.steps,
        "fault": fault
        and {
            "seat": fault.seat,
            "name": verdict.seats[fault.seat][0],
            "rule": fault.rule.value,
            "epoch": fault.epoch,
            "step": fault.step,
        },
        "departed": [{"seat": seat, "why": why.value} for seat, why in verdict.departed],
        "minority": verdict.minority,
        "problem": problem and wording(verdict, problem),
    }


def noted(note: Note) -> dict[str, Any]:
    return {"name": note.name, **dict(note.values)}
