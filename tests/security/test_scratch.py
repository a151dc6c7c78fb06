"""Tests of temporary folders: removed after the block, or by the next command after a kill."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from jara.security.files import scratch_folder

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


def test_what_a_killed_command_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """The folder of a command that is still running is not removed."""
    with scratch_folder(tmp_path) as running:
        subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60)
        assert len(list(tmp_path.iterdir())) == 2
        with scratch_folder(tmp_path) as other:
            assert set(tmp_path.iterdir()) == {running, other}
