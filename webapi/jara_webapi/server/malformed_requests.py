"""Responses to requests that gunicorn's parser refused before the app saw them.

gunicorn would answer with an HTML page that repeats the input; this answers in the JSON
shape of all errors, with a request id and a log line.
"""

from __future__ import annotations

import http
import logging
import secrets

from gunicorn.http import errors

from jara_webapi.calls.errors import error_of_status
from jara_webapi.middleware.security_headers import POLICY

HEADERS_BYTES_MAX = 8 * 1024
"""Limit for all headers of a request together."""

_STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (errors.LimitRequestLine, 414),
    (errors.LimitRequestHeaders, 431),
    (errors.ExpectationFailed, 417),
    (errors.UnsupportedTransferCoding, 501),
)


def has_long_head(gathered: bytes) -> bool:
    """Return whether the headers that have arrived exceed the limit for all of them."""
    begin, end = gathered.find(b"\r\n"), gathered.find(b"\r\n\r\n")
    return (len(gathered) if end < 0 else end) - max(begin, 0) > HEADERS_BYTES_MAX


def answer_to_malformed(error: Exception) -> bytes:
    """Return the whole response to a malformed request, and log it."""
    status = next((status for kind, status in _STATUSES if isinstance(error, kind)), 400)
    request_id = secrets.token_hex(16)
    fields = {"request": request_id, "method": "other", "route": "(none)", "status": status}
    logging.getLogger("jara.web.requests").info("request", extra={"fields": fields})
    body = error_of_status(status)
    head = (
        f"HTTP/1.1 {status} {http.HTTPStatus(status).phrase}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        f"Content-Security-Policy: {POLICY}",
        f"X-Request-Id: {request_id}",
        "",
        "",
    )
    return "\r\n".join(head).encode("ascii") + body
