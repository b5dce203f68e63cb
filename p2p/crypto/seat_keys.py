"""A seat's key pair for one table, and the joint key of several seats.

Law: a public key counts only after `verify_key`; otherwise the last seat to speak could choose its key so that it
cancels all others out of the joint key.
"""

from __future__ import annotations

from collections.abc import Iterable

from p2p.crypto import keys
from p2p.crypto.errors import ProofError
from p2p.crypto.group import Point, Scalar, add_all, base_mul


class SecretKey:
    """The secret x behind one layer. Never shows itself; `encode` is for the owner's journal alone."""

    __slots__ = ("_scalar", "public")

    def __init__(self, scalar: Scalar) -> None:
        if not scalar:
            raise ValueError("a secret key is not zero")
        self._scalar = scalar
        self.public = base_mul(scalar)

    @property
    def scalar(self) -> Scalar:
        return self._scalar

    @classmethod
    def decode(cls, data: bytes) -> SecretKey:
        return cls(Scalar.decode(data))

    def encode(self) -> bytes:
        return self._scalar.encode()

    def __repr__(self) -> str:
        return "SecretKey(…)"


def new_key(entropy: bytes) -> SecretKey:
    return SecretKey(keys.make(b"", entropy).secret)


def prove_key(secret: SecretKey, context: bytes, entropy: bytes) -> bytes:
    """That I know the secret of my public key."""
    return keys.prove(keys.Statement(secret.public), keys.Witness(secret.scalar), context=context, entropy=entropy)


def verify_key(public: bytes, message: bytes, context: bytes) -> Point:
    key = Point.decode(public)
    keys.check(keys.Statement(key), message, context=context)
    return key


def joint_key(publics: Iterable[Point]) -> Point:
    """The key whose ciphertexts only all these seats together can open."""
    joint = add_all(publics)
    if joint.is_identity:
        raise ProofError("these keys cancel each other out")
    return joint
