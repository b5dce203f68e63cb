"""How long the screen's thread takes to draw a frame while six tables make and check proofs in the other thread.

    python bench/seat_latency.py [GAME] [PLAYERS]

One frame is what a key costs: take in what was told, draw 120 × 40. Beside it the same frames with nobody working, so
that a slow machine and a screen that freezes look different.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from cli.ui.chair import Chair
from cli.ui.local import LocalTables
from cli.ui.look import Look
from cli.ui.messages import language
from cli.ui.scene import scene_of
from cli.ui.screen import page
from engine.bots import bot
from engine.shelf import find

LOOK = Look(language("en"))


def frame(chair: Chair) -> float:
    started = time.perf_counter()
    while chair.next() is not None:
        pass
    page(scene_of(chair, panel=True), LOOK, 120, 40)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    game = find(sys.argv[1] if len(sys.argv) > 1 else "2win")
    players = int(sys.argv[2]) if len(sys.argv) > 2 else game.seats[-1]
    bots = [(f"Bot {seat}", bot("greedy", game, Random(seat))) for seat in range(1, players)]
    tables = LocalTables(game, "Me", bots, entropy=Random(1).randbytes)
    chair = Chair(game, tables)
    tables.start(chair.tell)
    busy = []
    while not chair.story.ended:
        busy.append(frame(chair))
        if chair.asked:
            chair.choose(chair.moves[0])
            chair.commit()
        time.sleep(0.005)
    tables.stop()
    idle = [frame(chair) for _ in range(200)]
    for name, times in (("working", sorted(busy)), ("idle", sorted(idle))):
        shares = ", ".join(f"{share:.0%} {times[int(share * (len(times) - 1))]:.1f}" for share in (0.5, 0.95, 1.0))
        print(f"{name}: {len(times)} frames, ms: {shares}")


if __name__ == "__main__":
    main()
