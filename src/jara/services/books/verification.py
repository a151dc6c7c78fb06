"""Verifying the books: every invariant, checked on the stored rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.books.journal import Posting
from jara.domain.books.trace import build_trace
from jara.domain.books.trace_rows import Pool
from jara.domain.checks import books as check_books
from jara.domain.checks import entries as check_entries
from jara.domain.checks import log as check_log
from jara.domain.checks import votes as check_votes
from jara.domain.checks.finding import Finding
from jara.domain.checks.log import paired, read_leaf
from jara.domain.checks.votes import StoredVote
from jara.domain.errors import InvalidInput, JaraError, NotFound, Unavailable
from jara.domain.publiclog.leaves import LeafType, policy_leaf
from jara.services.authority import read_control
from jara.services.books.counted_reads import Progress, count_reads
from jara.services.books.posting import fund_balances
from jara.services.books.waiting_returns import waiting_findings
from jara.services.context import Context
from jara.services.organisation import LOG_ORIGIN
from jara.services.ports.database import UnitOfWork
from jara.services.ports.log import LogLeaf
from jara.services.ports.voting import ProposalRecord
from jara.services.publiclog.receipts import verification_key

_VOTE_CHANGES = (
    LeafType.PROPOSAL_OPEN,
    LeafType.PROPOSAL_WITHDRAW,
    LeafType.PROPOSAL_CLOSE,
)

Check = Callable[[Context, UnitOfWork], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Verification:
    """The findings, and the state of the books that was checked."""

    entries: int
    size: int
    root: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify_books(context: Context, *, progress: Progress | None = None) -> Verification:
    """Run every check on one state of the books; ``progress`` hears of the rows read.

    Nothing is changed. Unreadable rows are a finding of the check that reads them.

    Raises:
        Unavailable: the database or the secrets folder cannot be opened.
    """
    findings: list[Finding] = []
    with context.store.read() as work:
        reads = work if progress is None else count_reads(work, progress)
        for check in CHECKS:
            try:
                findings.extend(check(context, reads))
            except Unavailable:
                raise
            except (JaraError, ValueError, LookupError, TypeError) as error:
                name = check.__name__.strip("_")
                findings.append(
                    Finding(name, "rows", f"The check '{name}' cannot read its rows: {error}")
                )
        entries, head = work.journal.count(), work.log.head()
    findings.extend(
        Finding("integrity", "database", f"The database says: {complaint}.")
        for complaint in context.store.integrity_findings()
    )
    return Verification(entries, head.size, head.root().hex(), tuple(findings))


def _log_leaves(_context: Context, work: UnitOfWork) -> Iterable[Finding]:
    leaves = ((leaf.index, leaf.hash, leaf.body, leaf.type) for leaf in _all_leaves(work))
    return check_log.check_leaves(leaves, work.log.head(), work.meta.get(LOG_ORIGIN))


def _log_nodes(_context: Context, work: UnitOfWork) -> Iterator[Finding]:
    level = 1
    while work.log.head().size >> level:
        below: Iterable[bytes] = (
            (leaf.hash for leaf in _all_leaves(work))
            if level == 1
            else (digest for _, digest in work.log.nodes(level - 1))
        )
        yield from check_log.check_nodes(level, below, work.log.nodes(level))
        level += 1


def _checkpoints(context: Context, work: UnitOfWork) -> Iterator[Finding]:
    key = verification_key(context)
    for checkpoint in work.log.checkpoints():
        yield from check_log.check_checkpoint(
            checkpoint.note,
            size=checkpoint.size,
            root=checkpoint.root,
            root_here=_root_at(work, checkpoint.size),
            key=key,
            verify=context.vault.verify,
        )


def _policies(_context: Context, work: UnitOfWork) -> Iterable[Finding]:
    rows = (
        (index, _policy_leaf(day, weights, fees))
        for index, day, weights, fees in work.inspection.policies()
    )
    return check_log.check_policies(paired(_leaves(work, LeafType.POLICY), rows))


def _control(context: Context, work: UnitOfWork) -> Iterable[Finding]:
    read_control(context, work)  # a leaf that breaks the rules is an error
    return ()


def _entry_columns(_context: Context, work: UnitOfWork) -> Iterable[Finding]:
    leaves = (
        (leaf.index, (leaf.hash, read_leaf(leaf.body)))
        for leaf in work.log.leaves_of(LeafType.ENTRY)
    )
    rows = ((row.index, row) for row in work.inspection.entries())
    return check_entries.check_entry_columns(paired(leaves, rows))


def _balances(_context: Context, work: UnitOfWork) -> Iterator[Finding]:
    for row in work.inspection.entries():
        try:
            postings: tuple[Posting, ...] = row.parsed_postings()
        except (ValueError, InvalidInput) as error:
            yield Finding("entry_balances", row.id, f"The entry {row.id} is malformed: {error}")
        else:
            yield from check_books.check_entry_balances([(row.id, postings)])


def _totals(_context: Context, work: UnitOfWork) -> Iterable[Finding]:
    kept: dict[tuple[str, Fund, str], int] = {}
    summed: dict[tuple[str, Fund, str], int] = {}
    for account, fund, period, cents, real in work.journal.wrong_totals():
        # The name of an unknown fund is reported as it is.
        cell = (account, fund, period)
        kept[cell], summed[cell] = cents, real  # type: ignore[index] # see above
    return check_books.check_totals(kept, summed)


def _outside_ids(_context: Context, work: UnitOfWork) -> Iterable[Finding]:
    return check_books.check_outside_ids(work.inspection.repeated_external_ids())


def _figures(_context: Context, work: UnitOfWork) -> Iterable[Finding]:
    return check_books.check_figures(work.electors.discrepancies())


def _payments(_context: Context, work: UnitOfWork) -> Iterator[Finding]:
    yield from check_entries.check_received(work.inspection.wrong_receipts())
    yield from check_entries.check_returned(work.inspection.wrong_returns())


def _commitments(_context: Context, work: UnitOfWork) -> Iterator[Finding]:
    rows = [record.commitment for record in work.commitments.all()]
    yield from check_books.check_commitments(rows, fund_balances(work)[Fund.COMMITTED])
    yield from check_entries.check_held(
        {row.proposal: row.held for row in rows}, work.inspection.committed()
    )


def _trace(_context: Context, work: UnitOfWork) -> Iterator[Finding]:
    try:
        rebuilt = build_trace((row.index, row.parsed()) for row in work.inspection.entries())
    except (ValueError, LookupError, JaraError) as error:
        why = f"The trace cannot be rebuilt while an entry is wrong: {error}"
        yield Finding("trace", "entries", why)
        return
    for pool in Pool:
        yield from check_entries.check_trace(pool, work.trace.pool(pool), rebuilt[pool])


def _waiting_returns(_context: Context, work: UnitOfWork) -> Iterable[Finding]:
    return waiting_findings(work)


def _subscriptions(_context: Context, work: UnitOfWork) -> Iterator[Finding]:
    for subscription, members in work.inspection.shared_subscriptions():
        yield Finding(
            "subscriptions",
            subscription,
            f"The subscription {subscription} belongs to {members} members; it has one.",
        )


def _ballot_columns(_context: Context, work: UnitOfWork) -> Iterator[Finding]:
    ballots = ((row.index, row) for row in work.inspection.ballots())
    yield from check_votes.check_ballot_columns(paired(_leaves(work, LeafType.BALLOT), ballots))
    yield from check_votes.check_void_columns(
        paired(_leaves(work, LeafType.BALLOT_VOID), work.inspection.voids())
    )


def _votes(_context: Context, work: UnitOfWork) -> Iterator[Finding]:
    records = work.proposals.all()
    logged = (leaf.index for kind in _VOTE_CHANGES for leaf in work.log.leaves_of(kind))
    kept = (
        index
        for record in records
        for index in (record.opened_index, record.closed_index)
        if index is not None
    )
    yield from check_votes.check_vote_leaves(logged, kept)
    for record in records:
        yield from check_votes.check_vote(stored_vote(work, record))


CHECKS: tuple[Check, ...] = (
    _log_leaves,
    _log_nodes,
    _checkpoints,
    _policies,
    _control,
    _entry_columns,
    _balances,
    _totals,
    _outside_ids,
    _figures,
    _payments,
    _commitments,
    _trace,
    _waiting_returns,
    _subscriptions,
    _ballot_columns,
    _votes,
)
"""Every invariant of the books, each a function of its own."""


def stored_vote(work: UnitOfWork, record: ProposalRecord) -> StoredVote:
    """Return everything that is stored about a vote, for `check_vote`."""
    proposal = record.proposal
    return StoredVote(
        proposal=proposal,
        opened_index=record.opened_index,
        closed_index=record.closed_index,
        roll_size=record.roll_size,
        opening=_leaf_at(work, record.opened_index),
        ending=_leaf_at(work, record.closed_index),
        ballots=tuple(work.inspection.ballots_of(proposal.id)),
        roll=tuple(work.ballots.roll(proposal.id)),
        kept=work.ballots.counts(proposal.id),
        participants=len(work.ballots.participants(proposal.id)),
        key_destroyed=record.key_destroyed_at is not None,
    )


def _all_leaves(work: UnitOfWork) -> Iterator[LogLeaf]:
    return work.log.leaves(0, 2**62)  # also those beyond the head


def _leaves(work: UnitOfWork, kind: LeafType) -> Iterator[tuple[int, dict[str, Any]]]:
    return ((leaf.index, read_leaf(leaf.body)) for leaf in work.log.leaves_of(kind))


def _leaf_at(work: UnitOfWork, index: int | None) -> dict[str, Any]:
    try:
        return {} if index is None else read_leaf(work.log.leaf(index).body)
    except NotFound:
        return {}


def _root_at(work: UnitOfWork, size: int) -> bytes | None:
    try:
        return work.log.root(size)
    except NotFound:
        return None


def _policy_leaf(day: str, weights: Any, fees: Any) -> dict[str, Any]:  # noqa: ANN401 - stored JSON
    try:
        return policy_leaf(
            FundPolicy(
                date.fromisoformat(day),
                {fund: weights[fund] for fund in SPLIT_FUNDS},
                {fund: fees[fund] for fund in SPLIT_FUNDS},
            )
        )
    except (ValueError, LookupError, InvalidInput):
        return {}
