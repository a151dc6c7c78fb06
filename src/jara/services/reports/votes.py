"""Proposals in reports: how they were decided, and what was paid for them."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from jara.domain.books.journal import EntryKind
from jara.domain.reports.parts import Payout, mark_sample
from jara.domain.reports.voting import ProposalRecord, VoteCount
from jara.domain.voting.proposal import ProposalStatus
from jara.domain.voting.tally import Tally
from jara.records import voting
from jara.records.operations import AuditRow
from jara.services.ballots.counting import off_roll_of
from jara.services.reports.facts import ReportCut
from jara.store.unit_of_work import UnitOfWork


class DatedVote(NamedTuple):
    """A proposal at the cut, and when its vote ended, if it had."""

    record: ProposalRecord
    opened_at: datetime
    decided_at: datetime | None


class _Acts(NamedTuple):
    """Operators' actions on decided proposals, from the audit log."""

    funded: frozenset[str]
    released_cents: dict[str, int]


def votes_at(work: UnitOfWork, cut: ReportCut, payouts: Iterable[Payout]) -> tuple[DatedVote, ...]:
    """Return the proposals that had been put to a vote, in order of opening.

    `payouts` are all up to the period's end.
    """
    held: defaultdict[str, int] = defaultdict(int)
    freed: defaultdict[str, int] = defaultdict(int)
    seen = [record for record in work.proposals.all() if _is_seen(record, cut)]
    seen.sort(key=lambda record: record.opened_index or 0)
    for moved in work.reporting.held_funds([r.proposal.id for r in seen], cut.to_date):
        held[moved.proposal] += moved.cents
        if moved.kind is EntryKind.RELEASE:
            freed[moved.proposal] -= moved.cents
    paid: defaultdict[str, list[Payout]] = defaultdict(list)
    for payout in payouts:
        if payout.proposal is not None:
            paid[payout.proposal].append(payout)
    acts = _acts_until(work, cut.instant)
    return tuple(
        _dated_vote(
            work,
            cut,
            record,
            acts=acts,
            held_cents=held[record.proposal.id],
            freed_cents=freed[record.proposal.id],
            payouts=tuple(paid[record.proposal.id]),
        )
        for record in seen
    )


def _dated_vote(
    work: UnitOfWork,
    cut: ReportCut,
    record: voting.ProposalRecord,
    *,
    acts: _Acts,
    held_cents: int,
    freed_cents: int,
    payouts: tuple[Payout, ...],
) -> DatedVote:
    proposal = record.proposal
    decided = _was_decided(record, cut)
    status = proposal.status if decided else ProposalStatus.OPEN
    if status is ProposalStatus.FUNDED and proposal.id not in acts.funded:
        status = ProposalStatus.PASSED
    vote = None
    if decided and status is not ProposalStatus.WITHDRAWN:
        yes, no, void = work.ballots.counts(proposal.id)
        tally = Tally(yes=yes, no=no, void=void, roll=record.roll_size or 0)
        vote = VoteCount(tally, proposal.rule, off_roll_of(work, record))
    # A full release includes money that was only queued, for which there is no entry.
    given_up = 0 if held_cents else acts.released_cents.get(proposal.id, 0)
    released = max(freed_cents, given_up)
    paid_cents = sum(payout.cents for payout in payouts)
    promised = proposal.goal_cents if vote is not None and vote.passes else 0
    made = ProposalRecord(
        id=proposal.id,
        slug=proposal.slug,
        title=mark_sample(record.title_in(cut.language), sample=proposal.is_sample),
        status=status.value,
        ends=proposal.last_day(work.zone),
        goal_cents=proposal.goal_cents,
        vote=vote,
        held_cents=held_cents,
        queued_cents=max(0, promised - held_cents - paid_cents - released),
        released_cents=released,
        payouts=payouts,
    )
    return DatedVote(made, record.opened_at or cut.instant, record.decided_at if decided else None)


def _is_seen(record: voting.ProposalRecord, cut: ReportCut) -> bool:
    is_removed = record.is_removed_sample and _was_decided(record, cut)
    return _was_opened(record, cut) and not is_removed


def _was_opened(record: voting.ProposalRecord, cut: ReportCut) -> bool:
    return _has_happened(record.opened_index, record.opened_at, cut)


def _was_decided(record: voting.ProposalRecord, cut: ReportCut) -> bool:
    return _has_happened(record.closed_index, record.decided_at, cut)


def _has_happened(index: int | None, at: datetime | None, cut: ReportCut) -> bool:
    if index is None or at is None:
        return False
    return (cut.size is None or index < cut.size) and at <= cut.instant


def _acts_until(work: UnitOfWork, instant: datetime) -> _Acts:
    def done(action: str) -> list[AuditRow]:
        return [row for row in work.operations.audit(action=action) if row.at <= instant]

    return _Acts(
        frozenset(row.subject for row in done("proposals.fund")),
        {row.subject: int(row.after["releasedCents"]) for row in done("proposals.release")},
    )
