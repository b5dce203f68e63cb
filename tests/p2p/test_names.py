"""Text from peers: whatever it is, it stays one line of visible characters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.names import MAX_NAME, clean_name, clean_text, same_name


@given(st.text(max_size=300), st.integers(1, 80))
def test_clean_text_cannot_paint_a_screen(text: str, most: int) -> None:
    """No control, bidi, zero-width or private character, no line break, never longer than asked; and it stays so."""
    clean = clean_text(text, most)
    assert len(clean) <= most
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for character in clean)
    assert clean == " ".join(clean.split())
    assert clean_text(clean, most) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("  a \t\n b ", "a b"),
        ("\x1b]0;title\x07x", "]0;titlex"),
        ("ab\u202ecd", "abcd"),
        ("e" + "\u0301" * 50 + "!", "é\u0301\u0301!"),
        ("\u0301\u0301", "?"),
        ("", "?"),
        ("\u200b\u2060", "?"),
        ("日本語", "日本語"),
        ("x" * 99, "x" * MAX_NAME),
    ],
)
def test_names_people_have(raw: str, clean: str) -> None:
    """Real names in any script pass; tricks become harmless; nobody is nameless."""
    assert clean_name(raw) == clean


def test_look_alikes_are_the_same_name() -> None:
    """For remembering who is who; not for showing."""
    assert same_name("ANNA", "anna")
    assert same_name("ﬁn", "fin")
    assert not same_name("Anna", "Hanna")
