"""The marker of a folder whose keys are being created."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.domain.errors import Conflict, Unavailable
from jara.security.files import unfinished


def test_a_folder_is_marked_while_it_is_made(tmp_path: Path) -> None:
    """No other process starts meanwhile, and no marker is left afterwards."""
    folder = tmp_path / "secrets"
    with unfinished(folder) as was_left:
        assert not was_left
        assert [path.name for path in folder.iterdir()] == ["unfinished"]
        with pytest.raises(Conflict, match="Another process"), unfinished(folder):
            pass
        (folder / "key").touch()

    assert [path.name for path in folder.iterdir()] == ["key"]


def test_nothing_is_left_of_what_failed(tmp_path: Path) -> None:
    """An existing folder stays."""
    (tmp_path / "there").mkdir()
    for name in ("new", "there"):
        with pytest.raises(KeyError), unfinished(tmp_path / name):
            raise KeyError

    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_a_mark_of_a_killed_process_stays_until_it_is_dealt_with(tmp_path: Path) -> None:
    """A failure keeps the marker of a killed process, and success removes it."""
    mark = tmp_path / "unfinished"
    mark.touch()
    with pytest.raises(KeyError), unfinished(tmp_path):
        raise KeyError
    assert mark.exists()

    with unfinished(tmp_path) as was_left:
        assert was_left
    assert not mark.exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """The folder's parent may be a file."""
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="file/secrets cannot be written"):
        unfinished(tmp_path / "file" / "secrets").__enter__()
