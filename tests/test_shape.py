"""Modules and functions are short, and imports are at the top."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

MODULE_LINES = 400
FUNCTION_LINES = 60
LATE_IMPORTS = 40
LONGER_MODULES = {
    "src/jara/jara_verify.py": "one file that anyone can run alone, so it cannot be divided",
    "src/jara/store/schema/m0001_foundation.py": "the first schema, one text that is never edited",
}
ENTRY_POINTS = ("cli/", "webapi/")
OPENING = re.compile(r"\.store\.(read|write)\(|read_once\(|write_grouped")
ROOT = Path(__file__).parents[1]
MODULES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for folder in ("src", "cli", "webapi")
    for path in sorted((ROOT / folder).rglob("*.py"))
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def test_modules_are_short() -> None:
    """A module has at most 400 lines, or a reason in the list above."""
    lines = {module: text.count("\n") for module, text in MODULES.items()}
    longer = {module: count for module, count in lines.items() if count > MODULE_LINES}

    assert longer.keys() == LONGER_MODULES.keys(), longer


def test_functions_are_short() -> None:
    """A function has at most 60 lines, including its docstring."""
    long = {
        f"{module}:{function.lineno} {function.name}": lines
        for module, function in _functions()
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > FUNCTION_LINES
    }

    assert long == {}


def test_few_imports_are_inside_functions_and_each_has_a_reason() -> None:
    """There are at most 40, each with a comment in its line or the line above."""
    late = {
        (module, node.lineno)
        for module, function in _functions()
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }

    assert len(late) <= LATE_IMPORTS, sorted(late)
    assert sorted(f"{module}:{line}" for module, line in late if not _reason(module, line)) == []


def test_entry_points_open_no_transaction() -> None:
    """Commands and calls of the API use jara.services; only use cases open transactions."""
    opened = {
        module
        for module, text in MODULES.items()
        if module.startswith(ENTRY_POINTS) and OPENING.search(text)
    }

    assert opened == set()


@cache
def _functions() -> list[tuple[str, Function]]:
    """Return each function with its module."""
    return [
        (module, node)
        for module, text in MODULES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, Function)
    ]


def _reason(module: str, number: int) -> bool:
    """Return whether a line, or the one above it, has a comment."""
    above, line = MODULES[module].splitlines()[number - 2 : number]
    return above.lstrip().startswith("#") or bool(_comment(line))


def _comment(line: str) -> str:
    """Return the comment of a line, without a noqa mark."""
    return re.sub(r"noqa: [A-Z0-9]+", "", line.partition("#")[2]).strip(" -")
