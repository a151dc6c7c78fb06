"""The transcripts in README, docs/getting-started.md and the months of operators run as shown."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.quick_jara import DELAY, NOW
from tests.sizes import only_full
from tests.transcripts import as_pattern, run_step, steps_of

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
START = ROOT / "docs" / "getting-started.md"
MONTH = ROOT / "docs" / "month.md"
CARDS_MONTH = ROOT / "docs" / "month-with-cards.md"
PAGES = {"tour": README, "start": START, "month": MONTH, "cards": CARDS_MONTH}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_the_transcript_runs_as_it_is_shown(page: Path, tmp_path: Path, programs: Path) -> None:
    """Whoever takes half a minute for each step comes to the end as well."""
    _replay(steps_of(page), tmp_path, programs, seconds_each=30)


@only_full
def test_the_month_is_the_same_in_canadian_dollars(tmp_path: Path, programs: Path) -> None:
    """Only the demo's first command differs; no amount has the sign of another currency."""
    steps = [
        (re.sub("^jara demo", "jara demo --currency CAD", command), shown.replace("$", "CA$"))
        for command, shown in steps_of(CARDS_MONTH)
    ]

    printed = _replay(steps, tmp_path, programs)

    assert re.findall(r"(?<!CA)\$[0-9].*|.*USD.*|.*US dollar.*", printed) == []


def _replay(
    steps: Iterable[tuple[str, str]], tmp_path: Path, programs: Path, *, seconds_each: int = 0
) -> str:
    """Run the steps in a folder and compare their output; return all of it.

    Each step takes some seconds more than the one before, as those of a person who reads do.
    """
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JARA_")}
    environ = {**kept, "PATH": path, "HOME": str(tmp_path), "JARA_OPERATOR": "treasurer"}
    told = []
    for at, (command, shown) in enumerate(steps):
        environ[DELAY] = str(at * seconds_each)
        if command.startswith("export "):  # each command runs in a separate shell
            name, _, value = command.removeprefix("export ").partition("=")
            environ[name] = value
            continue
        if command.startswith("now: "):
            environ[NOW] = command.removeprefix("now: ")
            continue
        printed = run_step(command, tmp_path, environ)
        assert as_pattern(shown).fullmatch(printed), f"$ {command}\n{printed}"
        assert "error: " not in printed, f"$ {command}\n{printed}"  # an … matches anything
        told.append(printed)
    return "\n".join(told)


def test_there_is_a_transcript() -> None:
    """Without commands, the test above would check nothing."""
    commands = [command for command, _ in steps_of(README)]

    assert any(command.startswith("jara init") for command in commands)
    assert any("proposals close" in command for command in commands)
    assert any("jara ledger verify" in command for command in commands)
    assert any("jara report impact" in command for command in commands)
    assert len(steps_of(START)) > len(commands) // 2
    for page in (MONTH, CARDS_MONTH):
        assert len(steps_of(page)) > len(commands)
    assert sum(command.startswith("now: ") for command, _ in steps_of(MONTH)) == 3
