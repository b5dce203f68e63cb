"""What the names and values that leave engine and p2p say, as sentences.

Law: knows the names of notes, rules, errors, stages and needs, and no rule of a game. `NAME.me` is the wording when
the player who reads it is meant. A note nobody has written a sentence for is shown as it is, so that a new game can be
played before anybody has found words for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cli.ui.cards import face
from cli.ui.look import Look
from cli.ui.messages import Message, m
from engine import game as contract
from engine.cards import CardId, Seat
from engine.game import Game, Note, note
from p2p.errors import LocalError, Rule
from p2p.states import Stage

#: The rules were fed something impossible: no player's fault and no player's business.
_BUG = m("The rules were given something they cannot use ({what}). That is a mistake in the program: please report it.")

NOTES: Mapping[str, Message] = {
    # setting up
    "unknown_game": m("There is no game “{game}”; the games are {games}."),
    "same_game_twice": m("Two games are called “{game}”: rename one of them."),
    "wrong_players": m("{game} is for {least} to {most} players."),
    "wrong_setting": m("{game} has no such choice for “{setting}”; possible are: {allowed}."),
    # facts that do not fit
    **dict.fromkeys(("game_over", "wrong_fact", "nobody_departed", "wrong_answer", "malformed"), _BUG),
    **dict.fromkeys(("wrong_seats", "incomplete", "wrong_cards"), _BUG),
    # why a move is not allowed
    "not_your_place": m("{seat} used a card that is in another hand."),
    "not_your_place.me": m("That card is not in your hand."),
    "not_a_number": m("A number is formed with exactly two cards."),
    "number_too_low": m("{number} is not higher than the last number, {last}."),
    "just_received": m("A card received in this round cannot be passed on in it."),
    "not_one_card": m("Exactly one card is played."),
    "too_low_for_tens": m("No number above {last} can be formed with this card as the tens."),
    "no_other_card": m("There is no second card to go with it."),
    "not_your_turn": m("It is not your turn: {seat} is playing."),
    "already_sent": m("Your choice is sealed and sent: it cannot be changed any more."),
    "nothing_to_choose": m("There is nothing to choose right now."),
    "not_complete": m("Choose a card first."),
    # at the table, whatever is played
    "seated": m("The seats are drawn by lot; clockwise: {seats}."),
    "shuffled_by": m("{seat} has shuffled the cards."),
    "shuffled_by.me": m("You have shuffled the cards."),
    "shuffles_proven": m("Proven to be honest shuffles: {seats}."),
    "lost": m("{seat} has lost the connection; the table waits."),
    "back": m("{seat} is back."),
    "voting": m("It is agreed how to go on without {seats}."),
    "went_goodbye": m("{seat} has left the table."),
    "went_lost": m("{seat} did not come back; the game goes on without."),
    "went_fault": m("{seat} is out for breaking a rule of the table."),
    "minority": m("Only a minority of the players is left: the result will say so."),
    "voted_out": m("The others could not reach you and went on: from here you only watch."),
    "silent": m("No answer yet: {seats}."),
    "taken_back": m("Somebody told two stories: the game goes back to before that."),
    "chat": m("{name}: {text}"),
    # any game
    "gone": m("Gone: {seats}."),
    "drew": m("{seat} draws {count} card.", "{seat} draws {count} cards."),
    "drew.me": m("You draw {count} card.", "You draw {count} cards."),
    "drew_cards": m("You draw {cards}."),
    "forfeit": m("{seat} wins: everybody else has gone."),
    "forfeit.me": m("You win: everybody else has gone."),
    "abandoned": m("Nobody wins: everybody has gone."),
    # 2 WIN
    "round": m("Round {round}"),
    "passed": m("{giver} passes a card to {receiver}."),
    "passed.me": m("You pass a card to {receiver}."),
    "passed.to_me": m("{giver} passes a card to you."),
    "gave": m("You pass {card} to {receiver}."),
    "received": m("{giver} passes {card} to you."),
    "number": m("{seat} forms {number} with {cards}."),
    "number.me": m("You form {number} with {cards}."),
    "draw_a": m("A: {seat} draws for the highest number, {number}."),
    "draw_a.me": m("A: you draw for the highest number, {number}."),
    "draw_b": m("B: {seat} draws for the most stars, {stars}."),
    "draw_b.me": m("B: you draw for the most stars, {stars}."),
    "draw_c": m("C: {seat} draws for two equal digits, {number}."),
    "draw_c.me": m("C: you draw for two equal digits, {number}."),
    "draw_d": m("D: {seat} draws for a run of three in the {column} ({colour})."),
    "draw_d.me": m("D: you draw for a run of three in the {column} ({colour})."),
    "reshuffled": m(
        "The pile was empty: {count} card makes a new one.", "The pile was empty: {count} cards make a new one."
    ),
    "draws_lost": m(
        "No cards are left: {count} draw is lost ({seats}).", "No cards are left: {count} draws are lost ({seats})."
    ),
    "out_no_card": m("{seat} drops out: no card left to pass."),
    "out_no_card.me": m("You drop out: you have no card left to pass."),
    "out_one_card": m("{seat} drops out: one card makes no number."),
    "out_one_card.me": m("You drop out: one card makes no number."),
    "out_no_number": m("{seat} drops out: no number above {number} can be formed."),
    "out_no_number.me": m("You drop out: no number above {number} can be formed."),
    "last_player": m("{seat} wins as the last player left in the game."),
    "last_player.me": m("You win as the last player left in the game."),
    "most_cards": m("{seat} wins with the most cards in hand, {count}."),
    "most_cards.me": m("You win with the most cards in hand, {count}."),
    "lowest_number": m("{seat} wins: hands are equal ({count}), the last number is the lowest, {number}."),
    "lowest_number.me": m("You win: hands are equal ({count}), your last number is the lowest, {number}."),
    "shared": m("Shared victory: {seats} (cards in hand {count}, last number {number})."),
    "result": m("{seat}: round {round}, last number {number}, cards in hand {count}, {how}"),
    "result.me": m("You: round {round}, last number {number}, cards in hand {count}, {how}"),
    # 2 SANS 3
    "opened": m("{card} is placed in row {row}."),
    "placed": m("{seat} plays {card} into row {row}: {cards}"),
    "placed.me": m("You play {card} into row {row}: {cards}"),
    "took": m("{seat} takes {cards}."),
    "took.me": m("You take {cards}."),
    "removed": m("Out of the game, being without colour: {cards}."),
    "flipped": m("{seat} turns {count} card face down ({colour}).", "{seat} turns {count} cards face down ({colour})."),
    "flipped.me": m("You turn {count} card face down ({colour}).", "You turn {count} cards face down ({colour})."),
    "bonus": m("{seat} has all seven colours: intermediate bonus {points}."),
    "bonus.me": m("You have all seven colours: intermediate bonus {points}."),
    "last_turn": m("{seat} has played the last turn."),
    "last_turn.me": m("You have played your last turn."),
    "most_points": m("{seat} wins with {points} point.", "{seat} wins with {points} points."),
    "most_points.me": m("You win with {points} point.", "You win with {points} points."),
    "shared_points": m(
        "Shared victory: {seats}, with {points} point.", "Shared victory: {seats}, with {points} points."
    ),
    "score": m("{seat}: points {points}; ones {singles}, twos {pairs}, face down {down}, bonuses {bonus} + {final}"),
    "unscored": m("{seat}: gone, not scored; ones {singles}, twos {pairs}, face down {down}, bonus {bonus}"),
    "score.me": m("You: points {points}; ones {singles}, twos {pairs}, face down {down}, bonuses {bonus} + {final}"),
    # how a player left 2 WIN, in `result`
    "how.in": m("still in"),
    "how.out_no_card": m("no card left"),
    "how.out_one_card": m("one card left"),
    "how.out_no_number": m("no higher number"),
    "how.gone": m("gone"),
}

COLUMNS: Mapping[str, Message] = {"tens": m("tens"), "units": m("units")}

#: What a seat did that the rules of the table forbid, and how sure that is.
FAULTS: Mapping[Rule, Message] = {
    Rule.MALFORMED: m("{seat} signed a message that makes no sense."),
    Rule.TWO_STORIES: m("{seat} told two stories: two signed messages for one step."),
    Rule.WRONG_KIND: m("{seat} signed a message that does not belong in this step."),
    Rule.NOT_ASKED: m("{seat} spoke without being asked."),
    Rule.OTHER_CONTRACT: m("{seat} agreed to another game or other rules than this table's."),
    Rule.BAD_NONCE: m("{seat} showed another lot for the seats than the sealed one."),
    Rule.BAD_KEY: m("{seat} named a card key and cannot prove to own it."),
    Rule.BAD_SHUFFLE: m("{seat} did not shuffle honestly: other cards came out than went in."),
    Rule.BAD_SHARE: m("{seat} took a wrong lock off a card."),
    Rule.BAD_HIDE: m("{seat} exchanged cards while mixing the own hand."),
    Rule.BAD_OPENING: m("{seat} opened another choice than the sealed one."),
    Rule.NOT_A_CARD: m("{seat} opened something that is no card of this game."),
    Rule.BAD_PASS: m("{seat} passed another card than the chosen one."),
    Rule.FALSE_CLAIM: m("{seat} claimed to be unable to move and did not prove it."),
    Rule.ILLEGAL_MOVE: m("{seat} made a move that the rules of the game forbid."),
    Rule.BAD_HANDOVER: m("{seat} left without handing over cards and locks."),
    Rule.OTHER_RESULT: m("{seat} signed another result than the rules give."),
    Rule.BAD_MARK: m("{seat} told a lie about the own hand while the pile was rebuilt."),
    Rule.BAD_VOTE: m("{seat} cast a vote against the own signature."),
    Rule.SILENT: m("{seat} does not answer. That proves nothing: the connection may be lost."),
}
PROVEN = m("This is proven: the log holds the evidence, and `nodealer verify` shows it to anyone.")
SUSPECTED = m("This is a suspicion, not a proof.")
ENDED = m("The table ends here, without a winner.")

#: What a player asked for that is not possible now.
ERRORS: Mapping[str, Message] = {
    "other_rules": m("This table plays {game} by other rules: all players need the same version of the program."),
    "wrong_number_of_players": m("This game is not for {players} players: choose another number."),
    "wrong_settings": m("The settings of this table do not fit the game: open another one."),
    "already_over": m("The game is over already."),
    "not_a_member": m("You have no seat at this table: join it first, or watch."),
    "not_started": m("The game has not started yet: wait until the cards are shuffled."),
    "not_asked": m("You are not asked for a move right now: wait for your turn."),
    "illegal_move": m("The rules do not allow this move: choose one of the marked cards."),
    "no_move": m("No move was chosen: choose a card first."),
    "choice_lost": m("Your sealed choice is lost, so the table cannot go on from here: leave it."),
    "already_sent": NOTES["already_sent"],
}
KEPT = m("The whole game is kept and can be checked: {file}")
BROKEN = m("Something went wrong in the program; the log file says more: {file}")

#: What the open step of the table is about.
STAGES: Mapping[Stage, Message] = {
    Stage.SEAL: m("Sealing lots for the seats"),
    Stage.NONCE: m("Opening the lots"),
    Stage.KEY: m("Exchanging card keys"),
    Stage.LINK: m("Shuffling in turn"),
    Stage.CONFIRM: m("Comparing what everyone saw"),
    Stage.SHARE: m("Taking locks off cards"),
    Stage.COMMIT: m("Sealing choices"),
    Stage.REVEAL: m("Opening the choices"),
    Stage.GIVE: m("Passing the sealed cards"),
    Stage.PLAY: m("Playing a card"),
    Stage.ANSWER: m("Asking who can go on"),
    Stage.HAND_OVER: m("Handing over the cards"),
    Stage.ACK: m("Signing the result"),
    Stage.MARK: m("Rebuilding the pile"),
}

#: What it means that a seat has spoken in a stage. All of it has been checked by every seat before it counts.
SPOKEN: Mapping[Stage, tuple[Message, Message]] = {
    Stage.SEAL: (m("{seat} seals a lot for the seats."), m("You seal a lot for the seats.")),
    Stage.NONCE: (m("{seat} opens the lot: it is the sealed one."), m("You open your lot.")),
    Stage.KEY: (m("{seat} proves to own a card key."), m("You prove to own your card key.")),
    Stage.LINK: (m("{seat} has shuffled and locked the cards."), m("You have shuffled and locked the cards.")),
    Stage.CONFIRM: (m("{seat} saw the same as you."), m("You confirm what you saw.")),
    Stage.SHARE: (m("{seat} takes a lock off the cards, proven right."), m("You take your lock off the cards.")),
    Stage.COMMIT: (m("{seat} has sealed a choice; the hand is proven the same."), m("You have sealed your choice.")),
    Stage.REVEAL: (m("{seat} opens the choice: it is the sealed one."), m("You open your choice.")),
    Stage.GIVE: (m("{seat} hands on the sealed card, proven the same."), m("You hand on your card.")),
    Stage.PLAY: (m("{seat} plays a card of the own hand, proven."), m("You play a card and prove it is yours.")),
    Stage.ANSWER: (m("{seat} can go on, or proves the opposite."), m("You say or prove whether you can go on.")),
    Stage.HAND_OVER: (m("{seat} is out and hands over cards and locks."), m("You hand over your cards and locks.")),
    Stage.ACK: (m("{seat} signs the result."), m("You sign the result.")),
    Stage.MARK: (m("{seat} marks the own cards, unseen."), m("You mark your cards, unseen by others.")),
}
#: What the rules wait for.
NEEDS: Mapping[type[contract.Need], Message] = {
    contract.Shuffle: m("The cards are shuffled by everyone together."),
    contract.Draw: m("Cards are drawn."),
    contract.Open: m("Cards are turned over."),
    contract.Turn: m("{seat} plays a card."),
    contract.Choose: m("Everyone chooses in secret."),
    contract.Pass: m("Everyone passes a card."),
    contract.Claim: m("It is checked who can go on."),
    contract.Leave: m("Who dropped out hands over the cards."),
    contract.Over: m("The game is over."),
}
SEATING = m("The seats are drawn by lot.")

WATCHING_ONLY = m("You are watching.")
YOU = m("You", context="a player's name")
YOU_IN_LIST = m("you", context="among the names in a sentence")


@dataclass(frozen=True)
class Speaker:
    """Puts notes into words, for one player at one table."""

    look: Look
    game: Game[Any]
    names: tuple[str, ...]  # by seat
    me: Seat | None = None

    def name(self, seat: int) -> str:
        """What a seat is called inside a sentence."""
        if seat == self.me:
            return self.look.tr(YOU_IN_LIST)
        return self.names[seat] if 0 <= seat < len(self.names) else f"#{seat + 1}"

    def face(self, card: CardId) -> str:
        return face(self.game, card, self.look)

    def title(self, seat: int) -> str:
        """What a seat is called in a table."""
        return self.look.tr(YOU) if seat == self.me else self.name(seat)

    def say(self, told: Note) -> str:
        """One sentence."""
        if told.name == "accused":
            values = dict(told.values)
            return self.fault(values["seat"], Rule(values["rule"]))
        message = self._message(told)
        if message is not None:
            try:
                return self.look.tr(message, **self._values(told))
            except (KeyError, IndexError):
                pass  # other values than the sentence was written for: show what there is
        shown = ", ".join(f"{readable(key)} {self._value(key, value)}" for key, value in told.values)
        return f"{readable(told.name)}{': ' if shown else ''}{shown}"

    def fault(self, seat: int, rule: Rule) -> str:
        return self.look.tr(FAULTS[rule], seat=self.nick(seat))

    def error(self, error: LocalError) -> str:
        return self.say(note(error.name, **{key: str(value) for key, value in error.values.items()}))

    def spoken(self, seat: int, stage: Stage) -> str:
        theirs, mine = SPOKEN[stage]
        return self.look.tr(mine) if seat == self.me else self.look.tr(theirs, seat=self.name(seat))

    def need(self, need: contract.Need | None) -> str:
        if need is None:
            return self.look.tr(SEATING)
        seat = self.nick(need.seat) if isinstance(need, contract.Turn) else ""
        return self.look.tr(NEEDS[type(need)], seat=seat)

    def listed(self, seats: Sequence[int]) -> str:
        return ", ".join(map(self.name, seats))

    def nick(self, seat: int) -> str:
        """The name itself, also of the one who reads it."""
        return self.names[seat] if 0 <= seat < len(self.names) else f"#{seat + 1}"

    def _message(self, told: Note) -> Message | None:
        values = dict(told.values)
        if self.me is not None:
            variant = ""
            if values.get("seat") == self.me:
                variant = ".me"
            elif told.name == "passed" and self.me in values.get("seats", ()):
                variant = ".me" if values["seats"][0] == self.me else ".to_me"
            if variant and told.name + variant in NOTES:
                return NOTES[told.name + variant]
        return NOTES.get(told.name) or ERRORS.get(told.name)

    def _values(self, told: Note) -> dict[str, Any]:
        values = {key: self._value(key, value) for key, value in told.values}
        if values.get("seat") is not None and dict(told.values)["seat"] == self.me:
            values["seat"] = self.nick(dict(told.values)["seat"])  # in a sentence that is not worded for the reader
        seats = dict(told.values).get("seats", ())
        if len(seats) == 2:
            values["giver"], values["receiver"] = map(self.name, seats)
        if "points" in values:
            values.setdefault("count", abs(values["points"]))  # what decides between singular and plural
        if NOTES.get(told.name) is _BUG:
            values = {"what": readable(told.name)}
        return values

    def _value(self, key: str, value: Any) -> Any:
        if isinstance(value, tuple | list):
            return ", ".join(str(self._value(key.removesuffix("s"), one)) for one in value)
        match key:
            case "seat":
                return self.name(value)
            case "card":
                return self.face(CardId(value))
            case "row":
                return value + 1
            case "colour":
                return self.look.colour(value)
            case "column":
                return self.look.tr(COLUMNS[value]) if value in COLUMNS else readable(str(value))
            case "how":
                known = NOTES.get(f"how.{value}")
                return self.look.tr(known) if known else readable(str(value))
        return value if isinstance(value, int) and not isinstance(value, bool) else str(value)


def readable(name: str) -> str:
    return name.replace("_", " ")
