"""The public log as static files (C2SP tlog-tiles), for programs and mirrors."""

from __future__ import annotations

import falcon

from jara.bootstrap import Application
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.publiclog.tiles import parse_span, parse_tile
from jara.files.publiclog.tile_folder import page_lines
from jara.services.publiclog.tiles import page_leaves, static_log, tile_hashes
from jara_webapi.calls.framework import Request, Response
from jara_webapi.pages.sending import IMMUTABLE

_SECONDS = "public, max-age=5"
_LEAVES = "application/x-ndjson"


class NewestCheckpoint:
    """The newest published checkpoint."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._store = application.context.store

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the signed note; 404 before the first one."""
        del req
        with self._store.read() as work:
            try:
                resp.text = static_log(work).note
            except NotFound:
                raise falcon.HTTPNotFound from None
        resp.content_type = falcon.MEDIA_TEXT
        resp.set_header("Cache-Control", _SECONDS)


class Tiles:
    """Tiles of hashes."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._store = application.context.store

    def on_get(self, req: Request, resp: Response, path: str) -> None:
        """Return a tile; it never changes."""
        del req
        with self._store.read() as work:
            try:
                resp.data = tile_hashes(work, parse_tile(path))
            except (InvalidInput, NotFound):
                raise falcon.HTTPNotFound from None
        resp.content_type = "application/octet-stream"
        resp.set_header("Cache-Control", IMMUTABLE)


class LeafPages:
    """Pages of leaves, in which an entry is only its hash."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._store = application.context.store

    def on_get(self, req: Request, resp: Response, path: str) -> None:
        """Return a page; it never changes."""
        del req
        with self._store.read() as work:
            try:
                resp.data = page_lines(page_leaves(work, parse_span(path)))
            except (InvalidInput, NotFound):
                raise falcon.HTTPNotFound from None
        resp.content_type = _LEAVES
        resp.set_header("Cache-Control", IMMUTABLE)
