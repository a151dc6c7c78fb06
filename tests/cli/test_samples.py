"""``jara samples copy``: the example files, wherever Jara is installed."""

import json
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute

SHIPPED = Path(__file__).parents[2] / "data" / "samples"


pytestmark = pytest.mark.usefixtures("folder")


def copied(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_sample_files_are_copied_into_samples(folder: Path) -> None:
    """Every data file is copied; the generator is not."""
    status = execute(["samples", "copy"])

    assert status == ExitCode.DONE
    kinds = ("csv", "json", "journal", "md")
    shipped = {path.name: path.read_bytes() for kind in kinds for path in SHIPPED.glob(f"*.{kind}")}
    assert shipped == copied(folder / "samples")


def test_a_second_copy_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Files with the same content are left alone, and ``--json`` reports that."""
    execute(["samples", "copy", "a/b", "--json"])
    first = json.loads(capsys.readouterr().out)
    execute(["samples", "copy", "a/b", "--json"])
    second = json.loads(capsys.readouterr().out)

    assert {row["written"] for row in first} == {True}
    assert {row["written"] for row in second} == {False}
    assert {"a/b/bank.csv"} < {row["file"] for row in first}


def test_a_file_that_differs_stops_the_copy(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is overwritten, and nothing else is copied."""
    (folder / "samples").mkdir()
    (folder / "samples" / "bank.csv").write_text("mine")

    status = execute(["samples", "copy"])

    assert status == ExitCode.CONFLICT
    assert copied(folder / "samples") == {"bank.csv": b"mine"}
    assert "'samples/bank.csv' exists and differs" in capsys.readouterr().err


def test_a_file_is_not_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The target must be a folder."""
    (folder / "samples").write_text("mine")

    status = execute(["samples", "copy"])

    assert status == ExitCode.USAGE
    assert "'samples' is a file" in capsys.readouterr().err
