"""The laws of the books hold for any history of payments, refunds, disputes, payouts and votes."""

from dataclasses import dataclass, field
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books import movements
from jara.domain.books.account import STRIPE, Fund
from jara.domain.books.balances import Period, Totals
from jara.domain.books.budget import budget_of_year
from jara.domain.books.commitment import Commitment
from jara.domain.books.fund_policy import DEFAULT_POLICY, FundPolicy, policy_in_force
from jara.domain.books.journal import JournalEntry
from jara.domain.books.movements import MovementFacts, Payment
from jara.domain.books.overview import cash_at_hand
from jara.domain.books.provider_row import ProviderRow
from jara.domain.books.spending import Spending, holding_entry, release_entry, spending_entry
from jara.domain.checks.books import check_commitments, check_entry_balances
from tests.domain.books.sums import cells_of, stripe_parts
from tests.rows import NOON, a_row, parts_of, posted

POLICIES = [
    DEFAULT_POLICY,
    FundPolicy(date(2026, 9, 1), parts_of(70, 10, 10, 10), parts_of(0, 1, 1, 1)),
]

provider_steps = st.tuples(
    st.sampled_from(
        ["charge", "charge", "gift", "refund", "dispute", "restore", "fee", "unknown", "payout"]
    ),
    st.integers(50, 3000),
    st.integers(0, 9),
)
operator_steps = st.tuples(
    st.sampled_from(["hold", "pay", "release"]), st.integers(1, 2000), st.integers(0, 9)
)


@dataclass
class Books:
    """An organisation's books, the provider's view of them, and a passed proposal."""

    entries: list[JournalEntry] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    unpaid: list[JournalEntry] = field(default_factory=list)
    net: int = 0
    commitment: Commitment = field(default_factory=lambda: Commitment("prop_01", goal=10**6))

    @property
    def day(self) -> date:
        """Each step is dated a month after the previous one."""
        return (NOON + timedelta(days=31 * len(self.entries))).date()

    def book(self, row: ProviderRow, **facts: object) -> JournalEntry:
        """Book a row on the current day."""
        row = a_row(
            row.category, row.amount, row.fee, charge_kind=row.charge_kind,
            created=NOON + timedelta(days=31 * len(self.entries)),
        )  # fmt: skip
        policy = policy_in_force(POLICIES, row.created.date())
        entry = movements.entry_from_row(row, MovementFacts(policy, **facts))  # type: ignore[arg-type] # given by the test, by name
        assert entry is not None
        self.entries.append(entry)
        self.net += row.net
        return entry

    def step(self, name: str, cents: int, which: int) -> None:
        """Take one step, if it is possible now."""
        if name in {"charge", "gift"}:
            row = a_row("charge", cents, 30 + cents * 29 // 1000)
            entry = self.book(row)
            self.payments.append(Payment.of(posted(entry, len(self.entries)), returned_cents=0))
            self.unpaid.append(entry)
        elif name in {"refund", "dispute", "restore"}:
            self.give_back(name, cents, which)
        elif name in {"fee", "unknown"}:
            self.unpaid.append(self.book(a_row(name, -cents)))
        elif name == "payout":
            self.pay_out()
        else:
            self.decide(name, cents)

    def give_back(self, name: str, cents: int, which: int) -> None:
        """Refund, dispute or restore a part of one payment."""
        if not self.payments:
            return
        place = which % len(self.payments)
        payment = self.payments[place]
        left = sum(payment.parts.values()) - payment.returned_cents
        amount = {"refund": -min(cents, left), "dispute": -left}.get(
            name, min(cents, payment.returned_cents)
        )
        if amount == 0:
            return
        category = "refund_failure" if name == "restore" else name
        row = a_row(category, amount, 1500 if name == "dispute" else 0)
        self.unpaid.append(self.book(row, payment=payment))
        self.payments[place] = Payment(
            payment.index, payment.account, payment.parts, payment.returned_cents - amount
        )

    def pay_out(self) -> None:
        """Pay out everything not yet paid out, with its transactions known."""
        known = stripe_parts(self.unpaid)
        cents = sum(known.values())
        if cents <= 0:
            return
        shares = movements.shares_of(cents, known=known, cells={}, totals={})
        self.book(a_row("payout", -cents), shares=shares)
        self.entries.append(movements.payout_arrived(self.day, f"po_{len(self.entries)}", shares))
        self.unpaid.clear()

    def decide(self, name: str, cents: int) -> None:
        """Hold, pay or release money of the passed proposal."""
        totals = Totals.of_entries(self.entries)
        if name == "hold":
            held = min(cents, self.commitment.to_hold(totals.fund_cents(Fund.PROJECTS)))
            if held:
                draws = movements.draw(cells_of(totals, Fund.PROJECTS), held)
                self.entries.append(holding_entry(self.day, "prop_01", draws))
                self.commitment = self.commitment.hold(held)
            return
        some = min(cents, self.commitment.held)
        if some and name == "pay":
            spending = Spending("expenses:projects:wells", Fund.COMMITTED, some)
            available = totals.fund_cents(Fund.COMMITTED)
            self.entries.append(spending_entry(self.day, spending, available_cents=available))
            self.commitment = self.commitment.pay(some)
        elif some:
            draws = movements.draw(cells_of(totals, Fund.COMMITTED), some)
            self.entries.append(release_entry(self.day, "prop_01", draws))
            self.commitment = self.commitment.release(some)


@given(steps=st.lists(provider_steps, max_size=25))
def test_history_law_stripe_is_the_sum_of_net(steps: list[tuple[str, int, int]]) -> None:
    """Funds balance, assets:stripe equals Stripe's balance, and no cell needs a special rule.

    A fund's cell of assets:stripe is exactly its money not paid out yet, so a payout of
    everything empties every cell.
    """
    books = Books()
    for step in steps:
        books.step(*step)

        totals = Totals.of_entries(books.entries)
        assert books.net == totals.sum_cents(STRIPE)
        cells = {fund: totals.sum_cents(STRIPE, fund=fund) for fund in Fund}
        waiting = stripe_parts(books.unpaid)
        assert {fund: waiting.get(fund, 0) for fund in Fund} == cells
    assert list(check_entry_balances((e.description, e.postings) for e in books.entries)) == []


@given(steps=st.lists(provider_steps, max_size=20))
def test_history_law_a_payment_wholly_returned_leaves_its_fees(
    steps: list[tuple[str, int, int]],
) -> None:
    """After everything is refunded, no fund has a cent of income left."""
    books = Books()
    for step in steps:
        books.step(*step)
    for place in range(len(books.payments)):
        books.step("dispute", 0, place)

    totals = Totals.of_entries(books.entries)
    assert [totals.sum_cents("income", fund=fund) for fund in Fund] == [0] * 5


@given(steps=st.lists(provider_steps | operator_steps, max_size=25))
def test_history_law_the_years_identities_hold_at_every_instant(
    steps: list[tuple[str, int, int]],
) -> None:
    """In every year and at every instant, the unallocated amount is money that exists."""
    books = Books()
    for step in steps:
        books.step(*step)

        totals = Totals.of_entries(books.entries)
        assert list(check_commitments([books.commitment], totals.fund_cents(Fund.COMMITTED))) == []
        for year in {entry.day.year for entry in books.entries}:
            check_identities(totals, year)


def check_identities(totals: Totals, year: int) -> None:
    """Check the budget identities of one year."""
    until = Period(None, f"{year}-12")
    budget = budget_of_year(totals, year)
    total = budget.total
    outside = [fund for fund in Fund if fund is not Fund.COMMITTED]

    def net_assets(fund: Fund) -> int:
        return totals.sum_cents("assets", "liabilities", fund=fund, period=until)

    assert total.transfers == 0
    assert total.available - total.allocated == total.unallocated
    assert total.opening + total.received == total.available
    assert sum(net_assets(fund) for fund in outside) == total.unallocated
    ended = Totals.of(row for row in totals.rows if row.month in until)
    assert cash_at_hand(ended) + ended.sum_cents("liabilities") == total.unallocated + total.held
    for row in budget.funds:
        expected = 0 if row.fund is Fund.COMMITTED else net_assets(row.fund)
        assert row.figures.unallocated == expected
    assert sum(row.promised_tenths for row in budget.funds) in {0, 1000}
    assert sum(row.actual_tenths for row in budget.funds) in {0, 1000}
