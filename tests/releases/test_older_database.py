"""A database older than 0.2.0 is refused by each command, and not a byte of it changes."""

import io
import re
import shlex
import shutil
from collections.abc import Iterator
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jara_cli.main import execute
from tests.pages.commands import list_commands
from tests.releases.organisation import HERE

REFUSAL = "is older than Jara 0.2.0; upgrade it with Jara 0.2.0 first."
WITHOUT_DATABASE = {
    *("demo", "help", "init", "setup", "samples copy", "mail preview", "proofs receipt"),
    *("operators scheduler-key", "bank mappings presets", "stripe account"),
    *("witness init", "witness add", "witness serve", "witness status"),
}
"""Commands that open no database, or stop first because this organisation is a sandbox."""

STOPPED_BEFORE = re.compile(r"There is no file|needs an answer|no key '?KEY|'KEY' is not|in CAD")
"""Errors of examples that name a file or a value which is not here."""


def _example(path: str, command: Any) -> list[str]:
    """Return the words of a command's first example, without redirections."""
    text = re.search(rf"^ *{path}\b.*?(?=^ *jara |\Z|\n\n)", command.help, re.MULTILINE | re.DOTALL)
    assert text, path
    words = shlex.split(text[0].replace("\\\n", " "), comments=True)[1:]
    return list(takewhile(lambda word: word not in {"|", "<", ">", "&&"}, words))


EXAMPLES = {
    path.removeprefix("jara "): _example(path, command)
    for path, command in list_commands()
    if path.removeprefix("jara ") not in WITHOUT_DATABASE
}


class Older(NamedTuple):
    """An organisation that 0.1.0 made, and the checksum of each of its files."""

    folder: Path
    sums: dict[Path, str]


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Older]:
    """An organisation that 0.1.0 made."""
    place = tmp_path_factory.mktemp("older")
    shutil.unpack_archive(HERE / "0.1.0.tar.xz", place)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        yield Older(place, _sums(place))


def _sums(folder: Path) -> dict[Path, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.parametrize("words", EXAMPLES.values(), ids=EXAMPLES)
def test_each_command_refuses_and_changes_nothing(
    older: Older,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The sentence names the release that upgrades it; file, keys and folder stay as they are."""
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))

    status = execute(["--db", "jara.db", *words])

    shown = "".join(capsys.readouterr())
    assert status != 0
    assert REFUSAL in " ".join(shown.split()) or STOPPED_BEFORE.search(shown)
    assert _sums(older.folder) == older.sums


def test_a_backup_of_an_older_database_is_not_restored(
    older: Older, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No new database is left behind."""
    monkeypatch.setenv("JARA_SECRETS_DIR", "jara.secrets")

    status = execute(["--db", "new.db", "restore", "jara.db", "--lost"])

    assert (status, _sums(older.folder)) == (4, older.sums)
    assert REFUSAL in capsys.readouterr().err
