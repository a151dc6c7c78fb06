"""docs/witnesses.md, executed by two organisations on one machine."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.journeys.live_server import free_port, serve
from tests.places import database_of
from tests.sizes import PATIENCE_SECONDS
from tests.transcripts import as_pattern, run_step, steps_of

PAGE = Path(__file__).parents[2] / "docs" / "witnesses.md"
SITE = "https://give.example.org"
WITNESS = "https://witness.sister.example"


@pytest.mark.slow
def test_two_organisations_do_what_the_page_shows(
    place: Path, tmp_path: Path, programs: Path
) -> None:
    """The other organisation's witness, the own commands and a third person's check work."""
    bin_folder = str(Path(sys.executable).parent)
    environ = {
        **os.environ,
        "PATH": os.pathsep.join([str(programs), bin_folder, os.environ["PATH"]]),
        "JARA_DATABASE_URL": database_of(place),
        "JARA_SECRETS_DIR": str(place / "jara.secrets"),
        "JARA_CHECKPOINTS_FILE": str(place / "jara.checkpoints.txt"),
    }
    port = free_port()
    with serve(place, [str(programs / "jara")]) as server:
        steps = [
            (
                command.replace(SITE, f"http://127.0.0.1:{server.port}").replace(
                    WITNESS, f"http://127.0.0.1:{port}"
                ),
                shown.replace("give.example.org/log", "127.0.0.1/log"),
            )
            for command, shown in steps_of(PAGE)
        ]
        _run(steps[:1], tmp_path, environ)
        with _witness(programs, tmp_path, port):
            _run(steps[1:], tmp_path, environ)


def _run(steps: list[tuple[str, str]], folder: Path, environ: dict[str, str]) -> None:
    for command, shown in steps:
        printed = run_step(command, folder, environ)
        assert as_pattern(shown).fullmatch(printed), f"$ {command}\n{printed}"


@contextmanager
def _witness(programs: Path, folder: Path, port: int) -> Iterator[None]:
    """Serve the witness of a folder as the page shows, on a free port."""
    words = [str(programs / "jara"), "witness", "serve", "--port", str(port)]
    process = subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/key", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)


def test_the_page_shows_commands() -> None:
    """The page has commands; without them the test above would check nothing."""
    commands = " ".join(command for command, _ in steps_of(PAGE))

    for words in ("witness init", "witnesses add", "proofs status", "--quorum", "export tiles"):
        assert words in commands
