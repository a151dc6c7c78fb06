"""The public log as static files: tiles of hashes, pages of leaves, and the checkpoint.

Tiles hold the hash of every leaf, so that anyone can follow the log by hashes alone. The
bodies of entries are for contributors only: a page shows the other leaves in full, and
of an entry only its hash. So there are no entry bundles, which would need every body.
"""

from collections.abc import Callable
from typing import NamedTuple

from jara.domain.errors import NotFound
from jara.domain.publiclog.tiles import Span, Tile
from jara.records.log import Checkpoint, LogLeaf
from jara.services.context import Context
from jara.services.publiclog.proofs import newest_checkpoint
from jara.services.publiclog.witnesses import cosigned_note
from jara.store.unit_of_work import UnitOfWork


class StaticLog(NamedTuple):
    """The log at its newest checkpoint, read from an open transaction."""

    work: UnitOfWork
    checkpoint: Checkpoint  # the newest published checkpoint
    note: str  # the same with the cosignatures of witnesses

    def hashes(self, tile: Tile) -> bytes:
        """Return the content of a tile."""
        return tile_hashes(self.work, tile)

    def leaves(self, page: Span) -> list[LogLeaf]:
        """Return the leaves of a page."""
        return page_leaves(self.work, page)


class WrittenFiles(NamedTuple):
    """What was added to a folder of static files."""

    size: int  # the size of the log that it now holds
    tiles: int  # the new tiles
    pages: int  # the new pages of leaves


WriteFiles = Callable[[StaticLog], WrittenFiles]
"""Brings a folder of static files up to date."""


def publish_files(context: Context, write: WriteFiles) -> WrittenFiles:
    """Write the log at its newest checkpoint as static files.

    Raises:
        NotFound: there is no checkpoint yet.
        Conflict: the folder holds another log or another history.
        Unavailable: the folder cannot be written.
    """
    with context.store.read() as work:
        return write(static_log(work))


def static_log(work: UnitOfWork) -> StaticLog:
    """Return the log at its newest checkpoint.

    Raises:
        NotFound: there is no checkpoint yet.
    """
    newest = newest_checkpoint(work)
    if newest is None:
        raise NotFound("The log has no checkpoint yet; 'jara proofs checkpoint' signs one.")
    return StaticLog(work, newest, cosigned_note(work, newest))


def read_note(context: Context) -> str:
    """Return the newest checkpoint with the cosignatures of witnesses.

    Raises:
        NotFound: there is no checkpoint yet.
    """
    with context.store.read() as work:
        return static_log(work).note


def read_tile(context: Context, tile: Tile) -> bytes:
    """Return the hashes of a tile of the committed log.

    Raises:
        NotFound: the log does not have it yet.
    """
    with context.store.read() as work:
        return tile_hashes(work, tile)


def read_page(context: Context, page: Span) -> list[LogLeaf]:
    """Return the leaves of a page of the committed log.

    Raises:
        NotFound: the log does not have them yet.
    """
    with context.store.read() as work:
        return page_leaves(work, page)


def tile_hashes(work: UnitOfWork, tile: Tile) -> bytes:
    """Return the hashes of a tile.

    Raises:
        NotFound: the log does not have it yet.
    """
    span = tile.span
    if span.end << tile.tree_level > work.log.size():
        raise NotFound(f"The log of {work.log.size()} leaves has no {tile.path}.")
    nodes = work.log.nodes(tile.tree_level, span.start, span.end)
    return b"".join(digest for _, digest in nodes)


def page_leaves(work: UnitOfWork, page: Span) -> list[LogLeaf]:
    """Return the leaves of a page.

    Raises:
        NotFound: the log does not have them yet.
    """
    if page.end > work.log.size():
        raise NotFound(f"The log of {work.log.size()} leaves has no leaf {page.end - 1}.")
    return list(work.log.leaves(page.start, page.end))
