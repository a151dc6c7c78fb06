"""The declaration of a call: who may make it, what it takes, what it returns.

`get`, `post`, `put` and `delete` declare a function as an operation of the API. Its signature
says what it receives, authorisation and the OpenAPI document follow from the declaration, so
they cannot disagree.
"""

import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from functools import partial
from inspect import signature
from io import BytesIO
from tempfile import TemporaryFile, gettempdir
from threading import BoundedSemaphore
from typing import Any, BinaryIO, NamedTuple, get_type_hints

import falcon
from pydantic import BaseModel, TypeAdapter

from jara.bootstrap import Application
from jara.documents import to_document
from jara.domain.errors import Busy, Unavailable
from jara.domain.giving.member import Member
from jara.domain.language import Language
from jara.services.members.sessions import Session, describe_device, require_session
from jara.services.operations.desk import DeskOperator
from jara_webapi.calls.languages import language_of, translate_message
from jara_webapi.calls.requests import (
    Request,
    Response,
    known_params,
    read_body,
    read_bytes,
    read_query,
)
from jara_webapi.calls.scenes import NO_SCENES, Scenes
from jara_webapi.schemas.base import described

_PIECE_BYTES = 64 * 1024
DOWNLOADS_AT_ONCE = 1
"""Of eight threads, for each kind of large file: one of a large log takes a core for seconds."""


class Begun:
    """The pieces of an answer, of which the first one is there."""

    def __init__(self, pieces: Generator[bytes]) -> None:
        """Make the first piece; what it raises is the answer instead."""
        self._pieces = pieces
        self._first = next(pieces, b"")

    def __iter__(self) -> Iterator[bytes]:
        yield self._first
        yield from self._pieces

    def close(self) -> None:
        """End the pieces, also if the client has left; the server calls it."""
        self._pieces.close()


class Downloads:
    """The places of a kind of large file: in each process, a few are sent at once."""

    def __init__(self) -> None:
        self._places = BoundedSemaphore(DOWNLOADS_AT_ONCE)

    def send(self, pieces: Iterable[bytes]) -> Generator[bytes]:
        """Yield the pieces; the place is free again when they end or the client leaves.

        Raises:
            Busy: all places are taken.
        """
        if not self._places.acquire(blocking=False):
            raise Busy("Others are downloading this file right now; try again in a moment.")
        try:
            yield from pieces
        finally:
            self._places.release()


def pieces_of(fill: Callable[[BinaryIO], None]) -> Generator[bytes]:
    """Write an answer to a temporary file, then pass it on piece by piece.

    A slow client holds no transaction open, and memory does not grow.

    Raises:
        Unavailable: the temporary file cannot be written.
    """
    try:
        with TemporaryFile() as file:
            fill(file)
            file.seek(0)
            while piece := file.read(_PIECE_BYTES):
                yield piece
    except OSError as error:
        raise Unavailable(
            f"The temporary folder {gettempdir()} takes no file: {error.strerror}."
        ) from error


_GIVEN = ("app", "context", "scenes", "call", "member", "body", "query")
"""What a function of the API may name in its signature, besides the parameters of its path."""


class Access(Enum):
    """Who may make a call."""

    PUBLIC = "public"
    """Anyone; a token has no effect."""
    OPTIONAL = "optional"
    """Anyone; with a token the response has more."""
    MEMBER = "member"
    """Members only."""
    LINK = "link"
    """Holders of a partner's link, whose code is the bearer token."""
    OPERATOR = "operator"
    """Operators at the desk, whose session is the bearer token."""


class RawBody(NamedTuple):
    """A body that is passed on as raw bytes."""

    bytes_max: int  # how long it may be
    header: str = ""  # the header with its signature, if it has one
    media_type: str = falcon.MEDIA_JSON


@dataclass(frozen=True, slots=True)
class Reply:
    """A response whose status or type differs from the declared one.

    Bytes and text are sent as they are, text without an ETag; records as JSON.
    """

    value: Any
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stream:
    """A response that is sent piece by piece, in bounded memory.

    A generator makes its first piece before the answer begins, so that it can fail with an error.
    """

    pieces: Iterable[bytes]
    headers: Mapping[str, str] = field(default_factory=dict)


class Call(NamedTuple):
    """One request as the functions of the API see it."""

    req: Request
    session: Session | None
    address: str

    @property
    def at_desk(self) -> DeskOperator:
        """The operator of a call of the desk."""
        found: DeskOperator | None = self.req.context["operator"]
        if found is None:  # pragma: no cover - the middleware refuses it
            raise RuntimeError("a call of the desk passed without a session")
        return found

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


@dataclass(frozen=True, slots=True)
class Operation:
    """What a call of the API declares."""

    method: str  # the HTTP method
    _: KW_ONLY
    answer: Any = None  # the type of the response; by default the function's return type
    access: Access = Access.PUBLIC  # who may make the call
    raw_body: RawBody | None = None  # what the body is, when it is not read by a model
    status: int = 200  # the status of success
    others: Mapping[int, Any] = field(default_factory=dict)
    """The types of the responses with other success statuses."""
    refuses: tuple[int, ...] = ()  # the statuses of errors beyond the common ones
    media_type: str = falcon.MEDIA_JSON  # the media type of the response
    body_optional: bool = False  # whether the body may be left out
    cached: bool = False  # whether a visitor's response may be cached until the data change
    in_languages: bool = False
    """Whether the answer is in the reader's language, which `context` then has."""
    idempotent: bool = False  # whether it accepts the header Idempotency-Key
    turns: str = ""  # which turns of the application it waits for, if only a few may work at a time
    unsigned: str = "Please sign in first."  # the message for a caller without a token
    before_payment: bool = False
    """Whether a member may call it before the first payment is confirmed."""
    outlives_session: bool = False
    """Whether it stores what the payment provider did also if the session has ended meanwhile."""
    length: int = 0  # responses are padded to a multiple of so many bytes

    def __call__(self, function: Callable[..., Any]) -> "Endpoint":
        """Declare a function, which the endpoint then calls."""
        return Endpoint(self, function)


get = partial(Operation, "GET")
post = partial(Operation, "POST")
put = partial(Operation, "PUT")
delete = partial(Operation, "DELETE")


class Endpoint:
    """A function of the API with its declaration.

    It receives what its signature names: `app` or `context`, `scenes`, `call`, the signed-in
    `member`, `body` and `query` as their annotated models, and the parameters of the path.

    Args:
        operation: the declaration.
        function: returns the response.
    """

    def __init__(self, operation: Operation, function: Callable[..., Any]) -> None:
        self.operation = operation
        self.function = function
        hints = get_type_hints(function, include_extras=True)
        self.names = frozenset(signature(function).parameters)
        self.body: type[BaseModel] | None = None if operation.raw_body else hints.get("body")
        self.query: type[BaseModel] | None = hints.get("query")
        returned = hints.get("return")
        self.answer = operation.answer or (None if returned is Reply else described(returned))
        self.summary = (function.__doc__ or "").split("\n")[0]
        self._adapters: dict[int, TypeAdapter[Any]] = {
            status: TypeAdapter(kind) for status, kind in self.answers.items() if kind is not None
        }

    @property
    def answers(self) -> Mapping[int, Any]:
        """The types of the responses by status; None for one that is not JSON."""
        return {self.operation.status: self.answer, **self.operation.others}

    def responder(self, application: Application, scenes: Scenes) -> Callable[..., None]:
        """Return the function that Falcon calls."""
        given = {"app": application, "context": application.context, "scenes": scenes}
        constants = {name: value for name, value in given.items() if name in self.names}
        readers = [
            (name, read)
            for name, read in self._readers(self.operation, application).items()
            if name in self.names
        ]

        turns = getattr(application, self.operation.turns) if self.operation.turns else None
        is_checked = self.operation.access is Access.MEMBER and not self.operation.outlives_session

        def checked(req: Request) -> AbstractContextManager[None]:
            if not is_checked:
                return nullcontext()
            claims = _call(req).signed_in.claims
            return application.context.store.checked(partial(require_session, claims=claims))

        def respond(req: Request, resp: Response, **params: Any) -> None:  # noqa: ANN401 - Falcon's own
            for name, read in readers:
                params[name] = read(req)
            with turns.take() if turns is not None else nullcontext(), checked(req):
                answer = self.function(**{**constants, **params})
            self._write(req, resp, answer)

        return respond

    def _readers(
        self, operation: Operation, application: Application
    ) -> dict[str, Callable[[Request], object]]:
        readers: dict[str, Callable[[Request], object]] = {
            "call": _call,
            "member": lambda req: _call(req).member,
        }
        if operation.in_languages:
            context = application.context
            readers["context"] = lambda req: context.for_reader(language_of(req))
        if self.body is not None:
            readers["body"] = partial(read_body, model=self.body, optional=operation.body_optional)
        if operation.raw_body is not None:
            readers["body"] = partial(read_bytes, bytes_max=operation.raw_body.bytes_max)
        if self.query is not None:
            readers["query"] = partial(read_query, model=self.query)
        return readers

    def _write(self, req: Request, resp: Response, value: Any) -> None:  # noqa: ANN401 - an answer
        reply = value if isinstance(value, Reply) else Reply(value)
        status = reply.status or self.operation.status
        resp.status = status
        resp.content_type = self.operation.media_type
        resp.set_headers(dict(reply.headers))
        match reply.value:
            case Stream(pieces, headers):
                resp.stream = Begun(pieces) if isinstance(pieces, Generator) else pieces
                resp.set_headers(dict(headers))
            case bytes(data):
                resp.data = data
            case str(text) if self.answer is None:
                resp.text = text
            case answer:
                translated = translate_message(req, resp, plain(answer))
                data = self._adapters[status].dump_json(translated, by_alias=True)
                # White space after a JSON text means nothing (RFC 8259 §2).
                step = self.operation.length or 1
                resp.data = data.ljust(-(-len(data) // step) * step)


class Resource:
    """What Falcon calls for one path: the endpoints of an application by their methods.

    HEAD is answered as GET; the server drops the body (RFC 9110 §9.3.2).
    """

    def __init__(
        self,
        path: str,
        application: Application,
        endpoints: Iterable[Endpoint],
        scenes: Scenes = NO_SCENES,
    ) -> None:
        self.endpoints: dict[str, Endpoint] = {}
        self._responders: dict[str, Callable[..., None]] = {}
        for endpoint in endpoints:
            _check_parameters(path, endpoint)
            respond, method = endpoint.responder(application, scenes), endpoint.operation.method
            for each in ("GET", "HEAD") if method == "GET" else (method,):
                self.endpoints[each] = endpoint
                self._responders[each] = respond
                setattr(self, f"on_{each.lower()}", respond)

    def ask(self, query: str = "", **params: str) -> bytes:
        """Return the response body that a visitor gets.

        Raises:
            JaraError: the visitor is refused.
        """
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": "/",
            "QUERY_STRING": query,
            "wsgi.input": BytesIO(),
            "wsgi.errors": sys.stderr,
        }
        resp = Response()
        self._responders["GET"](Request(environ), resp, **params)
        return resp.data or b""


def plain(answer: Any) -> Any:  # noqa: ANN401 - an answer
    """Return an answer with a document for each record."""
    if isinstance(answer, BaseModel | dict):
        return answer
    if isinstance(answer, list):
        return [plain(one) for one in answer]
    return to_document(answer, instant=lambda at: at)


def operation_of(resource: object, method: str) -> Operation | None:
    """Return the declaration of a resource's call with a method, if it has one."""
    endpoint = resource.endpoints.get(method) if isinstance(resource, Resource) else None
    return None if endpoint is None else endpoint.operation


def query_of(resource: object, req: Request) -> str:
    """Return the parameters that a resource's call reads, in order: others change no answer."""
    endpoint = resource.endpoints.get(req.method) if isinstance(resource, Resource) else None
    if endpoint is None or endpoint.query is None:
        return ""
    return repr(sorted(known_params(req, endpoint.query).items()))


def _call(req: Request) -> Call:
    return Call(req, req.context.get("session"), str(req.context.get("address")))


def _check_parameters(path: str, endpoint: Endpoint) -> None:
    """Check that a function takes the parameters of its path, and nothing unknown."""
    parameters = set(re.findall(r"{(\w+)", path))
    if parameters != endpoint.names.difference(_GIVEN):
        names = ", ".join(sorted(endpoint.names))
        misfit = f"{endpoint.function.__name__}({names}) does not fit {path}"
        raise TypeError(misfit)
