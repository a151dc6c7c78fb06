"""Emails about votes: opening, reminder and result as news, and one to each voter at the close.

Opening and result are queued in the transaction that opens or closes the vote. The daily
run queues the reminders, and whatever is missing.

No row of the outbox may reveal who has voted. So reminders are queued for every changemaker, and
`complete_vote_email` decides only at sending time whether an email goes out, and its text.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from jara.domain.giving.member import Member
from jara.domain.language import Language
from jara.domain.time_zone import UTC_ZONE
from jara.domain.voting.proposal import DECIDED, ProposalStatus
from jara.records.operations import Email
from jara.records.voting import ProposalRecord
from jara.services.ballots.casting import earlier_addresses
from jara.services.ballots.counting import BallotState, ballot_state
from jara.services.context import Context
from jara.services.news_items import cause_news
from jara.services.notices.emails import LOOK_BACK, member_email
from jara.services.organisation import read_identity
from jara.store.unit_of_work import UnitOfWork

REMINDER = "vote_reminder"
BEFORE_END_OF_VOTE = timedelta(days=3)
"""Reminders are due this long before the end of a vote."""
OPENED = "vote_opened"
CLOSED = "vote_closed"
RESULT = "vote_result"


def queue_vote_emails(context: Context, work: UnitOfWork, record: ProposalRecord) -> Counter[str]:
    """Queue today's emails about a vote to members who want news; count them by kind.

    A reminder is queued for all who may vote, and sent only to those who have not. Readers of the
    newsletter hear of opening and result as news.
    """
    _tell_readers(context, work, record)
    kind = _kind_today(context, record)
    if kind is None or work.closings.get(record.proposal.id) is not None:
        return Counter()  # its voters first get the result in another email
    recipients = work.members.readers()
    if kind == REMINDER:
        electors = work.electors.member_ids(context.now())
        recipients = (member for member in recipients if member.id in electors)
    added = _queue(context, work, kind, record, recipients)
    return Counter({kind: added} if added else {})


def recipients_of_close(context: Context, work: UnitOfWork) -> frozenset[str]:
    """Return the ids and keys of everyone who could vote, who hears how the vote ended.

    It also names people who were changemakers earlier during the vote: leaving out those who did
    not vote would reveal who did.
    """
    return work.electors.member_ids(context.now()) | work.electors.lapsed(context.now())


def count_close_emails(work: UnitOfWork, record: ProposalRecord, recipients: frozenset[str]) -> int:
    """Count the emails that `queue_close_emails` queues."""
    earlier = earlier_addresses(work, record)
    return sum(
        len({address for address in (member.email, *earlier.get(member.id, ())) if address})
        for member in work.members.all()
        if member.is_open and (member.id in recipients or member.key in recipients)
    )


def queue_close_emails(
    context: Context,
    work: UnitOfWork,
    record: ProposalRecord,
    members: Iterable[Member],
    recipients: frozenset[str],
) -> None:
    """Queue an email to each of the members who could vote: whether a ballot was counted.

    It reveals a ballot that someone else cast for the member, so members cannot opt out.
    """
    theirs = (one for one in members if one.id in recipients or one.key in recipients)
    _queue(context, work, CLOSED, record, theirs)


def complete_vote_email(context: Context, email: Email) -> Email | None:
    """Complete an email when it is sent; None if it must not go out.

    The result is not stored, so that the outbox does not reveal who has voted.
    """
    if email.kind not in {REMINDER, CLOSED} or email.member_id is None:
        return email
    proposal = str(email.doc["proposal"])
    with context.store.read() as work:
        state = ballot_state(context, work, proposal, email.member_id)
    if email.kind == REMINDER:
        return email if state is BallotState.NONE else None
    return email._replace(doc={**email.doc, "counted": state.value})


def _queue(
    context: Context,
    work: UnitOfWork,
    kind: str,
    record: ProposalRecord,
    recipients: Iterable[Member],
) -> int:
    values = vote_values(context, work, record, context.language)
    # Voters get the result in the email that says whether a ballot was counted.
    topic = RESULT if kind == CLOSED else kind
    earlier = earlier_addresses(work, record)
    emails = (
        member_email(
            context,
            kind,
            member._replace(email=address),
            values={
                **values,
                "title": record.title_in(member.language),
                "zone": _zone_for(context, member),
                **({"firstname": "", "isOldAddress": "yes"} if mark else {}),
            },
            once_key=":".join(filter(None, (topic, record.proposal.id, member.id, mark))),
        )
        for member in recipients
        for address, mark in {**earlier.get(member.id, {}), member.email: ""}.items()
    )
    return work.outbox.add_new(email for email in emails if email is not None)


def vote_values(
    context: Context, work: UnitOfWork, record: ProposalRecord, language: Language
) -> dict[str, Any]:
    """Return what the emails about a vote say to everybody who reads a language."""
    proposal = record.proposal
    values: dict[str, Any] = {
        "proposal": proposal.id,
        "title": record.title_in(language),
        "goalCents": proposal.goal_cents,
        "rule": proposal.rule.document(),
        "result": "passed" if proposal.status is not ProposalStatus.REJECTED else "did not pass",
        "ends": proposal.ends_at.isoformat(),
        "link": f"{context.rules.site_url}/proposals/{proposal.slug}",
        "contact": read_identity(context, work).contact,
    }
    if record.roll_size is not None:
        yes, no, _ = work.ballots.counts(proposal.id)
        values |= {"yes": yes, "no": no, "roll": record.roll_size}
    return values


def _tell_readers(context: Context, work: UnitOfWork, record: ProposalRecord) -> None:
    """Note as news that a vote opened or was decided, once."""
    kind = public_kind(record)
    happened = record.opened_at if kind == OPENED else record.decided_at
    if kind is None or happened is None or context.now() - happened > LOOK_BACK:
        return
    if not work.news.among([f"{kind}:{record.proposal.id}"]):
        cause_news(context, work, kind, record.proposal.id)


def public_kind(record: ProposalRecord) -> str | None:
    """Return the kind of email that tells the public where a vote is."""
    if record.proposal.status is ProposalStatus.OPEN:
        return OPENED
    return RESULT if record.proposal.status in DECIDED else None


def _zone_for(context: Context, member: Member) -> str:
    """Return the zone of a member's times: the one the organisation chose, else the country's."""
    if context.zone != UTC_ZONE:
        return context.zone.name
    return context.rules.time_zone_of(member.country) or ""


def _kind_today(context: Context, record: ProposalRecord) -> str | None:
    """Return the kind of email that is due for a vote today, if any."""
    now, proposal = context.now(), record.proposal
    if proposal.status is ProposalStatus.OPEN and now < proposal.ends_at:
        if proposal.ends_at - now <= BEFORE_END_OF_VOTE:
            return REMINDER
        opened = record.opened_at
        return OPENED if opened is not None and now - opened <= LOOK_BACK else None
    decided = record.decided_at
    if proposal.status in DECIDED and decided is not None and now - decided <= LOOK_BACK:
        return RESULT
    return None
