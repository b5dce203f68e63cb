"""`nodealer id`: who I am to others: the words of my key, and the invite by which I am found."""

from __future__ import annotations

import argparse
from typing import Any

from cli.output import DONE, Failed, WrongUse, add_json, emit, narrate
from cli.peer_arguments import add_network, add_profile, use_home


def add(subparsers: Any) -> None:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "id",
        help="show my fingerprint words and invite",
        description="Show who I am to others: the words to compare aloud, and an invite, by which others find me while "
        "nodealer runs here with this profile and on its usual port.",
    )
    parser.add_argument("--qr", action="store_true", help="also show the invite as a QR code")
    add_profile(parser)
    add_network(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from cli.net_words import net_sentence
    from p2p.net.errors import ProfileTrouble
    from p2p.net.interfaces import own_addresses, read_interfaces
    from p2p.net.invite import make_invite
    from p2p.net.lan import TCP_PORT
    from p2p.net.profile import glance, home, open_profile

    use_home(args)
    try:
        if glance(args.profile) is None:
            open_profile(args.profile).close()
        profile = glance(args.profile)
    except ProfileTrouble as trouble:
        raise (WrongUse if trouble.note.name == "profile_bad_name" else Failed)(net_sentence(trouble.note)) from None
    assert profile is not None
    identity = profile.keys.identity.public
    addresses = own_addresses(read_interfaces(args.interface))
    invite = str(make_invite(addresses, args.port or TCP_PORT, profile.keys.key))
    for told in profile.notices:
        narrate(net_sentence(told))
    if args.json:
        emit(
            {
                "profile": profile.name,
                "name": profile.nickname,
                "words": identity.words,
                "identity": identity.hex(),
                "key": profile.keys.key.hex(),
                "invite": invite,
                "folder": str(home() / "profiles" / profile.name),
            }
        )
    else:
        print(f"{profile.nickname}  (profile {profile.name})\n{identity.words}\n{invite}")
    if args.qr:
        narrate(_qr(invite))
    return DONE


def _qr(text: str) -> str:
    try:
        import segno
    except ImportError:
        raise Failed("Showing a QR code needs the extra: install `nodealer[qr]`.") from None
    import io

    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue().rstrip("\n")
