"""Whole games between several machines, through a switch, an unplugged cable and a killed program. Skipped, with the
reason, where this machine allows no network namespaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from netns_stage import why_not
from node_stage import stage

REASON = why_not()
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)

Played = dict[str, Future[dict[str, Any]]]


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    """Two scenes at a time: much of one is waiting for a cable."""
    with ThreadPoolExecutor(2) as pool:
        yield {scene: pool.submit(stage, scene) for scene in ("unplugged", "six", "killed")}


def whole(result: dict[str, Any], players: int) -> None:
    """Every program ended well, with the same log, and nobody was left behind or counted twice."""
    assert result["errors"] == []
    assert result["codes"] == [0] * players
    assert result["logs"] == 1
    assert result["names"] == [f"h{index}" for index in range(players)]
    assert result["departed"] == []


def test_six_machines_play(played: Played) -> None:
    """They find each other by beacon, two of them over two networks at once, and finish with one log."""
    whole(played["six"].result(), 6)


def test_a_cable_unplugged_for_ten_seconds(played: Played) -> None:
    """The others wait, and the game is finished with everyone in it."""
    result = played["unplugged"].result()
    assert not result["over_without"]
    whole(result, 4)


def test_a_killed_program_is_resumed(played: Played) -> None:
    """`nodealer resume` goes on with the same game; afterwards its secrets are gone."""
    result = played["killed"].result()
    whole(result, 3)
    assert result["journals"] == 0
