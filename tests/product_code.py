"""The product's modules and their syntax trees, which a process reads once."""

import ast
from functools import cache
from pathlib import Path, PurePath

ROOT = Path(__file__).parents[1]
MODULES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for folder in ("src", "cli", "webapi")
    for path in sorted((ROOT / folder).rglob("*.py"))
}
Function = ast.FunctionDef | ast.AsyncFunctionDef
_KINDS = (ast.Import, ast.ImportFrom, ast.Call, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def nodes() -> list[tuple[PurePath, ast.AST]]:
    """Return the imports, calls and functions of the whole product, each with its module."""
    return [
        (path, node)
        for module, text in MODULES.items()
        for path in [PurePath(module)]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, _KINDS)
    ]
