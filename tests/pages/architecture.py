"""Writes the generated parts of pages, such as layers and packages of docs/architecture.md.

The layers come from the import-linter contracts in pyproject.toml, and the description of a
package is the first sentence of its docstring.
"""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

from tests.pages.columns import list_columns
from tests.pages.effects import list_touches
from tests.pages.mail import list_kinds

ROOT = Path(__file__).parents[2]
SOURCES = {"jara": "src/jara", "jara_cli": "cli/jara_cli", "jara_webapi": "webapi/jara_webapi"}
_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def fill_page(text: str) -> str:
    """Return the page with each generated part renewed."""
    parts = {
        "layers": draw_layers,
        "packages": list_packages,
        "kinds": list_kinds,
        "effects": list_touches,
        "columns": list_columns,
    }
    return _PART.sub(lambda part: f"{part[1]}\n{parts[part[2]]()}\n{part[3]}", text)


def draw_layers() -> str:
    """Return a diagram for each layer contract, the highest layer first."""
    drawn = []
    for contract in _contracts():
        container = (contract.get("containers") or [""])[0]
        where = f"`{container}`" if container else "Everything"
        rows = ["   ".join(_names(layer)) for layer in contract["layers"]]
        width = max(map(len, rows))
        line = f"+{'-' * (width + 2)}+"
        body = f"\n{line}\n".join(f"| {row.ljust(width)} |" for row in rows)
        drawn.append(f"{where}:\n\n```text\n{line}\n{body}\n{line}\n```\n")
    return "\n".join(drawn)


def list_packages() -> str:
    """Return a table of every package and its purpose, in the order of the contracts."""
    named = [module for contract in _contracts() for module in _modules(contract)]
    rows = ["| package | what it is for |", "|---|---|"]
    rows += [
        f"| [`{module}`](../{_path(module)}) | {_sentence(module)} |"
        for parent in named
        for module in (parent, *_parts(parent, named))
    ]
    return "\n".join(rows) + "\n"


def _modules(contract: Any) -> list[str]:
    container = (contract.get("containers") or [""])[0]
    names = [name for layer in contract["layers"] for name in _names(layer)]
    return [f"{container}.{name}" if container else name for name in names]


def _parts(parent: str, named: list[str]) -> list[str]:
    """Return all subpackages that no contract names."""
    found = []
    for file in sorted((ROOT / _path(parent)).glob("*/__init__.py")):
        module = f"{parent}.{file.parent.name}"
        if module not in named:
            found += [module, *_parts(module, named)]
    return found


def _contracts() -> list[Any]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    return [contract for contract in contracts if contract["type"] == "layers"]


def _names(layer: str) -> list[str]:
    return [name.strip(" ()") for name in re.split(r"[|:]", layer)]


def _path(module: str) -> str:
    package, _, rest = module.partition(".")
    place = "/".join([SOURCES[package], *filter(None, rest.split("."))])
    return place if (ROOT / place).is_dir() else f"{place}.py"


def _sentence(module: str) -> str:
    place = ROOT / _path(module)
    file = place / "__init__.py" if place.is_dir() else place
    docstring = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    first = re.split(r"(?<=\.)\s", docstring.partition("\n\n")[0].replace("\n", " "))[0]
    return first.replace("``", "`")
