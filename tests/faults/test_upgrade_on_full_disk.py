"""The disk is full when a database is upgraded: it stays as it was until there is room."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.releases.organisation import HERE

BLOCK = 4096
OLD = HERE / "0.2.0.tar.xz"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a file system"),
]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system with the organisation of release 0.2.0, and no room beside it."""
    place = tmp_path / "disk"
    place.mkdir()
    shutil.unpack_archive(OLD, tmp_path / "old")
    size = sum(path.stat().st_size + BLOCK for path in (tmp_path / "old").rglob("*"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size + 40 * BLOCK}", "tmpfs", str(place)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode != 0:
        pytest.skip("this machine mounts no file system")
    shutil.copytree(tmp_path / "old", place, dirs_exist_ok=True)
    yield place
    subprocess.run(["umount", str(place)], check=True)


WITH_STEP = """
from jara.store.schema import STEPS, Step
from jara_cli.main import run
STEPS["m0036_later"] = Step(("CREATE INDEX later ON postings (fund, cents, day, entry)",))
run()
"""
"""The program with a step that 0.2.0 does not have."""


def jara(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command on the organisation of a folder."""
    return subprocess.run(
        [sys.executable, "-c", WITH_STEP, "--db", "jara.db", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_an_upgrade_without_room_goes_on_when_there_is_some(small_disk: Path) -> None:
    """The message says how much room is needed; nothing is changed, and with room all is done."""
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file:
        free = os.statvfs(small_disk)
        file.write(b"x" * max(0, (free.f_bavail - 20) * free.f_frsize))
    before = (small_disk / "jara.db").read_bytes()
    refused = jara(small_disk, "migrate")

    assert refused.returncode == 5, refused.stdout + refused.stderr
    assert re.search(r"needs \d+\.\d MB of room", refused.stderr)
    assert (small_disk / "jara.db").read_bytes() == before

    filler.unlink()
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    gone_on = jara(small_disk, "migrate")
    assert gone_on.returncode == 0, gone_on.stderr
    assert jara(small_disk, "ledger", "verify").returncode == 0
