"""A prover of shuffles who lies: the proof's algebra written a second time, with every honest choice an argument.

With honest arguments it makes valid proofs. Each lie in test_shuffle_proof.py leaves all equations but one intact, so
that one is the only thing between the cheat and success.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2p.crypto import shuffle_proof as sp
from p2p.crypto.group import G, Point, Q, Scalar, base_mul, multi_mul
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript

Vector = list[int]


def permutation_matrix(order: Sequence[int]) -> list[Vector]:
    """matrix[i][j] = 1 where output i is input j. `order` may name an input twice."""
    return [[int(old == j) for j in range(len(order))] for old in order]


def applied(matrix: Sequence[Vector], vector: Vector) -> Vector:
    return [sum(m * v for m, v in zip(row, vector, strict=True)) % Q for row in matrix]


def forge(
    statement: sp.Statement,
    matrix: Sequence[Vector],
    fresh: Sequence[Sequence[Scalar]],
    transcript: Transcript,
    hedge: Hedge,
    *,
    used: Callable[[Vector], Vector] | None = None,
    chained: Callable[[Vector, int], Vector] = lambda moved, _: moved,
) -> sp.ShuffleProof:
    """Commits to `matrix`; claims `used(u)` for the rows (what the matrix makes of u, if honest); multiplies
    `chained(ũ, Π u)` up in the chain."""
    n = len(matrix)
    generators = sp.row_generators(n)
    blinding = hedge.scalars(n)
    commitments = [
        multi_mul([blinding[j], *(Scalar(matrix[i][j]) for i in range(n))], [G, *generators]) for j in range(n)
    ]
    u = sp._challenge_rows(transcript, statement, commitments)
    moved = applied(matrix, u) if used is None else used(u)
    factors = chained(moved, sp._product(u))

    steps = hedge.scalars(n)
    chain: list[Point] = []
    for step, factor in zip(steps, factors, strict=True):
        chain.append(base_mul(step) + Scalar(factor) * (chain[-1] if chain else sp._CHAIN_START))
    before = [sp._CHAIN_START, *chain[:-1]]
    total = 0  # the h-free part of the last link
    for step, factor in zip(steps, factors, strict=True):
        total = (total * factor + int(step)) % Q
    w = sp._challenge_chain(transcript, chain)

    nonces, column_nonces, row_nonces = hedge.scalars(4), hedge.scalars(len(statement.keys)), hedge.scalars(n)
    announcements = [
        base_mul(nonces[0]),
        base_mul(nonces[1]),
        multi_mul([nonces[2], *row_nonces], [G, *generators]),
        multi_mul([nonces[3], *(o * Scalar(x) for o, x in zip(row_nonces, w, strict=True))], [G, *before]),
    ]
    for k, key in enumerate(statement.keys):
        for base, points in (
            (G, [row[k].a for row in statement.outputs]),
            (key, [row[k].b for row in statement.outputs]),
        ):
            announcements.append(multi_mul([-column_nonces[k], *row_nonces], [base, *points]))
    c = sp._challenge_last(transcript, announcements)

    witness = [
        sum(map(int, blinding)),
        total,
        sp._dot(u, [int(b) for b in blinding]),
        sp._dot(w, [int(step) for step in steps]),
        *(sp._dot(moved, [int(row[k]) for row in fresh]) for k in range(len(statement.keys))),
    ]
    responses = [Scalar(int(o) + c * x) for o, x in zip((*nonces, *column_nonces), witness, strict=True)]
    row_responses = [Scalar(int(o) + c * x) for o, x in zip(row_nonces, moved, strict=True)]
    return sp.ShuffleProof(
        tuple(commitments), tuple(chain), tuple(announcements), tuple(responses), tuple(row_responses)
    )
