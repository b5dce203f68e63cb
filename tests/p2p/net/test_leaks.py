"""The leak check finds what it looks for.

Each test lets one honest-looking seat leak in one way that every proof of the protocol accepts, and the check names the
seat and the way. Without a leak it finds none, though it could see every card.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.bots import random_bot
from engine.cards import Seat, Slot
from engine.game import Game
from engine.shelf import FOLDERS, find
from p2p.commit_reveal import Opening, commit
from p2p.crypto import deck as crypto
from p2p.crypto import elgamal, hands, rekey, shuffle_message, shuffle_proof
from p2p.crypto.group import ZERO, Scalar
from p2p.crypto.rng import Hedge
from p2p.felt import Context
from p2p.log import read_log
from p2p.me import Me
from p2p.net.leaks import Guesses, Leak, LeakCheck
from p2p.net.memory import Network
from p2p.net.remembered import remembered
from p2p.net.soak import Simulation, simulate
from p2p.states import Life
from p2p.steps.choose import CommitStep
from p2p.steps.pass_ import GiveStep
from p2p.wire import Commit, Entry, Give, Nonce, encode_body


def play(game: Game[Any], players: int, seed: int = 1) -> Simulation:
    """A whole game that every seat accepted to the end."""
    chance = Random(seed)
    table = simulate(game, players, chance, [random_bot(game, chance)] * players)
    with remembered():
        Network(table.hosts, chance).run(stop=lambda: all(host.table.life is Life.OVER for host in table.hosts))
    assert all(host.table.life is Life.OVER for host in table.hosts)
    return table


def check(game: Game[Any], table: Simulation, sent: Any = ()) -> tuple[LeakCheck, list[Leak]]:
    check = LeakCheck(table.proposal, game, table.seeds)
    with remembered():
        leaks = check.replay(read_log(table.hosts[0].table.save()), sent)
    assert check.table.result == table.hosts[0].table.result
    return check, leaks


def seat_of(table: Simulation, secret: Me) -> Seat:
    return next(host.table.seat for host in table.hosts if host.table._me is secret)  # type: ignore[return-value]


WIN, SANS = find("2win"), find("2sans3")
LADDER = find("ladder", (*FOLDERS, str(Path(__file__).parents[2] / "games")))


@pytest.mark.parametrize(
    ("game", "players"), [(WIN, 3), (LADDER, 3), (SANS, 2)], ids=["2win-3", "ladder-3", "2sans3-2"]
)
def test_an_honest_game_leaks_nothing_and_the_attack_would_open_every_card(game: Game[Any], players: int) -> None:
    """No leak, though each hidden card was tracked: the truth behind every ciphertext that ever lay there was found."""
    check_, leaks = check(game, play(game, players))
    assert leaks == []
    assert None not in check_._faces.values()
    tracked = {sight.face for target in check_._targets.values() for sight in target.shares.values()}
    assert tracked == {card.id for card in game.deck}


def test_a_share_of_a_pile_card_hidden_in_a_salt_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat's share for a card of the pile, shown where random bytes belong, gives the card to all others pooled."""
    leaky: list[Me] = []
    honest = CommitStep.speak

    def speak(self: CommitStep, me: Me, context: Context, move: Any) -> Commit:
        body = honest(self, me, context, move)
        if not leaky:
            leaky.append(me)
        if leaky[0] is me:
            felt = self.ground.felt
            top = felt.cards[self.ground.game.face_down(self.ground.state)[0]]
            salted = Opening(me.opening(body.commitment).move, (me.secret.scalar * top.a).encode())
            body = Commit(body.hidden, commit(context.of(me.seat, "choice"), body.hidden, salted))
            me.bind(body.commitment, salted)
        return body

    monkeypatch.setattr(CommitStep, "speak", speak)
    table = play(WIN, 3)
    _, leaks = check(WIN, table)
    assert {(leak.how, leak.seat) for leak in leaks} == {("share", seat_of(table, leaky[0]))}


def test_a_share_sent_but_never_logged_is_found() -> None:
    """What was sent to some and never entered the log counts as published, too."""
    table = play(LADDER, 3)
    host = table.hosts[0]
    assert host.table.seat is not None
    hand = host.table.game.hands(host.table.state)
    victim = next(one for one in table.hosts if one.table.seat is not None and hand[one.table.seat])
    me, felt = victim.table._me, victim.table.felt
    assert me is not None
    assert felt is not None
    card = felt.cards[hand[me.seat][0]]
    _, before = check(LADDER, table)
    share = (me.secret.scalar * card.a).encode()
    stray = victim.table.log.steps[-1].by(me.seat)
    assert stray is not None
    header = replace(stray.header, kind=Nonce.kind)
    sent = Entry(header, header.encode() + encode_body(Nonce(share)), stray.signature)
    _, after = check(LADDER, table, [sent])
    assert before == []
    assert [(leak.how, leak.seat) for leak in after] == [("share", me.seat)]


def test_a_pass_with_public_randomness_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A passed card whose randomness stands in the same message can be read by everyone: its receiver's card leaks."""
    givers: list[Me] = []
    honest_salt = Me.entropy

    def entropy(self: Me, context: Context, purpose: str) -> bytes:
        drawn = honest_salt(self, context, purpose)
        return drawn[:31] + bytes([drawn[31] & 15]) + drawn[32:] if purpose == "salt" else drawn

    def speak(self: GiveStep, me: Me, context: Context, move: Any) -> Give:
        felt = self.ground.felt
        opening = me.opening(felt.bound[me.seat].commitment)
        (slot,) = opening.move.slots
        before, target = felt.bound[me.seat].hand[slot], felt.publics[self.receiver[me.seat]]
        secret, randomness = me.secret.scalar, Scalar.decode(opening.salt)
        after = elgamal.encrypt(elgamal.decrypt(before, secret), target, randomness)
        statement = rekey.Statement(me.secret.public, target, (before,), (after,))
        witness = rekey.Witness(secret, (randomness,))
        where = context.of(me.seat, "pass")
        proof = rekey.prove(statement, witness, context=where, entropy=me.entropy(context, "pass"))
        givers.append(me)
        return Give(slot, opening.salt, after.encode() + proof)

    monkeypatch.setattr(Me, "entropy", entropy)
    monkeypatch.setattr(GiveStep, "speak", speak)
    table = play(WIN, 2)
    _, leaks = check(WIN, table)
    assert len(givers) > 1
    assert {leak.how for leak in leaks} == {"randomness"}
    assert {leak.seat for leak in leaks} == {0, 1}


def lazy_shuffle(inputs: Any, keys: Any, order: Any, transcript: Any, hedge: Any) -> Any:
    """A shuffle that permutes and proves, but does not encrypt anew."""
    outputs = tuple(inputs[old] for old in order)
    fresh = [[ZERO] * len(keys) for _ in order]
    statement = shuffle_proof.Statement(inputs, keys, outputs)
    return outputs, shuffle_proof._prove(statement, order, fresh, transcript, hedge)


def test_a_hide_that_encrypts_nothing_anew_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that are only moved can be followed: the place of a hidden card is known to all."""
    honest = hands._hide

    def lazy_hide(*arguments: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shuffle_message, "shuffle", lazy_shuffle)
            return honest(*arguments)

    monkeypatch.setattr(hands, "_hide", lazy_hide)
    table = play(LADDER, 3)
    _, leaks = check(LADDER, table)
    assert "place" in {leak.how for leak in leaks}


def test_a_shuffle_that_encrypts_nothing_anew_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """One seat's lazy link gives the others the order of the pile, as far as that seat had a part in it."""
    honest = crypto.shuffle
    lazy: list[bytes] = []

    def shuffle(items: Any, key: Any, context: bytes, entropy: bytes) -> bytes:
        if lazy:
            return honest(items, key, context, entropy)
        lazy.append(context)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shuffle_message, "shuffle", lazy_shuffle)
            return honest(items, key, context, entropy)

    monkeypatch.setattr(crypto, "shuffle", shuffle)
    table = play(LADDER, 3)
    _, leaks = check(LADDER, table)
    assert ("place", 0) in {(leak.how, leak.seat) for leak in leaks}
    assert {leak.seat for leak in leaks} == {0}


def test_orders_that_stay_as_they_are_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encrypting anew without moving anything: "it lies where it lay" comes true too often to be chance."""
    monkeypatch.setattr(Hedge, "permutation", lambda self, size: list(range(size)))
    table = play(WIN, 2)
    _, leaks = check(WIN, table)
    assert {(leak.how, leak.seat) for leak in leaks} == {("guess", 0), ("guess", 1)}


def test_a_card_that_lies_under_too_few_layers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A passed card that stays under its giver's key instead of its receiver's is not where it should be."""
    table = play(WIN, 2)
    check_ = LeakCheck(table.proposal, WIN, table.seeds)
    honest = check_._look_around

    def look_around(hidden: Any, cut: bool) -> None:
        felt = check_.table.felt
        places = WIN.hands(check_.table.state)[0] if felt else ()
        if felt and places and places[0] in felt.cards and not check_.leaks:
            card = felt.cards[Slot(places[0])]
            share = check_._targets[Seat(0)].secret * card.a
            felt.cards[places[0]] = card.without(share)  # no layer left
        honest(hidden, cut)

    monkeypatch.setattr(check_, "_look_around", look_around)
    with remembered():
        leaks = check_.replay(read_log(table.hosts[0].table.save()))
    assert ("layers", 0) in {(leak.how, leak.seat) for leak in leaks}


def test_guesses_surprise_only_when_chance_does_not_do_it() -> None:
    """One hit per try is what chance does; ten times that, in many tries, is not."""
    assert not any(Guesses(tries, tries).surprising for tries in range(200))
    assert not Guesses(1, 8).surprising
    assert not Guesses(20, 45).surprising
    assert Guesses(20, 160).surprising
    assert Guesses(1, 108).surprising
