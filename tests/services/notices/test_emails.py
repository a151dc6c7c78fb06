"""Notices: each email once, to the right members, as they agreed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving.subscription_sync import keep_pledge
from jara.services.notices.choices import unsubscribe
from jara.services.notices.emails import (
    queue_account_closed,
    queue_newsletter_confirmation,
    queue_password_reset,
    queue_welcome,
)
from jara.services.notices.links import unsubscribe_url
from jara.services.notices.outbox import list_outbox
from jara.services.operations.email_run import queue_due_emails
from tests.harness import clock_of
from tests.sent_emails import newest_email
from tests.services.notices.noticed_members import AN_AGE, add_member, add_pledge, kinds, pay


def test_nobody_gets_anything_without_a_reason(context: Context) -> None:
    """Long-standing members with running pledges get no email."""
    add_pledge(context, add_member(context))
    add_member(context, "kofi")

    assert queue_due_emails(context) == Counter()


def test_a_new_member_is_welcomed_once(context: Context) -> None:
    """The round of notices welcomes members who were not welcomed on joining, once each."""
    member = add_member(context, joined_ago=timedelta(days=1))
    pledge = add_pledge(context, member, next_charge_on=None)
    with context.store.write() as work:
        assert queue_welcome(context, work, member, pledge)
    other = add_member(context, "kofi", joined_ago=timedelta(days=1))
    add_pledge(context, other)

    assert queue_due_emails(context) == Counter({"welcome": 1})
    assert queue_due_emails(context) == Counter()
    assert kinds(context) == ["welcome", "welcome"]


def test_an_unconfirmed_card_is_not_welcomed_yet(context: Context) -> None:
    """A member whose card is not confirmed gets no welcome email."""
    add_pledge(context, add_member(context, joined_ago=timedelta()), state=PledgeState.INCOMPLETE)

    assert queue_due_emails(context) == Counter()


@pytest.mark.parametrize(("days", "emails"), [(0, 0), (1, 1), (3, 1), (4, 0)])
def test_the_first_charge_of_a_later_day_is_announced(
    context: Context, days: int, emails: int
) -> None:
    """A member who chose a later day gets an email within the three days before it."""
    first = context.today() + timedelta(days=days)
    member = add_member(context)
    add_pledge(context, member, anchor_on=first, next_charge_on=first)

    assert queue_due_emails(context)["first_charge"] == emails
    assert queue_due_emails(context)["first_charge"] == 0


def test_a_moved_day_is_no_first_charge(context: Context) -> None:
    """After a payment, no email announces a first charge."""
    first = context.today() + timedelta(days=2)
    member = add_member(context)
    add_pledge(context, member, anchor_on=first, next_charge_on=first)
    pay(context, member.key)

    assert queue_due_emails(context)["first_charge"] == 0


def test_every_payment_of_a_member_has_a_receipt(context: Context) -> None:
    """The entry queues it, except for former members, non-members and old payments."""
    member = add_member(context, notifications=False)
    pay(context, member.key)
    pay(context, "k_gone")
    pay(context, None)
    pay(context, member.key, day=context.today() - timedelta(days=8))

    assert kinds(context) == ["receipt"]
    assert queue_due_emails(context) == Counter()
    (email,) = list_outbox(context)
    assert (email.doc["amountCents"], email.doc["sandbox"]) == (1000, "yes")
    assert email.doc["day"] == "2026-11-20"


def test_a_receipt_that_is_missing_is_written_by_the_round(context: Context) -> None:
    """The round looks a week back and writes receipts that no transaction has written."""
    member = add_member(context)
    pay(context, member.key)
    pay(context, None)
    with context.store.write() as work:
        work.outbox.erase_member(member.id)

    assert queue_due_emails(context) == Counter({"receipt": 1})
    assert queue_due_emails(context) == Counter()


def test_the_email_about_a_change_is_queued_in_its_transaction(context: Context) -> None:
    """A new amount and a failed charge each queue one email in the transaction of the change."""
    member = add_member(context, notifications=False)
    pledge = add_pledge(context, member)
    clock_of(context).advance(days=30)
    worse = replace(pledge, dollars=25, state=PledgeState.PAST_DUE, past_due_since=context.now())
    with context.store.write() as work:
        keep_pledge(context, work, worse)
        keep_pledge(context, work, worse)

    assert kinds(context) == ["amount_changed", "charge_failed"]
    assert queue_due_emails(context) == Counter()


def test_unsubscribing_by_link_is_recorded(context: Context) -> None:
    """The withdrawal of a consent is stored with its wording, time and place."""
    member = add_member(context)
    link = unsubscribe_url(context, member.email)
    for _ in range(2):
        unsubscribe(context, link.partition("code=")[2])

    with context.store.read() as work:
        (consent,) = work.members.consents(member.id)
    assert (
        consent.purpose,
        consent.given,
        consent.source,
        consent.at,
    ) == ("notifications", False, "link in an email", context.now())


def test_a_failed_charge_has_one_email_for_each_attempt(context: Context) -> None:
    """One is sent immediately and on each retry day, except the last, which ends the pledge."""
    member = add_member(context)
    add_pledge(context, member, state=PledgeState.PAST_DUE, past_due_since=context.now())
    failed_on = context.today()
    pay(context, member.key, day=failed_on - timedelta(days=30))
    told: list[tuple[object, object]] = []
    for _ in range(30):
        queue_due_emails(context)
        told = [
            (email.doc["attempts"], email.doc["restsOn"])
            for email in reversed(list_outbox(context))
            if email.kind == "charge_failed"
        ]
        clock_of(context).advance(days=1)

    coming = [(failed_on + timedelta(days=days)).isoformat() for days in (7, 14, 21)]
    rests_on = (date.fromisoformat(coming[1]) - timedelta(days=1)).isoformat()
    assert told == [(coming, rests_on), (coming[1:], rests_on), (coming[2:], "")]


def test_a_changed_amount_is_confirmed(context: Context) -> None:
    """Every recent change is confirmed by email, even if somebody else made it."""
    member = add_member(context)
    pledge = add_pledge(context, member)
    clock_of(context).advance(days=30)
    with context.store.write() as work:
        changed = replace(pledge, dollars=25, next_charge_on=context.today() + AN_AGE)
        work.pledges.put(changed, member_key=member.key, at=context.now())

    assert queue_due_emails(context) == Counter({"amount_changed": 1})
    assert queue_due_emails(context) == Counter()
    (email,) = list_outbox(context)
    assert (email.doc["beforeCents"], email.doc["afterCents"]) == (1000, 2500)
    clock_of(context).advance(days=8)
    assert queue_due_emails(context) == Counter()


def test_emails_that_a_person_asked_for(context: Context) -> None:
    """Reset, confirmation and goodbye emails contain their links and can be rendered."""
    member = add_member(context)
    with context.store.write() as work:
        queue_password_reset(context, work, member, code="c1", minutes=30)
        queue_newsletter_confirmation(context, work, address="new@example.org", code="c2")
        queue_account_closed(context, work, member)

    assert kinds(context) == ["account_closed", "newsletter_confirmation", "password_reset"]
    links = {
        kind: newest_email(context, kind).doc["link"]
        for kind in ("password_reset", "newsletter_confirmation")
    }
    assert links == {
        "password_reset": f"{context.rules.site_url}/reset-password?code=c1",
        "newsletter_confirmation": f"{context.rules.site_url}/newsletter/confirm?code=c2",
    }
    assert newest_email(context, "account_closed").member_id is None


@pytest.mark.parametrize(
    ("days", "state", "count"),
    [
        (31, PledgeState.ACTIVE, 0),
        (30, PledgeState.ACTIVE, 1),
        (0, PledgeState.PAUSED, 1),
        (-1, PledgeState.ACTIVE, 0),
        (10, PledgeState.CANCELED, 0),
    ],
)
def test_a_card_that_expires_is_announced_once(
    context: Context, days: int, state: PledgeState, count: int
) -> None:
    """Running and paused pledges get one email per month of expiry, thirty days ahead."""
    expires_on = context.today() + timedelta(days=days)
    add_pledge(context, add_member(context), state=state, card_expires_on=expires_on)

    assert queue_due_emails(context)["card_expiring"] == count
    assert queue_due_emails(context)["card_expiring"] == 0


def test_a_new_card_is_announced_anew(context: Context) -> None:
    """The expiry of a later card gets its own email."""
    member = add_member(context)
    for days in (0, 365):
        clock_of(context).at += timedelta(days=days)
        expires_on = context.today() + timedelta(days=10)
        add_pledge(context, member, card_expires_on=expires_on)
        assert queue_due_emails(context)["card_expiring"] == 1
