"""Commands in messages can be typed as they are printed; `hints.yaml` says what runs them."""

import re
import shlex
from copy import copy

import click
import pytest
import yaml

from tests.cli.typed_hints import KEPT, LISTED, SLOT, is_typed
from tests.hints import Hint, all_hints
from tests.pages.commands import list_commands
from tests.product_code import ROOT

COMMANDS = {path.removeprefix("jara "): command for path, command in list_commands()}
SITUATIONS: list[str] = [
    row["hint"] for row in yaml.safe_load((ROOT / "tests" / "situations.yaml").read_text("utf-8"))
]

COMPOSED = frozenset({SLOT, f"{SLOT} edit", "organisation set"})
"""The beginning of commands that the module goes on to write."""


def split_hint(words: str) -> tuple[str, list[str]]:
    """Return the command that words begin with, and what follows it."""
    parts = shlex.split(words)
    for count in (3, 2, 1):
        path = " ".join(parts[:count])
        if path in COMMANDS:
            return path, parts[count:]
    raise AssertionError(f"there is no command: jara {words}")


def missing(path: str, rest: list[str]) -> list[str]:
    """Return what a command still needs, or what it does not take, as it is printed.

    A slot that ends the words may stand for several, and so may an ellipsis.
    """
    if "--help" in rest:
        return []
    command = copy(COMMANDS[path])  # a parser leaves its option --help in the command
    is_open = bool(rest) and rest[-1] in {SLOT, "…"}
    options = {name for one in command.params for name in one.opts}
    context = click.Context(click.Command(path))
    given, unknown, _ = command.make_parser(context).parse_args(list(rest))
    needed = [
        one.opts[0] if one.param_type_name == "option" else str(one.name)
        for one in command.params
        if one.required and given.get(one.name) in (None, ())
    ]
    wrong = [word for word in unknown if word not in options]
    return [] if is_open else [*needed, *wrong]


def faults_of(hint: Hint) -> list[str]:
    """Return what is wrong with a hint: its options, or what it lacks if it is to be typed."""
    noun = [path for path in COMMANDS if path.startswith(f"{hint.words} ")]
    if (hint.is_mention and noun) or hint.words in COMPOSED:
        return []
    words = hint.words.replace(f"--{SLOT}", "--name")
    path, rest = split_hint(re.sub(r"^\{\}", "projects", words))  # a kind of content
    return [] if hint.is_mention and not rest else missing(path, rest)


def test_a_command_in_a_message_can_be_typed() -> None:
    """It exists with its options, and has everything it needs, unless it is only mentioned."""
    faults = {hint: faults_of(hint) for hint in all_hints()}

    assert {hint: (wrong, all_hints()[hint]) for hint, wrong in faults.items() if wrong} == {}


def test_every_command_in_a_message_is_listed() -> None:
    """Each is typed by a test, is in `situations.yaml`, or has the reason why it cannot be."""
    listed = [words for several in LISTED.values() for words in several] + SITUATIONS

    assert len(listed) == len(set(listed))
    assert set(listed) == {hint.words for hint in all_hints()}


@pytest.mark.parametrize("keeper", sorted(KEPT))
def test_what_types_a_command_exists(keeper: str) -> None:
    """It is a test of commands: tests/cli/conftest.py notes there what each types."""
    file, _, name = keeper.partition("::")

    assert file.startswith("tests/cli/")
    assert f"def {name}(" in (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize(
    ("hint", "line", "expected"),
    [
        ("claims pay {} --line {}", "--key ada claims pay claim_1 --line abc --yes", True),
        ("claims pay {} --line {}", "claims pay claim_1 --yes", False),
        ("claims purposes add Food --account expenses", "claims purposes add Food", False),
        ("purposes add --account expenses", "purposes add --account expenses:operations", True),
        ("bank match {} --entry ENTRY", "bank match abc --entry e1", True),
        ("bank match {} --entry ENTRY", "bank match abc --member e1", False),
    ],
)
def test_a_hint_is_recognised_in_what_is_typed(hint: str, line: str, expected: bool) -> None:
    """By its words, with values in the place of slots."""
    assert is_typed(hint, line.split()) is expected
