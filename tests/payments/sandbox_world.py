"""A sandbox with its own clock, and the acts that most tests start with."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from jara.domain.books.provider_row import ProviderRow, RowCategory
from jara.payments.sandbox.gateway import SandboxGateway
from jara.payments.sandbox.objects import Intent, Subscription
from jara.security.keys import SeededEntropy
from jara.store.repositories.sandbox import SqlSandboxState
from jara.store.sqlite.database import SqliteDatabase
from tests.fakes.clock import FakeClock
from tests.payments.people import People

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


def instant(year: int, month: int, day: int, hour: int = 12, minute: int = 0) -> datetime:
    """Return an instant in UTC."""
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


@dataclass
class World(People):
    """The sandbox with its database and clock."""

    gateway: SandboxGateway
    state: SqlSandboxState
    clock: FakeClock
    people: int = 0

    def run(self, now: datetime) -> int:
        """Advance the clock and run what is due."""
        self.clock.set(now)
        return self.gateway.run_until(now)

    def rows(self, category: RowCategory | None = None) -> list[ProviderRow]:
        """Return the balance rows, all or those of a category."""
        return [r for r in self.gateway.rows() if category in (None, r.category)]

    def charged_on(self) -> list[datetime]:
        """Return the instants of all charges."""
        return [row.created for row in self.rows(RowCategory.CHARGE)]

    def counts(self) -> Counter[str]:
        """Count the balance rows by category."""
        return Counter(row.category.value for row in self.rows())


def open_intent(gateway: SandboxGateway, subscription_id: str) -> str | None:
    """Return the client secret of a subscription's open confirmation, if any."""
    intent_id = gateway._objects.get(Subscription, subscription_id).intent_id
    intent = None if intent_id is None else gateway._objects.get(Intent, intent_id)
    return intent.secret if intent and intent.status == "requires_action" else None


def make_world(at: datetime = START, *, seed: str = "sandbox") -> World:
    """Return a sandbox on a database in memory."""
    driver = SqliteDatabase(":memory:", durable=False)
    driver.create()
    clock = FakeClock(at)
    state = SqlSandboxState(driver)
    return World(SandboxGateway(state, clock, SeededEntropy(seed)), state, clock)
