"""Modules and functions stay small enough to read at once, and imports stand at the top."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

MODULE_LINES = 300
FUNCTION_LINES = 60
LATE_IMPORTS = 40
LONGER_MODULES = {
    "src/jara/jara_verify.py": "one file that anyone can run alone, so it cannot be divided",
    "src/jara/store/schema/m0001_foundation.py": "the first schema, one text that is never edited",
}
ROOT = Path(__file__).parents[1]
MODULES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("src", "cli", "webapi")
    for path in (ROOT / folder).rglob("*.py")
)


@pytest.mark.parametrize("module", MODULES)
def test_modules_are_short(module: str) -> None:
    """A module has at most 300 lines, or a reason in the list above."""
    lines = (ROOT / module).read_text(encoding="utf-8").count("\n")

    assert lines <= MODULE_LINES or module in LONGER_MODULES, f"{module} has {lines} lines"


@pytest.mark.parametrize("module", MODULES)
def test_functions_are_short(module: str) -> None:
    """A function has at most 60 lines, its docstring included."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    lengths = {
        f"{node.name} (line {node.lineno})": (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {} == {name: count for name, count in lengths.items() if count > FUNCTION_LINES}


def test_few_imports_are_inside_functions() -> None:
    """At most 40 import statements are inside functions, in all modules together."""
    late = [f"{module}:{number}" for module in MODULES for number in _late_imports(module)]

    assert len(late) <= LATE_IMPORTS, late


@pytest.mark.parametrize("module", MODULES)
def test_an_import_inside_a_function_has_a_reason(module: str) -> None:
    """A comment, in the same line or in the one above, says why."""
    lines = (ROOT / module).read_text(encoding="utf-8").splitlines()

    assert [] == [
        number
        for number in _late_imports(module)
        if not lines[number - 2].lstrip().startswith("#") and not _comment(lines[number - 1])
    ]


def _late_imports(module: str) -> Iterator[int]:
    """Yield the line of each import statement inside a function."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    functions = (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    yield from sorted(
        {
            node.lineno
            for function in functions
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
    )


def _comment(line: str) -> str:
    """Return the comment of a line, without the mark that quiets the linter."""
    return re.sub(r"noqa: [A-Z0-9]+", "", line.partition("#")[2]).strip(" -")
