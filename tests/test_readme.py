"""README's transcript, executed: what it shows is what a person gets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def steps() -> list[tuple[str, str]]:
    """Return each command of the transcript with the output that is shown below it."""
    found: list[tuple[str, str]] = []
    for block in _BLOCK.findall((ROOT / "README.md").read_text("utf-8")):
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = piece.partition("\n")
            while command.endswith("\\"):
                more, _, shown = shown.partition("\n")
                command = command[:-1] + more.lstrip("> ")
            found.append((command, shown))
    return found


def as_pattern(shown: str) -> re.Pattern[str]:
    """Turn shown output into a pattern: ``…`` stands for what differs from run to run."""
    lines = [re.escape(line.rstrip()).replace("…", ".*?") for line in shown.rstrip().split("\n")]
    return re.compile("\n".join(r"(?s:.*)" if line == ".*?" else line for line in lines))


@pytest.mark.slow
def test_the_transcript_runs_as_it_is_shown(tmp_path: Path) -> None:
    """From an empty folder to a verified ledger, a decided vote and a report."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JARA_")}
    environ = {**kept, "PATH": path, "HOME": str(tmp_path), "JARA_OPERATOR": "treasurer"}
    (tmp_path / "samples").symlink_to(ROOT / "data" / "samples")
    for command, shown in steps():
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        lines = [line.rstrip() for line in (ran.stdout + ran.stderr).rstrip().split("\n")]
        assert as_pattern(shown).fullmatch("\n".join(lines)), (
            f"$ {command}\n{ran.stdout}{ran.stderr}"
        )


def test_there_is_a_transcript() -> None:
    """A README without commands would make the test above pass for nothing."""
    commands = [command for command, _ in steps()]

    assert any(command.startswith("jara init") for command in commands)
    assert any("jara votes tally" in command for command in commands)
    assert any("jara ledger verify" in command for command in commands)
    assert any("jara report impact" in command for command in commands)
