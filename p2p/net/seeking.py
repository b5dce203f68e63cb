"""Looking for the one who gave an invite.

Law: pure. Only the key that the invite names is ever found; whoever else answers at its addresses is a reason to stop.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Note, note
from p2p.net.address import Endpoint
from p2p.net.invite import Invite
from p2p.net.keys import PeerKey, invite_print
from p2p.net.peerbook import PeerBook
from p2p.net.presence import Peer


class Seeking:
    def __init__(self, invite: Invite, book: PeerBook) -> None:
        self._invite = invite
        self._book = book
        self._key: PeerKey | None = None

    def step(self, now: float) -> tuple[Endpoint, ...]:
        """Where to send a beacon now: its answer tells the whole key. None any more once the key is known."""
        if self._key is None:
            known = self._book.known_keys()
            self._key = next((key for key in known if invite_print(key) == self._invite.print), None)
        if self._key is None:
            return self._invite.endpoints
        self._book.hint(self._key, self._invite.endpoints, now)
        return ()

    def found(self) -> Peer | None:
        return self._book.peer(self._key) if self._key else None

    def why_not(self, reasons: Mapping[PeerKey, Note], now: float) -> Note:
        """After a while without success: the best explanation there is."""
        place = self._invite.endpoints[0]
        if self._key is not None:
            known = reasons.get(self._key) or dict(self._book.troubles(now)).get(self._key)
            return known or note("peer_does_not_answer", address=place.host)
        if any(self._book.heard_at(each) for each in self._invite.endpoints):
            return note("invite_other_key", address=place.host)
        return note("invite_no_answer", address=place.host, port=place.port)
