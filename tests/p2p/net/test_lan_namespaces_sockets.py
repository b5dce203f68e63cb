"""Several machines, switches and cables: discovery, broken networks, other addresses. Skipped, with the reason, where
this machine allows no network namespaces. How quick each is, bench/lan_mesh.py measures.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from netns_stage import stage, why_not

REASON = why_not()
pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON)

SCENES = [
    ("unplugged",),
    ("stopped",),
    ("two_cables",),
    ("another_address",),
    ("loopback_only", "2"),
    ("loopback_only", "3"),
    ("loopback_only", "6"),
    ("six_hosts",),
    ("ipv6_only",),
    ("late_network",),
    ("routed",),
]


@pytest.fixture(scope="module")
def played() -> Iterator[dict[tuple[str, ...], Future[dict[str, Any]]]]:
    """All scenes, a few at a time: most of each is waiting for something to be noticed."""
    with ThreadPoolExecutor(4) as pool:
        yield {scene: pool.submit(stage, *scene) for scene in SCENES}


Played = dict[tuple[str, ...], Future[dict[str, Any]]]


@pytest.mark.parametrize("count", [2, 3, 6])
def test_programs_on_one_machine_without_any_network(played: Played, count: int) -> None:
    """Only loopback is up: they find each other at once, and each leaves at once with exit code 0."""
    result = played["loopback_only", str(count)].result()
    assert result["codes"] == [0] * count


def test_six_machines_on_one_switch(played: Played) -> None:
    """Everyone sees and hears everyone, each at its own address."""
    result = played[("six_hosts",)].result()
    assert len(set(result["addresses"])) == 5


def test_two_networks_are_one_peer_and_a_way_round(played: Played) -> None:
    """Heard on both networks it is one peer, and when the one in use is unplugged the other takes over."""
    result = played[("two_cables",)].result()
    assert result["peers"] == 1
    assert result["events"][:3] == ["Appeared", "Silent", "Back"]
    assert "Lost" not in result["events"]


def test_ipv6_alone_is_enough(played: Played) -> None:
    """Link-local addresses, with the zone of whoever uses them."""
    assert played[("ipv6_only",)].result()["address"].startswith("fe80::")


def test_a_cable_out_and_in_again(played: Played) -> None:
    """The others play on meanwhile; afterwards everybody is told that messages may be missing, and nobody left."""
    result = played[("unplugged",)].result()
    assert result["others"] == "present"
    assert "Silent" in result["events"]
    assert "Back" in result["events"]
    assert not {"Left", "Lost"} & set(result["events"])


def test_another_address_in_the_middle_of_the_game(played: Played) -> None:
    """Same key, same peer."""
    assert played[("another_address",)].result()["peers"] == 1


def test_a_network_that_comes_later(played: Played) -> None:
    """Started without one; found when it is there."""
    result = played[("late_network",)].result()
    assert result["before"] == 0


def test_an_invite_passes_a_router(played: Played) -> None:
    """Where no broadcast passes, one line of text joins both ways."""
    result = played[("routed",)].result()
    assert result["before"] == 0
    assert result["invite"].startswith("NODEALER:10.99.0.1:")
    assert result["joined"] == "host"
    assert result["seen"] == ["guest"]


def test_a_stopped_program_is_noticed_and_comes_back(played: Played) -> None:
    """Its sockets still "work", only it does not answer: shown as silent, and present again when it goes on."""
    assert set(played[("stopped",)].result()) == {"noticed", "killed_noticed"}
