"""How our worker answers: as gunicorn does, without what we do not use or know already."""

from __future__ import annotations

import logging
from typing import Any

from gunicorn import util
from gunicorn.http.wsgi import Response, create

from jara_webapi.middleware.security_headers import CONSTANT

Header = tuple[str, str]
_log = logging.getLogger("jara.web")


class Answer(Response):  # type: ignore[misc] # gunicorn has no types
    """Takes over the headers that never change as gunicorn found them once."""

    def give(self, app: Any, environ: dict[str, Any]) -> None:  # noqa: ANN401 - a WSGI application
        """Ask the app, and send what it says."""
        pieces = app(environ, self.start_response)
        try:
            if isinstance(pieces, environ["wsgi.file_wrapper"]):
                self.write_file(pieces)
            else:
                for piece in pieces:
                    self.write(piece)
            self.close()
        finally:
            if hasattr(pieces, "close"):
                pieces.close()

    def process_headers(self, headers: list[Header]) -> None:
        """Let gunicorn check every header that is not known to be good."""
        known: list[Header] = []
        others: list[Header] = []
        for each in headers:
            (known if each in _GOOD else others).append(each)
        super().process_headers(others)
        self.headers += known


def answer_request(app: Any, req: Any, conn: Any, *, closing: bool) -> bool:  # noqa: ANN401 - gunicorn's own
    """Answer a request; tell whether another may follow on its connection.

    Args:
        app: a WSGI application.
        req: the request, as gunicorn read it.
        conn: its connection.
        closing: whether the connection ends with this answer in any case.

    Raises:
        StopIteration: the app failed after its answer had begun.
    """
    answer, environ = create(req, conn.sock, conn.client, conn.server, conn.cfg, Answer)
    environ["wsgi.multithread"] = True
    if closing:
        answer.force_close()
    try:
        answer.give(app, environ)
    except OSError:
        raise
    except Exception as error:
        if not answer.headers_sent:
            raise
        # A second answer in the midst of the first would only be taken for a part of it.
        _log.exception("defect in an answer that had begun")
        util.close_graceful(conn.sock)
        raise StopIteration from error
    return not answer.should_close()


def _good() -> frozenset[Header]:
    """Return the constant headers that gunicorn takes as they are."""
    answer: Any = Response(None, None, None)
    answer.process_headers(CONSTANT)
    return frozenset(answer.headers)


_GOOD = _good()
