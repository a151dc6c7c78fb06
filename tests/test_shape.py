"""Modules and functions are short, and imports are at the top."""

import ast
import re
from pathlib import PurePath

import pytest

from tests.product_code import MODULES, ROOT, Function, nodes

MODULE_LINES = 500
FUNCTION_LINES = 60
LATE_IMPORTS = 40
LONGER_MODULES = {
    "src/jara/jara_verify.py": "one file that anyone can run alone, so it cannot be divided"
}
BUDGET = {
    "src/jara/bootstrap": 1_750,
    "src/jara/config": 850,
    "src/jara/domain": 17_300,
    "src/jara/files": 8_160,
    "src/jara/languages": 400,
    "src/jara/mail": 900,
    "src/jara/payments": 4_350,
    "src/jara/records": 1_200,
    "src/jara/reports": 3_900,
    "src/jara/security": 2_110,
    "src/jara/services": 38_990,
    "src/jara/store": 8_820,
    "src/jara/witness": 500,
    "src/jara/*.py": 3_150,
    "cli": 14_110,
    "webapi": 8_600,
    "webui/src": 38_400,
    "webui/e2e": 8_750,
    "tests": 119_050,
}
"""Lines of code that two people can own. A change that needs more raises a figure by hand, and its
commit says what went to pay for it."""
ENTRY_POINTS = ("cli/", "webapi/")
OPENING = re.compile(r"\.store\.(read|write)\(|read_once\(|write_grouped")
ZONE_MODULE = PurePath("src/jara/domain/time_zone.py")
READS_A_DAY = {
    PurePath("src/jara/files/bank/text.py"): "strptime"  # a day as a bank writes it
}
"""Modules that turn a written day into a date, without any instant."""


def test_modules_are_short() -> None:
    """A module has at most 500 lines, or a reason in the list above; so has one of the tests."""
    tests = {str(path): path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")}
    lines = {module: text.count("\n") for module, text in {**MODULES, **tests}.items()}
    longer = {module: count for module, count in lines.items() if count > MODULE_LINES}

    assert longer.keys() == LONGER_MODULES.keys(), longer


@pytest.mark.parametrize("folder", BUDGET)
def test_each_folder_stays_within_its_budget(folder: str) -> None:
    """Growth is decided, not drifted into."""
    files = ROOT.glob(folder) if "*" in folder else (ROOT / folder).rglob("*")
    lines = sum(
        path.read_text("utf-8").count("\n")
        for path in files
        if path.suffix in {".py", ".ts", ".tsx", ".css"} and "node_modules" not in path.parts
    )

    assert lines <= BUDGET[folder]


def test_every_package_has_a_budget() -> None:
    """A new folder of code needs a figure."""
    packages = {path.parent.as_posix() for path in (ROOT / "src" / "jara").glob("*/__init__.py")}

    assert packages <= {(ROOT / folder).as_posix() for folder in BUDGET}


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


def test_one_module_says_which_day_an_instant_belongs_to() -> None:
    """`TimeZone` alone takes the date of an instant, and alone knows where a day starts."""
    taken = [
        f"{module}:{call.lineno}"
        for module, call in nodes()
        if isinstance(call, ast.Call)
        and module != ZONE_MODULE
        and isinstance(call.func, ast.Attribute)
        and (_takes_a_date(call.func, call.args, READS_A_DAY.get(module)) or _is_midnight(call))
    ]

    assert taken == []


def _takes_a_date(func: ast.Attribute, arguments: list[ast.expr], reader: str | None) -> bool:
    of = func.value
    is_read = (
        isinstance(of, ast.Call) and isinstance(of.func, ast.Attribute) and of.func.attr == reader
    )
    return func.attr == "date" and not arguments and not is_read


def _is_midnight(call: ast.Call) -> bool:
    """Return whether a call is ``datetime.combine(day, time())``, or with ``time.min``."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "combine":
        return False
    return ast.unparse(call.args[1]) in {"time()", "time(0)", "time.min", "time(tzinfo=UTC)"}


def _functions() -> list[tuple[str, Function]]:
    """Return each function with its module."""
    return [(f"{module}", node) for module, node in nodes() if isinstance(node, Function)]


def _reason(module: str, number: int) -> bool:
    """Return whether a line, or the one above it, has a comment."""
    above, line = MODULES[module].splitlines()[number - 2 : number]
    return above.lstrip().startswith("#") or bool(_comment(line))


def _comment(line: str) -> str:
    """Return the comment of a line, without a noqa mark."""
    return re.sub(r"noqa: [A-Z0-9]+", "", line.partition("#")[2]).strip(" -")
