"""Transfers, payments out of the bank, grants and openings book as they should."""

from __future__ import annotations

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind
from jara.domain.books.spending import (
    Spending,
    grant_entry,
    opening_entry,
    require_available,
    returned_entry,
    spending_entry,
    transfer_entry,
)
from jara.domain.errors import FundOverdrawn, InvalidInput
from tests.rows import DAY, as_written, parts_of

SALARY = Spending("expenses:staff", Fund.STAFF, 500, note="March, A. Mensah")


@pytest.mark.parametrize(
    ("account", "kind"),
    [
        ("expenses:projects:wells", EntryKind.DISBURSEMENT),
        ("expenses:grants:school", EntryKind.DISBURSEMENT),
        ("expenses:donations:clinic", EntryKind.DISBURSEMENT),
        ("expenses:staff", EntryKind.SALARY),
        ("expenses:marketing", EntryKind.EXPENSE),
        ("expenses:operations", EntryKind.EXPENSE),
    ],
)
def test_the_account_tells_what_was_paid(account: str, kind: EntryKind) -> None:
    """Payments leave the bank from one fund; the operator's words stay outside the log."""
    entry = spending_entry(DAY, SALARY._replace(account=account), available_cents=500)

    assert as_written(entry) == f"{account} s +500 · assets:bank s -500"
    assert (entry.kind, entry.note) == (kind, "March, A. Mensah")
    assert "Mensah" not in entry.description


def test_a_fund_cannot_spend_more_than_it_has() -> None:
    """The refusal names the fund, its balance and the requested amount."""
    with pytest.raises(FundOverdrawn, match=r"fund 'staff' has \$4.99; \$5.00 was requested"):
        spending_entry(DAY, SALARY, available_cents=499)
    with pytest.raises(FundOverdrawn, match=r"has -\$0.10; \$0.01 was requested"):
        require_available(Fund.OTHER, available_cents=-10, asked_cents=1)


@pytest.mark.parametrize(
    ("spending", "message"),
    [
        (SALARY._replace(account="income:gifts"), "not an expense account"),
        (SALARY._replace(cents=0), "the minimum is"),
        (SALARY._replace(cents=-5), "the minimum is"),
    ],
)
def test_what_is_no_payment_is_refused(spending: Spending, message: str) -> None:
    """Only a positive amount on an expense account can be paid."""
    with pytest.raises(InvalidInput, match=message):
        spending_entry(DAY, spending, available_cents=500)


@pytest.mark.parametrize(
    ("received", "expected"),
    [
        (390, "assets:bank c +390 · expenses:projects:wells c -400 · expenses:fx c +10"),
        (410, "assets:bank c +410 · expenses:projects:wells c -400 · expenses:fx c -10"),
        (400, "assets:bank c +400 · expenses:projects:wells c -400"),
    ],
)
def test_what_a_payee_returns_comes_back_at_cost(received: int, expected: str) -> None:
    """The cost returns through its own account, the difference of rates to expenses:fx."""
    tranche = Spending("expenses:projects:wells", Fund.COMMITTED, 400, reference="prop_01")

    entry = returned_entry(DAY, tranche, received_cents=received, of=5)

    assert as_written(entry) == expected
    assert (entry.kind, entry.of, entry.reference) == (EntryKind.RETURN, 5, "prop_01")
    assert entry.reverses is None


@pytest.mark.parametrize(("cost", "received"), [(0, 5), (5, 0), (-5, 5), (5, -5)])
def test_nothing_cannot_be_returned(cost: int, received: int) -> None:
    """Both the cost and the returned amount are at least one cent."""
    with pytest.raises(InvalidInput, match="the minimum is"):
        returned_entry(DAY, SALARY._replace(cents=cost), received_cents=received)


def test_a_transfer_keeps_each_fund_in_balance() -> None:
    """Each account gives to the other fund what it takes from the first."""
    entry = transfer_entry(
        DAY,
        source=Fund.OTHER,
        target=Fund.STAFF,
        draws=[("assets:bank", 30), ("assets:stripe", 20)],
        note="to cover March",
    )

    assert as_written(entry) == (
        "equity:transfers o +50 · assets:bank o -30 · assets:stripe o -20 · "
        "assets:bank s +30 · assets:stripe s +20 · equity:transfers s -50"
    )
    assert (entry.kind, entry.source) == (EntryKind.TRANSFER, "operator")


def test_a_fund_cannot_give_to_itself() -> None:
    """A transfer needs two funds."""
    with pytest.raises(InvalidInput, match="needs two funds; both are 'staff'"):
        transfer_entry(DAY, source=Fund.STAFF, target=Fund.STAFF, draws=[("assets:bank", 1)])


def test_a_grant_is_income_of_the_funds_it_is_for() -> None:
    """A received grant is booked at the bank in its funds."""
    entry = grant_entry(DAY, parts_of(500, 0, 0, 20), external_id="bank-7")

    assert as_written(entry) == "assets:bank p +500 o +20 · income:grants p -500 o -20"


def test_books_open_with_what_there_was() -> None:
    """Opening assets and debts are booked against equity, per fund."""
    entry = opening_entry(
        DAY,
        {
            ("assets:bank", Fund.PROJECTS): 900,
            ("assets:stripe", Fund.PROJECTS): 100,
            ("assets:bank", Fund.OTHER): 50,
            ("liabilities:suspense", Fund.OTHER): -20,
            ("assets:stripe", Fund.STAFF): 0,
        },
    )

    assert as_written(entry) == (
        "assets:bank p +900 · assets:stripe p +100 · assets:bank o +50 · "
        "liabilities:suspense o -20 · equity:opening p -1000 o -30"
    )
    with pytest.raises(InvalidInput, match="'income:gifts' cannot have an opening balance"):
        opening_entry(DAY, {("income:gifts", Fund.OTHER): 5})
