"""docs/specification.md agrees with the program, and what cites it or is named in it exists."""

import re
import subprocess
from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from itertools import chain
from pkgutil import resolve_name

import pytest

from jara.domain import errors
from jara.domain.giving import pledge
from jara.domain.publiclog.leaves import LeafType
from jara.domain.voting import proposal
from jara.domain.voting.tally import VoteRule
from jara_cli.exits import explain
from jara_webapi.calls.errors import status_of
from jara_webapi.pages.website import PAGES
from tests.test_documents import ROOT, cells
from tests.webapi.calls import CALLS, LIVE_CALLS

PAGE = ROOT / "docs" / "specification.md"
TEXT = PAGE.read_text("utf-8")
ROWS = cells(PAGE)
CONSTANTS = [row for row in ROWS if row[-1].startswith("`jara.")]
SECTIONS = set(re.findall(r"^## (\d+)\. ", TEXT, re.MULTILINE))
ACCESS = {
    "visitor": "anyone",
    "more": "anyone, more for members",
    "member": "members",
    "link": "holders of a link",
    "operator": "operators at the desk",
}


def code(cell: str) -> list[str]:
    """Return the texts of a cell that are in code type."""
    return re.findall(r"`([^`]+)`", cell)


def test_every_cited_section_exists() -> None:
    """Code, tests and pages cite sections that the specification has."""
    listed = ["git", "grep", "-IhoiE", r"\bspec §[0-9]+(, §[0-9]+)*"]
    cited = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    numbers = set(re.findall(r"\d+", cited))

    assert len(numbers) > 5
    assert numbers <= SECTIONS


def test_every_rule_names_a_test() -> None:
    """The last column of a table of rules has tests only, at least one a row."""
    tables = re.findall(r"^\|.* held by \|\n\|.*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    held = [row.rpartition(" | ")[2] for table in tables for row in table.splitlines()]
    names = list(chain.from_iterable(map(code, held)))

    assert len(held) > 100
    assert [cell for cell in held if not code(cell)] == []
    assert [name for name in names if not is_test(name)] == []


def is_test(name: str) -> bool:
    """Return whether a file of tests exists."""
    is_named_so = re.search(r"/test_\w+\.py$|\.test\.tsx?$|\.e2e\.ts$", name)
    return is_named_so is not None and (ROOT / name).is_file()


@pytest.mark.parametrize("row", CONSTANTS, ids=[row[0] for row in CONSTANTS])
def test_constants_are_those_of_the_program(row: list[str]) -> None:
    """Each constant has the value of the name in its row."""
    _, stated, name = row
    value = resolve_name(name.strip("`"))
    if isinstance(value, VoteRule):
        value = (value.num, value.den)
    elif isinstance(value, Mapping):
        value = tuple(value.values())
    stated_values = values_in(stated)

    assert stated_values == (value if isinstance(value, tuple) else (value,))


def values_in(text: str) -> tuple[int | timedelta, ...]:
    """Read the values of a cell, such as ``7, 14, 21 days``."""
    *numbers, unit = text.split()
    whole = [int(number.replace(",", "")) for number in numbers]
    is_time = unit in {"days", "hours", "minutes"}
    return tuple(timedelta(**{unit: number}) if is_time else number for number in whole)


def test_there_are_constants() -> None:
    """Without rows the test above would check nothing."""
    assert len(CONSTANTS) > 20


@pytest.mark.parametrize(
    ("heading", "transitions"), [("pledge", pledge.TRANSITIONS), ("proposal", proposal.TRANSITIONS)]
)
def test_states_are_those_of_the_program(
    heading: str, transitions: Mapping[StrEnum, frozenset[StrEnum]]
) -> None:
    """Each state has the states that may follow it."""
    table = TEXT.partition(f"| {heading} | may become |\n")[2].partition("\n\n")[0]
    rows = [line.split("|") for line in table.splitlines()[1:]]
    stated = {code(row[1])[0]: set(code(row[2])) for row in rows}

    assert stated == {state.value: set(map(str, after)) for state, after in transitions.items()}


def test_pages_are_those_of_the_site() -> None:
    """The table of pages has each address of the site, and those of single items."""
    section = TEXT.partition("## 2. ")[2].partition("\n###")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `/")]
    stated = [name for row in rows for name in code(row[1])]

    of_one = ["/projects/{name}", "/proposals/{name}", "/ledger/entries/{id}", "/my-impact/{year}"]

    assert sorted(stated) == sorted([*PAGES, *of_one])


def test_calls_are_those_of_the_api() -> None:
    """The tables have each call with its access; the first thirteen in their order."""
    rows = [row for row in ROWS if re.match(r"`(GET|POST|PUT|DELETE) /api/", row[0])]
    stated = [(call, row[1]) for row in rows for call in code(row[0])]
    served = [(f"{one.method} /api{one.path}", ACCESS[one.access]) for one in (*CALLS, *LIVE_CALLS)]

    assert sorted(stated) == sorted(served)
    assert stated[:13] == served[:13]


ERRORS = [row for row in ROWS if re.fullmatch(r"`[A-Z]\w+`", row[0])]


@pytest.mark.parametrize("row", ERRORS, ids=[row[0] for row in ERRORS])
def test_errors_are_those_of_the_program(row: list[str]) -> None:
    """Each class has its code, its HTTP status and its exit code."""
    name, word, status, exit_code = row
    kind = getattr(errors, name.strip("`"))
    wait = {"retry_after_seconds": 1} if kind is errors.TooManyRequests else {}
    error = kind("It failed.", **wait)

    assert error.code == word.strip("`")
    assert status_of(error) == int(status)
    assert explain(error)[0] == int(exit_code)


def test_every_kind_of_error_is_listed() -> None:
    """The table has each class directly below the base class."""
    kinds = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and kind.__base__ is errors.JaraError
    }

    assert {row[0].strip("`") for row in ERRORS} == kinds


def test_leaves_are_those_of_the_log() -> None:
    """The table has each type of leaf."""
    stated = {code(row[0])[0] for row in ROWS if row[0].startswith("`jara/v1/")}

    assert stated == set(map(str, LeafType))
