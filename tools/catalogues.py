"""Keeps the catalogues in cli/locale/ complete: `python tools/catalogues.py` after changing a text, then translate.

Law: reads syntax trees, runs no code of ours. Finds every `m("…")` below cli/, adds what is new to every .po file,
drops what is gone, and compiles each .po to the .mo beside it. `--check` changes nothing and says what it would do; it
also names every text that lacks a translation. The .po files are what people edit.
"""

from __future__ import annotations

import argparse
import ast
import struct
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "cli"
LOCALE = SOURCES / "locale"
DOMAIN = "nodealer"
#: How each language counts: number of plural forms, and the rule in gettext's own notation.
PLURALS: Mapping[str, str] = {
    "fr": "nplurals=2; plural=(n > 1);",
    "de": "nplurals=2; plural=(n != 1);",
    "it": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "nl": "nplurals=2; plural=(n != 1);",
    "pl": "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
}

Key = tuple[str, str]  # context, English text


@dataclass
class Text:
    """One text: English, where it stands, and its translation (one string per plural form)."""

    text: str
    many: str = ""
    context: str = ""
    places: list[str] = field(default_factory=list)
    said: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        return self.context, self.text


# --- what the program says ----------------------------------------------------------------------------------------


def extract(folder: Path = SOURCES) -> dict[Key, Text]:
    """Every text of the program, in alphabetical order: moving code changes no catalogue."""
    texts: dict[Key, Text] = {}
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder.parent).as_posix()
        for found in texts_of(path.read_text(encoding="utf-8"), place):
            known = texts.setdefault(found.key, found)
            if known.many != found.many:
                raise SystemExit(f"{place}: “{found.text}” has two different plurals")
            if place not in known.places:
                known.places.append(place)
    return dict(sorted(texts.items(), key=lambda item: (item[1].text.casefold(), item[1].text, item[1].context)))


def texts_of(source: str, place: str) -> Iterator[Text]:
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        if not (isinstance(call.func, ast.Name) and call.func.id == "m"):
            continue
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not all(isinstance(value, ast.Constant) and isinstance(value.value, str) for value in values):
            raise SystemExit(f"{place}:{call.lineno}: m(…) takes texts written out, nothing computed")
        plain = [str(value.value) for value in call.args if isinstance(value, ast.Constant)]
        named = {
            keyword.arg: keyword.value.value for keyword in call.keywords if isinstance(keyword.value, ast.Constant)
        }
        yield Text(plain[0], plain[1] if len(plain) > 1 else "", str(named.get("context", "")), [place])


# --- .po ----------------------------------------------------------------------------------------------------------


def po_path(code: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def read_po(text: str) -> dict[Key, Text]:
    """The entries of a .po file, its header left out."""
    entries: dict[Key, Text] = {}
    for block in text.split("\n\n"):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line.startswith("#") or not line.strip():
                continue
            if not line.startswith('"'):
                name, line = line.split(" ", 1)
            fields[name] = fields.get(name, "") + ast.literal_eval(line)
        if fields.get("msgid"):
            said = tuple(fields[key] for key in sorted(fields) if key.startswith("msgstr"))
            entry = Text(fields["msgid"], fields.get("msgid_plural", ""), fields.get("msgctxt", ""), [], said)
            entries[entry.key] = entry
    return entries


def header(code: str) -> str:
    lines = ("Content-Type: text/plain; charset=UTF-8", f"Language: {code}", f"Plural-Forms: {PLURALS[code]}")
    return "".join(f"{line}\n" for line in lines)


def write_po(code: str, texts: Mapping[Key, Text], before: Mapping[Key, Text]) -> str:
    """The .po file of a language: the program's texts in its order, with the translations there are."""
    forms = int(PLURALS[code].split("nplurals=")[1].split(";")[0])
    blocks = ['msgid ""\nmsgstr ""\n' + "".join(f"{quoted(line)}\n" for line in header(code).splitlines(keepends=True))]
    for key, text in texts.items():
        old = before.get(key)
        lines = [f"#: {' '.join(text.places)}"]
        if text.context:
            lines.append(f"msgctxt {quoted(text.context)}")
        lines.append(f"msgid {quoted(text.text)}")
        said = old.said if old and bool(old.many) == bool(text.many) else ()
        if text.many:
            lines.append(f"msgid_plural {quoted(text.many)}")
            lines += [f"msgstr[{at}] {quoted(said[at] if at < len(said) else '')}" for at in range(forms)]
        else:
            lines.append(f"msgstr {quoted(said[0] if said else '')}")
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


# --- .mo ----------------------------------------------------------------------------------------------------------


def compile_mo(code: str, entries: Mapping[Key, Text]) -> bytes:
    """The binary catalogue that gettext reads: two tables of lengths and offsets, then all strings, sorted."""
    strings = {b"": header(code).encode()}
    for entry in entries.values():
        if all(entry.said):
            name = f"{entry.context}\x04{entry.text}" if entry.context else entry.text
            name = f"{name}\x00{entry.many}" if entry.many else name
            strings[name.encode()] = "\x00".join(entry.said).encode()
    names = sorted(strings)
    start = 7 * 4 + 16 * len(names)
    table: list[tuple[int, int]] = []
    body = b""
    for part in [*names, *(strings[name] for name in names)]:
        table.append((len(part), start + len(body)))
        body += part + b"\x00"
    head = struct.pack("<7I", 0x950412DE, 0, len(names), 28, 28 + 8 * len(names), 0, 0)
    return head + b"".join(struct.pack("<2I", *row) for row in table) + body


# --- the command --------------------------------------------------------------------------------------------------


def missing(entries: Mapping[Key, Text]) -> list[str]:
    return [entry.text for entry in entries.values() if not entry.said or not all(entry.said)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Bring the catalogues up to date.")
    parser.add_argument("--check", action="store_true", help="change nothing, say what is stale or missing")
    args = parser.parse_args()
    texts = extract()
    wrong = 0
    for code in PLURALS:
        po = po_path(code)
        before = po.read_text(encoding="utf-8") if po.exists() else ""
        after = write_po(code, texts, read_po(before))
        entries = read_po(after)
        files = {po: after.encode(), po.with_suffix(".mo"): compile_mo(code, entries)}
        for path, content in files.items():
            if not path.exists() or path.read_bytes() != content:
                print(f"{'stale' if args.check else 'written'}: {path.relative_to(ROOT)}")
                wrong += args.check
                if not args.check:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
        for text in missing(entries):
            print(f"{code}: not translated: {text}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
