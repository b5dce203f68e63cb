"""Attacks that have worked on systems like this one, each as the cheat would do it. None works here.

Where an attack exploits a missing check, the test first shows that the attack *would* work without it.
"""

from __future__ import annotations

import pytest
from proof_cases import ALICE, BOB, CAROL, CONTEXT, ENTROPY, Case, cases, encrypted, hand, words

from p2p.crypto import bits, keys, membership, rekey, shares, sigma
from p2p.crypto.card_points import ID_BASE, MAX_ATTRIBUTES, CardFace, attribute_base, attribute_point, card_point
from p2p.crypto.elgamal import Ciphertext, decrypt, encode_all, encrypt, reencrypt, trivial
from p2p.crypto.errors import DecodeError, ProofError, WitnessError
from p2p.crypto.group import ONE, G, Point, Q, Scalar, base_mul, generators, hash_to_group, multi_mul
from p2p.crypto.rng import Hedge
from p2p.crypto.transcript import Transcript

JOINT = ALICE.public + BOB.public
CARDS = list(generators(b"tests/cards", 4))
cheat = Hedge(b"cheat", secret=b"", witness=b"", statement=b"", entropy=ENTROPY)


# --- keys ----------------------------------------------------------------------------------------------------------


def test_rogue_key() -> None:
    """A key chosen as z·G minus everyone else's would make the joint key the cheat's own; it has no proof."""
    z = cheat.scalar()
    rogue = base_mul(z) - ALICE.public
    everyone = ALICE.public + rogue
    card = encrypt(CARDS[0], everyone, cheat.scalar())
    assert decrypt(card, z) == CARDS[0]  # the attack: the cheat alone reads what is under the joint key
    with pytest.raises(WitnessError):
        keys.prove(keys.Statement(rogue), keys.Witness(z), context=CONTEXT, entropy=ENTROPY)
    honest = keys.prove(keys.Statement(ALICE.public), keys.Witness(ALICE.secret), context=CONTEXT, entropy=ENTROPY)
    own = keys.prove(keys.Statement(base_mul(z)), keys.Witness(z), context=CONTEXT, entropy=ENTROPY)
    difference = b"".join(
        (Scalar.decode(a) - Scalar.decode(b)).encode() for a, b in zip(words(own), words(honest), strict=True)
    )
    for proof in (honest, own, difference):
        with pytest.raises(ProofError):
            keys.check(keys.Statement(rogue), proof, context=CONTEXT)


def test_another_players_key_taken_as_ones_own() -> None:
    """Whoever registers another's key with the other's proof is caught by the context: it names the seat."""
    proof = keys.prove(keys.Statement(ALICE.public), keys.Witness(ALICE.secret), context=b"seat 0", entropy=ENTROPY)
    keys.check(keys.Statement(ALICE.public), proof, context=b"seat 0")
    with pytest.raises(ProofError):
        keys.check(keys.Statement(ALICE.public), proof, context=b"seat 1")


def test_key_swap_to_swap_hands() -> None:
    """Two players exchange secrets: what each then sends does not verify under the key its seat registered."""
    _, ciphertexts = hand((3,), (4,))
    given = shares.give(ciphertexts, secret=BOB.secret, context=CONTEXT, entropy=ENTROPY)
    with pytest.raises(ProofError):
        shares.verify(ciphertexts, given, public=ALICE.public, context=CONTEXT)
    moved = rekey.rekey(ciphertexts, secret=BOB.secret, target=CAROL.public, context=CONTEXT, entropy=ENTROPY)
    with pytest.raises(ProofError):
        rekey.verify(ciphertexts, moved, public=ALICE.public, target=CAROL.public, context=CONTEXT)


# --- Fiat–Shamir ---------------------------------------------------------------------------------------------------


def test_weak_fiat_shamir_statement_chosen_after_the_challenge() -> None:
    """If the challenge hashed only the announcement, a key could be computed to fit a proof made up beforehand."""
    announcement, answer = base_mul(cheat.scalar()), cheat.scalar()
    weak = Transcript(b"key", CONTEXT)
    weak.append_points(b"announcement", [announcement])
    challenge = weak.challenge(b"challenge")
    public = challenge.inverse() * (base_mul(answer) - announcement)
    assert base_mul(answer) - challenge * public == announcement  # the verifier's equation holds
    with pytest.raises(ProofError):
        keys.check(keys.Statement(public), challenge.encode() + answer.encode(), context=CONTEXT)


def test_weak_fiat_shamir_weights_known_before_the_shares() -> None:
    """If the weights of a batch did not depend on the shares, two false shares could cancel each other."""
    ciphertexts, _ = encrypted(CARDS[:3], JOINT)
    honest = tuple(ALICE.secret * card.a for card in ciphertexts)
    statement = shares.Statement(ALICE.public, ciphertexts, honest)
    transcript, _ = shares._begin(statement, CONTEXT)
    replayed = Transcript(shares.PROTOCOL, CONTEXT)
    replayed.append_points(b"ciphertexts", [point for card in ciphertexts for point in (card.a, card.b)])
    replayed.append_point(b"public", ALICE.public)
    replayed.append_points(b"bases", [card.a for card in ciphertexts])
    replayed.append_points(b"images", honest)
    weights = sigma.weights(replayed, 3)
    assert replayed.state() == transcript.state()  # so these are the weights of the honest shares

    error = CARDS[3]
    false = (honest[0] + weights[1] * error, honest[1] - weights[0] * error, honest[2])
    assert multi_mul(weights, false) == multi_mul(weights, honest)  # under those weights nobody would notice
    honest_proof = shares.prove(statement, shares.Witness(ALICE.secret), context=CONTEXT, entropy=ENTROPY)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sigma, "holds", lambda relation, witness: True)
        false_statement = shares.Statement(ALICE.public, ciphertexts, false)
        own_proof = shares.prove(false_statement, shares.Witness(ALICE.secret), context=CONTEXT, entropy=ENTROPY)
    for proof in (honest_proof, own_proof):
        message = b"".join(share.encode() for share in false) + proof
        with pytest.raises(ProofError):
            shares.verify(ciphertexts, message, public=ALICE.public, context=CONTEXT)


def test_two_halves_of_a_batch_do_not_cancel_in_a_rekey() -> None:
    """The same with cards: adding a card to one ciphertext and taking it from another is noticed."""
    before, _ = encrypted(CARDS[:2], ALICE.public)
    after, randomness = encrypted(CARDS[:2], BOB.public)
    swapped = (Ciphertext(after[0].a, after[0].b + G), Ciphertext(after[1].a, after[1].b - G))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sigma, "holds", lambda relation, witness: True)
        statement = rekey.Statement(ALICE.public, BOB.public, before, swapped)
        proof = rekey.prove(statement, rekey.Witness(ALICE.secret, randomness), context=CONTEXT, entropy=ENTROPY)
    with pytest.raises(ProofError):
        rekey.check(statement, proof, context=CONTEXT)


def test_grindable_challenge() -> None:
    """A proof whose challenge agrees with the hash in all but a few bits is rejected like any other."""
    statement = keys.Statement(ALICE.public)
    proof = keys.prove(statement, keys.Witness(ALICE.secret), context=CONTEXT, entropy=ENTROPY)
    challenge, answer = (Scalar.decode(word) for word in words(proof))
    for bit in range(252):
        near = Scalar(int(challenge) ^ 1 << bit)
        fitting = answer + (near - challenge) * ALICE.secret  # the answer that belongs to it
        with pytest.raises(ProofError):
            keys.check(statement, near.encode() + fitting.encode(), context=CONTEXT)


# --- nonces --------------------------------------------------------------------------------------------------------


def extracted(one: bytes, other: bytes) -> Scalar:
    """The secret behind two Schnorr proofs, if they used one nonce."""
    (c, z), (d, y) = ([Scalar.decode(word) for word in words(proof)] for proof in (one, other))
    return (z - y) * (c - d).inverse()


def test_nonce_reuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """One nonce under two challenges gives the key away. With a stuck entropy source it still never happens."""
    statement, witness = keys.Statement(ALICE.public), keys.Witness(ALICE.secret)

    def prove(context: bytes) -> bytes:
        return keys.prove(statement, witness, context=context, entropy=bytes(32))

    assert extracted(prove(b"one"), prove(b"two")) != ALICE.secret
    assert prove(b"one") == prove(b"one")
    monkeypatch.setattr(Hedge, "scalars", lambda self, count: [Scalar(42)] * count)
    assert extracted(prove(b"one"), prove(b"two")) == ALICE.secret  # what the hedge prevents


def test_nonce_reuse_across_witnesses_and_batches() -> None:
    """Equal entropy, context and key, but one card more or another: again all numbers differ."""
    ciphertexts, _ = encrypted(CARDS, JOINT)
    drawn: list[bytes] = []
    for batch in (ciphertexts[:1], ciphertexts[:2], ciphertexts[1:2], ciphertexts[::-1], ciphertexts):
        message = shares.give(batch, secret=ALICE.secret, context=CONTEXT, entropy=bytes(32))
        drawn += words(message)[len(batch) :]
    assert len(set(drawn)) == len(drawn)


# --- points and numbers at the border ------------------------------------------------------------------------------

BAD_POINTS = {
    "the identity": bytes(32),
    "a non-canonical field element": b"\xed" + b"\xff" * 30 + b"\x7f",
    "a negative field element": b"\x01" + bytes(31),
    "a field element with the high bit": G.encode()[:31] + bytes([G.encode()[31] | 0x80]),
    "no point at all": bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"),
}


@pytest.mark.parametrize("bad", BAD_POINTS.values(), ids=BAD_POINTS.keys())
def test_identity_and_non_canonical_points(bad: bytes) -> None:
    """In every place of every message where a point stands: malformed, before anything is computed with it."""
    ciphertexts, _ = encrypted(CARDS[:2], ALICE.public)
    member = next(case for case in cases() if case.name == "cannot-first-clause")

    def verify_shares(message: bytes) -> object:
        return shares.verify(ciphertexts, message, public=ALICE.public, context=CONTEXT)

    def verify_rekey(message: bytes) -> object:
        return rekey.verify(ciphertexts, message, public=ALICE.public, target=BOB.public, context=CONTEXT)

    messages = [
        (shares.give(ciphertexts, secret=ALICE.secret, context=CONTEXT, entropy=ENTROPY), 2, verify_shares),
        (
            rekey.rekey(ciphertexts, secret=ALICE.secret, target=BOB.public, context=CONTEXT, entropy=ENTROPY),
            4,
            verify_rekey,
        ),
        (member.prove(), member.points, member.check),
        (ciphertexts[0].encode(), 2, Ciphertext.decode),
    ]
    for message, points, verify in messages:
        verify(message)
        for at in range(0, 32 * points, 32):
            with pytest.raises(DecodeError):
                verify(message[:at] + bad + message[at + 32 :])


@pytest.mark.parametrize("case", cases(), ids=str)
def test_scalars_from_the_order_upwards(case: Case) -> None:
    """s + q means the same number and is another encoding: refused, so that no proof has a twin."""
    message = case.prove()
    for at in range(32 * case.points, len(message), 32):
        number = int.from_bytes(message[at : at + 32], "little") + Q
        with pytest.raises(DecodeError):
            case.check(message[:at] + number.to_bytes(32, "little") + message[at + 32 :])


# --- shares and cards ----------------------------------------------------------------------------------------------


def test_a_share_that_is_not_x_times_a() -> None:
    """A false share would turn one card into another. It is caught alone, in a batch, and against any other share."""
    ciphertexts, _ = encrypted(CARDS, JOINT)
    message = shares.give(ciphertexts, secret=ALICE.secret, context=CONTEXT, entropy=ENTROPY)
    honest = shares.verify(ciphertexts, message, public=ALICE.public, context=CONTEXT)
    wish = honest[0] + CARDS[0] - CARDS[1]  # with this share card 0 would open as card 1
    opened = ciphertexts[0].without(wish).without(BOB.secret * ciphertexts[0].a).b
    assert opened == CARDS[1]
    for place, false in ((0, wish), (0, honest[1]), (1, honest[0]), (3, BOB.secret * ciphertexts[3].a), (2, G)):
        at = 32 * place
        with pytest.raises(ProofError):
            shares.verify(
                ciphertexts,
                message[:at] + false.encode() + message[at + 32 :],
                public=ALICE.public,
                context=CONTEXT,
            )


def test_a_share_for_another_card() -> None:
    """Shares proven for one list of cards are none for the list in another order or with another card in it."""
    ciphertexts, _ = encrypted(CARDS, JOINT)
    message = shares.give(ciphertexts[:3], secret=ALICE.secret, context=CONTEXT, entropy=ENTROPY)
    for other in (ciphertexts[1:], ciphertexts[2::-1], (*ciphertexts[:2], ciphertexts[3])):
        with pytest.raises(ProofError):
            shares.verify(other, message, public=ALICE.public, context=CONTEXT)


def test_a_cards_ciphertext_copied_from_another_slot() -> None:
    """Handing on somebody else's ciphertext, fresh or re-encrypted, needs randomness that only its maker knows."""
    mine, _ = encrypted(CARDS[:1], ALICE.public)
    foreign, _ = encrypted(CARDS[1:2], BOB.public)
    extra = cheat.scalar()
    for copied in (foreign[0], reencrypt(foreign[0], BOB.public, extra)):
        statement = rekey.Statement(ALICE.public, BOB.public, mine, (copied,))
        witness = rekey.Witness(ALICE.secret, (extra,))
        with pytest.raises(WitnessError):
            rekey.prove(statement, witness, context=CONTEXT, entropy=ENTROPY)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(sigma, "holds", lambda relation, witness: True)
            proof = rekey.prove(statement, witness, context=CONTEXT, entropy=ENTROPY)
        with pytest.raises(ProofError):
            rekey.check(statement, proof, context=CONTEXT)


def test_a_passed_card_replaced_by_another() -> None:
    """Passing a card one does not hold: the new ciphertext must hold what the committed one held."""
    mine, _ = encrypted(CARDS[:2], ALICE.public)
    message = rekey.rekey(mine[1:], secret=ALICE.secret, target=BOB.public, context=CONTEXT, entropy=ENTROPY)
    rekey.verify(mine[1:], message, public=ALICE.public, target=BOB.public, context=CONTEXT)
    with pytest.raises(ProofError):
        rekey.verify(mine[:1], message, public=ALICE.public, target=BOB.public, context=CONTEXT)


def test_a_pass_sent_on_to_somebody_else() -> None:
    """A re-keyed card belongs to the receiver it was made for; relaying it with another target fails."""
    mine, _ = encrypted(CARDS[:1], ALICE.public)
    message = rekey.rekey(mine, secret=ALICE.secret, target=BOB.public, context=CONTEXT, entropy=ENTROPY)
    (received,) = rekey.verify(mine, message, public=ALICE.public, target=BOB.public, context=CONTEXT)
    assert decrypt(received, BOB.secret) == CARDS[0]
    with pytest.raises(ProofError):
        rekey.verify(mine, message, public=ALICE.public, target=CAROL.public, context=CONTEXT)


# --- bits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [2, -1, 3, 10**6])
def test_a_bit_that_is_neither_0_nor_1(value: int) -> None:
    """A mark of 2, or of -1 to cancel another's, has no proof whichever branch the cheat pretends."""
    key, r = JOINT, cheat.scalar()
    marked = encrypt(Scalar(value) * bits.BIT, key, r)
    statement = bits.Statement(key, (marked,))
    for pretended in (0, 1):
        with pytest.raises(WitnessError):
            bits.prove(statement, bits.Witness((pretended,), (r,)), context=CONTEXT, entropy=ENTROPY)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(sigma, "holds", lambda relation, witness: True)
            proof = bits.prove(statement, bits.Witness((pretended,), (r,)), context=CONTEXT, entropy=ENTROPY)
        with pytest.raises(ProofError):
            bits.check(statement, proof, context=CONTEXT)


# --- what card points could give away ------------------------------------------------------------------------------


def test_trapdoored_generators() -> None:
    """Every base comes from hashing a public label: no two are equal, and none is a small multiple of another."""
    bases = {
        "G": G,
        "id": ID_BASE,
        "bit": bits.BIT,
        **{f"attribute {index}": attribute_base(index) for index in range(MAX_ATTRIBUTES)},
    }
    assert hash_to_group(b"card/id") == ID_BASE
    assert hash_to_group(b"bit") == bits.BIT
    assert all(attribute_base(i) == hash_to_group(f"card/attribute/{i}".encode()) for i in range(MAX_ATTRIBUTES))
    multiples: dict[Point, str] = {}
    for name, base in bases.items():
        point = base
        for factor in range(1, 200):
            for signed in (point, -point):
                assert signed not in multiples, f"{factor}·{name} = ±{multiples.get(signed)}"
            multiples[point] = f"{factor}·{name}"
            point += base


def test_tags_of_linearly_related_cards() -> None:
    """Card points are related (6 of one suit minus 5 of it is one base), so a published function of a card point would
    betray them. The commitments of a membership proof satisfy no such relation, and never repeat."""
    five, six, seven = (card_point(CardFace(1, (value,))) for value in (5, 6, 7))
    assert six - five == seven - six == attribute_base(0)  # what an unblinded tag would show
    faces, ciphertexts = hand((5,), (6,), (7,))
    statement = membership.Statement(ALICE.public, ciphertexts, 0, 1, (((5, 6, 7),) * 3,))
    seen: set[bytes] = set()
    for run in range(5):
        message = membership.prove(
            statement, membership.Witness(ALICE.secret, faces), context=CONTEXT, entropy=run.to_bytes(32, "big")
        )
        points = [Point.decode(word) for word in words(message)[:3]]
        differences = {points[1] - points[0], points[2] - points[1]}
        assert len(differences) == 2
        assert attribute_base(0) not in differences
        unblinded = {attribute_point(0, v) for v in (5, 6, 7)} | {card_point(face) for face in faces}
        assert not unblinded & set(points)
        assert not seen & set(words(message))
        seen.update(words(message))


def test_a_rekeyed_card_shows_no_trace_of_the_old_one() -> None:
    """Old and new ciphertext share no part, and re-keying the same card twice gives unrelated ciphertexts."""
    mine, _ = encrypted(CARDS[:1], ALICE.public)
    out = [
        rekey.rekey(mine, secret=ALICE.secret, target=BOB.public, context=CONTEXT, entropy=run.to_bytes(32, "big"))
        for run in range(4)
    ]
    everything = [word for message in out for word in words(message)] + words(encode_all(mine))
    assert len(set(everything)) == len(everything)


def test_trivial_ciphertexts_are_no_back_door() -> None:
    """A trivially encrypted card is readable by all, by design; a share of it is still proven like any other."""
    card = trivial(CARDS[0], JOINT)
    assert card == encrypt(CARDS[0], JOINT, ONE)
    message = shares.give((card,), secret=ALICE.secret, context=CONTEXT, entropy=ENTROPY)
    (share,) = shares.verify((card,), message, public=ALICE.public, context=CONTEXT)
    assert share == ALICE.public
    with pytest.raises(ProofError):
        shares.verify((card,), BOB.public.encode() + message[32:], public=ALICE.public, context=CONTEXT)
