"""English for the names and values that leave the engine: one sentence per note.

Law: knows the names of notes, and no rule. A note nobody has written a sentence for is shown as it is, so that a new
game can be played before anybody has found words for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.cards import CardId
from engine.game import Note

Namer = Callable[[int], str]
Face = Callable[[CardId], str]

SENTENCES: Mapping[str, str] = {
    # setting up
    "unknown_game": "There is no game `{game}`; the games are {games}.",
    "same_game_twice": "Two games are called `{game}`.",
    "wrong_players": "{game} is for {least} to {most} players.",
    "wrong_setting": "{game} has no such choice for `{setting}`; possible are: {allowed}.",
    # any game; "Name: what happened" fits "You" and a name alike
    "gone": "{seats}: gone.",
    "drew": "{seat}: draws {count}.",
    "dealt": "Everyone is dealt {count} cards.",
    "forfeit": "{seat}: wins, everybody else has gone.",
    "abandoned": "Nobody wins: everybody has gone.",
    # 2 WIN
    "round": "-- Round {round} --",
    "passed": "{seats[0]}: a card for {seats[1]}.",
    "number": "{seat}: {number}, with {cards}.",
    "draw_a": "{seat}: a card for the highest number, {number}.",
    "draw_b": "{seat}: a card for the most stars, {stars}.",
    "draw_c": "{seat}: a card for two equal digits, {number}.",
    "draw_d": "{seat}: a card for three {colour} in a row in the {column}.",
    "reshuffled": "The pile is empty: {count} cards are shuffled into a new one.",
    "draws_lost": "No card is left to draw: {count} are lost.",
    "out_no_card": "{seat}: out, no card left.",
    "out_one_card": "{seat}: out, a single card left.",
    "out_no_number": "{seat}: out, no number above {number}, {count} cards in hand.",
    "last_player": "{seat}: wins as the last one who could go on.",
    "most_cards": "{seat}: wins with the most cards in hand, {count}.",
    "lowest_number": "{seat}: wins with as many cards as others, {count}, and the lowest number, {number}.",
    "shared": "{seats}: share the win with {count} cards in hand and number {number}.",
    "result": "{seat}: round {round}, last number {number}, {count} cards in hand.",
    # 2 SANS 3
    "opened": "{card} lies open in row {row}.",
    "placed": "{seat}: plays {card} into row {row}: {cards}.",
    "took": "{seat}: takes {cards}.",
    "removed": "Out of the game: {cards}.",
    "flipped": "{seat}: {count} {colour} turn face down.",
    "bonus": "{seat}: all colours face up, a bonus of {points}.",
    "last_turn": "{seat}: no more turns.",
    "most_points": "{seat}: wins with {points} points.",
    "shared_points": "{seats}: share the win with {points} points.",
    "score": "{seat}: {points} points; {singles} single, {pairs} pairs, {down} face down, bonuses {bonus} and {final}.",
    "unscored": "{seat}: gone, not scored.",
}


def sentence(note: Note, name: Namer = str, face: Face = str) -> str:
    """What a note says. `name` is what a seat is called, `face` how a card looks."""
    values = {key: _shown(key, value, name, face) for key, value in note.values}
    template = SENTENCES.get(note.name)
    if template is not None:
        try:
            return _capital(template.format(**values))
        except (KeyError, IndexError):
            pass  # the note has other values than the sentence was written for: show what there is
    told = ", ".join(f"{key} {value}" for key, value in values.items())
    return f"{readable(note.name)}{': ' if told else ''}{told}"


def readable(name: str) -> str:
    return name.replace("_", " ")


class _List(tuple[str, ...]):
    """Several things, joined by commas where a sentence shows all of them."""

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(self)

    def __format__(self, spec: str) -> str:
        return str(self)


def _shown(key: str, value: Any, name: Namer, face: Face) -> str | _List:
    if isinstance(value, Sequence) and not isinstance(value, str):
        singular = key.removesuffix("s")
        return _List(str(_shown(singular, one, name, face)) for one in value)
    if key == "seat":
        return name(value)
    if key == "card":
        return face(value)
    if key == "row":
        return str(value + 1)
    return readable(value) if isinstance(value, str) and key == "colour" else str(value)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
