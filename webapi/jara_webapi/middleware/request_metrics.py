"""Request ids, one log line for each request, and counts for Prometheus.

The line names the route, never the address of the page or its query, which may contain a
code. It names no member, so it can never link a vote to a person.
"""

import json
import logging
import re
import sys
import time
from collections import deque
from random import getrandbits
from typing import NamedTuple, TextIO

from prometheus_client import CollectorRegistry, Counter, Histogram

from jara_webapi.calls.requests import Request, Response

REFUSED_WEBHOOK = "refused_webhook"
"""Key in a request's context: why a correctly signed event of the provider was refused."""

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class JsonLines(logging.Formatter):
    """Formats a record with its traceback as a JSON line, or as one for each of ``requests``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, or the lines."""
        line: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        text = json.dumps(line, ensure_ascii=True)
        requests: list[str] | None = getattr(record, "requests", None)
        return text if requests is None else "\n".join(f"{text[:-1]}, {one}}}" for one in requests)


def log_to(stream: TextIO | None = None) -> None:
    """Send the log of the web API to a stream, one JSON line each."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("jara.web")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False


class FinishedRequest(NamedTuple):
    """A request that was answered."""

    request_id: str
    method: str
    route: str
    status: int
    seconds: float


class RequestGroup(NamedTuple):
    """What requests with the same method, route and status share."""

    counter: Counter
    seconds: Histogram
    json_fields: str


class RequestMetrics:
    """Middleware: gives each request an id, measures it, counts it and logs it."""

    def __init__(self, registry: CollectorRegistry | None, *, buffered: bool = False) -> None:
        """Count in a registry.

        Args:
            registry: None when each process counts for itself.
            buffered: whether a background task calls `flush`. Counting and logging each
                request by itself costs a third of the throughput (goal W1).
        """
        self._log = logging.getLogger("jara.web.requests")
        self._buffered = buffered
        self._finished: deque[FinishedRequest] = deque()
        self._groups: dict[tuple[str, str, int], RequestGroup] = {}
        self._requests = Counter(
            "jara_http_requests",
            "Requests by method, route and status.",
            ("method", "route", "status"),
            registry=registry,
        )
        self._seconds = Histogram(
            "jara_http_request_seconds",
            "Duration of requests by route.",
            ("route",),
            buckets=_BUCKETS,
            registry=registry,
        )
        self._refused_webhooks = Counter(
            "jara_webhooks_refused",
            "Signed events of another payment mode or account, by reason.",
            ("reason",),
            registry=registry,
        )

    def process_request(self, req: Request, resp: Response) -> None:
        """Give the request an id and start its timer."""
        given: str | None = req.env.get("HTTP_X_REQUEST_ID")
        # The id is not a secret; it only has to be unique.
        request_id = given if given and _REQUEST_ID.fullmatch(given) else f"{getrandbits(128):032x}"
        req.context["request_id"] = request_id
        req.context["began"] = time.monotonic()
        resp.set_header("X-Request-Id", request_id)

    def process_response(self, req: Request, resp: Response, *_: object) -> None:
        """Record the status and the duration of the request."""
        route = req.uri_template or ("(website)" if not req.path.startswith("/api") else "(none)")
        method = req.method if req.method in _METHODS else "other"
        request_id = str(req.context.get("request_id"))
        reason = req.context.get(REFUSED_WEBHOOK)
        if reason is not None:
            self._refused_webhooks.labels(reason).inc()
        seconds = time.monotonic() - float(req.context.get("began") or 0)
        self._finished.append(FinishedRequest(request_id, method, route, resp.status_code, seconds))
        if not self._buffered:
            self.flush()

    def flush(self) -> None:
        """Count the finished requests and write all their lines together."""
        fields = []
        while self._finished:
            one = self._finished.popleft()
            group = self._group(one.method, one.route, one.status)
            group.counter.inc()
            group.seconds.observe(one.seconds)
            ms = f"{one.seconds * 1000:.1f}"
            fields.append(f'"request": "{one.request_id}", {group.json_fields}, "ms": {ms}')
        if fields:
            self._log.info("request", extra={"requests": fields})

    def _group(self, method: str, route: str, status: int) -> RequestGroup:
        group = self._groups.get((method, route, status))
        if group is None:
            group = self._groups[method, route, status] = RequestGroup(
                self._requests.labels(method, route, str(status)),
                self._seconds.labels(route),
                json.dumps({"method": method, "route": route, "status": status})[1:-1],
            )
        return group
