"""Fuzz targets: points, scalars, ciphertexts, and every proof and message of the sigma protocols."""

from __future__ import annotations

from collections.abc import Callable

from fuzzing import Target
from proof_cases import ALICE, BOB, CONTEXT, Case, cases, encrypted

from p2p.crypto import rekey, shares, sigma
from p2p.crypto.elgamal import Ciphertext, decode_all, encode_all
from p2p.crypto.group import G, Point, Scalar, base_mul, generators

CIPHERTEXTS, _ = encrypted(list(generators(b"tests/fuzz", 2)), ALICE.public)
POINTS = tuple(base_mul(Scalar(n)).encode() for n in range(1, 6))
SCALARS = tuple(Scalar(n).encode() for n in (0, 1, -1, 2**251, 3**150))
ENTROPY = (bytes(32), b"\1" * 32)


def proof(case: Case) -> Target:
    def decode(data: bytes) -> None:
        case.check(data)

    return Target(case.name, decode, tuple(case.prove(entropy=entropy) for entropy in ENTROPY))


def message(name: str, make: Callable[[bytes], bytes], verify: Callable[[bytes], object]) -> Target:
    def decode(data: bytes) -> None:
        verify(data)

    return Target(name, decode, tuple(make(entropy) for entropy in ENTROPY))


TARGETS = [
    Target("point", lambda data: Point.decode(data).encode(), (*POINTS, G.encode()), share=12),
    Target("scalar", lambda data: Scalar.decode(data).encode(), SCALARS, share=12),
    Target("ciphertext", lambda data: Ciphertext.decode(data).encode(), tuple(c.encode() for c in CIPHERTEXTS), 8),
    Target("ciphertexts", lambda data: encode_all(decode_all(data, 2)), (encode_all(CIPHERTEXTS),), share=4),
    Target(
        "scalars",
        lambda data: b"".join(scalar.encode() for scalar in sigma.decode_scalars(data, 3)),
        (b"".join(SCALARS[:3]), b"".join(SCALARS[2:])),
        share=4,
    ),
    message(
        "shares-message",
        lambda entropy: shares.give(CIPHERTEXTS, secret=ALICE.secret, context=CONTEXT, entropy=entropy),
        lambda data: shares.verify(CIPHERTEXTS, data, public=ALICE.public, context=CONTEXT),
    ),
    message(
        "rekey-message",
        lambda e: rekey.rekey(CIPHERTEXTS, secret=ALICE.secret, target=BOB.public, context=CONTEXT, entropy=e),
        lambda data: rekey.verify(CIPHERTEXTS, data, public=ALICE.public, target=BOB.public, context=CONTEXT),
    ),
    *(proof(case) for case in cases()),
]
