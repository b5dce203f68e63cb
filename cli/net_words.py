"""What the network's notes say, as sentences: what happened, and what to do.

Law: words only.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Note

NET_SENTENCES: Mapping[str, str] = {
    # taking part
    "seat_refused": "The host gave no seat: the table is full, has begun or was given up. Try another table.",
    "host_left": "The host left before the game began. Try another table, or open one with `nodealer host`.",
    "left_while_seating": "Somebody left while the seats were drawn: this game cannot begin. Sit down again.",
    "proposal_differs": "The host began another game than the one agreed on. Nothing was played; try another table.",
    "other_rules": "The host plays other rules of this game than those installed here: use the same version.",
    "wrong_number_of_players": "The host began with a number of players that this game is not for.",
    "wrong_settings": "The host began with settings that this game does not have.",
    "table_unknown": "This table cannot be read: its host may use another version.",
    # coming back
    "journal_unreadable": "The notes of the unfinished game are damaged: it cannot be resumed.",
    "journal_of_another": "This unfinished game belongs to another profile: resume it with `--profile`.",
    # the network
    "lan_no_udp": "UDP port {port} cannot be opened ({why}). Choose another with `--lan-port`, the same for everyone.",
    "lan_no_port": "No port is free for other peers to reach this one. Close some programs and try again.",
    "connections_renewed": "Somebody flooded this program: all connections were renewed.",
    "name_with_another_key": "Careful: {peer} was met before with another key. If it is the same person, the words "
    "were {known}; now they are {words}. Compare them by voice before you play.",
    "peer_does_not_answer": "Nobody answers at {address}: are both on the same network, and does a firewall block it?",
    "peer_cannot_reach_me": "The peer at {address} cannot reach this computer: a firewall here may block it.",
    "i_cannot_reach_peer": "{peer} at {address} is there but cannot be connected to: a firewall may block it.",
    "peer_not_connected": "There is no connection to this peer.",
    "peer_not_reading": "This peer takes no more messages: its program may hang.",
    "message_too_large": "A message of {size} bytes is larger than the {most} that others accept.",
    # invites
    "invite_not_one": "This is no invite: ask the host to copy the whole line again.",
    "invite_bad_address": "The address `{address}` in this invite is none: ask the host to copy the whole line again.",
    "invite_bad_port": "The port in this invite is none: ask the host to copy the whole line again.",
    "invite_bad_print": "The key in this invite is damaged: ask the host to copy the whole line again.",
    "invite_no_address": "This invite has no address: ask the host to copy the whole line again.",
    "invite_is_mine": "This invite is your own: give it to somebody else.",
    "invite_other_key": "Somebody else than the host answers at {address}. Ask the host for a new invite.",
    "invite_no_answer": "Nobody answers at {address}, port {port}: is the host's program running, and does a firewall "
    "block it?",
    # profiles
    "profile_in_use": "The profile {profile} is used by another program: close it, or choose another `--profile`.",
    "profile_next": "The profile {wanted} is in use by another program: this one is {taken}.",
    "profile_bad_name": "`{profile}` cannot be the name of a profile: use letters, digits, - and _.",
    "profile_unusable": "The folder {path} cannot be used ({why}). NODEALER_HOME chooses another place.",
    "profile_key_damaged": "The key in {path} is damaged. Put back a copy, or remove the file to be somebody new.",
    "profile_key_was_open": "Others could read the key in {path}; now only you can.",
    "profile_file_damaged": "A damaged file was set aside: {path}.",
}


def net_sentence(note: Note) -> str:
    values = {key: ", ".join(map(str, value)) if isinstance(value, tuple) else value for key, value in note.values}
    template = NET_SENTENCES.get(note.name)
    if template is None:
        told = ", ".join(f"{key} {value}" for key, value in values.items())
        return f"{note.name.replace('_', ' ').capitalize()}{': ' if told else ''}{told}."
    try:
        return template.format(**values)
    except (KeyError, IndexError):
        return template
