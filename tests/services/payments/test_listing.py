"""Lists of payments: the database and the domain agree on the state; payers without account."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.domain.books.payment_state import PaymentState
from jara.domain.errors import NotFound
from jara.services.context import Context
from jara.services.payments.listing import find_payments, show_payment
from jara.services.ports.books import PaymentQuery
from tests.harness import make_organisation
from tests.services.giving.joiners import join


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with one member who paid $10."""
    context = make_organisation(place)
    join(context)
    return context


@pytest.mark.parametrize("returned_cents", [0, 1, 999, 1000])
@pytest.mark.parametrize("dispute", ["none", "open", "lost", "won", "reversed"])
def test_the_state_is_the_same_in_both_languages(
    context: Context, returned_cents: int, dispute: str
) -> None:
    """SQL finds a payment under exactly the state that the domain gives it."""
    with context.store.write() as work:
        (record,) = work.payments.all()
        work.payments.update(record.index, returned_cents=returned_cents, dispute=dispute)

    found = {state: find_payments(context, PaymentQuery(states=(state,))) for state in PaymentState}

    (state,) = [state for state, lines in found.items() if lines]
    assert [state] == [line.record.state for line in found[state]]


def test_a_payer_who_left_has_no_name(context: Context) -> None:
    """The payment stays, and shows nobody."""
    with context.store.write() as work:
        (member,) = work.members.all()
        work.members.erase(member.id)

    (line,) = find_payments(context, PaymentQuery(kind="pledge"))

    assert ("", "") == (line.name, line.email)
    assert ("", "") == (show_payment(context, line.entry).line.name, line.email)
    assert [] == find_payments(context, PaymentQuery(kind="gift"))
    with pytest.raises(NotFound):
        find_payments(context, PaymentQuery(), member="nobody")
