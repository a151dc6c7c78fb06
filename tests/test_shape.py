"""Modules and functions stay small enough to read at once."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

MODULE_LINES = 300
FUNCTION_LINES = 60
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
