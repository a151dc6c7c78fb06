"""Where tests of settings work."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test works in an empty folder, as a person does."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
