"""Emails about votes: openings, reminders and results."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from jara.domain.giving.pledge import PledgeState
from jara.domain.voting.proposal import ProposalStatus, format_instant
from jara.domain.voting.tally import Choice
from jara.records.operations import Email
from jara.records.voting import ProposalRecord
from jara.services.ballots.casting import cast_ballot
from jara.services.context import Context
from jara.services.notices.outbox import list_outbox
from jara.services.operations.daily_run import queue_due_emails
from jara.services.proposals.closing import close_due_votes, destroy_ballot_key
from jara.services.proposals.vote_emails import complete_vote_email
from tests.domain.voting.voting_builders import a_proposal
from tests.harness import clock_of
from tests.sent_emails import values_of
from tests.services.ballots.voting_world import open_vote, refund
from tests.services.members.mail_thief import Mailbox, deliver
from tests.services.notices.noticed_members import add_member, add_pledge, kinds, pay

OF_THE_PERSON = {"firstname"}


def send_all(context: Context, kind: str) -> list[Email]:
    """Send the due emails as the product does; return those of a kind."""
    postbox = Mailbox()
    deliver(context, postbox)
    return sorted((one for one in postbox.emails if one.kind == kind), key=lambda one: one.address)


def add_vote(context: Context, *, ends_in: timedelta, opened_ago: timedelta) -> ProposalRecord:
    """Store an open proposal."""
    ends_at = context.now() + ends_in
    opened_at = context.now() - opened_ago
    proposal = a_proposal(opened_at=opened_at, endDate=format_instant(ends_at))
    record = ProposalRecord(proposal, created_at=opened_at)
    with context.store.write() as work:
        work.proposals.put(record)
    return record


def test_emails_about_opening_and_result_are_queued_with_them(context: Context) -> None:
    """Opening or closing a vote queues its emails immediately."""
    add_pledge(context, add_member(context))
    open_vote(context)
    assert kinds(context) == ["vote_opened"]

    clock_of(context).advance(days=60)
    close_due_votes(context)

    assert kinds(context) == ["vote_opened", "vote_result"]
    assert queue_due_emails(context) == Counter()


def test_news_of_votes_go_to_those_who_asked_for_them(context: Context) -> None:
    """Opening and result are news, which need consent."""
    add_pledge(context, add_member(context, "ama"))
    add_pledge(context, add_member(context, "kofi", notifications=False))
    record = add_vote(context, ends_in=timedelta(days=20), opened_ago=timedelta(days=1))

    assert queue_due_emails(context) == Counter({"vote_opened": 1})
    assert queue_due_emails(context) == Counter()

    decided = record._replace(
        proposal=replace(record.proposal, status=ProposalStatus.REJECTED, decided_at=context.now())
    )
    with context.store.write() as work:
        work.proposals.put(decided)
    assert queue_due_emails(context) == Counter({"vote_result": 1})
    emails = {email.kind: email for email in list_outbox(context)}
    assert {email.address for email in emails.values()} == {"ama@example.org"}
    assert emails["vote_result"].doc["result"] == "did not pass"
    opened = values_of(context, emails["vote_opened"])
    assert "/newsletter/unsubscribe?code=" in opened["unsubscribeUrl"]


def test_closed_accounts_get_no_news(context: Context) -> None:
    """Nothing goes to a member whose account is closed."""
    member = add_member(context)
    with context.store.write() as work:
        work.members.update(member._replace(closed_at=context.now()))
    add_vote(context, ends_in=timedelta(days=20), opened_ago=timedelta(days=1))

    assert queue_due_emails(context) == Counter()


def test_only_changemakers_who_have_not_voted_are_reminded(context: Context) -> None:
    """In the last three days, each changemaker whose vote is missing gets one reminder."""
    members = {name: add_member(context, name) for name in ("ama", "voted", "left", "paused")}
    states = {"left": PledgeState.CANCELED, "paused": PledgeState.PAUSED}
    for name, member in members.items():
        add_pledge(context, member, state=states.get(name, PledgeState.ACTIVE))
        pay(context, member.key)
    add_pledge(context, add_member(context, "unpaid"))
    add_pledge(context, add_member(context, "unpaid-paused"), state=PledgeState.PAUSED)
    add_member(context, "no-pledge")
    open_vote(context, endDate="2026-11-30")
    cast_ballot(context, "prop_01", members["voted"].id, Choice.UP)
    clock_of(context).at = datetime(2026, 11, 29, tzinfo=UTC)

    assert queue_due_emails(context)["vote_reminder"] == 2
    assert queue_due_emails(context)["vote_reminder"] == 0
    sent = send_all(context, "vote_reminder")
    assert [email.address for email in sent] == ["ama@example.org"]


def test_the_outbox_does_not_reveal_voters(context: Context) -> None:
    """Rows of voters and others differ only in personal fields, even after sending."""
    members = {name: add_member(context, name) for name in ("voted", "silent")}
    for member in members.values():
        add_pledge(context, member)
        pay(context, member.key)
    open_vote(context, endDate="2026-11-30")
    cast_ballot(context, "prop_01", members["voted"].id, Choice.UP)
    clock_of(context).at = datetime(2026, 11, 29, tzinfo=UTC)
    queue_due_emails(context)
    away = Mailbox({"vote_reminder"})
    deliver(context, away)
    states = {(one.sent_at, one.attempts, one.failure) for one in list_outbox(context)}
    assert states == {(None, 1, "The mail server is away.")}
    clock_of(context).advance(minutes=5)
    assert [one.address for one in send_all(context, "vote_reminder")] == ["silent@example.org"]
    clock_of(context).advance(days=5)
    close_due_votes(context)
    sent = send_all(context, "vote_closed")

    rows: dict[str, list[object]] = {}
    for email in list_outbox(context, include_sent=True):
        if not email.kind.startswith("vote"):
            continue
        doc = {key: value for key, value in email.doc.items() if key not in OF_THE_PERSON}
        rows.setdefault(email.address, []).append((email.kind, doc, email.sent_at, email.attempts))
    first, second = rows.values()
    assert sorted(first, key=str) == sorted(second, key=str)
    assert {email.address: email.doc["counted"] for email in sent} == {
        "voted@example.org": "counted",
        "silent@example.org": "none",
    }
    assert [tuple(one.doc[key] for key in ("yes", "no", "roll")) for one in sent] == [(1, 0, 2)] * 2
    assert all("/stop-pledge?code=" in values_of(context, one)["stopUrl"] for one in sent)


def test_the_email_after_a_vote_says_whether_the_ballot_counted(context: Context) -> None:
    """Refunded voters are told that their vote was dropped; without the key nothing is claimed."""
    members = [add_member(context, f"voter{number}") for number in range(3)]
    for member in members:
        add_pledge(context, member)
        pay(context, member.key)
    open_vote(context, endDate="2026-11-30")
    for member in members:
        cast_ballot(context, "prop_01", member.id, Choice.UP)
    refund(context, members[0], 1000)
    clock_of(context).at = datetime(2026, 12, 2, tzinfo=UTC)
    close_due_votes(context)
    emails = [one for one in list_outbox(context) if one.kind == "vote_closed"]

    def states() -> dict[str, str]:
        completed = [complete_vote_email(context, email) for email in emails]
        return {one.address: one.doc["counted"] for one in completed if one is not None}

    told = {"voter1@example.org": "counted", "voter2@example.org": "counted"}
    assert states() == {"voter0@example.org": "dropped", **told}
    destroy_ballot_key(context, "prop_01")
    assert set(states().values()) == {"took_part"}


def test_other_emails_are_sent_as_they_are(context: Context) -> None:
    """Only reminders and emails about a close are completed when sent."""
    add_pledge(context, add_member(context))
    open_vote(context)
    [email] = list_outbox(context)

    assert email is complete_vote_email(context, email)
    nobody = email._replace(kind="vote_closed", member_id=None)
    assert nobody is complete_vote_email(context, nobody)


@pytest.mark.parametrize(
    ("ends_in", "opened_ago"),
    [(timedelta(days=20), timedelta(days=8)), (timedelta(), timedelta(days=30))],
)
def test_a_vote_in_its_middle_or_at_its_end_is_no_news(
    context: Context, ends_in: timedelta, opened_ago: timedelta
) -> None:
    """No email is queued in the middle of a vote, or at its end before it is closed."""
    add_pledge(context, add_member(context))
    add_vote(context, ends_in=ends_in, opened_ago=opened_ago)

    assert queue_due_emails(context) == Counter()
