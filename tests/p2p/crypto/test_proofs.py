"""Every proof: the honest one is accepted; change anything about it, and it is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from proof_cases import (
    ALICE,
    BOB,
    CONTEXT,
    ENTROPY,
    Case,
    cases,
    hand,
    same_statement,
    statement_mutations,
    word_mutations,
    words,
)

from p2p.crypto import equal_logs, rekey, sigma
from p2p.crypto.errors import DecodeError, ProofError, WitnessError
from p2p.crypto.transcript import tracing

REJECTED = (DecodeError, ProofError)


def accepted(case: Case, statement: object, message: bytes, context: bytes = CONTEXT) -> bool:
    """False for both kinds of rejection; anything else that is raised fails the test."""
    try:
        case.checker(statement, message, context=context)
    except REJECTED:
        return False
    return True


ALL = pytest.mark.parametrize("case", cases(), ids=str)


@ALL
def test_an_honest_proof_is_accepted(case: Case) -> None:
    """With any entropy, and also for batches of none and of one."""
    for entropy in (ENTROPY, bytes(32), b"x" * 77):
        case.check(case.prove(entropy=entropy))


@ALL
def test_every_changed_word_of_a_proof_is_rejected(case: Case) -> None:
    """Each scalar and each point, changed in each of several ways, swapped with its neighbour, or repeated."""
    message = case.prove()
    for what, changed in word_mutations(message, case.points):
        assert not accepted(case, case.statement, changed), what


@given(st.data())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_change_of_any_bytes_is_rejected(data: st.DataObject) -> None:
    """A few bytes overwritten anywhere in any message."""
    case = data.draw(st.sampled_from(cases()))
    message = bytearray(case.prove())
    at = data.draw(st.integers(0, len(message) - 1))
    piece = data.draw(st.binary(min_size=1, max_size=40))[: len(message) - at]
    changed = bytes(message[:at]) + piece + bytes(message[at + len(piece) :])
    assert accepted(case, case.statement, changed) == (changed == message)


@ALL
def test_the_proof_of_another_statement_is_rejected(case: Case) -> None:
    """Each key, ciphertext, point, set and number of the statement, changed in turn."""
    message = case.prove()
    for what, statement in statement_mutations(case.statement):
        if not same_statement(statement, case.statement):
            assert not accepted(case, statement, message), what


@ALL
@pytest.mark.parametrize("context", [b"", CONTEXT[:-1], CONTEXT + b"0", b"table 8, step 3, seat 1"])
def test_the_proof_for_another_table_step_or_seat_is_rejected(case: Case, context: bytes) -> None:
    """Whatever differs about the context, and in whichever direction."""
    with pytest.raises(ProofError):
        case.check(case.prove(), context)
    with pytest.raises(ProofError):
        case.check(case.prove(context), CONTEXT)


@ALL
def test_every_length_but_one_is_malformed(case: Case) -> None:
    """Cut anywhere or extended, it is a DecodeError: a proof has exactly one size and one encoding."""
    message = case.prove()
    for size in range(len(message)):
        if size % 32 in (0, 1, 31):
            with pytest.raises(DecodeError):
                case.check(message[:size])
    for extra in (b"\0", bytes(32), message[-32:], message):
        with pytest.raises(DecodeError):
            case.check(message + extra)


@ALL
def test_a_wrong_witness_is_refused(case: Case) -> None:
    """The prover notices, and proves nothing."""
    for witness in case.wrong:
        with pytest.raises(WitnessError):
            case.prover(case.statement, witness, context=CONTEXT, entropy=ENTROPY)


@ALL
def test_a_prover_who_does_not_check_convinces_nobody(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cheat whose own program lets false witnesses through gets bytes that everybody rejects."""
    monkeypatch.setattr(sigma, "holds", lambda relation, witness: True)
    for witness in case.wrong:
        try:
            message = case.prover(case.statement, witness, context=CONTEXT, entropy=ENTROPY)
        except WitnessError:  # of the wrong shape: there is nothing to compute with
            continue
        assert not accepted(case, case.statement, message)


def heard(case: Case, statement: object, message: bytes, context: bytes = CONTEXT) -> list[str]:
    """What the verifier's transcript hears before the announcement."""
    with tracing() as lines:
        accepted(case, statement, message, context)
    ends = [index for index, line in enumerate(lines) if line.split()[:2] == ["append", "announcement"]]
    return lines[: ends[0]] if ends else lines


@ALL
def test_the_transcript_changes_with_every_field_of_the_statement(case: Case) -> None:
    """Strong Fiat–Shamir: what is proven is hashed, all of it, before the prover's announcement."""
    message = case.prove()
    before = heard(case, case.statement, message)
    for what, statement in statement_mutations(case.statement):
        if not same_statement(statement, case.statement):
            assert heard(case, statement, message) != before, what
    assert heard(case, case.statement, message, b"another context") != before


@ALL
def test_the_challenge_changes_with_every_field_of_the_proof(case: Case) -> None:
    """Whatever else of the message changes, the verifier computes another challenge (or does not even read it)."""

    def challenge(message: bytes) -> str:
        with tracing() as lines:
            try:
                case.check(message)
            except DecodeError:
                return "unread"
            except ProofError:
                pass
        return lines[-1]

    message = case.prove()
    honest = challenge(message)
    for what, changed in word_mutations(message, case.points):
        claimed = 32 * case.points  # the challenge as the message claims it is the only word that may stand alone
        if changed[claimed : claimed + 32] == message[claimed : claimed + 32]:
            assert challenge(changed) != honest, what


@ALL
def test_proofs_of_equal_entropy_share_no_number(case: Case) -> None:
    """With a broken entropy source, a proof for another context still uses fresh nonces throughout."""
    one, other = words(case.prove(b"one")), words(case.prove(b"other"))
    assert not set(one) & set(other)
    assert case.prove(b"one") == b"".join(one)  # and the same proof is the same bytes: nothing to compare it with


@ALL
def test_fresh_entropy_gives_a_fresh_proof(case: Case) -> None:
    """Two proofs of one statement cannot be recognised by any common part."""
    assert not set(words(case.prove(entropy=bytes(32)))) & set(words(case.prove(entropy=b"1" * 32)))


@ALL
def test_too_little_entropy_is_refused(case: Case) -> None:
    """A proof is never made from less than 32 bytes."""
    with pytest.raises(ValueError, match="entropy"):
        case.prove(entropy=bytes(31))


@ALL
def test_no_witness_shows_its_numbers(case: Case) -> None:
    """repr of witnesses holds no secret."""
    shown = repr(case.witness)
    assert re.search(r"[0-9]{20}", shown) is None
    assert "CardFace" not in shown
    assert "bits=" not in shown


def test_statements_of_unequal_lists_are_refused() -> None:
    """An image without a base, a new ciphertext without an old one: a slip of the caller, found at once."""
    with pytest.raises(ValueError, match="one image"):
        equal_logs.Statement(ALICE.public, (ALICE.public,), ())
    _, cards = hand((1,), (2,))
    with pytest.raises(ValueError, match="re-keyed to one"):
        rekey.Statement(ALICE.public, BOB.public, cards, cards[:1])
