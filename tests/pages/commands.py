"""Writes docs/commands.md from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from jara_cli.exits import ExitCode
from jara_cli.groups import LazyGroup
from jara_cli.root import COMMANDS, HELP_OPTIONS, load_command

INTRODUCTION = """\
# Commands

Every command of `jara`, with its help. This page is generated: `python -m tests.pages` writes it.

Options before the noun apply to every command: `--db PATH|URL` names the database
(else `JARA_DATABASE_URL`, else `jara.db`), `--config PATH` the settings file (else `jara.toml`).
`jara help` lists topics: dates, amounts, keys and others.
`jara --install-completion` lets the shell complete commands, options and values.
Data is written to standard output, messages to standard error. With `--json` a command prints
one JSON document.
"""
MEANINGS = {
    ExitCode.DONE: "done",
    ExitCode.NO: "the answer is no: a check failed, a vote did not pass, the user declined",
    ExitCode.USAGE: "wrong usage or invalid input",
    ExitCode.NOT_FOUND: "not found",
    ExitCode.CONFLICT: "conflict with the current state, or not allowed",
    ExitCode.UNAVAILABLE: "something outside failed: disk, network, payment provider",
    ExitCode.WAITING: "waits for another operator's approval",
    ExitCode.INTERRUPTED: "interrupted with Ctrl+C",
}
WIDTH = 90


def list_commands(*, groups: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield ``jara noun verb`` and its command, for every command that is not hidden.

    Args:
        groups: also yield commands that work alone and have verbs.
    """
    for name in COMMANDS:
        yield from _walk(f"jara {name}", load_command(name), groups=groups)


def make_page() -> str:
    """Return the page."""
    nouns: dict[str, list[tuple[str, Any]]] = {}
    for path, command in list_commands(groups=True):
        nouns.setdefault(path.split()[1], []).append((path, command))
    rows = [
        f"| [`jara {noun}`](#jara-{noun}) | {_verbs(noun, found)} | {COMMANDS[noun]} |"
        for noun, found in nouns.items()
    ]
    codes = [f"| {code.value} | {MEANINGS[code]} |" for code in ExitCode]
    parts = [
        INTRODUCTION,
        "| command | verbs | what it is for |\n|---|---|---|\n" + "\n".join(rows) + "\n",
        "## Exit codes\n",
        "| code | meaning |\n|---|---|\n" + "\n".join(codes) + "\n",
        "An error is one line on standard error. It names the value and, for a file, the line.\n",
    ]
    for noun, found in nouns.items():
        parts.append(f"## jara {noun}\n")
        parts += [_section(noun, path, command) for path, command in found]
    return "\n".join(parts)


def _walk(path: str, command: Any, *, groups: bool) -> Iterator[tuple[str, Any]]:
    names: Any = getattr(command, "commands", None)
    if command.hidden:
        return
    if names is None or (groups and command.invoke_without_command):
        yield path, command
    for name in names or ():
        child = command.load(name) if isinstance(command, LazyGroup) else names[name]
        yield from _walk(f"{path} {name}", child, groups=groups)


def _verbs(noun: str, found: list[tuple[str, Any]]) -> str:
    words = [path.removeprefix(f"jara {noun}").strip() for path, _ in found]
    return ", ".join(f"`{word}`" for word in words if word)


def _section(noun: str, path: str, command: Any) -> str:
    context = typer.Context(
        command, info_name=path, terminal_width=WIDTH, help_option_names=HELP_OPTIONS
    )
    heading = "" if path == f"jara {noun}" else f"### {path}\n\n"
    return f"{heading}```text\n{command.get_help(context).rstrip()}\n```\n"
