"""Notices of votes: who hears of an opening, is reminded, and learns the result."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from jara.domain.giving.pledge import PledgeState
from jara.domain.voting.ballot import Choice
from jara.domain.voting.ends import format_instant
from jara.domain.voting.proposal import ProposalStatus
from jara.services.context import Context
from jara.services.notices.outbox import list_outbox
from jara.services.operations.email_run import queue_due_emails
from jara.services.ports.voting import BallotRecord, ProposalRecord
from jara.services.proposals.closing import close_due_votes
from tests.domain.voting.voting_builders import a_proposal
from tests.harness import clock_of
from tests.services.ballots.voting_world import open_vote
from tests.services.notices.noticed_members import add_member, add_pledge, kinds, pay


def add_vote(context: Context, *, ends_in: timedelta, opened_ago: timedelta) -> ProposalRecord:
    """Keep an open proposal."""
    ends_at = context.now() + ends_in
    proposal = a_proposal(
        status=ProposalStatus.OPEN, ends_at=ends_at, ends_text=format_instant(ends_at)
    )
    record = ProposalRecord(
        proposal,
        created_at=context.now() - opened_ago,
        opened_at=context.now() - opened_ago,
    )
    with context.store.write() as work:
        work.proposals.put(record)
    return record


def test_opening_and_result_are_told_with_them(context: Context) -> None:
    """Whoever opens or closes a vote need not wait for the daily run to have it told."""
    add_pledge(context, add_member(context))
    open_vote(context)
    assert ["vote_opened"] == kinds(context)

    clock_of(context).advance(days=60)
    close_due_votes(context)

    assert ["vote_opened", "vote_result"] == kinds(context)
    assert Counter() == queue_due_emails(context)


def test_news_of_votes_go_to_those_who_asked_for_them(context: Context) -> None:
    """Opening and result are news: without consent nobody gets them."""
    add_pledge(context, add_member(context, "ama"))
    add_pledge(context, add_member(context, "kofi", notifications=False))
    record = add_vote(context, ends_in=timedelta(days=20), opened_ago=timedelta(days=1))

    assert Counter({"vote_opened": 1}) == queue_due_emails(context)
    assert Counter() == queue_due_emails(context)

    decided = replace(
        record,
        proposal=replace(record.proposal, status=ProposalStatus.REJECTED),
        decided_at=context.now(),
    )
    with context.store.write() as work:
        work.proposals.put(decided)
    assert Counter({"vote_result": 1}) == queue_due_emails(context)
    emails = {email.kind: email for email in list_outbox(context)}
    assert {"ama@example.org"} == {email.address for email in emails.values()}
    assert "did not pass" == emails["vote_result"].doc["result"]
    assert "/newsletter/unsubscribe?code=" in emails["vote_opened"].doc["unsubscribeUrl"]


def test_only_who_may_vote_and_has_not_voted_is_reminded(context: Context) -> None:
    """In the last three days, each changemaker whose vote is missing gets one reminder."""
    members = {name: add_member(context, name) for name in ("ama", "voted", "left", "paused")}
    states = {"left": PledgeState.CANCELED, "paused": PledgeState.PAUSED}
    for name, member in members.items():
        add_pledge(context, member, state=states.get(name, PledgeState.ACTIVE))
        pay(context, member.key)
    add_pledge(context, add_member(context, "unpaid"))
    add_pledge(context, add_member(context, "unpaid-paused"), state=PledgeState.PAUSED)
    add_member(context, "no-pledge")
    record = add_vote(context, ends_in=timedelta(days=3), opened_ago=timedelta(days=9))
    with context.store.write() as work:
        leaf = work.log.append({"t": "jara/v1/genesis", "name": "x", "v": 1})
        ballot = BallotRecord(record.proposal.id, "v" * 64, Choice.UP, leaf.index)
        work.ballots.add(ballot, member_id=members["voted"].id)

    assert 1 == queue_due_emails(context)["vote_reminder"]
    reminders = [email for email in list_outbox(context) if email.kind == "vote_reminder"]
    assert ["ama@example.org"] == [email.address for email in reminders]
    assert 0 == queue_due_emails(context)["vote_reminder"]


@pytest.mark.parametrize(
    ("ends_in", "opened_ago"),
    [(timedelta(days=20), timedelta(days=8)), (timedelta(), timedelta(days=30))],
)
def test_a_vote_in_its_middle_or_at_its_end_is_no_news(
    context: Context, ends_in: timedelta, opened_ago: timedelta
) -> None:
    """A week after opening nothing more is said until the last days, and then the result."""
    add_pledge(context, add_member(context))
    add_vote(context, ends_in=ends_in, opened_ago=opened_ago)

    assert Counter() == queue_due_emails(context)
