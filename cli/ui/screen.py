"""The whole screen of a table: a scene and a size in, exactly so many lines out.

Law: pure. Never wider or higher than asked, at any size; below the least size it says so. Knows no game: what differs
is in the boards.
"""

from __future__ import annotations

from collections.abc import Sequence

from cli.ui import beneath, rulebook
from cli.ui.board import Board
from cli.ui.boards import board
from cli.ui.keys import AT_END, AT_TABLE, ON_PAGE, WATCHING, Key
from cli.ui.look import Look
from cli.ui.messages import Message, m
from cli.ui.scene import Scene
from cli.ui.text import Fragment, Line, cells, crop, fit, line, spread, text_of, width, wrap
from cli.ui.words import BROKEN, ENDED, KEPT, PROVEN, WATCHING_ONLY
from engine.game import Over

LEAST_COLUMNS, LEAST_ROWS = 80, 20
#: From this width on the protocol panel stands beside the table, from this height on cards have a frame.
WIDE, TALL = 112, 32
PANEL_COLUMNS = 46
LOG_ROWS = (3, 12)  # the fewest and the most lines of log before the table gets the rest
ABOUT_ROWS = 2


def page(scene: Scene, look: Look, columns: int, rows: int) -> list[Line]:
    """The screen."""
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        lines = too_small(look, columns, rows)
    elif scene.page == "help":
        lines = reading(scene, look, m("Help"), help_lines(look, columns), columns, rows)
    elif scene.page == "rules":
        lines = reading(scene, look, m("Rules"), rulebook.rules(scene.game.id, look, columns - 2), columns, rows)
    elif scene.story.ended:
        lines = ending(scene, look, columns, rows)
    elif scene.view is None or not scene.story.dealt:
        lines = seating(scene, look, columns, rows)
    else:
        lines = playing(scene, look, columns, rows)
    empty: Line = ()
    return [crop(one, columns, look.marks.more) for one in (*lines, *[empty] * rows)[:rows]]


# --- pages --------------------------------------------------------------------------------------------------------


def too_small(look: Look, columns: int, rows: int) -> list[Line]:
    told = look.tr(
        m("Too small: this needs {columns} × {rows}, here are {have}."),
        columns=LEAST_COLUMNS, rows=LEAST_ROWS, have=f"{columns} {look.marks.times} {rows}",
    )  # fmt: skip
    return [line(part) for part in wrap(told, max(1, columns))][:rows] if columns > 0 else []


def reading(scene: Scene, look: Look, title: Message, text: Sequence[Line], columns: int, rows: int) -> list[Line]:
    """A page to read, with the title above and the keys below; scrolled as far as there is text."""
    room = rows - 3
    most = max(0, len(text) - room)
    start = min(scene.scroll, most)
    where = f"{start + 1}–{min(start + room, len(text))} / {len(text)}" if most else ""
    right = Fragment("class:bar", look.plain(where))
    name = board(scene, look).title()
    head = bar(line(Fragment("class:bar.strong", f"{name}: {look.tr(title)}")), line(right), look, columns)
    empty: Line = ()
    body = [line(" ", *one) for one in text[start : start + room]]
    return [head, (), *body, *[empty] * (room - len(body)), key_bar(ON_PAGE, look, columns)]


def help_lines(look: Look, columns: int) -> list[Line]:
    """What each key does, and what the signs mean."""
    tr, marks = look.tr, look.marks
    lines: list[Line] = [line(Fragment("class:title", tr(m("Keys"))))]
    for key in AT_TABLE:
        shown = f"  {key.shown_ascii if look.ascii else key.shown:<7}"
        lines += [
            line(Fragment("class:head", shown if not number else " " * cells(shown)), part)
            for number, part in enumerate(wrap(tr(key.long), columns - 12))
        ]
    lines += [(), line(Fragment("class:title", tr(m("Signs"))))]
    signs = (
        ("".join(marks.may), m("this card may be chosen")),
        ("".join(marks.point), m("the cursor is here")),
        ("".join(marks.picked), m("this card is chosen")),
        (marks.gone, m("this card would be taken")),
        (f"{marks.done} {marks.wait} ?", m("has answered; is waited for; has lost the connection")),
        (f"{marks.full}{marks.full}{marks.empty}", m("two of three cards of one colour in a row")),
        ("A B C D", m("draws: highest number, most stars, equal digits, run of three")),
    )
    lines += [
        line(Fragment("class:head", f"  {sign:<8}"), part)
        for sign, told in signs
        for part in wrap(tr(told), columns - 12)
    ]
    told = m("Cards are named by the letter of their colour, the digit and their stars.")
    lines += [(), *(line("  ", part) for part in wrap(tr(told), columns - 4))]
    return lines


def seating(scene: Scene, look: Look, columns: int, rows: int) -> list[Line]:
    """Before the cards are dealt: the lots, the keys, the joint shuffle."""
    shown = board(scene, look)
    told = beneath.shuffle(scene, look, columns - 2)
    explain = look.tr(
        m(
            "Nobody deals: every player shuffles and locks all cards in turn, and proves to have changed none. As long"
            " as one of you shuffles honestly, nobody can know a hidden card."
        )
    )
    top = [bar(shown.heading(), shown.facts(), look, columns), (), line(" ", Fragment("class:title", shown.phase()))]
    top += [(), *(line(" ", part) for part in wrap(explain, columns - 2)), (), *told, ()]
    room = rows - len(top) - 2
    below = [line(" ", *one) for one in beneath.panel(scene, look, columns - 2, max(0, room))]
    empty: Line = ()
    lines = [*top, *below, *[empty] * rows][: rows - 2]
    return [*lines, status(scene, look, columns), key_bar(WATCHING, look, columns)]


def ending(scene: Scene, look: Look, columns: int, rows: int) -> list[Line]:
    """Ranking and reason; or why there is none."""
    shown, story, tr = board(scene, look), scene.story, look.tr
    inner = columns - 2
    title, over = line(Fragment("class:bar.strong", shown.title())), line(Fragment("class:bar", tr(m("Game over"))))
    told: list[Line] = [()]
    told += [line((f"class:{style}", part)) for text, style in verdict(scene, look) for part in wrap(text, inner)]
    if story.over is not None:
        told += [(), *ranking(story.over, shown, inner), ()]
    if scene.again:
        everyone = range(len(shown.speaker.names))
        told += beneath.marked(m("play again"), everyone, scene.again, shown.speaker, look, inner)
    if scene.game_file:
        told += [line(part) for part in wrap(tr(KEPT, file=scene.game_file), inner)]
    lines = [bar(title, over, look, columns), *(line(" ", *one) for one in told)]
    room = rows - len(lines) - 2
    if room > 1:
        under, heading = (beneath.panel, m("Underneath")) if scene.panel else (log_lines, m("Log"))
        lines.append(rule(tr(heading), look, columns))
        lines += [line(" ", *one) for one in under(scene, look, inner, room)]
    empty: Line = ()
    return [*[*lines, *[empty] * rows][: rows - 1], key_bar(AT_END, look, columns)]


def verdict(scene: Scene, look: Look) -> list[tuple[str, str]]:
    """How it ended, with the style of each sentence."""
    story, speaker, tr = scene.story, scene.speaker(look), look.tr
    if story.over is not None:
        return [(speaker.say(story.over.reason), "title")]
    if story.fault is not None:
        told = [(speaker.fault(story.fault.seat, story.fault.rule), "warning")]
        return [*told, (tr(PROVEN), "hint"), (tr(ENDED), "hint")] if story.fault.provable else told
    return [(tr(BROKEN, file=scene.log_file), "warning")]


def ranking(over: Over, shown: Board, columns: int) -> list[Line]:
    lines = []
    for place, seats in enumerate(over.ranking, 1):
        for seat in seats:
            parts = wrap(text_of(shown.result(seat)), columns - 4)
            lines += [line(f"{place}.".ljust(4) if not number else "    ", part) for number, part in enumerate(parts)]
    return lines


# --- the table ----------------------------------------------------------------------------------------------------


def playing(scene: Scene, look: Look, columns: int, rows: int) -> list[Line]:
    """The game under way: title, table, log or protocol, my hand, keys."""
    aside = scene.panel and columns >= WIDE
    if not aside:
        return table_page(scene, look, columns, rows, panel_below=scene.panel)
    wide = max(LEAST_COLUMNS, columns - PANEL_COLUMNS - 3)
    left = table_page(scene, look, wide, rows, panel_below=False)
    right_columns = columns - wide - 3
    right: list[Line] = [line(Fragment("class:title", look.tr(m("Underneath"))))]
    right += beneath.panel(scene, look, right_columns, rows - 2)
    gap = line(f" {look.marks.side} ")
    lines = [fit(one, wide, look.marks.more) for one in left]
    return [line(*one, *gap, *right[row]) if row < len(right) else one for row, one in enumerate(lines)]


def table_page(scene: Scene, look: Look, columns: int, rows: int, *, panel_below: bool) -> list[Line]:
    shown = board(scene, look)
    hand = shown.hand(columns - 1, rows >= TALL)
    fixed = 1 + 1 + len(hand) + ABOUT_ROWS + 1 + 1  # bar, rule of the hand, hand, about, status, keys
    room = rows - fixed - 1  # the log's rule
    least, most = shown.rows()
    wanted = beneath.LEAST_ROWS if panel_below else LOG_ROWS[0]
    table_rows = max(least, min(most, room - wanted))
    log_rows = max(0, room - table_rows)
    under = beneath.panel if panel_below else log_lines
    title = m("Underneath") if panel_below else m("Log")
    empty: Line = ()
    table = shown.table(columns, table_rows)
    lines = [bar(shown.heading(), shown.facts(), look, columns), *table, *[empty] * (table_rows - len(table))]
    lines.append(rule(look.tr(title), look, columns))
    told = [line(" ", *one) for one in under(scene, look, columns - 1, log_rows)]
    lines += [*told, *[empty] * (log_rows - len(told))]
    lines.append(rule(shown.prompt(), look, columns, style="class:prompt"))
    lines += [line(" ", *one) for one in hand]
    lines += about(scene, shown, look, columns)
    return [*lines, status(scene, look, columns), key_bar(AT_TABLE if scene.hand else WATCHING, look, columns)]


def about(scene: Scene, shown: Board, look: Look, columns: int) -> list[Line]:
    """Why the last try was not possible; else what the card or choice would do."""
    told = scene.hint or scene.story.refused
    text = shown.speaker.say(told) if told else shown.about()
    style = "class:warning" if told else "class:hint"
    lines = [line(" ", (style, part)) for part in wrap(text, columns - 2)][:ABOUT_ROWS]
    empty: Line = ()
    return lines + [empty] * (ABOUT_ROWS - len(lines))


def log_lines(scene: Scene, look: Look, columns: int, rows: int) -> list[Line]:
    """The newest lines of the log, or older ones when scrolled up; a line between rounds."""
    speaker = scene.speaker(look)
    lines: list[Line] = []
    need = rows + scene.scroll
    for entry in reversed(scene.log):
        if len(lines) >= need:
            break
        text = speaker.say(entry.told)
        if entry.told.name == "round":
            lines.append(rule(text, look, columns))
        else:
            lines += [line(part) for part in reversed(wrap(text, columns))]
    lines.reverse()
    end = len(lines) - min(scene.scroll, max(0, len(lines) - rows))
    return lines[max(0, end - rows) : end]


# --- bars ---------------------------------------------------------------------------------------------------------


def bar(left: Line, right: Line, look: Look, columns: int) -> Line:
    left = line(Fragment("class:bar", " "), *left)
    right = line(*right, Fragment("class:bar", " "))
    return spread(left, right, columns, look.marks.more, "class:bar")


def rule(text: str, look: Look, columns: int, *, style: str = "class:title") -> Line:
    """A line across with words in it."""
    dash = look.marks.bar
    words = line(Fragment("class:rule", f"{dash * 2} "), Fragment(style, text), Fragment("class:rule", " "))
    words = crop(words, columns, look.marks.more)
    return line(*words, Fragment("class:rule", dash * (columns - width(words))))


def status(scene: Scene, look: Look, columns: int) -> Line:
    """Whom the table waits for, and why."""
    story, tr, speaker = scene.story, look.tr, scene.speaker(look)
    style = "class:hint"
    if story.stopped:
        text, style = tr(BROKEN, file=scene.log_file), "class:warning"
    elif story.watching or (story.me is None and story.names):
        text = tr(WATCHING_ONLY)
    elif story.lost:
        left = max(0, round(max(until for _, until in story.lost) - scene.now))
        names = speaker.listed([seat for seat, _ in story.lost])
        text = tr(m("Lost connection: {seats}. Waiting {count} second more.",
                    "Lost connection: {seats}. Waiting {count} seconds more."), seats=names, count=left)  # fmt: skip
        style = "class:warning"
    elif scene.moves:
        text, style = tr(m("Your move.")), "class:wait"
    elif story.me in story.waiting or not story.waiting:
        text = tr(m("The table is working …"))
    else:
        text = tr(m("Waiting for: {seats}"), seats=speaker.listed(story.waiting))
        if scene.sent:
            text = tr(m("Sealed and sent. Waiting for: {seats}"), seats=speaker.listed(story.waiting))
    return fit(line(" ", (style, text)), columns, look.marks.more)


def key_bar(keys: Sequence[Key], look: Look, columns: int) -> Line:
    """The keys and what they do; the last ones are left out where there is no room."""
    parts: list[Fragment] = []
    for key in keys:
        action = f"key {key.action}"
        shown = look.plain(key.shown_ascii if look.ascii else key.shown)
        added = [
            Fragment("class:key", f" {shown} ", action),
            Fragment("class:label", f"{look.tr(key.short)} ", action),
        ]
        if width(line(*parts, *added)) > columns:
            break
        parts += added
    return line(*parts)
