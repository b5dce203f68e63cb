"""What a player can do besides choosing cards, which key does it, and what it is called.

Law: data. The screen shows these keys, the help page explains them, and the full-screen app binds them.
"""

from __future__ import annotations

from typing import NamedTuple

from cli.ui.messages import Message, m


class Key(NamedTuple):
    action: str
    keys: tuple[str, ...]  # as prompt_toolkit names them
    shown: str  # as the key bar names them
    shown_ascii: str
    short: Message  # for the key bar
    long: Message  # for the help page


MOVE = Key("move", ("left", "right"), "←→", "<>", m("card", context="key"), m("go from card to card"))
PICK = Key("pick", ("space",), "␣", "Space", m("pick", context="key"), m("pick the card, or put it back"))
SEND = Key(
    "send", ("enter",), "↵", "Enter", m("send", context="key"),
    m("send your choice; before that it can be changed freely, after that never"),
)  # fmt: skip
BACK = Key("back", ("escape", "backspace"), "Esc", "Esc", m("back", context="key"), m("put everything back"))
LOG = Key(
    "log", ("pageup", "pagedown"), "PgUp", "PgUp", m("log", context="key"), m("read further up in the log, or down")
)
PANEL = Key(
    "panel", ("p",), "p", "p", m("protocol", context="key"), m("show or hide what happens underneath")
)  # fmt: skip
RULES = Key("rules", ("r",), "r", "r", m("rules", context="key"), m("the rules of this game"))
HELP = Key("help", ("?", "f1"), "?", "?", m("help", context="key"), m("this page"))
QUIT = Key("quit", ("q", "c-c"), "q", "q", m("quit", context="key"), m("leave the table"))
AGAIN = Key("again", ("a",), "a", "a", m("again", context="key"), m("play again, if all want to"))
CLOSE = Key("close", ("escape", "q"), "Esc", "Esc", m("close", context="key"), m("back to the table"))
SCROLL = Key("scroll", ("up", "down"), "↑↓", "^v", m("scroll", context="key"), m("read on"))

#: The keys of each page, the most important first: where the bar is too narrow, the last ones are left out.
AT_TABLE = (MOVE, PICK, SEND, BACK, HELP, QUIT, PANEL, RULES, LOG)
WATCHING = (HELP, QUIT, PANEL, RULES, LOG)
AT_END = (AGAIN, QUIT, LOG, PANEL, RULES)
ON_PAGE = (CLOSE, SCROLL)
