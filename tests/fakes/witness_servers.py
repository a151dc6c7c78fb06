"""Witnesses on local ports, called over HTTP."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from jara.services.ports.outside import WitnessAnswer
from jara.witness.network import HttpWitnesses
from tests.fakes.witnesses import Answer

App = Callable[..., Iterable[bytes]]


class _Quiet(WSGIRequestHandler):
    """A request handler without a log."""

    def log_message(self, *_: object) -> None:
        """Do nothing."""


@contextmanager
def served(app: App) -> Iterator[str]:
    """Serve a WSGI application; yield its address."""
    with make_server("127.0.0.1", 0, app, handler_class=_Quiet) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def app_of(answer: Answer) -> App:
    """Return an application that gives this answer to every request."""

    def app(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        said = answer(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
        start(f"{said.status} -", [("Content-Type", "text/plain")])
        return [said.body.encode()]

    return app


def asked(url: str) -> Answer:
    """Return a witness's answer to an organisation."""

    def answer(body: bytes) -> WitnessAnswer:
        heard: list[WitnessAnswer] = []
        HttpWitnesses().offer({"w": url}, {"w": body}, lambda _, said: heard.append(said))
        return heard[0]

    return answer
