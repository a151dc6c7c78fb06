"""The first day of a member's right to vote, computed by the database by the domain's rule."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.harness import make_organisation
from tests.services.giving.joiners import join, pass_time


@pytest.mark.parametrize("dispute", ["none", "open", "won", "lost", "reversed"])
@pytest.mark.parametrize("returned_cents", [0, 1500, 1501, 2000])
def test_the_first_payment_that_qualifies_gives_the_day(
    place: Path, dispute: str, returned_cents: int
) -> None:
    """After any refund or dispute, the database finds the same day as the rule."""
    context = make_organisation(place)
    member = join(context, contribution=20).member
    pass_time(context, datetime(2026, 12, 21, 12, tzinfo=UTC))

    with context.store.write() as work:
        first = work.payments.of_member(member.key)[0]
        work.payments.update(first.index, returned_cents=returned_cents, dispute=dispute)
        payments = work.payments.of_member(member.key)
        days = [one.day for one in payments if one.is_kept and one.returned_cents <= 1500]

        assert min(days) == work.pledges.account(member.id, now=context.now()).first_paid_on
        assert date(2026, 12, 20) in days


def test_before_a_payment_there_is_no_day(place: Path) -> None:
    """Without a payment under the pledge, there is no day."""
    context = make_organisation(place)
    member = join(context, billing_day="28").member

    assert (
        context.store.read_once().pledges.account(member.id, now=context.now()).first_paid_on
        is None
    )
