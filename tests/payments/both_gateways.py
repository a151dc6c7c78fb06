"""The sandbox and the Stripe double behind one interface, for tests of both."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol

from jara.domain.books.provider_row import RowCategory
from jara.domain.giving.billing_day import BillingDay
from jara.services.ports.payments import PaymentGateway, SandboxClockwork
from tests.fakes.clock import FakeClock
from tests.payments.people import People
from tests.payments.sandbox_world import make_world
from tests.payments.stripe_world import instant, open_world
from tests.stripe_double.double import StripeDouble

START = instant(2026, 1, 31, 9, 30)
LATER = BillingDay.TWENTY_EIGHTH


class Provider(Protocol):
    """What the provider or the cardholder does."""

    def confirm(self, client_secret: str, *, succeed: bool) -> None:
        """Confirm the payment for the cardholder."""
        ...

    def dispute(self, charge_id: str) -> str:
        """Open a dispute of a charge."""
        ...

    def settle_dispute(self, dispute_id: str, *, won: bool) -> None:
        """Close a dispute as won or lost."""
        ...


@dataclass
class World(People):
    """A gateway and its provider."""

    gateway: PaymentGateway
    provider: Provider
    clock: FakeClock
    people: int = 0

    def pass_time(self, until: datetime) -> None:
        """Advance the clock; Stripe charges a renewal an hour after noon of its day."""
        if isinstance(self.provider, StripeDouble):
            self.provider.advance_to(until)
            return
        clockwork: SandboxClockwork = self.provider  # type: ignore[assignment] # the sandbox's own
        self.clock.set(until)
        clockwork.run_until(until)

    def settle(self) -> None:
        """Wait until a charge has its balance transaction."""
        self.pass_time(self.clock.now() + timedelta(minutes=1))

    def charge_days(self) -> list[date]:
        """Return the days of the charges in the rows."""
        rows = self.gateway.rows()
        return [row.created.date() for row in rows if row.category is RowCategory.CHARGE]


@contextmanager
def open_gateway(name: str) -> Iterator[World]:
    """Open the sandbox or the Stripe double for a ``with`` block."""
    if name == "sandbox":
        sandbox = make_world(START)
        yield World(sandbox.gateway, sandbox.gateway, sandbox.clock)
        return
    with open_world(START) as opened:
        yield World(opened.gateway, opened.double, opened.clock)
