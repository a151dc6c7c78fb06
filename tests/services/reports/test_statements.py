"""A member's statement traces their own dollars to the cent, each in its own period."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.books.account import Fund
from jara.domain.errors import NotFound
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.organisation import IdentityPart
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.statement import Statement
from jara.reports.render import render
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge
from jara.services.legal.changing import change_values
from jara.services.members.documents import list_payments
from jara.services.members.operators import show_to_operator
from jara.services.payments.importing import collect_movements
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.refunding import Refunded, refund_payment
from jara.services.reports.figures import cash_overview, site_figures
from jara.services.reports.statements import member_statement
from tests.harness import clock_of, copy_of, make_organisation
from tests.places import NewPlace, so_many
from tests.services.giving.giving_year import at, charges_of, make_year
from tests.services.giving.joiners import join, sandbox_of, take_cash
from tests.sizes import size

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


ADA = "ada@example.org"
STEPS = st.one_of(
    st.tuples(st.just("pay"), st.integers(5, 30)),
    st.tuples(st.just("refund"), st.integers(1, 1500)),
    st.tuples(st.just("undo payment"), st.integers(0, 5)),
    st.tuples(st.just("undo refund"), st.integers(0, 5)),
    st.tuples(st.just("wait"), st.integers(1, 45)),
)


def ready(place: Path) -> Context:
    """An organisation with a member who pays in cash since 20 November 2026."""
    context = make_organisation(place)
    take_cash(context)
    member = join(context, ADA).member
    cancel_pledge(context, member.id)
    promise(context, ADA, dollars=10, way=PaymentWay.CASH)
    return context


def month(year: int, number: int) -> ReportPeriod:
    """Return the period of a month."""
    following = date(year + number // 12, number % 12 + 1, 1)
    return ReportPeriod(date(year, number, 1), following - timedelta(days=1))


def check_sums(statement: Statement) -> None:
    """Check that the figures and both tables of a statement agree."""
    of_period = sum(line.refunded_cents for line in statement.lines)
    of_earlier = sum(one.cents for one in statement.returns)
    assert statement.paid_cents == sum(line.amount_cents for line in statement.lines)
    assert statement.paid_cents == sum(fund.received_cents for fund in statement.trace)
    assert statement.refunded_cents == sum(fund.refunded_cents for fund in statement.trace)
    assert statement.refunded_cents == of_period + of_earlier
    assert statement.kept_cents == statement.paid_cents - statement.refunded_cents
    assert all(one.paid_on < statement.period.first for one in statement.returns)


def test_a_refund_stands_in_its_own_period(place: Path) -> None:
    """The statement of the payment's month keeps it, and that of the refund names its day."""
    context = ready(place)
    receive(context, ADA, 1000, name="a")
    clock_of(context).set(datetime(2027, 1, 5, 12, tzinfo=UTC))
    refunded = refund_payment(context, "received:a", cents=600, why="asked")
    assert isinstance(refunded, Refunded)
    paid = member_statement(context, ADA, ReportPeriod(date(2026, 1, 1), date(2026, 12, 31)))
    given_back = member_statement(context, ADA, month(2027, 1))
    for statement in (paid, given_back):
        check_sums(statement)

    assert (paid.paid_cents, paid.refunded_cents, paid.kept_cents) == (2000, 0, 2000)
    assert [sum(fund.other_refunds_cents for fund in one.trace) for one in (paid, given_back)] == [
        600,
        -600,
    ]
    assert (given_back.paid_cents, given_back.refunded_cents) == (0, 600)
    [line] = given_back.returns
    assert (line.day, line.paid_on, line.cents, line.reference) == (
        date(2027, 1, 5),
        date(2026, 11, 20),
        600,
        refunded.refund_id,
    )
    text = render(given_back, "md").decode()
    assert "20 November 2026" in text
    assert refunded.refund_id in text
    assert "−$6.00" in text


def test_a_dispute_of_last_year_is_won(place: Path) -> None:
    """Each period has what happened in it."""
    context = ready(place)
    with context.store.read() as work:
        charge = str(work.payments.of_member(work.members.find(ADA).key)[0].source_id)
    clock_of(context).set(datetime(2026, 12, 5, 12, tzinfo=UTC))
    dispute = sandbox_of(context).dispute(charge)
    collect_movements(context)
    clock_of(context).set(datetime(2027, 1, 5, 12, tzinfo=UTC))
    sandbox_of(context).settle_dispute(dispute, won=True)
    collect_movements(context)
    statements = [
        member_statement(context, ADA, period)
        for period in (month(2026, 11), month(2026, 12), month(2027, 1))
    ]
    for statement in statements:
        check_sums(statement)

    assert [(one.paid_cents, one.refunded_cents) for one in statements] == [
        (1000, 0),
        (0, 1000),
        (0, -1000),
    ]
    assert [[one.kind for one in statement.returns] for statement in statements] == [
        [],
        ["dispute"],
        ["dispute_reversal"],
    ]


def test_a_correction_stands_in_its_own_period(place: Path) -> None:
    """The correction stands in the period in which it was made."""
    context = ready(place)
    wrong = receive(context, ADA, 1000).posted
    clock_of(context).set(datetime(2026, 12, 5, 12, tzinfo=UTC))
    reverse_entry(context, wrong.id, why="another member's")
    november, december = (
        member_statement(context, ADA, period) for period in (month(2026, 11), month(2026, 12))
    )
    for statement in (november, december):
        check_sums(statement)

    assert (november.paid_cents, november.refunded_cents) == (2000, 0)
    assert (december.paid_cents, december.refunded_cents) == (0, 1000)
    assert [one.kind for one in december.returns] == ["reversal"]


def test_the_statements_of_all_periods_add_up(place: Path) -> None:
    """After any history, months and years hold each payment and each refund once."""

    @settings(max_examples=so_many(size(10, 25, full=25), place), deadline=None)
    @given(history=st.lists(STEPS, max_size=10))
    def adds_up(history: list[tuple[str, int]]) -> None:
        context = ready(place / f"{len(list(place.iterdir())) if place.exists() else 0}")
        take_history(context, history)
        check_history(context)
        context.store.close()

    adds_up()


def take_history(context: Context, history: list[tuple[str, int]]) -> None:
    """Pay, refund, correct and wait."""
    payments: list[str] = []
    refunds: list[str] = []
    for what, number in history:
        if what == "wait":
            clock_of(context).advance(days=number)
        elif what == "pay":
            payments.append(receive(context, ADA, number * 100).posted.id)
        elif what == "refund" and payments:
            with context.store.read() as work:
                entry = work.journal.find(payments[number % len(payments)])
                record = work.payments.by_index(entry.index)
            if record is not None and record.returned_cents + number <= record.cents:
                done = refund_payment(context, entry.id, cents=number, why="asked")
                assert isinstance(done, Refunded)
                refunds.append(done.refund_id)
        elif what == "undo refund" and refunds:
            reverse_entry(context, refunds.pop(number % len(refunds)), why="not paid out")
        elif what == "undo payment" and payments and not refunds:
            reverse_entry(context, payments.pop(number % len(payments)), why="a mistake")


def check_history(context: Context) -> None:
    """Compare the statements of all months and years with the payments in the books."""
    last = context.today()
    months = [
        month(number // 12, number % 12 + 1)
        for number in range(2026 * 12 + 10, last.year * 12 + last.month)
    ]
    years = [
        ReportPeriod(date(year, 1, 1), date(year, 12, 31)) for year in range(2026, last.year + 1)
    ]
    with context.store.read() as work:
        records = work.payments.of_member(work.members.find(ADA).key)
    kept = sum(one.cents - one.returned_cents for one in records if one.dispute != "reversed")
    for periods in (months, years):
        statements = [member_statement(context, ADA, period) for period in periods]
        for statement in statements:
            check_sums(statement)
        assert sum(one.kept_cents for one in statements) == kept
        references = Counter(line.reference for one in statements for line in one.lines)
        references += Counter(line.reference for one in statements for line in one.returns)
        assert set(references.values()) <= {1}
