"""The public log as static files under /log: the same bytes as in an exported folder."""

from pathlib import Path

import pytest

from jara.files.publiclog.tile_folder import TileFolder
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.publiclog.tiles import publish_files
from tests.webapi.desk import Desk, open_desk

IMMUTABLE = "public, max-age=31536000, immutable"


@pytest.fixture
def desk(place: Path) -> Desk:
    """An organisation whose log has more leaves than a tile holds, including entries."""
    desk = open_desk(place)
    desk.join()
    with desk.application.context.store.write() as work:
        for number in range(300):
            work.log.append({"name": f"leaf {number}", "t": "jara/v1/genesis", "v": 1})
    return desk


def test_the_site_serves_what_an_export_writes(desk: Desk, tmp_path: Path) -> None:
    """Paths and bytes match an export, and the content types run no code."""
    context = desk.application.context
    make_checkpoint(context)
    publish_files(context, TileFolder(tmp_path / "log").write)
    files = [path for path in (tmp_path / "log").rglob("*") if path.is_file()]

    assert len(files) == 6  # one checkpoint, two tiles, one tile above them, two pages
    for path in files:
        answer = desk.client.simulate_get(f"/log/{path.relative_to(tmp_path / 'log')}")
        assert path.read_bytes() == answer.content
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_files_that_never_change_may_be_kept(desk: Desk) -> None:
    """Immutable files may be cached for long; the checkpoint for seconds."""
    make_checkpoint(desk.application.context)
    seen = {
        path: desk.client.simulate_get(f"/log/{path}").headers
        for path in ("checkpoint", "tile/0/000", "tile/0/001.p/2", "tile/1/000.p/1", "leaves/000")
    }

    assert [headers["cache-control"] for headers in seen.values()] == [
        "public, max-age=5",
        *[IMMUTABLE] * 4,
    ]
    assert [headers["content-type"] for headers in seen.values()] == [
        "text/plain; charset=utf-8",
        *["application/octet-stream"] * 3,
        "application/x-ndjson",
    ]


@pytest.mark.parametrize(
    "path",
    [
        *("tile/0/002", "tile/1/000", "tile/0/001.p/200", "tile/entries/000", "tile/0/0"),
        *("leaves/002", "leaves/x", "leaves", "tile", "checkpoints"),
    ],
)
def test_missing_tiles_are_404_and_not_cached(desk: Desk, path: str) -> None:
    """A missing tile is not cached, because it may exist soon."""
    answer = desk.client.simulate_get(f"/log/{path}")

    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("cache-control", "")


def test_before_the_first_checkpoint_there_is_none(desk: Desk) -> None:
    """The site does not sign a checkpoint itself."""
    assert desk.client.simulate_get("/log/checkpoint").status_code == 404
