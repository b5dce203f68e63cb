"""One program on the network: opens tables, sits down at others', and drives the games it plays.

Law: joins `Lan` and `Driver`s; knows games only by the function it is given. Who hosts a table opens and fills it,
nothing more: from the proposal on all seats are equal, and the game goes on without the host.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.game import Game, Move, Note, View, note
from p2p.errors import LocalError
from p2p.identity import PublicIdentity
from p2p.names import clean_text
from p2p.net import seats
from p2p.net.driver import ENDED, Driver, News
from p2p.net.errors import NetError, TooLarge, Unreachable
from p2p.net.faces import write_faces
from p2p.net.journal import Journal, read_journal
from p2p.net.keys import PeerKey
from p2p.net.lan import Lan
from p2p.net.postbox import Event as LanEvent
from p2p.net.postbox import Message
from p2p.net.presence import Left, Lost, Peer
from p2p.net.seats import Member, Roster
from p2p.net.tables import TableNotice
from p2p.seating import Proposal, decode_proposal, rules_digest
from p2p.states import Life
from p2p.table import Packet, Table

MAX_QUEUED = 1024  # packets waiting for one peer: a whole game's log; then it must ask again
GUESTS = 8  # strangers who may stay connected while a game is played: spectators, and the lobby of others
TALK = 200  # lines of talk kept
ASK_AGAIN = 1.0  # seconds between two questions for a seat that was promised or asked for
PATIENCE = 3.0  # how long a message waits for a connection; later the tables and the seating repair what is missing
RETRY = 0.02
SETTLE = 15.0  # seconds to stay after the end for those who may lack the result: a short drop of the Wi-Fi
STOP_TABLE, STOP_QUEUES = 0.35, 0.2  # seconds: with the network's own goodbye this is well below one


class SeatTrouble(NetError):
    """Sitting down did not work out; the note says why."""


# --- what a sitting tells ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits there has changed."""

    roster: Roster


@dataclass(frozen=True, slots=True)
class Begun:
    """The table is set; from here on `Happened` tells."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """There is no seat for me, or the table was given up."""

    reason: Note


@dataclass(frozen=True, slots=True)
class Said:
    name: str
    text: str


Told = Seating | Begun | Refusal | Said | News


class Sitting:
    """A place at one table, from asking for it to the end of the game."""

    def __init__(self, node: Node, roster: Roster, host: PeerKey) -> None:
        self._node = node
        self.roster = roster
        self.host = host
        self.driver: Driver | None = None
        self.log_path: Path | None = None
        self.talk: list[Said] = []
        self.setup_started = time.monotonic()
        self.done: set[PeerKey] = set()  # who has the result, or will not come back for it
        self.wants_ready = False
        self.ended = False
        self._told: asyncio.Queue[Told] = asyncio.Queue()

    @property
    def id(self) -> str:
        return self.roster.id

    @property
    def hosting(self) -> bool:
        return self.host == self._node.lan.profile.keys.key

    @property
    def table(self) -> Table | None:
        return self.driver.table if self.driver else None

    @property
    def view(self) -> View | None:
        return self.driver.view if self.driver else None

    async def next(self) -> Told:
        return await self._told.get()

    async def told(self) -> AsyncIterator[Told]:
        while True:
            yield await self._told.get()

    @property
    def idle(self) -> bool:
        """Has everything been told?"""
        return self._told.empty()

    def tell(self, news: Told) -> None:
        self._told.put_nowait(news)

    def ready(self, yes: bool = True) -> None:
        self._node.ready(self, yes)

    def play(self, move: Move) -> None:
        if self.driver is None:
            raise LocalError("not_started")
        self.driver.play(move)

    def say(self, text: str) -> None:
        self._node.say(self, text)

    async def leave(self) -> None:
        await self._node.leave(self)

    def missing(self) -> list[Member]:
        """After the end: who may still lack the result and need somebody to ask for it."""
        table = self.table
        if table is None:
            return []
        gone = {table.members[seat] for seat, _ in table.departed}
        me = self._node.lan.profile.keys.key
        return [
            member
            for member in self.roster.members
            if member.key != me and member.key not in self.done and member.identity not in gone
        ]

    async def settled(self, seconds: float = SETTLE) -> bool:
        """Stay until everyone who played to the end has the result, this long at most. False: somebody may lack it."""
        deadline = time.monotonic() + seconds
        while self.missing():
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.02)
        return True


class Node:
    def __init__(self, lan: Lan, find_game: Callable[[str], Game[Any]], folder: Path | None = None) -> None:
        """`folder`: where journals and logs are kept; None keeps nothing."""
        self.lan = lan
        self.sittings: dict[str, Sitting] = {}
        self._find_game = find_game
        self._folder = folder
        self._by_table: dict[bytes, Sitting] = {}
        self._queues: dict[PeerKey, asyncio.Queue[tuple[float, str, bytes]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[LanEvent], None]] = []
        self.bytes_sent = 0

    # --- beginning and end ------------------------------------------------------------------------------------

    async def start(self) -> None:
        await self.lan.start()
        self._spawn(self._listen(), "node")
        self._spawn(self._ask_again(), "ask again")

    async def stop(self) -> None:
        """Goodbye at every table; then nothing of mine is left running."""
        ends = [self._end(sitting, STOP_TABLE) for sitting in list(self.sittings.values())]
        await asyncio.gather(*ends)
        await self._flush()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.lan.stop()

    def listen(self, listener: Callable[[LanEvent], None]) -> None:
        """Be told what happens on the network, besides what sittings tell."""
        self._listeners.append(listener)

    def _spawn(self, work: Any, name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- sitting down -----------------------------------------------------------------------------------------

    def me(self) -> Member:
        profile = self.lan.profile
        return Member(profile.keys.key, profile.keys.identity.public, profile.nickname)

    def open_table(self, game: str, players: int, table_id: str = "") -> Sitting:
        """Open a table and sit down at it. Raises BadSetup for a game or number that cannot be."""
        self._find_game(game).start(players, {})
        roster = Roster(table_id or secrets.token_hex(8), game, players, (self.me(),))
        sitting = Sitting(self, roster, self.me().key)
        self.sittings[roster.id] = sitting
        self.lan.join_group(_group(roster.id))
        self._announce()
        return sitting

    def tables(self) -> list[tuple[Peer, TableNotice]]:
        return self.lan.tables()

    def sit_down(self, host: Peer, notice: TableNotice) -> Sitting:
        """Ask the host of an announced table for a seat. The answer comes as `Seating` or `Refusal`."""
        table_id, game, players = notice.get("id"), notice.get("game"), notice.get("seats")
        if not (isinstance(table_id, str) and isinstance(game, str) and isinstance(players, int)):
            raise SeatTrouble(note("table_unknown"))
        self._find_game(game).start(players, {})
        sitting = Sitting(self, Roster(table_id, game, players, ()), host.key)
        self.sittings[table_id] = sitting
        self.lan.join_group(_group(table_id))
        self._post(host.key, seats.ASK, seats.pack(table_id))
        return sitting

    def ready(self, sitting: Sitting, yes: bool) -> None:
        sitting.wants_ready = yes
        if sitting.hosting:
            self._mark(sitting, self.me().key, yes)
        else:
            self._post(sitting.host, seats.READY, seats.pack(sitting.id, yes))

    def say(self, sitting: Sitting, text: str) -> None:
        line = clean_text(text, seats.MAX_CHAT)
        for member in sitting.roster.members:
            if member.key != self.me().key:
                self._post(member.key, seats.CHAT, seats.pack(sitting.id, line))

    async def leave(self, sitting: Sitting) -> None:
        """Get up. A goodbye, if the game is not over; forgets it, if it is."""
        await self._end(sitting)

    def _announce(self) -> None:
        notices: list[TableNotice] = []
        for sitting in list(self.sittings.values())[:8]:
            if not sitting.hosting:
                continue
            life = sitting.table.life if sitting.table else None
            state = "open" if life is None else "over" if life in (Life.OVER, Life.BROKEN) else "playing"
            roster = sitting.roster
            notices.append(
                {
                    "id": roster.id,
                    "game": roster.game,
                    "seats": roster.players,
                    "taken": len(roster.members),
                    "state": state,
                    "host": self.lan.profile.nickname,
                }
            )
        self.lan.announce(notices)

    # --- what others say --------------------------------------------------------------------------------------

    async def _listen(self) -> None:
        async for event in self.lan.events():
            if isinstance(event, Message):
                self._on_message(event)
            elif isinstance(event, Left | Lost):
                self._on_gone(event.peer, for_good=isinstance(event, Left))
            for listener in self._listeners:
                listener(event)

    def _on_message(self, message: Message) -> None:
        if message.kind == seats.TABLE:
            self._on_table(message)
        elif message.kind in (seats.ASK, seats.STAND):
            named = seats.read_id(message.payload)
            sitting = self.sittings.get(named[0]) if named else None
            if named and message.kind == seats.ASK:
                self._on_ask(message.sender, named[0], sitting)
            elif sitting:
                self._unseat(sitting, message.sender)
        elif message.kind == seats.READY:
            flagged = seats.read_id(message.payload, flag=True)
            if flagged and flagged[0] in self.sittings:
                self._mark(self.sittings[flagged[0]], message.sender, flagged[1])
        elif message.kind == seats.ROSTER:
            self._on_roster(message)
        elif message.kind == seats.REFUSE:
            named = seats.read_id(message.payload)
            sitting = self.sittings.get(named[0]) if named else None
            if sitting and message.sender == sitting.host and sitting.driver is None:
                self._give_up(sitting, note("seat_refused"))
        elif message.kind == seats.BEGIN:
            self._on_begin(message)
        elif message.kind == seats.CHAT:
            self._on_chat(message)
        elif message.kind == seats.DONE:
            named = seats.read_id(message.payload)
            if named and named[0] in self.sittings:
                self.sittings[named[0]].done.add(message.sender)

    async def _ask_again(self) -> None:
        """Whatever was lost on the way to a seat: the question, the answer, or that it begins."""
        while True:
            await asyncio.sleep(ASK_AGAIN)
            for sitting in list(self.sittings.values()):
                if sitting.driver is None and not sitting.hosting:
                    self._post(sitting.host, seats.ASK, seats.pack(sitting.id))
                    if sitting.wants_ready:
                        self._post(sitting.host, seats.READY, seats.pack(sitting.id, True))

    def _on_ask(self, sender: PeerKey, table_id: str, sitting: Sitting | None) -> None:
        peer = self.lan.peer(sender)
        begun = sitting.driver.table if sitting is not None and sitting.hosting and sitting.driver else None
        if sitting is not None and begun is not None and any(m.key == sender for m in sitting.roster.members):
            self._post(sender, seats.BEGIN, seats.pack_begin(sitting.roster, begun.proposal))
            return
        if sitting is None or not sitting.hosting or sitting.driver is not None or peer is None:
            self._post(sender, seats.REFUSE, seats.pack(table_id))
            return
        members = sitting.roster.members
        if all(member.key != sender for member in members):
            if len(members) >= sitting.roster.players or any(member.identity == peer.identity for member in members):
                self._post(sender, seats.REFUSE, seats.pack(table_id))
                return
            self._seated(sitting, (*members, Member(sender, peer.identity, peer.name)))
        else:
            self._post(sender, seats.ROSTER, seats.pack_roster(sitting.roster))

    def _mark(self, sitting: Sitting, key: PeerKey, ready: bool) -> None:
        if not sitting.hosting or sitting.driver is not None:
            return
        members = tuple(
            replace(member, ready=ready) if member.key == key else member for member in sitting.roster.members
        )
        if members == sitting.roster.members:
            return
        self._seated(sitting, members)
        if len(members) == sitting.roster.players and all(member.ready for member in members):
            self._begin(sitting)

    def _unseat(self, sitting: Sitting, key: PeerKey) -> None:
        if sitting.hosting and sitting.driver is None and key != self.me().key:
            self._seated(sitting, tuple(member for member in sitting.roster.members if member.key != key))

    def _seated(self, sitting: Sitting, members: tuple[Member, ...]) -> None:
        """The host tells everyone who sits there now."""
        sitting.roster = replace(sitting.roster, members=members)
        for member in members:
            if member.key != self.me().key:
                self._post(member.key, seats.ROSTER, seats.pack_roster(sitting.roster))
        sitting.tell(Seating(sitting.roster))
        self._announce()

    def _on_roster(self, message: Message) -> None:
        roster = seats.read_roster(message.payload)
        sitting = self.sittings.get(roster.id) if roster else None
        if roster is None or sitting is None or message.sender != sitting.host or sitting.driver is not None:
            return
        if (roster.game, roster.players) == (sitting.roster.game, sitting.roster.players) and roster != sitting.roster:
            sitting.roster = roster
            sitting.tell(Seating(roster))

    def _on_gone(self, peer: Peer, *, for_good: bool) -> None:
        for sitting in list(self.sittings.values()):
            if sitting.driver is not None:
                if for_good:
                    sitting.done.add(peer.key)
                seated = any(member.key == peer.key for member in sitting.roster.members)
                if seated and sitting.driver.table.life is Life.SEATING:  # without all keys there is no game
                    self._spawn(self._call_off(sitting), "call off")
            elif sitting.hosting:
                self._unseat(sitting, peer.key)
            elif sitting.host == peer.key:
                self._give_up(sitting, note("host_left"))

    async def _call_off(self, sitting: Sitting) -> None:
        await self._end(sitting)
        sitting.tell(Refusal(note("left_while_seating")))

    def _on_chat(self, message: Message) -> None:
        line = seats.read_chat(message.payload)
        sitting = self.sittings.get(line[0]) if line else None
        if line is None or sitting is None:
            return
        speaker = next((member for member in sitting.roster.members if member.key == message.sender), None)
        if speaker is not None:
            said = Said(speaker.name, clean_text(line[1], seats.MAX_CHAT))
            sitting.talk = [*sitting.talk, said][-TALK:]
            sitting.tell(said)

    def _give_up(self, sitting: Sitting, reason: Note) -> None:
        self.sittings.pop(sitting.id, None)
        self.lan.leave_group(_group(sitting.id))
        sitting.tell(Refusal(reason))

    # --- the game ---------------------------------------------------------------------------------------------

    def _begin(self, sitting: Sitting) -> None:
        game = self._find_game(sitting.roster.game)
        members = tuple(sorted(bytes(member.identity) for member in sitting.roster.members))
        proposal = Proposal(game.id, rules_digest(game), (), members, secrets.token_bytes(32))
        for member in sitting.roster.members:
            if member.key != self.me().key:
                self._post(member.key, seats.BEGIN, seats.pack_begin(sitting.roster, proposal))
        self._play(sitting, proposal)

    def _on_begin(self, message: Message) -> None:
        begin = seats.read_begin(message.payload)
        sitting = self.sittings.get(begin[0].id) if begin else None
        if begin is None or sitting is None or message.sender != sitting.host or sitting.driver is not None:
            return
        roster, proposal = begin
        agreed = sorted(bytes(member.identity) for member in roster.members)
        same_table = (roster.game, roster.players) == (sitting.roster.game, sitting.roster.players)
        if not (same_table and proposal.game == roster.game and list(proposal.members) == agreed):
            self._give_up(sitting, note("proposal_differs"))
            return
        sitting.roster = roster
        try:
            self._play(sitting, proposal)
        except LocalError as error:
            self._give_up(sitting, note(error.name))

    def _play(self, sitting: Sitting, proposal: Proposal) -> None:
        """All are there: from here on the table itself talks, every seat as every other."""
        seed = secrets.token_bytes(32)
        name = self.lan.profile.nickname
        table = self._table(proposal, seed, name)
        journal = None
        if self._folder is not None and self.lan.profile.folder is not None:
            members = [[bytes(m.key).hex(), bytes(m.identity).hex(), m.name] for m in sitting.roster.members]
            setup = {
                "proposal": proposal.encode().hex(),
                "seed": seed.hex(),
                "table": sitting.id,
                "members": members,
                "host": bytes(sitting.host).hex(),
                "profile": self.lan.profile.name,
                "name": name,  # it is in what I have signed: with another I would tell a second story
            }
            journal = Journal(_private(self._folder / "journals") / f"{proposal.table.hex()[:16]}.journal", setup)
        self._drive(sitting, table, journal)
        self._start(sitting)

    def _table(self, proposal: Proposal, seed: bytes, name: str) -> Table:
        profile = self.lan.profile
        return Table(
            proposal,
            self._find_game(proposal.game),
            identity=profile.keys.identity,
            seed=seed,
            name=name,
            now=time.monotonic(),
        )

    def _drive(self, sitting: Sitting, table: Table, journal: Journal | None) -> None:
        keys = {member.identity: member.key for member in sitting.roster.members}
        sitting.driver = Driver(
            table,
            send=lambda packet: self._send(keys, packet),
            tell=lambda news: self._on_news(sitting, news),
            journal=journal,
        )
        self._by_table[table.proposal.table] = sitting
        others = [key for key in keys.values() if key != self.me().key]
        self.lan.seat(others, strangers=GUESTS)

    def _start(self, sitting: Sitting) -> None:
        assert sitting.driver is not None
        sitting.tell(Begun())
        self._announce()
        sitting.driver.start()

    def _on_news(self, sitting: Sitting, news: News) -> None:
        table = sitting.table
        if table is not None and table.life in (Life.OVER, Life.BROKEN) and not sitting.ended:
            sitting.ended = True
            self._save(sitting)
            self._announce()
            for member in sitting.roster.members:
                if member.key != self.me().key:
                    self._post(member.key, seats.DONE, seats.pack(sitting.id))
        sitting.tell(news)

    def _on_table(self, message: Message) -> None:
        """A packet of a table: its name stands in it, after one byte (an entry's after two)."""
        data = message.payload
        name = data[2:34] if data[:1] == b"E" else data[1:33]
        sitting = self._by_table.get(name)
        if sitting is not None and sitting.driver is not None:
            sitting.driver.receive(data, self._handle(message.sender))

    def _handle(self, key: PeerKey) -> Hashable:
        """What a table knows a peer by: its identity; a stranger's key if it has none yet."""
        peer = self.lan.peer(key)
        return peer.identity if peer else key

    def _send(self, keys: Mapping[PublicIdentity, PeerKey], packet: Packet) -> None:
        if packet.to is None:
            targets = [key for key in keys.values() if key != self.me().key]
        elif packet.to in keys:
            targets = [keys[packet.to]]  # type: ignore[index]
        else:
            targets = [peer.key for peer in self.lan.peers() if packet.to in (peer.identity, peer.key)]
        for key in targets:
            self._post(key, seats.TABLE, packet.data)

    async def _end(self, sitting: Sitting, patience: float | None = None) -> None:
        self.sittings.pop(sitting.id, None)
        if sitting.driver is not None:
            table = sitting.driver.table
            if table.life not in ENDED:
                sitting.driver.leave()
            await sitting.driver.stop(patience)
            if sitting.log_path is None:
                self._save(sitting)
            self._by_table.pop(table.proposal.table, None)
            if not self._by_table:
                self.lan.unseat()
        elif sitting.hosting:
            for member in sitting.roster.members:
                if member.key != self.me().key:
                    self._post(member.key, seats.REFUSE, seats.pack(sitting.id))
        else:
            self._post(sitting.host, seats.STAND, seats.pack(sitting.id))
        self.lan.leave_group(_group(sitting.id))
        self._announce()

    def _save(self, sitting: Sitting) -> None:
        """Every log is kept: it proves the game to anyone. A full disk costs the file, not the game."""
        table = sitting.table
        if self._folder is None or table is None or not table.log.steps:
            return
        stamp = time.strftime("%Y%m%d-%H%M%S")
        with contextlib.suppress(OSError):
            path = _private(self._folder / "logs") / f"{stamp}-{table.game.id}-{table.proposal.table.hex()[:8]}"
            path = _unused(path, ".log")
            path.write_bytes(table.save())
            sitting.log_path = path.absolute()
            assert sitting.driver is not None
            if sitting.driver.faces.seen and self.lan.profile.folder is not None:
                write_faces(path, sitting.driver.faces, table.seat)

    # --- coming back ------------------------------------------------------------------------------------------

    def unfinished(self) -> list[Path]:
        """Journals of games that this profile was playing when its program ended."""
        if self._folder is None or not (self._folder / "journals").is_dir():
            return []
        return sorted((self._folder / "journals").glob("*.journal"))

    def resume(self, path: Path) -> Sitting:
        """Go on with the game of this journal. Raises SeatTrouble if it tells too little, or is another profile's."""
        story = read_journal(path)
        if story is None:
            raise SeatTrouble(note("journal_unreadable"))
        try:
            proposal = decode_proposal(bytes.fromhex(story.setup["proposal"]))
            members = tuple(
                Member(PeerKey(bytes.fromhex(key)), PublicIdentity(bytes.fromhex(identity)), name, True)
                for key, identity, name in story.setup["members"]
            )
            host = PeerKey(bytes.fromhex(story.setup["host"]))
            table = self._table(proposal, bytes.fromhex(story.setup["seed"]), str(story.setup["name"]))
        except LocalError as error:
            raise SeatTrouble(note("journal_of_another")) from error
        except (KeyError, ValueError, TypeError) as error:
            raise SeatTrouble(note("journal_unreadable")) from error
        sitting = Sitting(self, Roster(story.setup["table"], proposal.game, len(members), members), host)
        self.sittings[sitting.id] = sitting
        self.lan.join_group(_group(sitting.id))
        self._drive(sitting, table, Journal(path))
        assert sitting.driver is not None
        sitting.driver.recall(story.entries)
        self._start(sitting)
        return sitting

    # --- sending: each peer has its own queue, so that one that does not read holds up nobody else --------------

    def _post(self, key: PeerKey, kind: str, payload: bytes) -> None:
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = asyncio.Queue(MAX_QUEUED)
            self._spawn(self._deliver(key, queue), f"to {key.hex()[:8]}")
        with contextlib.suppress(asyncio.QueueFull):  # it will ask again for what it lacks
            queue.put_nowait((time.monotonic() + PATIENCE, kind, payload))

    async def _deliver(self, key: PeerKey, queue: asyncio.Queue[tuple[float, str, bytes]]) -> None:
        while True:
            deadline, kind, payload = await queue.get()
            try:
                while not await self._sent(key, kind, payload) and time.monotonic() < deadline:
                    await asyncio.sleep(RETRY)
            finally:
                queue.task_done()

    async def _sent(self, key: PeerKey, kind: str, payload: bytes) -> bool:
        """False: not there now. A table repairs what is lost, a seating is asked for again."""
        try:
            await self.lan.send(key, kind, payload)
        except Unreachable:
            return False
        except TooLarge:
            return True
        self.bytes_sent += len(payload)
        return True

    async def _flush(self, seconds: float = STOP_QUEUES) -> None:
        """What is queued leaves, if it can within this time."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*(queue.join() for queue in self._queues.values())), seconds)


def _group(table_id: str) -> str:
    return f"table.{table_id}"


def _unused(path: Path, suffix: str) -> Path:
    """Several seats of one table may share a user data folder."""
    for number in range(2, 100):
        found = path.with_name(path.name + suffix)
        if not found.exists():
            return found
        path = path.with_name(f"{path.name.partition('.')[0]}.{number}")
    raise FileExistsError(str(path))


def _private(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        os.chmod(folder, 0o700)
    return folder
