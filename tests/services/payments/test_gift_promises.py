"""Gifts on the way: announced on the website, booked when they arrive."""

from datetime import date

import pytest

from jara.domain.errors import DuplicateEntry, NotFound
from jara.domain.giving.payment_way import PaymentWay
from jara.services.context import Context
from jara.services.giving.gifts import GiftForm
from jara.services.operations.upkeep import delete_expired
from jara.services.payments.gift_promises import (
    GIFT_PROMISES_KEPT,
    list_gift_promises,
    promise_gift,
)
from jara.services.payments.receiving import receive
from jara.services.payments.ways import set_way
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import clock_of
from tests.services.bank.bank_books import take, waiting
from tests.services.books.ledger_builders import all_entries, money_findings
from tests.services.members.codes_world import ADDRESS, LIMITS
from tests.services.news.news_world import Mailbox

GIVER = "giver@example.org"

pytestmark = pytest.mark.usefixtures("cash")


def announce(
    context: Context,
    way: PaymentWay = PaymentWay.CASH,
    key: str | None = None,
    *,
    email: str = GIVER,
) -> str:
    """Announce a gift of $25; return its reference."""
    form = GiftForm(2500, email, "Kofi", "", "fr")
    return promise_gift(context, LIMITS, form, way, address=ADDRESS, key=key, body=b"{}").reference


def emails(context: Context) -> list[tuple[str, str, object]]:
    """Return the emails: kind, address and amount."""
    with context.store.read() as work:
        return [(one.kind, one.address, one.doc.get("amountCents")) for one in work.outbox.all()]


def test_a_gift_is_booked_when_it_arrives(context: Context) -> None:
    """It is no money before; then it is a gift of what arrived, split, with a receipt."""
    reference = announce(context, key="a-key-of-a-browser")
    assert announce(context, key="a-key-of-a-browser") == reference
    assert all_entries(context) == []
    posted = receive(context, reference, 2000).posted

    assert (posted.entry.kind, posted.entry.source, posted.entry.member_key) == (
        "gift",
        "cash",
        None,
    )
    assert {one.account for one in posted.entry.postings} == {"assets:cash", "income:gifts"}
    assert emails(context) == [("how_to_pay", GIVER, 2500), ("gift_receipt", GIVER, 2000)]
    assert [one.arrived_on for one in list_gift_promises(context)] == [context.today()]
    assert money_findings(context) == []


def test_a_way_that_is_not_offered_takes_no_gift(context: Context) -> None:
    """Nothing is kept, and the limit is given back."""
    for _ in range(5):
        with pytest.raises(NotFound):
            announce(context, PaymentWay.MOBILE)

    assert list_gift_promises(context) == []


def test_a_gift_on_the_way_is_forgotten(context: Context) -> None:
    """What givers typed stays for half a year."""
    announce(context)
    clock_of(context).advance(days=GIFT_PROMISES_KEPT.days + 1)

    assert delete_expired(context, Mailbox())["gifts"] == 1
    assert list_gift_promises(context) == []


def test_a_line_with_the_reference_books_the_gift_once(context: Context) -> None:
    """Also if an operator booked it before, and if the same statement comes again."""
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="")
    one, two = announce(context, PaymentWay.TRANSFER), announce(context, PaymentWay.TRANSFER)
    receive(context, two, 2500, day=date(2026, 5, 5))
    lines = [a_line(2500, f"GIFT {one}", day=4), a_line(2500, f"GIFT {two}", day=5)]
    for _ in range(2):
        take(context, a_statement(*lines))

    kinds = [entry.kind for entry in all_entries(context)]
    assert (kinds, waiting(context)) == (["gift", "gift"], [])
    with pytest.raises(DuplicateEntry):
        receive(context, two, 2500)
    receive(context, two, 2500, name="second envelope")
    assert money_findings(context) == []


def test_money_out_with_the_reference_waits(context: Context) -> None:
    """A refund is booked by a person."""
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="")
    reference = announce(context, PaymentWay.TRANSFER)
    take(context, a_statement(a_line(-2500, f"BACK {reference}", day=4)))

    ((_, reason),) = waiting(context)
    assert "It is money out that names the gift" in reason
