"""Draws the tables of p2p/states.py and the grammar of p2p/wire.py as text, for PROTOCOL.md.

Law: pure; decides nothing and reads no file. What it draws is the data the code runs on, so the page cannot be older
than the code: a test draws it again and compares. `python bench/draw_states.py` rewrites the page.

A drawn part of a page stands between `<!-- drawn: NAME -->` and `<!-- end of NAME -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from p2p.errors import Rule
from p2p.states import DECISIONS, FLOWS, LIVES, RECEPTION, TAKES, Flow, Heard, Life, Stage, Turn, When
from p2p.wire import BODIES, GRAMMAR, Body, Size

_MARKED = re.compile(r"(<!-- drawn: (\w+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL)


def redraw(page: str) -> str:
    """The page with every drawn part drawn anew. KeyError for a part nobody can draw."""
    return _MARKED.sub(lambda found: f"{found[1]}{PARTS[found[2]]()}\n{found[3]}", page)


def messages() -> str:
    """Every kind of message and its fields."""
    rows = []
    for kind, body in sorted(BODIES.items()):
        fields = ", ".join(f"`{name}` {_extent(type_, size)}" for name, type_, size in GRAMMAR[kind])
        rows.append((str(kind), f"`{body.__name__}`", _sentence(body), fields or "nothing"))
    return _table(("kind", "name", "what it says", "fields, in order"), rows)


def stages() -> str:
    """What each stage waits for."""
    return _table(
        ("stage", "takes", "waits for"),
        [
            (f"`{stage.value}`", f"`{TAKES[stage].__name__}`", "a person" if stage in DECISIONS else "a machine")
            for stage in Stage
        ],
    )


def flows() -> str:
    """The stages each need goes through."""
    needs: dict[Flow, list[str]] = {flow: [] for flow in Flow}
    for need, flow in FLOWS.items():
        needs[flow].append(f"`{need.__name__}`")
    rows = []
    for flow in Flow:
        steps = " → ".join(f"`{stage.value}`{' (each in turn)' * (stage is Stage.LINK)}" for stage in flow.value)
        rows.append((", ".join(needs[flow]) or f"({flow.name.lower()})", steps))
    return _table(("need of the rules", "stages"), rows)


def reception() -> str:
    """What is done with a rightly signed message."""
    rows = [(when.value, *(RECEPTION[when, heard].value for heard in Heard)) for when in When]
    return _table(("its step is …", *(f"held of its author: {heard.value}" for heard in Heard)), rows)


def lives() -> str:
    """What the table as a whole does."""
    rows = [(life.value, *(_life(LIVES, life, turn) for turn in Turn)) for life in Life]
    return _table(("life", *(turn.value for turn in Turn)), rows)


def rules() -> str:
    """All rules a seat can break."""
    return ", ".join(f"`{rule.value}`" for rule in Rule)


PARTS: Mapping[str, Callable[[], str]] = {
    part.__name__: part for part in (messages, stages, flows, reception, lives, rules)
}


def _life(table: Mapping[tuple[Life, Turn], Life], life: Life, turn: Turn) -> str:
    following = table.get((life, turn))
    return f"→ {following.value}" if following else "–"


def _sentence(body: type[Body]) -> str:
    return " ".join((body.__doc__ or "").split())


def _extent(type_: Any, size: Size) -> str:
    if size.each is not None:
        return f"list of up to {size.most}, each {_extent(type_.__args__[0], size.each)}"
    if type_ is bool:
        return "flag"
    if type_ is int:
        return f"number {size.least} … {_number(size.most)}"
    unit = "bytes" if type_ is bytes else "characters"
    return f"{_number(size.most)} {unit}" if size.least == size.most else f"up to {_number(size.most)} {unit}"


def _number(value: int) -> str:
    power = value.bit_length() - 1
    if value == 1 << power and power > 12:
        return f"2^{power}"
    return f"2^{power + 1} - 1" if value + 1 == 1 << (power + 1) and power > 12 else str(value)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
