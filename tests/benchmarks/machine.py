"""The machine of the benchmarks, and the versions of all programs."""

import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from pysqlite3 import dbapi2 as sqlite3

from jara.bootstrap import SystemClock

PROGRAMS = {
    "hledger": ("hledger", "--version"),
    "wrk": ("wrk", "-v"),
    "Chromium": (os.environ.get("CHROMIUM", "chromium"), "--version"),
    "Node": ("node", "--version"),
}
PACKAGES = ("falcon", "gunicorn", "argon2-cffi", "PyJWT", "typer", "pydantic")


def describe_machine() -> dict[str, str]:
    """Return a description of this machine for readers who compare figures."""
    programs = [f"{name} {version_of(words)}" for name, words in PROGRAMS.items()]
    packages = [f"{name} {version(name)}" for name in PACKAGES]
    return {
        "Measured": f"{SystemClock().now():%-d %B %Y}, at commit {_commit()}",
        "Processor": f"{os.cpu_count()} cores, {_processor()}",
        "Speed": f"`python -c pass` takes {_milliseconds_of_a_start():.0f} ms",
        "Memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "System": f"{platform.system()} {platform.release().partition('-')[0]}, {_distribution()}",
        "Disk": _disk(tempfile.gettempdir()),
        "Python": f"{platform.python_version()}, SQLite {sqlite3.sqlite_version}",
        "Programs": ", ".join(programs),
        "Packages": ", ".join(packages),
    }


def version_of(words: tuple[str, ...]) -> str:
    """Return the version that a program prints, or ``(missing)``."""
    if shutil.which(words[0]) is None:
        return "(missing)"
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # wrk -v ends with 1
    found = re.search(r"\d+(?:\.\d+)+", done.stdout + done.stderr)
    return found[0] if found else "(unknown)"


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _processor() -> str:
    found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text("utf-8"))
    return found[1] if found else platform.machine()


def _milliseconds_of_a_start() -> float:
    """Return how long Python takes to start; a processor's name says little of its speed."""
    taken = []
    for _ in range(15):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken) * 1000


def _distribution() -> str:
    return platform.freedesktop_os_release().get("PRETTY_NAME", "unknown")


def _disk(folder: str) -> str:
    command = ["df", "--output=fstype", folder]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return f"{lines[-1]}, where temporary files are"
