"""Writes docs/commands.md from the commands themselves."""

import re
from collections.abc import Iterator
from typing import Any

import typer

from jara_cli.exits import ExitCode
from jara_cli.groups import SANDBOX, LazyGroup
from jara_cli.root import COMMANDS, EXPERTS, HELP_OPTIONS, PANELS, load_command

INTRODUCTION = """\
# Commands

Every command of `jara`, with its help. This page is generated: `python -m tests.pages` writes it.

Options before the noun apply to every command: `--db PATH|URL` names the database
(else `JARA_DATABASE_URL`, else `jara.db`), `--config PATH` the settings file (else `jara.toml`).
`jara help` lists topics: dates, amounts, keys and others.
`jara --install-completion` lets the shell complete commands, options and values.
Data is written to standard output, messages to standard error.
Every command takes `-h` and `--help`, and with `--json` prints one JSON document; only
`jara serve` and `jara witness serve` do not. This page does not repeat these options, nor the help
of a verb that is the same for several nouns.
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
_NOTES = {
    SANDBOX: "The help hides them if `jara.toml` or the environment says, by `JARA_CARDS` or\n"
    "Stripe's key, that the organisation is real; it does not open the database.\n\n",
    EXPERTS: "Most organisations never need them.\n\n",
}
WIDTH = 90
_SAME_OPTIONS = re.compile(
    r"^  (?:--json +Print one JSON document|-h, --help +Show this message and exit)\.\n?",
    re.MULTILINE,
)
"""Options that the introduction names for all commands."""


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
    codes = [f"| {code.value} | {MEANINGS[code]} |" for code in ExitCode]
    parts = [
        INTRODUCTION,
        "## By what you do\n",
        *(_panel(panel, lines, nouns) for panel, lines in PANELS.items()),
        "## Exit codes\n",
        "| code | meaning |\n|---|---|\n" + "\n".join(codes) + "\n",
        "An error is one line on standard error. It names the value and, for a file, the line.\n",
    ]
    shown: dict[str, str] = {}
    for noun, found in nouns.items():
        parts.append(f"## jara {noun}\n")
        texts = {path: _help(path, command) for path, command in found}
        alike = {path: text.replace(noun, "NOUN") for path, text in texts.items()}
        for path, text in texts.items():
            if alike[path] not in shown:
                heading = "" if path == f"jara {noun}" else f"### {path}\n\n"
                parts.append(f"{heading}```text\n{text}\n```\n")
        parts += _references([path for path in texts if alike[path] in shown], shown, alike)
        shown |= {alike[path]: noun for path in texts if alike[path] not in shown}
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


def _panel(panel: str, lines: dict[str, str], nouns: dict[str, list[tuple[str, Any]]]) -> str:
    """Return the table of a panel; a verb that another panel lists is not repeated."""
    elsewhere = {name for names in PANELS.values() for name in names if " " in name}
    rows = []
    for name, line in lines.items():
        words = [path.removeprefix("jara ") for path, _ in nouns.get(name, ())]
        verbs = [
            f"`{word.removeprefix(name).strip()}`"
            for word in words
            if word != name and not any(f"{word} ".startswith(f"{one} ") for one in elsewhere)
        ]
        path = f"jara {name}"
        if " " in name:  # the first verb of a group inside a noun
            path = next(
                one for one, _ in nouns[name.split()[0]] if f"{one} ".startswith(f"{path} ")
            )
        link = path.replace(" ", "-")
        rows.append(f"| [`jara {name}`](#{link}) | {', '.join(verbs)} | {line} |")
    heading = f"### {panel}\n\n{_NOTES.get(panel, '')}"
    return (
        f"{heading}| command | verbs | what it is for |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _help(path: str, command: Any) -> str:
    """Return the help of a command without the options that all commands have."""
    context = typer.Context(
        command, info_name=path, terminal_width=WIDTH, help_option_names=HELP_OPTIONS
    )
    text = _SAME_OPTIONS.sub("", command.get_help(context)).rstrip()
    return str(text.removesuffix("\n\nOptions:"))


def _references(paths: list[str], shown: dict[str, str], alike: dict[str, str]) -> list[str]:
    """Return one line for the verbs whose help stands under another noun."""
    verbs: dict[str, list[str]] = {}
    for path in paths:
        verbs.setdefault(shown[alike[path]], []).append(f"`{path.split(maxsplit=2)[2]}`")
    return [
        f"{', '.join(words)}: as in [`jara {noun}`](#jara-{noun}).\n"
        for noun, words in verbs.items()
    ]
