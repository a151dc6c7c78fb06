"""What operators see of the traffic: a request id, a log line, and counts.

The line names the route, never the address of the page or its query, for these may hold
a code; it names no member, so that it can never join a vote with a person (trust §2).
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from random import getrandbits
from typing import NamedTuple, TextIO

from prometheus_client import CollectorRegistry, Counter, Histogram

from jara_webapi.calls.framework import Request, Response

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON, with its traceback, or hands on what are ``lines``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        lines: list[str] | None = getattr(record, "lines", None)
        if lines is not None:
            return "\n".join(lines)
        line: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True)


def log_to(stream: TextIO | None = None) -> None:
    """Send the log of the web API to a stream, one JSON line each."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("jara.web")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False


class Seen(NamedTuple):
    """One request, as it went."""

    at: datetime
    request_id: str
    method: str
    route: str
    status: int
    seconds: float


class Kind(NamedTuple):
    """What requests of a method, a route and a status have in common."""

    requests: Counter
    seconds: Histogram
    text: str


class Observing:
    """Middleware: names each request, measures it, counts it, and writes its line."""

    def __init__(
        self,
        registry: CollectorRegistry | None,
        *,
        now: Callable[[], datetime],
        held: bool = False,
    ) -> None:
        """Count in a registry.

        Args:
            registry: None where each process counts for itself.
            now: the clock of the lines.
            held: whether somebody calls `write_down` again and again; else each request does.
        """
        self._log = logging.getLogger("jara.web.requests")
        self._now = now
        self._held = held
        self._seen: deque[Seen] = deque()
        self._kinds: dict[tuple[str, str, int], Kind] = {}
        self._requests = Counter(
            "jara_http_requests",
            "Requests by method, route and status.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "jara_http_request_seconds",
            "How long requests took, by route.",
            ("route",),
            buckets=_BUCKETS,
            registry=registry,
        )

    def process_request(self, req: Request, resp: Response) -> None:
        """Begin to measure."""
        given: str | None = req.env.get("HTTP_X_REQUEST_ID")
        # A name, not a secret: it only has to be another one each time.
        name = given if given and _REQUEST_ID.fullmatch(given) else f"{getrandbits(128):032x}"
        req.context["request_id"] = name
        req.context["began"] = time.monotonic()
        resp.set_header("X-Request-Id", name)

    def process_response(
        self,
        req: Request,
        resp: Response,
        resource: object,
        req_succeeded: bool,  # noqa: FBT001 - Falcon calls it so
    ) -> None:
        """Note how the request went."""
        del resource, req_succeeded
        route = req.uri_template or ("(website)" if not req.path.startswith("/api") else "(none)")
        method = req.method if req.method in _METHODS else "other"
        name = str(req.context.get("request_id"))
        seconds = time.monotonic() - float(req.context.get("began") or 0)
        self._seen.append(Seen(self._now(), name, method, route, resp.status_code, seconds))
        if not self._held:
            self.write_down()

    def write_down(self) -> None:
        """Count the requests of the last moment, and write their lines in one go."""
        lines = []
        times: defaultdict[Kind, int] = defaultdict(int)
        for seen in self._taken():
            kind = self._kind(seen.method, seen.route, seen.status)
            times[kind] += 1
            kind.seconds.observe(seen.seconds)
            lines.append(
                f'{{"time": "{seen.at.isoformat()[:19]}Z", "level": "info", '
                f'"message": "request", "request": "{seen.request_id}", {kind.text}, '
                f'"ms": {seen.seconds * 1000:.1f}}}'
            )
        for kind, count in times.items():
            kind.requests.inc(count)
        if lines:
            self._log.info("request", extra={"lines": lines})

    def _kind(self, method: str, route: str, status: int) -> Kind:
        known = self._kinds.get((method, route, status))
        if known is None:
            known = self._kinds[method, route, status] = Kind(
                self._requests.labels(method, route, str(status)),
                self._seconds.labels(route),
                json.dumps({"method": method, "route": route, "status": status})[1:-1],
            )
        return known

    def _taken(self) -> Iterator[Seen]:
        with suppress(IndexError):
            while True:
                yield self._seen.popleft()


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
