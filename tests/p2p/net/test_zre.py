"""The ZRE codec against bytes recorded from the C zyre, and against everything that is almost one of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.net.zre import (
    MAX_GROUPS,
    MAX_HEADERS,
    Beacon,
    Hello,
    Join,
    Leave,
    Message,
    Ping,
    PingOk,
    Shout,
    Whisper,
    after,
    decode,
    decode_beacon,
    encode,
)

BEACON_1 = bytes.fromhex("5a52450199f1c288fcba4a7da8f4ee7ce40a4c00c000")
BEACON_3 = bytes.fromhex(
    "5a524503" "a39a686b76494afaa1e367454d44292b" "c000"
    "1f4437851a8c28456896df23e865180e82af5e6f5b568af2e7de7fec99ef1f61"
)  # fmt: skip
ENDPOINT = "tcp://10.99.0.1:49152"
HELLO_HEAD = "aaa1 01 02 0001" + f"{len(ENDPOINT):02x}" + ENDPOINT.encode().hex() + "00000001 00000006 474c4f42414c"
HELLO_NAME = "01 05 7a6e6f6465"
HELLO_APP = "05 582d415050 00000005 637a797265"
HELLO = bytes.fromhex(HELLO_HEAD + HELLO_NAME + "00000001" + HELLO_APP)
KEY_Z85 = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
HELLO_CURVE = bytes.fromhex(
    HELLO_HEAD + HELLO_NAME + "00000002 0b" + b"X-PUBLICKEY".hex() + "00000028" + KEY_Z85.encode().hex() + HELLO_APP
)
WHISPER = [bytes.fromhex("aaa1 02 02 0002"), b"hello from C"]

GOLDEN_BEACONS: list[tuple[bytes, Beacon]] = [
    (BEACON_1, Beacon(BEACON_1[4:20], 0xC000)),
    (BEACON_3, Beacon(BEACON_3[4:20], 0xC000, BEACON_3[22:])),
]
GOLDEN: list[tuple[list[bytes], Message]] = [
    ([HELLO], Hello(1, ENDPOINT, ("GLOBAL",), 1, "znode", (("X-APP", "czyre"),))),
    (
        [HELLO_CURVE],
        Hello(1, ENDPOINT, ("GLOBAL",), 1, "znode", (("X-PUBLICKEY", KEY_Z85), ("X-APP", "czyre"))),
    ),
    (WHISPER, Whisper(2, b"hello from C")),
    ([bytes.fromhex("aaa1 03 02 0003 06 474c4f42414c"), b"all"], Shout(3, "GLOBAL", b"all")),
    ([bytes.fromhex("aaa1 04 02 0004 06 474c4f42414c 02")], Join(4, "GLOBAL", 2)),
    ([bytes.fromhex("aaa1 05 02 ffff 06 474c4f42414c 03")], Leave(0xFFFF, "GLOBAL", 3)),
    ([bytes.fromhex("aaa1 06 02 0000")], Ping(0)),
    ([bytes.fromhex("aaa1 07 02 0007")], PingOk(7)),
]

TEXT = st.text(max_size=60).filter(lambda text: len(text.encode()) < 256)
SEQUENCE = st.integers(0, 0xFFFF)
BYTE = st.integers(0, 255)
MESSAGES = st.one_of(
    st.builds(
        Hello,
        SEQUENCE,
        TEXT,
        st.lists(TEXT, max_size=5).map(tuple),
        BYTE,
        TEXT,
        st.dictionaries(TEXT, TEXT, max_size=6).map(lambda headers: tuple(headers.items())),
    ),
    st.builds(Whisper, SEQUENCE, st.binary(max_size=99)),
    st.builds(Shout, SEQUENCE, TEXT, st.binary(max_size=99)),
    st.builds(Join, SEQUENCE, TEXT, BYTE),
    st.builds(Leave, SEQUENCE, TEXT, BYTE),
    st.builds(Ping, SEQUENCE),
    st.builds(PingOk, SEQUENCE),
)


@pytest.mark.parametrize(("datagram", "beacon"), GOLDEN_BEACONS)
def test_golden_beacons(datagram: bytes, beacon: Beacon) -> None:
    """What the C zyre sends is read, and written the same."""
    assert decode_beacon(datagram) == beacon
    assert beacon.encode() == datagram


@pytest.mark.parametrize(("frames", "message"), GOLDEN)
def test_golden_messages(frames: list[bytes], message: Message) -> None:
    """What the C zyre sends is read, and written the same."""
    assert decode(frames) == message
    assert encode(message) == frames


@given(MESSAGES)
def test_messages_survive_the_wire(message: Message) -> None:
    """Decode is the inverse of encode, strings in any script included."""
    assert decode(encode(message)) == message


@pytest.mark.parametrize("datagram", [BEACON_1, BEACON_3])
def test_no_truncated_or_extended_beacon_is_one(datagram: bytes) -> None:
    """A legal beacon of another length once ended the discovery of a well-known library: here it is simply none."""
    for size in range(200):
        if size != len(datagram):
            assert decode_beacon((datagram * 10)[:size]) is None


@given(st.sampled_from([BEACON_1, BEACON_3]), st.integers(0, 10**6), st.integers(1, 255))
def test_a_changed_beacon_is_none_or_another_one(datagram: bytes, spot: int, difference: int) -> None:
    """Magic and version are checked; any other change gives exactly the changed value, never the old one."""
    changed = bytearray(datagram)
    changed[spot % len(datagram)] ^= difference
    beacon = decode_beacon(bytes(changed))
    assert beacon is None or beacon.encode() == bytes(changed)
    if spot % len(datagram) < 4:
        assert beacon is None


def test_a_key_that_starts_with_zero_is_no_beacon() -> None:
    """The C zyre takes it for a missing key; nobody here may answer to it."""
    assert decode_beacon(Beacon(bytes(16), 1, b"\0" + bytes(range(1, 32))).encode()) is None


@given(st.binary(max_size=2000), st.booleans())
def test_any_datagram_is_harmless(data: bytes, prefixed: bool) -> None:
    """Nothing but None or an exact beacon, whatever arrives."""
    data = b"ZRE" + data if prefixed else data
    beacon = decode_beacon(data)
    assert beacon is None or beacon.encode() == data


@pytest.mark.parametrize(("frames", "message"), GOLDEN)
def test_truncated_and_extended_messages_are_none(frames: list[bytes], message: Message) -> None:
    """Each header cut anywhere or continued, and each wrong number of frames, is no message."""
    head, *content = frames
    for size in range(len(head)):
        assert decode([head[:size], *content]) is None
    for tail in (b"\0", b"\1", head, bytes(300)):
        assert decode([head + tail, *content]) is None
    assert decode([head]) is None or not content
    assert decode([*frames, b""]) is None
    assert decode([*frames, b"", b""]) is None
    assert decode([]) is None


@given(st.sampled_from(GOLDEN), st.integers(0, 10**6), st.integers(1, 255))
def test_a_changed_message_is_none_or_another_one(golden: tuple[list[bytes], Message], spot: int, xor: int) -> None:
    """No byte of a header is without meaning: a change is noticed or changes what is read."""
    head, *content = golden[0]
    changed = bytearray(head)
    changed[spot % len(head)] ^= xor
    message = decode([bytes(changed), *content])
    assert message is None or (message != golden[1] and encode(message) == [bytes(changed), *content])


@given(st.lists(st.binary(max_size=300), max_size=4), st.sampled_from([b"", *(frames[0][:6] for frames, _ in GOLDEN)]))
def test_any_frames_are_harmless(frames: list[bytes], start: bytes) -> None:
    """Nothing but None or an exact message, whatever arrives."""
    frames = [start + frames[0], *frames[1:]] if frames else frames
    message = decode(frames)
    assert message is None or encode(message) == frames


def test_lengths_that_lie_are_refused() -> None:
    """Counts and lengths beyond what follows, and beyond the limits, end in None without work in proportion."""
    start = bytes.fromhex("aaa1 01 02 0001 00")
    assert decode([start + b"\xff\xff\xff\xff"]) is None
    many = Hello(1, "", ("g",) * MAX_GROUPS, 0, "", ())
    assert decode(encode(many)) == many
    assert decode(encode(Hello(1, "", ("g",) * (MAX_GROUPS + 1), 0, "", ()))) is None
    headers = tuple((f"h{index}", "v") for index in range(MAX_HEADERS + 1))
    assert decode(encode(Hello(1, "", (), 0, "", headers[:-1]))) is not None
    assert decode(encode(Hello(1, "", (), 0, "", headers))) is None
    assert decode(encode(Hello(1, "", (), 0, "", (("big", "x" * 9000),)))) is None


def test_a_header_twice_is_refused() -> None:
    """Two values for one name could be read differently by two programs."""
    assert decode(encode(Hello(1, "", (), 0, "", (("X-ID", "a"), ("X-ID", "b"))))) is None


def test_sequence_numbers_wrap() -> None:
    """Sixteen bits, as in the C zyre."""
    assert after(1) == 2
    assert after(0xFFFF) == 0
