"""Bounds on what one peer can make this program hold or do, and what members may tell each other."""

from __future__ import annotations

import asyncio

from p2p.net import zre
from p2p.net.address import Endpoint
from p2p.net.budget import BYTES_AT_ONCE, MESSAGES_AT_ONCE, MESSAGES_PER_SECOND, Budget
from p2p.net.cards import Card, make_card, pack_cards
from p2p.net.envelope import MAX_STRANGER_FRAME
from p2p.net.greeting import Greeting
from p2p.net.interfaces import ALL_NODES, LOOPBACK_GROUP, Interface, Target, address_towards, own_addresses, targets
from p2p.net.keys import Keys, PeerKey
from p2p.net.members import Members
from p2p.net.peerbook import PeerBook
from p2p.net.postbox import MAX_BYTES, MAX_EVENTS, MAX_MESSAGES, Message, Postbox, TablesChanged
from p2p.net.reception import Reception
from p2p.net.zre import Ping, Whisper, encode

ME, ALICE, BOB, CAROL, MALLORY = (Keys(bytes([index]) * 32) for index in range(5))


def book_with(*present: Keys, groups: frozenset[str] = frozenset()) -> PeerBook:
    book = PeerBook(ME.key)
    for keys in present:
        greeting = Greeting(keys.key, keys.identity.public, "x", 1000, groups, {})
        book.beacon(zre.Beacon(keys.uuid, 1000, keys.key), "10.0.0.1", 0.0)
        book.greeted(greeting, "10.0.0.1", 0.0)
        book.link_up(keys.key, 0.0)
    return book


# --- budget ---


def test_a_burst_is_fine_and_a_flood_is_not() -> None:
    """What a program of ours sends passes; beyond it only as much as refills with time."""
    budget = Budget(0.0)
    passed = sum(budget.allows(100, 0.0) for _ in range(10_000))
    assert passed == MESSAGES_AT_ONCE
    assert sum(budget.allows(100, 1.0) for _ in range(10_000)) == MESSAGES_PER_SECOND


def test_large_messages_have_a_budget_of_their_own() -> None:
    """A few full frames at once, not hundreds."""
    budget = Budget(0.0)
    passed = sum(budget.allows(MAX_STRANGER_FRAME, 0.0) for _ in range(100))
    assert passed == BYTES_AT_ONCE // MAX_STRANGER_FRAME


# --- reception ---


def test_a_stranger_sends_small_messages_only() -> None:
    """One byte over the limit is dropped from a stranger and taken from a seat."""
    book = book_with(ALICE)
    reception = Reception(book)
    frames = encode(Whisper(1, bytes(MAX_STRANGER_FRAME + zre.MAX_HEADER)))
    assert reception.read(ALICE.key, frames, 1.0) is None
    book.seat([ALICE.key], [], None, 1.0)
    assert reception.read(ALICE.key, frames, 1.0)


def test_three_times_nonsense_ends_a_strangers_visit() -> None:
    """Dropped each time; at the third the key is out. A seated peer is only ignored."""
    book = book_with(ALICE, BOB)
    book.seat([BOB.key], [], None, 0.0)
    reception = Reception(book)
    for _ in range(3):
        assert reception.read(ALICE.key, [b"what", b"?"], 1.0) is None
        assert reception.read(BOB.key, [b"what", b"?"], 1.0) is None
    assert [peer.key for peer in book.peers()] == [BOB.key]
    assert not book.may_enter(ALICE.key, 2.0)
    assert reception.read(ALICE.key, encode(Ping(1)), 2.0) is None


def test_too_many_frames_are_nonsense() -> None:
    """Nothing of ours has more than two."""
    reception = Reception(book_with(ALICE))
    assert reception.read(ALICE.key, [*encode(Ping(1)), b"", b""], 1.0) is None
    assert reception.dropped == 1


def test_a_gap_is_told() -> None:
    """A lost message shows in the next one's number, once."""
    book = book_with(ALICE)
    book.take_events()
    reception = Reception(book)
    for number in (5, 6, 7, 9, 10, 65535):
        assert reception.read(ALICE.key, encode(Ping(number)), 1.0) == Ping(number)
    assert [type(event).__name__ for event in book.take_events()] == ["Back", "Back"]


# --- postbox ---


def message(sender: Keys, size: int = 1) -> Message:
    return Message(sender.key, "chat", bytes(size))


def test_one_senders_flood_costs_only_its_own_messages() -> None:
    """Mallory fills her share; Alice's message still gets in, and room comes back as messages are taken."""
    box = Postbox()
    assert sum(box.put(message(MALLORY)) for _ in range(10 * MAX_MESSAGES)) == MAX_MESSAGES
    assert box.put(message(ALICE))
    assert not box.put(message(MALLORY))
    box.get_nowait()
    assert box.put(message(MALLORY))


def test_bytes_are_bounded_too() -> None:
    """A few huge ones count like many small ones."""
    box = Postbox()
    assert sum(box.put(message(MALLORY, 1 << 20)) for _ in range(100)) == MAX_BYTES >> 20


def test_nobody_looking_fills_no_memory() -> None:
    """A command that never reads events keeps the latest of them."""
    box = Postbox()
    for _ in range(MAX_EVENTS + 500):
        box.put(TablesChanged(ALICE.key))
    count = 0
    while box.get_nowait():
        count += 1
    assert count == MAX_EVENTS


def test_order_is_kept_and_the_end_is_told() -> None:
    """First in, first out; after closing, what is left, then None for ever."""

    async def story() -> list[object]:
        box = Postbox()
        reader = asyncio.create_task(box.get())
        await asyncio.sleep(0)
        box.put(TablesChanged(ALICE.key))
        box.put(TablesChanged(BOB.key))
        box.close()
        return [await reader, await box.get(), await box.get(), await box.get()]

    assert asyncio.run(story()) == [TablesChanged(ALICE.key), TablesChanged(BOB.key), None, None]


# --- members ---

TABLE = frozenset({"table"})


def members(book: PeerBook, groups: frozenset[str] = TABLE) -> Members:
    club = Members(book, ME.key, lambda: card(ME))
    club.groups |= groups
    return club


def card(keys: Keys, serial: int = 1, host: str = "10.7.7.7") -> Card:
    return make_card(keys, serial, [Endpoint(host, 77)])


def test_a_members_card_is_passed_on_and_tried() -> None:
    """Alice tells of Carol: Carol is called; Alice's own card goes on to Bob."""
    book = book_with(ALICE, BOB, groups=TABLE)
    club = members(book)
    letters = club.read(ALICE.key, pack_cards([card(ALICE), card(CAROL)]), 1.0)
    assert book.heard_at(Endpoint("10.7.7.7", 77))
    assert book.knows(CAROL.key)
    assert letters == [(BOB.key, pack_cards([card(ALICE)]))]
    assert club.introduce(BOB.key) == [(BOB.key, pack_cards([card(ME), card(ALICE)]))]
    assert club.read(ALICE.key, pack_cards([card(ALICE)]), 2.0) == []  # nothing new


def test_only_members_are_listened_to() -> None:
    """Somebody in the lobby cannot fill my peer book with keys of its own making."""
    book = book_with(MALLORY)
    club = members(book)
    assert club.read(MALLORY.key, pack_cards([card(CAROL)]), 1.0) == []
    assert not book.knows(CAROL.key)
    assert club.introduce(MALLORY.key) == []
    assert (
        members(book_with(MALLORY, groups=TABLE), frozenset()).read(MALLORY.key, pack_cards([card(CAROL)]), 1.0) == []
    )


def test_an_older_card_replaces_no_newer_one() -> None:
    """A member that repeats yesterday's card of Carol changes nothing."""
    book = book_with(ALICE, groups=TABLE)
    club = members(book)
    club.read(ALICE.key, pack_cards([card(CAROL, 2)]), 1.0)
    club.read(ALICE.key, pack_cards([card(CAROL, 1, "10.6.6.6")]), 1.0)
    assert not book.heard_at(Endpoint("10.6.6.6", 77))


def test_my_own_card_comes_back_without_effect() -> None:
    """I do not call myself."""
    book = book_with(ALICE, groups=TABLE)
    members(book).read(ALICE.key, pack_cards([card(ME, 9)]), 1.0)
    assert not book.knows(PeerKey(ME.key))


# --- interfaces ---

LOOPBACK = Interface("lo", 1, (("127.0.0.1", "127.255.255.255"),), ("::1",), True)
WIFI = Interface("wlan0", 3, (("192.168.1.5", "192.168.1.255"),), ("fe80::5", "fd00::5"), False)
WIDE = Interface("eth0", 2, (("10.20.2.5", "10.20.3.255"),), (), False)
VPN = Interface("tun0", 4, (("10.8.0.2", ""),), (), False)
DOCKER = Interface("docker0", 5, (("172.17.0.1", "172.17.255.255"),), (), False)


def test_each_network_is_told_once() -> None:
    """Directed broadcast per IPv4 network, all-nodes per IPv6 link, nothing on a point-to-point link."""
    assert targets(WIFI) == [Target("192.168.1.255"), Target(ALL_NODES, scope=3)]
    assert targets(WIDE) == [Target("10.20.3.255")]
    assert targets(VPN) == []


def test_this_machine_is_reached_without_any_network() -> None:
    """Broadcast on Linux's loopback; elsewhere, where it has none, a multicast group that never leaves it."""
    assert targets(LOOPBACK, "linux") == [Target("127.255.255.255")]
    assert Target(LOOPBACK_GROUP, source="127.0.0.1") in targets(LOOPBACK, "darwin")
    assert Target(LOOPBACK_GROUP, source="127.0.0.1") in targets(LOOPBACK, "win32")


def test_invites_name_real_networks_first() -> None:
    """Not the container bridge before the Wi-Fi, no link-local address, loopback only if there is nothing else."""
    assert own_addresses([DOCKER, LOOPBACK, WIFI]) == ["192.168.1.5", "172.17.0.1", "fd00::5"]
    assert own_addresses([LOOPBACK]) == ["127.0.0.1"]


def test_the_address_told_is_one_the_other_can_use() -> None:
    """The one in its own network, with the real netmask."""
    here = [LOOPBACK, WIDE, WIFI]
    assert address_towards("10.20.3.77", here) == "10.20.2.5"
    assert address_towards("192.168.1.9", here) == "192.168.1.5"
    assert address_towards("127.0.0.1", here) == "127.0.0.1"
    assert address_towards("fe80::9%3", here) == "fe80::5"
    assert address_towards("8.8.8.8", here) == "10.20.2.5"
