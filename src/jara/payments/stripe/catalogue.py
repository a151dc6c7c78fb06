"""The objects that Jara needs in the Stripe account: product, price, webhook endpoint, portal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from jara.domain.currency import books_currency
from jara.domain.errors import Unavailable
from jara.payments.stripe.client import OUR_MARK, PAGE, StripeConnection, mark_of

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import Price, Product, StripeObject, WebhookEndpoint
    from stripe.billing_portal import Configuration

UNIT_CENTS = 100
"""One dollar a month; a pledge of n dollars is the quantity n."""

Kept = TypeVar("Kept", bound="StripeObject")


class StripeCatalogue:
    """Finds the objects that ``jara stripe setup`` created, by their mark."""

    def __init__(self, connection: StripeConnection) -> None:
        """Use a connection; ids are fetched once and cached."""
        self._connection = connection
        self._price_id: str | None = None
        self._portal_id: str | None = None

    def products(self) -> Iterator[Product]:
        """Return our active products."""
        with self._connection.asking() as v1:
            yield from _ours(v1.products.list({"active": True, "limit": PAGE}).auto_paging_iter())

    def prices(self) -> Iterator[Price]:
        """Return our active prices that suit a pledge."""
        with self._connection.asking() as v1:
            found = v1.prices.list({"active": True, "type": "recurring", "limit": PAGE})
            for price in _ours(found.auto_paging_iter()):
                if is_monthly_unit(price):
                    yield price

    def endpoints(self) -> Iterator[WebhookEndpoint]:
        """Return our webhook endpoints."""
        with self._connection.asking() as v1:
            yield from _ours(v1.webhook_endpoints.list({"limit": PAGE}).auto_paging_iter())

    def portals(self) -> Iterator[Configuration]:
        """Return our active configurations of the billing portal."""
        with self._connection.asking() as v1:
            found = v1.billing_portal.configurations.list({"active": True, "limit": PAGE})
            yield from _ours(found.auto_paging_iter())

    def price_id(self) -> str:
        """Return the id of the pledge price.

        Raises:
            Unavailable: the account was not set up.
        """
        self._price_id = self._price_id or _first_id(self.prices(), "price")
        return self._price_id

    def portal_id(self) -> str:
        """Return the id of the billing portal's configuration.

        Raises:
            Unavailable: the account was not set up.
        """
        self._portal_id = self._portal_id or _first_id(self.portals(), "billing portal")
        return self._portal_id


def is_monthly_unit(price: Price) -> bool:
    """Return whether a price is one of the books' currency per unit and month, not metered."""
    recurring = price.recurring
    return (
        price.currency == books_currency().lower()
        and price.unit_amount == UNIT_CENTS
        and price.billing_scheme == "per_unit"
        and recurring is not None
        and (recurring.interval, recurring.interval_count) == ("month", 1)
        and recurring.usage_type == "licensed"
    )


def _ours(found: Iterable[Kept]) -> Iterator[Kept]:
    return (thing for thing in found if mark_of(thing, OUR_MARK) == "1")


def _first_id(found: Iterable[StripeObject], what: str) -> str:
    for thing in found:
        return str(thing["id"])
    raise Unavailable(f"The Stripe account has no {what} of ours; run `jara stripe setup` first.")
