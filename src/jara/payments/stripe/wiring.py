"""Live payments: puts the parts of the Stripe adapter together."""

from collections.abc import Callable

from jara.domain.time_zone import TimeZone
from jara.payments.stripe.account import StripeAccount
from jara.payments.stripe.client import StripeAccess, StripeConnection
from jara.payments.stripe.events import StripeEvents
from jara.payments.stripe.gateway import StripeGateway
from jara.payments.stripe.takeover import StripeTakeover
from jara.services.ports.outside import Clock
from jara.services.ports.payments import LivePayments


def connect_stripe(
    secret_key: str,
    webhook_secret: str | None,
    *,
    site_url: str,
    clock: Clock,
    zone: Callable[[], TimeZone],
    api: str | None = None,
) -> LivePayments:
    """Return Stripe's gateway, account and events; Stripe is first called when one is used.

    ``api`` is another address than Stripe's, for tests.
    """
    connection = StripeConnection(StripeAccess(secret_key, api_base=api))
    return LivePayments(
        gateway=StripeGateway(connection, clock, zone),
        account=StripeAccount(connection, clock, site_url=site_url, webhook_secret=webhook_secret),
        events=StripeEvents(connection, webhook_secret, clock),
        takeover=StripeTakeover(connection, zone),
    )
