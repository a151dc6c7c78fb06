"""Documentation that cannot rot: every command explains itself and stands in the README."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from jara_cli import commands
from jara_cli.root import COMMANDS, build_app

README = Path(__file__).parents[1] / "README.md"


def list_commands() -> Iterator[tuple[str, Any]]:
    """Walk over ``jara noun verb`` and its command, for all there are."""
    root: Any = get_command(build_app(everything=True))
    waiting = [("jara", root)]
    while waiting:
        path, command = waiting.pop(0)
        inner = getattr(command, "commands", None)
        if inner is None:
            yield path, command
        else:
            waiting += [(f"{path} {name}", child) for name, child in inner.items()]


EVERY_COMMAND = [pytest.param(path, command, id=path) for path, command in list_commands()]


@pytest.mark.parametrize(("path", "command"), EVERY_COMMAND)
def test_every_command_explains_itself(path: str, command: Any) -> None:
    """Each command's help says what it does and shows an example of itself."""
    help_text = command.help or ""

    assert re.match(r"[A-Z].*\.", help_text), f"{path} does not begin with a sentence"
    assert f"  {path}" in help_text, f"{path} shows no example"


@pytest.mark.parametrize(("path", "command"), EVERY_COMMAND)
def test_every_parameter_explains_itself(path: str, command: Any) -> None:
    """Each option and argument has a line of help."""
    silent = [parameter.name for parameter in command.params if not parameter.help]

    assert [] == silent, path


@pytest.mark.parametrize(("path", "command"), EVERY_COMMAND)
def test_every_command_speaks_json(path: str, command: Any) -> None:
    """Each command takes ``--json``, but those that serve a website until they are stopped."""
    options = {name for parameter in command.params for name in parameter.opts}

    assert "--json" in options or path in {"jara serve", "jara demo"}


def test_every_command_module_is_in_the_table() -> None:
    """A module of jara_cli.commands that the table does not name could never be reached."""
    modules = {module.name for module in pkgutil.iter_modules(commands.__path__)}
    parts = {name for name in modules if name.startswith("_")}  # of a noun with many verbs

    assert set(COMMANDS) == modules - parts


def test_every_line_of_the_list_is_shown_whole() -> None:
    """At 80 columns ``jara --help`` cuts none of its lines."""
    room = 80 - 6 - max(map(len, COMMANDS))

    assert [] == [line for line in COMMANDS.values() if len(line) > room]


@pytest.mark.parametrize("path", [path for path, _ in list_commands()])
def test_every_command_is_in_the_readme(path: str) -> None:
    """The README's table of commands is complete: each stands in it in code type."""
    _, noun, *verb = path.split()
    text = README.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith(f"| `jara {noun}")]

    assert any(re.search(rf"\b{re.escape(word)}\b", row) for word in verb or [noun] for row in rows)
