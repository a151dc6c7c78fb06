"""Lists of payments: database and domain agree on the state; former members have no name."""

from dataclasses import replace
from datetime import timedelta

import pytest

from jara.domain.books.account import BANK
from jara.domain.books.payment_state import PaymentState
from jara.domain.errors import NotFound
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.records.payments import PaymentQuery
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context
from jara.services.payments.listing import find_payments, show_payment
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.ways import set_way
from tests.services.ballots.voting_world import add_member

pytestmark = pytest.mark.usefixtures("member_id")


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
    assert [line.record.state for line in found[state]] == [state]


def test_a_payment_that_was_taken_back_is_not_lost(context: Context) -> None:
    """An entry that was reversed has no dispute."""
    (line,) = find_payments(context, PaymentQuery())
    reverse_entry(context, line.entry, why="wrong file")

    (line,) = find_payments(context, PaymentQuery())
    assert PaymentState.REVERSED is line.record.state


@pytest.mark.parametrize("text", [None, "charge"])
def test_the_newest_days_come_first(context: Context, text: str | None) -> None:
    """Lists are ordered by day, not by booking, since a statement may bring older payments."""
    set_way(context, PaymentWay.CASH, ledger=BANK, details="")
    ben = add_member(context, "ben", cents=0)
    with context.store.write() as work:
        pledge = work.pledges.get(ben.id)
        assert pledge is not None
        ended = replace(pledge, state=PledgeState.CANCELED)
        work.pledges.put(ended, member_key=ben.key, at=context.now())
    promise(context, ben.email, dollars=10, way=PaymentWay.CASH)
    days = [context.today() - timedelta(days=age) for age in (3, 9, 6)]
    for day in days:
        receive(context, ben.email, 1000, day=day, name=f"charge {day}")
    query = PaymentQuery(text=None if text is None else "ben", limit=2)

    assert [line.record.day for line in find_payments(context, query, member=ben.email)] == [
        days[0],
        days[2],
    ]


@pytest.mark.parametrize("text", ["zoe nunez", "ZOÉ", "Núñ", "z@büch"])
def test_a_payer_is_found_in_any_spelling(context: Context, text: str) -> None:
    """On both engines."""
    with context.store.write() as work:
        (member,) = work.members.all()
        named = member._replace(firstname="Zoé", lastname="Núñez")
        work.members.update(named._replace(email="z@xn--bcher-kva.example"))

    assert len(find_payments(context, PaymentQuery(text=text))) == 1
    assert find_payments(context, PaymentQuery(text="zoex")) == []


def test_a_payment_of_a_former_member_has_no_name(context: Context) -> None:
    """The payment stays, without a name."""
    with context.store.write() as work:
        (member,) = work.members.all()
        work.members.erase(member.id)

    (line,) = find_payments(context, PaymentQuery(kind="pledge"))

    assert (line.name, line.email) == ("", "")
    assert (show_payment(context, line.entry).line.name, line.email) == ("", "")
    assert find_payments(context, PaymentQuery(kind="gift")) == []
    with pytest.raises(NotFound):
        find_payments(context, PaymentQuery(), member="nobody")
