"""A sandbox with a clock of its own, and the few acts that most tests begin with."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from jara.domain.books.provider_row import ProviderRow, RowCategory
from jara.domain.giving.billing_day import BillingDay
from jara.payments.sandbox_gateway import SandboxGateway
from jara.security.chance import SeededEntropy
from jara.services.ports.payments import Attempt, SubscriptionFacts
from jara.store.sandbox import SqlSandboxState
from jara.store.sqlite import SqliteDatabase
from tests.fakes.clock import FakeClock

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


def instant(year: int, month: int, day: int, hour: int = 12, minute: int = 0) -> datetime:
    """Return an instant in UTC."""
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


@dataclass
class World:
    """The sandbox and what it stands on."""

    gateway: SandboxGateway
    state: SqlSandboxState
    clock: FakeClock
    people: int = 0

    def customer(self, card: str = "pm_card_visa", *, email: str = "") -> str:
        """Make a customer with a card."""
        self.people += 1
        return self.gateway.create_customer(
            email=email or f"giver{self.people}@example.org",
            name="Ama Mensah",
            member_id=f"member{self.people}",
            payment_method=card,
            key=f"customer:{self.people}",
        )

    def start(
        self,
        card: str = "pm_card_visa",
        *,
        dollars: int = 10,
        day: BillingDay = BillingDay.CURRENT,
    ) -> Attempt:
        """Make a customer and start a subscription."""
        customer = self.customer(card)
        return self.gateway.start_subscription(
            customer_id=customer,
            dollars=dollars,
            billing_day=day,
            member_id=f"member{self.people}",
            key=f"subscription:{self.people}",
        )

    def run(self, now: datetime) -> int:
        """Move the clock and make happen what is due."""
        self.clock.set(now)
        return self.gateway.run_until(now)

    def facts(self, attempt: Attempt) -> SubscriptionFacts:
        """Return the subscription that an attempt started."""
        return self.gateway.subscription(attempt.reference)

    def rows(self, category: RowCategory | None = None) -> list[ProviderRow]:
        """Return the balance rows, or those of a category."""
        return [r for r in self.gateway.rows() if category in (None, r.category)]

    def charged_on(self) -> list[datetime]:
        """Return the instants of all charges."""
        return [row.created for row in self.rows(RowCategory.CHARGE)]

    def counts(self) -> Counter[str]:
        """Count the balance rows by category."""
        return Counter(row.category.value for row in self.rows())


def make_world(at: datetime = START, *, seed: str = "sandbox") -> World:
    """Return a sandbox on a database in memory."""
    driver = SqliteDatabase(":memory:", durable=False)
    driver.create()
    clock = FakeClock(at)
    state = SqlSandboxState(driver.transaction)
    return World(SandboxGateway(state, clock, SeededEntropy(seed)), state, clock)
