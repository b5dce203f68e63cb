"""Attacks that must come to nothing: nobody is to blame whom a signature does not show to be, and the game goes on.

`rule` is None for all of them. Those who stop taking part are given up as lost after the grace time, as a machine that
was switched off would be.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from p2p.ballot import cut_step, have_step, mask_of
from p2p.crypto.rng import Hedge
from p2p.net.cheats.base import Cheat, Meddler
from p2p.states import Stage
from p2p.table import Packet
from p2p.wire import MAX_ENTRY, Body, Confirm, Cut, Have, Want, encode_entry_packet

SEVERAL = 40  # packets of one kind: enough to meet every state of the table, few enough to simulate quickly


class Nuisance(Meddler):
    """Sends things besides playing honestly."""

    rule = None
    most: ClassVar[int] = SEVERAL
    sent: int = 0

    def meddle(self) -> bool:
        if self.sent < self.most:
            for packet in self.nuisance():
                self._packets.append(packet)
                self.sent += 1
        return self.sent >= self.most

    @abstractmethod
    def nuisance(self) -> Iterator[Packet]:
        """What it sends now."""


class Forger(Nuisance):
    name = "forger"
    what = "signs messages in other seats' names, with its own key and with none at all"

    def nuisance(self) -> Iterator[Packet]:
        for seat in self.others:
            forged = self.signed(Confirm(), seat)
            yield Packet(encode_entry_packet(forged))
            yield Packet(encode_entry_packet(replace(forged, signature=bytes(64))))
            said = self._replica.entries.get(seat)
            if said is not None:  # the same message with a signature that does not fit
                yield Packet(encode_entry_packet(replace(said, signature=bytes(64))))


class Replayer(Nuisance):
    name = "replayer"
    what = "sends everybody's old messages again, in any order"

    def nuisance(self) -> Iterator[Packet]:
        old = [entry for closed in self.log.steps for entry in closed.entries]
        for entry in (*old[-3:], *old[:2]):
            yield Packet(encode_entry_packet(entry))


class Babbler(Nuisance):
    name = "babbler"
    what = "sends bytes that are no message, messages cut short, too long, for other tables, by an older protocol"

    def nuisance(self) -> Iterator[Packet]:
        chance = Hedge(b"babble", secret=b"", witness=b"", statement=b"", entropy=self.entropy())
        yield Packet(chance.bytes(chance.below(300)))
        genuine = encode_entry_packet(self.signed(Confirm()))
        yield Packet(genuine[: chance.below(len(genuine))])
        yield Packet(genuine[:1] + b"\0" + genuine[2:])  # protocol 0
        yield Packet(genuine[:2] + bytes(32) + genuine[34:])  # no such table
        yield Packet(b"")
        if self.sent < 10:
            yield Packet(b"E" + bytes(MAX_ENTRY + 1))


class Flooder(Nuisance):
    name = "flooder"
    what = "asks for the whole log again and again, to make the others shout"

    def nuisance(self) -> Iterator[Packet]:
        for have in range(4):
            yield Packet(Want(self.proposal.table, 0, 0, have).encode())


class Coup(Meddler):
    name = "coup"
    what = "declares all others gone, alone, and signs what it says they all agree on"
    rule = None

    def meddle(self) -> bool:
        if self.need is None or self.stage is not Stage.SHARE:
            return False
        replica = self._replica
        have = Have(0, mask_of(self.others), replica.number, (), ())
        entry = self.signed(have, step=have_step(0))
        self._ballot.add(entry, have)
        (agreement,) = self._ballot.agreements(self.active)
        cut = Cut(0, agreement.votes, agreement.digest(replica.epoch, self.here.previous))
        self.say(entry)
        self.say(self.signed(cut, step=cut_step(0)))
        self._mute = True
        return True


class Silent(Cheat):
    name = "silent"
    what = "stays connected and says nothing more when it is its turn to shuffle"
    rule = None
    stages = frozenset({Stage.LINK})

    def lie(self, truth: Body) -> Body | None:
        return None

    def _machine_speaks(self) -> bool:
        if self.may_lie and super()._machine_speaks():
            self.lied = self._mute = True
        return super()._machine_speaks()


class OtherPast(Silent):
    name = "other-past"
    what = "stands on a past that nobody else knows, and says no more"

    def _machine_speaks(self) -> bool:
        if self.may_lie and super(Silent, self)._machine_speaks():
            self.say(self.signed(self._body(None), previous=b"\x01" * 32))
        return super()._machine_speaks()


CHEATS: tuple[type[Cheat], ...] = (Forger, Replayer, Babbler, Flooder, Coup, Silent, OtherPast)
