"""Everything a table does with cards, each as an action and its `verify_…`: messages are bytes, contexts too.

Law: the only module of p2p/crypto that the rest of p2p needs. It holds no code, only the list of what there is.

    keys      new_key, prove_key / verify_key, joint_key
    cards     Deck: ids ↔ points, fresh encryptions
    shuffle   shuffle / verify_shuffle, verify_chain (many links at once), shuffle_output (not verified)
    layers    give_shares / verify_shares, peel, look (own card), open_card
    hands     hide / verify_hide, pass_card / verify_pass, hand_over / verify_hand_over,
              prove_cannot / verify_cannot
    rebuild   mark / verify_mark, mark_rows, is_held

Every `verify_…` raises DecodeError or ProofError, whatever bytes it is given, and that is its sender's fault; every
prover raises WitnessError if it is asked to prove what is not so. `context` says where and when something is said
(table, epoch, step, seat, purpose): a proof holds nowhere else.
"""

from p2p.crypto.cannot import Clause
from p2p.crypto.elgamal import Ciphertext
from p2p.crypto.errors import CryptoError, DecodeError, ProofError, WitnessError
from p2p.crypto.faces import Deck
from p2p.crypto.group import Point
from p2p.crypto.hands import (
    hand_over,
    hide,
    pass_card,
    prove_cannot,
    verify_cannot,
    verify_hand_over,
    verify_hide,
    verify_pass,
)
from p2p.crypto.layers import give_shares, look, open_card, peel, verify_shares
from p2p.crypto.merged_sum import Executor
from p2p.crypto.rebuild import is_held, mark, mark_rows, verify_mark
from p2p.crypto.seat_keys import SecretKey, joint_key, new_key, prove_key, verify_key
from p2p.crypto.shuffle_message import LinkError
from p2p.crypto.shuffle_proof import Row, Rows
from p2p.crypto.shuffling import Link, as_rows, column, shuffle, shuffle_output, verify_chain, verify_shuffle

__all__ = [
    "Ciphertext",
    "Clause",
    "CryptoError",
    "Deck",
    "DecodeError",
    "Executor",
    "Link",
    "LinkError",
    "Point",
    "ProofError",
    "Row",
    "Rows",
    "SecretKey",
    "WitnessError",
    "as_rows",
    "column",
    "give_shares",
    "hand_over",
    "hide",
    "is_held",
    "joint_key",
    "look",
    "mark",
    "mark_rows",
    "new_key",
    "open_card",
    "pass_card",
    "peel",
    "prove_cannot",
    "prove_key",
    "shuffle",
    "shuffle_output",
    "verify_cannot",
    "verify_chain",
    "verify_hand_over",
    "verify_hide",
    "verify_key",
    "verify_mark",
    "verify_pass",
    "verify_shares",
    "verify_shuffle",
]
