"""docs/reliability.md has what each part of `nox -s full` gave, and what was not run."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.full import page, parts
from tests.full.page import HEADING, Result, read_result, write_lack, write_result
from tests.full.parts import PARTS, PROGRAMS, ROOT, Program
from tests.soak.table import write_table

JUNIT = """<testsuites><testsuite>
<testcase name="a"/>
<testcase name="b"><failure message="1 is not 2"/></testcase>
<testcase name="c"><error message="no server"/></testcase>
<testcase name="d"><skipped message="needs cards"/></testcase>
<testcase name="e"><skipped message="needs cards"/></testcase>
<testcase name="f"><skipped/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A page without results."""
    place = tmp_path / "reliability.md"
    place.write_text("# Reliability\n\nOf a soak.\n", "utf-8")
    return place


def rows(place: Path) -> dict[str, list[str]]:
    """Return the cells of each part's row."""
    lines = place.read_text("utf-8").partition(HEADING)[2].splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    return {first.strip("`"): rest for first, *rest in cells}


def test_the_page_has_every_part() -> None:
    """A part is in the table even if it was never run; one that is gone is not."""
    assert list(rows(page.PAGE)) == [part.name for part in PARTS]


def test_a_part_replaces_only_its_own_row(file: Path) -> None:
    """Parts run on different days, so each row has its own commit, and the soak's rows stay."""
    write_result(PARTS[0], Result(12, 0, Counter()), file)
    write_result(PARTS[1], Result(1_234, 2, Counter({"Skipped: needs root": 3})), file)
    write_lack(PARTS[0], ["python3.12"], file)

    seen = rows(file)
    assert seen[PARTS[0].name][2] == "not run: this machine lacks python3.12"
    assert seen[PARTS[1].name][2:5] == ["1,234", "2", "3: 3 needs root"]
    assert seen[PARTS[2].name][2] == "not run yet"
    assert file.read_text("utf-8").startswith("# Reliability\n\nOf a soak.\n\n## ")


def test_a_soak_keeps_the_rows_of_the_parts(file: Path) -> None:
    """Two sessions write the page; neither removes what the other wrote."""
    write_result(PARTS[0], Result(12, 0, Counter()), file)
    before = rows(file)

    write_table(file, {})
    write_table(file, {})

    assert rows(file) == before
    assert file.read_text("utf-8").count(HEADING) == 1


def test_tests_are_counted_by_how_they_ended(tmp_path: Path) -> None:
    """A test that could not begin has failed; reasons are counted."""
    report = tmp_path / "tests.xml"
    report.write_text(JUNIT, "utf-8")

    result = read_result([report], "Returned code 1")

    unsaid = "not for this engine, width or size"
    assert result == Result(1, 2, Counter({"needs cards": 2, unsaid: 1}), "")


@pytest.mark.parametrize(
    ("stopped", "is_good"), [("", True), ("Returned code 2", False), ("Returned code 1", False)]
)
def test_a_part_without_tests_passes_if_its_commands_do(stopped: str, is_good: bool) -> None:
    """A server that is set up is one test."""
    result = read_result([], stopped)

    assert (result.is_good, result.passed) == (is_good, int(is_good))


def test_a_part_that_was_stopped_says_so(tmp_path: Path, file: Path) -> None:
    """What passed before the end is counted, and the row says that it was not the end."""
    report = tmp_path / "tests.xml"
    report.write_text(JUNIT, "utf-8")

    said = write_result(PARTS[0], read_result([report], "Returned code 2"), file)

    assert rows(file)[PARTS[0].name][3] == "2; Returned code 2"
    assert said.startswith("failed")


def test_a_version_is_read_and_a_missing_program_has_none(tmp_path: Path) -> None:
    """What a program prints at ``--version`` is enough."""
    place = tmp_path / "well"
    place.write_text("#!/bin/sh\necho 'well version 1.22.1-beta (2024)'\n", "utf-8")
    place.chmod(0o755)
    well = Program("well", beside=(f"{place}".strip("/"),))

    assert well.version() == "1.22.1"
    assert Program("no-such-program").version() is None


def test_the_list_says_what_is_missing_and_installs_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody sees before the run what it needs."""
    monkeypatch.setattr(Program, "version", lambda one: None if one.name == "npm" else "1.0")
    (browsers,) = parts.choose(["browsers"])

    listed = parts.listing([browsers])

    assert browsers.does in listed
    assert "lacks, so it is not run: npm" in listed
    assert "firefox-esr 1.0" in listed


def test_each_program_of_a_part_is_described() -> None:
    """A part names programs of the table only, and the table has none that nobody needs."""
    named = {name for part in PARTS for name in (*part.programs, *part.helpers)}

    assert named <= set(PROGRAMS)
    assert [name for name in PROGRAMS if f'"{name}"' not in _noxfile() and name not in named] == []


def test_each_part_is_run_by_the_noxfile() -> None:
    """The list and what runs it are in two files."""
    table = _noxfile().partition("\nPARTS = {")[2].partition("}")[0]

    assert [part.name for part in PARTS if json.dumps(part.name) not in table] == []


def _noxfile() -> str:
    return (ROOT / "noxfile.py").read_text("utf-8")
