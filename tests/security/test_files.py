"""Temporary folders are removed after a kill; a marker shows a folder that is being created."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, Unavailable
from jara.security.files import scratch_folder, unfinished

KILLED = """
import os, sys
from pathlib import Path
from jara.security.files import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "plain.db").write_text("secret")
    os.kill(os.getpid(), 9)
"""


def test_a_folder_lives_as_long_as_its_block(tmp_path: Path) -> None:
    """The folder is private, and removed when the block ends or fails."""
    with scratch_folder(tmp_path) as folder:
        (folder / "plain.db").write_text("secret")
        mode = folder.stat().st_mode & 0o777
    with suppress(ZeroDivisionError), scratch_folder(tmp_path) as folder:
        (folder / "plain.db").write_text(str(1 // 0))

    assert mode == 0o700
    assert list(tmp_path.iterdir()) == []


def test_temporary_files_of_a_killed_command_are_removed(tmp_path: Path) -> None:
    """The folder of a command that is still running is not removed."""
    with scratch_folder(tmp_path) as running:
        subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60)
        assert len(list(tmp_path.iterdir())) == 2
        with scratch_folder(tmp_path) as other:
            assert set(tmp_path.iterdir()) == {running, other}


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


def test_a_failed_folder_leaves_nothing(tmp_path: Path) -> None:
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
