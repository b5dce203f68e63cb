"""What can go wrong in the card cryptography, and whose fault it is.

Law: whatever bytes a peer sends, the functions of p2p/crypto raise one of these and nothing else.

    CryptoError
    ├── DecodeError   the bytes are malformed: wrong length, a point or number that is not canonical, the identity
    ├── ProofError    the bytes are well-formed and what they claim is not shown
    └── WitnessError  our own side: we were asked to prove something that is not true, and refuse

`DecodeError` and `ProofError` blame whoever sent the bytes; `WitnessError` is never anybody else's fault.
A `ValueError` or `TypeError` from this folder is a mistake in the calling code (an empty range, too little entropy).
"""

from __future__ import annotations


class CryptoError(Exception):
    """Base of everything the card cryptography raises on purpose."""


class DecodeError(CryptoError):
    """The bytes do not encode what they should; their sender is at fault."""


class ProofError(CryptoError):
    """The bytes are well-formed, but the proof does not hold; their sender is at fault."""


class WitnessError(CryptoError):
    """What we know does not satisfy what we were asked to prove; nobody else is at fault."""
