"""The demo's director: starts peers as processes of their own, hears what they tell, and says in a few sentences what
the protocol does.

Law: no peer itself, and no part of the game: it passes nothing on between them, all it does is start, listen and end.
"""

from __future__ import annotations

import contextlib
import json
import queue
import secrets
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from cli.children import Children
from cli.output import Failed, narrate
from cli.words import sentence
from engine.game import Game, Note
from engine.shelf import find

NAMES = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy", "Fibonacci")
SILENCE = 120.0  # seconds without a word from anyone: something is wrong


@dataclass
class Heard:
    """What the peers have told, as far as the result needs it."""

    first_beacon: float = float("inf")
    dealt: dict[str, float] = field(default_factory=dict)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)


class Demo:
    def __init__(self, game: Game[Any], players: int, seed: int | None) -> None:
        self.game = game
        self.names = NAMES[:players]
        self._seed = seed
        self._children = Children()
        self._processes: dict[str, subprocess.Popen[str]] = {}
        self._errors: dict[str, IO[str]] = {}
        self._rows: queue.SimpleQueue[tuple[str, dict[str, Any] | None]] = queue.SimpleQueue()
        self._heard = Heard()
        self._said: set[Any] = set()
        self._seats: list[str] = []
        self._proven: set[int] = set()
        self._files = contextlib.ExitStack()

    def play(self) -> Heard:
        """One whole game. Raises Failed."""
        table, port = secrets.token_hex(6), free_udp_port()
        lo = loopback()
        with _terminated_like_interrupted(), self._files, contextlib.closing(self._children):
            for index, name in enumerate(self.names):
                line = (
                    ["host", self.game.id, "--players", str(len(self.names))] if index == 0 else ["bot", "--games", "1"]
                )
                line += ["--table", table, "--name", name, "--throw-away", "--json", "--until-eof"]
                line += ["--lan-port", str(port), "--port", "0", "--interface", lo]
                line += ["--protocol"] if index == 0 else ["--no-log"]
                line += [] if self._seed is None else ["--seed", str(self._seed * 1000 + index)]
                self._start(name, line)
            narrate(
                f"{len(self.names)} programs on this machine: {', '.join(self.names)}. "
                "Each has just made its own keys, and knows of no other."
            )
            while len(self._heard.results) < len(self.names):
                self._listen()
        return self._heard

    def _start(self, name: str, line: list[str]) -> None:
        self._errors[name] = self._files.enter_context(tempfile.TemporaryFile("w+"))  # noqa: SIM115
        process = self._children.start(line, stdout=subprocess.PIPE, stderr=self._errors[name])
        self._processes[name] = process
        threading.Thread(target=self._read, args=(name, process.stdout), daemon=True, name=name).start()

    def _read(self, name: str, lines: IO[str]) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in lines:
                self._rows.put((name, json.loads(line)))
        self._rows.put((name, None))

    def _listen(self) -> None:
        try:
            name, row = self._rows.get(timeout=SILENCE)
        except queue.Empty:
            raise Failed(f"The demo stopped: for {SILENCE:.0f} s no peer has told anything.") from None
        if row is None:
            if name not in self._heard.results:
                raise Failed(f"The demo stopped: the program of {name} ended. {self._last_words(name)}")
            return
        heard, event = self._heard, row["event"]
        if event == "started":
            heard.first_beacon = min(heard.first_beacon, row["at"])
        elif event == "dealt":
            heard.dealt.setdefault(name, row["at"])
            if len(heard.dealt) == len(self.names):
                setup = max(heard.dealt.values()) - heard.first_beacon
                narrate(f"Every hand is dealt, {setup:.1f} s after the first beacon. Nobody has seen another's card.")
        elif event == "result":
            if row.get("error"):
                raise Failed(f"The demo stopped: {name} says: {row['error']}")
            heard.results[name] = row
        if name == self.names[0]:
            self._narrate(event, row)

    def _last_words(self, name: str) -> str:
        self._errors[name].seek(0)
        lines = self._errors[name].read().strip().splitlines()
        return f"Its last words: {lines[-1]}" if lines else ""

    # --- what the protocol does, heard from the first peer ----------------------------------------------------------

    def _narrate(self, event: str, row: dict[str, Any]) -> None:
        match event:
            case "seated" if len(row["names"]) == row["players"]:
                self._once("met", "By beacons over UDP they found each other; all links are encrypted.")
            case "seats":
                self._seats = row["names"]
                narrate(f"Seats by a lot nobody could bend: {', '.join(self._seats)}.")
            case "spoke" if row["stage"] == "link" and not self._heard.dealt:
                narrate(
                    f"{self._seats[row['seat']]} shuffles and re-encrypts the deck: a proof of {row['bytes']:,} bytes."
                )
            case "proven":
                self._proven.update(row["seats"])
                if len(self._proven) == len(self.names):
                    self._once("proven", "Every shuffle's proof is verified, by every seat: no card was swapped.")
            case "spoke":
                self._explain(row["stage"])
            case "news":
                self._tell(row)
            case "lost" | "gone" | "accused":
                narrate(f"{self._seats[row['seat']]}: {event.replace('_', ' ')}.")
            case "result":
                narrate("The game is over; every seat has signed the result.")
                for told in (row["result"]["reason"], *row["result"]["details"]):
                    self._tell(told)

    def _tell(self, row: dict[str, Any]) -> None:
        """The note in this row, as a sentence."""
        pairs = ((key, value) for key, value in row.items() if key not in _FRAME)
        values = tuple((key, tuple(value) if isinstance(value, list) else value) for key, value in pairs)
        narrate(f"  {sentence(Note(row['name'], values), self._seats.__getitem__, self.game.face)}")

    def _explain(self, stage: str) -> None:
        """The first time something happens, what it is for."""
        text = EXPLAINED.get(stage)
        if text:
            self._once(stage, text)

    def _once(self, what: str, text: str) -> None:
        if what not in self._said:
            self._said.add(what)
            narrate(text)


_FRAME = {"event", "at", "name"}

EXPLAINED = {
    "seal": "Each seals a random number, then all are shown: together they draw the seats.",
    "key": "Each proves that it knows the secret of its card key. A card opens only with everyone's part.",
    "share": "To deal or turn a card the others give their parts, each with a proof.",
    "commit": "All choices are committed to before any is shown: only hashes are on the table.",
    "reveal": "All commitments are in; now the choices are shown, and each must fit its hash.",
    "give": "Cards change hands encrypted; a proof shows that it is the card committed to.",
    "answer": "Who says it cannot move proves it, without showing its hand.",
    "hand_over": "Who is out hands over its part of every hidden card, so that the others can play on.",
    "play": "Moves are signed, and the rules are checked by every seat for itself.",
}


def free_udp_port() -> int:
    """A port for this demo's beacons alone, so that demos at the same time do not hear each other."""
    for _ in range(100):
        port = 20_000 + secrets.randbelow(12_000)  # below where systems take short-lived ports from
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("", port))  # without sharing it: fails if any program has it
            return port
    raise Failed("No UDP port is free on this machine.")


def loopback() -> str:
    """The interface that leads nowhere but to this machine."""
    from p2p.net.interfaces import read_interfaces

    for interface in read_interfaces():
        if interface.loopback:
            return interface.name
    raise Failed("This machine's loopback interface is down: switch it on (`ip link set lo up`) and try again.")


@contextlib.contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def verified(log: str, heard: Heard) -> bool:
    """Did every seat end with the same log, and does a stranger who checks it from its bytes find nothing wrong?"""
    from pathlib import Path

    from cli.output import Progress
    from p2p.verify import messages_of, verify_log

    data = Path(log).read_bytes()
    narrate("Now a stranger checks the log from its bytes alone: signatures, proofs, commitments, moves, result.")
    with Progress(len(messages_of(data)), "messages checked") as progress:
        verdict = verify_log(data, find, progress.advance)
    same = len({row["digest"] for row in heard.results.values()}) == 1
    return same and verdict.ok and verdict.finished


__all__ = ["Demo", "Heard", "verified"]
