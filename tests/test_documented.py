"""Every command has a description, an example, and a help line for each option."""

import inspect
import pkgutil
import re

from jara_cli import commands
from jara_cli.root import COMMANDS, CONTENT, PANELS
from tests.pages.commands import list_commands

EVERY_COMMAND = dict(list_commands())


def test_every_command_explains_itself() -> None:
    """The help of every command says what it does and has an example."""
    helps = {path: command.help or "" for path, command in EVERY_COMMAND.items()}

    assert len(helps) > 200
    assert [path for path, said in helps.items() if not re.match(r"[A-Z].*\.", said)] == []
    assert [path for path, said in helps.items() if f"  {path}" not in said] == []


def test_every_parameter_explains_itself() -> None:
    """Each option and argument has a line of help."""
    parameters = [(path, one) for path, command in EVERY_COMMAND.items() for one in command.params]

    assert [(path, parameter.name) for path, parameter in parameters if not parameter.help] == []


def test_every_command_speaks_json() -> None:
    """Each command takes ``--json``, except those that serve until stopped."""
    without = {
        path
        for path, command in EVERY_COMMAND.items()
        if not any("--json" in parameter.opts for parameter in command.params)
    }

    assert without <= {"jara serve", "jara demo", "jara witness serve"}


def test_examples_fit_the_terminal() -> None:
    """At 80 columns, no line of an example or a list wraps."""
    blocks = [
        (path, block)
        for path, command in EVERY_COMMAND.items()
        for block in inspect.cleandoc(command.help or "").split("\n\n")
        if block.startswith("\b")
    ]

    assert [
        (path, line) for path, block in blocks for line in block.splitlines()[1:] if len(line) > 78
    ] == []


def test_every_command_module_is_in_the_table() -> None:
    """A module of jara_cli.commands outside the table could not be used."""
    modules = {module.name for module in pkgutil.iter_modules(commands.__path__)}

    assert modules == set(COMMANDS) - set(CONTENT)


def test_every_line_of_the_list_is_shown_whole() -> None:
    """At 80 columns, ``jara --help`` wraps no line."""
    longest = max(map(len, COMMANDS))

    assert [
        line
        for panel in PANELS.values()
        for line in panel.values()
        if len(line) > 80 - 4 - max(longest, *map(len, panel))
    ] == []
