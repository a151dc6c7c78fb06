"""``jara export datapackage``: the open data as files."""

import json
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute


@pytest.fixture(autouse=True)
def organisation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in the folder of a new organisation."""
    monkeypatch.chdir(tmp_path)
    assert execute(["init", "--json"]) == ExitCode.DONE
    return tmp_path


def test_a_package_is_written_and_replaced(
    organisation: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder is created; a second run replaces the files."""
    capsys.readouterr()

    status = execute(["export", "datapackage", "a/open-data", "--json"])

    assert status == ExitCode.DONE
    written = [row["file"] for row in json.loads(capsys.readouterr().out)]
    folder = organisation / "a" / "open-data"
    assert {organisation / name for name in written} == set(folder.iterdir())
    (folder / "votes.csv").write_text("old")
    assert execute(["export", "datapackage", "a/open-data"]) == ExitCode.DONE
    assert (folder / "votes.csv").read_text().startswith("slug,title,")


@pytest.mark.parametrize("verb", ["datapackage", "tiles"])
def test_a_file_is_no_folder(
    organisation: Path, capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    """The target must be a folder; an existing file is left unchanged."""
    (organisation / "notes").write_text("mine")

    assert execute(["export", verb, "notes"]) == ExitCode.USAGE
    assert "'notes' is a file; name a folder." in capsys.readouterr().err
    assert (organisation / "notes").read_text() == "mine"


def test_the_log_is_written_as_static_files(
    organisation: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The log is exported after the first checkpoint; a second run adds what is new."""
    assert execute(["export", "tiles", "log"]) == ExitCode.NOT_FOUND
    assert "'jara proofs checkpoint' signs one" in capsys.readouterr().err
    assert execute(["proofs", "checkpoint", "--json"]) == ExitCode.DONE
    size = json.loads(capsys.readouterr().out)["size"]

    assert execute(["export", "tiles", "log", "--json"]) == ExitCode.DONE
    done = json.loads(capsys.readouterr().out)
    assert done == {"folder": "log", "size": size, "tiles": 1, "pages": 1}
    assert (organisation / "log" / "tile" / "0" / "000.p" / str(size)).is_file()
    assert execute(["export", "tiles", "log", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["tiles"] == 0
