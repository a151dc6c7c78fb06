"""Years close in order, with what each fund owns less what it owes, and verification compares."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from jara.domain.books.account import BANK, SUSPENSE
from jara.domain.errors import Conflict, YearLocked
from jara.domain.publiclog.leaves import year_close_leaf, year_open_leaf
from jara.records.journal import YearLock
from jara.services.audit import record_unattended
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.years import close_year, open_year
from tests.fakes.operators import acting, approve_as
from tests.harness import clock_of, copy_of
from tests.services.books.ledger_builders import a_move, post
from tests.services.operations.controlled_world import make_controlled
from tests.services.operations.controlled_world import verify as verify_bundle
from tests.services.operations.planted_faults import plant


def receive(context: Context, year: int, cents: int, *, credit: str = "income:grants") -> None:
    """Book money that comes into the bank in a year."""
    post(context, a_move(cents, BANK, credit, day=date(year, 6, 1)))


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
        ("years", "2025"),
        ("years", "2025 other"),
    ]
    assert "$15.00" in verify_books(later).findings[1].message
    assert "$15.77" in verify_books(later).findings[1].message
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


def test_a_deleted_year_is_named(later: Context, tmp_path: Path) -> None:
    """Who deletes a closed year and its acts, and books in it, is named by server and verifier."""
    close_year(later, 2024)
    assert verify_bundle(later, tmp_path)[0] == 0
    plant(later, "DELETE FROM year_locks", "DELETE FROM audit WHERE action = 'years.close'")
    receive(later, 2024, 77)

    findings = verify_books(later).findings
    message = "What is stored about 2024 differs from its leaf."
    assert message in [one.message for one in findings if one.check == "years"]
    status, out = verify_bundle(later, tmp_path)
    assert (status, "it is of 2024, which was closed" in out) == (1, True), out


def test_wrong_balances_of_a_closed_year_are_named(later: Context, tmp_path: Path) -> None:
    """The verifier adds up the entries of the year and before."""
    close_year(later, 2024)
    with later.store.write() as work:
        work.log.append(year_open_leaf(2024, "x"))
        work.log.append(year_close_leaf(2024, {"other": 999}))

    status, out = verify_bundle(later, tmp_path)

    assert (status, "at the end of 2024 other has 1000, not 999 cents" in out) == (1, True), out


def test_nobody_opens_a_year_alone(place: Path, tmp_path: Path) -> None:
    """With limits the leaf of the opening follows an approval; without one it is named."""
    context = copy_of(make_controlled, place)
    clock_of(context).advance(days=400)
    close_year(acting(context, "ada"), 2026)
    approve_as(context, open_year(acting(context, "ada"), 2026, why="A late bill"), "ben")
    close_year(acting(context, "ada"), 2026)
    assert verify_books(context).ok
    assert verify_bundle(context, tmp_path)[0] == 0
    with context.store.write() as work:
        work.log.append(year_open_leaf(2026, "Alone"))

    messages = [one.message for one in verify_books(context).findings]

    assert any("years.open of 2026 without approval" in message for message in messages)
    assert "years.open of 2026 without approval" in verify_bundle(context, tmp_path)[1]
