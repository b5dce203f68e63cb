"""What a peer without a screen tells: sentences on stderr, with `--json` also one object per event on stdout.

Law: words and fields only. Seats count from 0 in JSON, as they do in the log. The last object is the result.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from cli.output import DONE, FAILED, emit, narrate
from cli.words import sentence
from engine.game import Drawn, Moved, Note
from engine.shelf import find
from p2p import events

if TYPE_CHECKING:
    from p2p.net.lan import Lan
    from p2p.net.node import Node, Sitting
    from p2p.net.profile import Profile

WHY = {events.Why.FAULT: "broke a rule", events.Why.GOODBYE: "left", events.Why.LOST: "is lost for good"}


class Report:
    def __init__(self, *, json: bool, protocol: bool) -> None:
        self._json = json
        self._protocol = protocol
        self._new_game()

    def _new_game(self) -> None:
        self._rounds = 0
        self._turns: Counter[int] = Counter()
        self._dealt = False

    def tell(self, event: str, **values: Any) -> None:
        if self._json:
            emit({"event": event, "at": time.time(), **values})

    def say(self, text: str) -> None:
        narrate(text)

    # --- before the game ---

    def started(self, profile: Profile, lan: Lan) -> None:
        self.tell("started", name=profile.nickname, words=str(profile.keys.identity.public.words))

    def opened(self, sitting: Sitting, invite: str) -> None:
        roster = sitting.roster
        self.say(f"Table {roster.id} is open: {roster.game} for {roster.players}.")
        self.say(f"Others join with `nodealer join`, or from elsewhere with `nodealer join {invite}`.")
        self.tell("opened", table=roster.id, game=roster.game, players=roster.players, invite=invite)

    def seated(self, sitting: Sitting) -> None:
        roster = sitting.roster
        names = [member.name for member in roster.members]
        self.say(f"{roster.game}, table {roster.id}: {', '.join(names)} ({len(names)} of {roster.players}).")
        self.tell("seated", table=roster.id, game=roster.game, players=roster.players, names=names)

    def begun(self, sitting: Sitting) -> None:
        self._new_game()
        self.say("It begins: the seats are drawn by lot.")
        self.tell("begun", table=sitting.id)

    def said(self, name: str, text: str) -> None:
        self.say(f"{name}: “{text}”")
        self.tell("said", name=name, text=text)

    # --- the game ---

    def happened(self, sitting: Sitting, event: events.Event) -> None:
        table = sitting.table
        assert table is not None
        name = table.names.__getitem__
        match event:
            case events.Seated(names, mine):
                self.say(f"Seats: {', '.join(names)}.")
                self.tell("seats", names=list(names), seat=mine)
            case events.Booked(_, fact, news, _):
                if isinstance(fact, Drawn) and not self._dealt:
                    self._dealt = True
                    self.tell("dealt")
                if isinstance(fact, Moved) and fact.played is not None:
                    self._turns[fact.played.seat] += 1
                for told in news:
                    self._rounds += told.name == "round"
                    self.say(self._worded(sitting, told))
                    self.tell("news", **noted(told))
            case events.Lost(seat, until):
                seconds = max(0, round(until - time.monotonic()))
                self.say(f"The connection to {name(seat)} is lost: the others wait {seconds} s for it.")
                self.tell("lost", seat=seat, seconds=seconds)
            case events.Back(seat):
                self.say(f"{name(seat)} is back.")
                self.tell("back", seat=seat)
            case events.Gone(seats, _, minority):
                for seat, why in seats:
                    self.say(f"{name(seat)} {WHY[why]}: the others play on.")
                    self.tell("gone", seat=seat, why=why.value, minority=minority)
            case events.VotedOut():
                self.say("The others have gone on without this seat.")
                self.tell("voted_out")
            case events.Accused(fault):
                self.say(f"{name(fault.seat)} broke the rule {fault.rule.value}; its own signature proves it.")
                self.tell("accused", seat=fault.seat, rule=fault.rule.value)
        if self._protocol:
            self._step(event)

    def _step(self, event: events.Event) -> None:
        match event:
            case events.Opened(epoch, step, stage, authors):
                self.tell("step", epoch=epoch, step=step, stage=stage.value, seats=list(authors))
            case events.Spoke(seat, stage, size, _):
                self.tell("spoke", seat=seat, stage=stage.value, bytes=size)
            case events.Proven(seats):
                self.tell("proven", seats=list(seats))

    def _worded(self, sitting: Sitting, told: Note) -> str:
        assert sitting.table is not None
        return sentence(told, sitting.table.names.__getitem__, find(sitting.roster.game).face)

    # --- the end ---

    def result(self, node: Node, sitting: Sitting) -> None:
        table = sitting.table
        assert table is not None
        over = table.result
        assert over is not None
        for told in (over.reason, *over.details):
            self.say(self._worded(sitting, told))
        if table.minority:
            self.say("This is a minority's result: at some point no majority of those playing stayed.")
        if sitting.log_path:
            self.say(f"The log is {sitting.log_path}; check it with `nodealer verify`.")
        self.tell(
            "result",
            game=sitting.roster.game,
            players=sitting.roster.players,
            table=sitting.id,
            names=list(table.names),
            seat=table.seat,
            result={
                "ranking": [list(group) for group in over.ranking],
                "reason": noted(over.reason),
                "details": [noted(told) for told in over.details],
            },
            departed=[{"seat": seat, "why": why.value} for seat, why in table.departed],
            minority=table.minority,
            rounds=self._rounds or max(self._turns.values(), default=0),
            log=str(sitting.log_path) if sitting.log_path else None,
            digest=hashlib.sha256(table.save()).hexdigest(),
            bytes_sent=node.bytes_sent,
        )

    def failed(self, sitting: Sitting, text: str) -> int:
        self.say(text)
        log = str(sitting.log_path) if sitting.log_path else None
        self.tell("result", game=sitting.roster.game, table=sitting.id, result=None, error=text, log=log)
        return FAILED


def noted(told: Note) -> dict[str, Any]:
    return {"name": told.name, **dict(told.values)}


__all__ = ["DONE", "Report", "noted"]
