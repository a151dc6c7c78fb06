"""Emails: each once, to the right people, as they chose."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pytest

from jara.bootstrap.emails import CompletingSender
from jara.domain.email_kinds import CHOICES, KINDS, Delivery, EmailChoice
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import PledgeState
from jara.records.access import Reader
from jara.services.context import Context
from jara.services.giving.subscription_sync import keep_pledge
from jara.services.mailed_codes import UnusableCode
from jara.services.members.accounts import close_account
from jara.services.members.contributors import keep_handles
from jara.services.members.profiles import set_email_choice, set_notifications
from jara.services.notices.choices import choice_by_link, choose_by_link, unsubscribe
from jara.services.notices.emails import (
    member_email,
    queue_account_closed,
    queue_member_email,
    queue_newsletter_confirmation,
    queue_password_reset,
    queue_welcome,
)
from jara.services.notices.links import choice_url, complete_links, unsubscribe_url
from jara.services.notices.newsletter import confirm_subscription, subscribe
from jara.services.notices.outbox import list_outbox, send_due
from jara.services.operations.daily_run import queue_due_emails
from tests.harness import clock_of
from tests.sent_emails import code_in, mailed_code, newest_email
from tests.services.members.codes_world import ADDRESS, LIMITS
from tests.services.members.mail_thief import Mailbox
from tests.services.notices.noticed_members import AN_AGE, add_member, add_pledge, kinds, pay


def test_nobody_gets_anything_without_a_reason(context: Context) -> None:
    """Long-standing members with running pledges get no email."""
    add_pledge(context, add_member(context))
    add_member(context, "kofi")

    assert queue_due_emails(context) == Counter()


def test_news_is_only_for_members_who_want_it(context: Context) -> None:
    """A member who turned notifications off gets no email about votes."""
    member = add_member(context)._replace(email_choice=EmailChoice.NOTHING)

    assert member_email(context, "vote_opened", member, values={}) is None


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


def test_reset_confirmation_and_goodbye_contain_their_links(context: Context) -> None:
    """Reset, confirmation and goodbye emails contain their links and can be rendered."""
    member = add_member(context)
    with context.store.write() as work:
        queue_password_reset(context, work, member, code="c1", minutes=30)
        queue_newsletter_confirmation(context, work, address="new@example.org", code="c2")
        queue_account_closed(context, work, member, None, by_operator=False)

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


AT_ONCE, MONTHLY, VOTES, NOTHING = EmailChoice
READER = "gus@example.org"


def code_of(context: Context, address: str) -> str:
    """Return the code in the links of an address."""
    return code_in(choice_url(context, address))


def confirm(context: Context, member: Member) -> None:
    """Confirm a member's address."""
    with context.store.write() as work:
        confirmed = member._replace(email_confirmed=True)
        work.members.update(confirmed)
        keep_handles(context, work, confirmed)


def become_reader(context: Context, address: str) -> None:
    """Subscribe an address to the newsletter, and confirm it."""
    subscribe(context, LIMITS, address, network=ADDRESS)
    confirm_subscription(context, mailed_code(context, "newsletter_confirmation", address))


def is_reader(context: Context, address: str) -> bool:
    """Return whether an address gets the newsletter as a reader."""
    reader = context.store.read_once().access.reader(address)
    return reader is not None and reader.confirmed_at is not None


def member_of(context: Context, member: Member) -> Member:
    """Return a member as stored."""
    stored = context.store.read_once().members.get(member.id)
    assert stored is not None
    return stored


def consents(context: Context, member: Member) -> list[tuple[bool, str, str]]:
    """Return what a member agreed to, in which words and where."""
    with context.store.read() as work:
        return [(one.given, one.wording, one.source) for one in work.members.consents(member.id)]


def test_each_choice_is_stored_with_the_text_beside_it(context: Context) -> None:
    """The same choice again, as from a second tab, leaves no second record."""
    ama = add_member(context, notifications=False)
    for choice in (AT_ONCE, AT_ONCE, VOTES, NOTHING):
        clock_of(context).advance(seconds=1)
        assert set_email_choice(context, ama.id, choice).email_choice is choice

    assert consents(context, ama) == [
        (True, CHOICES[AT_ONCE], "website"),
        (True, CHOICES[VOTES], "website"),
        (False, CHOICES[NOTHING], "website"),
    ]


def test_the_toggle_is_the_coarse_form(context: Context) -> None:
    """On keeps a finer choice and is monthly for who has none; off is nothing."""
    ama = add_member(context, notifications=False)

    assert set_notifications(context, ama.id, wanted=True).email_choice is MONTHLY
    set_email_choice(context, ama.id, VOTES)
    assert set_notifications(context, ama.id, wanted=True).email_choice is VOTES
    assert set_notifications(context, ama.id, wanted=False).email_choice is NOTHING
    assert not member_of(context, ama).notifications


def test_the_link_shows_and_changes_a_members_choice(context: Context) -> None:
    """It needs no session, and names the address that it is for."""
    ama = add_member(context)
    code = code_of(context, ama.email)

    assert choice_by_link(context, code) == (ama.email, True, MONTHLY)
    assert choose_by_link(context, code, AT_ONCE) == (ama.email, True, AT_ONCE)
    assert member_of(context, ama).email_choice is AT_ONCE
    assert consents(context, ama) == [(True, CHOICES[AT_ONCE], "link in an email")]


def test_the_link_ends_and_renews_a_readers_newsletter(context: Context) -> None:
    """The link proves that the address receives emails, so nothing needs to be confirmed."""
    become_reader(context, READER)
    code = code_of(context, READER)

    assert choice_by_link(context, code) == (READER, False, MONTHLY)
    subscribed = context.store.read_once().access.reader(READER)
    assert choose_by_link(context, code, MONTHLY).choice is MONTHLY
    with context.store.read() as work:
        assert work.access.reader(READER) == subscribed  # with the consent of then
    assert choose_by_link(context, code, NOTHING).choice is NOTHING
    assert not is_reader(context, READER)
    assert choose_by_link(context, code, MONTHLY).choice is MONTHLY
    assert is_reader(context, READER)
    with pytest.raises(InvalidInput, match="the choices are monthly and nothing"):
        choose_by_link(context, code, VOTES)


def test_a_link_of_an_earlier_email_still_works(context: Context) -> None:
    """The code that unsubscribes also opens the choice, and does both for ever."""
    ama = add_member(context)
    code = code_in(unsubscribe_url(context, ama.email))
    assert choice_by_link(context, code).choice is MONTHLY

    for _ in range(2):
        unsubscribe(context, code)
    assert choice_by_link(context, code).choice is NOTHING


def test_a_changed_code_opens_nothing(context: Context) -> None:
    """Nobody makes a link for another address."""
    add_member(context)
    code = code_of(context, "kofi@example.org")
    forged = f"{code_of(context, 'ama@example.org').partition('.')[0]}.{code.partition('.')[2]}"
    with pytest.raises(UnusableCode):
        choice_by_link(context, forged)


def test_the_link_of_a_member_who_left_finds_nobody(context: Context) -> None:
    """It says that the address gets nothing; only they can ask for the newsletter."""
    ama = add_member(context)
    code = code_of(context, ama.email)
    close_account(context, ama.id)

    assert choice_by_link(context, code) == (ama.email, False, NOTHING)
    unsubscribe(context, code)
    assert not is_reader(context, ama.email)


def test_a_reader_who_becomes_a_member_gets_one_email(context: Context) -> None:
    """Confirming the address makes the newsletter their choice, with its consent."""
    become_reader(context, "ama@example.org")
    ama = add_member(context, notifications=False)
    assert is_reader(context, ama.email)  # a stranger may have joined with the address
    confirm(context, ama)

    assert not is_reader(context, ama.email)
    assert member_of(context, ama).email_choice is MONTHLY
    words = "Send me news of Jara's votes and projects by email."
    assert consents(context, ama) == [(True, words, "website")]


def test_a_later_choice_counts_more_than_the_newsletter(context: Context) -> None:
    """Who subscribed, joined and chose only votes before confirming gets only votes."""
    become_reader(context, "ama@example.org")
    ama = add_member(context, notifications=False)
    confirm(context, set_email_choice(context, ama.id, VOTES))

    assert member_of(context, ama).email_choice is VOTES
    assert not is_reader(context, ama.email)


def test_a_subscription_of_a_member_sets_their_email_choice(context: Context) -> None:
    """The form in the footer is a choice of the member, not a second recipient."""
    ama = add_member(context, notifications=False)
    confirm(context, ama)
    become_reader(context, ama.email)

    assert member_of(context, ama).email_choice is MONTHLY
    assert not is_reader(context, ama.email)


@pytest.mark.parametrize("kind", ["vote_opened", "receipt"])
@pytest.mark.parametrize("choice", [VOTES, NOTHING])
def test_the_choice_counts_when_an_email_is_sent(
    context: Context, kind: str, choice: EmailChoice
) -> None:
    """Who changes it after an email was queued gets what they chose."""
    ama = add_member(context)
    with context.store.write() as work:
        queue_member_email(context, work, kind, ama, values={})
    set_email_choice(context, ama.id, choice)
    mailbox = Mailbox()
    send_due(context, CompletingSender(context, lambda: mailbox))

    is_expected = KINDS[kind].delivery(choice) is not Delivery.NEVER
    assert [email.kind for email in mailbox.emails] == [kind] * is_expected
    assert list_outbox(context) == []


def test_news_go_to_confirmed_addresses_only(context: Context) -> None:
    """Emails about votes go to members as before, receipts always."""
    ama = add_member(context)
    news = KINDS["vote_opened"]._replace(consent=KINDS["vote_opened"].consent.NEWS)

    assert ama.delivery(news) is Delivery.NEVER
    assert ama._replace(email_confirmed=True).delivery(news) is Delivery.NOW
    assert ama.delivery(KINDS["vote_opened"]) is Delivery.NOW
    assert ama._replace(closed_at=context.now()).delivery(KINDS["vote_opened"]) is Delivery.NEVER
    assert ama._replace(email_choice=NOTHING).delivery(KINDS["receipt"]) is Delivery.NOW


def test_every_email_to_who_can_choose_links_to_the_choice(context: Context) -> None:
    """An address that is nobody's yet, or no longer, has nothing to choose."""
    ama = add_member(context)
    with context.store.write() as work:
        queue_member_email(context, work, "receipt", ama, values={})
        moved = ama._replace(email="new@example.org")
        queue_member_email(context, work, "receipt", moved, values={})
        work.access.put_reader(Reader(READER, "News.", "website", context.now(), context.now()))
    emails = [complete_links(context, email) for email in list_outbox(context)]
    own, moved_to = sorted(emails, key=lambda email: email.address)
    to_reader = complete_links(context, own._replace(address=READER, member_id=None))

    assert own.doc["choiceUrl"] == choice_url(context, ama.email)
    assert to_reader.doc["choiceUrl"] == choice_url(context, READER)
    assert "choiceUrl" not in moved_to.doc
