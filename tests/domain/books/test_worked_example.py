"""The worked example, posting by posting, and its budget figures."""

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.balances import Totals
from jara.domain.books.budget import budget_of_year
from jara.domain.books.commitment import Commitment
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import Foreign, JournalEntry
from jara.domain.books.movements import MovementFacts, draw, entry_from_row, payout_arrived
from jara.domain.books.overview import cash_at_hand
from jara.domain.books.spending import (
    Spending,
    bank_charge_entry,
    holding_entry,
    release_entry,
    spending_entry,
)
from tests.domain.books.sums import cells_of, fund_totals, stripe_parts
from tests.rows import DAY, a_row, as_written

FACTS = MovementFacts(DEFAULT_POLICY)


def booked(entry: JournalEntry | None) -> JournalEntry:
    """Assert for the type checker that there is an entry."""
    assert entry is not None
    return entry


@pytest.fixture
def charge() -> JournalEntry:
    """The charge of the $10.00 pledge with a fee of $0.59."""
    return booked(entry_from_row(a_row("charge", 1000, 59, payout_id="po_1"), FACTS))


def figures(*entries: JournalEntry) -> tuple[int, int, int]:
    """Return the year's total available, allocated and unallocated amounts."""
    total = budget_of_year(Totals.of_entries(entries), DAY.year).total
    return total.available, total.allocated, total.unallocated


def test_the_worked_example_is_booked_as_shown(charge: JournalEntry) -> None:
    """Vote, tranche, bank charge and release are booked as shown, and the year adds up."""
    shares = stripe_parts([charge])
    books = [charge]
    assert figures(*books) == (1000, 59, 941)

    books += [
        booked(entry_from_row(a_row("payout", -941), MovementFacts(DEFAULT_POLICY, shares=shares))),
        payout_arrived(DAY, "po_1", shares),
    ]
    assert figures(*books) == (1000, 59, 941)

    row = Commitment("prop_01", goal=500)
    totals = Totals.of_entries(books)
    held = row.to_hold(totals.fund_cents(Fund.PROJECTS))
    row = row.hold(held)
    books.append(holding_entry(DAY, "prop_01", draw(cells_of(totals, Fund.PROJECTS), held)))
    assert as_written(books[-1]) == (
        "equity:transfers p +500 · assets:bank p -500 c +500 · equity:transfers c -500"
    )
    assert figures(*books) == (1000, 559, 441)

    row = row.pay(400)
    tranche = Spending(
        "expenses:projects:wells",
        Fund.COMMITTED,
        400,
        reference="prop_01",
        foreign=Foreign("KES", 51_600, "129.00"),
    )
    books.append(spending_entry(DAY, tranche, available_cents=500))
    assert as_written(books[-1]) == "expenses:projects:wells c +400 · assets:bank c -400"
    assert books[-1].foreign == Foreign("KES", 51_600, "129.00")

    books.append(bank_charge_entry(DAY, 20, DEFAULT_POLICY.fee_weights))
    assert as_written(books[-1]) == (
        "expenses:fees:bank s +7 m +9 o +4 · assets:bank s -7 m -9 o -4"
    )
    assert figures(*books) == (1000, 579, 421)

    totals = Totals.of_entries(books)
    books.append(release_entry(DAY, "prop_01", draw(cells_of(totals, Fund.COMMITTED), row.held)))
    row = row.release_all()
    assert as_written(books[-1]) == (
        "equity:transfers c +100 · assets:bank c -100 p +100 · equity:transfers p -100"
    )
    assert figures(*books) == (1000, 479, 521)

    totals = Totals.of_entries(books)
    assert list(fund_totals(totals).values()) == [400, 42, 55, 24, 0]
    assert 521 == cash_at_hand(totals) == 1000 - 59 - 400 - 20
    assert row == Commitment("prop_01", 500, held=0, paid=400, released=100)
