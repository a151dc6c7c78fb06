"""A folder of static files with the public log, which any web server can publish.

No file except the checkpoint ever changes, and the checkpoint is written last. So a killed run
leaves a folder that is valid for the old checkpoint, and the next run continues.
"""

import os
import shutil
from pathlib import Path

from jara.domain.errors import Conflict, InvalidInput, Unavailable
from jara.domain.publiclog import notes
from jara.domain.publiclog.leaves import is_public
from jara.domain.publiclog.tiles import (
    CHECKPOINT,
    WIDTH,
    Span,
    Tile,
    new_pages,
    new_tiles,
    page_path,
)
from jara.files.publiclog.bundle import entry_line, withheld_line
from jara.records.log import LogLeaf
from jara.services.publiclog.tiles import StaticLog, WrittenFiles

_DRAFT = ".part"


class TileFolder:
    """A folder that holds a log's tiles, pages of leaves, and newest checkpoint."""

    def __init__(self, path: Path) -> None:
        """Take its path; writing creates it."""
        self._path = path

    def write(self, log: StaticLog) -> WrittenFiles:
        """Add what is new since the folder's checkpoint.

        Raises:
            Conflict: the folder holds another log or another history.
            Unavailable: it cannot be written.
        """
        try:
            return self._write(log, self._known(log))
        except OSError as error:
            raise Unavailable(
                f"'{error.filename or self._path}' cannot be written: {error.strerror}."
            ) from error

    def _write(self, log: StaticLog, known: int) -> WrittenFiles:
        tiles = list(new_tiles(known, log.checkpoint.size))
        pages = list(new_pages(known, log.checkpoint.size))
        for tile in tiles:
            self._put(tile.path, log.hashes(tile))
        for page in pages:
            self._put(page_path(page), page_lines(log.leaves(page)))
        os.sync()  # a power cut must not keep the checkpoint and lose a tile
        self._put(CHECKPOINT, log.note.encode())
        self._remove_beginnings(tiles, pages)
        return WrittenFiles(log.checkpoint.size, len(tiles), len(pages))

    def _known(self, log: StaticLog) -> int:
        """Return the size of the log that the folder holds; 0 for a new folder."""
        try:
            kept = notes.parse_checkpoint((self._path / CHECKPOINT).read_text("utf-8"))
        except FileNotFoundError:
            return 0
        except (InvalidInput, UnicodeDecodeError):
            raise Conflict(f"'{self._path / CHECKPOINT}' is not a checkpoint.") from None
        if kept.origin != notes.parse_checkpoint(log.checkpoint.note).origin:
            raise Conflict(f"'{self._path}' holds the log '{kept.origin}', which is another one.")
        if kept.size > log.checkpoint.size:
            raise Conflict(
                f"'{self._path}' holds {kept.size:,} leaves, but the newest checkpoint has "
                f"{log.checkpoint.size:,}; the database is older than what was published."
            )
        if log.work.log.root(kept.size) != kept.root:
            raise Conflict(f"'{self._path}' holds another history of the log.")
        return kept.size

    def _put(self, name: str, data: bytes) -> None:
        """Write a file atomically, unless it has these bytes already."""
        path = self._path / name
        if path.is_file() and path.read_bytes() == data:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(path.name + _DRAFT)
        draft.write_bytes(data)
        draft.replace(path)

    def _remove_beginnings(self, tiles: list[Tile], pages: list[Span]) -> None:
        """Remove the partial versions of tiles and pages that are now full."""
        full = [tile.path for tile in tiles if tile.span.width == WIDTH]
        full += [page_path(page) for page in pages if page.width == WIDTH]
        for name in full:
            shutil.rmtree(self._path / f"{name}.p", ignore_errors=True)


def page_lines(leaves: list[LogLeaf]) -> bytes:
    """Return the content of a page: a line for each leaf, for an entry only its hash."""
    return b"".join(
        entry_line(leaf.body) if is_public(leaf.type) else withheld_line(leaf.hash)
        for leaf in leaves
    )
