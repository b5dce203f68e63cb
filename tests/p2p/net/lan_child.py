"""A peer in a process of its own, for tests: told what to do by lines on stdin, answers with lines on stdout.

lan_child.py NAME UDP_PORT [INTERFACE ...]     ("-" as name: waits for `start NAME`; no interface: lo; "*": all)

peers     -> {"peers": {name: [status, address]}}
said      -> {"said": [[sender's name, payload], ...]}   everything that came as "chat" so far
events    -> {"events": [kinds of events so far]}
say TEXT  sends a chat to everyone present
seat      takes everyone present for a table
invite    -> {"invite": text}
join TEXT -> {"joined": name} or {"failed": why}
stop      says goodbye and ends (so does the end of stdin)
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from p2p.net.errors import NetError
from p2p.net.lan import Lan, LanSettings
from p2p.net.postbox import Message
from p2p.net.profile import throw_away


def answer(**values: Any) -> None:
    print(json.dumps(values), flush=True)


async def main(name: str, port: int, interfaces: tuple[str, ...]) -> None:
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while name == "-":
        word, _, rest = (await lines.readline()).decode().strip().partition(" ")
        if not word:
            return
        if word == "start":
            name = rest
    lan = Lan(throw_away(name), LanSettings(port, 0, interfaces))
    await lan.start()
    answer(started=loop.time(), key=lan.profile.keys.key.hex(), port=lan.port)
    said: list[list[str]] = []
    kinds: list[str] = []

    async def listen() -> None:
        names: dict[bytes, str] = {}
        async for event in lan.events():
            names.update({peer.key: peer.name for peer in lan.peers()})
            if isinstance(event, Message):
                said.append([names.get(event.sender, "?"), event.payload.decode()])
            else:
                kinds.append(type(event).__name__)

    listening = asyncio.create_task(listen())
    while line := (await lines.readline()).decode().strip():
        word, _, rest = line.partition(" ")
        match word:
            case "peers":
                answer(peers={peer.name: [peer.status, peer.address] for peer in lan.peers()}, now=loop.time())
            case "said":
                answer(said=said)
            case "events":
                answer(events=kinds)
            case "say":
                for peer in lan.peers():
                    try:
                        await lan.send(peer.key, "chat", rest.encode())
                    except NetError as error:
                        print(error, file=sys.stderr)
                answer(done=True)
            case "seat":
                lan.seat([peer.key for peer in lan.peers()])
                answer(done=True)
            case "invite":
                answer(invite=lan.invite())
            case "join":
                try:
                    answer(joined=(await lan.join_invite(rest)).name)
                except NetError as error:
                    answer(failed=error.note.name)
            case "stop":
                break
    await lan.stop()
    await listening


if __name__ == "__main__":
    names = sys.argv[3:] or ["lo"]
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), () if "*" in names else tuple(names)))
