"""Live payments: the parts of the Stripe adapter, put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from jara.domain.errors import Conflict
from jara.payments.stripe_account import StripeAccount
from jara.payments.stripe_client import StripeAccess, StripeConnection
from jara.payments.stripe_events import StripeEvents
from jara.payments.stripe_gateway import StripeGateway
from jara.services.ports.outside import Clock
from jara.services.ports.payment_account import PaymentAccount
from jara.services.ports.payment_events import EventSource
from jara.services.ports.payments import PaymentGateway

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class LivePayments:
    """What a payment provider has: the gateway, the account, and its events."""

    gateway: PaymentGateway
    account: PaymentAccount
    events: EventSource


def connect_stripe(
    secret_key: str | None, webhook_secret: str | None, *, site_url: str, clock: Clock
) -> LivePayments | None:
    """Put the parts together, or nothing while no keys are set.

    The SDK is loaded, and Stripe asked, when it is first used.
    """
    if secret_key is None or webhook_secret is None:
        return None
    connection = StripeConnection(StripeAccess(secret_key))
    return LivePayments(
        gateway=StripeGateway(connection, clock),
        account=StripeAccount(connection, clock, site_url=site_url, webhook_secret=webhook_secret),
        events=StripeEvents(connection, webhook_secret, clock),
    )


def require(part: Part | None, why_not: str) -> Part:
    """Return the sandbox or the live payments, whichever a command is for.

    Raises:
        Conflict: payments are of the other kind.
    """
    if part is None:
        raise Conflict(why_not)
    return part
