"""The emails of the daily run: those due by date, and those not queued yet.

Most emails are queued in the transaction of their cause. Each has a once-key, so that this step
never queues an email twice and can be interrupted and repeated. It looks back one week.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from jara.domain.giving.member import Member
from jara.records.journal import EntryQuery
from jara.services.context import Context
from jara.services.giving.pledge_emails import queue_pledge_emails
from jara.services.news.announcement_news import note_chat
from jara.services.news.event_news import remind_of_events
from jara.services.news.fan_out import fan_out_news
from jara.services.news.late_projects import tell_of_late_projects
from jara.services.news.month import close_months
from jara.services.news.year import announce_statements
from jara.services.notices.emails import LOOK_BACK, queue_amount_changed
from jara.services.notices.receipts import queue_receipt
from jara.services.operations.last_run import last_run
from jara.services.proposals.vote_emails import queue_vote_emails
from jara.store.unit_of_work import UnitOfWork


def queue_due_emails(context: Context) -> Counter[str]:
    """Queue every email that is due and not queued yet; count them by kind."""
    written: Counter[str] = Counter()
    last = last_run(context)
    with context.store.write() as work:
        members = {member.id: member for member in work.members.all() if member.is_open}
        by_key = {member.key: member for member in members.values()}
        pledges = {pledge.member_id: pledge for pledge in work.pledges.all()}
        for member in members.values():
            pledge = pledges.get(member.id)
            if pledge is not None:
                written.update(queue_pledge_emails(context, work, member, pledge))
        written.update(_write_receipts(context, work, by_key))
        written.update(_write_changes(context, work, by_key))
        for record in work.proposals.all():
            written.update(queue_vote_emails(context, work, record))
        remind_of_events(context, work)
        note_chat(context, work)
        close_months(context, work, last_run=None if last is None else last.at)
        announce_statements(context, work)
        written.update(tell_of_late_projects(context, work))
    return written + fan_out_news(context)


def _write_receipts(
    context: Context, work: UnitOfWork, members: dict[str, Member]
) -> Iterator[str]:
    query = EntryQuery(first_day=context.today() - LOOK_BACK, kinds=("pledge", "gift"))
    for posted in list(work.journal.entries(query)):
        member = members.get(posted.entry.member_key or "")
        if member is None or work.journal.reversal_of(posted.index) is not None:
            continue
        if queue_receipt(context, work, member, posted):
            yield "receipt"


def _write_changes(context: Context, work: UnitOfWork, members: dict[str, Member]) -> Iterator[str]:
    since = context.now() - LOOK_BACK
    dollars: dict[str, int] = {}
    for change in list(work.pledges.changes()):
        before = dollars.get(change.member_key, change.dollars)
        dollars[change.member_key] = change.dollars
        member = members.get(change.member_key)
        if member is None or change.at < since or before == change.dollars:
            continue
        if queue_amount_changed(
            context,
            work,
            member,
            before_dollars=before,
            after_dollars=change.dollars,
            pledge=work.pledges.get(member.id),
            at=change.at,
        ):
            yield "amount_changed"
