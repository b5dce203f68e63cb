"""Players that see only a View, on three levels, for every game there is.

Law: no game by name, no rule, no clock; all chance comes from the argument `chance`. What a move is worth at a glance
(`Game.weigh`) and how well a seat stands (`Game.standing`) is each game's own judgement; the rest is the same for all.

    random   any legal move
    greedy   the move that looks best at a glance
    thinker  imagines what it cannot see, several times over, plays the most promising moves on from there, and takes
             the one that came out best on average
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.cards import Seat
from engine.dealer import Chance, Chooser, Dealer, deciders
from engine.game import Game, Move, Over, View

#: So many different moves, the best at a glance, are considered.
CANDIDATES = 5
#: Each is tried in so many imagined worlds; then the better half of them in so many more, until two have been compared
#: last. Numbers, not times: the same seed gives the same moves on any machine.
WORLDS = 10
#: So many own decisions it looks ahead, everyone playing by glance, before it judges by `standing`.
HORIZON = 6
#: How often a world is imagined anew because somebody in it, who has said that they can move, could not.
RETRIES = 10


def bot(level: str, game: Game[Any], chance: Chance) -> Chooser:
    """A player of this level: shown a view with moves, it returns one of them. Raises KeyError for no such level."""
    return LEVELS[level](game, chance)


def random_bot(game: Game[Any], chance: Chance) -> Chooser:
    return lambda view: pick(view.moves, chance)


def greedy_bot(game: Game[Any], chance: Chance) -> Chooser:
    return lambda view: best(game, view, view.moves, chance)


def thinker_bot(game: Game[Any], chance: Chance) -> Chooser:
    def choose(view: View) -> Move:
        assert view.seat is not None
        moves = different(game, view)[:CANDIDATES]
        worth = dict.fromkeys(moves, 0.0)
        while len(moves) > 1:
            for _ in range(WORLDS):
                world = imagine(game, view, chance)
                for move in moves:  # each in the same worlds: what differs is owed to the moves alone
                    worth[move] += outcome(world.copy(), view.seat, move)
            moves = sorted(moves, key=lambda move: -worth[move])[: (len(moves) + 1) // 2 if len(moves) > 2 else 1]
        return moves[0]

    return choose


LEVELS: Mapping[str, Callable[[Game[Any], Chance], Chooser]] = {
    "random": random_bot,
    "greedy": greedy_bot,
    "thinker": thinker_bot,
}


def pick(moves: Sequence[Move], chance: Chance) -> Move:
    return moves[int(chance.random() * len(moves))]


def best(game: Game[Any], view: View, moves: Sequence[Move], chance: Chance) -> Move:
    """The move that looks best at a glance; which of several equal ones, chance decides."""
    worth = [game.weigh(view, move) for move in moves]
    most = max(worth)
    return pick([move for move, value in zip(moves, worth, strict=True) if value == most], chance)


def different(game: Game[Any], view: View) -> list[Move]:
    """The moves, the best at a glance first; of those that show the same faces only one."""
    faces = {slot: game.face(card) for slot, card in view.hand}
    unlike = {(move.kind, *(faces[slot] for slot in move.slots), move.values): move for move in view.moves}
    return sorted(unlike.values(), key=lambda move: -game.weigh(view, move))


def imagine(game: Game[Any], view: View, chance: Chance) -> Dealer[Any]:
    """A world that agrees with the view, also in this: whoever is asked for a move has one."""
    for _ in range(RETRIES):
        world = Dealer.imagine(game, view, chance)
        if all(seat == view.seat or world.view(seat).moves for seat in deciders(world.need)):
            break
    return world


def outcome(world: Dealer[Any], seat: Seat, move: Move) -> float:
    """How this seat stands some decisions after this move, everyone playing by glance."""
    game, chance = world.game, world.chance
    forced: Move | None = move
    decisions = 0
    while not isinstance(world.need, Over):
        choices: dict[Seat, Move] = {}
        stuck: list[Seat] = []
        for decider in deciders(world.need):
            if decider == seat:
                decisions += 1
                if decisions > HORIZON:
                    return game.standing(world.state, seat)
                if forced is not None:
                    choices[seat], forced = forced, None
                    continue
            view = world.view(decider)
            if view.moves:
                choices[decider] = best(game, view, view.moves, chance)
            else:
                stuck.append(decider)
        if stuck:  # imagined cards with which this seat would not have been asked: here it is out
            world.step(choices, gone=stuck, finished=choices.keys())
        else:
            world.step(choices)
    return game.standing(world.state, seat)
