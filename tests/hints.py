"""Finds every command that a message, a note or an error of ours tells people to type."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.cli.typed_hints import SLOT
from tests.product_code import MODULES

_QUOTED = re.compile(r"`jara ([^`]+)`")
_BARE = re.compile(
    r"\bjara ((?:[a-z]|\{\})[a-z-]*"
    r"(?: (?:--?[\w{}-]+|[A-Z]+|\{\}|\"[^\"]*\"|…|[a-z][\w-]*(?:\.\w+)?))*)"
)
_LEFT_OUT = frozenset(
    {"cli/jara_cli/root.py", "cli/jara_cli/content_commands.py", "src/jara/reports/voting.py"}
)
"""Earlier names of commands, examples of helps, and a sentence of a report."""


class Hint(NamedTuple):
    """A command in a message: the words after ``jara``, and whether it is only mentioned by name.

    A command in backquotes may stand for itself, as in "use `jara ledger post`"; others are typed
    as they are printed.
    """

    words: str
    is_mention: bool


def hints_in(text: str) -> Iterator[Hint]:
    """Yield the commands in a message."""
    for words in _QUOTED.findall(text):
        yield Hint(words, is_mention=True)
    for words in _BARE.findall(_QUOTED.sub("", text)):
        yield Hint(words.removesuffix("."), is_mention=False)


def messages_of(source: str) -> Iterator[str]:
    """Yield the texts in a module's code that are no docstrings; values are slots."""
    tree = ast.parse(source)
    left_out: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            left_out.update(id(one) for one in ast.walk(node) if one is not node)
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(one.value) if isinstance(one, ast.Constant) else SLOT for one in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.sub(r"\{[a-z_]+\}", SLOT, node.value)


@cache
def all_hints() -> dict[Hint, set[str]]:
    """Return every hint, with the modules that print it."""
    found: dict[Hint, set[str]] = {}
    for name, source in MODULES.items():
        if name.startswith("webapi") or name in _LEFT_OUT or "jara " not in source:
            continue
        for text in messages_of(source):
            for hint in hints_in(text):
                found.setdefault(hint, set()).add(name)
    return found
