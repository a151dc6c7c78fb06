"""The organisation of a release: `python -m tests.releases.organisation` stores today's.

Each release leaves ``VERSION.tar.xz`` here: a small sample organisation as that version wrote it,
with a vote that is open, and what its commands said about it.
"""

import json
import subprocess
import tarfile
import tempfile
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from jara import __version__
from jara.bootstrap import SystemClock
from jara_cli.main import execute

HERE = Path(__file__).parent
SHOWN = "shown.json"
DEMO = ["demo", "--no-serve", "--members", "12", "--seed", "5"]
READS = [
    "members list --limit 1000",
    "pledges list --limit 1000",
    "payments list --limit 1000",
    "proposals list",
    "projects list",
    "ledger balance",
    "votes tally beekeeping",
    "organisation show",
]
"""Commands that must say the same after an upgrade."""


def read_all(folder: Path, day: str) -> dict[str, Any]:
    """Return what each command of `READS` says about the organisation on a day."""
    return {
        words: json.loads(jara(folder, "--now", day, *words.split(), "--json")) for words in READS
    }


def jara(folder: Path, *words: str) -> str:
    """Run a command that must succeed on the organisation in a folder; return what it prints."""
    with chdir(folder), redirect_stdout(StringIO()) as out:
        assert execute(["--db", "jara.db", *words]) == 0, words
    return out.getvalue()


def store() -> Path:
    """Store an organisation of this version; return the archive."""
    archive = HERE / f"{__version__}.tar.xz"
    with tempfile.TemporaryDirectory() as temporary:
        subprocess.run(["jara", *DEMO], cwd=temporary, check=True, capture_output=True)
        folder = Path(temporary, "jara-demo")
        day = f"{SystemClock().now().date()}"
        shown = {"day": day, "reads": read_all(folder, day)}
        (folder / SHOWN).write_text(json.dumps(shown, indent=1, sort_keys=True), "utf-8")
        with tarfile.open(archive, "w:xz") as packed:
            packed.add(folder, arcname=".")
    return archive


if __name__ == "__main__":
    print(store())  # noqa: T201 - a script
