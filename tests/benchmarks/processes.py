"""Runs programs and measures their time and memory."""

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
"""A small process in between: the peak memory of a child includes its parent's at the fork."""


@dataclass(frozen=True)
class Took:
    """The time and memory of a program.

    Args:
        seconds: from its start to its end.
        mib: its peak memory.
        cpu_seconds: of all its processes together; less sensitive to other load than seconds.
    """

    seconds: float
    mib: float
    cpu_seconds: float = 0.0


def run(command: Sequence[str], folder: Path) -> Took:
    """Run a program in a folder; it must succeed."""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _RUNNER, *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return Took(*json.loads(ran.stdout))


def seconds_of(command: Sequence[str], folder: Path) -> float:
    """Run a program in a folder and return its seconds."""
    return run(command, folder).seconds
