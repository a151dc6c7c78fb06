"""The worked example, posting by posting, and its budget figures."""

from __future__ import annotations

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.balances import Totals
from jara.domain.books.budget import budget_of_year
from jara.domain.books.commitment import Commitment
from jara.domain.books.fund_policy import DEFAULT_POLICY, given_back
from jara.domain.books.journal import Foreign, JournalEntry
from jara.domain.books.movements import MovementFacts, Payment, entry_from_row
from jara.domain.books.overview import cash_at_hand
from jara.domain.books.payouts import draw, payout_arrived, shares_of
from jara.domain.books.spending import (
    Spending,
    bank_charge_entry,
    holding_entry,
    release_entry,
    spending_entry,
)
from tests.domain.books.stripe_parts import stripe_parts
from tests.domain.books.sums import cells_of, fund_totals
from tests.rows import DAY, a_row, as_written, parts_of, posted

FACTS = MovementFacts(DEFAULT_POLICY)


def booked(entry: JournalEntry | None) -> JournalEntry:
    """Assert for the type checker that there is an entry."""
    assert entry is not None
    return entry


@pytest.fixture
def charge() -> JournalEntry:
    """The charge of the $10.00 pledge with a fee of $0.59."""
    return booked(entry_from_row(a_row("charge", 1000, 59, payout_id="po_1"), FACTS))


@pytest.fixture
def payment(charge: JournalEntry) -> Payment:
    """The same pledge as a later refund finds it in the books."""
    return Payment.of(posted(charge, 3), returned_cents=0)


def figures(*entries: JournalEntry) -> tuple[int, int, int]:
    """Return the year's total available, allocated and unallocated amounts."""
    total = budget_of_year(Totals.of_entries(entries), DAY.year).total
    return total.available, total.allocated, total.unallocated


def test_charge_and_fee(charge: JournalEntry) -> None:
    """Every fund gets its full share of the payment; the overhead then bears the fee."""
    assert as_written(charge) == (
        "assets:stripe p +800 s +70 m +90 o +40 · income:pledges p -800 s -70 m -90 o -40 · "
        "expenses:fees s +21 m +26 o +12 · assets:stripe s -21 m -26 o -12"
    )


def test_payout_created_arrived_and_failed(charge: JournalEntry) -> None:
    """A payout takes from each fund the sum of its transactions; a failed payout returns it."""
    shares = shares_of(941, known=stripe_parts([charge]), cells={}, totals={})

    created = entry_from_row(a_row("payout", -941), MovementFacts(DEFAULT_POLICY, shares=shares))
    arrived = payout_arrived(DAY, "po_1", shares)
    back = {fund: -cents for fund, cents in shares.items()}
    failed = entry_from_row(
        a_row("payout_reversal", 941), MovementFacts(DEFAULT_POLICY, shares=back)
    )

    assert as_written(created) == (
        "assets:in-transit p +800 s +49 m +64 o +28 · assets:stripe p -800 s -49 m -64 o -28"
    )
    assert as_written(arrived) == (
        "assets:bank p +800 s +49 m +64 o +28 · assets:in-transit p -800 s -49 m -64 o -28"
    )
    assert as_written(failed) == (
        "assets:in-transit p -800 s -49 m -64 o -28 · assets:stripe p +800 s +49 m +64 o +28"
    )


def test_refund(payment: Payment) -> None:
    """$4.00 is refunded from each fund's own part; Stripe keeps its fee."""
    refund = entry_from_row(a_row("refund", -400), MovementFacts(DEFAULT_POLICY, payment=payment))

    assert as_written(refund) == (
        "income:pledges p +320 s +28 m +36 o +16 · assets:stripe p -320 s -28 m -36 o -16"
    )
    back = given_back(payment.parts, 400)
    assert {f: payment.parts[f] - back[f] for f in back} == parts_of(480, 42, 54, 24)


def test_dispute_and_its_reversal(payment: Payment) -> None:
    """A dispute immediately reverses the income and costs a fee; winning it restores the income."""
    facts = MovementFacts(DEFAULT_POLICY, payment=payment)
    lost = Payment(payment.index, payment.account, payment.parts, returned_cents=1000)

    dispute = entry_from_row(a_row("dispute", -1000, 1500), facts)
    won = entry_from_row(
        a_row("dispute_reversal", 1000), MovementFacts(DEFAULT_POLICY, payment=lost)
    )

    assert as_written(dispute) == (
        "income:pledges p +800 s +70 m +90 o +40 · expenses:fees s +525 m +675 o +300 · "
        "assets:stripe p -800 s -595 m -765 o -340"
    )
    assert as_written(won) == (
        "income:pledges p -800 s -70 m -90 o -40 · assets:stripe p +800 s +70 m +90 o +40"
    )


def test_the_whole_way_of_a_pledge(charge: JournalEntry) -> None:
    """Vote, tranche, bank charge and release are booked as shown, and the year adds up."""
    shares = stripe_parts([charge])
    books = [charge]
    assert figures(*books) == (1000, 59, 941)

    books += [
        booked(entry_from_row(a_row("payout", -941), MovementFacts(DEFAULT_POLICY, shares=shares))),
        payout_arrived(DAY, "po_1", shares),
    ]
    assert figures(*books) == (1000, 59, 941)

    row = Commitment("prop_01", goal=500)
    totals = Totals.of_entries(books)
    held = row.to_hold(totals.fund_cents(Fund.PROJECTS))
    row = row.hold(held)
    books.append(holding_entry(DAY, "prop_01", draw(cells_of(totals, Fund.PROJECTS), held)))
    assert as_written(books[-1]) == (
        "equity:transfers p +500 · assets:bank p -500 c +500 · equity:transfers c -500"
    )
    assert figures(*books) == (1000, 559, 441)

    row = row.pay(400)
    tranche = Spending(
        "expenses:projects:wells",
        Fund.COMMITTED,
        400,
        reference="prop_01",
        foreign=Foreign("KES", 51_600, "129.00"),
    )
    books.append(spending_entry(DAY, tranche, available_cents=500))
    assert as_written(books[-1]) == "expenses:projects:wells c +400 · assets:bank c -400"
    assert books[-1].foreign == Foreign("KES", 51_600, "129.00")

    books.append(bank_charge_entry(DAY, 20, DEFAULT_POLICY.fee_weights))
    assert as_written(books[-1]) == (
        "expenses:fees:bank s +7 m +9 o +4 · assets:bank s -7 m -9 o -4"
    )
    assert figures(*books) == (1000, 579, 421)

    totals = Totals.of_entries(books)
    books.append(release_entry(DAY, "prop_01", draw(cells_of(totals, Fund.COMMITTED), row.held)))
    row = row.release_all()
    assert as_written(books[-1]) == (
        "equity:transfers c +100 · assets:bank c -100 p +100 · equity:transfers p -100"
    )
    assert figures(*books) == (1000, 479, 521)

    totals = Totals.of_entries(books)
    assert list(fund_totals(totals).values()) == [400, 42, 55, 24, 0]
    assert 521 == cash_at_hand(totals) == 1000 - 59 - 400 - 20
    assert row == Commitment("prop_01", 500, held=0, paid=400, released=100)
