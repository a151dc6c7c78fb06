"""The sample trace: a spent contribution, without its giver."""

import re
from dataclasses import replace

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind
from jara.domain.books.spending import grant_entry
from jara.domain.books.trace_rows import Pool
from jara.services.books.bookkeeping import post_entry
from jara.services.books.posting import Books
from jara.services.books.tracing import trace_rows
from jara.services.context import Context
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.reports.followed import SamplePayment, SampleTrace, sample_trace
from tests.rows import a_row
from tests.services.books.ledger_builders import a_member, book, give, newest, pass_proposal


def contribute(context: Context, *amounts: int) -> None:
    """Let members give once each."""
    for number, cents in enumerate(amounts):
        member = a_member()._replace(
            id=f"m{number}", key=f"key{number}", email=f"m{number}@example.org"
        )
        with context.store.write() as work:
            work.members.add(member, password_hash="-")
        give(context, cents, f"m{number}", customer_id=f"cus_{number}", member_id=member.id)


def pay(context: Context, *amounts: int) -> None:
    """Pay a project under a passed vote."""
    pass_proposal(context, sum(amounts))
    for cents in amounts:
        disburse(context, Disbursement(Payee.PROJECTS, "wells", cents, proposal="wells"))


def test_ten_dollars_are_followed_to_the_payments(context: Context) -> None:
    """The trace shows only the month, and one sum for everything outside the projects."""
    contribute(context, 1000, 1000)
    pay(context, 500, 300)
    found = sample_trace(context)

    assert found is not None
    assert (found.cents, found.running_cents) == (1000, 200)
    assert re.fullmatch(r"\d{4}-\d{2}", found.month)
    assert [(paid.account, paid.project, paid.cents) for paid in found.paid] == [
        ("expenses:projects:wells", "Wells", 500),
        ("expenses:projects:wells", "Wells", 300),
    ]


def test_ten_dollars_go_before_other_amounts(context: Context) -> None:
    """A spent contribution of $10 is preferred to a newer one of another amount."""
    contribute(context, 1000, 2500, 2000)
    assert sample_trace(context) is None
    pay(context, 800 + 2000, 100)
    first = sample_trace(context)

    assert first is not None
    assert first.cents == 1000


def test_without_ten_dollars_another_amount_is_shown(context: Context) -> None:
    """Then the newest spent contribution is shown."""
    contribute(context, 500, 2500, 2000)
    pay(context, 400 + 2000)
    found = sample_trace(context)

    assert found is not None
    assert found.cents == 2500


def test_money_without_a_giver_is_no_sample(context: Context) -> None:
    """Neither a grant nor a contribution with unspent money is a sample."""
    post_entry(context, grant_entry(context.today(), {Fund.PROJECTS: 1000}))
    contribute(context, 1000)
    assert sample_trace(context) is None
    pay(context, 1000, 700)

    assert sample_trace(context) is None


def test_money_taken_back_hides_no_later_contribution(context: Context) -> None:
    """A contribution is shown although an earlier one was refunded before it was spent."""
    contribute(context, 2000, 1000)
    refund = a_row("refund", -2000, 0, source_id="re_0", charge_id="ch_m0", txn_id="txn_re_0")
    book(context, refund)
    pay(context, 800)
    found = sample_trace(context)

    assert found is not None
    assert found.cents == 1000


def test_a_gift_is_no_sample(context: Context) -> None:
    """Only pledges are shown, since the page invites to a monthly pledge."""
    contribute(context, 1000)
    with context.store.read() as work:
        key = next(iter(work.members.all())).key
    gift = replace(newest(context).entry, kind=EntryKind.GIFT, external_id="gift")
    with context.store.write() as work:
        Books(context, work).post(gift)
    pay(context, 1600)
    found = sample_trace(context)

    assert key
    assert found is not None
    with context.store.read() as work:
        lots = trace_rows(work, None)[Pool.PROJECTS].lots_of_member(key)
    assert [lot.cents for lot in lots] == [800, 800]
    assert found.cents == 1000


def test_nobody_is_named(context: Context) -> None:
    """There is no field that could name the giver or the day."""
    assert set(SampleTrace._fields) == {"month", "cents", "running_cents", "paid"}
    assert set(SamplePayment._fields) == {"date", "account", "project", "cents"}


def test_a_sample_trace_prefers_a_project(context: Context) -> None:
    """A project is preferred, as it has pictures; a large grant after it does not replace it."""
    contribute(context, *[1000] * 82)
    pay(context, 800)
    disburse(context, Disbursement(Payee.GRANTS, "school", 81 * 800))
    found = sample_trace(context)

    assert found is not None
    assert [paid.account for paid in found.paid] == ["expenses:projects:wells"]
