"""Sends a file: compressed if the browser accepts it, and 304 if the browser has it."""

from __future__ import annotations

from http import HTTPStatus

import falcon

from jara_webapi.calls.requests import Request, Response
from jara_webapi.middleware.security_headers import IMMUTABLE
from jara_webapi.pages.site_files import ENCODINGS, SiteFile

SHORT = "public, max-age=3600"
FRESH = "no-cache"
ASSETS = "/assets/"
"""The folder of files that are named by their content."""

_WORKER = "/worker.js"


def caching_of(path: str) -> str:
    """Return the Cache-Control of a file; a new service worker takes effect immediately."""
    return FRESH if path == _WORKER else IMMUTABLE if path.startswith(ASSETS) else SHORT


def send_file(
    req: Request, resp: Response, file: SiteFile, cache: str, vary: str = "Accept-Encoding"
) -> None:
    """Answer with a file; `cache` is the header Cache-Control, and `vary` the header Vary."""
    accepted = req.get_header("Accept-Encoding") or ""
    encoding = next((one for one, _ in ENCODINGS if one in accepted), "")
    if encoding not in file.encoded:
        encoding = next((one for one in file.encoded if one in accepted), "")
    data = file.encoded.get(encoding, file.data)
    etag = f'"{file.etag}{"-" + encoding if encoding in file.encoded else ""}"'
    resp.set_header("Cache-Control", cache)
    resp.set_header("ETag", etag)
    resp.set_header("Vary", vary)
    if etag in (req.get_header("If-None-Match") or "") and resp.status_code == HTTPStatus.OK:
        resp.status = falcon.HTTP_304
        resp.delete_header("Content-Type")
        return
    resp.content_type = file.content_type
    if encoding in file.encoded:
        resp.set_header("Content-Encoding", encoding)
    if req.method == "HEAD":
        resp.set_header("Content-Length", str(len(data)))
    else:
        resp.data = data
