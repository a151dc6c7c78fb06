"""Datasette shows the views and nothing else, as docs/data.md says."""

import contextlib
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from jara_cli.main import execute
from tests.pages.data import METADATA, described, views

PLACED = Path(__file__).parents[1] / ".nox" / "datasette" / "bin" / "datasette"
PROGRAM = str(PLACED) if PLACED.exists() else shutil.which("datasette")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="Datasette is not installed; nox -s full does it"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small demonstration."""
    folder = tmp_path_factory.mktemp("demo")
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        assert execute(["demo", "--members", "6", "--no-serve"]) == 0
    return folder / "jara-demo"


def read(folder: Path, address: str) -> tuple[int, str]:
    """Ask Datasette for an address, as the documented command serves it."""
    page = (METADATA.parent / "data.md").read_text("utf-8")
    (command,) = re.findall(
        r"^datasette (jara\.db) --metadata docs/metadata\.yaml$", page, re.MULTILINE
    )
    words = [str(PROGRAM), command, "--metadata", str(METADATA), "--get", address]
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


def test_the_pages_show_the_views_only(folder: Path) -> None:
    """The first page leads to the database, and its page to each view."""
    status, first = read(folder, "/")
    database = read(folder, "/jara.json")

    assert (status, 'href="/jara"' in first, database[0]) == (0, True, 0)
    shown = json.loads(database[1])
    assert [one["name"] for one in shown["tables"]] == []
    assert {one["name"] for one in shown["views"]} == set(views())


@pytest.mark.parametrize("view", views())
def test_a_view_is_shown(folder: Path, view: str) -> None:
    """Each view has a page and data."""
    assert read(folder, f"/jara/{view}")[0] == 0
    assert read(folder, f"/jara/{view}.json")[0] == 0


@pytest.mark.parametrize("address", ["members", "outbox", "ballots", "audit", "field_reports"])
def test_a_table_is_closed(folder: Path, address: str) -> None:
    """Personal data are not shown, as a table, as a row or by SQL of one's own."""
    assert address in described()
    for path in (f"{address}.json", f"{address}/1.json"):
        status, text = read(folder, f"/jara/{path}")
        assert (status, "Forbidden" in text or "Not found" in text or '"ok": false' in text) == (
            1,
            True,
        )
    assert read(folder, f"/jara.json?sql=select+*+from+{address}")[0] == 1
