"""An organisation on a disk, or of an owner, that cannot be written to: reading works."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import jara
from jara.bootstrap import build_from_environ
from jara_cli.main import execute
from tests.cli.giving_shell import GivingShell

NOBODY = 65534
READING = (
    ("ledger", "verify"),
    ("ledger", "balance"),
    ("members", "list"),
    ("report", "impact"),
    ("doctor",),
    ("ledger", "export", "--format", "csv"),
    (),
)


@pytest.fixture
def place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Path]:
    """The folder of an organisation that anybody may read and nobody may write."""
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    shell.add()
    for words in READING:
        shell.run(*words)  # what a command imports, it has imported before it loses its rights
    store = build_from_environ(os.environ, overrides={"database_url": "jara.db"}).context.store
    store.truncate_log()  # the file has everything, as after the last process has closed it
    store.close()
    folder = Path(tempfile.mkdtemp(prefix="jara-read-only-"))
    shutil.copy("jara.db", folder)
    shutil.copytree("jara.secrets", folder / "jara.secrets")
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.chdir(folder)
    yield folder
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


def powerless(act: Callable[[], int]) -> int:
    """Run a function in a process that may write nothing here; return its status."""
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        status = 99
        try:
            if os.getuid() == 0:
                os.setresuid(NOBODY, NOBODY, NOBODY)
            status = act()
        finally:
            sys.stdout.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_commands_that_read_work(place: Path, words: tuple[str, ...]) -> None:
    """They need no file beside the database."""
    before = sorted(place.rglob("*"))

    assert powerless(lambda: int(execute(list(words)))) == (1 if words == ("doctor",) else 0)
    assert sorted(place.rglob("*")) == before


def test_python_reads(place: Path) -> None:
    """`jara.open` opens it for reading."""

    def read() -> int:
        return len(list(jara.open(place / "jara.db").members()))

    assert powerless(read) == 1


def test_a_change_is_refused(place: Path) -> None:
    """The answer is one sentence, and a backup still works."""
    assert place
    with tempfile.TemporaryDirectory() as elsewhere:
        Path(elsewhere).chmod(0o777)
        target = f"{elsewhere}/b.db"

        assert powerless(lambda: int(execute(["backup", target]))) == 0
        assert Path(target).stat().st_size > 0
    words = ["members", "erase", "ama@example.org", "--why", "asked", "--yes"]
    assert powerless(lambda: int(execute(words))) == 5
