"""Scenes to draw in tests: every page and every kind of moment of both games, always the same.

Law: made by playing (dealt_table.py), never written by hand.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dealt_table import DealtTable, listen, play_until

from cli.ui.chair import Chair
from cli.ui.choice import Choice
from cli.ui.messages import Language, Message
from cli.ui.scene import Scene, scene_of
from engine.game import note
from engine.shelf import find
from p2p.events import Opened
from p2p.net.driver import Happened
from p2p.states import Stage

DECISIONS = 6  # so many decisions of each game are drawn


@cache
def seating(game: str, players: int) -> Scene:
    """While the second seat shuffles."""
    table = DealtTable(find(game), players, 5)
    chair = table.start()
    links = 0
    while links < 2:
        told = chair.next()
        links += isinstance(told, Happened) and isinstance(told.event, Opened) and told.event.stage is Stage.LINK
    return scene_of(chair)


@cache
def decisions(game: str, players: int, seed: int = 5) -> tuple[Scene, ...]:
    """What this seat sees each time it is asked."""
    table = DealtTable(find(game), players, seed)
    table.start()
    scenes: list[Scene] = []

    def seen(chair: Chair) -> bool:
        if chair.asked:
            scenes.append(scene_of(chair))
        return False

    play_until(table, seen)
    return tuple(scenes)


@cache
def ended(game: str, players: int, seed: int = 5) -> Scene:
    table = DealtTable(find(game), players, seed)
    table.start()
    return scene_of(play_until(table, lambda chair: False), game_file="/home/ada/games/monday.log")


@cache
def waiting(game: str, players: int) -> Scene:
    """After the choice is sent, while others are waited for."""
    table = DealtTable(find(game), players, 5, me=0)
    chair = table.start()
    listen(chair)
    scene = scene_of(chair)
    story = replace(scene.story, asked=False, spoken=(scene.story.authors[0],))
    return replace(scene, story=story, moves=(), sent=True)


def all_scenes(game: str, players: int) -> list[Scene]:
    """Every page, and moments from all over a game."""
    asked = decisions(game, players)
    some = asked[:: max(1, len(asked) // DECISIONS)]
    scenes = [seating(game, players), *some, ended(game, players), waiting(game, players)]
    for scene in some:
        picked = replace(scene, cursor=len(scene.hand) - 1, choice=Choice((scene.moves[-1].slots[0],)))
        whole = replace(scene, choice=Choice(scene.moves[-1].slots))
        stuck = replace(scene, hint=note("already_sent"))
        scenes += [picked, whole, stuck, replace(scene, panel=True)]
    lost = replace(some[0].story, lost=((some[0].story.authors[0], 60.0),))
    scenes += [
        replace(some[0], page="help"),
        replace(some[0], page="rules"),
        replace(some[0], page="rules", scroll=12),
        replace(some[-1], scroll=30),
        replace(some[0], moves=(), story=lost),
        replace(scenes[-1], moves=(), story=replace(some[0].story, watching=True)),
        replace(ended(game, players), panel=True, again=(0, 1)),
    ]
    return scenes


class Pseudo(Language):
    """A language in which no letter is ASCII: what still is did not come from a catalogue."""

    LETTERS = {ord("a") + i: 0x0430 + i for i in range(26)} | {ord("A") + i: 0x0410 + i for i in range(26)}

    def template(self, message: Message, count: int) -> str:
        text = message.text if count == 1 or not message.many else message.many
        parts = text.split("{")
        changed = [parts[0].translate(self.LETTERS)]
        for part in parts[1:]:
            place, rest = part.split("}", 1)
            changed.append(place + "}" + rest.translate(self.LETTERS))
        return "{".join(changed)
