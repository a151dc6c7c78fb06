"""Adoption of existing subscriptions at the provider as pledges.

A pledge is whole dollars, each month, from one card. A subscription that fits is adopted with
the same amount and days; one that would have to change is rejected with the reason.
"""

from datetime import date
from typing import NamedTuple

from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.giving.pledge import parse_pledge
from jara.domain.money import format_cents

LIVE = frozenset({"active", "trialing", "past_due"})
"""The provider's statuses of subscriptions that will be charged."""


class LiveSubscription(NamedTuple):
    """A subscription at the provider, with the fields that decide about adoption."""

    id: str
    customer_id: str
    email: str
    owner: str | None  # the member id in its metadata; None if Jara did not create it
    status: str
    currency: str  # the currency of its price
    unit_cents: int | None  # the unit price; None if it is tiered or not a whole number of cents
    quantity: int
    every: str  # the interval, such as ``month`` or ``3 months``
    charged_on: date  # the day of the next charge
    ends_on: date | None = None  # the day on which it is scheduled to end
    unsupported: str = ""  # any other feature that pledges lack, as a sentence; may be empty

    @property
    def cents(self) -> int | None:
        """The amount of each charge."""
        return None if self.unit_cents is None else self.unit_cents * self.quantity


def dollars_of(subscription: LiveSubscription) -> int:
    """Return the monthly dollars of the pledge that a subscription becomes.

    Raises:
        InvalidInput: it cannot become a pledge unchanged; the message says why.
    """
    if subscription.ends_on is not None:
        raise InvalidInput(f"The subscription is scheduled to end on {subscription.ends_on}.")
    currency = subscription.currency.upper()
    if currency != books_currency():
        raise InvalidInput(f"It is in {currency}; pledges are in {books_currency()}.")
    if subscription.every != "month":
        raise InvalidInput(f"It is charged every {subscription.every}; a pledge is every month.")
    if subscription.unsupported:
        raise InvalidInput(subscription.unsupported)
    if subscription.cents is None:
        raise InvalidInput("Its price has steps or parts of a cent; a pledge is a whole amount.")
    if subscription.cents % 100:
        raise InvalidInput(f"It is {format_cents(subscription.cents)}; a pledge is a whole amount.")
    return parse_pledge(subscription.cents // 100)
