"""The `operation` decorator: who may make a call, what it takes, what it returns.

It reads the body and writes the response. Authorisation and the OpenAPI document are
derived from the same declaration, so the three cannot disagree.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from io import BytesIO
from typing import Any, NamedTuple

import falcon
from pydantic import BaseModel, TypeAdapter

from jara.domain.giving.member import Member
from jara.domain.language import Language
from jara.services.members.sessions import Session, describe_device
from jara_webapi.calls.answer_texts import translate_message
from jara_webapi.calls.framework import Request, Response
from jara_webapi.calls.languages import language_of
from jara_webapi.calls.reading import read_body, read_bytes, read_query

Responder = Callable[..., Any]


class Access(Enum):
    """Who may make a call."""

    PUBLIC = "public"
    """Anyone; a token has no effect."""
    OPTIONAL = "optional"
    """Anyone; with a token the response has more."""
    MEMBER = "member"
    """Members only."""


class SignedBody(NamedTuple):
    """A body that is passed on as raw bytes, because a header contains its signature."""

    header: str
    bytes_max: int


@dataclass(frozen=True, slots=True)
class Operation:
    """What `operation` declares of a responder.

    Args:
        summary: one sentence for the OpenAPI document.
        access: who may make the call.
        body: the model of the body, or None.
        signed_body: how the body is signed, when it is not read by a model.
        query: the model of the query, or None.
        answer: the type of the response; None when it is not JSON.
        status: the status of success.
        others: the types of the responses with other success statuses.
        refuses: the statuses of errors beyond the common ones.
        media_type: the media type of the response.
        body_optional: whether the body may be left out.
        cached: whether a visitor's response may be cached until the data change.
        in_languages: whether the responder writes its answer in the reader's language.
        unsigned: the message for a caller without a token.
        before_payment: whether a member may call it before the first payment is confirmed.
        length: the length in bytes to which shorter responses are padded.
    """

    summary: str
    access: Access
    body: type[BaseModel] | None = None
    signed_body: SignedBody | None = None
    query: type[BaseModel] | None = None
    answer: Any = None
    status: int = 200
    others: Mapping[int, Any] = field(default_factory=dict)
    refuses: tuple[int, ...] = ()
    media_type: str = falcon.MEDIA_JSON
    body_optional: bool = False
    cached: bool = False
    in_languages: bool = False
    idempotent: bool = False
    unsigned: str = "Please sign in first."
    before_payment: bool = False
    length: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """A response whose status or type differs from the declared one."""

    value: Any
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stream:
    """A response that is sent piece by piece, in bounded memory."""

    pieces: Iterable[bytes]
    headers: Mapping[str, str] = field(default_factory=dict)


class Call(NamedTuple):
    """One request as responders see it."""

    req: Request
    session: Session | None
    address: str

    @property
    def language(self) -> Language:
        """The caller's language."""
        return language_of(self.req)

    @property
    def signed_in(self) -> Session:
        """The session of a call for members."""
        if self.session is None:  # pragma: no cover - the middleware refuses it
            raise RuntimeError("a call for members passed without a token")
        return self.session

    @property
    def device(self) -> str:
        """Browser and system of the client."""
        return describe_device(self.req.get_header("User-Agent") or "")

    @property
    def member(self) -> Member:
        """The member who calls."""
        return self.signed_in.member


def operation(  # noqa: PLR0913 - one argument for each property
    *,
    answer: Any = None,  # noqa: ANN401 - a model or a type
    access: Access = Access.PUBLIC,
    body: type[BaseModel] | None = None,
    signed_body: SignedBody | None = None,
    query: type[BaseModel] | None = None,
    status: int = 200,
    others: Mapping[int, Any] | None = None,
    refuses: tuple[int, ...] = (),
    media_type: str = falcon.MEDIA_JSON,
    body_optional: bool = False,
    cached: bool = False,
    in_languages: bool = False,
    idempotent: bool = False,
    unsigned: str = "Please sign in first.",
    before_payment: bool = False,
    length: int = 0,
) -> Callable[[Responder], Responder]:
    """Declare a responder; it then gets `call`, `body` and `query`, and returns its response."""

    def mark(responder: Responder) -> Responder:
        marked = Operation(
            summary=(responder.__doc__ or "").split("\n")[0],
            access=access,
            body=body,
            signed_body=signed_body,
            query=query,
            answer=answer,
            status=status,
            others=others or {},
            refuses=refuses,
            media_type=media_type,
            body_optional=body_optional,
            cached=cached,
            in_languages=in_languages,
            idempotent=idempotent,
            unsigned=unsigned,
            before_payment=before_payment,
            length=length,
        )
        write = _writer(marked)

        @functools.wraps(responder)
        def respond(self: object, req: Request, resp: Response, **params: Any) -> None:  # noqa: ANN401 - Falcon's own
            if body is not None:
                params["body"] = read_body(req, body, optional=body_optional)
            if signed_body is not None:
                params["body"] = read_bytes(req, signed_body.bytes_max)
            if query is not None:
                params["query"] = read_query(req, query)
            call = Call(req, req.context.get("session"), str(req.context.get("address")))
            write(req, resp, responder(self, call, **params))

        respond.operation = marked  # type: ignore[attr-defined] # a function takes attributes
        return respond

    return mark


def answering_head(resource: Any) -> object:  # noqa: ANN401 - any responders
    """Let a resource answer HEAD as GET; the server drops the body (RFC 9110 §9.3.2)."""
    if hasattr(resource, "on_get"):
        resource.on_head = resource.on_get
    return resource


def ask(resource: Any, query: str = "", **params: str) -> bytes:  # noqa: ANN401 - any responders
    """Return the response body that a visitor gets from a resource.

    Raises:
        JaraError: it refuses the visitor.
    """
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": "/",
        "QUERY_STRING": query,
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
    }
    resp = falcon.Response()
    resource.on_get(falcon.Request(environ), resp, **params)
    return resp.data or b""


def operation_of(resource: object, method: str) -> Operation | None:
    """Return the declaration of a resource's responder, if it has one."""
    responder = getattr(resource, f"on_{method.lower()}", None)
    return getattr(responder, "operation", None)


def _writer(marked: Operation) -> Callable[[Request, Response, Any], None]:
    adapters: dict[int, TypeAdapter[Any]] = {
        status: TypeAdapter(kind)
        for status, kind in {marked.status: marked.answer, **marked.others}.items()
        if kind is not None
    }

    def write(req: Request, resp: Response, value: Any) -> None:  # noqa: ANN401 - a model's fields
        reply = value if isinstance(value, Reply) else Reply(value)
        resp.status = reply.status or marked.status
        resp.content_type = marked.media_type
        for name, text in reply.headers.items():
            resp.set_header(name, text)
        if isinstance(reply.value, Stream):
            for name, text in reply.value.headers.items():
                resp.set_header(name, text)
            resp.stream = reply.value.pieces
        elif isinstance(reply.value, bytes):
            resp.data = reply.value
        else:
            adapter = adapters[reply.status or marked.status]
            said = translate_message(req, resp, reply.value)
            # White space after a JSON text means nothing (RFC 8259 §2).
            resp.data = adapter.dump_json(said, by_alias=True).ljust(marked.length)

    return write
