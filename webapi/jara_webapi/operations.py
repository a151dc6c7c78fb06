"""What a call is: who may make it, what it takes, what it answers.

A responder is marked with `operation`; the mark reads the body, writes the answer, and
is what the authorisation and the OpenAPI document are made from, so that none of the
three can say something else than the others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

import falcon
from pydantic import BaseModel, TypeAdapter, ValidationError

from jara.domain.errors import InvalidInput
from jara.domain.giving.member import Member
from jara.services.sessions import Session
from jara_webapi.framework import Request, Response
from jara_webapi.strict_json import BODY_BYTES_MAX, read_json

Model = TypeVar("Model", bound=BaseModel)
Responder = Callable[..., Any]


class Access(Enum):
    """Who may make a call."""

    PUBLIC = "public"
    """Anybody; a token changes nothing."""
    OPTIONAL = "optional"
    """Anybody; whoever brings a token sees more."""
    MEMBER = "member"
    """Members alone."""


@dataclass(frozen=True, slots=True)
class SignedBody:
    """A body that is handed over as it came, because a header signs its bytes."""

    header: str
    bytes_max: int


@dataclass(frozen=True, slots=True)
class Operation:
    """The mark of a responder.

    Args:
        summary: one sentence for the OpenAPI document.
        access: who may make the call.
        body: the model of the body, or None.
        signed_body: how the body is signed, when it is not read by a model.
        query: the model of the query, or None.
        answer: the type of the answer; None for one that is no JSON.
        status: the status of success.
        others: the answers of other good statuses.
        refuses: the statuses of refusals beyond the common ones.
        media_type: of the answer.
        body_optional: whether the body may be left out.
        cached: whether the answer of a visitor may be kept until the data change.
        unsigned: the sentence for somebody without a token.
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
    idempotent: bool = False
    unsigned: str = "Please sign in first."


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with another status, or of another type, than the usual one."""

    value: Any
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stream:
    """An answer that is written piece by piece, in bounded memory."""

    pieces: Iterable[bytes]
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """One request, as resources see it."""

    req: Request
    session: Session | None
    address: str

    @property
    def signed_in(self) -> Session:
        """The session of a call that members alone can make."""
        if self.session is None:  # pragma: no cover - the middleware has refused it
            raise RuntimeError("a call for members was let through without a token")
        return self.session

    @property
    def member(self) -> Member:
        """The member who calls."""
        return self.signed_in.member


def operation(  # noqa: PLR0913 - what a call can say of itself
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
    idempotent: bool = False,
    unsigned: str = "Please sign in first.",
) -> Callable[[Responder], Responder]:
    """Mark a responder; it then gets `call`, `body` and `query`, and returns its answer."""

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
            idempotent=idempotent,
            unsigned=unsigned,
        )
        write = _writer(marked)

        @functools.wraps(responder)
        def respond(self: object, req: Request, resp: Response, **params: Any) -> None:  # noqa: ANN401
            if body is not None:
                params["body"] = read_body(req, body, optional=body_optional)
            if signed_body is not None:
                params["body"] = read_bytes(req, signed_body.bytes_max)
            if query is not None:
                params["query"] = read_query(req, query)
            call = Call(req, req.context.get("session"), str(req.context.get("address")))
            write(resp, responder(self, call, **params))

        respond.operation = marked  # type: ignore[attr-defined]
        return respond

    return mark


def operation_of(resource: object, method: str) -> Operation | None:
    """Return the mark of a resource's responder, if it has one."""
    responder = getattr(resource, f"on_{method.lower()}", None)
    return getattr(responder, "operation", None)


def read_body(req: Request, model: type[Model], *, optional: bool) -> Model:
    """Read and check the body of a request."""
    if optional and not req.content_length and not req.get_header("Transfer-Encoding"):
        return model()
    if (req.content_type or "").split(";")[0].strip().lower() != falcon.MEDIA_JSON:
        raise falcon.HTTPUnsupportedMediaType
    return validate(model, read_json(read_bytes(req, BODY_BYTES_MAX)))


def read_bytes(req: Request, bytes_max: int) -> bytes:
    """Read the body of a request as it came, up to a size."""
    if (req.content_length or 0) > bytes_max:
        raise falcon.HTTPContentTooLarge
    # A chunked body has no length; the server marks its end.
    ended = req.content_length is None and req.env.get("wsgi.input_terminated")
    stream = req.stream if ended else req.bounded_stream
    raw: bytes = stream.read(bytes_max + 1)
    if len(raw) > bytes_max:
        raise falcon.HTTPContentTooLarge
    return raw


def read_query(req: Request, model: type[Model]) -> Model:
    """Read and check the query of a request."""
    names = {f.alias or name for name, f in model.model_fields.items()}
    given = {name: value for name, value in req.params.items() if name in names}
    for name, value in given.items():
        if isinstance(value, list):
            raise _wrong_fields({name: "This is given more than once."})
        if "\0" in value:
            raise _wrong_fields({name: "This holds the character U+0000."})
    return validate(model, given, strict=False)


def validate(model: type[Model], value: object, *, strict: bool = True) -> Model:
    """Check a value against a model; the message names every field that is wrong."""
    try:
        return model.model_validate(value, strict=strict)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
    raise _wrong_fields(
        {".".join(str(part) for part in one["loc"]) or "body": _sentence(one) for one in found}
    )


def _wrong_fields(fields: dict[str, str]) -> InvalidInput:
    told = " ".join(f"{name}: {sentence}" for name, sentence in fields.items())
    return InvalidInput(told, fields=fields)


_SENTENCES = {
    "missing": "This is missing.",
    "extra_forbidden": "There is no such field.",
    "string_type": "This must be text.",
    "int_type": "This must be a whole number.",
    "int_parsing": "This must be a whole number.",
    "bool_type": "This must be true or false.",
    "string_too_short": "This is too short.",
    "string_too_long": "This is too long.",
    "string_pattern_mismatch": "This does not have the right form.",
    "model_type": "The body must be an object.",
    "model_attributes_type": "The body must be an object.",
    "date_from_datetime_parsing": "This must be a day like 2026-11-20.",
    "date_parsing": "This must be a day like 2026-11-20.",
}


def _sentence(found: Any) -> str:  # noqa: ANN401 - pydantic's error details
    sentence = _SENTENCES.get(found["type"])
    if sentence is not None:
        return sentence
    if found["type"] == "literal_error":
        return f"This must be {found['ctx']['expected']}."
    return f"{found['msg']}."


def _writer(marked: Operation) -> Callable[[Response, Any], None]:
    adapters: dict[int, TypeAdapter[Any]] = {
        status: TypeAdapter(kind)
        for status, kind in {marked.status: marked.answer, **marked.others}.items()
        if kind is not None
    }

    def write(resp: Response, value: Any) -> None:  # noqa: ANN401
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
            resp.data = adapter.dump_json(reply.value, by_alias=True)

    return write
