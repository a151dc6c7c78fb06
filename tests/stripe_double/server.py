"""The HTTP server of the double: keys, idempotency, paging, faults."""

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.stripe_double.account import Account, Doc, Refusal
from tests.stripe_double.expanding import show
from tests.stripe_double.form import parse_form, require_known
from tests.stripe_double.routes import Route, find_route
from tests.stripe_double.shapes import listing

SECRET_KEY = "sk_test_double"


@dataclass
class Fault:
    """A fault in the next calls of one kind.

    Args:
        call: the start of method and path, ``POST /v1/customers``.
        kind: ``before`` (no answer, nothing done), ``after`` (no answer, but done),
            ``500`` (nothing done), ``500_after`` (done, and the answer is a 500),
            ``429``, ``hang`` (no answer until the test is over), ``cut`` (done, half an answer).
        times: the number of failing calls.
    """

    call: str
    kind: str
    times: int = 1


@dataclass
class Service:
    """The state that all requests share."""

    account: Account
    faults: list[Fault] = field(default_factory=list)
    answers: dict[str, tuple[tuple[str, str], int, Doc]] = field(default_factory=dict)
    calls: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)
    closing: threading.Event = field(default_factory=threading.Event)

    def fault_of(self, call: str) -> str:
        """Return the fault of a call, or an empty text."""
        for fault in self.faults:
            if fault.times > 0 and call.startswith(fault.call):
                fault.times -= 1
                return fault.kind
        return ""

    def answer(
        self, method: str, target: str, body: str, headers: dict[str, str]
    ) -> tuple[int, Doc, bool]:
        """Return status, document, and whether this is a replayed answer."""
        key = headers.get("idempotency-key") if method == "POST" else None
        if headers.get("authorization") != f"Bearer {SECRET_KEY}":
            refusal = Refusal(401, "Invalid API Key provided.")
            return refusal.status, refusal.document, False
        asked = (target, body)
        if key in self.answers:
            before, status, document = self.answers[key]
            if before != asked:
                message = "Keys for idempotent requests can only be used with the same parameters."
                refusal = Refusal(400, message, kind="idempotency_error")
                return refusal.status, refusal.document, False
            return status, document, True
        found = find_route(method, urlsplit(target).path)
        if found is None:
            return 404, Refusal(404, f"Unrecognized request URL ({target}).").document, False
        status, document, has_begun = self._act(found[0], found[1], target, body)
        if key is not None and has_begun:
            self.answers[key] = (asked, status, document)
        return status, document, False

    def _act(
        self, route: Route, ids: tuple[str, ...], target: str, body: str
    ) -> tuple[int, Doc, bool]:
        params = parse_form(body or urlsplit(target).query)
        self.calls.append((route.method, urlsplit(target).path, params))
        try:
            require_known(params, route.params)
            self.account.test_clock = self.account.test_clock_of(*ids, *params.values())
            answer = route.act(self.account, params, *ids)
        except Refusal as refusal:
            # Stripe stores no result for a request that it refused before processing.
            return refusal.status, refusal.document, refusal.status == 402
        finally:
            self.account.test_clock = ""
        if isinstance(answer, list):
            answer = _page(answer, params, urlsplit(target).path, is_search=route.is_search)
        try:
            return 200, show(self.account, answer, params.get("expand", [])), True
        except Refusal as refusal:
            return refusal.status, refusal.document, False


def _page(found: list[Doc], params: dict[str, Any], url: str, *, is_search: bool) -> Doc:
    size = int(params.get("limit", 10))
    if not 1 <= size <= 100:
        raise AssertionError("a page has 1 to 100 objects")
    begin = 0
    if "starting_after" in params:
        begin = [doc["id"] for doc in found].index(params["starting_after"]) + 1
    page = listing(found[begin : begin + size], url, has_more=len(found) > begin + size)
    return page | {"object": "search_result", "next_page": None} if is_search else page


class Handler(BaseHTTPRequestHandler):
    """Answers requests as Stripe would."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    service: Service

    def do_GET(self) -> None:
        """Answer a GET request."""
        self._serve("GET")

    def do_POST(self) -> None:
        """Answer a POST request."""
        self._serve("POST")

    def do_DELETE(self) -> None:
        """Answer a DELETE request."""
        self._serve("DELETE")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name it has
        """Do nothing."""

    def _serve(self, method: str) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        data = self.rfile.read(size)
        if len(data) < size:  # the client was killed halfway; a partial request does nothing
            self.close_connection = True
            return
        body = data.decode()
        headers = {key.lower(): value for key, value in self.headers.items()}
        service = self.service
        with service.lock:
            fault = service.fault_of(f"{method} {self.path}")
        if fault == "hang":
            service.closing.wait(30)
        if fault in {"hang", "before"}:
            self.close_connection = True
            return
        if fault in {"429", "500"}:
            refusal = Refusal(int(fault), "Try again later.", kind="api_error")
            self._write(int(fault), refusal.document)
            return
        with service.lock:
            status, document, replayed = service.answer(method, self.path, body, headers)
        if fault == "after":
            self.close_connection = True
            return
        if fault == "500_after":
            status, document = 500, Refusal(500, "Something failed.", kind="api_error").document
        self._write(status, document, replayed=replayed, is_cut=fault == "cut")

    def _write(
        self, status: int, document: Doc, *, replayed: bool = False, is_cut: bool = False
    ) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Request-Id", "req_double")
        if replayed:
            self.send_header("Idempotent-Replayed", "true")
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if is_cut else content)
        self.close_connection = self.close_connection or is_cut
        self.wfile.flush()


def start_server(service: Service) -> ThreadingHTTPServer:
    """Start the server on a free local port."""
    handler = type("BoundHandler", (Handler,), {"service": service})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server
