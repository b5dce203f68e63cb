"""`nodealer completion SHELL`: a script that lets the shell complete commands, options and their values."""

from __future__ import annotations

import argparse
from typing import Any

from cli.completion import SHELLS
from cli.output import DONE


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "completion",
        help="print a script that completes commands in your shell",
        description='Print a completion script. bash: eval "$(nodealer completion bash)" in ~/.bashrc. '
        'zsh: eval "$(nodealer completion zsh)" in ~/.zshrc, after compinit. '
        "fish: nodealer completion fish > ~/.config/fish/completions/nodealer.fish",
    )
    parser.add_argument("shell", choices=tuple(SHELLS), metavar="SHELL", help=", ".join(SHELLS))


def run(args: argparse.Namespace) -> int:
    from cli.main import build_parser

    print(SHELLS[args.shell](build_parser()), end="")
    return DONE
