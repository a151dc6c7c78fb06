"""The connection to Stripe: timeouts, retries, and translation of its errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jara.domain.errors import (
    CardDeclined,
    Conflict,
    InvalidInput,
    JaraError,
    NotFound,
    Unavailable,
)
from jara.domain.texts import tr
from jara.services.ports.payments import ProviderUnavailable

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import StripeClient, StripeError, StripeObject
    from stripe._v1_services import V1Services

OUR_MARK = "jara"
"""Metadata ``jara=1`` marks the objects that ``jara stripe setup`` created."""

MEMBER_MARK = "jara_member"
KIND_MARK = "jara_kind"
GIFT_MARK = "jara_gift"
LANGUAGE_MARK = "jara_language"

Watch = Callable[[str, str, str, int | None, bytes], None]
"""Called with method, address, form, status and answer; the status is None without an answer."""

PAGE = 100
"""The largest page size of Stripe's lists."""

DECLINED = "Your card was declined."
_CARD_FIELDS = ("payment_method", "invoice_settings[default_payment_method]")


@dataclass(frozen=True, slots=True)
class StripeAccess:
    """How Stripe is reached.

    By default the SDK waits 80 seconds, three times, while a person waits at our website.
    One retry is enough for a broken connection. It is safe: every call that creates
    something carries an idempotency key.
    """

    secret_key: str = field(repr=False)  # the key of the account; it never appears in text
    api_base: str | None = None  # another address than Stripe's, for tests
    connect_seconds: float = 4.0  # how long to wait for a connection
    read_seconds: float = 20.0  # how long to wait for an answer
    retries: int = 1  # how often to retry after a broken connection or an error of Stripe
    watch: Watch | None = field(default=None, repr=False)  # called with each request and its answer


class StripeConnection:
    """Loads the SDK on first use, because loading it is slow."""

    def __init__(self, access: StripeAccess) -> None:
        """Store the access data; nothing is opened yet."""
        self._access = access

    @cached_property
    def client(self) -> StripeClient:
        """The SDK's client."""
        stripe, access = load_sdk(), self._access
        client: StripeClient = stripe.StripeClient(
            access.secret_key,
            base_addresses={"api": access.api_base} if access.api_base else None,
            max_network_retries=access.retries,
            http_client=_http_client(access),
        )
        return client

    @contextmanager
    def asking(self) -> Iterator[V1Services]:
        """Yield Stripe's services, and translate their errors.

        Raises:
            CardDeclined: the card was refused; the message is Stripe's.
            NotFound: there is no such object.
            InvalidInput: the payment method cannot be used.
            Conflict: the object's state, or an idempotency key, does not allow it.
            Unavailable: Stripe did not answer, or its answer is unusable.
        """
        try:
            yield self.client.v1
        except load_sdk().StripeError as error:
            raise _in_our_words(error) from error


def _http_client(access: StripeAccess) -> Any:  # noqa: ANN401 - a class of the SDK
    client = load_sdk().RequestsClient(timeout=(access.connect_seconds, access.read_seconds))
    if (watch := access.watch) is not None:
        ask = client.request

        def request(
            method: str, url: str, headers: Mapping[str, str], data: str | None = None
        ) -> tuple[bytes, int, Mapping[str, str]]:
            try:
                answer: tuple[bytes, int, Mapping[str, str]] = ask(method, url, headers, data)
            except load_sdk().APIConnectionError:
                watch(method, url, data or "", None, b"")
                raise
            watch(method, url, data or "", answer[1], answer[0])
            return answer

        client.request = request
    return client


def load_sdk() -> ModuleType:
    """Return Stripe's SDK."""
    import stripe  # it takes as long to load as a whole command, and few commands call Stripe

    return stripe


def api_version() -> str:
    """Return the version of Stripe's API that the SDK speaks."""
    return str(load_sdk().api_version)


def id_of(value: str | StripeObject | None) -> str | None:
    """Return the id of an object that is expanded or not."""
    if value is None or isinstance(value, str):
        return value
    return str(value["id"])


def require_id(value: str | StripeObject | None) -> str:
    """Return the id of an object that is always there."""
    found = id_of(value)
    if found is None:
        raise Unavailable("Stripe's answer lacks an id that it always has.")
    return found


def field_of(thing: Any, name: str) -> Any:  # noqa: ANN401 - objects of many classes
    """Return a field that may be absent; a StripeObject is not a dict and has no ``get``."""
    if thing is None or name not in thing:
        return None
    return thing[name]


def mark_of(thing: StripeObject, mark: str) -> str | None:
    """Return our mark in an object's metadata."""
    return field_of(field_of(thing, "metadata"), mark) or None


def instant_of(seconds: int) -> datetime:
    """Read a time as Stripe writes it."""
    return datetime.fromtimestamp(seconds, UTC)


def seconds_of(instant: datetime) -> int:
    """Write a time as Stripe reads it."""
    return int(instant.timestamp())


def _in_our_words(error: StripeError) -> JaraError:
    stripe = load_sdk()
    said = error.user_message or "no reason given"
    if isinstance(error, stripe.CardError):
        return CardDeclined(error.user_message or DECLINED)
    if isinstance(error, stripe.InvalidRequestError):
        return _of_request(error.code, error.param, said)
    if isinstance(error, stripe.IdempotencyError):
        return Conflict("This idempotency key was used for another request before.")
    if isinstance(error, stripe.RateLimitError):
        return ProviderUnavailable("Stripe asks for a pause; try again in a minute.")
    if isinstance(error, stripe.APIConnectionError):
        return ProviderUnavailable("Stripe could not be reached, or did not answer in time.")
    if isinstance(error, stripe.AuthenticationError | stripe.PermissionError):
        return ProviderUnavailable("Stripe does not accept the key in JARA_STRIPE_SECRET_KEY.")
    return ProviderUnavailable(
        "Stripe failed (HTTP {status}).", status=str(error.http_status or "without status")
    )


def _of_request(code: str | None, param: str | None, said: str) -> JaraError:
    if param in _CARD_FIELDS:
        message = tr("The card cannot be used, enter it again: {reason}", reason=tr(said))
        return InvalidInput(message, fields={"paymentMethodId": message})
    if code == "resource_missing":
        return NotFound(said)
    return Conflict("Stripe refused: {reason}", reason=tr(said))
