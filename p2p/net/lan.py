"""The local network as one object: peers that appear and go, their tables, messages to and from them.

Law: joins the parts of this folder and decides nothing that one of them could: who is there is the peer book's, what
bytes mean the codecs', who gets in the door's. Knows no game and no table; payloads are opaque.

    lan = Lan(profile)
    await lan.start()
    async for event in lan.events():           # see p2p/net/presence.py and p2p/net/postbox.py
        ...
    await lan.send(peer.key, "chat", b"hello")
    await lan.stop()
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.game import Note, note
from p2p.net import presence, zre
from p2p.net.acquaintances import Trust
from p2p.net.address import Endpoint, endpoint
from p2p.net.beacon import BeaconFinder
from p2p.net.cards import Card, make_card
from p2p.net.envelope import MAX_FRAME, MAX_STRANGER_FRAME, Envelope, open_envelope
from p2p.net.errors import CannotJoin, CannotStart, TooLarge, Unreachable
from p2p.net.greeting import Greeting, make_greeting, read_greeting
from p2p.net.interfaces import Interface, address_towards, interface_names, own_addresses
from p2p.net.invite import make_invite, read_invite
from p2p.net.keys import PeerKey, invite_print
from p2p.net.link import Link, LinkNews
from p2p.net.members import Letter, Members
from p2p.net.peerbook import PeerBook
from p2p.net.postbox import Event, Message, Postbox, TablesChanged, Warned
from p2p.net.presence import Peer
from p2p.net.profile import Profile
from p2p.net.reception import Reception
from p2p.net.seeking import Seeking
from p2p.net.tables import TableNotice, pack_tables, read_tables
from p2p.net.transport import MEMORY_ALARM, Transport

ZRE_PORT = 5670  # what IANA registered for ZRE discovery
TCP_PORT = 49670  # fixed, so that a firewall rule can name it
TCP_PORTS = 10  # how many are tried from there on: one for each program on this machine; then any

TICK = 0.25
SEND_PATIENCE, SEND_RETRY = 5.0, 0.02  # a peer whose queue stays full this long is not reading
GOODBYE_MS = 300  # what a goodbye may take to leave
HELLO_GAP = 2.0  # between two HELLOs that answer one
SAVE_SECONDS = 15.0  # between savings of whom we met
JOIN_SECONDS, PROBE_GAP = 10.0, 0.2

TABLES, CARDS, BYE = "lan.tables", "lan.cards", "lan.bye"


@dataclass(frozen=True)
class LanSettings:
    udp_port: int = ZRE_PORT
    tcp_port: int = TCP_PORT
    interfaces: tuple[str, ...] = ()  # names; none means all
    headers: Mapping[str, str] = field(default_factory=dict)  # goes with every HELLO, for everyone to see
    memory_alarm: int = MEMORY_ALARM


class Lan:
    def __init__(self, profile: Profile, settings: LanSettings | None = None) -> None:
        self.profile = profile
        self.settings = settings or LanSettings()
        self.port = 0  # of the inbox
        self.echoes: dict[str, float] = {}  # address -> when my own beacon was last heard from there
        self.strange_datagrams = 0  # that were no beacons
        self._keys = profile.keys
        self._postbox = Postbox()
        self._book = PeerBook(self._keys.key)
        self._reception = Reception(self._book)
        self._members = Members(self._book, self._keys.key, self._my_card)
        self._transport = Transport(
            self._keys,
            admits=lambda key: self._book.may_enter(key, self._now()),
            on_message=self._on_message,
            on_news=self._on_news,
        )
        self._finder = BeaconFinder(
            self.settings.udp_port,
            self.settings.interfaces,
            beacon=self._beacon,
            on_datagram=self._on_datagram,
            pace=lambda: self._book.pace,
        )
        self._reasons: dict[PeerKey, Note] = {}  # why a peer is not reached
        self._trust: dict[PeerKey, Trust] = {}
        self._announced: dict[PeerKey, tuple[TableNotice, ...]] = {}
        self._tables: tuple[TableNotice, ...] = ()
        self._status = 0  # counts changes of my groups
        self._ticking: asyncio.Task[None] | None = None
        self._running = False

    # --- beginning and end ---

    async def start(self) -> None:
        """Raises CannotStart; then nothing is left open."""
        known = interface_names()
        for name in self.settings.interfaces:
            if name not in known:
                raise CannotStart(note("lan_no_interface", interface=name, known=known))
        try:
            self._transport.open()
            self.port = self._claim_port()
            self._finder.start()
            self._transport.listen()
        except OSError as error:
            await self._close(0)
            raise CannotStart(note("lan_no_udp", port=self.settings.udp_port, why=error.strerror or "")) from error
        except CannotStart:
            await self._close(0)
            raise
        self._running = True
        for place in self.profile.people.places:
            self._book.hint(place.key, place.endpoints, self._now())
        self._act()
        self._ticking = asyncio.create_task(self._tick(), name="lan")

    def _claim_port(self) -> int:
        """A port number that is free for TCP and UDP alike; a known one if possible."""
        preferred = self.settings.tcp_port
        fixed = range(preferred, min(preferred + TCP_PORTS, 65536)) if preferred else ()
        for candidate in (*fixed, 0, 0, 0, 0):
            port = self._transport.claim(candidate)
            if port is not None:
                if self._finder.claim(port):
                    return port
                self._transport.release()
        raise CannotStart(note("lan_no_port", first=preferred, last=preferred + TCP_PORTS - 1))

    async def stop(self, goodbye: bool = True) -> None:
        """Say goodbye and close everything, in well under a second. Can be called twice."""
        if not self._running:
            return
        self._running = False
        if goodbye:
            for link in self._transport.links:
                link.send(_whisper(BYE, b""))
            self._finder.say()  # now with port 0: for other ZRE programs, which believe that
        self._remember()
        await self._close(GOODBYE_MS if goodbye else 0)

    async def _close(self, linger: int) -> None:
        if self._ticking:
            self._ticking.cancel()
            await asyncio.gather(self._ticking, return_exceptions=True)
        await self._finder.stop()
        await self._transport.close(linger)
        self._postbox.close()

    async def _tick(self) -> None:
        saved = self._now()
        while True:
            await asyncio.sleep(TICK)
            self._book.tick(self._now())
            self._act()
            if self._transport.unwell(self.settings.memory_alarm):
                self._postbox.put(Warned(note("connections_renewed")))
                await self._transport.renew()
            if self._now() - saved > SAVE_SECONDS:
                saved = self._now()
                self._remember()

    def _remember(self) -> None:
        for peer in self._book.peers():
            link = self._transport.link(peer.key)
            if link and link.up and not peer.headers.get("X-ROLE"):
                self.profile.people.remember(peer.key, peer.name, [link.place], time.time())
        self.profile.save()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def __aenter__(self) -> Lan:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # --- who is there ---

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens, in order, until `stop`. One reader."""
        while (event := await self._postbox.get()) is not None:
            yield event

    def peers(self) -> tuple[Peer, ...]:
        return self._book.peers()

    def peer(self, key: PeerKey) -> Peer | None:
        return self._book.peer(key)

    def trust(self, key: PeerKey) -> Trust:
        """Does this peer's name go with its key, as far as this profile knows?"""
        return self._trust.get(key, Trust.NEW)

    def accept(self, key: PeerKey) -> None:
        """The player compared the words: this name and key belong together."""
        peer = self._book.peer(key)
        if peer:
            self.profile.people.accept(peer.name, peer.identity, time.time())
            self._trust[key] = Trust.KNOWN
            self.profile.save()

    def troubles(self) -> list[tuple[PeerKey, Note]]:
        """Who was heard of and cannot be talked to, and why."""
        found = dict(self._book.troubles(self._now()))
        found.update({key: reason for key, reason in self._reasons.items() if self._book.peer(key) is None})
        return list(found.items())

    @property
    def interfaces(self) -> tuple[Interface, ...]:
        return self._finder.interfaces

    @property
    def send_errors(self) -> Mapping[str, int]:
        """Where my beacons could not be sent to, and the system's error number."""
        return self._finder.trouble

    @property
    def foreign(self) -> int:
        """Other encrypted ZRE programs nearby."""
        return self._book.foreign

    @property
    def unencrypted(self) -> int:
        """Beacons of ZRE programs without encryption, which are ignored."""
        return self._book.plain_beacons

    @property
    def bytes_sent(self) -> int:
        """Of messages, to everyone together."""
        return self._transport.bytes_sent

    @property
    def beacon_bytes(self) -> int:
        return self._finder.bytes_sent

    # --- tables ---

    def announce(self, tables: Sequence[TableNotice]) -> None:
        """Tell everyone these tables, now and to whoever comes. Raises ValueError if they are no short flat records."""
        packed = pack_tables(tables)
        self._tables = tuple(tables)
        for link in self._transport.links:
            link.send(_whisper(TABLES, packed))

    def tables(self) -> list[tuple[Peer, TableNotice]]:
        """Every table that somebody present announces; the same one may be announced by several."""
        return [(peer, table) for peer in self._book.peers() for table in self._announced.get(peer.key, ())]

    # --- who may be here ---

    def seat(self, seats: Iterable[PeerKey], guests: Iterable[PeerKey] = (), strangers: int | None = 0) -> None:
        """I sit at a table with these. They may send large messages, are watched closely and are never given up;
        guests may listen; of all others only as many stay as `strangers` says (None: any number)."""
        seats = list(seats)
        for key in seats:
            peer = self._book.peer(key)
            if peer and self._trust.get(key) is not Trust.CHANGED:
                self.profile.people.accept(peer.name, peer.identity, time.time())
        self._book.seat(seats, guests, strangers, self._now())
        self._act()

    def unseat(self) -> None:
        """Back in the lobby: everyone may come."""
        self._book.seat((), (), None, self._now())

    # --- messages ---

    async def send(self, peer: PeerKey, kind: str, payload: bytes) -> None:
        """To one peer. Returns when it is on its way, not when it has arrived. Raises Unreachable, TooLarge."""
        await self._send(peer, zre.Whisper(0, self._sealed(kind, payload)))

    async def shout(self, group: str, kind: str, payload: bytes) -> list[PeerKey]:
        """To everyone present who is in this group; the ones that could not be reached. Raises TooLarge."""
        message = zre.Shout(0, group, self._sealed(kind, payload))
        members = [peer.key for peer in self._book.peers() if group in peer.groups]
        sent = await asyncio.gather(*(self._send(key, message) for key in members), return_exceptions=True)
        for outcome in sent:
            if isinstance(outcome, BaseException) and not isinstance(outcome, Unreachable):
                raise outcome
        return [key for key, outcome in zip(members, sent, strict=True) if outcome is not None]

    async def _send(self, peer: PeerKey, message: zre.Whisper | zre.Shout) -> None:
        if len(message.content) > MAX_STRANGER_FRAME and not self._book.seated(peer):
            raise TooLarge(note("message_too_large", size=len(message.content), most=MAX_STRANGER_FRAME))
        deadline = self._now() + SEND_PATIENCE
        while True:
            link = self._transport.link(peer)
            if link is None or not link.ready:
                raise Unreachable(note("peer_not_connected"))
            if link.send(message):
                return
            if self._now() >= deadline:
                raise Unreachable(note("peer_not_reading"))
            await asyncio.sleep(SEND_RETRY)

    def _sealed(self, kind: str, payload: bytes) -> bytes:
        content = Envelope(kind, payload).encode()
        if len(content) > MAX_FRAME:
            raise TooLarge(note("message_too_large", size=len(content), most=MAX_FRAME))
        return content

    def join_group(self, group: str) -> None:
        """Hear what is shouted to this group. Its members pass on each other's addresses."""
        if group not in self._members.groups:
            self._members.groups.add(group)
            self._regroup(zre.Join, group)
            for peer in self._book.peers():
                if group in peer.groups:
                    self._deliver(self._members.introduce(peer.key))

    def leave_group(self, group: str) -> None:
        if group in self._members.groups:
            self._members.groups.remove(group)
            self._regroup(zre.Leave, group)

    def _regroup(self, change: type[zre.Join] | type[zre.Leave], group: str) -> None:
        self._status = (self._status + 1) % 256
        for link in self._transport.links:
            link.send(change(0, group, self._status))

    # --- other ways in ---

    def invite(self) -> str:
        """A line of text by which others find me, also where broadcasts do not reach."""
        return str(make_invite(own_addresses(self._finder.interfaces), self.port, self._keys.key))

    async def join_invite(self, text: str, seconds: float = JOIN_SECONDS) -> Peer:
        """Connect to whoever gave this invite. Raises BadInvite, or CannotJoin, which says why not."""
        invite = read_invite(text)
        if invite.print == invite_print(self._keys.key):
            raise CannotJoin(note("invite_is_mine"))
        seeking = Seeking(invite, self._book)
        deadline = self._now() + seconds
        while self._now() < deadline:
            for place in seeking.step(self._now()):
                self._finder.say_to(place)
            self._act()
            peer = seeking.found()
            if peer:
                return peer
            await asyncio.sleep(PROBE_GAP)
        raise CannotJoin(seeking.why_not(self._reasons, self._now()))

    # --- what the sockets say ---

    def _beacon(self) -> bytes:
        return zre.Beacon(self._keys.uuid, self.port if self._running else 0, self._keys.key).encode()

    def _on_datagram(self, data: bytes, host: str) -> None:
        beacon = zre.decode_beacon(data)
        if beacon is None:
            self.strange_datagrams += 1
        elif beacon.key == self._keys.key:
            self.echoes[host] = self._now()
        else:
            self._book.beacon(beacon, host, self._now())
            self._act()

    def _on_news(self, link: Link, news: LinkNews) -> None:
        if news is LinkNews.UP:
            self._greet(link)
            self._book.link_up(link.key, self._now())
        elif news is LinkNews.DOWN:
            self._book.link_down(link.key, self._now())
        else:
            self._reasons[link.key] = note(f"link_{news.value}", address=link.place.host, port=link.place.port)
            self._book.link_failed(link.key, self._now())
        self._act()

    def _greet(self, link: Link) -> None:
        mine = address_towards(link.place.host, self._finder.interfaces)
        place = Endpoint(mine, self.port)
        link.greet(
            make_greeting(
                self._keys,
                endpoint=place.url,
                name=self.profile.nickname,
                groups=self._members.groups,
                status=self._status,
                headers=self.settings.headers,
            )
        )
        if self._tables:
            link.send(_whisper(TABLES, pack_tables(self._tables)))

    def _on_message(self, sender: PeerKey, host: str, frames: list[bytes]) -> None:
        now = self._now()
        message = self._reception.read(sender, frames, now) if self._running else None
        if isinstance(message, zre.Hello):
            self._on_hello(sender, host, message, now)
        elif isinstance(message, zre.Ping):
            self._book.heard(sender, now)
            self._answer(sender, zre.PingOk(0))  # also to other ZRE programs, which only want to know that I live
        elif message and self._book.heard(sender, now):
            self._on_peer_message(sender, message)
        self._act()

    def _on_hello(self, sender: PeerKey, host: str, hello: zre.Hello, now: float) -> None:
        greeting = read_greeting(hello, sender)
        if isinstance(greeting, Greeting):
            link, was_present = self._transport.link(sender), self._book.peer(sender) is not None
            if self._book.greeted(greeting, host, now):
                self._reasons.pop(sender, None)
            if was_present and link and link.ready and now - link.answered_at > HELLO_GAP:
                link.answered_at = now
                self._greet(link)  # it begins anew and may have forgotten me, though my connection to it stands
            return
        self._reasons[sender] = greeting
        if greeting.name == "greeting_foreign":
            self._book.heard(sender, now)
        elif greeting.name != "greeting_other_version":
            self._book.deny(sender, now)

    def _on_peer_message(self, sender: PeerKey, message: zre.Message) -> None:
        match message:
            case zre.Join(group=group):
                self._book.regrouped(sender, group, True)
                if group in self._members.groups:
                    self._deliver(self._members.introduce(sender))
            case zre.Leave(group=group):
                self._book.regrouped(sender, group, False)
            case zre.Whisper(content=content):
                self._on_content(sender, content, "")
            case zre.Shout(content=content, group=group) if group in self._members.groups:
                self._on_content(sender, content, group)

    def _on_content(self, sender: PeerKey, content: bytes, group: str) -> None:
        now = self._now()
        envelope = open_envelope(content)
        if envelope is None:
            self._reception.strike(sender, now)
        elif envelope.kind == BYE:
            self._book.goodbye(sender, now)
        elif envelope.kind == TABLES:
            self._on_tables(sender, read_tables(envelope.payload))
        elif envelope.kind == CARDS:
            self._deliver(self._members.read(sender, envelope.payload, now))
        elif envelope.kind.startswith("lan."):
            pass  # from a newer version
        elif not self._postbox.put(Message(sender, envelope.kind, envelope.payload, group)):
            self._book.missed(sender)

    def _on_tables(self, sender: PeerKey, tables: tuple[TableNotice, ...] | None) -> None:
        if tables is None:
            self._reception.strike(sender, self._now())
        elif tables != self._announced.get(sender, ()):
            self._announced[sender] = tables
            self._postbox.put(TablesChanged(sender))

    def _answer(self, key: PeerKey, message: zre.Message) -> None:
        link = self._transport.link(key)
        if link:
            link.send(message)

    def _deliver(self, letters: Iterable[Letter]) -> None:
        for key, payload in letters:
            self._answer(key, _whisper(CARDS, payload))

    def _my_card(self) -> Card:
        places = [endpoint(host, self.port) for host in own_addresses(self._finder.interfaces)]
        return make_card(self._keys, time.time_ns() // 1_000_000, filter(None, places))

    # --- what the peer book wants done, and what it tells ---

    def _act(self) -> None:
        for action in self._book.take_actions():
            match action:
                case presence.Dial(key, place):
                    self._finder.say_to(place)
                    self._transport.dial(key, place)
                case presence.Hang(key):
                    self._transport.hang(key)
                case presence.Ask(key):
                    self._answer(key, zre.Ping(0))
        for event in self._book.take_events():
            self._tell(event)

    def _tell(self, event: presence.Event) -> None:
        key = event.peer.key
        self._postbox.put(event)
        match event:
            case presence.Appeared(peer):
                self._reasons.pop(key, None)
                self._recognise(peer)
                self._deliver(self._members.introduce(key))
            case presence.Changed(peer):
                self._recognise(peer)
            case presence.Left() | presence.Lost():
                self._announced.pop(key, None)
                self._trust.pop(key, None)
                self._members.forget(key)
                self._reception.forget(key)

    def _recognise(self, peer: Peer) -> None:
        if peer.headers.get("X-ROLE"):
            return
        trust = self.profile.people.meet(peer.name, peer.identity, time.time())
        if trust is Trust.CHANGED and self._trust.get(peer.key) is not Trust.CHANGED:
            known = self.profile.people.known_words(peer.name)
            warning = note("name_with_another_key", peer=peer.name, words=peer.identity.words, known=tuple(known))
            self._postbox.put(Warned(warning, peer.key))
        self._trust[peer.key] = trust


def _whisper(kind: str, payload: bytes) -> zre.Whisper:
    return zre.Whisper(0, Envelope(kind, payload).encode())
