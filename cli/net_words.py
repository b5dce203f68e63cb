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
    "lan_no_interface": "There is no network interface {interface} here; there are {known}.",
    "lan_no_port": "No port is free for other peers to reach this one. Close some programs and try again.",
    "link_refused": "The peer at {address} lets nobody new in: a game is being played there.",
    "link_not_the_peer": "Something answers at {address}, port {port}, with another key than the peer's own.",
    "link_mute": "Something at {address}, port {port}, takes the call and says nothing: its program may hang.",
    "link_nobody": "Nobody listens at {address}, port {port}: the program there has ended, or a firewall is between.",
    "greeting_other_key": "Somebody greeted with another key than its connection's, and was turned away.",
    "greeting_foreign": "Another program that speaks ZRE is on the network; it plays nothing.",
    "greeting_other_version": "Somebody uses another version ({theirs}; this is {ours}): update the older one.",
    "greeting_bad_identity": "Somebody greeted with an identity that is none, and was turned away.",
    "greeting_not_vouched": "Somebody claimed an identity without its signature, and was turned away.",
    "greeting_no_address": "Somebody greeted without an address to be reached at, and was turned away.",
    "connections_renewed": "Somebody flooded this program: all connections were renewed.",
    "name_with_another_key": "Careful: {peer} was met before with another key. If it is the same person, the words "
    "were {known}; now they are {words}. Compare them by voice before you play.",
    "peer_does_not_answer": "Nobody answers at {address}: are both on the same network, and does a firewall block it?",
    "peer_cannot_reach_me": "The peer at {address} cannot reach this computer: a firewall here may block it.",
    "i_cannot_reach_peer": "{peer} at {address} is there but cannot be connected to: a firewall may block it.",
    "peer_not_connected": "There is no connection to this peer.",
    "peer_not_reading": "This peer takes no more messages: its program may hang.",
    "message_too_large": "A message of {size} bytes is larger than the {most} that others accept.",
    # what the doctor finds
    "doctor_echo": "{interface} ({address}): my own beacon comes back.",
    "doctor_no_echo": "{interface} ({address}): my own beacon does not come back: a firewall here blocks it.",
    "doctor_no_broadcast": "{interface}: this network takes no broadcast, so peers there meet by an invite only.",
    "doctor_tunnel": "{interface}: a VPN passes no broadcast, so peers behind it meet by an invite only.",
    "doctor_no_network": "No network is up: only programs on this computer can be seen.",
    "doctor_port": "Others reach this computer at port {port} (TCP and UDP).",
    "doctor_port_taken": "Port {preferred} is taken, so this program is at {port}: a firewall rule must allow both.",
    "doctor_port_blocked": "Not even this computer reaches itself at {address}, port {port}: a firewall blocks it.",
    "doctor_send_forbidden": "The system forbids beacons to {target}: a firewall or sandbox here is in the way.",
    "doctor_send_failed": "Beacons to {target} cannot be sent ({why}).",
    "doctor_macos_privacy": "macOS keeps this terminal from the network ({target}): System Settings > Privacy & "
    "Security > Local Network > enable your terminal.",
    "doctor_wsl": "This is WSL: it is not on the same network as Windows unless networking is mirrored. Use an invite.",
    "doctor_container": "This is a container: it sees only its own network unless it shares the host's.",
    "doctor_unencrypted": "ZRE programs without encryption are on the network; they are ignored.",
    "doctor_foreign": "Other ZRE programs nearby: {count}.",
    "doctor_peers": "Peers seen: {count}.",
    "doctor_nobody_else": "Nobody else was seen, and nothing is wrong here: either nobody plays, or this network keeps "
    "its devices apart (guest networks do). An invite works as soon as one can reach the other.",
    "doctor_nobody_because": "Nobody else was seen; the findings above say why.",
    "hint_ufw": "If this computer uses ufw: {command}",
    "hint_firewalld": "If this computer uses firewalld: {command}",
    "hint_windows_private": 'The network must be a "private" one: Settings > Network & Internet > properties of the '
    "connection.",
    "hint_windows_rule": "As administrator: {command}",
    "hint_macos_local_network": "System Settings > Privacy & Security > Local Network: enable your terminal.",
    "hint_macos_firewall": "System Settings > Network > Firewall > Options: allow incoming connections for {program}",
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
