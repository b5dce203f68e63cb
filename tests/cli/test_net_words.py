"""Every note of the network has its sentence, and every sentence its values."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

from cli.net_words import NET_SENTENCES, net_sentence
from engine.game import note
from p2p.net.link import LinkNews

ROOT = Path(__file__).parents[2]
#: The files below the node: what they tell are names and values of the network alone.
LAN = [
    *("acquaintances", "beacon", "doctor", "gate", "greeting", "inbox", "invite", "lan", "link", "members"),
    *("peerbook", "profile", "reception", "seeking", "transport"),
]


def notes() -> dict[str, set[str]]:
    """Every `note("name", values...)` in those files: name -> names of values."""
    found: dict[str, set[str]] = {}
    for file in LAN:
        for node in ast.walk(ast.parse((ROOT / "p2p" / "net" / f"{file}.py").read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "note"):
                continue
            values = {keyword.arg or "" for keyword in node.keywords}
            for name in names(node.args[0]):
                found.setdefault(name, values)
    return found


def names(argument: ast.expr) -> list[str]:
    if isinstance(argument, ast.Constant):
        return [str(argument.value)]
    if isinstance(argument, ast.IfExp):
        return [*names(argument.body), *names(argument.orelse)]
    if isinstance(argument, ast.JoinedStr):  # f"link_{news.value}"
        return [f"link_{news.value}" for news in LinkNews if news not in (LinkNews.UP, LinkNews.DOWN)]
    return ["doctor_tunnel", "doctor_no_broadcast"]  # chosen in a variable just before


NOTES = notes()


def test_the_notes_are_found() -> None:
    """The search itself works."""
    assert len(NOTES) > 50


@pytest.mark.parametrize("name", sorted(NOTES))
def test_each_note_has_a_sentence_that_its_values_fill(name: str) -> None:
    """No placeholder without a value, no name shown raw, and it ends like a sentence."""
    template = NET_SENTENCES[name]
    wanted = {field for _, field, _, _ in string.Formatter().parse(template) if field}
    assert wanted <= NOTES[name]
    filled = net_sentence(note(name, **dict.fromkeys(NOTES[name], "x")))
    assert "{" not in filled
    assert filled[-1] in ".?x"


@pytest.mark.parametrize("name", sorted(NET_SENTENCES))
def test_no_sentence_is_left_over(name: str) -> None:
    """A sentence for a note that nothing says any more would only have to be translated."""
    everything = "".join(path.read_text() for path in (ROOT / "p2p").rglob("*.py"))
    assert name in NOTES or f'"{name}"' in everything
