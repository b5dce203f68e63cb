"""Who is there: what was heard of peers goes in, whom to dial, ask and show comes out.

Law: pure. Time is an argument; no socket, no clock, no chance. Everyone is known by the public CURVE key alone.

    heard of       a beacon, an invite or a member named the key; nobody has proven anything
    greeted        a HELLO came over a connection that CURVE authenticated as this key, and it checked out
    present        greeted, and my own connection to it stands too: shown as a peer
    silent         shown, but nothing was heard for a while
    lost           shown no more

Presence rests on authenticated messages only. A beacon can bring somebody to attention; it can neither keep anyone
present nor send anyone away, because anyone on the network can send any beacon.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from engine.game import Note, note
from p2p.net.address import Endpoint, endpoint
from p2p.net.greeting import Greeting
from p2p.net.keys import PeerKey, uuid_of
from p2p.net.presence import Action, Appeared, Ask, Back, Changed, Dial, Event, Hang, Left, Lost, Peer, Silent, Status
from p2p.net.zre import Beacon

# Quotas: what strangers can make us hold or do.
MAX_UNKNOWN = 256  # keys heard of but not greeted; a LAN party of 200 starting at once must fit
MAX_PEERS = 512  # greeted ones: several times the largest room, about 150 kB of sockets each
MAX_FOREIGN = 8  # other ZRE programs: they get a polite HELLO, and no more than this many do
MAX_WAYS = 8  # addresses per peer: every network of a well-connected laptop, twice
MAX_DIALING, MIN_DIALING = 16, 6  # handshakes under way at once: many while they are quick, few while they are slow
FOR_GREETED = 2  # of these kept free for those who have already proven their key

# Patience, in seconds. Those in the lobby are multiplied by `pace`, so that a room of 200 stays quiet.
DIAL_PATIENCE = 3.0  # a handshake on the same network takes milliseconds, on a busy machine a second
DOWN_PATIENCE = 1.0  # libzmq reconnects by itself to the same address first
ONE_WAY_PATIENCE = 20.0  # my connection stands but theirs never came: a firewall on my side
FORGET_AFTER = 20.0  # after the last beacon of somebody who never greeted
LINK_GRACE = 2.0  # a connection that is gone this long, with nothing heard, counts as silence
TOMBSTONE = 1.0  # beacons still in the air after a goodbye
DENY = 60.0  # for a key that answered with something that is not its own
LOBBY_ASK, LOBBY_SILENT, LOBBY_RECYCLE, LOBBY_LOST = 4.0, 8.0, 12.0, 30.0
SEAT_ASK, SEAT_SILENT, SEAT_RECYCLE, SEAT_LOST = 1.0, 4.0, 6.0, 30.0
LINKLESS_LOST = 10.0  # nobody listens there any more: the process has ended without a goodbye
MAX_BACKOFF, SEAT_BACKOFF = 15.0, 1.0  # between attempts to reach somebody who does not answer
HEARD_RETRY = 2.0  # the same, while its beacons are heard
TEND_PRESENT = 1.0  # how often a peer is looked at while all is well; everyone else with every tick
PEERS_PER_PACE = 40  # up to here a lobby runs at full pace
NEVER = float("-inf")


class _Link(Enum):
    NONE = 0
    DIALING = 1
    UP = 2
    DOWN = 3  # was up; libzmq is trying by itself


@dataclass(slots=True)
class _Way:
    """An address worth trying. Rank 2: a handshake succeeded there; 1: the peer itself came from there; 0: heard."""

    heard: float
    rank: int = 0
    failures: int = 0


@dataclass(slots=True)
class _Entry:
    key: PeerKey
    foreign: bool
    heard_of: float  # last beacon or hint
    heard: float  # last authenticated message
    ways: dict[Endpoint, _Way] = field(default_factory=dict)
    greeting: Greeting | None = None
    link: _Link = _Link.NONE
    link_since: float = 0.0
    linkless_since: float = 0.0  # counts while the link is not up
    at: Endpoint | None = None
    failures: int = 0
    next_dial: float = 0.0
    asked: float = NEVER
    due: float = NEVER  # when to look at it again
    shown: bool = False
    silent: bool = False


class PeerBook:
    """See the head of this file. Every input is a method with `now`; `tick` makes time pass."""

    def __init__(self, own: PeerKey) -> None:
        self._own = own
        self._entries: dict[PeerKey, _Entry] = {}
        self._buried: dict[PeerKey, float] = {}
        self._denied: dict[PeerKey, float] = {}
        self._seated: frozenset[PeerKey] = frozenset()
        self._guests: frozenset[PeerKey] = frozenset()
        self._strangers: int | None = None  # how many others may be connected; None: no door
        self._actions: list[Action] = []
        self._events: list[Event] = []
        self._dialing = 0
        self._took = 0.0  # a handshake, lately: seconds
        self.pace = 1.0  # how much slower the lobby's routine runs: in a large room a peer's own traffic stops growing
        self.plain_beacons = 0  # unencrypted ZRE nodes: heard, never answered

    # --- outputs ---

    def take_actions(self) -> list[Action]:
        actions, self._actions = self._actions, []
        return actions

    def take_events(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    # --- questions ---

    def peers(self) -> tuple[Peer, ...]:
        return tuple(_snapshot(entry) for entry in self._entries.values() if entry.shown)

    def peer(self, key: PeerKey) -> Peer | None:
        entry = self._entries.get(key)
        return _snapshot(entry) if entry and entry.shown else None

    def knows(self, key: PeerKey) -> bool:
        return key in self._entries

    def known_keys(self) -> tuple[PeerKey, ...]:
        return tuple(self._entries)

    def heard_at(self, place: Endpoint) -> bool:
        """Has anybody been heard of at this address and port?"""
        return any(place in entry.ways for entry in self._entries.values())

    def seated(self, key: PeerKey) -> bool:
        return key in self._seated

    def may_enter(self, key: PeerKey, now: float) -> bool:
        """Whether a connection that CURVE authenticated as this key is let in, and later what it says is heard: a
        connection that stands cannot be cut, only ignored."""
        if key == self._own or self._denied.get(key, now) > now:
            return False
        return self._admitted(key) and (key in self._entries or key in self._seated or key in self._guests)

    def troubles(self, now: float) -> list[tuple[PeerKey, Note]]:
        """Who is half there, and why; for people who ask why they see nobody."""
        found: list[tuple[PeerKey, Note]] = []
        for entry in self._entries.values():
            name = entry.greeting.name if entry.greeting else ""
            address = entry.at.host if entry.at else ""
            if entry.foreign or entry.shown:
                continue
            if entry.link is _Link.UP and entry.greeting is None and now - entry.link_since > LINK_GRACE:
                found.append((entry.key, note("peer_cannot_reach_me", address=address)))
            elif entry.greeting and entry.link is not _Link.UP and entry.failures:
                found.append((entry.key, note("i_cannot_reach_peer", peer=name, address=address)))
        return found

    @property
    def foreign(self) -> int:
        return sum(entry.foreign for entry in self._entries.values())

    def _greeted_count(self) -> int:
        return sum(entry.greeting is not None for entry in self._entries.values())

    # --- the door ---

    def seat(self, seats: Iterable[PeerKey], guests: Iterable[PeerKey], strangers: int | None, now: float) -> None:
        """These peers sit at my table (watched closely, never given up), these may listen; how many others may stay."""
        self._seated = frozenset(seats) - {self._own}
        self._guests = frozenset(guests) - {self._own}
        for entry in self._entries.values():
            entry.due = NEVER
        self._strangers = strangers
        for key in sorted(self._seated):
            if key not in self._entries:
                self._add(key, False, now)
        for entry in list(self._entries.values()):
            if not self._admitted(entry.key):
                self._remove(entry, Left)

    def _admitted(self, key: PeerKey) -> bool:
        if self._strangers is None or key in self._seated or key in self._guests:
            return True
        others = [
            entry.key
            for entry in self._entries.values()
            if entry.greeting and entry.key not in self._seated and entry.key not in self._guests
        ]
        return key in others[: self._strangers] or (key not in others and len(others) < self._strangers)

    # --- inputs: hearing of somebody ---

    def beacon(self, beacon: Beacon, host: str, now: float) -> None:
        """A beacon arrived from this address."""
        if beacon.key is None:
            self.plain_beacons += 1
            return
        key = PeerKey(beacon.key)
        entry = self._entries.get(key)
        if beacon.port == 0:
            if entry and entry.shown and now - entry.asked > 1.0:
                self._ask(entry, now)  # "I am leaving", says somebody: let the peer itself tell
            return
        place = endpoint(host, beacon.port)
        if place is None or not self._worth_hearing(key, now):
            return
        genuine = beacon.uuid == uuid_of(key)
        if entry is None:
            entry = self._add(key, not genuine, now)
        elif entry.foreign and genuine and entry.greeting is None:
            entry.foreign = False
        if entry and entry.foreign != genuine:
            self._hear_of(entry, place, now)

    def hint(self, key: PeerKey, places: Iterable[Endpoint], now: float) -> None:
        """An invite, a member or my memory says that this key may be found there."""
        if self._worth_hearing(key, now):
            entry = self._entries.get(key) or self._add(key, False, now)
            for place in places:
                if entry:
                    self._hear_of(entry, place, now)

    def _worth_hearing(self, key: PeerKey, now: float) -> bool:
        quiet_until = max(self._buried.get(key, now), self._denied.get(key, now))
        return key != self._own and quiet_until <= now and self._admitted(key)

    def _hear_of(self, entry: _Entry, place: Endpoint, now: float) -> None:
        entry.heard_of = now
        fresh = place not in entry.ways
        self._add_way(entry, place, 0, now)
        # It is there, so it is worth another try soon; at another address than before, at once.
        entry.next_dial = min(entry.next_dial, now if fresh else now + HEARD_RETRY)
        self._dial_if_due(entry, now)

    # --- inputs: what the transport saw ---

    def greeted(self, greeting: Greeting, host: str, now: float) -> bool:
        """A HELLO that checked out came from this address. False: there is no room for one more."""
        entry = self._entries.get(greeting.key)
        if entry is None:
            self._buried.pop(greeting.key, None)
            entry = self._add(greeting.key, False, now)
        if entry is None or not self._room_for(entry):
            return False
        entry.foreign = False
        again, before = entry.greeting is not None, entry.greeting
        entry.greeting = greeting
        place = endpoint(host, greeting.port)
        if place:
            self._add_way(entry, place, 1, now)
        was_silent = self._alive(entry, now)
        if entry.shown:
            if again and not was_silent:
                self._events.append(Back(_snapshot(entry)))
            if before != greeting:
                self._events.append(Changed(_snapshot(entry)))
        self._show_if_present(entry)
        self._dial_if_due(entry, now)
        return True

    def heard(self, key: PeerKey, now: float) -> bool:
        """Any message from a peer that has greeted. False: it has not, so the message counts for nothing."""
        entry = self._entries.get(key)
        if entry is None:
            return False
        self._alive(entry, now)
        return entry.greeting is not None

    def missed(self, key: PeerKey) -> None:
        """A gap in this peer's sequence numbers: something it sent is lost."""
        entry = self._entries.get(key)
        if entry and entry.shown:
            self._events.append(Back(_snapshot(entry)))

    def regrouped(self, key: PeerKey, group: str, inside: bool) -> None:
        entry = self._entries.get(key)
        if entry is None or entry.greeting is None:
            return
        groups = entry.greeting.groups | {group} if inside else entry.greeting.groups - {group}
        if groups != entry.greeting.groups:
            entry.greeting = replace(entry.greeting, groups=groups)
            if entry.shown:
                self._events.append(Changed(_snapshot(entry)))

    def goodbye(self, key: PeerKey, now: float) -> None:
        """It said goodbye over its own connection."""
        entry = self._entries.get(key)
        if entry:
            self._remove(entry, Left)
            self._buried[key] = now + TOMBSTONE

    def deny(self, key: PeerKey, now: float) -> None:
        """It answered, but not as who it is: nothing more from this key for a while."""
        self._denied[key] = now + DENY
        entry = self._entries.get(key)
        if entry:
            self._remove(entry, Lost)

    def link_up(self, key: PeerKey, now: float) -> None:
        """My connection to this peer stands: whoever is there owns the key."""
        entry = self._entries.get(key)
        if entry is None or entry.link is _Link.NONE:
            return
        self._took += (now - entry.link_since - self._took) / 8
        self._set(entry, _Link.UP, now)
        entry.failures = 0
        if entry.at in entry.ways:
            way = entry.ways[entry.at]
            way.rank, way.failures = 2, 0
        self._alive(entry, now)  # the other side's own code let me in just now
        self._show_if_present(entry)

    def link_down(self, key: PeerKey, now: float) -> None:
        entry = self._entries.get(key)
        if entry and entry.link is _Link.UP:
            self._set(entry, _Link.DOWN, now)

    def link_failed(self, key: PeerKey, now: float) -> None:
        """This attempt will not succeed any more."""
        entry = self._entries.get(key)
        if entry and entry.link is not _Link.NONE:
            self._give_up(entry, now)

    # --- time ---

    def tick(self, now: float) -> None:
        self.pace = max(1.0, self._greeted_count() / PEERS_PER_PACE)
        for graves in (self._buried, self._denied):
            for key in [key for key, until in graves.items() if until <= now]:
                del graves[key]
        due = [entry for entry in self._entries.values() if entry.due <= now]
        for entry in sorted(due, key=self._urgency):
            self._tend_link(entry, now)
            self._tend_presence(entry, now)
            well = entry.link is _Link.UP and not entry.silent and entry.key not in self._seated
            entry.due = now + TEND_PRESENT * self.pace if well else NEVER

    def _urgency(self, entry: _Entry) -> tuple[bool, bool, float]:
        return (entry.key not in self._seated, entry.greeting is None, -entry.heard_of)

    def _tend_link(self, entry: _Entry, now: float) -> None:
        age = now - entry.link_since
        ask, _, recycle, _ = self._patience(entry)
        match entry.link:
            case _Link.NONE:
                self._dial_if_due(entry, now)
            case _Link.DIALING if age > DIAL_PATIENCE * self.pace:
                self._give_up(entry, now)
            case _Link.DOWN if age > DOWN_PATIENCE:
                self._give_up(entry, now)
            case _Link.UP if entry.foreign:
                pass  # asks for itself
            case _Link.UP if entry.greeting is None:
                if age > ONE_WAY_PATIENCE:
                    self._give_up(entry, now)
            case _Link.UP:
                quiet = now - entry.heard
                if quiet > ask and now - entry.asked > ask:
                    self._ask(entry, now)
                if quiet > recycle and age > recycle:
                    self._give_up(entry, now)  # half open: my messages go nowhere although nobody closed anything

    def _tend_presence(self, entry: _Entry, now: float) -> None:
        quiet = now - entry.heard
        linkless = now - entry.linkless_since if entry.link is not _Link.UP else 0.0
        _, silent, _, lost = self._patience(entry)
        if not entry.shown:
            if entry.key not in self._seated and now - max(entry.heard_of, entry.heard) > FORGET_AFTER * self.pace:
                self._remove(entry, Lost)
        elif quiet > lost or min(quiet, linkless) > LINKLESS_LOST:
            if entry.key in self._seated:
                entry.shown = False
                self._events.append(Lost(replace(_snapshot(entry), status=Status.LOST)))
            else:
                self._remove(entry, Lost)
        elif not entry.silent and (quiet > silent or min(quiet, linkless) > LINK_GRACE):
            entry.silent = True
            self._events.append(Silent(_snapshot(entry)))

    def _patience(self, entry: _Entry) -> tuple[float, float, float, float]:
        if entry.key in self._seated:
            return (SEAT_ASK, SEAT_SILENT, SEAT_RECYCLE, SEAT_LOST)
        lobby = (LOBBY_ASK, LOBBY_SILENT, LOBBY_RECYCLE, LOBBY_LOST)
        return (lobby[0] * self.pace, lobby[1] * self.pace, lobby[2] * self.pace, lobby[3] * self.pace)

    # --- entries ---

    def _add(self, key: PeerKey, foreign: bool, now: float) -> _Entry | None:
        if foreign and self.foreign >= MAX_FOREIGN:
            return None
        unknown = [entry for entry in self._entries.values() if entry.greeting is None]
        if len(unknown) >= MAX_UNKNOWN:
            idle = [entry for entry in unknown if entry.link is not _Link.UP and entry.key not in self._seated]
            if not idle:
                return None
            self._remove(min(idle, key=lambda entry: entry.heard_of), Lost)
        entry = _Entry(key, foreign, heard_of=now, heard=now, linkless_since=now, next_dial=now)
        self._entries[key] = entry
        return entry

    def _room_for(self, entry: _Entry) -> bool:
        if entry.greeting is not None or entry.key in self._seated:
            return True
        return self._greeted_count() < MAX_PEERS

    def _remove(self, entry: _Entry, why: type[Left] | type[Lost]) -> None:
        if entry.link is not _Link.NONE:
            self._actions.append(Hang(entry.key))
            self._set(entry, _Link.NONE, entry.link_since)
        if entry.shown:
            self._events.append(why(replace(_snapshot(entry), status=Status.LOST)))
        del self._entries[entry.key]

    def _add_way(self, entry: _Entry, place: Endpoint, rank: int, now: float) -> None:
        way = entry.ways.get(place)
        if way is None:
            if len(entry.ways) >= MAX_WAYS:
                others = [other for other in entry.ways if other != entry.at]
                worst = min(others, key=lambda o: (entry.ways[o].rank, -entry.ways[o].failures, entry.ways[o].heard))
                if entry.ways[worst].rank > rank:
                    return
                del entry.ways[worst]
            way = entry.ways[place] = _Way(now)
        way.heard, way.rank = now, max(way.rank, rank)

    def _alive(self, entry: _Entry, now: float) -> bool:
        """Books an authenticated sign of life; says whether it ended a silence."""
        entry.heard = now
        if not entry.silent or entry.link is not _Link.UP:
            return False
        entry.silent = False
        if entry.shown:
            self._events.append(Back(_snapshot(entry)))
        return True

    def _show_if_present(self, entry: _Entry) -> None:
        if entry.greeting and entry.link is _Link.UP and not entry.shown:
            entry.shown, entry.silent = True, False
            self._events.append(Appeared(_snapshot(entry)))

    # --- links ---

    def _ask(self, entry: _Entry, now: float) -> None:
        entry.asked = now
        self._actions.append(Ask(entry.key))

    def _dial_if_due(self, entry: _Entry, now: float) -> None:
        if entry.link is not _Link.NONE or entry.next_dial > now or not entry.ways:
            return
        proven = entry.greeting is not None or entry.key in self._seated
        if self._dialing >= self._lines() - (0 if proven else FOR_GREETED):
            return
        # Every second attempt goes where it worked before, every other one to what was heard last: an address that
        # changed is found at once, and a flood of false ones cannot keep me from the true one.
        order = _proven_first if entry.failures % 2 == 0 else _latest_first
        entry.at = min(entry.ways, key=lambda place: order(place, entry.ways[place]))
        self._set(entry, _Link.DIALING, now)
        self._actions.append(Dial(entry.key, entry.at))

    def _set(self, entry: _Entry, link: _Link, now: float) -> None:
        if entry.link is _Link.UP:
            entry.linkless_since = now
        self._dialing += (link is _Link.DIALING) - (entry.link is _Link.DIALING)
        entry.link, entry.link_since, entry.due = link, now, NEVER

    def _lines(self) -> int:
        """How many to dial at once. A room of 200 that starts together must not drown in its own handshakes: each
        takes longer the more there are, until they run out of time and all are done again."""
        return max(MIN_DIALING, min(MAX_DIALING, int(2.0 / max(self._took, 0.01))))

    def _give_up(self, entry: _Entry, now: float) -> None:
        """This connection is not, or no longer, good for anything: next time another way, a little later each time."""
        self._actions.append(Hang(entry.key))
        self._set(entry, _Link.NONE, now)
        entry.failures += 1
        if entry.at in entry.ways:
            entry.ways[entry.at].failures += 1
        longest = SEAT_BACKOFF if entry.key in self._seated else MAX_BACKOFF
        at_once = entry.failures <= MAX_WAYS and any(way.failures == 0 for way in entry.ways.values())
        entry.next_dial = now if at_once else now + min(longest, 0.1 * 2 ** min(entry.failures, 10))
        self._dial_if_due(entry, now)


def _proven_first(place: Endpoint, way: _Way) -> tuple[float, ...]:
    """Among equals this machine's own address is safest: it works without any network."""
    return (-way.rank, way.failures, not place.loopback, -way.heard)


def _latest_first(place: Endpoint, way: _Way) -> tuple[float, ...]:
    return (way.failures, not place.loopback, -way.heard)


def _snapshot(entry: _Entry) -> Peer:
    assert entry.greeting is not None
    return Peer(
        entry.key,
        entry.greeting.identity,
        entry.greeting.name,
        Status.SILENT if entry.silent else Status.PRESENT,
        entry.greeting.groups,
        entry.greeting.headers,
        entry.at.host if entry.at else "",
    )
