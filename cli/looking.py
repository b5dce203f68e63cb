"""Commands that only look at the network: a peer of no lasting identity, who sits down nowhere and is remembered by
nobody.

Law: opens and closes it; each command says what it saw.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
from collections.abc import Callable
from typing import Any

from cli.net_words import net_sentence
from cli.output import Failed, Progress, WrongUse
from cli.peer_arguments import use_home
from cli.signals import run_until_stopped
from p2p.net.acquaintances import Acquaintances
from p2p.net.errors import CannotStart, ProfileTrouble
from p2p.net.keys import Keys
from p2p.net.lan import Lan, LanSettings
from p2p.net.presence import Peer
from p2p.net.profile import Profile, glance

ROLE = {"X-ROLE": "look"}
STEP = 0.1


def settings(args: argparse.Namespace) -> LanSettings:
    return LanSettings(args.lan_port, args.port, tuple(args.interface), ROLE)


def onlooker(args: argparse.Namespace) -> Profile:
    """Somebody new each time, who knows whom the player's own profile knows."""
    use_home(args)
    try:
        own = glance(args.profile)
    except ProfileTrouble as trouble:
        raise WrongUse(net_sentence(trouble.note)) from None
    people = own.people if own else Acquaintances()
    return Profile("", Keys(secrets.token_bytes(32)), own.nickname if own else "?", people, None)


def look(args: argparse.Namespace, what: str, report: Callable[[Lan], int]) -> int:
    """Take part for `--seconds`, then report what is seen."""

    async def work() -> int:
        lan = Lan(onlooker(args), settings(args))
        try:
            await lan.start()
        except CannotStart as problem:
            raise Failed(net_sentence(problem.note)) from None
        try:
            steps = max(1, round(args.seconds / STEP))
            with Progress(steps, what) as progress:
                for _ in range(steps):
                    await asyncio.sleep(STEP)
                    progress.advance()
            return report(lan)
        finally:
            await lan.stop()

    return run_until_stopped(work)


def told_of(peer: Peer, lan: Lan) -> dict[str, Any]:
    """A peer as JSON."""
    return {
        "name": peer.name,
        "words": peer.identity.words,
        "identity": peer.identity.hex(),
        "key": peer.key.hex(),
        "status": peer.status.value,
        "address": peer.address,
        "role": peer.headers.get("X-ROLE", "play"),
        "trust": lan.trust(peer.key).value,
    }


def troubles(lan: Lan) -> list[dict[str, str]]:
    return [{"name": trouble.name, "sentence": net_sentence(trouble)} for _, trouble in lan.troubles()]
