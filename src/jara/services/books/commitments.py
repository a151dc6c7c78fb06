"""Money committed to passed proposals: held, topped up, released."""

from __future__ import annotations

from datetime import datetime

from jara.domain.books.account import Fund
from jara.domain.books.commitment import Commitment
from jara.domain.books.payouts import draw
from jara.domain.books.spending import holding_entry, release_entry
from jara.domain.errors import NotFound
from jara.records.journal import CommitmentRecord
from jara.records.operations import AuditRow
from jara.services.audit import write_audit
from jara.services.books.payment_account import bank_account
from jara.services.books.posting import Books, asset_cells, fund_balances
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


def begin_commitment(
    context: Context,
    work: UnitOfWork,
    books: Books,
    *,
    proposal_id: str,
    goal_cents: int,
    decided_at: datetime,
) -> Commitment:
    """Commit a passed proposal's goal, and hold the available part of it.

    Proposals decided earlier are served first.
    """
    work.commitments.put(CommitmentRecord(Commitment(proposal_id, goal_cents), decided_at))
    top_up(context, work, books)
    return require_commitment(work, proposal_id).commitment


def top_up(context: Context, work: UnitOfWork, books: Books) -> int:
    """Hold available money of `projects` for proposals below their goal, in order of decision.

    Returns:
        The cents newly held.
    """
    free = fund_balances(work)[Fund.PROJECTS]
    held_in_all = 0
    for record in work.commitments.all():
        cents = record.commitment.to_hold(free)
        if cents:
            proposal = record.commitment.proposal
            draws = draw(asset_cells(work, Fund.PROJECTS), cents, bank=bank_account(work))
            books.post(holding_entry(context.today(), proposal, draws))
            work.commitments.put(CommitmentRecord(record.commitment.hold(cents), record.decided_at))
            free -= cents
            held_in_all += cents
    return held_in_all


def release_commitment(
    context: Context, proposal_id: str, *, cents: int | None, why: str
) -> Commitment:
    """Release money held for a proposal to `projects`; it is not held again.

    Args:
        context: who does it, and when.
        proposal_id: the proposal.
        cents: how much; None for the rest of the goal, including the part not held yet.
        why: the reason, for the audit log.

    Raises:
        NotFound: the proposal has no commitment.
        FundOverdrawn: less is held.
    """
    with context.store.write() as work:
        record = require_commitment(work, proposal_id)
        before = record.commitment
        after = before.release_all() if cents is None else before.release(cents)
        freed = before.held - after.held
        if freed:
            draws = draw(asset_cells(work, Fund.COMMITTED), freed, bank=bank_account(work))
            Books(context, work).post(release_entry(context.today(), proposal_id, draws))
        work.commitments.put(CommitmentRecord(after, record.decided_at))
        write_audit(
            context,
            work,
            AuditRow(
                at=context.now(),
                operator=context.operator,
                action="proposals.release",
                subject=proposal_id,
                why=why,
                before={"heldCents": before.held, "releasedCents": before.released},
                after={"heldCents": after.held, "releasedCents": after.released},
            ),
        )
    return after


def require_commitment(work: UnitOfWork, proposal_id: str) -> CommitmentRecord:
    """Return a proposal's commitment.

    Raises:
        NotFound: it has none, because it has not passed.
    """
    record = work.commitments.get(proposal_id)
    if record is None:
        raise NotFound(
            f"The proposal '{proposal_id}' has no commitment; only a passed proposal has one."
        )
    return record
