"""Test clocks: customers who live by a time of their own."""

from typing import Any

import stripe

from tests.stripe_double import customers
from tests.stripe_double.account import DAY, Account, Doc, Refusal
from tests.stripe_double.shapes import blank

_KIND = "test_helpers.test_clock"
_LONGEST_STEP = 62 * DAY
"""Stripe advances a clock by two periods of its shortest subscription, at most."""


def create(account: Account, params: dict[str, Any]) -> Doc:
    """Create a clock that stands still."""
    return account.add(
        blank(
            stripe.test_helpers.TestClock,
            account.new_id("clock"),
            account.now,
            deletes_after=account.now + 30 * DAY,
            frozen_time=int(params["frozen_time"]),
            name=params.get("name"),
            status="ready",
            status_details={},
        )
    )


def advance(account: Account, params: dict[str, Any], clock_id: str) -> Doc:
    """Advance a clock; the answer says that Stripe is still busy with it."""
    clock, until = account.get(_KIND, clock_id), int(params["frozen_time"])
    if not 0 < until - clock["frozen_time"] <= _LONGEST_STEP:
        raise Refusal(400, "A clock goes forward, by two months at most.", param="frozen_time")
    account.advance_test_clock(clock, until)
    clock["status"] = "advancing"
    return clock


def read(account: Account, params: dict[str, Any], clock_id: str) -> Doc:
    """Return a clock, which is busy for as many answers as the account says."""
    clock = account.get(_KIND, clock_id)
    if account.busy_answers > 0:
        account.busy_answers -= 1
    else:
        clock["status"] = "ready"
    return clock


def delete(account: Account, params: dict[str, Any], clock_id: str) -> Doc:
    """Delete a clock and its customers."""
    clock = account.get(_KIND, clock_id)
    for customer in account.all("customer"):
        if customer["test_clock"] == clock_id:
            customers.delete_customer(account, {}, customer["id"])
    clock["deleted"] = True
    return {"id": clock_id, "object": _KIND, "deleted": True}
