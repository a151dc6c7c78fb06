"""Years close in order, with what each fund owns less what it owes, and verification compares."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from jara.domain.books.account import BANK, SUSPENSE, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import Conflict, YearLocked
from jara.records.journal import YearLock
from jara.services.audit import record_unattended
from jara.services.books.posting import Books
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.years import close_year, open_year
from tests.harness import clock_of


def receive(context: Context, year: int, cents: int, *, credit: str = "income:grants") -> None:
    """Book money that comes into the bank in a year."""
    with context.store.write() as work:
        Books(context, work).post(
            JournalEntry(
                day=date(year, 6, 1),
                kind=EntryKind.MANUAL,
                description="Money in",
                postings=(Posting(BANK, Fund.OTHER, cents), Posting(credit, Fund.OTHER, -cents)),
            )
        )


@pytest.fixture
def later(context: Context) -> Context:
    """Return books with entries of 2024 and 2025, in the year 2027."""
    clock_of(context).set(datetime(2027, 2, 1, tzinfo=UTC))
    receive(context, 2024, 1_000)
    receive(context, 2025, 500)
    return context


def test_a_year_closes_with_its_net_assets(later: Context) -> None:
    """A debt lowers the closing balance of its fund, as it lowers what the fund may spend."""
    receive(later, 2024, 300, credit=SUSPENSE)

    assert close_year(later, 2024).balances == {
        "projects": 0,
        "staff": 0,
        "marketing": 0,
        "other": 1_000,
        "committed": 0,
    }


def test_years_close_and_open_in_order(later: Context) -> None:
    """A year with entries closes before the next one, which opens before it."""
    with pytest.raises(Conflict, match=r"books of 2024 are open.*close-year 2024"):
        close_year(later, 2025)
    close_year(later, 2024)
    with pytest.raises(Conflict, match=r"books of 2025 are open.*close-year 2025"):
        close_year(later, 2026)
    close_year(later, 2025)
    with pytest.raises(Conflict, match="closed already"):
        close_year(later, 2024)

    with pytest.raises(Conflict, match=r"books of 2025 begin with those of 2024.*open-year 2025"):
        open_year(later, 2024, why="A late bill")
    open_year(later, 2025, why="A late bill")
    open_year(later, 2024, why="A late bill")
    receive(later, 2024, 77)
    assert close_year(later, 2024).balances["other"] == 1_077
    assert close_year(later, 2025).balances["other"] == 1_577
    assert verify_books(later).ok


def test_an_old_database_whose_later_year_was_closed_first_is_mended(later: Context) -> None:
    """Verification names the difference; nothing more is booked; open and close mend it."""
    head = (later.now(), 0, "", {"other": 1_500})
    _lock(later, YearLock(2025, *head))
    with pytest.raises(YearLocked, match="2024 are closed with those of 2025"):
        receive(later, 2024, 77)
    with pytest.raises(Conflict, match="closed already with those of 2025"):
        close_year(later, 2024)
    assert verify_books(later).ok

    open_year(later, 2025, why="Mend")
    receive(later, 2024, 77)
    _lock(later, YearLock(2025, *head))

    assert [(one.check, one.where) for one in verify_books(later).findings] == [
        ("years", "2025 other")
    ]
    assert "$15.00" in verify_books(later).findings[0].message
    assert "$15.77" in verify_books(later).findings[0].message
    open_year(later, 2025, why="Mend")
    close_year(later, 2024)
    close_year(later, 2025)
    assert verify_books(later).ok


def _lock(context: Context, lock: YearLock) -> None:
    """Store a lock as an earlier version did, in any order."""
    with context.store.write() as work:
        work.book_settings.lock_year(lock)
        record_unattended(
            context, work, "years.close", str(lock.year), logSize=lock.log_size, root=lock.root
        )
