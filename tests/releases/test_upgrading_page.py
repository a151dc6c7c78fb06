"""The lines of docs/upgrading.md upgrade a server, also one that has upgraded before."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.releases.organisation import jara

PAGE = (Path(__file__).parents[2] / "docs" / "upgrading.md").read_text("utf-8")
WAYS = {
    "package": (
        "systemctl stop jara.service jara-daily.timer jara-backup.timer",
        "jara backup",
        "apt-get install",
        "jara doctor",
    ),
    "container": (
        "docker compose stop jara daily backup",
        "jara backup",
        "docker compose build",
        "jara migrate",
        "docker compose up --detach",
        "jara doctor",
    ),
    "hand": (
        "systemctl stop jara.service jara-daily.timer jara-backup.timer",
        "jara backup",
        "pip install --require-hashes",
        "pip install --no-deps --upgrade",
        "jara migrate",
        "jara doctor",
        "systemctl start jara.service jara-daily.timer jara-backup.timer",
    ),
}
MACHINE = """
systemctl() { echo "systemctl $*" >> steps; }
apt-get() { echo "apt-get $*" >> steps; }
pip() { echo "pip $*" >> steps; }
jara() { echo "jara $*" >> steps; command jara "$@"; }
docker() {
    case "$1 $2 $3 $4" in
        "compose run --rm jara") shift 4; jara "$@" ;;
        "compose exec jara jara") shift 4; jara "$@" ;;
        *) echo "docker $*" >> steps ;;
    esac
}
"""


@pytest.mark.parametrize("way", WAYS)
def test_each_way_stops_backs_up_migrates_and_starts(
    way: str, tmp_path: Path, programs: Path
) -> None:
    """Every step is there, in order, and the backup of an earlier upgrade is not in the way."""
    block = dict(zip(WAYS, re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL), strict=True))[way]
    jara(tmp_path, "init")
    (tmp_path / "before-upgrade.db").write_text("of last year", "utf-8")
    lines = block.replace("/var/backups/jara/", "").replace("/opt/jara/bin/", "")
    path = os.pathsep.join([str(programs), os.environ["PATH"]])

    ran = subprocess.run(
        ["bash", "-c", MACHINE + lines],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    steps = (tmp_path / "steps").read_text("utf-8").splitlines()
    assert [
        step for step, start in zip(steps, WAYS[way], strict=True) if not step.startswith(start)
    ] == []
    assert len(list(tmp_path.glob("before-upgrade*.backup"))) == 1, ran.stderr
