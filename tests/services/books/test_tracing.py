"""Whose dollars paid for what, as operators see it."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.trace_rows import Pool
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.reports.statement import TracePayment
from jara.services.books.tracing import log_size_at, spending_account, trace_member, trace_project
from jara.services.context import Context
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.harness import clock_of, make_organisation
from tests.rows import a_row
from tests.services.books import ledger_builders


@pytest.fixture
def context(place: Path) -> Context:
    """Return books with two givers of $10.00, one with a fee, and a project paid $12.00."""
    context = make_organisation(place)
    ledger_builders.give(context, 1000, "ann", customer_id="cus_ann", fee=59, net=941)
    ledger_builders.give(context, 1000, "bob", customer_id="cus_bob")
    ledger_builders.pass_proposal(context, 1200)
    clock_of(context).advance(days=1)
    disburse(context, Disbursement(Payee.PROJECTS, "wells", 1200, proposal="wells"))
    return context


def key(context: Context, place: int) -> str:
    """Return the key of a giver."""
    found = ledger_builders.all_entries(context)[place].member_key
    assert found is not None
    return found


def test_a_givers_money_is_paid_waiting_or_refunded(context: Context) -> None:
    """First in, first out: the older payment is spent whole, and the newer one pays the rest."""
    ledger_builders.book(
        context, a_row("refund", -100, 0, txn_id="txn_r", source_id="re_1", charge_id="ch_bob")
    )
    ann, bob = trace_member(context, key(context, 0)), trace_member(context, key(context, 1))

    assert (ann.received_cents, ann.refunded_cents) == (1000, 0)
    assert [(paid.account, paid.project, paid.cents) for paid in ann.funds[Pool.PROJECTS].paid] == [
        ("expenses:projects:wells", "wells", 800)
    ]
    assert [(paid.account, paid.project, paid.cents) for paid in ann.funds[Pool.STAFF].paid] == [
        ("expenses:fees", None, 21)
    ]
    fund = bob.funds[Pool.PROJECTS]
    assert (
        fund.received_cents,
        fund.refunded_cents,
        fund.waiting_cents,
        sum(paid.cents for paid in fund.paid),
    ) == (800, 80, 320, 400)
    assert bob.refunded_cents == 100


def test_a_project_knows_its_payers(context: Context) -> None:
    """Payers are listed by their key in the books, largest amount first."""
    found = trace_project(context, "wells")
    assert found == trace_project(context, "we")

    assert found.paid_cents == 1200
    assert found.payers == {key(context, 0): 800, key(context, 1): 400}
    assert [
        (payment.payers, payment.uncovered_cents, payment.cents) for payment in found.payments
    ] == [(2, 0, 1200)]


def test_the_trace_travels_in_time(context: Context) -> None:
    """The trace at an earlier log size or instant is what it was then."""
    size = ledger_builders.newest(context).index
    before = datetime(2026, 11, 20, 18, tzinfo=UTC)

    for at in (size, before):
        fund = trace_member(context, key(context, 0), at=at).funds[Pool.PROJECTS]
        assert (fund.waiting_cents, fund.paid) == (800, ())
        with pytest.raises(NotFound, match="Nothing was paid to a project 'wells'"):
            trace_project(context, "wells", at=at)
    now = trace_member(context, key(context, 0), at=size + 1).funds[Pool.PROJECTS]
    assert isinstance(now.paid[0], TracePayment)
    assert trace_project(context, "wells", at=size + 1).paid_cents == 1200
    with pytest.raises(InvalidInput, match="99 is not a size it had"):
        trace_member(context, key(context, 0), at=99)


def test_a_member_is_found_by_address(context: Context) -> None:
    """The trace names the member by id."""
    member = ledger_builders.a_member()
    with context.store.write() as work:
        work.members.add(member, password_hash="")

    assert (
        trace_member(context, member.email).member,
        trace_member(context, member.email).received_cents,
    ) == (member.id, 0)


def test_an_unknown_member_is_not_found(context: Context) -> None:
    """A text that matches nothing, not even a member, is not found."""
    with pytest.raises(NotFound):
        trace_member(context, "nobody@example.org")


@pytest.mark.parametrize("first", ["expenses:operations", "expenses:staff"])
def test_equal_debits_are_named_alike_in_every_report(first: str) -> None:
    """Of equal debits, the alphabetically last account is named, whatever their order."""
    other = {"expenses:operations", "expenses:staff"} - {first}
    spent = (Posting(name, Fund.STAFF, 50) for name in (first, *other))
    entry = JournalEntry(
        date(2026, 5, 1), EntryKind.EXPENSE, "x", (Posting("assets:bank", Fund.STAFF, -100), *spent)
    )
    posted = PostedEntry("e", 0, datetime(2026, 5, 1, tzinfo=UTC), entry)

    assert spending_account(posted, Pool.STAFF) == "expenses:staff"


def test_the_books_at_an_instant_include_it(context: Context) -> None:
    """Entries of the same second are included; entries of the next second are not."""
    before = ledger_builders.newest(context)
    clock_of(context).advance(days=1)
    at = context.now()
    same = [ledger_builders.give(context, 1000, name).index for name in ("cee", "dee")]
    clock_of(context).set(at + timedelta(seconds=1))
    after = ledger_builders.give(context, 1000, "eve").index

    with context.store.read() as work:
        sizes = [log_size_at(work, at + timedelta(seconds=seconds)) for seconds in (-1, 0, 1)]

    assert before.index < same[0]
    assert sizes == [same[0], after, None]
