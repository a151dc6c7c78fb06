"""All payment methods are split and refunded like card payments."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.account import STRIPE
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.movements import MovementFacts, Payment, entry_from_row
from jara.domain.books.other_ways import Received, payment_entry, refund_entry
from jara.domain.errors import InvalidInput
from tests.rows import a_row, posted

CASH = "assets:cash"


def received(cents: int, name: str = "received:1") -> Received:
    """Return cash received or refunded on the day of the rows."""
    return Received(date(2026, 3, 5), cents, "cash", CASH, name)


def moved(entry: JournalEntry | None) -> list[tuple[str, str, int]]:
    """Return the postings, with the cash account in place of Stripe."""
    assert entry is not None
    return [
        (CASH if p.account == STRIPE else p.account, p.fund.value, p.cents) for p in entry.postings
    ]


@given(st.integers(1, 10**7), st.lists(st.integers(1, 10**6), max_size=4))
def test_every_way_has_the_law_of_the_card(cents: int, refunds: list[int]) -> None:
    """Cash and card give the same postings, kinds and links for any payment and partial refunds."""
    facts = MovementFacts(policy=DEFAULT_POLICY, member_key="key_1")
    by_card = entry_from_row(a_row("charge", cents), facts)
    in_cash = payment_entry(received(cents), facts)
    assert moved(by_card) == moved(in_cash)
    assert by_card is not None
    assert (in_cash.kind, in_cash.member_key, in_cash.source) == (EntryKind.PLEDGE, "key_1", "cash")

    returned = 0
    for part in refunds:
        if returned + part > cents:
            break
        pair = [
            MovementFacts(
                policy=DEFAULT_POLICY,
                payment=Payment.of(posted(entry, 7), returned_cents=returned),
            )
            for entry in (by_card, in_cash)
        ]
        card_refund = entry_from_row(a_row("refund", -part, charge_id="src_1"), pair[0])
        cash_refund = refund_entry(received(part, "r"), pair[1])
        assert moved(card_refund) == moved(cash_refund)
        assert (
            cash_refund.kind,
            cash_refund.of,
            cash_refund.member_key,
        ) == (EntryKind.REFUND, 7, "key_1")
        returned += part


@pytest.mark.parametrize("cents", [0, -5])
def test_nothing_is_no_payment(cents: int) -> None:
    """An amount is at least one cent."""
    with pytest.raises(InvalidInput, match=r"at least .0\.01"):
        payment_entry(received(cents), MovementFacts(policy=DEFAULT_POLICY))
    with pytest.raises(InvalidInput, match=r"at least .0\.01"):
        refund_entry(received(cents), MovementFacts(policy=DEFAULT_POLICY))
