"""A peer without a screen: opens a profile and the network, lets a bot play, tells what happens, says goodbye.

Law: shared by `host`, `join`, `bot` and `resume`; knows no game by name. Whatever state it is in, a signal ends it
within a second, with a goodbye to everyone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import secrets
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from random import Random
from typing import Any

from cli.net_words import net_sentence
from cli.output import DONE, FAILED, Failed, WrongUse
from cli.peer_arguments import check_pause, use_home
from cli.report import Report
from cli.signals import heeding_signals
from engine.bots import bot
from engine.shelf import find
from p2p import events
from p2p.net.driver import Happened, Refused, Stopped
from p2p.net.errors import CannotStart, NetError, ProfileTrouble
from p2p.net.lan import Lan, LanSettings
from p2p.net.node import Begun, Node, Refusal, Said, Seating, Sitting
from p2p.net.postbox import Warned
from p2p.net.profile import Profile, home, open_profile, throw_away
from p2p.net.worker import Worker
from p2p.states import Life

INTERRUPTED = 130  # as shells expect it (128 + SIGINT)


@dataclass
class Peer:
    """What a command works with once everything is open."""

    node: Node
    report: Report
    args: argparse.Namespace
    chance: Random
    thinker: Worker


def run(args: argparse.Namespace, work: Callable[[Peer], Coroutine[Any, Any, int]]) -> int:
    """Open a peer, do this work with it, close it. The exit code."""
    use_home(args)
    check_pause(args)
    loop_factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(_run(args, work))


async def _run(args: argparse.Namespace, work: Callable[[Peer], Coroutine[Any, Any, int]]) -> int:
    stop = asyncio.Event()
    with heeding_signals(stop):
        if args.until_eof:
            _heed_end_of_input(stop)
        report = Report(json=args.json, protocol=args.protocol)
        with _open_profile(args, report) as profile:
            lan = Lan(profile, LanSettings(args.lan_port, args.port, tuple(args.interface)))
            node = Node(lan, find, None if args.no_log else home())
            chance = Random(secrets.randbits(64) if args.seed is None else args.seed)
            peer = Peer(node, report, args, chance, Worker("bot"))
            report.started(profile, lan)
            try:
                await node.start()
            except CannotStart as error:
                raise Failed(net_sentence(error.note)) from error
            node.listen(lambda event: report.say(net_sentence(event.note)) if isinstance(event, Warned) else None)
            try:
                return await _until_stopped(work(peer), stop, report)
            finally:
                await node.stop()


async def _until_stopped(work: Coroutine[Any, Any, int], stop: asyncio.Event, report: Report) -> int:
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return await working
        report.say("Goodbye.")
        return INTERRUPTED
    finally:
        for task in (working, stopping):
            task.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)


def _heed_end_of_input(stop: asyncio.Event) -> None:
    """Whoever started this program holds the other end: when it dies, however it dies, this one says goodbye."""
    loop, descriptor = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        with contextlib.suppress(OSError):
            while os.read(descriptor, 1024):
                pass
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(stop.set)

    threading.Thread(target=read, daemon=True, name="stdin").start()


def _open_profile(args: argparse.Namespace, report: Report) -> Profile:
    if args.throw_away and args.profile:
        raise WrongUse("--throw-away and --profile contradict each other.")
    try:
        profile = throw_away(args.name) if args.throw_away else open_profile(args.profile)
    except ProfileTrouble as error:
        wrong = error.note.name == "profile_bad_name"
        raise (WrongUse if wrong else Failed)(net_sentence(error.note)) from error
    if args.name and not args.throw_away:
        profile.nickname = throw_away(args.name).nickname
    for told in profile.notices:
        report.say(net_sentence(told))
    return profile


# --- playing ------------------------------------------------------------------------------------------------------


async def play(peer: Peer, sitting: Sitting) -> int:
    """Sit there, ready, until the game is over; a bot decides. Emits the result. DONE or FAILED."""
    report, args = peer.report, peer.args
    chooser = bot(args.level, find(sitting.roster.game), Random(peer.chance.getrandbits(64)))
    async for told in sitting.told():
        match told:
            case Seating():
                report.seated(sitting)
                if not sitting.wants_ready:
                    sitting.ready()
            case Begun():
                report.begun(sitting)
            case Refusal(reason):
                return report.failed(sitting, net_sentence(reason))
            case Said(name, text):
                report.said(name, text)
            case Stopped(reason):
                return report.failed(sitting, f"The game cannot go on here: {reason}.")
            case Happened(event):
                report.happened(sitting, event)
                if isinstance(event, events.Asked):
                    await _decide(peer, sitting, chooser)
            case Refused():  # asked once more after others had gone, and the first answer already counts
                await _decide(peer, sitting, chooser)
        table = sitting.table
        if sitting.ended and table is not None and sitting.idle:
            break
    table = sitting.table
    assert table is not None
    if table.life is not Life.OVER:
        return report.failed(sitting, "The game was broken off: somebody cheated before it could begin.")
    if sitting.missing():
        report.say("Waiting for everybody to have the result.")
    await sitting.settled()
    report.result(peer.node, sitting)
    return DONE


async def _decide(peer: Peer, sitting: Sitting, chooser: Callable[[Any], Any]) -> None:
    view = sitting.view
    if view is None or not view.moves or sitting.table is None or not sitting.table.must_decide:
        return
    began = time.monotonic()
    move = await peer.thinker.run(lambda: chooser(view))
    await asyncio.sleep(max(0.0, peer.args.pause - (time.monotonic() - began)))
    sitting.play(move)


async def open_tables(node: Node, table_id: str | None, tried: set[str]) -> AsyncIterator[Any]:
    """Announced tables with a free seat, as they appear, each once: (host, notice)."""
    while True:
        for host, notice in node.tables():
            name = str(notice["id"])
            if name in tried or (table_id is not None and name != table_id):
                continue
            if notice.get("state") == "open" and _free(notice):
                tried.add(name)
                yield host, notice
        await asyncio.sleep(0.02)


def _free(notice: Any) -> bool:
    seats, taken = notice.get("seats"), notice.get("taken")
    return isinstance(seats, int) and isinstance(taken, int) and taken < seats


def sit_down(peer: Peer, host: Any, notice: Any) -> Sitting | None:
    """None, with a sentence said, for a table that cannot be played here."""
    from engine.game import ContractError

    try:
        return peer.node.sit_down(host, notice)
    except NetError as error:
        peer.report.say(net_sentence(error.note))
    except ContractError:
        peer.report.say(f"{host.name} plays `{notice.get('game')}`, which is not installed here.")
    return None


__all__ = ["DONE", "FAILED", "INTERRUPTED", "Peer", "open_tables", "play", "run", "sit_down"]
