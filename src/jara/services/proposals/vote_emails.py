"""News of votes, to the members who asked for them: opening, reminder, result.

Opening and result are written with what they tell, in one transaction; the daily round
writes the reminders, and whatever an older version of Jara left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta

from jara.domain.giving.billing_day import spell_day
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge
from jara.domain.money import format_dollars
from jara.domain.voting.proposal import DECIDED, ProposalStatus
from jara.services.context import Context
from jara.services.giving.pledge_emails import STANDING
from jara.services.notices.emails import LOOK_BACK, member_email
from jara.services.ports.database import UnitOfWork
from jara.services.ports.voting import ProposalRecord

BEFORE_END_OF_VOTE = timedelta(days=3)


def tell_of_vote(context: Context, work: UnitOfWork, record: ProposalRecord) -> None:
    """Write the news of one vote to every open member who wants news."""
    reminds = _news_of(context, record) == "vote_reminder"
    pledges = {one.member_id: one for one in work.pledges.all()} if reminds else {}
    queue_vote_emails(context, work, record, work.members.readers(), pledges)


def queue_vote_emails(
    context: Context,
    work: UnitOfWork,
    record: ProposalRecord,
    members: Iterable[Member],
    pledges: Mapping[str, Pledge],
) -> Counter[str]:
    """Write what there is to tell of a vote today, to those whom it concerns; count it by kind."""
    kind = _news_of(context, record)
    if kind is None:
        return Counter()
    proposal = record.proposal
    voted = work.ballots.participants(proposal.id) if kind == "vote_reminder" else set()
    values = {
        "title": proposal.title,
        "ends": spell_day((proposal.ends_at - timedelta(seconds=1)).date()),
        "goal": format_dollars(proposal.goal_cents),
        "result": "passed" if proposal.status is not ProposalStatus.REJECTED else "did not pass",
        "link": f"{context.rules.site_url}/proposals/{proposal.slug}",
    }
    concerned = (
        member
        for member in members
        if kind != "vote_reminder" or (member.id not in voted and _may_vote(pledges.get(member.id)))
    )
    emails = (
        member_email(
            context, kind, member, values=values, once_key=f"{kind}:{proposal.id}:{member.id}"
        )
        for member in concerned
    )
    added = work.outbox.add_new(email for email in emails if email is not None)
    return Counter({kind: added} if added else {})


def _may_vote(pledge: Pledge | None) -> bool:
    return pledge is not None and pledge.state in STANDING


def _news_of(context: Context, record: ProposalRecord) -> str | None:
    """Choose what there is to tell of a proposal today: one thing, or nothing."""
    now, proposal = context.now(), record.proposal
    if proposal.status is ProposalStatus.OPEN and now < proposal.ends_at:
        if proposal.ends_at - now <= BEFORE_END_OF_VOTE:
            return "vote_reminder"
        opened = record.opened_at
        return "vote_opened" if opened is not None and now - opened <= LOOK_BACK else None
    decided = record.decided_at
    if proposal.status in DECIDED and decided is not None and now - decided <= LOOK_BACK:
        return "vote_result"
    return None
