"""``jara export datapackage``: the open data as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute


@pytest.fixture(autouse=True)
def organisation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in the folder of a new organisation."""
    monkeypatch.chdir(tmp_path)
    assert ExitCode.DONE == execute(["init", "--json"])
    return tmp_path


def test_a_package_is_written_and_replaced(
    organisation: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder is created; a second run replaces the files."""
    capsys.readouterr()

    status = execute(["export", "datapackage", "a/open-data", "--json"])

    assert ExitCode.DONE == status
    written = [row["file"] for row in json.loads(capsys.readouterr().out)]
    folder = organisation / "a" / "open-data"
    assert {organisation / name for name in written} == set(folder.iterdir())
    (folder / "votes.csv").write_text("old")
    assert ExitCode.DONE == execute(["export", "datapackage", "a/open-data"])
    assert (folder / "votes.csv").read_text().startswith("slug,title,")


def test_a_file_is_no_folder(organisation: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused, and stays as it is."""
    (organisation / "notes").write_text("mine")

    assert ExitCode.USAGE == execute(["export", "datapackage", "notes"])
    assert "'notes' is a file; name a folder." in capsys.readouterr().err
    assert "mine" == (organisation / "notes").read_text()
