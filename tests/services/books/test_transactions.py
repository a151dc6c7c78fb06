"""Tests of the ledger as contributors read it."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import BANK, STRIPE, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import InvalidInput, NotFound
from jara.services.books.balances import read_budget
from jara.services.books.posting import Books
from jara.services.books.transactions import (
    INTERNAL,
    TransactionQuery,
    budget_row,
    fund_lines,
    list_transactions,
)
from jara.services.context import Context
from jara.services.giving.registration import join
from jara.services.payments.charging import book_sandbox_rows
from tests.harness import make_organisation
from tests.services.members.codes_world import ADDRESS, LIMITS, form

DAY = date(2026, 11, 18)


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with one pledge of $10."""
    made = make_organisation(place)
    join(made, LIMITS, form(), payment_method="pm_card_visa", address=ADDRESS, key=None, body=b"")
    book_sandbox_rows(made)
    return made


def post(context: Context, kind: EntryKind, *lines: tuple[str, Fund, int]) -> str:
    """Post an entry and return its id."""
    entry = JournalEntry(
        day=DAY,
        kind=kind,
        description=f"A {kind}",
        postings=tuple(Posting(*line) for line in lines),
    )
    with context.store.write() as work:
        return Books(context, work).post(entry).id


def shown(context: Context, **query: Any) -> list[tuple[str, int]]:
    """Return the type and amount of each transaction of a page."""
    page = list_transactions(context, TransactionQuery(**query))
    return [(row.type, row.amount_cents) for row in page.items]


def test_a_pledge_is_gross_and_its_fee_is_a_row_of_its_own(context: Context) -> None:
    """The rows of an entry sum to the change of the assets."""
    page = list_transactions(context, TransactionQuery())
    payment, fee = page.items

    assert (payment.type, payment.amount_cents, payment.kind) == ("subscription", 1000, "pledge")
    assert (fee.id, fee.amount_cents) == (f"{payment.id}:fee", -59)
    assert payment.funds == {"projects": 800, "staff": 70, "marketing": 90, "other": 40}
    assert fee.funds == {"staff": -21, "marketing": -26, "other": -12}
    assert page.next is None


def test_money_out_is_negative_and_a_fee_alone_is_one_row(context: Context) -> None:
    """A salary and a bank charge are each listed once, as money out."""
    staff = Fund.STAFF
    post(context, EntryKind.SALARY, ("expenses:staff", staff, 30), (STRIPE, staff, -30))
    post(context, EntryKind.FEE, ("expenses:fees:bank", staff, 5), (STRIPE, staff, -5))

    assert [row for row in shown(context) if row[0] in {"fee", "salary"} and row[1] != -59] == [
        ("fee", -5),
        ("salary", -30),
    ]


def test_movements_of_our_own_are_listed_only_when_asked_for(context: Context) -> None:
    """A payout from the provider to the bank is neither income nor expense."""
    other = Fund.OTHER
    post(context, EntryKind.PAYOUT, (BANK, other, 20), (STRIPE, other, -20))
    post(context, EntryKind.MANUAL, (BANK, other, 7), (STRIPE, other, -7))

    assert shown(context) == [("subscription", 1000), ("fee", -59)]
    assert shown(context, kind="transfer") == [("payout", 20)]
    assert shown(context, kind="subscription") == [("subscription", 1000), ("fee", -59)]


def test_pages_fit_together(context: Context) -> None:
    """Each entry is on one page, whatever the page's length."""
    for cents in range(1, 8):
        staff = Fund.STAFF
        post(context, EntryKind.EXPENSE, ("expenses:staff", staff, cents), (STRIPE, staff, -cents))
    whole = list_transactions(context, TransactionQuery(limit=100)).items

    rows: list[Any] = []
    cursor = None
    while True:
        page = list_transactions(context, TransactionQuery(limit=3, cursor=cursor))
        rows += page.items
        cursor = page.next
        if cursor is None:
            break

    assert whole == tuple(rows)


def test_days_and_words_narrow_the_list(context: Context) -> None:
    """Several conditions must all be met."""
    staff = Fund.STAFF
    post(context, EntryKind.EXPENSE, ("expenses:staff", staff, 9), (STRIPE, staff, -9))

    assert shown(context, last_day=DAY) == [("expense", -9)]
    assert shown(context, last_day=DAY, texts=("no such words",)) == []


@pytest.mark.parametrize("cursor", ["", "x", "2026-13-01.4", "2026-11-01"])
def test_a_foreign_cursor_is_refused(context: Context, cursor: str) -> None:
    """A cursor that we did not issue is refused."""
    with pytest.raises(InvalidInput, match="cursor"):
        list_transactions(context, TransactionQuery(cursor=cursor))


def test_an_unknown_kind_is_refused(context: Context) -> None:
    """The message names it."""
    with pytest.raises(InvalidInput, match="'gold'"):
        list_transactions(context, TransactionQuery(kind="gold"))


@pytest.mark.parametrize("row", ["available", "allocated", "unallocated"])
def test_the_parts_of_a_budget_row_sum_to_it(context: Context, row: str) -> None:
    """The rows by fund sum to the total, and so do the rows by account where there are any."""
    lines = budget_row(context, row, 2026)

    assert lines.total_cents == sum(line.cents for line in lines.funds)
    if row == "unallocated":
        assert lines.accounts is None
    else:
        assert lines.total_cents == sum(line.cents for line in lines.accounts or ())
    assert lines.total_cents == getattr(read_budget(context, 2026).total, row)


def test_the_budget_has_three_rows(context: Context) -> None:
    """An unknown budget row is not found."""
    with pytest.raises(NotFound, match="'gold'"):
        budget_row(context, "gold", 2026)


def test_the_funds_of_a_year_show_promise_and_deed(context: Context) -> None:
    """The promised shares add up to 100 percent."""
    lines = fund_lines(read_budget(context, 2026))

    assert sum(line.promised_share for line in lines) == 100.0
    assert sum(line.received_cents for line in lines) == 1000


@pytest.mark.parametrize("kind", sorted(INTERNAL))
def test_no_movement_of_our_own_is_listed_as_money(context: Context, kind: EntryKind) -> None:
    """Holding, releasing, paying out and moving between funds are not listed as money."""
    projects, committed = Fund.PROJECTS, Fund.COMMITTED
    before = shown(context)
    transfer = ("equity:transfers", projects, -20), ("equity:transfers", committed, 20)
    post(context, kind, (BANK, projects, 20), (BANK, committed, -20), *transfer)

    assert shown(context) == before
    assert shown(context, kind="transfer") == [(kind.value, 20)]


def test_the_list_of_internal_movements_is_fixed() -> None:
    """A kind that is left out would be shown to members as income or spending."""
    named = "payout payout_arrived payout_reversal reserve topup commitment release transfer"

    assert {kind.value for kind in INTERNAL} == {*named.split()}


@pytest.mark.parametrize("text", ["cafe fur nunez", "CAFÉ", "für Núñez", "100 %"])
def test_a_search_folds_case_and_accents(context: Context, text: str) -> None:
    """On both engines, with and without accents."""
    entry = JournalEntry(
        day=DAY,
        kind=EntryKind.EXPENSE,
        description="Café für Núñez, 100 %",
        postings=(Posting("expenses:operations", Fund.OTHER, 500), Posting(BANK, Fund.OTHER, -500)),
    )
    with context.store.write() as work:
        Books(context, work).post(entry)

    assert shown(context, texts=(text,)) == [("expense", -500)]
    assert shown(context, texts=("cafex",)) == []


def test_a_search_knows_other_words_and_accounts(context: Context) -> None:
    """A translated page also passes the English texts and the accounts of its search."""
    post(context, EntryKind.EXPENSE, ("expenses:staff", Fund.STAFF, 500), (BANK, Fund.STAFF, -500))

    assert shown(context, texts=("virement",)) == []
    assert shown(context, texts=("personnel",), accounts=("expenses:staff",)) == [("expense", -500)]
    page = list_transactions(context, TransactionQuery(texts=("contribution", "Pledge payment")))
    assert [row.description for row in page.items if row.amount_cents > 0] == ["Pledge payment"]
