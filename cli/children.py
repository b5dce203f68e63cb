"""Peers of our own as child processes: started together, ended together, none left behind.

Law: each child watches its standard input, whose other end only we hold: when we end, even by a kill, it says goodbye.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

import cli

ROOT = str(Path(cli.__file__).parents[1])
PATIENCE = 0.7  # seconds for a goodbye


def peer_command(
    command: str,
    args: argparse.Namespace,
    *,
    name: str,
    seed: int | None,
    table: str,
    throw_away: bool,
    log: bool,
    games: int | None = None,
) -> list[str]:
    """The command line of a child that plays like us, on the same network."""
    line = [command, "--table", table, "--name", name, "--level", args.level, "--until-eof"]
    line += ["--lan-port", str(args.lan_port), "--port", str(args.port), "--pause", str(args.pause)]
    for interface in args.interface:
        line += ["--interface", interface]
    line += ["--games", str(games)] if games is not None else []
    line += ["--seed", str(seed)] if seed is not None else []
    line += ["--throw-away"] if throw_away else []
    line += [] if log else ["--no-log"]
    return line


class Children:
    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[str]] = []

    def start(
        self, line: list[str], *, stdout: int = subprocess.DEVNULL, stderr: int | IO[Any] = subprocess.DEVNULL
    ) -> Any:
        inherited = os.environ.get("PYTHONPATH")
        path = os.pathsep.join([ROOT, inherited] if inherited else [ROOT])
        process = subprocess.Popen(
            [sys.executable, "-m", "cli", *line],
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=stderr,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.processes.append(process)
        return process

    def close(self) -> None:
        """They say goodbye; whoever does not in time is killed."""
        for process in self.processes:
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                process.stdin.close()
        deadline = time.monotonic() + PATIENCE
        for process in self.processes:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
