"""Live payments: renewals, refunds, disputes and cards, each event by webhook."""

from __future__ import annotations

from datetime import date

from jara.services.notices.outbox import list_outbox
from jara.services.operations.email_run import queue_due_emails
from jara.services.payments.charging import refresh_pledges
from tests.payments.stripe_world import instant
from tests.sent_emails import newest_email
from tests.webapi.payments.live_desk import (
    CONTACT,
    LiveDesk,
    emails,
    sign_in_again,
)


def test_a_renewal_that_asks_sends_one_mail_with_the_page(live: LiveDesk) -> None:
    """The email links to Stripe's page: none while joining, one for each renewal."""
    answer = live.register("pm_card_authenticationRequired", email="ama@example.org")
    live.listen()
    assert "confirm_renewal" not in emails(live)
    live.world.double.confirm(answer.json["clientSecret"])
    live.listen()

    live.world.double.advance_to(instant(2026, 3, 1))
    asked = live.world.double.deliveries()
    for body, signature in asked * 2:
        assert live.deliver(body, signature).status_code == 200
    live.work()

    assert emails(live).count("confirm_renewal") == 1
    email = newest_email(live.application.context, "confirm_renewal")
    assert email.doc["link"].startswith("https://invoice.stripe.com/")
    assert (email.address, email.doc["amountCents"]) == ("ama@example.org", 1000)


def test_a_fraud_warning_reaches_the_operators(live: LiveDesk) -> None:
    """The organisation gets an email and the audit log a line."""
    assert live.register().status_code == 201
    live.world.double.advance(minutes=1)
    live.listen()
    (charge,) = (str(row.charge_id) for row in live.world.gateway.rows())

    live.world.double.warn_of_fraud(charge)
    live.listen()

    (email,) = (one for one in list_outbox(live.application.context) if one.kind == "fraud_warning")
    assert (email.address, email.doc["charge"]) == (CONTACT, charge)
    with live.application.context.store.read() as work:
        (row,) = (one for one in work.operations.audit() if one.action.endswith("fraud-warning"))
    assert (row.operator, row.subject) == ("scheduler", charge)


def test_a_customer_deleted_at_stripe_gives_no_more(live: LiveDesk) -> None:
    """If a customer is deleted in Stripe's dashboard, Jara ends the pledge."""
    assert live.register(email="ama@example.org").status_code == 201
    live.listen()
    with live.application.context.store.read() as work:
        (pledge,) = work.pledges.all()

    live.world.gateway.delete_customer(str(pledge.customer_id))
    assert live.listen().failed == 0

    assert live.status_of(sign_in_again(live, "ama@example.org")) == "canceled"


def test_a_card_that_expires_soon_is_announced(live: LiveDesk) -> None:
    """The expiry month is read with the subscription, and a new card ends the warning."""
    assert live.register(email="ama@example.org").status_code == 201
    context, double = live.application.context, live.world.double
    with context.store.read() as work:
        (pledge,) = work.pledges.all()
    assert pledge.card_expires_on == date(2034, 12, 31)
    card = double.account.all("payment_method")[0]["card"]
    card |= {"exp_month": 2, "exp_year": 2026}

    refresh_pledges(context)
    assert queue_due_emails(context)["card_expiring"] == 0  # the refresh wrote the email
    (email,) = (one for one in list_outbox(context) if one.kind == "card_expiring")
    assert email.doc["day"] == "2026-02-28"
    live.world.gateway.set_card(str(pledge.customer_id), live.make_card())
    refresh_pledges(context)
    with context.store.read() as work:
        (pledge,) = work.pledges.all()
    assert pledge.card_expires_on == date(2034, 12, 31)
