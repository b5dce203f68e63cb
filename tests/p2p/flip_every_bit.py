"""The long form of `test_any_flipped_bit_is_noticed`: every single bit of one whole game's log.

    PYTHONPATH=.:tests/p2p python tests/p2p/flip_every_bit.py [--jobs N]

Prints how many bits were flipped and which, if any, went unnoticed; exit code 1 if one did. About an hour of CPU time.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from test_verify import SMALL, flip, log_of, rejected

from cli.output import Progress

PIECE = 512  # bits per piece of work


def unnoticed(data: bytes, first: int) -> list[int]:
    return [bit for bit in range(first, min(first + PIECE, 8 * len(data))) if not rejected(flip(data, bit))]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    jobs = parser.parse_args().jobs
    data = log_of(*SMALL)
    found: list[int] = []
    firsts = range(0, 8 * len(data), PIECE)
    with ProcessPoolExecutor(jobs) as pool, Progress(len(firsts), "pieces") as progress:
        for bits in pool.map(partial(unnoticed, data), firsts):
            found += bits
            progress.advance()
    print(f"{8 * len(data)} bits of {len(data)} bytes flipped; unnoticed: {found or 'none'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
