"""Needs `Draw` and `Open`: everyone takes its layer off the places; the drawer keeps its own on, so only it can look.

Law: each seat shares exactly the places that are not drawn to itself, in the need's order, with one proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import CardId, Seat, Slot
from engine.game import Draw, Drawn, Fact, Move, Open, Opened
from p2p.crypto import deck as crypto
from p2p.errors import Rule
from p2p.felt import Context
from p2p.me import Me
from p2p.states import Stage
from p2p.steps.base import CardStep, Ground, Step, require
from p2p.wire import Share


class ShareStep(CardStep[Share]):
    """`owners`: (place, who keeps its layer on it, or None if it is opened to all)."""

    stage = Stage.SHARE
    rule = Rule.BAD_SHARE

    def __init__(self, ground: Ground, owners: tuple[tuple[Slot, Seat | None], ...]) -> None:
        super().__init__(ground, ground.felt.active)
        self.owners = owners

    def _shared_by(self, seat: Seat) -> tuple[Slot, ...]:
        return tuple(slot for slot, owner in self.owners if owner != seat)

    def speak(self, me: Me, context: Context, move: Move | None) -> Share:
        cards = self.ground.felt.at(self._shared_by(me.seat))
        if not cards:
            return Share(b"")
        message = crypto.give_shares(me.secret, cards, context.of(me.seat, "share"), me.entropy(context, "share"))
        return Share(message)

    def check(self, seat: Seat, body: Share, context: Context, mine: bool) -> dict[Slot, crypto.Point]:
        felt = self.ground.felt
        places = self._shared_by(seat)
        if not places:
            require(not body.message, Rule.BAD_SHARE, "nothing to share")
            return {}
        points = crypto.verify_shares(felt.publics[seat], felt.at(places), body.message, context.of(seat, "share"))
        return dict(zip(places, points, strict=True))

    def close(self, said: Mapping[Seat, Any]) -> Step[Any] | Fact:
        felt = self.ground.felt
        need = self.ground.need
        peeled = {
            slot: crypto.peel(felt.cards[slot], [said[seat][slot] for seat in self.authors if seat != owner])
            for slot, owner in self.owners
        }
        if isinstance(need, Draw):
            felt.cards.update(peeled)
            return Drawn(seats=tuple(sorted(seat for seat, _ in need.hands)))
        places = [slot for slot, _ in self.owners]
        faces = tuple(CardId(felt.deck.identify(peeled[slot].b)) for slot in places)
        felt.clear(places)
        return Opened(cards=faces)


def begin(ground: Ground, need: Draw) -> Step[Any] | Fact:
    owners = tuple((slot, seat) for seat, slots in need.hands for slot in slots)
    if not owners:
        return Drawn(seats=tuple(sorted(seat for seat, _ in need.hands)))
    return ShareStep(ground, owners)


def begin_open(ground: Ground, need: Open) -> Step[Any] | Fact:
    if not need.places:
        return Opened()
    return ShareStep(ground, tuple((slot, None) for slot in need.places))
