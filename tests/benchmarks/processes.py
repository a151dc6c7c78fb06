"""Runs programs to their end and tells what each took."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

JARA = str(Path(sys.executable).with_name("jara"))
WEBUI = Path(__file__).parents[2] / "webui"

_RUNNER = """
import json, resource, subprocess, sys, time
nothing = subprocess.DEVNULL
begin = time.perf_counter()
subprocess.run(sys.argv[1:], stdin=nothing, stdout=nothing, stderr=nothing, check=True)
seconds = time.perf_counter() - begin
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([seconds, used.ru_maxrss / 1024, used.ru_utime + used.ru_stime]))
"""
"""A small process in between: a child's peak begins with what its parent holds."""


@dataclass(frozen=True)
class Took:
    """What a program took.

    Args:
        seconds: from its start to its end.
        mib: the most memory that it held.
        cpu_seconds: of all its processes together, which others on the machine change less.
    """

    seconds: float
    mib: float
    cpu_seconds: float = 0.0


def run(command: Sequence[str], folder: Path) -> Took:
    """Run a program in a folder to its end, which must be a good one."""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _RUNNER, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return Took(*json.loads(ran.stdout))


def seconds_of(command: Sequence[str], folder: Path) -> float:
    """Run a program in a folder to its end and return the seconds between."""
    return run(command, folder).seconds
