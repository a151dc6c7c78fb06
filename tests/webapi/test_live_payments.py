"""Joining and giving with keys set: every step through the API, every event by webhook."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import AccountType
from jara.domain.books.journal import total_of
from jara.services.charging import refresh_pledges
from jara.services.importing import collect_movements
from jara.services.mailing import list_outbox
from jara.services.notice_rounds import write_notices
from jara.services.ports.books import EntryQuery
from jara.services.reconciling import reconcile
from jara.services.sessions import start_session
from jara.services.verification import verify_books
from tests.payments.stripe_world import instant
from tests.webapi.live_desk import CONTACT, LiveDesk, open_live_desk


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveDesk]:
    """An organisation with live payments, on 31 January 2026."""
    with open_live_desk(tmp_path) as opened:
        yield opened


def income(live: LiveDesk) -> list[tuple[str, int]]:
    """Return kind and income of every entry that has some."""
    with live.application.context.store.read() as work:
        entries = [posted.entry for posted in work.journal.entries(EntryQuery())]
    found = [(entry.kind.value, -total_of(entry, AccountType.INCOME)) for entry in entries]
    return sorted((kind, cents) for kind, cents in found if cents)


def sign_in_again(live: LiveDesk, email: str) -> str:
    """Return a token of the day, after time has passed."""
    context = live.application.context
    with context.store.read() as work:
        member = work.members.by_email(email)
    assert member is not None
    return start_session(context, live.application.tokens, member)


def letters(live: LiveDesk) -> list[str]:
    """Return the kinds of all letters so far."""
    return [letter.kind for letter in list_outbox(live.application.context, include_sent=True)]


def is_sound(live: LiveDesk) -> None:
    """See that the books agree with themselves and with Stripe."""
    assert [] == [*verify_books(live.application.context).findings]
    assert reconcile(live.application.context).ok


def test_somebody_joins_and_is_charged(live: LiveDesk) -> None:
    """201 at once; the books follow the balance transaction, by webhook (money §2)."""
    answer = live.register(contribution="25", email="ama@example.org")

    assert 201 == answer.status_code, answer.json
    token = answer.json["token"]
    assert "active" == live.status_of(token) == answer.json["user"]["pledgeStatus"]
    assert [] == income(live)
    live.world.double.advance(minutes=1)
    assert 0 == live.listen().failed
    assert [("pledge", 2500)] == income(live)
    shown = live.get("/user/contributions", token=token).json
    assert [2500] == [one["amountCents"] for one in shown]
    assert 1 == live.get("/user/all-users").json["total"]
    assert {"welcome", "receipt"} == set(letters(live))
    outbox = list_outbox(live.application.context, include_sent=True)
    assert not any("sandbox" in letter.doc for letter in outbox)
    is_sound(live)


@pytest.mark.parametrize("day", ["current", "28"])
@pytest.mark.parametrize(
    "card", ["pm_card_authenticationRequired", "pm_card_authenticationRequiredOnSetup"]
)
def test_a_cardholder_confirms_while_the_client_polls(live: LiveDesk, day: str, card: str) -> None:
    """202 with the right kind of intent; get-profile tells when it is done, without a webhook."""
    answer = live.register(card, billingDay=day)

    assert 202 == answer.status_code, answer.json
    assert ("setup" if day == "28" else "payment") == answer.json["intentType"]
    token = answer.json["token"]
    assert "incomplete" == live.status_of(token)
    live.world.double.confirm(answer.json["clientSecret"])
    assert "active" == live.status_of(token)
    live.world.double.advance(minutes=1)
    assert 0 == live.listen().failed
    assert ([] if day == "28" else [("pledge", 1000)]) == income(live)


def test_a_provider_that_is_away_keeps_nobody_from_their_profile(live: LiveDesk) -> None:
    """The pledge is shown as we know it; what needs the provider is 502, and changes nothing."""
    answer = live.register("pm_card_authenticationRequired")
    asked, token = answer.json["token"], live.register().json["token"]
    live.world.double.confirm(answer.json["clientSecret"])
    live.world.double.fault("", "500", times=1000)

    assert "incomplete" == live.status_of(asked)
    amount = {"subscriptionAmount": 20}
    for refused in (
        live.get("/billing", token=token),
        live.put("/user/update-subscription", amount, token=token),
        live.put("/user/pledge", {"canceled": True}, token=token),
        live.delete("/user/delete-account", token=token),
    ):
        assert (502, "payment_provider_failed") == (refused.status_code, refused.json["code"])
    live.world.double.service.faults.clear()

    assert "active" == live.status_of(asked) == live.status_of(token)
    assert 10 == live.get("/user/get-profile", token=token).json["user"]["subscriptionAmount"]


def test_a_cardholder_who_closes_the_page_is_found_by_webhook(live: LiveDesk) -> None:
    """Nobody polls; the event confirms the pledge."""
    answer = live.register("pm_card_authenticationRequired", email="ama@example.org")
    live.world.double.confirm(answer.json["clientSecret"])
    live.world.double.advance(minutes=1)

    live.listen()

    with live.application.context.store.read() as work:
        (pledge,) = work.pledges.all()
        assert [] == work.registrations.all()
    assert "active" == pledge.state
    assert [("pledge", 1000)] == income(live)


def test_a_cardholder_who_refuses_stays_incomplete_and_ends(live: LiveDesk) -> None:
    """The failed confirmation gives no vote, and a day later nothing is left running."""
    answer = live.register("pm_card_authenticationRequired")
    live.world.double.confirm(answer.json["clientSecret"], succeed=False)

    assert 0 == live.listen().failed
    assert "incomplete" == live.status_of(answer.json["token"])
    live.world.double.advance(hours=24)
    live.listen()
    assert [] == income(live)
    assert 0 == live.get("/user/all-users").json["total"]


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("pm_card_chargeDeclined", "Your card was declined."),
        ("pm_card_chargeDeclinedInsufficientFunds", "Your card has insufficient funds."),
        ("pm_card_chargeCustomerFail", "Your card was declined."),
    ],
)
def test_a_declined_card_leaves_nothing(live: LiveDesk, card: str, message: str) -> None:
    """402 with Stripe's sentence; the same person joins with another card."""
    declined = live.register(card, email="ama@example.org")

    assert 402 == declined.status_code
    assert message == declined.json["message"]
    live.world.double.advance(minutes=10)
    assert 0 == live.listen().failed
    with live.application.context.store.read() as work:
        assert ([], []) == (list(work.members.all()), work.registrations.all())
    assert 201 == live.register(email="ama@example.org").status_code


def test_a_later_billing_day_is_charged_on_that_day(live: LiveDesk) -> None:
    """Active at once, nothing charged and no vote before the day (money §2)."""
    answer = live.register(billingDay="28", email="ama@example.org")

    assert 201 == answer.status_code
    user = answer.json["user"]
    assert ("active", "2026-02-28") == (user["pledgeStatus"], user["nextChargeOn"])
    live.world.double.advance_to(instant(2026, 2, 28, 12, 30))
    live.listen()
    assert [] == income(live)
    live.world.double.advance_to(instant(2026, 2, 28, 15))
    live.listen()
    assert [("pledge", 1000)] == income(live)
    token = sign_in_again(live, "ama@example.org")
    profile = live.get("/user/get-profile", token=token).json["user"]
    assert "2026-03-28" == profile["nextChargeOn"]


def test_renewals_failures_and_retries(live: LiveDesk) -> None:
    """A refused renewal is past due, the retry that succeeds makes it active again."""
    assert 201 == live.register(email="ama@example.org").status_code
    with live.application.context.store.read() as work:
        (pledge,) = work.pledges.all()
    customer, gateway = str(pledge.customer_id), live.world.gateway
    live.world.double.advance_to(instant(2026, 2, 20))
    live.listen()
    gateway.set_card(customer, live.make_card("pm_card_chargeCustomerFail"))
    live.world.double.advance_to(instant(2026, 3, 1))
    live.listen()
    assert "past_due" == live.status_of(sign_in_again(live, "ama@example.org"))
    assert [("pledge", 1000)] == income(live)

    gateway.set_card(customer, live.make_card("pm_card_visa"))
    live.world.double.advance_to(instant(2026, 3, 10))
    assert 0 == live.listen().failed

    assert "active" == live.status_of(sign_in_again(live, "ama@example.org"))
    assert [("pledge", 1000), ("pledge", 1000)] == income(live)
    is_sound(live)


def test_a_pledge_that_fails_to_the_end_is_cancelled(live: LiveDesk) -> None:
    """Stripe gives up after its retries, and so do we; nothing is owed."""
    assert 201 == live.register(email="ama@example.org").status_code
    with live.application.context.store.read() as work:
        (pledge,) = work.pledges.all()
    card = live.make_card("pm_card_chargeCustomerFail")
    live.world.gateway.set_card(str(pledge.customer_id), card)

    live.world.double.advance_to(instant(2026, 4, 15))
    assert 0 == live.listen().failed

    assert "canceled" == live.status_of(sign_in_again(live, "ama@example.org"))
    assert [("pledge", 1000)] == income(live)


def test_a_renewal_that_asks_sends_one_mail_with_the_page(live: LiveDesk) -> None:
    """Stripe's page to confirm on; none while joining, one for each renewal (money §12)."""
    answer = live.register("pm_card_authenticationRequired", email="ama@example.org")
    live.listen()
    assert "confirm_renewal" not in letters(live)
    live.world.double.confirm(answer.json["clientSecret"])
    live.listen()

    live.world.double.advance_to(instant(2026, 3, 1))
    asked = live.world.double.deliveries()
    for body, signature in asked * 2:
        assert 200 == live.hear(body, signature).status_code
    live.work()

    assert 1 == letters(live).count("confirm_renewal")
    (letter,) = (
        one for one in list_outbox(live.application.context) if one.kind == "confirm_renewal"
    )
    assert letter.doc["link"].startswith("https://invoice.stripe.com/")
    assert ("ama@example.org", "$10") == (letter.address, letter.doc["amount"])


def test_refunds_disputes_and_payouts_come_by_webhook(live: LiveDesk) -> None:
    """Made at Stripe, not by us: each is in the books once its event was worked on."""
    for number in range(3):
        assert 201 == live.register(email=f"giver{number}@example.org").status_code
    live.world.double.advance(minutes=1)
    live.listen()
    charges = [str(row.charge_id) for row in live.world.gateway.rows()]
    double = live.world.double
    live.world.gateway.refund(charges[0], 400, key="dashboard")
    lost, won = double.dispute(charges[1]), double.dispute(charges[2])
    live.listen()
    double.settle_dispute(lost, won=False)
    double.settle_dispute(won, won=True)
    double.advance(days=8)

    assert 0 == live.listen().failed

    outcome = collect_movements(live.application.context)
    assert (0, ()) == (outcome.posted, outcome.rejected)
    kinds = [kind for kind, _ in income(live)]
    assert (3, 1, 2, 1) == tuple(
        kinds.count(kind) for kind in ("pledge", "refund", "dispute", "dispute_reversal")
    )
    assert 3000 - 400 - 1000 == sum(cents for _, cents in income(live))
    is_sound(live)


def test_a_fraud_warning_reaches_the_operators(live: LiveDesk) -> None:
    """A letter to the organisation and a line in the audit log (money §6)."""
    assert 201 == live.register().status_code
    live.world.double.advance(minutes=1)
    live.listen()
    (charge,) = (str(row.charge_id) for row in live.world.gateway.rows())

    live.world.double.warn_of_fraud(charge)
    live.listen()

    (letter,) = (
        one for one in list_outbox(live.application.context) if one.kind == "fraud_warning"
    )
    assert (CONTACT, charge) == (letter.address, letter.doc["charge"])
    with live.application.context.store.read() as work:
        (row,) = (one for one in work.operations.audit() if one.action.endswith("fraud-warning"))
    assert ("scheduler", charge) == (row.operator, row.subject)


def test_a_customer_deleted_at_stripe_gives_no_more(live: LiveDesk) -> None:
    """An operator deletes a customer in Stripe's dashboard; the pledge ends here too."""
    assert 201 == live.register(email="ama@example.org").status_code
    live.listen()
    with live.application.context.store.read() as work:
        (pledge,) = work.pledges.all()

    live.world.gateway.delete_customer(str(pledge.customer_id))
    assert 0 == live.listen().failed

    assert "canceled" == live.status_of(sign_in_again(live, "ama@example.org"))


def test_joining_that_was_cut_off_is_finished_by_an_event(live: LiveDesk) -> None:
    """Stripe charged and we fell silent: the next event opens the account (trust §3)."""
    live.world.double.fault("GET /v1/subscriptions/", "before")
    answer = live.register(email="ama@example.org")
    assert 502 == answer.status_code
    live.world.double.advance(minutes=1)
    assert 0 < live.hear_all()

    first = live.work()

    assert 0 == first.failed < first.postponed
    with live.application.context.store.read() as work:
        assert [] == list(work.members.all())
    live.world.double.advance(minutes=6)
    live.listen()
    live.work()
    assert "active" == live.status_of(sign_in_again(live, "ama@example.org"))
    is_sound(live)


def test_an_unfinished_confirmation_survives_a_provider_that_is_away(live: LiveDesk) -> None:
    """Events that fail are worked on later, when they come again or are due."""
    answer = live.register()
    assert 201 == answer.status_code
    live.world.double.advance(minutes=1)
    waiting = live.world.double.deliveries()
    for body, signature in waiting:
        live.hear(body, signature)
    live.world.double.fault("GET", "500", times=500)
    assert 0 < live.work().failed
    live.world.double.service.faults.clear()

    for body, signature in waiting:
        live.hear(body, signature)
    live.clock.set(instant(2026, 1, 31, 10, 0))
    live.work()

    assert [("pledge", 1000)] == income(live)
    with live.application.context.store.read() as work:
        assert [] == work.provider_events.failures()


def test_a_card_that_expires_soon_is_announced(live: LiveDesk) -> None:
    """Its month is read with the subscription; another card ends the worry (money §3)."""
    assert 201 == live.register(email="ama@example.org").status_code
    context, double = live.application.context, live.world.double
    with context.store.read() as work:
        (pledge,) = work.pledges.all()
    assert date(2034, 12, 31) == pledge.card_expires_on
    card = double.account.all("payment_method")[0]["card"]
    card |= {"exp_month": 2, "exp_year": 2026}

    refresh_pledges(context)
    assert 0 == write_notices(context)["card_expiring"]  # it was written with what was read
    (letter,) = (one for one in list_outbox(context) if one.kind == "card_expiring")
    assert "28 February 2026" == letter.doc["day"]
    live.world.gateway.set_card(str(pledge.customer_id), live.make_card())
    refresh_pledges(context)
    with context.store.read() as work:
        (pledge,) = work.pledges.all()
    assert date(2034, 12, 31) == pledge.card_expires_on
