"""All transition tables of the table, as data, and nothing else.

Law: no code here decides anything; p2p/table.py and p2p/steps/ read these tables, a script draws them into PROTOCOL.md,
and a test walks every (stage, message) pair.

Three small machines:

* `Life`: what the table as a whole is doing;
* `Stage`: what one step asks for; a step closes when all its authors have spoken;
* `FLOWS`: which stages satisfy which need of the rules, in order.
"""

from __future__ import annotations

from enum import Enum

from engine import game as contract
from p2p import wire


class Stage(Enum):
    """What a step waits for."""

    SEAL = "seal"
    NONCE = "nonce"
    KEY = "key"
    LINK = "link"
    CONFIRM = "confirm"
    SHARE = "share"
    COMMIT = "commit"
    REVEAL = "reveal"
    GIVE = "give"
    PLAY = "play"
    ANSWER = "answer"
    HAND_OVER = "hand_over"
    ACK = "ack"
    MARK = "mark"


#: The one kind of message that a stage takes. Every other kind in its step is the fault `wrong_kind` of its author.
TAKES: dict[Stage, type[wire.Body]] = {
    Stage.SEAL: wire.Seal,
    Stage.NONCE: wire.Nonce,
    Stage.KEY: wire.Key,
    Stage.LINK: wire.Link,
    Stage.CONFIRM: wire.Confirm,
    Stage.SHARE: wire.Share,
    Stage.COMMIT: wire.Commit,
    Stage.REVEAL: wire.Reveal,
    Stage.GIVE: wire.Give,
    Stage.PLAY: wire.Play,
    Stage.ANSWER: wire.Answer,
    Stage.HAND_OVER: wire.HandOver,
    Stage.ACK: wire.Ack,
    Stage.MARK: wire.Mark,
}

#: Stages that wait for a person. All others are machine steps with a short deadline.
DECISIONS: frozenset[Stage] = frozenset({Stage.COMMIT, Stage.PLAY})


class Flow(Enum):
    """The sequences of stages. `LINK` stands for one step per active seat."""

    SEATING = (Stage.SEAL, Stage.NONCE, Stage.KEY)
    SHUFFLE = (Stage.LINK, Stage.CONFIRM)
    DRAW = (Stage.SHARE,)
    TURN = (Stage.PLAY, Stage.CONFIRM)
    CHOOSE = (Stage.COMMIT, Stage.CONFIRM, Stage.REVEAL)
    PASS = (Stage.COMMIT, Stage.CONFIRM, Stage.GIVE)
    CLAIM = (Stage.ANSWER, Stage.CONFIRM)
    LEAVE = (Stage.HAND_OVER, Stage.CONFIRM)
    OVER = (Stage.ACK,)
    REBUILD = (Stage.MARK, Stage.LINK, Stage.CONFIRM, Stage.SHARE)  # after seats are gone for good


#: How each need of the rules is satisfied.
FLOWS: dict[type[contract.Need], Flow] = {
    contract.Shuffle: Flow.SHUFFLE,
    contract.Draw: Flow.DRAW,
    contract.Open: Flow.DRAW,
    contract.Turn: Flow.TURN,
    contract.Choose: Flow.CHOOSE,
    contract.Pass: Flow.PASS,
    contract.Claim: Flow.CLAIM,
    contract.Leave: Flow.LEAVE,
    contract.Over: Flow.OVER,
}


class Life(Enum):
    """What the table as a whole is doing."""

    SEATING = "seating"
    PLAYING = "playing"
    VOTING = "voting"
    OVER = "over"  # every seat still in has signed the result
    BROKEN = "broken"  # a fault while seating, or one that leaves nobody to play with; the log names it
    LEFT = "left"  # I said goodbye


class Turn(Enum):
    """What happens to the table as a whole."""

    SEATED = "all keys are there"
    FAULT = "a fault that leaves nobody to play with"
    VOTE = "some seats are gone"
    AGREED = "all who stay agree on the cut"
    RESULT = "all have signed the result"
    GOODBYE = "I leave"


#: (life, what happens) -> life. A pair that is missing cannot happen.
LIVES: dict[tuple[Life, Turn], Life] = {
    (Life.SEATING, Turn.SEATED): Life.PLAYING,
    (Life.SEATING, Turn.FAULT): Life.BROKEN,
    (Life.SEATING, Turn.GOODBYE): Life.LEFT,
    (Life.PLAYING, Turn.VOTE): Life.VOTING,
    (Life.PLAYING, Turn.RESULT): Life.OVER,
    (Life.PLAYING, Turn.GOODBYE): Life.LEFT,
    (Life.PLAYING, Turn.FAULT): Life.BROKEN,
    (Life.VOTING, Turn.FAULT): Life.BROKEN,
    (Life.VOTING, Turn.AGREED): Life.PLAYING,
    (Life.VOTING, Turn.GOODBYE): Life.LEFT,
}


class When(Enum):
    """Where a message's step lies, seen from the table."""

    CLOSED = "closed step"
    CUT = "step cut off by departures"
    OPEN = "open step"
    AHEAD = "a few steps ahead, or the next epoch"
    FAR = "anywhere else"


class Heard(Enum):
    """What of this seat is already known for that step."""

    NOTHING = "nothing yet"
    SAME = "the same bytes"
    OTHER = "other bytes"


class Action(Enum):
    """What is done with a rightly signed message. (A badly signed one is dropped: nobody's fault, displaces none.)"""

    TAKE = "check it against its step"
    KEEP = "keep it until its step opens"
    DROP = "drop it"
    LATE = "fault not_asked, if it stands on the same past: the step closed without asking its author"
    ACCUSE = "fault two_stories, both messages are the evidence"


#: (when, heard) -> action: how a message is received, whatever its kind.
RECEPTION: dict[tuple[When, Heard], Action] = {
    (When.CLOSED, Heard.NOTHING): Action.LATE,
    (When.CLOSED, Heard.SAME): Action.DROP,
    (When.CLOSED, Heard.OTHER): Action.ACCUSE,
    (When.CUT, Heard.NOTHING): Action.DROP,
    (When.CUT, Heard.SAME): Action.DROP,
    (When.CUT, Heard.OTHER): Action.DROP,
    (When.OPEN, Heard.NOTHING): Action.TAKE,
    (When.OPEN, Heard.SAME): Action.DROP,
    (When.OPEN, Heard.OTHER): Action.ACCUSE,
    (When.AHEAD, Heard.NOTHING): Action.KEEP,
    (When.AHEAD, Heard.SAME): Action.DROP,
    (When.AHEAD, Heard.OTHER): Action.ACCUSE,
    (When.FAR, Heard.NOTHING): Action.DROP,
    (When.FAR, Heard.SAME): Action.DROP,
    (When.FAR, Heard.OTHER): Action.DROP,
}
