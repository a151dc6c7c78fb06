"""An organisation with a payment provider: the sandbox or the Stripe double."""

import random
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from jara.domain.books.provider_row import ProviderRow
from jara.domain.errors import Conflict
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.operations.daily_run import StepResult, daily_steps, run_daily
from jara.services.payments.charging import charge_due
from jara.services.payments.events import receive_event, work_events
from tests.fakes.clock import FakeClock
from tests.harness import clock_of, make_organisation
from tests.payments.stripe_world import StripeWorld, open_world
from tests.services.giving.joiners import sandbox_of
from tests.stripe_double.account import Refusal

RUNNING = {"active", "trialing", "past_due", "incomplete", "unpaid"}


class World(Protocol):
    """What the machine needs of a provider beyond the services."""

    context: Context
    clock: FakeClock

    def card(self, name: str) -> str:
        """Enter a card in the form; return its payment method."""
        ...

    def confirm(self, secret: str, *, succeed: bool) -> None:
        """Answer the bank's question."""
        ...

    def pass_time(self, until: datetime) -> None:
        """Advance the clock and let the provider act."""
        ...

    def deliver_events(self, dice: random.Random) -> None:
        """Deliver some of the provider's events and process them."""
        ...

    def run_daily(self) -> list[StepResult]:
        """Run the daily run."""
        ...

    def dispute(self, charge_id: str) -> str:
        """Open a dispute."""
        ...

    def settle(self, dispute_id: str, *, won: bool) -> None:
        """Decide a dispute."""
        ...

    def rows(self) -> list[ProviderRow]:
        """Return all movements in the provider's own books, oldest first."""
        ...

    def running(self) -> Iterator[tuple[str, str]]:
        """Return member and subscription of everything that can still be charged."""
        ...

    def close(self) -> None:
        """Clean up."""
        ...


class Postbox:
    """Accepts every email and stores none."""

    def send(self, email: Email) -> None:
        """Discard an email."""

    def keep_only(self, email_ids: object) -> int:
        """Do nothing."""
        return 0


class SandboxWorld:
    """An organisation with the sandbox in its own database."""

    def __init__(self, database: str | None = None) -> None:
        """Create it in memory, or at an address."""
        self._folder = tempfile.TemporaryDirectory()
        self.context = make_organisation(Path(self._folder.name), database=database)
        self.clock = clock_of(self.context)
        self._sandbox = sandbox_of(self.context)

    def card(self, name: str) -> str:
        """Return the card's test name, which is enough for the sandbox."""
        return name

    def confirm(self, secret: str, *, succeed: bool) -> None:
        """Answer the bank's question."""
        self._sandbox.confirm(secret, succeed=succeed)

    def pass_time(self, until: datetime) -> None:
        """Advance the clock; the sandbox acts on request."""
        self.clock.set(until)

    def deliver_events(self, dice: random.Random) -> None:
        """Run the sandbox, refresh the pledges and book."""
        charge_due(self.context, self._sandbox)

    def run_daily(self) -> list[StepResult]:
        """Run the daily run."""
        return run_daily(self.context, daily_steps(clockwork=self._sandbox, sender=Postbox()))

    def dispute(self, charge_id: str) -> str:
        """Open a dispute."""
        return self._sandbox.dispute(charge_id)

    def settle(self, dispute_id: str, *, won: bool) -> None:
        """Decide a dispute."""
        self._sandbox.settle_dispute(dispute_id, won=won)

    def rows(self) -> list[ProviderRow]:
        """Return all movements, oldest first."""
        return list(self._sandbox.rows())

    def running(self) -> Iterator[tuple[str, str]]:
        """Return member and subscription of everything that can still be charged."""
        payers = {doc["id"]: doc for doc in self._all("payer")}
        for doc in self._all("subscription"):
            if doc["status"] in RUNNING:
                yield payers[doc["payer"]]["member_id"], doc["id"]

    def close(self) -> None:
        """Close the database and delete the keys."""
        self.context.store.close()
        self._folder.cleanup()

    def _all(self, kind: str) -> Iterable[dict[str, Any]]:
        return self._sandbox._state.all(kind)


class DoubleWorld:
    """An organisation with the Stripe double."""

    def __init__(self) -> None:
        """Create it in memory, and serve the double on loopback."""
        self._folder = tempfile.TemporaryDirectory()
        self._served = ExitStack()
        self._world: StripeWorld = self._served.enter_context(open_world())
        self.clock = self._world.clock
        context = make_organisation(Path(self._folder.name), at=self.clock.now())
        self.context = replace(context, clock=self.clock, gateway=self._world.gateway)

    def card(self, name: str) -> str:
        """Create a payment method as the browser does."""
        return self._world.double.make_card(name)

    def confirm(self, secret: str, *, succeed: bool) -> None:
        """Answer the bank's question, unless it was cancelled."""
        with suppress(Refusal):
            self._world.double.confirm(secret, succeed=succeed)

    def pass_time(self, until: datetime) -> None:
        """Advance the clock; Stripe runs what is due."""
        self._world.double.advance_to(until)

    def deliver_events(self, dice: random.Random) -> None:
        """Deliver events in any order, some twice and some never, and process them."""
        waiting = self._world.double.deliveries()
        heard = [event for event in waiting + waiting if dice.random() > 0.3]
        dice.shuffle(heard)
        for body, signature in heard:
            receive_event(self.context, self._world.events.read(body, signature))
        work_events(self.context, self._world.events)

    def run_daily(self) -> list[StepResult]:
        """Run the daily run."""
        steps = daily_steps(clockwork=None, sender=Postbox(), events=self._world.events)
        return run_daily(self.context, steps)

    def dispute(self, charge_id: str) -> str:
        """Dispute a charge that is not yet disputed."""
        if self._world.double.account.get("charge", charge_id)["disputed"]:
            raise Conflict("A charge is disputed once.")
        return self._world.double.dispute(charge_id)

    def settle(self, dispute_id: str, *, won: bool) -> None:
        """Decide a dispute."""
        self._world.double.settle_dispute(dispute_id, won=won)

    def rows(self) -> list[ProviderRow]:
        """Return all movements in the double's own books, oldest first."""
        return self._world.double.expected_rows()

    def running(self) -> Iterator[tuple[str, str]]:
        """Return member and subscription of everything that can still be charged."""
        for doc in self._world.double.account.all("subscription"):
            if doc["status"] in RUNNING:
                yield doc["metadata"]["jara_member"], doc["id"]

    def close(self) -> None:
        """Stop the double, close the database, delete the keys."""
        self.context.store.close()
        self._served.close()
        self._folder.cleanup()
