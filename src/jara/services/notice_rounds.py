"""The daily round of notices: what is due to be written because of the day.

Every notice has a once-key, so that a round may be made twice, or be cut off. A round
looks back a week: what is older is no news any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from jara.domain.books.account import AccountType
from jara.domain.books.journal import total_of
from jara.domain.giving.billing_day import spell_day
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.money import format_dollars
from jara.domain.voting.proposal import DECIDED, ProposalStatus
from jara.services.context import Context
from jara.services.notices import (
    write_amount_changed,
    write_card_expiring,
    write_receipt,
    write_to_member,
    write_welcome,
)
from jara.services.ports.books import EntryQuery
from jara.services.ports.database import UnitOfWork
from jara.services.ports.voting import ProposalRecord

LOOK_BACK = timedelta(days=7)
BEFORE_FIRST_CHARGE = timedelta(days=3)
BEFORE_CARD_EXPIRES = timedelta(days=30)
BEFORE_END_OF_VOTE = timedelta(days=3)

_STANDING = frozenset({PledgeState.ACTIVE, PledgeState.PAST_DUE, PledgeState.PAUSED})


@dataclass(frozen=True, slots=True)
class FailureStep:
    """One letter of the ladder after a failed charge, and what it says will follow."""

    after_days: int
    consequence: str


FAILURE_LADDER = (
    FailureStep(0, "We will try again in the next days; you keep your right to vote."),
    FailureStep(7, "In another week your right to vote will rest until a payment succeeds."),
    FailureStep(14, "Your right to vote rests until a payment succeeds."),
    FailureStep(25, "If no payment succeeds within five days, your pledge ends. Nothing is owed."),
)
"""Until the pledge is cancelled on the thirtieth day (money §3)."""


def write_notices(context: Context) -> Counter[str]:
    """Write every notice that is due and not yet written; count them by kind."""
    written: Counter[str] = Counter()
    with context.store.write() as work:
        members = {member.id: member for member in work.members.all() if member.is_open}
        by_key = {member.key: member for member in members.values()}
        pledges = {pledge.member_id: pledge for pledge in work.pledges.all()}
        for member in members.values():
            pledge = pledges.get(member.id)
            if pledge is not None:
                written.update(_write_of_pledge(context, work, member, pledge))
        written.update(_write_receipts(context, work, by_key))
        written.update(_write_changes(context, work, by_key))
        for record in work.proposals.all():
            written.update(_write_of_vote(context, work, record, members, pledges))
    return written


def _write_of_pledge(
    context: Context, work: UnitOfWork, member: Member, pledge: Pledge
) -> Iterator[str]:
    now = context.now()
    is_new = now - member.joined_at <= LOOK_BACK
    if is_new and pledge.state in _STANDING and write_welcome(context, work, member, pledge):
        yield "welcome"
    if _is_first_charge_near(context, work, member, pledge) and write_to_member(
        context,
        work,
        "first_charge",
        member,
        values={
            "amount": format_dollars(pledge.dollars * 100),
            "day": spell_day(pledge.anchor_on),
        },
        once_key=f"first-charge:{pledge.id}:{pledge.anchor_on}",
    ):
        yield "first_charge"
    expires_on = pledge.card_expires_on
    if (
        expires_on is not None
        and pledge.state in _STANDING
        and timedelta(0) <= expires_on - context.today() <= BEFORE_CARD_EXPIRES
        and write_card_expiring(context, work, member, pledge, expires_on=expires_on)
    ):
        yield "card_expiring"
    if pledge.past_due_since is not None:
        days = (now - pledge.past_due_since).days
        step = [step for step in FAILURE_LADDER if step.after_days <= days][-1]
        since = pledge.past_due_since.isoformat()
        if write_to_member(
            context,
            work,
            "charge_failed",
            member,
            values={
                "amount": format_dollars(pledge.dollars * 100),
                "consequence": step.consequence,
            },
            once_key=f"charge-failed:{pledge.id}:{since}:{step.after_days}",
        ):
            yield "charge_failed"


def _is_first_charge_near(
    context: Context, work: UnitOfWork, member: Member, pledge: Pledge
) -> bool:
    """Tell whether a later billing day is about to bring its first charge."""
    if pledge.state is not PledgeState.ACTIVE or pledge.next_charge_on != pledge.anchor_on:
        return False
    waits = pledge.anchor_on - context.today()
    if not timedelta(0) < waits <= BEFORE_FIRST_CHARGE:
        return False
    return not work.payments.of_member(member.key)


def _write_receipts(
    context: Context, work: UnitOfWork, members: dict[str, Member]
) -> Iterator[str]:
    query = EntryQuery(first_day=context.today() - LOOK_BACK, kinds=("pledge", "gift"))
    for posted in list(work.journal.entries(query)):
        member = members.get(posted.entry.member_key or "")
        if member is None:
            continue
        cents = -total_of(posted.entry, AccountType.INCOME)
        if write_receipt(context, work, member, entry=posted.id, day=posted.entry.day, cents=cents):
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
        if write_amount_changed(
            context,
            work,
            member,
            before_dollars=before,
            after_dollars=change.dollars,
            at=change.at,
        ):
            yield "amount_changed"


def _write_of_vote(
    context: Context,
    work: UnitOfWork,
    record: ProposalRecord,
    members: dict[str, Member],
    pledges: dict[str, Pledge],
) -> Iterator[str]:
    kind = _news_of(context, record)
    if kind is None:
        return
    proposal = record.proposal
    voted = work.ballots.participants(proposal.id) if kind == "vote_reminder" else set()
    values = {
        "title": proposal.title,
        "ends": spell_day((proposal.ends_at - timedelta(seconds=1)).date()),
        "goal": format_dollars(proposal.goal_cents),
        "result": "passed" if proposal.status is not ProposalStatus.REJECTED else "did not pass",
        "link": f"{context.rules.site_url}/proposals/{proposal.slug}",
    }
    for member in members.values():
        pledge = pledges.get(member.id)
        may_vote = pledge is not None and pledge.state in _STANDING
        if kind == "vote_reminder" and (member.id in voted or not may_vote):
            continue
        once_key = f"{kind}:{proposal.id}:{member.id}"
        if write_to_member(context, work, kind, member, values=values, once_key=once_key):
            yield kind


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
