"""Runs the verifier on a bundle."""

from pathlib import Path

import pytest

from jara import jara_verify
from tests.verifier.log_builder import Check, Files, write_folder


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Write the files to a folder, run the verifier, return its status and lines."""

    def run(files: Files, *options: str | Path) -> tuple[int, str]:
        folder = write_folder(files, tmp_path / "bundle")
        status = jara_verify.main([str(folder), *map(str, options)])
        return status, capsys.readouterr().out

    return run
