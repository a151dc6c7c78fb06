"""A member's statement traces their own dollars to the cent."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.errors import NotFound
from jara.domain.organisation import IdentityPart
from jara.domain.reports.parts import ReportPeriod
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.members.documents import list_payments
from jara.services.members.operators import show_to_operator
from jara.services.payments.importing import collect_movements
from jara.services.reports.figures import cash_overview, site_figures
from jara.services.reports.statements import member_statement
from tests.harness import copy_of
from tests.places import NewPlace
from tests.services.giving.giving_year import at, charges_of, make_year
from tests.services.giving.joiners import sandbox_of

YEAR = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))


@pytest.fixture(scope="module")
def year(new_place: NewPlace) -> Context:
    """Make the organisation once."""
    return copy_of(make_year, new_place())


def test_a_statement_shows_payments_refunds_and_fees(place: Path) -> None:
    """Each payment is listed with its refunds and its card fee."""
    year = copy_of(make_year, place)
    change_values(year, {IdentityPart.ADDRESS: "1 Main Street"})
    statement = member_statement(year, "kofi@example.org", YEAR)

    assert [(line.amount_cents, line.refunded_cents) for line in statement.lines] == [
        (2500, 700),
        (2500, 0),
        (2500, 0),
        (2500, 0),
    ]
    assert all(line.fee_cents for line in statement.lines)
    assert (statement.address, statement.member_name) == ("1 Main Street", "Kofi Mensah")


def test_an_earlier_statement_is_made_from_the_books_of_then(year: Context) -> None:
    """The trace of an earlier log is rebuilt, and agrees with the stored one of its time."""
    now = member_statement(year, "kofi@example.org", YEAR)
    then = member_statement(year, "kofi@example.org", YEAR, now.books.size - 1)
    first = member_statement(year, "kofi@example.org", YEAR, 10)

    assert then.books.size == now.books.size - 1
    assert first.paid_cents == sum(fund.received_cents for fund in first.trace)
    assert first.paid_cents < now.paid_cents
    assert year.rules.site_url == now.address


def test_a_dispute_won_gives_the_money_back_to_its_payment(place: Path) -> None:
    """Restored money counts once, with the payment it restores."""
    context = copy_of(make_year, place)
    with context.store.read() as work:
        key = work.members.find("ama@example.org").key
    dispute = sandbox_of(context).dispute(charges_of(context, key)[0])
    collect_movements(context)
    lost = member_statement(context, "ama@example.org", YEAR)
    sandbox_of(context).settle_dispute(dispute, won=True)
    at(context, 11, 21)
    won = member_statement(context, "ama@example.org", YEAR)

    assert 1000 == lost.refunded_cents == sum(fund.refunded_cents for fund in lost.trace)
    assert 0 == won.refunded_cents == sum(fund.refunded_cents for fund in won.trace)
    assert won.paid_cents == sum(fund.received_cents for fund in won.trace)


def test_a_reversed_payment_is_not_on_the_statement(place: Path) -> None:
    """A reversed payment is neither paid nor refunded; statements of older books still list it."""
    context = copy_of(make_year, place)
    whole = member_statement(context, "kofi@example.org", YEAR)
    reverse_entry(context, whole.lines[1].reference, why="another member's")
    statement = member_statement(context, "kofi@example.org", YEAR)

    assert [line.reference for line in whole.lines if line != whole.lines[1]] == [
        line.reference for line in statement.lines
    ]
    assert (whole.paid_cents - 2500, whole.refunded_cents) == (
        statement.paid_cents,
        statement.refunded_cents,
    )
    assert statement.paid_cents == sum(fund.received_cents for fund in statement.trace)
    shown = show_to_operator(context, "kofi@example.org")
    assert [line.reference for line in statement.lines] == [
        payment.entry for payment in list_payments(context, shown["id"])
    ]
    assert statement.paid_cents - statement.refunded_cents == shown["paidCents"]
    assert (
        whole.lines == member_statement(context, "kofi@example.org", YEAR, whole.books.size).lines
    )


def test_uses_are_named_for_people(year: Context) -> None:
    """A giver reads what was paid, not the name of an account."""
    statement = member_statement(year, "ama@example.org", YEAR)
    names = {payment.title for fund in statement.trace for payment in fund.paid}

    assert "Payment fees" in names
    assert not {name for name in names if ":" in name}
    assert Fund.PROJECTS is statement.trace[0].fund


def test_nobody_has_no_statement(year: Context) -> None:
    """A statement of an unknown member is not found."""
    with pytest.raises(NotFound):
        member_statement(year, "nobody@example.org", YEAR)


def test_the_site_shows_the_figures_of_the_books(year: Context) -> None:
    """Each published figure has one definition."""
    figures = site_figures(year)
    earlier = cash_overview(year, date(2026, 8, 31))

    assert (figures.changemakers, figures.cash.monthly_donation_cents) == (2, 4500)
    assert (figures.contributions, figures.contributions_cents) == (11, 23_300)
    assert (figures.projects, figures.countries, figures.donations) == (2, 1, 0)
    assert figures.cash.cash_deployed_cents == 2500
    budget = figures.cash.budget
    assert budget.available - budget.allocated == budget.unallocated
    assert earlier.cash_deployed_cents == 0
    assert cash_overview(year) == figures.cash
