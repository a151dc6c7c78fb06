"""Every command explains itself: a sentence, an example, a line for each option."""

from __future__ import annotations

import inspect
import pkgutil
import re
from typing import Any

import pytest

from jara_cli import commands
from jara_cli.root import COMMANDS, CONTENT
from tests.pages.commands import list_commands

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

    assert "--json" in options or path in {"jara serve", "jara demo", "jara witness serve"}


@pytest.mark.parametrize(("path", "command"), EVERY_COMMAND)
def test_examples_fit_the_terminal(path: str, command: Any) -> None:
    """At 80 columns no line of an example or a list is broken."""
    blocks = inspect.cleandoc(command.help or "").split("\n\n")
    lines = [line for block in blocks if block.startswith("\b") for line in block.splitlines()[1:]]

    assert [] == [line for line in lines if len(line) > 78], path


def test_every_command_module_is_in_the_table() -> None:
    """A module of jara_cli.commands that the table does not name could never be reached."""
    modules = {module.name for module in pkgutil.iter_modules(commands.__path__)}

    assert set(COMMANDS) - set(CONTENT) == modules


def test_every_line_of_the_list_is_shown_whole() -> None:
    """At 80 columns ``jara --help`` cuts none of its lines."""
    room = 80 - 6 - max(map(len, COMMANDS))

    assert [] == [line for line in COMMANDS.values() if len(line) > room]
