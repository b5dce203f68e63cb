"""Scripts that let a shell complete `nodealer`, made from the command line itself.

Law: reads argparse parsers and knows no command by name. What a value may be comes from its choices, or from what it
is called in the help (GAME, LEVEL, FILE …). A script is text only: nothing of ours runs while somebody types.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.bots import LEVELS
from engine.shelf import all_games


@dataclass(frozen=True)
class Value:
    """What may stand in one place: these words, or files."""

    words: tuple[str, ...] = ()
    files: bool = False


@dataclass(frozen=True)
class Option:
    flags: tuple[str, ...]
    help: str
    value: Value | None  # None: a switch


@dataclass(frozen=True)
class Command:
    name: str
    help: str
    options: tuple[Option, ...]
    arguments: tuple[Value, ...]


def commands(parser: argparse.ArgumentParser) -> tuple[tuple[Option, ...], tuple[Command, ...]]:
    """The options of the program itself, and every command."""
    found: list[Command] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, sub in action.choices.items():
                found.append(Command(name, helps.get(name, ""), tuple(options(sub)), tuple(arguments(sub))))
    return tuple(options(parser)), tuple(found)


def options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:
        if action.option_strings and not isinstance(action, argparse._SubParsersAction):
            yield Option(
                tuple(action.option_strings),
                plain(action.help),
                None if action.nargs == 0 else value_of(action),
            )


def arguments(parser: argparse.ArgumentParser) -> Iterator[Value]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield Value(tuple(action.choices))
        elif not action.option_strings:
            yield value_of(action)


def value_of(action: argparse.Action) -> Value:
    if action.choices is not None:
        return Value(tuple(map(str, action.choices)))
    called = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    known: Mapping[str, Value] = {
        "GAME": Value(tuple(game.id for game in all_games())),
        "LEVEL[,LEVEL…]": Value(tuple(LEVELS)),
        **dict.fromkeys(("FILE", "LOG", "FOLDER", "JOURNAL"), Value(files=True)),
    }
    return known.get(called, Value())


def plain(text: str | None) -> str:
    """Help on one line, harmless inside quotes of any shell."""
    kept = (text or "").replace("%%", "%").split("\n")[0]
    return "".join(" " if character in "'\"`$\\[]:" else character for character in kept)


# --- the shells ---------------------------------------------------------------------------------------------------


def bash(parser: argparse.ArgumentParser) -> str:
    top, found = commands(parser)
    lines = [
        "# bash completion for nodealer",
        "_nodealer() {",
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
        "    local command=${COMP_WORDS[1]} words= files=",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f"        words='{' '.join([*(c.name for c in found), *flags(top)])}'",
        "    else",
        '        case "$command $prev" in',
    ]
    for command in found:
        for option in command.options:
            if option.value is not None:
                pattern = " | ".join(f'"{command.name} {flag}"' for flag in option.flags)
                lines.append(f"            {pattern}) {_bash_value(option.value)} ;;")
    lines += ["            *)", '                case "$command" in']
    for command in found:
        words = [*flags(command.options), *(word for value in command.arguments for word in value.words)]
        files = " files=yes" if any(value.files for value in command.arguments) else ""
        lines.append(f"                    {command.name}) words='{' '.join(words)}'{files} ;;")
    lines += [
        "                esac ;;",
        "        esac",
        "    fi",
        '    COMPREPLY=($(compgen -W "$words" -- "$cur"))',
        '    [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$cur"))',
        "}",
        "complete -F _nodealer nodealer",
    ]
    return "\n".join(lines) + "\n"


def _bash_value(value: Value) -> str:
    return "files=yes" if value.files else f"words='{' '.join(value.words)}'"


def zsh(parser: argparse.ArgumentParser) -> str:
    top, found = commands(parser)
    lines = ["#compdef nodealer", "_nodealer() {", "    local -a commands", "    commands=("]
    lines += [f"        '{command.name}:{plain(command.help)}'" for command in found]
    lines += [
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe command commands",
        f"        compadd -- {' '.join(flags(top))}",
        "        return",
        "    fi",
        "    local command=$words[2]",
        "    shift words; (( CURRENT-- ))",
        '    case "$command" in',
    ]
    for command in found:
        specs = [spec for option in command.options for spec in _zsh_option(option)]
        specs += [f"'*:{'file' if value.files else 'value'}:{_zsh_value(value)}'" for value in command.arguments]
        lines.append(f"        {command.name}) _arguments {' '.join(specs)} ;;")
    lines += [
        "    esac",
        "}",
        'if [ "$funcstack[1]" = _nodealer ]; then _nodealer "$@"; else compdef _nodealer nodealer; fi',
    ]
    return "\n".join(lines) + "\n"


def _zsh_option(option: Option) -> list[str]:
    value = "" if option.value is None else f":value:{_zsh_value(option.value)}"
    return [f"'{flag}[{option.help}]{value}'" for flag in option.flags]


def _zsh_value(value: Value) -> str:
    return "_files" if value.files else f"({' '.join(value.words)})" if value.words else " "


def fish(parser: argparse.ArgumentParser) -> str:
    top, found = commands(parser)
    lines = ["# fish completion for nodealer", "complete -c nodealer -f"]
    for option in top:
        lines.append(f"complete -c nodealer -n __fish_use_subcommand{_fish_option(option)}")
    for command in found:
        lines.append(f"complete -c nodealer -n __fish_use_subcommand -a {command.name} -d '{plain(command.help)}'")
        here = f"complete -c nodealer -n '__fish_seen_subcommand_from {command.name}'"
        lines += [f"{here}{_fish_option(option)}" for option in command.options]
        lines += [f"{here}{_fish_value(value)}" for value in command.arguments if value.words or value.files]
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    shown = "".join(f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}" for flag in option.flags)
    value = "" if option.value is None else f" -r{_fish_value(option.value)}"
    return f"{shown}{value} -d '{option.help}'"


def _fish_value(value: Value) -> str:
    return " -F" if value.files else f" -a '{' '.join(value.words)}'" if value.words else ""


def flags(found: tuple[Option, ...]) -> list[str]:
    return [flag for option in found for flag in option.flags]


SHELLS: Mapping[str, Callable[[argparse.ArgumentParser], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
