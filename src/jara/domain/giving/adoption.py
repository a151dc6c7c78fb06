"""Which subscriptions of an account at the provider can become pledges as they are.

A pledge is whole dollars, each month, from one card. What fits is adopted with the same amount
on the same days; whatever would change is refused with the reason.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.giving.pledge import parse_pledge
from jara.domain.money import format_cents

LIVE = frozenset({"active", "trialing", "past_due"})
"""The provider's words for a subscription that is going to be charged."""


class LiveSubscription(NamedTuple):
    """A subscription at the provider, in its own words, with what decides about adoption.

    Args:
        id: its id.
        customer_id: whose it is.
        email: the customer's address.
        owner: the member it is marked with; None if it never was ours.
        status: the provider's word.
        currency: of its price.
        unit_cents: the price of one; None if it is not a whole number of cents, or has steps.
        quantity: how many.
        every: the interval, such as ``month`` or ``3 months``.
        charged_on: the day of the next charge.
        ends_on: the day on which it ends by itself.
        oddity: what else of it no pledge has, as a sentence; empty if there is nothing.
    """

    id: str
    customer_id: str
    email: str
    owner: str | None
    status: str
    currency: str
    unit_cents: int | None
    quantity: int
    every: str
    charged_on: date
    ends_on: date | None = None
    oddity: str = ""

    @property
    def cents(self) -> int | None:
        """What is charged each time."""
        return None if self.unit_cents is None else self.unit_cents * self.quantity


def dollars_of(found: LiveSubscription) -> int:
    """Return the dollars a month of the pledge that a subscription becomes.

    Raises:
        InvalidInput: it cannot become one exactly; the message says why.
    """
    if found.ends_on is not None:
        raise InvalidInput(f"It ends by itself on {found.ends_on}.")
    if found.currency != "usd":
        raise InvalidInput(f"It is in {found.currency.upper()}; pledges are in USD.")
    if found.every != "month":
        raise InvalidInput(f"It is charged every {found.every}; a pledge is every month.")
    if found.oddity:
        raise InvalidInput(found.oddity)
    if found.cents is None:
        raise InvalidInput("Its price has steps or parts of a cent; a pledge is whole dollars.")
    if found.cents % 100:
        raise InvalidInput(f"It is {format_cents(found.cents)}; a pledge is whole dollars.")
    return parse_pledge(found.cents // 100)
