"""Tests of collecting movements: the start of the requested period."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from jara.domain.books.provider_row import ProviderRow
from jara.services.context import Context
from jara.services.payments.importing import collect_movements
from tests.harness import clock_of
from tests.rows import a_row
from tests.services.books.ledger_builders import all_entries


class LateGateway:
    """A provider whose movements may appear later than they were made."""

    def __init__(self, real: Any) -> None:
        """Wrap the sandbox."""
        self._real = real
        self.made: list[ProviderRow] = []
        self.asked: list[datetime | None] = []

    def rows(self, *, since: datetime | None = None) -> Iterator[ProviderRow]:
        """Return the movements from an instant on."""
        self.asked.append(since)
        return (row for row in self.made if since is None or row.created >= since)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_a_movement_that_appears_within_a_week_is_found(context: Context) -> None:
    """Each run asks again from seven days before the start of the last run."""
    gateway = LateGateway(context.gateway)
    context = replace(context, gateway=gateway)
    first = context.now()
    collect_movements(context)
    for number, days in enumerate((7, 3)):
        gateway.made.append(
            a_row("charge", 1000, 59, txn_id=f"txn_{number}", source_id=f"ch_{number}",
                  created=first - timedelta(days=days))
        )  # fmt: skip
    clock_of(context).set(first + timedelta(hours=1))

    outcome = collect_movements(context)

    assert gateway.asked == [None, first - timedelta(days=7)]
    assert 2 == outcome.posted == len(all_entries(context))
    assert collect_movements(context).skipped == 1
    assert gateway.asked[-1] == first + timedelta(hours=1) - timedelta(days=7)
