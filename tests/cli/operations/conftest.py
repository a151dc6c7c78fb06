"""Fixtures of the tests of commands that operate an installation."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without settings."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("JARA_"):
            monkeypatch.delenv(name)
    return tmp_path
