"""Runs the commands in a document and compares their output."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

_BLOCK = re.compile(r"```console\n(.*?)```|<!-- (now: .*?) -->", re.DOTALL)


def steps_of(document: Path) -> list[tuple[str, str]]:
    """Return each command of a document with the output shown below it.

    The comment ``<!-- now: 2026-10-01 10:00-04:00 -->`` says when the next ones run; it is a step.
    """
    found: list[tuple[str, str]] = []
    for block, now in _BLOCK.findall(document.read_text("utf-8")):
        if now:
            found.append((now, ""))
        for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = piece.partition("\n")
            while command.endswith("\\") or _is_open(command):
                more, _, shown = shown.partition("\n")
                if _is_open(command):
                    command += "\n" + more.removeprefix("> ")
                else:
                    command = command[:-1] + more.lstrip("> ")
            found.append((command, shown))
    return found


def _is_open(command: str) -> bool:
    """Return whether a text for standard input does not end yet."""
    return command.partition("\n")[0].endswith("<<END") and not command.endswith("\nEND")


def as_pattern(shown: str) -> re.Pattern[str]:
    """Convert shown output to a pattern in which ``…`` matches anything; a last line may lack."""
    lines = [re.escape(line.rstrip()).replace("…", ".*?") for line in shown.rstrip().split("\n")]
    pattern = "\n".join(r"(?s:.*)" if line == ".*?" else line for line in lines)
    return re.compile(re.sub(r"\n\(\?s:\.\*\)$", r"(?s:\n.*)?", pattern))


def run_step(command: str, folder: Path, environ: Mapping[str, str]) -> str:
    """Run a command line; return its output, without trailing blanks on lines."""
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=dict(environ),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    lines = (ran.stdout + ran.stderr).rstrip().split("\n")
    return "\n".join(line.rstrip() for line in lines)
