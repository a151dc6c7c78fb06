"""Reconciliation with the provider, and closing a year, which depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from jara.domain.books.provider_row import ProviderRow
from jara.domain.errors import Conflict, InvalidInput, YearLocked
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.books.entry_documents import read_entry
from jara.services.context import Context, Rules
from jara.services.operations import years
from jara.services.operations.operators import add_operator
from jara.services.operations.years import close_year, open_year
from jara.services.payments.reconciling import Unmatched, reconcile, repair
from jara.services.ports.payments import PaymentGateway, ProviderBalance
from tests.harness import make_organisation
from tests.rows import a_row
from tests.services.books.ledger_builders import book, newest

LAST_YEAR = datetime(2025, 6, 1, 12, tzinfo=UTC)


@dataclass
class Provider:
    """A provider that returns the given values; the tests ask nothing else of it."""

    movements: list[ProviderRow]
    late: list[ProviderRow]
    other_cents: int = 0

    def rows(self, *, since: datetime | None = None) -> Iterator[ProviderRow]:
        """Return the movements; late ones appear after the balance was read."""
        assert since is None
        return iter(self.movements)

    def balance(self) -> list[ProviderBalance]:
        """Return a balance in two currencies."""
        self.movements += self.late
        self.late = []
        cents = sum(row.net for row in self.movements) + self.other_cents
        return [
            ProviderBalance("usd", cents - 100, 100, 0, 0),
            ProviderBalance("cad", 999, 0, 0, 0),
        ]


def charge(number: int, cents: int = 1000) -> ProviderRow:
    """Return a charge of last year."""
    return a_row(
        "charge", cents, 0, txn_id=f"txn_{number}", source_id=f"ch_{number}", created=LAST_YEAR
    )


def with_provider(
    context: Context, *rows: ProviderRow, late: tuple[ProviderRow, ...] = (), other_cents: int = 0
) -> Context:
    """Return the context with a provider that has these movements."""
    provider = Provider(list(rows), list(late), other_cents)
    gateway: PaymentGateway = provider  # type: ignore[assignment] # as much of a gateway as is asked for
    return replace(context, gateway=gateway)


def test_equal_books_match(context: Context) -> None:
    """Every movement is known, including one from a file without transaction ids."""
    book(context, charge(1), charge(2)._replace(txn_id=None))
    told: list[tuple[int, int]] = []

    found = reconcile(
        with_provider(context, charge(1), charge(2)),
        progress=lambda done, total: told.append((done, total)),
    )

    assert told == [(2, 2), (2, 4)]  # the books know one of them by its id
    assert (found.rows, found.matched, found.ok, found.difference_cents) == (2, 2, True, 0)


def test_each_difference_is_named_by_its_transaction(context: Context) -> None:
    """A transaction may be missing on either side, or have another amount."""
    book(context, charge(1), charge(2), charge(4, 300))

    found = reconcile(with_provider(context, charge(1), charge(2, 1100), charge(3)))

    assert not found.ok
    assert found.matched == 1
    assert found.missing_in_ledger == (Unmatched("txn_3", "charge", 1000, None),)
    assert found.missing_at_provider == (Unmatched("txn_4", "charge", None, 300),)
    assert found.mismatched == (Unmatched("txn_2", "charge", 1100, 1000),)
    assert found.difference_cents == 1000 + 1100 + 1000 - 2300


def test_repair_books_what_is_missing(context: Context) -> None:
    """A movement that appears while the balance is being read is booked too."""
    provider = with_provider(context, charge(1), late=(charge(2),))

    outcome, found = repair(provider)

    assert (outcome.posted, found.ok) == (2, True)


def test_money_that_no_movement_explains_is_a_difference(context: Context) -> None:
    """The balances are compared as well."""
    book(context, charge(1))

    found = reconcile(with_provider(context, charge(1), other_cents=5))

    assert (found.ok, found.difference_cents) == (False, 5)


# Years


def test_a_closed_year_takes_no_entries_until_it_is_opened(context: Context) -> None:
    """It stores its balances per fund and the head of the log; reopening needs a reason."""
    book(context, charge(1))
    provider = with_provider(context, charge(1))
    log_size = newest(context).index + 1

    lock = close_year(provider, 2025)

    assert (lock.year, lock.log_size) == (2025, log_size)
    assert dict(lock.balances) == {
        "projects": 800,
        "staff": 70,
        "marketing": 90,
        "other": 40,
        "committed": 0,
    }
    with pytest.raises(YearLocked, match="2025"):
        reverse_entry(context, newest(context).id, why="No.", day=date(2025, 6, 1))
    with pytest.raises(Conflict, match="closed already"):
        close_year(provider, 2025)
    with pytest.raises(InvalidInput, match="--why"):
        open_year(context, 2025, why="")
    assert open_year(context, 2025, why="A late statement.") is None
    with pytest.raises(Conflict, match="are open"):
        open_year(context, 2025, why="Again.")
    with context.store.read() as work:
        acts = [row.action for row in work.operations.audit()]
    assert acts[-2:] == ["years.close", "years.open"]


def test_a_year_is_closed_only_when_it_is_over_and_agrees(context: Context) -> None:
    """The books must agree with the provider, if there is one."""
    with pytest.raises(Conflict, match="2026 is not over"):
        close_year(context, 2026)
    book(context, charge(1))
    with pytest.raises(Conflict, match="differ from the payment provider"):
        close_year(with_provider(context, charge(2)), 2025)
    assert close_year(context, 2025).year == 2025


def test_books_that_do_not_verify_stay_open(context: Context) -> None:
    """The refusal gives the first finding."""
    book(context, charge(1))
    index = newest(context).index
    with context.store.write() as work:
        work.payments.update(index, returned_cents=5, dispute="none")

    with pytest.raises(Conflict, match="do not verify, so 2025 stays open"):
        close_year(context, 2025)


def test_with_approvals_opening_a_year_waits(place: Path) -> None:
    """Reopening a year needs two people."""
    first = make_organisation(place, rules=Rules(approval_cents=100))
    for name in ("tester", "second"):
        add_operator(first, name)
    close_year(first, 2025)

    waiting = open_year(first, 2025, why="A late statement.")

    assert isinstance(waiting, Approval)
    document = {
        "date": "2025-03-06",
        "postings": [
            {"account": "assets:bank", "fund": "other", "cents": 50},
            {"account": "income:grants", "fund": "other", "cents": -50},
        ],
    }
    entry = read_entry(document, today=date(2025, 3, 6))
    with pytest.raises(YearLocked):
        post_entry(first, entry)
    approve(replace(first, operator="second"), waiting.id, handlers=years.HANDLERS)
    post_entry(first, entry)
