"""Words for everything that leaves engine and p2p as names and values, in every language."""

from __future__ import annotations

import ast
import random
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from cli.ui import words
from cli.ui.look import Look
from cli.ui.messages import LANGUAGES, Message, language
from cli.ui.text import cells
from cli.ui.words import ERRORS, FAULTS, NEEDS, NOTES, SPOKEN, STAGES, Speaker
from cli.words import sentence
from engine import game as contract
from engine.bots import bot
from engine.cards import Seat
from engine.dealer import play_game
from engine.game import BadSetup, Game, Note, note
from engine.shelf import all_games, find
from p2p.errors import LocalError, Rule
from p2p.states import Stage

ROOT = Path(__file__).parents[2]
NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix")
ENGLISH = Look(language("en"))


def constants(argument: ast.expr) -> list[str]:
    if isinstance(argument, ast.IfExp):
        return [*constants(argument.body), *constants(argument.orelse)]
    return [argument.value] if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else []


def named_in(folder: str, function: str) -> set[str]:
    """Every name that code in this folder passes to `function("name", …)`."""
    found: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == function
                and node.args
            ):
                found.update(constants(node.args[0]))
    return found


@cache
def notes_of(game: Game[Any], players: int, seed: int) -> tuple[Note, ...]:
    seen: list[Note] = []
    chance = random.Random(seed)
    final = play_game(
        game, players, bot("random", game, chance), chance, watch=lambda b, n, f, after: seen.extend(after.news)
    )
    over: Any = game.need(final)
    return (*seen, over.reason, *over.details)


PLAYED = [(game, players) for game in all_games() for players in game.seats]


def test_every_name_in_the_code_has_words() -> None:
    """Whatever note the rules or error the table can give, somebody has worded it; new ones are found by themselves."""
    engine = named_in("engine", "note")
    assert len(engine) > 40
    assert engine <= NOTES.keys()
    errors = named_in("p2p", "LocalError") | named_in("cli", "LocalError")
    assert {"not_asked", "illegal_move", "choice_lost"} <= errors
    assert errors <= ERRORS.keys()
    assert named_in("cli/ui", "note") <= {*NOTES, *ERRORS, "accused"}
    assert FAULTS.keys() == set(Rule)
    assert STAGES.keys() == SPOKEN.keys() == set(Stage)
    assert NEEDS.keys() == contract.ANSWERS.keys() | {contract.Over}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("game", "players"), PLAYED, ids=lambda one: getattr(one, "id", one))
def test_every_note_of_a_game_is_a_sentence_that_fits(game: Game[Any], players: int, code: str) -> None:
    """Read by each seat and by a spectator: nothing raw, nothing unfilled, no line wider than 80 columns."""
    look = Look(language(code))
    for me in (None, Seat(0), Seat(players - 1)):
        speaker = Speaker(look, game, NAMES[:players], me)
        for told in notes_of(game, players, players):
            assert told.name in NOTES
            said = speaker.say(told)
            assert "{" not in said
            assert "_" not in said
            assert cells(said) <= 80, said


def templates() -> list[tuple[str, Message]]:
    return [*NOTES.items(), *ERRORS.items(), *((rule.value, told) for rule, told in FAULTS.items())]


LONG = {
    "seat": "Wilhelmine 2",
    "giver": "Wilhelmine 2",
    "receiver": "Maximilian 3",
    "seats": "Wilhelmine 2, Maximilian 3",
    "cards": "B7★★, P5★★",
    "card": "B7★★",
    "name": "Wilhelmine 2",
    "text": "Good evening, everybody!",
    "game": "2sans3",
    "games": "2sans3, 2win",
    "setting": "clock",
    "allowed": "off, on",
    "what": "wrong cards",
    "column": "units",
    "colour": "light blue",
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_sentence_of_the_table_overflows_a_line(code: str) -> None:
    """With names of twelve letters; only what explains a mistake or a fault may take two lines."""
    look = Look(language(code))
    how = max((look.tr(message) for name, message in NOTES.items() if name.startswith("how.")), key=cells)
    for name, message in templates():
        wanted = {field for _, field, _, _ in Formatter().parse(message.text) if field}
        values = {field: LONG.get(field, 98) for field in wanted} | {"count": 98, "how": how}
        explains = name in ERRORS or name in set(Rule) or NOTES.get(name) is words._BUG or "setting" in wanted
        assert cells(look.tr(message, **values)) <= (160 if explains else 80), look.tr(message, **values)


def test_seats_and_cards_are_shown_as_names_and_faces() -> None:
    """Also inside lists; rows count from 1, colours lose their underscore, and a reader is spoken to."""
    game = find("2win")
    speaker = Speaker(ENGLISH, game, NAMES, Seat(2))
    assert speaker.say(note("passed", seats=(0, 1))) == "Ada passes a card to Blaise."
    assert speaker.say(note("passed", seats=(0, 2))) == "Ada passes a card to you."
    assert speaker.say(note("passed", seats=(2, 0))) == "You pass a card to Ada."
    assert speaker.say(note("number", seat=1, number=11, cards=(1, 4))) == "Blaise forms 11 with B1, B1★★."
    assert speaker.say(note("gone", seats=(0, 2))) == "Gone: Ada, you."
    assert speaker.say(note("went_fault", seat=2)).startswith("Carl is out")  # not worded for the reader: by name
    other = Speaker(ENGLISH, find("2sans3"), NAMES)
    assert other.say(note("flipped", seat=0, colour="light_blue", count=3)) == (
        "Ada turns 3 cards face down (light blue)."
    )
    assert other.say(note("opened", card=5, row=0)) == "5◆ is placed in row 1."


def test_counting_is_right_in_polish_and_elsewhere() -> None:
    """Polish has three forms; the number decides, also a negative one."""
    polish = Speaker(Look(language("pl")), find("2win"), NAMES)
    said = {count: polish.say(note("drew", seat=0, count=count)) for count in (1, 2, 4, 5, 12, 14, 21, 22, 25, 112)}
    ends = {count: text.split()[-1].rstrip(".") for count, text in said.items()}
    assert [ends[count] for count in (1, 2, 4, 22)] == ["kartę", "karty", "karty", "karty"]
    assert {ends[count] for count in (5, 12, 14, 21, 25, 112)} == {"kart"}
    assert polish.say(note("most_points", seat=0, points=-3)) == "Ada wygrywa: -3 punkty."
    french = Speaker(Look(language("fr")), find("2win"), NAMES)
    assert french.say(note("drew", seat=0, count=0)) == "Ada pioche 0 carte."
    german = Speaker(Look(language("de")), find("2win"), NAMES)
    assert german.say(note("drew", seat=0, count=0)) == "Ada zieht 0 Karten."


def test_what_is_wrong_is_said_whose_fault_it_is() -> None:
    """Faults name the seat, errors say what to do, an accusation in the log is a sentence."""
    speaker = Speaker(ENGLISH, find("2win"), NAMES, Seat(0))
    assert speaker.fault(1, Rule.BAD_SHUFFLE).startswith("Blaise did not shuffle honestly")
    assert speaker.say(note("accused", seat=1, rule="bad_shuffle")) == speaker.fault(1, Rule.BAD_SHUFFLE)
    assert speaker.error(LocalError("other_rules", game="2win")).startswith("This table plays 2win by other rules")
    assert speaker.need(contract.Turn(Seat(2))) == "Carl plays a card."
    assert speaker.need(None) == "The seats are drawn by lot."


def test_a_note_without_a_sentence_is_shown_as_it_is() -> None:
    """A new game can be played before anybody has found words for it."""
    assert sentence(note("new_thing", seat=0, cards=(1, 2)), NAMES.__getitem__) == "new thing: seat Ada, cards 1, 2"
    assert sentence(note("new_thing")) == "new thing"
    assert sentence(note("drew", number=3)) == "drew: number 3"  # a known name with other values


def test_commands_in_english_ask_how_seats_and_cards_are_called() -> None:
    """Who verifies a log names seats and faces in its own way."""
    told = note("number", seat=1, number=11, cards=(1, 4))
    assert sentence(told, NAMES.__getitem__, find("2win").face) == "Blaise forms 11 with b1, b1**."
    with pytest.raises(BadSetup) as trouble:
        find("chess")
    assert sentence(trouble.value.note) == "There is no game “chess”; the games are 2sans3, 2win."
