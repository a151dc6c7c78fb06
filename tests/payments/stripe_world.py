"""The Stripe gateway on the double: the real SDK, HTTP on loopback, a clock of the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime

from jara.payments.stripe.account import StripeAccount
from jara.payments.stripe.client import StripeAccess, StripeConnection
from jara.payments.stripe.events import StripeEvents
from jara.payments.stripe.gateway import StripeGateway
from jara.services.ports.payments import Attempt
from tests.fakes.clock import FakeClock
from tests.payments.people import People
from tests.stripe_double.double import WEBHOOK_SECRET, StripeDouble

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
SITE = "https://jara.example"


def instant(year: int, month: int, day: int, hour: int = 12, minute: int = 0) -> datetime:
    """Return an instant in UTC."""
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


@dataclass
class StripeWorld(People):
    """A configured Stripe account and its gateway."""

    double: StripeDouble
    connection: StripeConnection
    gateway: StripeGateway
    account: StripeAccount
    events: StripeEvents
    clock: FakeClock
    people: int = 0

    def give(self, cents: int = 2500, card: str = "pm_card_visa", *, gift: str = "g1") -> Attempt:
        """Charge a one-time gift."""
        return self.gateway.take_gift(
            cents=cents,
            email="kofi@example.org",
            name="Kofi",
            payment_method=card,
            gift_id=gift,
            key=f"gift:{gift}",
        )

    def charge_of(self, attempt: Attempt) -> str:
        """Return the newest charge of an attempt's customer."""
        return self.gateway.charges_of(self.facts(attempt).customer_id)[0].charge_id

    def charged_on(self) -> list[datetime]:
        """Return the instants of all charges that succeeded, in order."""
        charges = reversed(self.double.account.all("charge"))
        return [datetime.fromtimestamp(c["created"], UTC) for c in charges if c["paid"]]

    def kinds(self) -> list[str]:
        """Return the kinds of all events so far."""
        return [event["type"] for event in self.double.events]


@contextmanager
def open_world(
    at: datetime = START, *, read_seconds: float = 5.0, retries: int = 0, is_set_up: bool = True
) -> Iterator[StripeWorld]:
    """Run a double for a ``with`` block."""
    clock = FakeClock(at)
    with StripeDouble(clock) as double:
        access = StripeAccess(
            double.secret_key, api_base=double.url, read_seconds=read_seconds, retries=retries
        )
        connection = StripeConnection(access)
        account = StripeAccount(connection, clock, site_url=SITE, webhook_secret=WEBHOOK_SECRET)
        if is_set_up:
            account.set_up()
        yield StripeWorld(
            double=double,
            connection=connection,
            gateway=StripeGateway(connection, clock),
            account=account,
            events=StripeEvents(connection, WEBHOOK_SECRET, clock),
            clock=clock,
        )


def days(world: StripeWorld) -> list[date]:
    """Return the days of all charges that succeeded."""
    return [at.date() for at in world.charged_on()]


def invoices(world: StripeWorld) -> list[str]:
    """Return the status of each invoice with an amount, oldest first."""
    found = reversed(world.double.account.all("invoice"))
    return [invoice["status"] for invoice in found if invoice["amount_due"]]


def require_same_books(world: StripeWorld) -> None:
    """Assert that the rows equal the double's books, and Stripe's balance their sum."""
    rows = list(world.gateway.rows())
    assert world.double.expected_rows() == rows
    held = world.gateway.balance()
    assert sum(row.net for row in rows) == sum(
        balance.available_cents + balance.pending_cents for balance in held
    )
