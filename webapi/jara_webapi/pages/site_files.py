"""The files of the built website: read once, before the server forks, and sent.

The build leaves slots for values that only the server knows. A file is sent compressed if the
browser accepts it, and 304 if the browser has it.
"""

import gzip
import json
import mimetypes
import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

import falcon

from jara.domain.language import ENGLISH
from jara_webapi.calls.languages import CHOICE, asked_language
from jara_webapi.calls.requests import Request, Response
from jara_webapi.middleware.security_headers import IMMUTABLE

SITE_SLOT = b"{{site_url}}"
_ENGLISH_SLOT = b"{{english}}"
PLAIN_SLOT = b"{{plain}}"
"""Slot for the content of a page for readers without scripts."""

MESSAGES = ".messages.json"
"""The texts of the pages; a file with a leading dot is never sent."""

SCENES = ".scenes.json"
"""The rules that choose a drawing, the same as in the browser."""

ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_BODY = re.compile(rb"<body[^>]*>")
_SMALLEST = 9
_QUICK = 6
_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)
_TEXTS = {".html", ".js", ".mjs", ".css", ".svg", ".txt", ".xml", ".json", ".webmanifest"}


class SiteFile(NamedTuple):
    """A file of the website, plain and compressed."""

    data: bytes
    encoded: Mapping[str, bytes]
    content_type: str
    etag: str


SiteFiles = dict[str, SiteFile]
"""Files by their addresses."""


def read_files(folder: Path) -> dict[str, SiteFile]:
    """Return the files of a folder by their addresses."""
    endings = tuple(ending for _, ending in ENCODINGS)
    files = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or path.name.endswith(endings):
            continue
        if any(part.startswith(".") for part in inside.parts):
            continue  # notes of the build for the server
        data = path.read_bytes()
        encoded = {
            name: twin.read_bytes()
            for name, ending in ENCODINGS
            if (twin := path.with_name(path.name + ending)).is_file()
        }
        files[f"/{inside.as_posix()}"] = SiteFile(data, encoded, _type_of(path), _etag_of(data))
    return files


def read_note(folder: Path, name: str) -> Any:  # noqa: ANN401 - whatever the build wrote
    """Return a note of the build for the server; None if there is none."""
    path = folder / name
    return json.loads(path.read_text("utf-8")) if path.is_file() else None


def read_languages(folder: Path) -> tuple[str, ...]:
    """Return the languages of a build: English, and each folder in it that has texts."""
    others = (path.parent.name for path in folder.glob(f"*/{MESSAGES}"))
    return (ENGLISH, *sorted(others))


def pages_of(files: Mapping[str, SiteFile], languages: Collection[str]) -> dict[str, SiteFiles]:
    """Return the pages of each language by their addresses."""
    pages: dict[str, SiteFiles] = {language: {} for language in languages}
    for address, file in files.items():
        if address.endswith(".html"):
            first, _, rest = address[1:].partition("/")
            is_other = rest and first != ENGLISH and first in pages
            pages[first if is_other else ENGLISH][f"/{rest}" if is_other else address] = file
    return pages


def style_hashes(files: Iterable[SiteFile]) -> list[str]:
    """Return the hashes of the inline styles of pages, in the format of a security policy."""
    styles = {style for file in files for style in _STYLE.findall(file.data)}
    return sorted(f"'sha256-{b64encode(sha256(one).digest()).decode()}'" for one in styles)


class OwnAddress(NamedTuple):
    """The site's address in HTML, and the query that chooses English there; may be empty."""

    site: bytes
    english: bytes

    def fill(self, data: bytes) -> bytes:
        """Return a page with both in their slots."""
        return data.replace(SITE_SLOT, self.site).replace(_ENGLISH_SLOT, self.english)


def filled(file: SiteFile, own: OwnAddress) -> SiteFile:
    """Return a file with the site's address in its slots, compressed again."""
    return with_data(file, own.fill(file.data).replace(PLAIN_SLOT, b""))


def with_data(file: SiteFile, data: bytes) -> SiteFile:
    """Return a file with other content, compressed again if it differs."""
    if data == file.data:
        return file
    return page_file(data, file.content_type, level=_SMALLEST)


def with_notice(page: bytes, notice: bytes) -> bytes:
    """Return a page with a notice at its start, shown with or without scripts."""
    return _BODY.sub(lambda body: body[0] + notice, page, count=1)


def page_file(data: bytes, content_type: str, *, level: int = _QUICK) -> SiteFile:
    """Return a file that the server made."""
    encoded = {"gzip": gzip.compress(data, level, mtime=0)}
    return SiteFile(data, encoded, content_type, _etag_of(data))


def _etag_of(data: bytes) -> str:
    return sha256(data).hexdigest()[:32]


def _type_of(path: Path) -> str:
    types = {".js": "text/javascript", ".mjs": "text/javascript", ".woff2": "font/woff2"}
    kind = types.get(path.suffix) or mimetypes.types_map.get(path.suffix)
    kind = kind or ("application/manifest+json" if path.suffix == ".webmanifest" else None)
    kind = kind or "application/octet-stream"
    return f"{kind}; charset=utf-8" if path.suffix in _TEXTS else kind


SHORT = "public, max-age=3600"
FRESH = "no-cache"
ASSETS = "/assets/"
"""The folder of files that are named by their content."""

_WORKERS = ("/worker.js", "/field-worker.js")


def caching_of(path: str) -> str:
    """Return the Cache-Control of a file; a new service worker takes effect immediately."""
    return FRESH if path in _WORKERS else IMMUTABLE if path.startswith(ASSETS) else SHORT


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


VARY = "Accept-Encoding, Accept-Language, Cookie"
"""The headers on which a page depends."""

_YEAR = 365 * 24 * 60 * 60


def keep_choice(req: Request, resp: Response, language: str, *, secure: bool) -> None:
    """Set the cookie if the address chose the language of the answer."""
    if asked_language(req) == language:
        resp.set_cookie(CHOICE, language, max_age=_YEAR, path="/", same_site="Lax", secure=secure)


def share_image(language: str) -> str:
    """Return the path of the site's preview image in a language."""
    return "/share.png" if language == ENGLISH else f"/share-{language}.png"
