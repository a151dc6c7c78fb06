"""Money committed to passed proposals: held, topped up, released."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.commitment import Commitment
from jara.domain.books.movements import draw
from jara.domain.books.spending import holding_entry, release_entry
from jara.domain.checks.log import read_leaf
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.publiclog.leaves import proposal_release_leaf
from jara.records.journal import CommitmentRecord
from jara.records.operations import Approval
from jara.services.approvals import Handler, require_approval, salt_of
from jara.services.audit import record_act
from jara.services.authority import authorise
from jara.services.books.outflows import ALONE, NOT_HELD, RELEASE_ACTION, Outflows, release_of
from jara.services.books.payment_account import bank_account
from jara.services.books.posting import Books, asset_cells, fund_balances
from jara.services.context import Context
from jara.services.organisation import require_no_pay_details
from jara.store.unit_of_work import UnitOfWork

DRAWS = "draws"
"""Payload key: the accounts that an approved act takes money from, with the cents of each."""


class Release(NamedTuple):
    """A part of a proposal's goal that was released."""

    day: date
    cents: int  # how much of the goal is no longer promised
    reason: str
    signers: tuple[str, ...]  # the fingerprints of the keys that signed
    leaf: int  # its index in the public log

    @classmethod
    def of(cls, index: int, leaf: Mapping[str, Any]) -> "Release":
        """Return the release that a leaf publishes."""
        day = date.fromisoformat(leaf["day"])
        return cls(day, leaf["cents"], leaf["reason"], tuple(leaf["signers"]), index)


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
) -> Commitment | Approval:
    """Release money held for a proposal to `projects`; it is not held again.

    `cents` is how much; None for the rest of the goal, including the part not held yet. The reason
    is published with the keys of those who signed.

    Returns:
        The commitment, or the approval that the release waits for.

    Raises:
        InvalidInput: no reason is given.
        NotFound: the proposal has no commitment.
        FundOverdrawn: less is held.
        Conflict: it was approved, and something else is held now.
    """
    if not why.strip():
        raise InvalidInput("A release needs a reason, which is published; say --why.")
    with context.store.write() as work:
        record = require_commitment(work, proposal_id)
        before = record.commitment
        after = before.release_all() if cents is None else before.release(cents)
        freed, given_up = before.held - after.held, after.released - before.released
        draws = approved_draws(context, work, Fund.COMMITTED, freed)
        entries = [release_entry(context.today(), proposal_id, draws)] if freed else []
        flows = Outflows(context, work)
        not_held = max(0, given_up - freed)
        payload = {"proposal": proposal_id, "cents": given_up, "freed_cents": freed}
        _require_same(context, payload)
        waiting = require_approval(
            context,
            work,
            action=RELEASE_ACTION,
            payload={**payload, "part_cents": cents, DRAWS: draws, "why": why},
            why=why,
            outlay=flows.outlay([*map(flows.of, entries), release_of(context.today(), not_held)]),
            spends=flows.binding(entries),
        )
        if waiting is not None:
            return waiting
        for entry in entries:
            Books(context, work).post(entry, salt=salt_of(context))
        work.commitments.put(CommitmentRecord(after, record.decided_at))
        facts = {**_amounts(after), NOT_HELD: not_held, ALONE: context.approved is None}
        if given_up:
            facts["leaf"] = _publish(context, work, proposal_id, given_up, why)
        record_act(
            context,
            work,
            RELEASE_ACTION,
            proposal_id,
            why=why,
            before=_amounts(before),
            facts=facts,
        )
    return after


def releases_of(work: UnitOfWork, proposal_id: str) -> tuple[Release, ...]:
    """Return the published releases of a proposal's money, oldest first.

    Releases by earlier versions were not published.
    """
    rows = work.operations.audit(subject=proposal_id, action=RELEASE_ACTION)
    leaves = [work.log.leaf(int(row.after["leaf"])) for row in rows if "leaf" in row.after]
    return tuple(Release.of(leaf.index, read_leaf(leaf.body)) for leaf in leaves)


def approved_draws(
    context: Context, work: UnitOfWork, fund: Fund, cents: int
) -> list[tuple[str, int]]:
    """Return the accounts that an amount of a fund is taken from; for an approved act, its own."""
    if context.approved is not None:
        return [(account, part) for account, part in context.approved.payload[DRAWS]]
    return list(draw(asset_cells(work, fund), cents, bank=bank_account(work))) if cents else []


def _require_same(context: Context, payload: Mapping[str, Any]) -> None:
    stored = payload if context.approved is None else context.approved.payload
    if any(stored[name] != value for name, value in payload.items()):
        raise Conflict(
            "The money held for it changed since the release was asked for; refuse it, and ask "
            "again."
        )


def _publish(context: Context, work: UnitOfWork, proposal_id: str, cents: int, why: str) -> int:
    """Append the release with its reason and its signers to the log; return its index."""
    if context.approved is None:
        require_no_pay_details(context, work, "The reason", why)
    authority = authorise(context, work, RELEASE_ACTION)
    acts = [] if authority.act is None else [authority.act]
    if context.approved is not None and acts:
        acts = work.operations.signed_for(context.approved.id)
    keys = dict.fromkeys(one.key for one in acts)
    leaf = proposal_release_leaf(
        proposal_id, cents=cents, day=context.today(), reason=why, signers=keys
    )
    return work.log.append(leaf).index


def _amounts(commitment: Commitment) -> dict[str, Any]:
    return {"heldCents": commitment.held, "releasedCents": commitment.released}


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


def _release_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return release_commitment(
        context, payload["proposal"], cents=payload["part_cents"], why=payload["why"]
    )


HANDLERS: Mapping[str, Handler] = {RELEASE_ACTION: _release_approved}
