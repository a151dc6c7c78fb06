"""Joining is a saga: nobody is charged without an account, or twice."""

from datetime import UTC, date, datetime

import pytest

from jara.domain.errors import CardDeclined, EmailTaken, InvalidInput, JaraError
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.pledge import PledgeState
from jara.records.people import PendingRegistration
from jara.services.context import Context
from jara.services.giving.joining import (
    finish_registrations,
    is_email_available,
    member_of,
    register,
)
from jara.services.giving.pledging import find_pledge
from jara.services.ports.payments import IntentType, PaymentOutcome
from tests.harness import EVERY_BILLING_DAY, clock_of
from tests.services.giving import joiners
from tests.services.giving.joiners import EMAIL, join


def test_a_paid_sign_up_creates_a_member_at_once(context: Context) -> None:
    """One transaction writes the account, its pledge, its consents and its email."""
    started = join(context, notifications=True, contribution="15")

    assert PaymentOutcome.PAID is started.outcome
    assert (started.pledge.dollars, started.pledge.state) == (15, PledgeState.ACTIVE)
    with context.store.read() as work:
        assert started.member == work.members.by_email(EMAIL)
        assert started.pledge == work.pledges.get(started.member.id)
        assert [c.purpose for c in work.members.consents(started.member.id)] == [
            "notifications",
            "privacy_policy",
        ]
        assert [email.kind for email in work.outbox.all()] == ["welcome", "receipt"]
        assert [p.cents for p in work.payments.of_member(started.member.key)] == [1500]
        assert work.registrations.all() == []
    assert not is_email_available(context, "AMA@example.org")


def test_a_member_keeps_the_language_of_the_page(context: Context) -> None:
    """A stored registration keeps the language; one stored without a language is English."""
    joined = join(context, language="fr").member
    at = datetime(2026, 11, 20, tzinfo=UTC)
    old = {"firstname": "Ama", "lastname": "Ba", "country": "Togo", "notifications": False}
    pending = PendingRegistration("r1", EMAIL, "m1", "k1", at, old)

    assert (joined.language, member_of(pending).language) == ("fr", "en")


@pytest.mark.parametrize("day", EVERY_BILLING_DAY)
def test_every_billing_day_charges_when_it_says(context: Context, day: BillingDay) -> None:
    """Today is charged immediately; the 1st and the 28th are charged on their day."""
    started = join(context, billing_day=day.value)

    expected = {
        BillingDay.CURRENT: (1000, date(2026, 12, 20)),
        BillingDay.FIRST: (0, date(2026, 12, 1)),
        BillingDay.TWENTY_EIGHTH: (0, date(2026, 11, 28)),
    }
    assert expected[day] == (joiners.charged_cents(context), started.pledge.next_charge_on)
    assert PledgeState.ACTIVE is started.pledge.state


@pytest.mark.parametrize("card", ["pm_card_chargeDeclined", joiners.FAILS])
def test_after_a_decline_nothing_claims_the_email(context: Context, card: str) -> None:
    """A declined card leaves no member, no customer, no row."""
    with pytest.raises(CardDeclined, match="Your card"):
        join(context, card=card)

    assert joiners.leftovers(context) == []
    assert is_email_available(context, EMAIL)
    assert PaymentOutcome.PAID is join(context, password="another word").outcome


def test_an_unknown_card_leaves_nothing(context: Context) -> None:
    """Any other refusal of the card ends the registration too."""
    with pytest.raises(InvalidInput, match="sandbox"):
        join(context, card="pm_1Nx")

    assert joiners.leftovers(context) == []


@pytest.mark.parametrize(
    ("day", "intent"), [("current", IntentType.PAYMENT), ("1", IntentType.SETUP)]
)
def test_until_the_card_is_confirmed_the_email_is_free(
    context: Context, day: str, intent: IntentType
) -> None:
    """The account waits, and its address stays free until the card is confirmed."""
    started = join(context, card=joiners.ASKS, billing_day=day)

    assert (started.outcome, started.intent_type) == (PaymentOutcome.REQUIRES_ACTION, intent)
    assert PledgeState.INCOMPLETE is started.pledge.state
    assert is_email_available(context, EMAIL)

    joiners.sandbox_of(context).confirm(started.client_secret or "", succeed=True)
    clock_of(context).advance(minutes=6)
    assert finish_registrations(context).finished == 1

    assert not is_email_available(context, EMAIL)
    assert PledgeState.ACTIVE is find_pledge(context, started.member.id).state


def test_the_same_person_may_join_again(context: Context) -> None:
    """The same password continues the registration; the first card is discarded."""
    first = join(context, card=joiners.ASKS)

    second = join(context, card="pm_card_visa", contribution=20)

    assert PaymentOutcome.PAID is second.outcome
    assert joiners.charged_cents(context) == 2000
    with context.store.read() as work:
        assert list(work.members.all()) == [second.member]
    with pytest.raises(JaraError):
        joiners.sandbox_of(context).confirm(first.client_secret or "", succeed=True)
    assert joiners.charged_cents(context) == 2000


def test_joining_again_after_paying_charges_once(context: Context) -> None:
    """If the answer to a confirmation was lost, the payment is found at the provider."""
    first = join(context, card=joiners.ASKS)
    joiners.sandbox_of(context).confirm(first.client_secret or "", succeed=True)

    again = join(context, card="pm_card_visa")

    assert (again.outcome, again.member) == (PaymentOutcome.PAID, first.member)
    assert joiners.charged_cents(context) == 1000


def test_another_password_takes_nothing_over(context: Context) -> None:
    """Another password cannot continue a waiting registration."""
    join(context, card=joiners.ASKS)

    with pytest.raises(EmailTaken):
        join(context, password="another word")

    with context.store.read() as work:
        assert len(work.registrations.all()) == 1


def test_a_form_with_faults_reaches_nobody(context: Context) -> None:
    """Every field is checked before anything is stored or charged."""
    with pytest.raises(InvalidInput) as refusal:
        register(context, joiners.form("no address", contribution=4), payment_method="pm_card_visa")

    assert set(refusal.value.fields) == {"email", "contribution"}
    assert joiners.leftovers(context) == []
