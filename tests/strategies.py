"""Hypothesis strategies for the values of the books."""

from datetime import UTC, date, datetime

from hypothesis import strategies as st

from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory

ACCOUNTS = (
    "assets:bank",
    "assets:in-transit",
    "assets:stripe",
    "income:pledges",
    "income:gifts",
    "expenses:projects:wells",
    "expenses:staff",
    "expenses:fees",
    "liabilities:suspense",
    "equity:opening",
)

cents = st.integers(min_value=-(10**9), max_value=10**9)
"""Any amount, positive or negative."""

funds = st.sampled_from(Fund)
days = st.dates(min_value=date(2020, 1, 1), max_value=date(2030, 12, 31))
instants = st.datetimes(
    min_value=datetime(2020, 1, 1),  # noqa: DTZ001 - Hypothesis wants naive bounds
    max_value=datetime(2030, 12, 31),  # noqa: DTZ001 - Hypothesis wants them naive
    timezones=st.just(UTC),
)


@st.composite
def weights(draw: st.DrawFn, *, largest: int = 100) -> dict[Fund, int]:
    """Integer weights over the funds of a payment, not all 0."""
    numbers = draw(st.lists(st.integers(0, largest), min_size=4, max_size=4).filter(any))
    return dict(zip(SPLIT_FUNDS, numbers, strict=True))


@st.composite
def policies(draw: st.DrawFn) -> FundPolicy:
    """Any legal fund policy."""
    return FundPolicy(valid_from=draw(days), weights=draw(weights()), fee_weights=draw(weights()))


@st.composite
def postings(draw: st.DrawFn) -> tuple[Posting, ...]:
    """Two or more postings that sum to zero in each fund."""
    made: list[Posting] = []
    for fund in draw(st.lists(funds, min_size=1, max_size=3, unique=True)):
        debit, credit = draw(st.lists(st.sampled_from(ACCOUNTS), min_size=2, max_size=2))
        amount = draw(cents.filter(bool))
        made += [Posting(debit, fund, amount), Posting(credit, fund, -amount)]
    return tuple(made)


@st.composite
def entries(draw: st.DrawFn) -> JournalEntry:
    """Any balanced entry."""
    kind = draw(st.sampled_from(EntryKind))
    return JournalEntry(
        day=draw(days), kind=kind, description=f"Entry of kind {kind}", postings=draw(postings())
    )


@st.composite
def provider_rows(draw: st.DrawFn) -> ProviderRow:
    """Any row in US dollars whose amounts agree."""
    category = draw(st.sampled_from(RowCategory))
    amount, fee = draw(cents), draw(st.integers(-5_000, 5_000))
    number = draw(st.integers(1, 10**6))
    return ProviderRow(
        created=draw(instants),
        category=category,
        amount=amount,
        fee=fee,
        net=amount - fee,
        fee_tax=draw(st.integers(0, 500)),
        txn_id=f"txn_{number}",
        source_id=f"src_{number}",
        charge_kind=draw(st.sampled_from(ChargeKind)),
    )
