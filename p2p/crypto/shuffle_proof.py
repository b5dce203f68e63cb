"""The verifiable shuffle: rows of ciphertexts re-encrypted and permuted, and a proof that nothing else was done.

Law: knows rows and keys, one key for each column; not whose they are. After Terelius and Wikström, written as in
Haenni et al., "Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets", with one difference: the equations of
the chain are merged by random weights *before* they are proven, so that they cost one announcement instead of one for
each row. SPEC.md ("Shuffle") says why that is sound.

    output row i = input row π(i), re-encrypted                    ũᵢ = u_π(i)
    commitments  c_π(i) = Hᵢ + ρ_π(i)·G          chain  ĉᵢ = r̂ᵢ·G + ũᵢ·ĉᵢ₋₁ ,  ĉ₀ = h

    1  Σ cⱼ − Σ Hᵢ    = r̄·G                       each column of the committed matrix sums to one
    2  ĉ_N − (Π uⱼ)·h = r̂·G                       Π ũᵢ = Π uⱼ
    3  Σ uⱼcⱼ         = r̃·G + Σ ũᵢ·Hᵢ             ũ is what the commitments make of u
    4  Σ wᵢĉᵢ         = ŵ·G + Σ ũᵢ·wᵢĉᵢ₋₁         the chain multiplies these ũ
    5  Σ uⱼ·eⱼ        = Σ ũᵢ·e'ᵢ − r'·(G, Y)       the rows are what the commitments say, for each column
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2p.crypto.elgamal import CIPHERTEXT_SIZE, Ciphertext, decode_all, encode_all, reencrypt
from p2p.crypto.errors import DecodeError, ProofError
from p2p.crypto.group import SIZE, G, Point, Q, Scalar, base_mul, generators, hash_to_group, multi_mul
from p2p.crypto.merged_sum import MergedSum
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript

#: One row of a shuffle: the ciphertexts that stay together. Most often there is one.
Row = tuple[Ciphertext, ...]
Rows = tuple[Row, ...]

_FAMILY = b"shuffle/row"
_CHAIN_START = hash_to_group(b"shuffle/chain")  # h
_SCALARS = 4  # equations 1-4: one announcement and one response each; 5: two announcements, one response per column


@dataclass(frozen=True, slots=True)
class Statement:
    """`outputs` are `inputs` in another order, each column re-encrypted under its key."""

    inputs: Rows
    keys: tuple[Point, ...]
    outputs: Rows

    def __post_init__(self) -> None:
        if not self.inputs or len(self.inputs) != len(self.outputs) or not self.keys:
            raise ProofError("a shuffle has at least one row and one column, and as many rows after as before")
        if any(len(row) != len(self.keys) for row in (*self.inputs, *self.outputs)):
            raise ProofError("every row of a shuffle has one ciphertext for each key")


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    commitments: tuple[Point, ...]  # cⱼ
    chain: tuple[Point, ...]  # ĉᵢ
    announcements: tuple[Point, ...]  # t₁ … t₄, then (t_a, t_b) of each column
    responses: tuple[Scalar, ...]  # s₁ … s₄, then one for each column
    row_responses: tuple[Scalar, ...]  # s̃ᵢ

    def encode(self) -> bytes:
        points = [point.encode() for point in (*self.commitments, *self.chain, *self.announcements)]
        scalars = [scalar.encode() for scalar in (*self.responses, *self.row_responses)]
        return b"".join(points + scalars)

    @classmethod
    def decode(cls, data: bytes, rows: int, width: int) -> ShuffleProof:
        if len(data) != proof_size(rows, width):
            raise DecodeError(f"the proof of a shuffle of {rows} rows is {proof_size(rows, width)} bytes")
        parts = [data[at : at + SIZE] for at in range(0, len(data), SIZE)]
        split = 2 * rows + _SCALARS + 2 * width
        points = tuple(Point.decode(part) for part in parts[:split])
        scalars = tuple(Scalar.decode(part) for part in parts[split:])
        ends = rows, 2 * rows, _SCALARS + width
        return cls(
            points[: ends[0]], points[ends[0] : ends[1]], points[ends[1] :], scalars[: ends[2]], scalars[ends[2] :]
        )


def proof_size(rows: int, width: int) -> int:
    return SIZE * (3 * rows + 2 * _SCALARS + 3 * width)


def message_size(rows: int, width: int) -> int:
    return rows * width * CIPHERTEXT_SIZE + proof_size(rows, width)


def encode_rows(rows: Iterable[Row]) -> bytes:
    return b"".join([encode_all(row) for row in rows])


def decode_rows(data: bytes, rows: int, width: int) -> Rows:
    flat = decode_all(data, rows * width)
    return tuple(flat[at : at + width] for at in range(0, rows * width, width))


def row_generators(count: int) -> tuple[Point, ...]:
    """H₁ … H_count. Asked for in powers of two, so that few lists are ever computed."""
    return generators(_FAMILY, 1 << (count - 1).bit_length())[:count]


def shuffle(
    inputs: Rows, keys: tuple[Point, ...], order: Sequence[int], transcript: Transcript, hedge: Hedge
) -> tuple[Rows, ShuffleProof]:
    """Re-encrypts row `order[i]` into place i, and proves it. All randomness comes from `hedge`."""
    fresh = [hedge.scalars(len(keys)) for _ in order]
    outputs = tuple(
        tuple(reencrypt(*column) for column in zip(inputs[old], keys, scalars, strict=True))
        for old, scalars in zip(order, fresh, strict=True)
    )
    statement = Statement(inputs, keys, outputs)
    return outputs, _prove(statement, order, fresh, transcript, hedge)


def _prove(
    statement: Statement, order: Sequence[int], fresh: list[list[Scalar]], transcript: Transcript, hedge: Hedge
) -> ShuffleProof:
    n, keys = len(order), statement.keys
    rows = row_generators(n)
    hidden = [0] * n  # ρⱼ
    commitments = [G] * n  # cⱼ
    for new, old in enumerate(order):
        blinding = hedge.scalar()
        hidden[old], commitments[old] = int(blinding), rows[new] + base_mul(blinding)
    u = _challenge_rows(transcript, statement, commitments)
    moved = [u[old] for old in order]  # ũᵢ

    # ĉᵢ = Rᵢ·G + Uᵢ·h. Choosing the sums Rᵢ uniformly chooses the r̂ᵢ uniformly, and knowing them makes the
    # announcement of equation 4 two multiplications instead of N.
    sums, products, chain = [0], [1], []
    for factor in moved:
        blinding = hedge.scalar()
        sums.append(int(blinding))
        products.append(products[-1] * factor % Q)
        chain.append(base_mul(blinding) + Scalar(products[-1]) * _CHAIN_START)
    w = _challenge_chain(transcript, chain)
    steps = [total - factor * before for total, before, factor in zip(sums[1:], sums[:-1], moved, strict=True)]  # r̂ᵢ

    o_hidden, o_end, o_opened, o_chain = hedge.scalars(_SCALARS)
    o_fresh = hedge.scalars(len(keys))
    o_rows = hedge.scalars(n)
    o_weighted = [int(omega) * weight for omega, weight in zip(o_rows, w, strict=True)]
    announcements = [
        base_mul(o_hidden),
        base_mul(o_end),
        multi_mul([o_opened, *o_rows], [G, *rows]),
        multi_mul(
            [Scalar(int(o_chain) + _dot(o_weighted, sums[:-1])), Scalar(_dot(o_weighted, products[:-1]))],
            [G, _CHAIN_START],
        ),
    ]
    for k, key in enumerate(keys):
        column = [row[k] for row in statement.outputs]
        announcements.append(multi_mul([-o_fresh[k], *o_rows], [G, *(ct.a for ct in column)]))
        announcements.append(multi_mul([-o_fresh[k], *o_rows], [key, *(ct.b for ct in column)]))
    c = _challenge_last(transcript, announcements)

    witness = [sum(hidden), sums[-1], _dot(u, hidden), _dot(w, steps)]
    witness += [_dot(moved, [int(scalars[k]) for scalars in fresh]) for k in range(len(keys))]
    omegas = (o_hidden, o_end, o_opened, o_chain, *o_fresh)
    return ShuffleProof(
        tuple(commitments),
        tuple(chain),
        tuple(announcements),
        tuple(Scalar(int(omega) + c * value) for omega, value in zip(omegas, witness, strict=True)),
        tuple(Scalar(int(omega) + c * value) for omega, value in zip(o_rows, moved, strict=True)),
    )


@dataclass(frozen=True, slots=True)
class Heard:
    """A statement and its proof with the challenges drawn: ready to be checked, alone or with others."""

    statement: Statement
    proof: ShuffleProof
    u: list[int]
    w: list[int]
    c: int
    digest: bytes  # of everything: context, statement and the complete proof


def hear(statement: Statement, proof: ShuffleProof, transcript: Transcript) -> Heard:
    u = _challenge_rows(transcript, statement, proof.commitments)
    w = _challenge_chain(transcript, proof.chain)
    c = _challenge_last(transcript, proof.announcements)
    transcript.append_scalars(b"responses", (*proof.responses, *proof.row_responses))
    return Heard(statement, proof, u, w, c, transcript.state())


def equations(heard: Heard) -> int:
    """How many weights `add_equations` needs."""
    return _SCALARS + 2 * len(heard.statement.keys)


def add_equations(total: MergedSum, heard: Heard, weights: Sequence[int]) -> None:
    """Adds weightₑ·(tₑ + c·leftₑ − the responses' right sideₑ) for each equation e: the identity if all hold."""
    statement, proof, u, w, c = heard.statement, heard.proof, heard.u, heard.w, heard.c
    z1, z2, z3, z4 = weights[:_SCALARS]
    s1, s2, s3, s4 = (int(response) for response in proof.responses[:_SCALARS])
    rows = [int(response) for response in proof.row_responses]
    n = len(rows)

    total.add_each(weights, proof.announcements)
    total.add(-(z1 * s1 + z2 * s2 + z3 * s3 + z4 * s4), G)
    total.add_each([c * (z1 + z3 * factor) % Q for factor in u], proof.commitments)
    total.add_each([-(z1 * c + z3 * response) for response in rows], row_generators(n))
    # Equation 4: ĉᵢ stands left with c·wᵢ, and right, as the one before, with s̃ᵢ₊₁·wᵢ₊₁.
    right = [response * weight for response, weight in zip(rows, w, strict=True)]
    left = [c * weight for weight in w]
    total.add_each([z4 * (here - after) for here, after in zip(left, [*right[1:], 0], strict=True)], proof.chain)
    total.add(z2 * c, proof.chain[-1])
    total.add(-(z2 * c * _product(u) + z4 * right[0]), _CHAIN_START)

    c_u = [c * factor % Q for factor in u]
    for k, key in enumerate(statement.keys):
        za, zb = weights[_SCALARS + 2 * k : _SCALARS + 2 * k + 2]
        response = int(proof.responses[_SCALARS + k])
        total.add(za * response, G)
        total.add(zb * response, key)
        total.add_each([za * factor for factor in c_u], [row[k].a for row in statement.inputs])
        total.add_each([zb * factor for factor in c_u], [row[k].b for row in statement.inputs])
        total.add_each([-za * response for response in rows], [row[k].a for row in statement.outputs])
        total.add_each([-zb * response for response in rows], [row[k].b for row in statement.outputs])


def _challenge_rows(transcript: Transcript, statement: Statement, commitments: Sequence[Point]) -> list[int]:
    transcript.append_int(b"rows", len(statement.inputs))
    transcript.append_points(b"keys", statement.keys)
    transcript.append(b"inputs", encode_rows(statement.inputs))
    transcript.append(b"outputs", encode_rows(statement.outputs))
    transcript.append_points(b"commitments", commitments)
    return [int(factor) for factor in transcript.challenges(b"u", len(commitments))]


def _challenge_chain(transcript: Transcript, chain: Sequence[Point]) -> list[int]:
    transcript.append_points(b"chain", chain)
    return [int(weight) for weight in transcript.challenges(b"w", len(chain))]


def _challenge_last(transcript: Transcript, announcements: Sequence[Point]) -> int:
    transcript.append_points(b"announcements", announcements)
    return int(transcript.challenge(b"c"))


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum([one * other for one, other in zip(left, right, strict=True)]) % Q


def _product(factors: Sequence[int]) -> int:
    product = 1
    for factor in factors:
        product = product * factor % Q
    return product
