"""Answers to what is no request: gunicorn's parser refused it before the app saw it.

gunicorn would answer with a page of HTML that repeats what was sent; here it is the one
shape of all errors, with a request id and a line in the log as for every other answer.
"""

from __future__ import annotations

import http
import logging
import secrets

from gunicorn.http import errors

from jara_webapi.calls.errors import error_of_status

HEADERS_BYTES_MAX = 8 * 1024
"""All headers of a request together (trust §4)."""

_STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (errors.LimitRequestLine, 414),
    (errors.LimitRequestHeaders, 431),
    (errors.ExpectationFailed, 417),
    (errors.UnsupportedTransferCoding, 501),
)


def has_long_head(gathered: bytes) -> bool:
    """Tell whether the headers of what has arrived are longer than all may be together."""
    begin, end = gathered.find(b"\r\n"), gathered.find(b"\r\n\r\n")
    return (len(gathered) if end < 0 else end) - max(begin, 0) > HEADERS_BYTES_MAX


def answer_to_malformed(error: Exception) -> bytes:
    """Return the whole answer to a request that cannot be understood, and log it."""
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
        f"X-Request-Id: {request_id}",
        "",
        "",
    )
    return "\r\n".join(head).encode("ascii") + body
