"""Emails about votes, to members who want news: opening, reminder, result.

Opening and result are queued in the transaction that opens or closes the vote. The daily
run queues the reminders, and whatever is missing.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from jara.domain.giving.billing_day import spell_day
from jara.domain.money import format_dollars
from jara.domain.voting.proposal import DECIDED, ProposalStatus
from jara.services.context import Context
from jara.services.notices.emails import LOOK_BACK, member_email
from jara.services.ports.database import UnitOfWork
from jara.services.ports.voting import ProposalRecord

REMINDER = "vote_reminder"
BEFORE_END_OF_VOTE = timedelta(days=3)
"""Reminders are due this long before the end of a vote."""


def queue_vote_emails(
    context: Context,
    work: UnitOfWork,
    record: ProposalRecord,
) -> Counter[str]:
    """Queue today's emails about a vote to members who want news; count them by kind.

    A reminder goes only to members who may vote and have not voted.
    """
    kind = _kind_today(context, record)
    if kind is None:
        return Counter()
    proposal = record.proposal
    values = {
        "title": proposal.title,
        "ends": spell_day((proposal.ends_at - timedelta(seconds=1)).date()),
        "goal": format_dollars(proposal.goal_cents),
        "result": "passed" if proposal.status is not ProposalStatus.REJECTED else "did not pass",
        "link": f"{context.rules.site_url}/proposals/{proposal.slug}",
    }
    recipients = work.members.readers()
    if kind == REMINDER:
        missing = work.electors.member_ids(context.now()) - work.ballots.participants(proposal.id)
        recipients = (member for member in recipients if member.id in missing)
    emails = (
        member_email(
            context, kind, member, values=values, once_key=f"{kind}:{proposal.id}:{member.id}"
        )
        for member in recipients
    )
    added = work.outbox.add_new(email for email in emails if email is not None)
    return Counter({kind: added} if added else {})


def _kind_today(context: Context, record: ProposalRecord) -> str | None:
    """Return the kind of email that is due for a vote today, if any."""
    now, proposal = context.now(), record.proposal
    if proposal.status is ProposalStatus.OPEN and now < proposal.ends_at:
        if proposal.ends_at - now <= BEFORE_END_OF_VOTE:
            return REMINDER
        opened = record.opened_at
        return "vote_opened" if opened is not None and now - opened <= LOOK_BACK else None
    decided = record.decided_at
    if proposal.status in DECIDED and decided is not None and now - decided <= LOOK_BACK:
        return "vote_result"
    return None
