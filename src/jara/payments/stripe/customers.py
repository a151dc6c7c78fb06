"""Customers at Stripe: their card, their charges, the page for their cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jara.payments.stripe.client import MEMBER_MARK, PAGE, StripeConnection, mark_of
from jara.services.ports.payments import ChargeFacts

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe._v1_services import V1Services

_INQUIRIES = frozenset({"warning_needs_response", "warning_under_review", "warning_closed"})
"""The states of a bank's inquiry about a payment, which withholds no money."""
_GIVEN_BACK = _INQUIRIES | {"won"}
"""Disputes that withhold no money: won ones and inquiries."""


class StripeCustomers:
    """Creates, finds and deletes customers.

    ``test_clock`` is the time that new customers live by; only a rehearsal has one.
    """

    test_clock: str | None = None

    def __init__(self, connection: StripeConnection) -> None:
        self._connection = connection

    def create_customer(
        self, *, email: str, name: str, member_id: str, payment_method: str, key: str
    ) -> str:
        """Create a customer with a default card, in one call, and return its id.

        Raises:
            CardDeclined: the card cannot be attached; nothing is left behind.
        """
        with self._connection.asking() as v1:
            customer = v1.customers.create(
                {
                    "email": email,
                    "name": name,
                    "payment_method": payment_method,
                    "invoice_settings": {"default_payment_method": payment_method},
                    "metadata": {MEMBER_MARK: member_id},
                    **({"test_clock": self.test_clock} if self.test_clock else {}),
                },
                {"idempotency_key": key},
            )
        return customer.id

    def change_customer(self, customer_id: str, *, email: str, name: str) -> None:
        """Give a customer another address or name."""
        with self._connection.asking() as v1:
            v1.customers.update(customer_id, {"email": email, "name": name})

    def find_customers(self, *, member_id: str, email: str) -> list[str]:
        """Return the customers that carry a member's mark.

        The list by address is current but the address may have changed; the search by
        our mark lags behind by a minute. Together they find everyone.
        """
        with self._connection.asking() as v1:
            found = []
            if email:
                listed = v1.customers.list({"email": email, "limit": PAGE}).auto_paging_iter()
                found = [each.id for each in listed if mark_of(each, MEMBER_MARK) == member_id]
            quoted = member_id.replace("\\", "").replace("'", "")
            searched = v1.customers.search(
                {"query": f"metadata['{MEMBER_MARK}']:'{quoted}'", "limit": PAGE}
            )
            found += [each.id for each in searched.auto_paging_iter() if "deleted" not in each]
        return list(dict.fromkeys(found))

    def charges_of(self, customer_id: str) -> list[ChargeFacts]:
        """Return a customer's charges, and the refundable amount of each."""
        with self._connection.asking() as v1:
            listed = v1.charges.list({"customer": customer_id, "limit": PAGE})
            return [
                ChargeFacts(
                    charge.id,
                    charge.amount_captured,
                    charge.amount_captured
                    - charge.amount_refunded
                    - (_disputed_cents(v1, charge.id) if charge.disputed else 0),
                )
                for charge in listed.auto_paging_iter()
                if charge.paid
            ]

    def has_lost_dispute(self, charge_id: str) -> bool:
        """Return whether a charge was disputed, and every dispute of it is decided and lost."""
        with self._connection.asking() as v1:
            listed = v1.disputes.list({"charge": charge_id, "limit": PAGE}).auto_paging_iter()
            return {"lost"} == {each.status for each in listed} - _INQUIRIES

    def set_card(self, customer_id: str, payment_method: str) -> None:
        """Attach a card and make it the customer's default; the next attempt uses it.

        Raises:
            CardDeclined: the card cannot be attached.
        """
        with self._connection.asking() as v1:
            attached = v1.payment_methods.attach(payment_method, {"customer": customer_id})
            v1.customers.update(
                customer_id, {"invoice_settings": {"default_payment_method": attached.id}}
            )

    def portal_url(self, customer_id: str, return_url: str, portal_id: str) -> str:
        """Return the address of Stripe's page for this customer, which is valid for minutes."""
        with self._connection.asking() as v1:
            session = v1.billing_portal.sessions.create(
                {"customer": customer_id, "return_url": return_url, "configuration": portal_id}
            )
        return session.url


def _disputed_cents(v1: V1Services, charge_id: str) -> int:
    disputes = v1.disputes.list({"charge": charge_id, "limit": PAGE}).auto_paging_iter()
    return sum(each.amount for each in disputes if each.status not in _GIVEN_BACK)
