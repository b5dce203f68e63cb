"""`nodealer doctor`: why peers are not found, and what to do about it."""

from __future__ import annotations

import argparse
from typing import Any

from cli.looking_arguments import add_looking


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "doctor",
        help="find out why nobody is seen",
        description="Look at this computer's networks: which are up, whether beacons leave and come back, whether the "
        "ports are free and reachable, who else is there; and say what to do. Exit code 1: something here is broken.",
    )
    add_looking(parser)


def run(args: argparse.Namespace) -> int:
    from cli import looking
    from cli.net_words import net_sentence
    from cli.output import DONE, FAILED, Progress, emit
    from cli.signals import run_until_stopped
    from p2p.net.doctor import Level, diagnose, firewall_hints, interface_echo, observe

    async def work() -> int:
        steps = max(1, round(args.seconds / looking.STEP))
        with Progress(steps, "looking around") as progress:
            seen = await observe(looking.onlooker(args), looking.settings(args), args.seconds, progress.advance)
        findings = diagnose(seen)
        well = all(finding.level is not Level.BAD for finding in findings)
        hints = [] if well and seen.peers else firewall_hints(seen.settings)
        if args.json:
            emit(
                {
                    "ok": well,
                    "peers": seen.peers,
                    "udp_port": seen.settings.udp_port,
                    "tcp_port": seen.port,
                    "interfaces": [
                        {
                            "name": interface.name,
                            "addresses": [*(host for host, _ in interface.ipv4), *interface.ipv6],
                            "echo": interface_echo(interface, seen.echoes),
                        }
                        for interface in seen.interfaces
                    ],
                    "findings": [
                        {
                            "level": finding.level.name.lower(),
                            "name": finding.note.name,
                            "sentence": net_sentence(finding.note),
                        }
                        for finding in findings
                    ],
                    "hints": [net_sentence(hint) for hint in hints],
                }
            )
            return DONE if well else FAILED
        marks = {Level.BAD: "[!!]", Level.ODD: "[ ?]", Level.FINE: "[ok]"}
        for finding in findings:
            print(f"{marks[finding.level]} {net_sentence(finding.note)}")
        for hint in hints:
            print(f"     {net_sentence(hint)}")
        return DONE if well else FAILED

    return run_until_stopped(work)
