"""Sentences for what leaves the engine as names and values."""

from __future__ import annotations

import random
from string import Formatter
from typing import Any

import pytest

from cli.words import SENTENCES, sentence
from engine.bots import bot
from engine.dealer import play_game
from engine.game import BadSetup, Game, Note, note
from engine.shelf import all_games, find

NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Felix")


def notes_of(game: Game[Any], players: int, seed: int) -> list[Note]:
    seen: list[Note] = []
    chance = random.Random(seed)
    final = play_game(
        game, players, bot("random", game, chance), chance, watch=lambda b, n, f, after: seen.extend(after.news)
    )
    over: Any = game.need(final)
    return [*seen, over.reason, *over.details]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_every_note_of_a_game_has_a_sentence(game: Game[Any]) -> None:
    """Each was written for the values it gets: none is left out, none is missing, no number stands for a seat."""
    for players in game.seats:
        for told in notes_of(game, players, players):
            assert told.name in SENTENCES, told
            wanted = {name.split("[")[0] for _, name, _, _ in Formatter().parse(SENTENCES[told.name]) if name}
            assert wanted <= dict(told.values).keys(), told
            said = sentence(told, NAMES.__getitem__, game.face)
            assert "{" not in said
            assert said.endswith((".", "--"))


def test_seats_and_cards_are_shown_as_names_and_faces() -> None:
    """Also inside lists; rows count from 1 and colours lose their underscore."""
    game = find("2win")
    passed = note("passed", seats=(0, 2))
    assert sentence(passed, NAMES.__getitem__) == "Ada: a card for Carl."
    number = note("number", seat=1, number=11, cards=(1, 4), tens_run=1, units_run=1)
    assert sentence(number, NAMES.__getitem__, game.face) == "Blaise: 11, with b1, b1**."
    assert sentence(note("opened", card=5, row=0)) == "5 lies open in row 1."
    flipped = note("flipped", seat=0, colour="light_blue", count=3)
    assert sentence(flipped, NAMES.__getitem__) == "Ada: 3 light blue turn face down."


def test_a_note_without_a_sentence_is_shown_as_it_is() -> None:
    """A new game can be played before anybody has found words for it."""
    assert sentence(note("new_thing", seat=0, cards=(1, 2)), NAMES.__getitem__) == "new thing: seat Ada, cards 1, 2"
    assert sentence(note("new_thing")) == "new thing"
    assert sentence(note("drew", number=3)) == "drew: number 3"  # a known name with other values


def test_a_bad_setup_says_what_is_possible() -> None:
    """The sentence for what cannot be started names what can."""
    with pytest.raises(BadSetup) as trouble:
        find("chess")
    assert sentence(trouble.value.note) == "There is no game `chess`; the games are 2sans3, 2win."
