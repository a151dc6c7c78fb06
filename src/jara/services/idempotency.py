"""Safe retries of requests: the header ``Idempotency-Key``.

The first request with a key is carried out. The same request again gets the same answer; a
different request with that key is refused. Only a keyed hash of the body is stored, so that
nobody who reads the database can try passwords against it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from jara.domain.errors import Conflict, JaraError, Unavailable
from jara.records.access import EndedRequest, Remembered
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

LIFE = timedelta(days=1)
CUT_OFF = timedelta(minutes=2)
"""A request without an answer after this time was interrupted."""

_PURPOSE = "idempotency"

Result = TypeVar("Result")


class Request(NamedTuple):
    """A request that may come twice."""

    scope: str  # the call, so that one key may serve several calls
    key: str | None  # the client's key; None if it sent none
    body: bytes  # the request's exact bytes


class KeyTaken(Conflict):
    """The key was used for a different request."""

    code = "idempotency_mismatch"


class StillRunning(Conflict):
    """The first request with the key has no answer yet."""

    code = "request_running"


def run_once(
    context: Context,
    request: Request,
    carry_out: Callable[[], Result],
    *,
    dump: Callable[[Result], Mapping[str, Any]],
    load: Callable[[Mapping[str, Any]], Result],
    admit: Callable[[UnitOfWork], object] = bool,
) -> Result:
    """Carry out a request, or return its earlier answer; without a key it is carried out each time.

    After a refusal `carry_out` may be tried again. `dump` converts the answer to JSON, `load` that
    back to the answer. `admit` raises for a new request that is refused before anything is written.

    Raises:
        KeyTaken: the key was used with a different body.
        StillRunning: the first request is still running.
    """
    if request.key is None:
        return carry_out()
    name, attempt = name_of(request.scope, request.key), context.new_id()
    try:
        earlier = begin(context, request, name, attempt=attempt, admit=admit)
    except Unavailable:
        context.ended_requests[attempt] = EndedRequest(name)  # it may be stored all the same
        raise
    if earlier is not None:
        return load(earlier)
    try:
        result = carry_out()
    except JaraError:
        _end(context, attempt, EndedRequest(name))
        raise
    _end(context, attempt, EndedRequest(name, dump(result)))
    return result


def begin(
    context: Context,
    request: Request,
    name: str,
    *,
    attempt: str,
    admit: Callable[[UnitOfWork], object] = bool,
) -> Mapping[str, Any] | None:
    """Start a request by the name of its key, or return its earlier answer.

    No other attempt has the name `attempt`, in any process; for the rest see `run_once`.
    """
    now = context.now()
    mark = context.vault.keyed_hash(_PURPOSE, sha256(request.body).hexdigest())
    with _writing(context) as work:
        known = work.access.remembered(name, now=now)
        if known is not None:
            if known.body_mark != mark:
                raise KeyTaken("This Idempotency-Key came with another request; draw a new one.")
            if known.answer is not None:
                return known.answer
            if now - known.begun_at < CUT_OFF:
                raise StillRunning("This request is being carried out; ask again in a moment.")
        admit(work)
        work.access.remember(Remembered(name, mark, attempt, begun_at=now, until=now + LIFE))
    return None


def answer_within(
    context: Context, work: UnitOfWork, name: str | None, answer: Mapping[str, Any]
) -> None:
    """Store an answer in the transaction that does what the request asked for.

    Whatever happens afterwards, the same request gets this answer.
    """
    known = None if name is None else work.access.remembered(name, now=context.now())
    if known is not None:
        work.access.remember(known._replace(answer=answer))


def settle(context: Context) -> None:
    """Store the ends of requests that the database could not take when they ended."""
    if context.ended_requests:
        with _writing(context):
            pass


def _end(context: Context, attempt: str, end: EndedRequest) -> None:
    """Store how an attempt ended; after a refusal the request can be tried again.

    What was done stays done if the database goes away now; `settle` stores the end later.
    """
    context.ended_requests[attempt] = end
    with suppress(Unavailable):
        settle(context)


@contextmanager
def _writing(context: Context) -> Iterator[UnitOfWork]:
    """Open a transaction that stores the ends of earlier requests first."""
    ends: dict[str, EndedRequest] = {}
    try:
        with context.store.write() as work:
            # Taken while other writers wait, so that no request is begun again in between.
            while context.ended_requests:
                attempt, end = context.ended_requests.popitem()
                ends[attempt] = end
                if end.answer is None:
                    # Another process may have begun the request again since.
                    work.access.forget_attempt(end.key, attempt)
                else:
                    answer_within(context, work, end.key, end.answer)
            yield work
    except BaseException:
        context.ended_requests.update(ends)
        raise


def name_of(scope: str, key: str) -> str:
    """Return the stored name of a key: a hash, always the same for the same key."""
    return sha256(f"{scope}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()
