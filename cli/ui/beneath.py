"""The protocol in plain words: what the table does beneath the game, live. And the joint shuffle, seat by seat.

Law: pure; words from cli/ui/words.py, facts from the story. Nothing here is secret: it is what every seat sees.
"""

from __future__ import annotations

from collections.abc import Sequence

from cli.ui.look import Look
from cli.ui.messages import Message, m
from cli.ui.scene import Scene
from cli.ui.story import DONE, PROVEN, WAITS, WORKS, Deed, Story
from cli.ui.text import Fragment, Line, fit, line, pad, spread, wrap
from cli.ui.words import STAGES, Speaker

LEAST_ROWS = 7
SHUFFLE: dict[str, Message] = {
    WAITS: m("waits for its turn", context="shuffle"),
    WORKS: m("is shuffling", context="shuffle"),
    DONE: m("has shuffled; the proof is being checked", context="shuffle"),
    PROVEN: m("has shuffled, and it is proven", context="shuffle"),
}
BAR = {WAITS: 0, WORKS: 2, DONE: 4, PROVEN: 5}


def panel(scene: Scene, look: Look, columns: int, rows: int) -> list[Line]:
    """The protocol panel: where the table stands, then what happened last, newest below."""
    story, tr, speaker = scene.story, look.tr, scene.speaker(look)
    checked = tr(m("proofs checked: {proofs}; work: {ms} ms"), proofs=story.proofs, ms=round(story.milliseconds))
    code = tr(m("table code: {code}"), code=story.code) if story.code else ""
    lines = [
        *(line(Fragment("class:head", part)) for part in wrap(step_of(story, look), columns)),
        *marked(m("sealed"), story.sealing, story.sealed, speaker, look, columns),
        *marked(m("opened"), story.sealing if story.opened else (), story.opened, speaker, look, columns),
        *(line(part) for text in (checked, code) if text for part in wrap(text, columns)),
    ]
    room = max(0, rows - len(lines))
    told = [part for deed in story.deeds[-room:] for part in deed_lines(deed, speaker, look, columns)] if room else []
    return [fit(one, columns, look.marks.more) for one in (*lines[:rows], *told[-room:])][:rows]


def step_of(story: Story, look: Look) -> str:
    epoch, number = story.place
    place = f"{epoch}.{number}" if epoch else str(number)
    return look.tr(m("step {place}: {stage}"), place=place, stage=look.tr(STAGES[story.stage]))


def marked(
    label: Message, asked: Sequence[int], done: Sequence[int], speaker: Speaker, look: Look, columns: int
) -> list[Line]:
    """Each seat that is asked, with a mark if it has done it."""
    if not asked:
        return []
    marks = look.marks
    seats = "  ".join(f"{marks.done if seat in done else marks.wait} {speaker.title(seat)}" for seat in asked)
    return [line(part) for part in wrap(f"{look.tr(label)}: {seats}", columns)]


def deed_words(deed: Deed, speaker: Speaker, look: Look) -> str:
    if deed.stage is None:
        return look.tr(m("Proven to be honest shuffles: {seats}."), seats=speaker.listed(deed.seats))
    return speaker.spoken(deed.seats[0], deed.stage)


def deed_lines(deed: Deed, speaker: Speaker, look: Look, columns: int) -> list[Line]:
    """What happened, and how many milliseconds of work it was."""
    took = f"{deed.milliseconds:.0f} ms" if deed.milliseconds >= 1 else ""
    right = line(Fragment("class:dim", took))
    text = wrap(deed_words(deed, speaker, look), columns - 8)
    return [line(part) for part in text[:-1]] + [spread(line(text[-1]), right, columns, look.marks.more)]


def shuffle(scene: Scene, look: Look, columns: int) -> list[Line]:
    """Every seat's part in the latest shuffle."""
    speaker, marks = scene.speaker(look), look.marks
    lines = []
    for seat, state in scene.story.shuffle:
        done = BAR[state]
        bar = marks.full * done + marks.empty * (max(BAR.values()) - done)
        style = "class:wait" if state == WORKS else ""
        name = pad(speaker.title(seat), 18, more=marks.more)
        one = line(
            " ", Fragment("class:head", name), Fragment("class:dim", bar), "  ", (style, look.tr(SHUFFLE[state]))
        )
        lines.append(fit(one, columns, marks.more))
    return lines
