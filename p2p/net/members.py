"""Members of a group tell each other where its other members are, so that one reachable member is enough.

Law: pure. Listens only to peers that share a group with me; knows what a group is, not what it is for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from p2p.net.cards import Card, pack_cards, read_cards
from p2p.net.keys import PeerKey
from p2p.net.peerbook import PeerBook
from p2p.net.presence import Peer

#: A payload for a peer.
Letter: TypeAlias = tuple[PeerKey, bytes]


class Members:
    def __init__(self, book: PeerBook, own: PeerKey, my_card: Callable[[], Card]) -> None:
        self._book = book
        self._own = own
        self._my_card = my_card
        self._cards: dict[PeerKey, Card] = {}
        self.groups: set[str] = set()

    def shares(self, peer: Peer) -> bool:
        return bool(peer.groups & self.groups)

    def introduce(self, newcomer: PeerKey) -> list[Letter]:
        """To somebody who shares a group with me: my card, and those of its other members."""
        peer = self._book.peer(newcomer)
        if peer is None or not self.shares(peer):
            return []
        cards = [self._cards[other.key] for other in self._fellows(peer) if other.key in self._cards]
        return [(newcomer, pack_cards([self._my_card(), *cards]))]

    def read(self, sender: PeerKey, payload: bytes, now: float) -> list[Letter]:
        """Cards from a member go into the peer book; its own new card is passed on to the other members."""
        peer = self._book.peer(sender)
        if peer is None or not self.shares(peer):
            return []
        letters: list[Letter] = []
        for card in read_cards(payload):
            known = self._cards.get(card.key)
            if card.key == self._own or (known and known.serial >= card.serial):
                continue
            self._book.hint(card.key, card.endpoints, now)
            if not self._book.knows(card.key):
                continue
            self._cards[card.key] = card
            if card.key == sender:
                letters += [(other.key, pack_cards([card])) for other in self._fellows(peer)]
        return letters

    def forget(self, key: PeerKey) -> None:
        self._cards.pop(key, None)

    def _fellows(self, peer: Peer) -> list[Peer]:
        """Who else is in a group that I share with this peer."""
        common = peer.groups & self.groups
        return [other for other in self._book.peers() if other.key != peer.key and other.groups & common]
