"""Every refund is mailed to its giver, however it was paid; nothing else is called a refund."""

from pathlib import Path

import pytest

from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.mail.rendering import render
from jara.records.operations import Email
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge
from jara.services.payments.importing import collect_movements
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.refunding import Refunded, refund_payment
from jara.services.payments.ways import set_way
from tests.harness import clock_of, make_organisation
from tests.mail.emails_for_tests import IDENTITY
from tests.services.giving.joiners import give_as_guest, join, sandbox_of

WAYS = [way for way in PaymentWay if way is not PaymentWay.CARD]


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that takes every way to pay; it is 20 November 2026."""
    context = make_organisation(place)
    for way in WAYS:
        with context.store.write() as work:
            work.book_settings.put_account(f"assets:{way}", kind="assets", meaning="Money.")
        set_way(context, way, ledger=f"assets:{way}", details="At the office.")
    return context


def emails(context: Context) -> list[Email]:
    """Return the emails about refunds."""
    letters = [email for email in context.store.read_once().outbox.all() if email.kind == "refund"]
    return sorted(letters, key=lambda email: int(email.doc["amountCents"]))


def payer(context: Context, way: PaymentWay) -> tuple[Member, str]:
    """Return a member who pays $10 in this way, and the payment's id."""
    member = join(context).member
    if way is not PaymentWay.CARD:
        cancel_pledge(context, member.id)
        promise(context, member.id, dollars=10, way=way)
        receive(context, member.id, 1000, name="a")
    return member, str(context.store.read_once().payments.of_member(member.key)[-1].source_id)


def give_back(context: Context, payment: str, cents: int) -> Refunded:
    """Refund a part of a payment, and book what the provider did."""
    refunded = refund_payment(context, payment, cents=cents, why="asked")
    collect_movements(context)
    assert isinstance(refunded, Refunded)
    return refunded


@pytest.mark.parametrize("way", list(PaymentWay))
def test_a_refund_is_mailed_to_its_giver(context: Context, way: PaymentWay) -> None:
    """Each part is mailed once, with its day, its sum and the payment that it belongs to."""
    member, payment = payer(context, way)
    clock_of(context).advance(days=3)
    for cents in (400, 600):
        give_back(context, payment, cents)
        collect_movements(context)

    letters = emails(context)
    assert [(one.address, one.member_id) for one in letters] == [(member.email, member.id)] * 2
    keys = ("amountCents", "paidCents", "paidOn", "day", "way")
    assert [[one.doc[key] for key in keys] for one in letters] == [
        [cents, 1000, "2026-11-20", "2026-11-23", way.phrase] for cents in (400, 600)
    ]
    text = render("refund", letters[0].doc, IDENTITY).text
    assert "$4.00" in text
    assert "23 November" in text


def test_a_giver_without_an_account_is_mailed(context: Context) -> None:
    """The provider names the address of a gift, also for its refund."""
    give_as_guest(context)
    collect_movements(context)
    with context.store.read() as work:
        [payment] = work.payments.all()
    give_back(context, str(payment.source_id), 500)

    [letter] = emails(context)
    assert (letter.address, letter.member_id) == ("guest@example.org", None)
    assert (letter.doc["amountCents"], letter.doc["firstname"]) == (500, "")


def test_a_dispute_is_no_refund(context: Context) -> None:
    """The giver's bank took the money back; we gave nothing."""
    _, payment = payer(context, PaymentWay.CARD)
    sandbox_of(context).dispute(payment)
    collect_movements(context)

    assert emails(context) == []


def test_a_refund_booked_by_mistake_is_not_mailed(context: Context) -> None:
    """The email of a reversed refund is withdrawn if it was not sent."""
    _, payment = payer(context, PaymentWay.CASH)
    refunded = give_back(context, payment, 1000)
    reverse_entry(context, refunded.refund_id, why="not paid out")

    assert emails(context) == []


def test_an_old_refund_of_a_file_is_not_mailed(context: Context) -> None:
    """Like a receipt, an email about a refund is not written weeks later."""
    _, payment = payer(context, PaymentWay.CARD)
    sandbox_of(context).refund(payment, 1000, key="dashboard")
    clock_of(context).advance(days=30)
    collect_movements(context)

    assert context.store.read_once().payments.by_source([payment])[payment].returned_cents == 1000
    assert emails(context) == []
