"""Books on sub-accounts give the same sums as books on their parents, everywhere."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jara.documents import to_document
from jara.domain.books.account import Fund, account_type
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.reports.parts import ReportPeriod
from jara.services.books.balances import read_budget, read_register
from jara.services.books.posting import Books
from jara.services.books.tracing import trace_project
from jara.services.books.transactions import TransactionQuery, budget_row, list_transactions
from jara.services.content import import_items
from jara.services.context import Context
from jara.services.projects.catalogue import list_projects, show_project
from jara.services.reports.impact import impact_report
from jara.services.reports.yearly_funds import funds_report
from tests.harness import make_organisation
from tests.places import NewPlace

YEAR = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))
ENTRIES = (
    (EntryKind.OPENING, "assets:bank", "equity:opening", Fund.OTHER, 10_000),
    (EntryKind.MANUAL, "assets:stripe", "income:pledges", Fund.PROJECTS, 8_000),
    (EntryKind.MANUAL, "assets:stripe", "income:pledges", Fund.STAFF, 2_000),
    (EntryKind.MANUAL, "assets:bank", "income:gifts", Fund.OTHER, 700),
    (EntryKind.GRANT, "assets:bank", "income:grants", Fund.PROJECTS, 5_000),
    (EntryKind.MANUAL, "assets:bank", "income:interest", Fund.OTHER, 30),
    (EntryKind.MANUAL, "assets:stripe", "liabilities:suspense", Fund.OTHER, 90),
    (EntryKind.REFUND, "income:gifts", "assets:bank", Fund.OTHER, 100),
    (EntryKind.PAYOUT, "assets:in-transit", "assets:stripe", Fund.PROJECTS, 6_000),
    (EntryKind.PAYOUT_ARRIVED, "assets:bank", "assets:in-transit", Fund.PROJECTS, 5_000),
    (EntryKind.DISBURSEMENT, "expenses:projects:wells", "assets:bank", Fund.PROJECTS, 4_000),
    (EntryKind.DISBURSEMENT, "expenses:grants:school", "assets:bank", Fund.PROJECTS, 300),
    (EntryKind.SALARY, "expenses:staff", "assets:bank", Fund.STAFF, 500),
    (EntryKind.FEE, "expenses:fees", "assets:stripe", Fund.STAFF, 60),
    (EntryKind.FEE, "expenses:fees:bank", "assets:bank", Fund.OTHER, 20),
    (EntryKind.EXPENSE, "expenses:fx", "assets:bank", Fund.OTHER, 7),
    (EntryKind.EXPENSE, "expenses:operations", "assets:bank", Fund.OTHER, 80),
)
PROJECT = {
    "title": "Wells",
    "summary": "Wells.",
    "location": "Tanzania",
    "category": "water",
    "status": "In Progress",
    "account": "expenses:projects:wells",
}


def make_books(place: Path, *, below: str) -> Context:
    """Post the entries, each account with a text after its name."""
    context = make_organisation(place)
    import_items(context, "projects", [{**PROJECT, "id": "wells", "slug": "wells"}])
    with context.store.write() as work:
        for account in sorted({one for row in ENTRIES for one in row[1:3]}):
            name = f"{account}{below}"
            work.book_settings.put_account(name, kind=account_type(name), meaning="Of the test")
        books = Books(context, work)
        for kind, debit, credit, fund, cents in ENTRIES:
            books.post(
                JournalEntry(
                    day=date(2026, 3, 1),
                    kind=kind,
                    description="Test",
                    postings=(
                        Posting(f"{debit}{below}", fund, cents),
                        Posting(f"{credit}{below}", fund, -cents),
                    ),
                )
            )
    return context


@pytest.fixture(scope="module")
def plain(new_place: NewPlace) -> Context:
    """Return books on the accounts themselves."""
    return make_books(new_place(), below="")


@pytest.fixture(scope="module")
def below(new_place: NewPlace) -> Context:
    """Return the same books on sub-accounts."""
    return make_books(new_place(), below=":part")


def _figures(report: Any) -> Any:
    """Return a document without what names one log, and without the names of accounts."""
    hidden = {"books", "entry", "id", "index", "account", "accounts", "category"}
    if isinstance(report, dict):
        return {key: _figures(value) for key, value in report.items() if key not in hidden}
    return [_figures(value) for value in report] if isinstance(report, list) else report


def _reports(context: Context) -> Any:
    """Return the figures of every report and page that sums accounts."""
    return _figures(
        {
            "impact": to_document(impact_report(context, YEAR)),
            "funds": to_document(funds_report(context, 2026)),
            "budget": to_document(read_budget(context, 2026)),
            "available": to_document(budget_row(context, "available", 2026)),
            "cards": list_projects(context),
            "project": show_project(context, "wells"),
            "trace": to_document(trace_project(context, "wells")),
        }
    )


def test_reports_sum_sub_accounts(plain: Context, below: Context) -> None:
    """Impact, funds, budget, the site's projects and the trace have the same figures."""
    there, here = _reports(plain), _reports(below)

    assert here == there
    assert there["project"]["paidCents"] == 4_000
    assert there["funds"]["position"][0]["cents"] == 15_723


@pytest.mark.parametrize("account", sorted({one for row in ENTRIES for one in row[1:3]}))
def test_a_register_sums_sub_accounts(plain: Context, below: Context, account: str) -> None:
    """The register of a parent has the movements of its children, with the same balances."""

    def register(context: Context, first: date | None = None) -> list[tuple[int, int]]:
        lines = read_register(context, account, first_day=first, last_day=None)
        return [(row.line.cents, row.line.balance_cents) for row in lines]

    assert register(below) == register(plain)
    assert register(below, date(2026, 1, 1)) == register(plain, date(2026, 1, 1))


def test_the_ledger_of_the_site_finds_sub_accounts(plain: Context, below: Context) -> None:
    """A search for a parent lists the transactions of its children."""
    query = TransactionQuery(texts=("nothing",), accounts=("expenses:staff", "income:gifts"))
    there, here = (list_transactions(one, query).items for one in (plain, below))

    assert [row.amount_cents for row in here] == [row.amount_cents for row in there]
    assert len(there) == 3
