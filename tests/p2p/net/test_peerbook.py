"""Who is there: what is believed of whom, and what no stranger can bring about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.net import peerbook
from p2p.net.address import Endpoint
from p2p.net.greeting import Greeting
from p2p.net.keys import Keys, PeerKey
from p2p.net.peerbook import MAX_DIALING, MAX_FOREIGN, MAX_UNKNOWN, MAX_WAYS, PeerBook
from p2p.net.presence import Appeared, Ask, Back, Changed, Dial, Event, Hang, Left, Lost, Silent, Status
from p2p.net.zre import Beacon

ME, ALICE, BOB, MALLORY = (Keys(bytes([index]) * 32) for index in range(4))
HOME = "10.0.0.1"


def beacon(keys: Keys, port: int = 1000) -> Beacon:
    return Beacon(keys.uuid, port, keys.key)


def greeting(keys: Keys, port: int = 1000, name: str = "Alice") -> Greeting:
    return Greeting(keys.key, keys.identity.public, name, port, frozenset(), {})


def kinds(book: PeerBook) -> list[str]:
    return [type(event).__name__ for event in book.take_events()]


def book_with(*present: Keys, now: float = 0.0) -> PeerBook:
    book = PeerBook(ME.key)
    for keys in present:
        book.beacon(beacon(keys), HOME, now)
        book.link_up(keys.key, now)
        book.greeted(greeting(keys), HOME, now)
    book.take_actions()
    book.take_events()
    return book


def run(book: PeerBook, begin: float, end: float, alive: tuple[Keys, ...] = ()) -> list[Event]:
    """Let time pass in the driver's steps; those who are alive answer every question."""
    events: list[Event] = []
    now = begin
    while now < end:
        now = round(now + 0.25, 3)
        book.tick(now)
        for action in book.take_actions():
            if isinstance(action, Ask) and action.key in [keys.key for keys in alive]:
                book.heard(action.key, now)
        events += book.take_events()
    return events


# --- how somebody comes to be present ---


def test_a_beacon_is_dialled_and_shows_nobody() -> None:
    """A beacon costs its sender nothing, so it brings a call and no more."""
    book = PeerBook(ME.key)
    book.beacon(beacon(ALICE), HOME, 0.0)
    assert book.take_actions() == [Dial(ALICE.key, Endpoint(HOME, 1000))]
    book.link_up(ALICE.key, 0.1)
    assert book.peers() == ()
    assert kinds(book) == []


@pytest.mark.parametrize("hello_first", [True, False])
def test_present_means_both_connections_stand(hello_first: bool) -> None:
    """Shown only when its HELLO came over its own connection and mine to it stands, in either order."""
    book = PeerBook(ME.key)
    book.beacon(beacon(ALICE), HOME, 0.0)
    steps = [lambda: book.greeted(greeting(ALICE), HOME, 0.1), lambda: book.link_up(ALICE.key, 0.1)]
    for step in steps if hello_first else reversed(steps):
        assert book.peers() == ()
        step()
    assert kinds(book) == ["Appeared"]
    assert [peer.name for peer in book.peers()] == ["Alice"]


def test_a_greeting_from_somebody_unheard_of_is_answered() -> None:
    """Who found me another way is dialled where its connection came from, with the port it told."""
    book = PeerBook(ME.key)
    assert book.greeted(greeting(ALICE, port=7), "10.0.0.9", 0.0)
    assert book.take_actions() == [Dial(ALICE.key, Endpoint("10.0.0.9", 7))]


def test_my_own_beacon_is_not_a_peer() -> None:
    """A program does not meet itself, however its beacon comes back."""
    book = PeerBook(ME.key)
    book.beacon(beacon(ME), HOME, 0.0)
    book.hint(ME.key, [Endpoint(HOME, 1)], 0.0)
    book.tick(1.0)
    assert book.take_actions() == []
    assert not book.may_enter(ME.key, 0.0)


def test_heard_on_many_networks_is_one_peer() -> None:
    """The key makes the peer; addresses are only ways to it."""
    book = book_with(ALICE)
    for host in ("10.0.0.1", "192.168.1.1", "fe80::1%2", "127.0.0.1"):
        book.beacon(beacon(ALICE), host, 1.0)
    book.tick(1.25)
    assert len(book.peers()) == 1
    assert book.take_actions() == []


# --- impostors ---


def test_same_uuid_with_another_key_touches_nobody() -> None:
    """Mallory's beacon with Alice's UUID: Alice's way, link and presence stay as they are."""
    book = book_with(ALICE)
    before = book.peers()
    book.beacon(Beacon(ALICE.uuid, 666, MALLORY.key), "10.0.0.66", 1.0)
    assert book.peers() == before
    assert book.foreign == 1  # at most one more foreign ZRE node
    assert kinds(book) == []


def test_anothers_uuid_with_the_own_key_is_no_peer_of_ours() -> None:
    """A key whose UUID is not its own is treated as another program: called, never listed."""
    book = PeerBook(ME.key)
    book.beacon(Beacon(BOB.uuid, 666, MALLORY.key), HOME, 0.0)
    book.link_up(MALLORY.key, 0.1)
    assert book.peers() == ()
    assert book.foreign == 1


def test_a_wrong_uuid_adds_no_way_to_a_true_peer() -> None:
    """Alice's key under a made-up UUID does not even bring an address into her list."""
    book = PeerBook(ME.key)
    book.beacon(beacon(ALICE), HOME, 0.0)
    book.take_actions()
    book.beacon(Beacon(MALLORY.uuid, 666, ALICE.key), "10.0.0.66", 0.1)
    assert not book.heard_at(Endpoint("10.0.0.66", 666))


def test_a_false_address_does_not_keep_the_true_peer_away() -> None:
    """Alice's beacon repeated from Mallory's address: nobody there owns the key, and the next try is Alice's own."""
    book = PeerBook(ME.key)
    book.beacon(beacon(ALICE, 666), "10.0.0.66", 0.0)
    book.beacon(beacon(ALICE), HOME, 0.1)
    assert [action.at.host for action in book.take_actions() if isinstance(action, Dial)] == ["10.0.0.66"]
    book.link_failed(ALICE.key, 0.2)
    book.tick(0.25)
    assert [action.at.host for action in book.take_actions() if isinstance(action, Dial)] == [HOME]


def test_flooded_addresses_do_not_push_out_a_proven_one() -> None:
    """However many addresses are claimed for Alice, the one where she was reached stays and is tried first again."""
    book = book_with(ALICE)
    for index in range(10 * MAX_WAYS):
        book.beacon(beacon(ALICE, 600 + index), "10.0.0.66", 1.0)
    book.link_down(ALICE.key, 2.0)
    calls = []
    for step in range(1, 41):
        now = 2.0 + step / 4
        book.beacon(beacon(ALICE, 9000 + step), "10.0.0.66", now)
        book.tick(now)
        calls += [action.at.host for action in book.take_actions() if isinstance(action, Dial)]
        book.link_failed(ALICE.key, now + 0.1)
    assert calls.count(HOME) >= len(calls) // 2 >= 3


def test_a_forged_farewell_sends_nobody_away() -> None:
    """ "Port 0" in Alice's name: Alice is asked, answers, and nothing happened. Repeating it asks no more often."""
    book = book_with(ALICE)
    for step in range(50):
        book.beacon(beacon(ALICE, 0), HOME, 2.0 + step / 100)
    assert book.take_actions() == [Ask(ALICE.key)]
    book.heard(ALICE.key, 2.6)
    assert run(book, 2.5, 20.0, alive=(ALICE,)) == []
    assert len(book.peers()) == 1


def test_beacons_keep_nobody_alive() -> None:
    """Alice crashed, and somebody repeats her beacons: she is lost all the same."""
    book = book_with(ALICE)
    book.link_down(ALICE.key, 1.0)
    events: list[Event] = []
    for second in range(1, 60):
        book.beacon(beacon(ALICE), HOME, float(second))
        book.link_failed(ALICE.key, second + 0.1)
        events += run(book, second + 0.1, second + 1.0)
    assert [type(event) for event in events] == [Silent, Lost]


def test_messages_before_a_greeting_count_for_nothing() -> None:
    """Whoever has not shown its identity is not heard, whatever it sends."""
    book = PeerBook(ME.key)
    assert not book.heard(MALLORY.key, 0.0)
    book.beacon(beacon(MALLORY), HOME, 0.0)
    assert not book.heard(MALLORY.key, 0.1)


def test_a_denied_key_is_out_for_a_while() -> None:
    """Caught lying: lost, no entry, no beacon heard; and forgiven later, for it may have been an old program."""
    book = book_with(ALICE)
    book.deny(ALICE.key, 1.0)
    assert kinds(book) == ["Lost"]
    assert not book.may_enter(ALICE.key, 2.0)
    book.beacon(beacon(ALICE), HOME, 2.0)
    assert not book.knows(ALICE.key)
    run(book, 2.0, 2.0 + peerbook.DENY)
    book.beacon(beacon(ALICE), HOME, 70.0)
    assert book.knows(ALICE.key)


# --- presence ---


def test_who_answers_stays_for_ever() -> None:
    """No beacon needed, no event, one question every few seconds."""
    book = book_with(ALICE, BOB)
    assert run(book, 0.0, 600.0, alive=(ALICE, BOB)) == []
    assert len(book.peers()) == 2


def test_silence_is_shown_and_ends() -> None:
    """Asleep for ten seconds: silent once, back once, and nothing in between."""
    book = book_with(ALICE)
    events = run(book, 0.0, 10.0)
    assert [type(event) for event in events] == [Silent]
    book.heard(ALICE.key, 10.1)
    assert kinds(book) == ["Back"]
    assert run(book, 10.0, 100.0, alive=(ALICE,)) == []


def test_a_crash_is_seen_in_seconds() -> None:
    """Connection gone and nobody listens: silent after two seconds, lost after ten."""
    book = book_with(ALICE)
    book.link_down(ALICE.key, 1.0)
    silent = lost = 0.0
    for step in range(1, 80):
        now = 1.0 + step / 4
        book.tick(now)
        if any(isinstance(action, Dial) for action in book.take_actions()):
            book.link_failed(ALICE.key, now + 0.01)
        for event in book.take_events():
            silent = now if isinstance(event, Silent) else silent
            lost = now if isinstance(event, Lost) else lost
    assert 3.0 <= silent <= 3.75
    assert 10.0 <= lost <= 12.0


def test_a_short_break_is_not_even_shown() -> None:
    """Damped: a connection that is back within a second brings one hint that messages may be missing, no farewell."""
    book = book_with(ALICE)
    book.link_down(ALICE.key, 1.0)
    run(book, 1.0, 1.5)
    book.link_up(ALICE.key, 1.6)
    book.greeted(greeting(ALICE), HOME, 1.7)
    assert kinds(book) == ["Back"]


def test_a_mute_connection_is_dialled_anew() -> None:
    """A cable pulled without a word: the connection "stands" but nothing comes; it is dropped and tried again."""
    book = book_with(ALICE)
    actions = []
    for step in range(1, 60):
        book.tick(step / 4)
        actions += book.take_actions()
    assert Hang(ALICE.key) in actions
    assert isinstance(actions[actions.index(Hang(ALICE.key)) + 1], Dial)


def test_a_goodbye_is_final_until_it_greets_again() -> None:
    """After a goodbye, beacons still in the air bring nobody back; a new greeting does."""
    book = book_with(ALICE)
    book.goodbye(ALICE.key, 1.0)
    assert kinds(book) == ["Left"]
    book.beacon(beacon(ALICE), HOME, 1.1)
    assert not book.knows(ALICE.key)
    assert not book.may_enter(ALICE.key, 1.1)
    book.greeted(greeting(ALICE), HOME, 2.0)
    assert book.knows(ALICE.key)


def test_a_new_address_is_used_at_once() -> None:
    """Another Wi-Fi, another address: its first beacon from there is dialled without waiting."""
    book = book_with(ALICE)
    book.link_down(ALICE.key, 1.0)
    run(book, 1.0, 2.5)
    book.link_failed(ALICE.key, 2.6)
    book.beacon(beacon(ALICE), "10.0.0.77", 2.7)
    book.tick(2.75)
    calls = [action.at for action in book.take_actions() if isinstance(action, Dial)]
    book.link_failed(ALICE.key, 2.8)
    book.tick(3.0)
    calls += [action.at for action in book.take_actions() if isinstance(action, Dial)]
    assert Endpoint("10.0.0.77", 1000) in calls


def test_a_changed_greeting_is_told() -> None:
    """Another nickname or group is an event of its own."""
    book = book_with(ALICE)
    book.greeted(greeting(ALICE, name="Alicia"), HOME, 1.0)
    events = book.take_events()
    assert [type(event) for event in events] == [Back, Changed]
    book.regrouped(ALICE.key, "table", True)
    book.regrouped(ALICE.key, "table", True)
    (event,) = book.take_events()
    assert isinstance(event, Changed)
    assert event.peer.groups == {"table"}


def test_one_way_is_explained() -> None:
    """My connection stands and theirs never comes, or the other way round: each has its sentence."""
    book = PeerBook(ME.key)
    book.beacon(beacon(ALICE), HOME, 0.0)
    book.link_up(ALICE.key, 0.1)
    assert [problem.name for _, problem in book.troubles(5.0)] == ["peer_cannot_reach_me"]
    other = PeerBook(ME.key)
    other.greeted(greeting(BOB), HOME, 0.0)
    other.link_failed(BOB.key, 1.0)
    assert [problem.name for _, problem in other.troubles(2.0)] == ["i_cannot_reach_peer"]


# --- a table's door ---


def test_once_seated_only_seats_and_guests_may_enter() -> None:
    """The door closes on everyone else, known or not, and they are no longer shown."""
    book = book_with(ALICE, BOB, MALLORY)
    book.seat([ALICE.key], [BOB.key], 0, 1.0)
    assert [peer.key for peer in book.peers()] == [ALICE.key, BOB.key]
    assert book.may_enter(ALICE.key, 1.0)
    assert book.may_enter(BOB.key, 1.0)
    assert not book.may_enter(MALLORY.key, 1.0)
    book.beacon(beacon(MALLORY), HOME, 2.0)
    assert not book.knows(MALLORY.key)
    book.seat([], [], None, 3.0)
    book.beacon(beacon(MALLORY), HOME, 4.0)
    assert book.may_enter(MALLORY.key, 4.0)


def test_a_few_strangers_may_stay() -> None:
    """With room for one stranger the first stays and the second does not come in."""
    book = book_with(ALICE, BOB)
    book.seat([ALICE.key], [], 1, 1.0)
    assert book.may_enter(BOB.key, 1.0)
    book.beacon(beacon(MALLORY), HOME, 2.0)
    assert not book.may_enter(MALLORY.key, 2.0)


def test_a_seated_peer_is_never_given_up() -> None:
    """Gone for an hour: lost, but let in and called every second or so, and present again when it answers."""
    book = book_with(ALICE)
    book.seat([ALICE.key], [], 0, 0.0)
    book.link_down(ALICE.key, 1.0)
    dials, events = 0, []
    for step in range(1, 4 * 3600):
        now = 1.0 + step / 4
        book.tick(now)
        if any(isinstance(action, Dial) for action in book.take_actions()):
            dials += 1
            book.link_failed(ALICE.key, now)
        events += book.take_events()
    assert [type(event) for event in events] == [Silent, Lost]
    assert dials > 2000
    assert book.may_enter(ALICE.key, 3601.0)
    book.tick(3602.0)
    book.link_up(ALICE.key, 3602.1)
    book.greeted(greeting(ALICE), HOME, 3602.2)
    assert "Appeared" in kinds(book)


def test_a_seated_peer_is_watched_closely() -> None:
    """Stopped in its tracks: silent within five seconds."""
    book = book_with(ALICE)
    book.seat([ALICE.key], [], 0, 0.0)
    events = run(book, 0.0, 5.0)
    assert [type(event) for event in events] == [Silent]


# --- quotas ---


def many(count: int) -> list[Keys]:
    return [Keys(index.to_bytes(32, "big")) for index in range(100, 100 + count)]


STRANGERS = many(MAX_UNKNOWN + 50)


def test_beacons_of_thousands_fill_nothing() -> None:
    """Unknown keys are bounded, the present peer is untouched, and few calls are under way at once."""
    book = book_with(ALICE)
    for index, keys in enumerate(STRANGERS):
        book.beacon(beacon(keys), HOME, index / 1000)
    assert len(book.known_keys()) <= MAX_UNKNOWN + 1
    assert len(book.peers()) == 1
    open_calls = set()
    for action in book.take_actions():
        open_calls.add(action.key) if isinstance(action, Dial) else open_calls.discard(action.key)
    assert len(open_calls) <= MAX_DIALING


def test_who_has_proven_its_key_is_called_before_strangers() -> None:
    """All lines are busy with junk: a peer that greeted still gets one."""
    book = PeerBook(ME.key)
    for keys in STRANGERS[:100]:
        book.beacon(beacon(keys), HOME, 0.0)
    book.take_actions()
    book.greeted(greeting(BOB), HOME, 0.1)
    assert book.take_actions() == [Dial(BOB.key, Endpoint(HOME, 1000))]


def test_foreign_programs_have_a_small_quota() -> None:
    """Other ZRE nodes are answered, a handful of them, and never listed."""
    book = PeerBook(ME.key)
    for keys in STRANGERS[:50]:
        book.beacon(Beacon(bytes(16), 1000, keys.key), HOME, 0.0)
    assert book.foreign == MAX_FOREIGN


def test_the_lobby_slows_down_with_its_size() -> None:
    """In a room of 200 each peer asks at the pace of 40."""
    present = STRANGERS[:200]
    book = book_with(*present)
    asked = 0
    for step in range(1, 400):
        book.tick(step / 4)
        for action in book.take_actions():
            if isinstance(action, Ask):
                asked += 1
                book.heard(action.key, step / 4)
    assert asked / 100 <= 12  # per second
    assert len(book.peers()) == 200


def test_unencrypted_nodes_are_counted_and_ignored() -> None:
    """A version 1 beacon gets no answer: there is no way down from encryption."""
    book = PeerBook(ME.key)
    book.beacon(Beacon(bytes(16), 1000), HOME, 0.0)
    assert book.plain_beacons == 1
    assert book.known_keys() == ()


# --- anything at all ---

PEOPLE = [ALICE, BOB, MALLORY, *STRANGERS[:3]]
OPS = st.tuples(
    st.sampled_from(
        ["beacon", "greet", "up", "down", "failed", "heard", "bye", "deny", "tick", "tick", "seat", "hint", "gone"]
    ),
    st.integers(0, len(PEOPLE) - 1),
    st.sampled_from([0.0, 0.1, 0.25, 1.0, 3.0, 11.0, 31.0]),
)


@settings(max_examples=300)
@given(st.lists(OPS, max_size=60))
def test_the_story_of_each_peer_makes_sense(ops: list[tuple[str, int, float]]) -> None:
    """Whatever arrives in whatever order: appears first, ends with left or lost, and every answer agrees with it."""
    book = PeerBook(ME.key)
    shown: dict[PeerKey, Status] = {}
    dialled: set[PeerKey] = set()
    now = 0.0
    for op, who, wait in ops:
        now += wait
        keys = PEOPLE[who]
        match op:
            case "beacon":
                book.beacon(beacon(keys), f"10.0.0.{int(now) % 5 + 1}", now)
            case "greet":
                book.greeted(greeting(keys), HOME, now)
            case "up":
                book.link_up(keys.key, now)
            case "down":
                book.link_down(keys.key, now)
            case "failed":
                book.link_failed(keys.key, now)
            case "heard":
                book.heard(keys.key, now)
            case "bye":
                book.goodbye(keys.key, now)
            case "deny":
                book.deny(keys.key, now)
            case "tick":
                book.tick(now)
            case "seat":
                book.seat([keys.key], [], None if who % 2 else 0, now)
            case "hint":
                book.hint(keys.key, [Endpoint("10.9.9.9", 9)], now)
            case "gone":
                book.beacon(replace(beacon(keys), port=0), HOME, now)
        for event in book.take_events():
            key = event.peer.key
            assert (key in shown) != isinstance(event, Appeared)
            if isinstance(event, Left | Lost):
                del shown[key]
            else:
                shown[key] = event.peer.status
        for action in book.take_actions():
            if isinstance(action, Dial):
                assert action.key not in dialled
                dialled.add(action.key)
            elif isinstance(action, Hang):
                dialled.discard(action.key)
        assert {peer.key: peer.status for peer in book.peers()} == shown
        assert dialled <= set(book.known_keys())
