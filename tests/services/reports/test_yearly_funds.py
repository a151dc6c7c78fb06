"""The yearly statements agree with the ledger, fund by fund."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from jara.domain.books.account import BANK, SUSPENSE, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.spending import opening_entry
from jara.domain.errors import InvalidInput
from jara.domain.reports.funds import CanadianRate, FundsReport
from jara.reports.render import render
from jara.services.books.posting import Books
from jara.services.context import Context
from jara.services.organisation import change_currency
from jara.services.reports.yearly_funds import FilingFacts, funds_report
from tests.harness import clock_of, copy_of, make_organisation
from tests.places import NewPlace
from tests.services.giving.giving_year import make_year


@pytest.fixture(scope="module")
def report(new_place: NewPlace) -> FundsReport:
    """Make the statements of a year."""
    return funds_report(copy_of(make_year, new_place()), 2026)


def test_position_operations_and_cash_are_the_same_money(report: FundsReport) -> None:
    """Revenue less expenses equals the change of net assets, and here the change of cash."""
    revenue = sum(line.cents for line in report.operations if line.section == "revenue")
    expenses = sum(line.cents for line in report.operations if line.section == "expenses")

    assert revenue - expenses == report.closing_cents - report.prior_net_assets_cents
    assert report.closing_cash_cents == sum(
        line.cents for line in report.position if line.section == "assets"
    )
    assert sum(line.transfers_cents for line in report.net_assets) == 0
    assert {line.label: line.cents for line in report.operations if line.section == "revenue"} == {
        "Pledges": 18_300,
        "Gifts": 5_000,
        "Grants received": 6_500,
    }
    assert [record.id for record in report.commitments] == ["prop_01"]


def test_facts_that_the_books_do_not_know_are_given(place: Path) -> None:
    """Whether changemakers are members decides what is public money."""
    facts = FilingFacts(
        changemakers_are_members=True, rate=CanadianRate(13_698, "Bank"), approved_by="A. Director"
    )
    report = funds_report(copy_of(make_year, place), 2026, facts=facts)

    assert report.measures["grossRevenue"] == 29_800
    assert report.measures["publicSources"] == 11_500
    assert b"A. Director" in render(report, "md")


def test_books_in_canadian_dollars_need_no_rate(place: Path) -> None:
    """A rate would change amounts that are right."""
    context = make_organisation(place)
    change_currency(context, "CAD")

    with pytest.raises(InvalidInput, match="books are in CAD; a rate"):
        funds_report(context, 2026, facts=FilingFacts(rate=CanadianRate(13_698, "Bank")))
    assert funds_report(context, 2026).closing_cents == 0


def test_last_year_stands_beside_this_year(place: Path) -> None:
    """Each line has last year's amount, and last year's closing balance is shown."""
    context = copy_of(make_year, place)
    clock_of(context).set(datetime(2027, 2, 1, tzinfo=UTC))
    this, last = funds_report(context, 2027), funds_report(context, 2026)

    assert last.closing_cents == this.prior_net_assets_cents
    assert last.opening_cash_cents == this.prior_opening_cash_cents
    assert {line.label: line.cents for line in last.operations} == {
        line.label: line.prior_cents for line in this.operations
    }
    assert {line.label: line.cents for line in last.cash_flows} == {
        line.label: line.prior_cents for line in this.cash_flows
    }


def test_opening_balances_and_debts_have_their_place(place: Path) -> None:
    """Opening balances count as opening cash; unresolved receipts are liabilities."""
    context = make_organisation(place)
    _post(context)
    report = funds_report(context, 2026)

    assert (report.opening_cash_cents, report.closing_cash_cents) == (10_000, 10_450)
    assert (
        report.closing_cents,
        sum(line.cents for line in report.position if line.section == "liabilities"),
    ) == (9_900, 550)
    assert [line.label for line in report.cash_flows] == [
        "Received and not yet resolved",
        "Other payments",
    ]
    assert next(line.cents for line in report.position if line.label == "Other assets") == 50


def _post(context: Context) -> None:
    day = date(2026, 3, 1)
    with context.store.write() as work:
        settings = work.book_settings
        settings.put_account("assets:petty-cash", kind="assets", meaning="Cash in a box")
        settings.put_account("expenses:directors", kind="expenses", meaning="Pay of directors")
        books = Books(context, work)
        books.post(opening_entry(day, {(BANK, Fund.OTHER): 10_000}))
        for account, other, cents in (
            (BANK, SUSPENSE, 550),
            ("expenses:directors", BANK, 100),
            ("assets:petty-cash", BANK, 50),
        ):
            books.post(
                JournalEntry(
                    day=day,
                    kind=EntryKind.MANUAL,
                    description="Test",
                    postings=(
                        Posting(account, Fund.OTHER, cents),
                        Posting(other, Fund.OTHER, -cents),
                    ),
                )
            )
