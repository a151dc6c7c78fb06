"""The commands, files, limits and settings in the documentation exist."""

import re
from datetime import timedelta
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from jara.config.loading import load_settings
from jara.config.settings import RETIRED, SETTING_NAMES, variable_of
from jara.domain.giving.changemaker import GRACE, RETRY_AFTER, STEPS
from tests.pages.commands import list_commands

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(DOCS.glob("*.md")),
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / ".github").glob("*.md")),
]
NEW_PAGES = [page for page in PAGES if page.name not in {"CHANGELOG.md", "upgrading.md"}]
"""Pages without the commands of earlier versions."""
SECURITY = DOCS / "security.md"
OPERATIONS = DOCS / "operations.md"
_COMMANDS = {path for path, _ in list_commands()}


def cells(page: Path) -> list[list[str]]:
    """Return the rows of every table of a page."""
    lines = page.read_text("utf-8").splitlines()
    return [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in lines
        if line.startswith("| ")
    ]


def test_the_limits_are_those_of_the_program() -> None:
    """docs/security.md has each limit with its default."""
    told = {row[0].strip("`"): row[1] for row in cells(SECURITY) if "JARA_LIMIT_" in row[0]}
    settings = load_settings({})
    real = {
        variable_of(name): str(getattr(settings, name))
        for name in SETTING_NAMES
        if name.startswith("limit_")
    }

    assert real == told


def test_the_schedule_after_a_failed_charge_is_that_of_the_program() -> None:
    """docs/payments.md has each attempt, each email and the day on which voting is suspended."""
    page = (DOCS / "payments.md").read_text("utf-8")
    *attempts, last = (after.days for after in RETRY_AFTER)
    _, *emails = (step.days for step in STEPS)

    assert (
        f"tried again after {', '.join(map(str, attempts))} and {last} days, with an email at once "
        f"and on the days {' and '.join(map(str, emails))}. From day {GRACE.days} on the member "
        "cannot vote."
    ) in page
    assert {after.days - before.days for before, after in pairwise((STEPS[0], *RETRY_AFTER))} == {7}
    assert "three retries, each 7 days after the one before" in page


RETAINED = [
    (row[0], row[1], row[2].strip("`"))
    for row in cells(SECURITY)
    if row[-1].startswith("`jara.services.")
]


@pytest.mark.parametrize(("what", "kept", "name"), RETAINED, ids=[row[0] for row in RETAINED])
def test_retention_is_as_it_is_written(what: str, kept: str, name: str) -> None:
    """Each kind of data is stored as long as the page says, by the constant of that module."""
    module, _, constant = name.rpartition(".")
    value = getattr(import_module(module), constant)
    code = (ROOT / "src" / module.replace(".", "/")).with_suffix(".py").read_text("utf-8")
    number, unit = re.match(r"(\d+) (day|year)", kept).groups()  # type: ignore[union-attr] # no match fails the test

    assert value == (int(number) if unit == "year" else timedelta(days=int(number))), what
    assert f"\n{constant} = " in code


def test_retention_is_told() -> None:
    """The page has rows; without them the test above would check nothing."""
    assert len(RETAINED) >= 9


@pytest.mark.parametrize("page", NEW_PAGES, ids=[page.name for page in NEW_PAGES])
def test_every_command_that_is_shown_exists(page: Path) -> None:
    """Commands in blocks and in running text exist."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`(jara [^`]*)`", text)
    unknown = []
    for line in lines:
        match = re.match(r"jara ((?:--(?:db|config) \S+ )*)([a-z].*)", line)
        if match is None:
            continue
        words = match[2].split()
        tried = {f"jara {' '.join(words[:length])}" for length in (1, 2, 3)}
        is_noun = any(path.startswith(f"jara {' '.join(words)} ") for path in _COMMANDS)
        if not tried & _COMMANDS and not is_noun:
            unknown.append(line)

    assert unknown == []


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_every_link_leads_somewhere(page: Path) -> None:
    """Every link leads to an existing file and heading."""
    broken = []
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
        if target.startswith("https://"):
            continue
        name, _, heading = target.partition("#")
        path = page.parent / name if name else page
        anchors = _anchors(path) if path.is_file() and path.suffix == ".md" else set()
        if not path.exists() or (heading and heading not in anchors):
            broken.append(target)

    assert broken == []


def _anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_every_variable_is_a_setting(page: Path) -> None:
    """A page names only variables that the program reads, if only to move their values."""
    known = {variable_of(name) for name in (*SETTING_NAMES, *RETIRED)}
    named = set(re.findall(r"\bJARA_[A-Z_]*[A-Z]\b", page.read_text("utf-8")))

    assert {name for name in named if not any(k.startswith(name) for k in known)} == set()


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_every_path_in_code_type_exists(page: Path) -> None:
    """Repository paths in code type exist."""
    folders = "tests|src|cli|webapi|webui|docs|data"
    named = re.findall(rf"`((?:{folders})/[\w./-]*)", page.read_text("utf-8"))

    assert [name for name in named if not (ROOT / name).exists()] == []
