"""Tiles: their paths and numbers, following the C2SP document."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.publiclog.tiles import (
    MalformedTile,
    Span,
    Tile,
    new_pages,
    new_tiles,
    page_path,
    parse_span,
    parse_tile,
)

spans = st.builds(Span, st.integers(0, 2**55), st.integers(1, 256))


@pytest.mark.parametrize(
    ("path", "index"),
    [("000", 0), ("999", 999), ("x001/000", 1000), ("x001/x234/067", 1_234_067)],
)
def test_an_index_is_written_in_threes(path: str, index: int) -> None:
    """Paths are as in the document's example, also where the number of parts changes."""
    assert Span(index).path == path
    assert Span(index, 112).path == f"{path}.p/112"
    assert Tile(7, Span(index)).path == f"tile/7/{path}"
    assert parse_tile(f"7/{path}") == Tile(7, Span(index))
    assert page_path(Span(index)) == f"leaves/{path}"


@given(spans, st.integers(0, 63))
def test_every_path_is_read_back(span: Span, level: int) -> None:
    """Reading a path gives the same numbers back."""
    tile = Tile(level, span)

    assert parse_span(span.path) == span
    assert parse_tile(tile.path.removeprefix("tile/")) == tile


@pytest.mark.parametrize(
    "path",
    [
        *("", "0", "entries/000", "64/000", "00/000", "-1/000", "0/0", "0/0000", "0/x000/001"),
        *("0/x1", "0/001/002", "0/x001", "0/000.p/0", "0/000.p/256", "0/000.p/01", "0/000.p/"),
        *("0/000.p", "0/000/", "0//000", "0/000.p/257", "0/+01", "0/\u0661\u0661\u0661"),
        "0/" + "x999/" * 9 + "000",
    ],
)
def test_another_spelling_is_refused(path: str) -> None:
    """Each tile has exactly one path, so that a cache stores it once."""
    with pytest.raises(MalformedTile):
        parse_tile(path)


def test_the_example_of_the_document() -> None:
    """70,000 leaves have the tiles of the document; 256 have a full and a partial tile."""
    assert Counter((tile.level, tile.span.width) for tile in new_tiles(0, 70_000)) == {
        (0, 256): 273,
        (0, 112): 1,
        (1, 256): 1,
        (1, 17): 1,
        (2, 1): 1,
    }
    assert list(new_tiles(0, 256)) == [Tile(0, Span(0)), Tile(1, Span(0, 1))]
    assert list(new_tiles(0, 0)) == []


@given(st.integers(0, 200_000), st.integers(0, 70_000))
def test_what_is_new_is_what_the_old_log_lacked(known: int, more: int) -> None:
    """The new tiles and pages are those of the larger log that the old log does not have."""
    old, new = ({*new_tiles(0, size)} for size in (known, known + more))

    assert new - old == {*new_tiles(known, known + more)}
    assert [tile.span for tile in new_tiles(known, known + more) if not tile.level] == [
        *new_pages(known, known + more)
    ]


def test_numbers_that_no_tile_has() -> None:
    """Spans and tiles with impossible numbers are refused."""
    for index, width in ((-1, 1), (0, 0), (0, 257)):
        with pytest.raises(MalformedTile):
            Span(index, width)
    for level in (-1, 64):
        with pytest.raises(MalformedTile):
            Tile(level, Span(0))
