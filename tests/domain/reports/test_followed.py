"""An amount shared like the money of a trace."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.reports.followed import FollowedFund, FollowedPart, share_trace
from jara.domain.reports.statement import TraceFund, TracePayment

DAY = date(2026, 10, 1)
CENTS = st.integers(0, 10**7)


def paid(account: str, cents: int) -> TracePayment:
    """Return the part of a payment."""
    return TracePayment(account, account.rpartition(":")[2].capitalize(), "e", DAY, cents)


def fund_of(
    fund: Fund, *payments: TracePayment, waiting: int = 0, refunded: int = 0, later: int = 0
) -> TraceFund:
    """Return a fund whose sums add up."""
    received = sum(one.cents for one in payments) + waiting + refunded + later
    return TraceFund(fund, received, refunded, waiting, payments, later)


FUNDS = st.tuples(
    *(
        st.builds(
            lambda cents, waiting, refunded, later, fund=fund: fund_of(
                fund,
                *(paid(f"expenses:projects:p{n % 3}", one) for n, one in enumerate(cents)),
                waiting=waiting,
                refunded=refunded,
                later=later,
            ),
            st.lists(CENTS, max_size=5),
            CENTS,
            CENTS,
            CENTS,
        )
        for fund in SPLIT_FUNDS
    )
)


@given(st.integers(1, 10**8), FUNDS)
def test_the_parts_add_up_to_the_amount(cents: int, trace: tuple[TraceFund, ...]) -> None:
    """To the cent, in each fund and in total; each part is within a cent of its exact share."""
    whole = sum(fund.received_cents for fund in trace)
    shared = share_trace(cents, trace, _no_project)

    assert sum(fund.cents for fund in shared) == (cents if whole else 0)
    received = {fund.fund: fund for fund in trace}
    for fund in shared:
        parts = [part.cents for part in fund.paid]
        assert fund.cents == sum(parts) + fund.waiting_cents + fund.refunded_cents
        assert min(parts, default=1) > 0
        assert parts == sorted(parts, reverse=True)
        exact = cents * received[fund.fund].waiting_cents / whole
        assert abs(fund.waiting_cents - exact) <= 1


def test_payments_of_one_account_are_one_part() -> None:
    """What waits and what went back stand apart, and a fund with nothing is left out."""
    trace = (
        fund_of(
            Fund.PROJECTS,
            paid("expenses:projects:wells", 300),
            paid("expenses:projects:school", 200),
            paid("expenses:projects:wells", 100),
            waiting=100,
            refunded=60,
            later=40,
        ),
        fund_of(Fund.STAFF, waiting=200),
        fund_of(Fund.OTHER),
    )

    assert share_trace(100, trace, {"expenses:projects:wells": "wells"}.get) == (
        FollowedFund(
            Fund.PROJECTS,
            80,
            (FollowedPart("wells", "Wells", 40), FollowedPart(None, "School", 20)),
            10,
            10,
        ),
        FollowedFund(Fund.STAFF, 20, (), 20, 0),
    )


def test_nothing_received_is_nothing_to_share() -> None:
    """No fund has anything."""
    assert share_trace(1000, (fund_of(Fund.PROJECTS),), _no_project) == ()


def _no_project(account: str) -> None:
    """No account pays a project."""
    del account
