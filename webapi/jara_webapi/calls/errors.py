"""Maps errors to responses: one table of statuses, one JSON shape, never a traceback."""

import json
import logging
from collections.abc import Mapping

import falcon
from gunicorn.http.errors import ParseException

from jara.domain.control.ssh import NotVerified, WrongOrigin
from jara.domain.errors import (
    Busy,
    CardDeclined,
    ClosedDatabase,
    Conflict,
    InvalidInput,
    JaraError,
    NoDatabase,
    NotFound,
    OlderDatabase,
    Refused,
    TooManyRequests,
    Unauthenticated,
    Unavailable,
)
from jara.domain.language import ENGLISH
from jara.domain.texts import tr
from jara.services.operations.desk import ActDecided
from jara.services.ports.payments import ProviderUnavailable
from jara_webapi.calls.languages import VARY, language_of, translate_error
from jara_webapi.calls.requests import App, Request, Response
from jara_webapi.calls.strict_json import MalformedJson

RETRY_SECONDS = 2

STATUSES: Mapping[type[JaraError], int] = {
    MalformedJson: 400,
    Unauthenticated: 401,
    CardDeclined: 402,
    NotVerified: 401,
    WrongOrigin: 422,
    ActDecided: 410,
    Refused: 403,
    NoDatabase: 503,
    OlderDatabase: 503,
    ClosedDatabase: 503,
    NotFound: 404,
    Conflict: 409,
    InvalidInput: 422,
    TooManyRequests: 429,
    ProviderUnavailable: 502,
    Unavailable: 503,
    JaraError: 500,
}
"""The first class in an error's method resolution order decides."""

_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    408: "request_timeout",
    411: "length_required",
    413: "body_too_large",
    414: "address_too_long",
    415: "unsupported_media_type",
    416: "range_not_satisfiable",
    417: "expectation_failed",
    431: "headers_too_large",
    501: "not_implemented",
}
_SENTENCES = {
    400: "The request is malformed.",
    404: "Not found.",
    405: "Method not allowed.",
    414: "The address is too long.",
    431: "The headers are too long, or too many.",
    413: "The body is too large; the limit is 64 KiB, or 1 MiB for a webhook event.",
    503: "This cannot be done right now; please try again in a moment.",
    415: "Send the body as JSON, with the header Content-Type: application/json.",
}
_log = logging.getLogger("jara.web")


def status_of(error: JaraError) -> int:
    """Return the HTTP status of an error."""
    return next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)


def add_error_handlers(app: App) -> None:
    """Answer every failure of the app in the one JSON shape."""
    app.set_error_serializer(_write_http_error)
    # Falcon tries the last one registered first.
    app.add_error_handler(Exception, _answer_defect)
    app.add_error_handler(ConnectionError, _answer_timeout)
    app.add_error_handler(ParseException, _answer_malformed)
    app.add_error_handler(JaraError, _answer_error)
    app.add_error_handler(falcon.HTTPError, _answer_http_error)


def write_error(
    req: Request,
    resp: Response,
    status: int,
    code: str,
    message: str,
    fields: Mapping[str, str] | None = None,
    **more: object,
) -> None:
    """Write the one JSON error shape, its texts in the reader's language."""
    language = language_of(req)
    if language != ENGLISH:
        message, fields = translate_error(language, status, message, fields or {})
    if fields:
        more["fields"] = dict(fields)
    resp.set_header("Content-Language", language)
    resp.append_header("Vary", VARY)
    resp.status = status
    resp.content_type = falcon.MEDIA_JSON
    resp.data = error_body(code, message, **more)
    resp.text = None


def error_body(code: str, message: str, **more: object) -> bytes:
    """Return the JSON body of an error."""
    document = {"success": False, "code": code, "message": message, "error": message, **more}
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")


def error_of_status(status: int) -> bytes:
    """Return the JSON body for a status alone."""
    return error_body(*_words_of(status))


def _words_of(status: int) -> tuple[str, str]:
    """Return the code and the sentence of a status."""
    return _CODES.get(status, "bad_request"), _SENTENCES.get(status, _SENTENCES[400])


def _answer_error(req: Request, resp: Response, error: JaraError, *_: object) -> None:
    status = status_of(error)
    if status >= 500:  # noqa: PLR2004 - ours or the provider's fault
        _note_failure(req, error)
    if isinstance(error, TooManyRequests):
        resp.set_header("Retry-After", str(error.retry_after_seconds))
    elif status == 503:  # noqa: PLR2004 - Service Unavailable
        resp.set_header("Retry-After", str(RETRY_SECONDS))
    elif status == 401:  # noqa: PLR2004 - Unauthorized
        resp.set_header("WWW-Authenticate", "Bearer")
    message = _public_message(error)
    write_error(req, resp, status, error.code, message, error.fields, **_extra(error))


def _public_message(error: JaraError) -> str:
    """Return an error's message, but for failures, whose messages name what is inside."""
    is_failure = status_of(error) == STATUSES[Unavailable] and not isinstance(error, Busy)
    return _SENTENCES[STATUSES[Unavailable]] if is_failure else error.message


def _note_failure(req: Request, error: JaraError) -> None:
    """Log only the exception classes; a message could name a person or a file."""
    classes, cause = [], error.__cause__
    while cause is not None:
        classes.append(type(cause).__name__)
        cause = cause.__cause__
    fields = {"request": req.context.get("request_id"), "code": error.code, "causes": classes}
    _log.warning("failure", extra={"fields": fields})


def _extra(error: JaraError) -> dict[str, object]:
    # Spec §7: a refused vote reports the member's vote status as an accepted one does.
    return {"user_vote_status": "voted"} if error.code == "already_voted" else {}


def _answer_http_error(req: Request, resp: Response, error: falcon.HTTPError, *_: object) -> None:
    for name, value in dict(error.headers or {}).items():
        resp.set_header(name, value)
    _write_http_error(req, resp, error)


def _write_http_error(req: Request, resp: Response, error: falcon.HTTPError) -> None:
    code, sentence = _words_of(error.status_code)
    write_error(req, resp, error.status_code, code, sentence)


def _answer_timeout(req: Request, resp: Response, *_: object) -> None:
    """The client went away, or was too slow, while its body was read."""
    write_error(req, resp, 408, _CODES[408], "The request did not arrive in time.")


def _answer_malformed(req: Request, resp: Response, *_: object) -> None:
    """The body's chunks cannot be read; gunicorn then closes the connection."""
    write_error(req, resp, 400, _CODES[400], _SENTENCES[400])


def log_defect(req: Request, error: Exception) -> None:
    """Write an error that nobody expected to the log, under the request's id."""
    _log.error(
        "defect in %s %s, request %s",
        req.method,
        req.uri_template,
        req.context.get("request_id"),
        exc_info=error,
    )


def _answer_defect(req: Request, resp: Response, error: Exception, *_: object) -> None:
    """Answer with only the request id, under which the log has the details."""
    log_defect(req, error)
    write_error(
        req,
        resp,
        500,
        "internal_error",
        tr(
            "Something went wrong on our side; please try again. If it happens again, send us "
            "the request id {id}.",
            id=str(req.context.get("request_id")),
        ),
    )
