"""Who may import whom, read from the code itself.

    folder            may import of ours                      must not touch
    engine/           engine                                  clock, randomness, IO, logging, network, processes
    engine/games/*    engine.cards, engine.game               the same, and another game, and any trick to import one
    p2p/crypto/       p2p.crypto                              clock, entropy, IO (randomness comes in as an argument)
    p2p/, not net     p2p except net; engine.game, .cards     clock, entropy, IO, network, asyncio, processes
    p2p/net/          p2p; engine.game, .cards                -
    cli/              everything                              -

Law: knows folders and names of modules, nothing of what is in them. The first row that fits a file's path counts.
`RULES` is this table; the rest reads syntax trees and compares. An import counts wherever it stands: in a function,
under TYPE_CHECKING, relative, or called by name.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("engine", "p2p", "cli")

CLOCK = {"time", "datetime", "calendar", "sched", "timeit"}
CHANCE = {"random", "secrets", "uuid", "numpy"}
IO = {
    "os",
    "io",
    "sys",
    "pathlib",
    "shutil",
    "tempfile",
    "glob",
    "fileinput",
    "platformdirs",
    "sqlite3",
    "pickle",
    "shelve",
}
LOGS = {"logging", "warnings", "syslog", "traceback"}
NETWORK = {"socket", "ssl", "select", "selectors", "http", "urllib", "zmq", "psutil"}
PROCESSES = {"threading", "multiprocessing", "subprocess", "concurrent", "asyncio", "signal", "ctypes", "contextvars"}

#: Built-in calls by which a pure file would reach the outside …
OUTSIDE_CALLS = {"open", "print", "input", "breakpoint", "globals", "vars"}
#: … or, in the rules, depend on what differs from process to process.
UNSTABLE_CALLS = {"hash", "id"}
#: Ways to import or run what no import statement shows.
DYNAMIC_CALLS = {"__import__", "exec", "eval", "compile"}
DYNAMIC_MODULES = {"importlib", "imp", "pkgutil", "runpy"}
#: Entropy that hides in libraries which are otherwise welcome.
ENTROPY_NAMES = {
    "urandom", "getrandom", "randombytes", "randombytes_buf", "SystemRandom", "generate",
    "crypto_core_ristretto255_random", "crypto_core_ristretto255_scalar_random",
}  # fmt: skip

#: The only files that import by name, because finding things by themselves is what they are for.
FINDERS = {"engine/shelf.py", "cli/main.py"}


@dataclass(frozen=True)
class Rule:
    folder: str
    ours: tuple[str, ...]  # modules or packages of ours it may import, with everything below them
    not_ours: tuple[str, ...] = ()  # … except these
    modules: frozenset[str] = frozenset()  # top-level modules that are forbidden
    names: frozenset[str] = frozenset()  # attributes and imported names that are forbidden
    calls: frozenset[str] = frozenset()  # built-ins that must not be called


PURE = frozenset(CLOCK | CHANCE | IO | LOGS | NETWORK | PROCESSES)
OUTSIDE = frozenset(OUTSIDE_CALLS)
RULES_CALLS = frozenset(OUTSIDE_CALLS | UNSTABLE_CALLS)
#: A table may be handed an executor (`concurrent.futures`), never make threads of its own.
SANS_IO = PURE - {"concurrent"}
ENTROPY = frozenset(ENTROPY_NAMES)
CONTRACT = ("engine.game", "engine.cards")

RULES = (
    Rule("engine/games/", CONTRACT, modules=PURE, calls=RULES_CALLS),
    Rule("engine/", ("engine",), modules=PURE, calls=RULES_CALLS),
    Rule("p2p/crypto/", ("p2p.crypto",), modules=PURE, names=ENTROPY, calls=OUTSIDE),
    Rule("p2p/net/", ("p2p", *CONTRACT)),
    Rule("p2p/", ("p2p", *CONTRACT), not_ours=("p2p.net",), modules=SANS_IO, names=ENTROPY, calls=OUTSIDE),
    Rule("cli/", OURS),
)


def violations(path: str, source: str, is_module: frozenset[str]) -> list[str]:
    """What this file does that its folder must not, one sentence each. `is_module`: dotted names that are modules."""
    rule = next(rule for rule in RULES if path.startswith(rule.folder))
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        line = f"{path}:{getattr(node, 'lineno', 0)}"
        for module in imported(node, path, is_module):
            if module.split(".")[0] in OURS:
                if not below(module, rule.ours) or below(module, rule.not_ours):
                    found.append(f"{line} imports {module}")
            elif module.split(".")[0] in rule.modules:
                found.append(f"{line} imports {module}")
            elif module.split(".")[0] in DYNAMIC_MODULES and path not in FINDERS:
                found.append(f"{line} imports {module}, which imports by name")
        for name in spoken(node):
            if name in rule.names:
                found.append(f"{line} uses {name}")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            if node.id in rule.calls:
                found.append(f"{line} uses {node.id}()")
            if node.id in DYNAMIC_CALLS:
                found.append(f"{line} uses {node.id}(), which shows no import")
    return found


def imported(node: ast.AST, path: str, is_module: frozenset[str]) -> list[str]:
    """The full names of the modules this node imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = node.module or ""
    if node.level:
        package = path.removesuffix(".py").split("/")[: -node.level]
        base = ".".join([*package, *([node.module] if node.module else [])])
    # `from engine import games` imports a module, `from engine.game import Move` only what is in one.
    inner = [f"{base}.{alias.name}" for alias in node.names]
    modules = [name for name in inner if name in is_module]
    return modules if len(modules) == len(inner) else [base, *modules]


def spoken(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Attribute):
        return [node.attr]
    if isinstance(node, ast.ImportFrom):
        return [alias.name for alias in node.names]
    return [node.id] if isinstance(node, ast.Name) else []


def below(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def our_files() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for folder in OURS for path in (ROOT / folder).rglob("*.py"))


def our_modules(paths: list[str]) -> frozenset[str]:
    return frozenset(path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in paths)


@pytest.mark.parametrize("path", our_files())
def test_a_file_keeps_to_its_row_of_the_table(path: str) -> None:
    """Every file of ours imports and touches only what the table above allows its folder."""
    assert violations(path, (ROOT / path).read_text(), our_modules(our_files())) == []


def test_every_folder_has_a_row() -> None:
    """No package of ours lies outside the table."""
    assert {path.split("/")[0] for path in our_files()} == set(OURS)
    assert all(any(path.startswith(rule.folder) for rule in RULES) for path in our_files())


MODULES = our_modules(
    ["engine/cards.py", "engine/game.py", "engine/bots.py", "engine/games/a.py", "engine/games/b.py", "p2p/table.py"]
    + ["p2p/net/node.py", "p2p/crypto/deck.py", "cli/main.py"]
    + [f"{package}/__init__.py" for package in ("engine", "engine/games", "p2p", "p2p/net", "p2p/crypto", "cli")]
)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/bots.py", "import random"),
        ("engine/bots.py", "from time import monotonic"),
        ("engine/bots.py", "import os.path"),
        ("engine/bots.py", "import logging"),
        ("engine/bots.py", "def f():\n    import io"),
        ("engine/bots.py", "open('x')"),
        ("engine/bots.py", "print('x')"),
        ("engine/bots.py", "say = print"),
        ("engine/bots.py", "order = hash(card)"),
        ("engine/bots.py", "import p2p.table"),
        ("engine/bots.py", "from p2p import table"),
        ("engine/bots.py", "from ..p2p import table"),
        ("engine/bots.py", "from cli.main import main"),
        ("engine/bots.py", "if TYPE_CHECKING:\n    from p2p.table import Table"),
        ("engine/bots.py", "__import__('random')"),
        ("engine/bots.py", "importer = __import__"),
        ("engine/bots.py", "import importlib"),
        ("engine/bots.py", "from importlib import import_module"),
        ("engine/bots.py", "exec('import random')"),
        ("engine/games/a.py", "from engine.games import b"),
        ("engine/games/a.py", "from engine.games.b import thing"),
        ("engine/games/a.py", "from . import b"),
        ("engine/games/a.py", "from .b import thing"),
        ("engine/games/a.py", "from engine import bots"),
        ("engine/games/a.py", "from .. import bots"),
        ("engine/games/a.py", "import engine.bots"),
        ("p2p/crypto/deck.py", "import p2p.table"),
        ("p2p/crypto/deck.py", "from .. import table"),
        ("p2p/crypto/deck.py", "from engine.cards import Card"),
        ("p2p/crypto/deck.py", "import secrets"),
        ("p2p/crypto/deck.py", "rbcl.crypto_core_ristretto255_scalar_random()"),
        ("p2p/crypto/deck.py", "from rbcl import randombytes"),
        ("p2p/table.py", "from p2p import net"),
        ("p2p/table.py", "from p2p.net.node import Node"),
        ("p2p/table.py", "from .net import node"),
        ("p2p/table.py", "import asyncio"),
        ("p2p/table.py", "from engine.games.a import Game"),
        ("p2p/table.py", "from engine import games"),
        ("p2p/table.py", "Ed25519PrivateKey.generate()"),
        ("p2p/net/node.py", "import cli"),
        ("p2p/net/node.py", "import engine.games.a"),
        ("cli/output.py", "import importlib"),
    ],
)
def test_a_breach_is_seen(path: str, source: str) -> None:
    """The check can fail: each of these lines, put where it must not be, is found."""
    assert violations(path, source, MODULES)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/bots.py", "from engine.game import Move, View"),
        ("engine/bots.py", "from . import game"),
        ("engine/bots.py", "import math\nfrom collections.abc import Sequence"),
        ("engine/shelf.py", "import importlib, pkgutil"),
        ("engine/games/a.py", "from engine.cards import Card\nfrom engine.game import Game"),
        ("engine/games/a.py", "from ..cards import Card"),
        ("engine/games/a.py", "class A:\n    id = 'a'\n\nprint_it = A.id"),
        ("p2p/crypto/deck.py", "from p2p.crypto import group\nimport hashlib, rbcl"),
        ("p2p/crypto/deck.py", "from . import group"),
        ("p2p/table.py", "from concurrent.futures import Executor"),
        ("p2p/table.py", "from engine.game import Need\nfrom p2p.crypto import deck\nimport msgpack"),
        ("p2p/net/node.py", "import asyncio, os, time, zmq\nfrom p2p import table\nfrom engine.game import Game"),
        ("cli/main.py", "import importlib, engine.games.a\nfrom p2p.net import node"),
    ],
)
def test_what_is_allowed_passes(path: str, source: str) -> None:
    """The check does not cry wolf."""
    assert violations(path, source, MODULES) == []
