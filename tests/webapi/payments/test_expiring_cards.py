"""A card that expires soon: its month is read from Stripe with the subscription."""

from datetime import date

from jara.services.notices.outbox import list_outbox
from jara.services.operations.daily_run import queue_due_emails
from jara.services.payments.charging import refresh_pledges
from tests.webapi.payments.live_desk import LiveDesk


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
