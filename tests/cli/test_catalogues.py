"""The catalogues: complete, true to their placeholders, compiled, and in everybody's installation."""

from __future__ import annotations

import gettext
import io
import sys
from pathlib import Path
from string import Formatter

import pytest

from cli.ui.look import INKS, Look
from cli.ui.messages import LANGUAGES, USUAL, language, m, system_language, to_ascii
from engine.games.two_sans_three import NAMES as SANS_COLOURS
from engine.games.two_win import COLOURS as WIN_COLOURS
from tools import catalogues
from tools.catalogues import PLURALS, compile_mo, extract, po_path, read_po, texts_of, write_po

TEXTS = extract()


def test_every_language_but_english_has_a_catalogue() -> None:
    """What can be chosen is what is there."""
    assert set(PLURALS) == set(LANGUAGES) - {USUAL}
    assert len(TEXTS) > 300


def places(text: str) -> list[str]:
    return sorted(field for _, field, _, _ in Formatter().parse(text) if field)


@pytest.mark.parametrize("code", PLURALS)
def test_no_text_is_missing_and_no_placeholder_lost(code: str) -> None:
    """The same texts as the program's, each translated, in as many forms as the language has, with the same values."""
    entries = read_po(po_path(code).read_text(encoding="utf-8"))
    assert list(entries) == list(TEXTS)
    forms = int(PLURALS[code].split("nplurals=")[1][0])
    for key, entry in entries.items():
        assert entry.many == TEXTS[key].many
        assert len(entry.said) == (forms if entry.many else 1)
        for said in entry.said:
            assert said.strip(), entry.text
            assert places(said) == places(entry.text), said
            assert said[0].isupper() <= entry.text[0].isupper() or code == "de" or len(said) == 1, said


@pytest.mark.parametrize("code", PLURALS)
def test_the_binary_catalogue_is_that_of_the_text(code: str) -> None:
    """The .mo beside the .po is made from it, byte for byte, and gettext reads it."""
    text = po_path(code).read_text(encoding="utf-8")
    assert write_po(code, TEXTS, read_po(text)) == text
    compiled = po_path(code).with_suffix(".mo").read_bytes()
    assert compiled == compile_mo(code, read_po(text))
    assert gettext.GNUTranslations(io.BytesIO(compiled)).gettext("Goodbye.") != "Goodbye."


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_letters_of_a_game_are_all_different(code: str) -> None:
    """A card is known by a letter in every language: no two colours of a game share one, in ASCII neither."""
    look = Look(language(code, ascii=True), True)
    for colours in (WIN_COLOURS, SANS_COLOURS):
        letters = [look.letter(name) for name in colours]
        assert len(set(letters)) == len(letters)
        assert all(len(letter) == 1 and letter.isupper() and letter.isascii() for letter in letters)
        assert [look.symbol(name) for name in colours] == letters
    symbols = [INKS[name].symbol for name in SANS_COLOURS]
    assert len(set(symbols)) == len(symbols)


def test_texts_are_found_wherever_they_stand() -> None:
    """Plurals, contexts, and strings over several lines; what is computed cannot be translated and is refused."""
    source = 'x = [m("a " "b"), tr(m("{count} c", "{count} cs"), count=1), m("d", context="key")]'
    found = list(texts_of(source, "x.py"))
    assert [(one.text, one.many, one.context) for one in found] == [
        ("a b", "", ""),
        ("{count} c", "{count} cs", ""),
        ("d", "", "key"),
    ]
    with pytest.raises(SystemExit):
        list(texts_of("m(name)", "x.py"))


def test_the_tool_names_what_is_not_translated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new text appears in every catalogue, empty; --check then fails, and changes nothing."""
    (tmp_path / "cli" / "locale").mkdir(parents=True)
    (tmp_path / "cli" / "new.py").write_text('m("brand new {thing}")\n')
    for name, value in (("ROOT", tmp_path), ("SOURCES", tmp_path / "cli"), ("LOCALE", tmp_path / "cli" / "locale")):
        monkeypatch.setattr(catalogues, name, value)
    monkeypatch.setattr(catalogues.extract, "__defaults__", (tmp_path / "cli",))
    monkeypatch.setattr(sys, "argv", ["catalogues", "--check"])
    assert catalogues.main() == 1
    assert not po_path("pl").exists()
    monkeypatch.setattr(sys, "argv", ["catalogues"])
    assert catalogues.main() == 1
    (entry,) = read_po(po_path("pl").read_text()).values()
    assert (entry.text, entry.said) == ("brand new {thing}", ("",))


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({"LANG": "it_IT", "LC_MESSAGES": "es_ES.UTF-8"}, "es"),
        ({"LANG": "it_IT", "LC_ALL": "pl_PL.UTF-8", "LC_MESSAGES": "es_ES"}, "pl"),
        ({"LANG": "de_DE", "LANGUAGE": "ja:nl:fr"}, "nl"),
        ({"LANG": "pt-BR", "LANGUAGE": ""}, "en"),
    ],
)
def test_the_language_is_the_systems(environment: dict[str, str], code: str) -> None:
    """Read as gettext reads it: LANGUAGE, LC_ALL, LC_MESSAGES, LANG; what we do not have falls to the next."""
    assert system_language(environment) == code


@pytest.mark.parametrize("code", LANGUAGES)
def test_ascii_is_ascii_and_still_readable(code: str) -> None:
    """Every text of every language can be said in ASCII, without a question mark it did not have."""
    plain, bare = language(code), language(code, ascii=True)
    for text in TEXTS.values():
        message = m(text.text, text.many, context=text.context)
        values = dict.fromkeys(places(text.text), 5) | {"count": 5}
        said = bare(message, **values)
        assert said.isascii()
        assert said.count("?") == plain(message, **values).count("?")
    assert to_ascii("Zażółć gęślą jaźń, œuvre – «Straße» …") == 'Zazolc gesla jazn, oeuvre - "Strasse" ...'
    assert to_ascii("日本") == "??"
