"""Finding the owner of a charge: from its payment to the subscription.

Stripe does not copy our metadata to a pledge's charge. So we look it up: from the payment
intent to the invoice, which has a copy of the subscription's metadata.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from jara.domain.books.provider_row import ChargeKind
from jara.payments.stripe.client import (
    MEMBER_MARK,
    PAGE,
    StripeConnection,
    field_of,
    id_of,
    mark_of,
    seconds_of,
)

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import InvoicePayment

_FEW = 20
_OLDEST_RETRY = timedelta(days=30)
"""If the card fails at first, an invoice is paid up to weeks after its creation."""


class Owner(NamedTuple):
    """The owner of a payment, as far as Stripe knows."""

    kind: ChargeKind
    member_id: str | None = None
    customer_id: str | None = None
    email: str | None = None


NOBODY_KNOWN = Owner(ChargeKind.GIFT)
"""A payment without a subscription's invoice is a gift."""


class StripeOwners:
    """Looks payments up: a few one by one, many in pages."""

    def __init__(self, connection: StripeConnection) -> None:
        """Use a connection; found owners are cached in this object."""
        self._connection = connection
        self._found: dict[str, Owner] = {}

    def load(self, payments: Collection[str], *, since: datetime) -> None:
        """Prefetch the owners of payments created since an instant, unless they are few."""
        wanted = set(payments) - self._found.keys()
        if len(wanted) <= _FEW:
            return
        with self._connection.asking() as v1:
            listed = v1.invoice_payments.list(
                {
                    "status": "paid",
                    "created": {"gte": seconds_of(since - _OLDEST_RETRY)},
                    "expand": ["data.invoice"],
                    "limit": PAGE,
                }
            )
            for payment in listed.auto_paging_iter():
                intent_id = id_of(payment.payment.payment_intent)
                if intent_id in wanted:
                    self._found[intent_id] = _owner(payment)

    def owner(self, payment: str | None) -> Owner:
        """Return the owner of a payment."""
        if payment is None:
            return NOBODY_KNOWN
        if payment not in self._found:
            self._found[payment] = self._ask(payment)
        return self._found[payment]

    def _ask(self, payment: str) -> Owner:
        with self._connection.asking() as v1:
            found = v1.invoice_payments.list(
                {
                    "payment": {"type": "payment_intent", "payment_intent": payment},
                    "expand": ["data.invoice"],
                }
            )
        return _owner(found.data[0]) if found.data else NOBODY_KNOWN


def _owner(payment: InvoicePayment) -> Owner:
    invoice = payment.invoice
    customer, email = id_of(field_of(invoice, "customer")), field_of(invoice, "customer_email")
    details = field_of(field_of(invoice, "parent"), "subscription_details")
    if details is None:
        return Owner(ChargeKind.GIFT, None, customer, email)
    return Owner(ChargeKind.PLEDGE, mark_of(details, MEMBER_MARK), customer, email)
