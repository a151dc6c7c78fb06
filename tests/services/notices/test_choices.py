"""Which emails an address gets: chosen in the account, by a link, or by the newsletter."""

from __future__ import annotations

import pytest

from jara.bootstrap.emails import CompletingSender
from jara.domain.email_kinds import CHOICES, KINDS, Delivery, EmailChoice
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import Member
from jara.records.access import Reader
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.members.accounts import close_account
from jara.services.members.contributors import keep_handles
from jara.services.members.profiles import set_email_choice, set_notifications
from jara.services.notices.choices import choice_by_link, choose_by_link, unsubscribe
from jara.services.notices.emails import queue_member_email
from jara.services.notices.links import choice_url, complete_links, unsubscribe_url
from jara.services.notices.newsletter import confirm_subscription, subscribe
from jara.services.notices.outbox import list_outbox, send_due
from tests.harness import clock_of
from tests.sent_emails import code_in, mailed_code
from tests.services.members.codes_world import ADDRESS, LIMITS
from tests.services.members.mail_thief import Mailbox
from tests.services.notices.noticed_members import add_member

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
    subscribe(context, LIMITS, address, source="website", network=ADDRESS)
    confirm_subscription(context, mailed_code(context, "newsletter_confirmation", address))


def is_reader(context: Context, address: str) -> bool:
    """Return whether an address gets the newsletter as a reader."""
    with context.store.read() as work:
        reader = work.access.reader(address)
    return reader is not None and reader.confirmed_at is not None


def member_of(context: Context, member: Member) -> Member:
    """Return a member as stored."""
    with context.store.read() as work:
        stored = work.members.get(member.id)
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
    with context.store.read() as work:
        subscribed = work.access.reader(READER)
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


def test_a_member_who_subscribes_has_chosen(context: Context) -> None:
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
