"""The checks of a verification: rows, trace, log, ballots and votes.

Every check reads one state of the books, from a log index on, and counts the rows for a progress
bar.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple, TypeVar, cast

from jara.domain.books.account import SPLIT_FUNDS, Fund, account_type
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.books.trace import build_trace
from jara.domain.books.trace_rows import Pool
from jara.domain.checks import books as check_books
from jara.domain.checks import entries as check_entries
from jara.domain.checks import log as check_log
from jara.domain.checks import votes as check_votes
from jara.domain.checks.books import Finding
from jara.domain.checks.log import paired, read_leaf
from jara.domain.checks.votes import StoredVote
from jara.domain.content.translations import translations_of
from jara.domain.errors import InvalidInput, JaraError, NotFound
from jara.domain.progress import Progress
from jara.domain.publiclog.leaves import LeafType, content_document, policy_leaf
from jara.domain.time_zone import UTC_ZONE
from jara.records.voting import ProposalRecord
from jara.services.authority import read_control
from jara.services.books.imports import BANK_IMPORT_ACTION, DIGEST, IMPORT
from jara.services.books.log_rules import control_findings, log_rules, plan_findings, year_findings
from jara.services.books.outflows import RELEASE_ACTION
from jara.services.books.posting import closing_balances, fund_balances
from jara.services.books.verified_point import VerifiedPoint, hash_of_sums
from jara.services.books.waiting_returns import waiting_findings
from jara.services.context import Context
from jara.services.log_keys import key_chain
from jara.services.organisation import LOG_ORIGIN
from jara.store.unit_of_work import UnitOfWork


class Scope(NamedTuple):
    """The transaction to read, and the point up to which everything was verified before."""

    context: Context
    work: UnitOfWork
    point: VerifiedPoint | None = None  # log rows before it are not read again; None reads all

    @property
    def start(self) -> int:
        """The first log index to read."""
        return 0 if self.point is None else self.point.size


Check = Callable[[Scope], Iterable[Finding]]


_ROWS_AT_ONCE = 500
_COUNTED = frozenset({"leaves", "leaves_of", "nodes", "entries"})
_LEAF_READS = 4
"""How often the checks read each leaf or node of the log."""
_ENTRY_READS = 2
"""How often the checks read each entry: its leaf, and its rows."""

Item = TypeVar("Item")


def rows_to_read(work: UnitOfWork, point: VerifiedPoint | None) -> int:
    """Return how many rows the checks read after a verified point, or in total without one."""
    size, entries = (0, 0) if point is None else (point.size, point.entries)
    leaves, later = work.log.size() - size, work.journal.count() - entries
    return max(_LEAF_READS * leaves + _ENTRY_READS * later, 1)


def count_reads(work: UnitOfWork, progress: Progress, total: int) -> UnitOfWork:
    """Wrap a transaction, to count the rows read from the log and the journal."""
    return cast("UnitOfWork", _Counted(work, {"log", "inspection"}, progress, total))


class _Counted:
    """Passes calls through, and counts the rows of the large results."""

    def __init__(self, inner: object, parts: set[str], progress: Progress, total: int) -> None:
        self._inner = inner
        self._parts = parts
        self._progress = progress
        self._total = total

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the port has
        value = getattr(self._inner, name)
        if name in self._parts:
            return _Counted(value, set(), self._progress, self._total)
        if name in _COUNTED and not self._parts:
            return lambda *args, **named: self._count(value(*args, **named))
        return value

    def _count(self, rows: Iterable[Item]) -> Iterator[Item]:
        row_count = 0
        for row in rows:
            row_count += 1
            if row_count == _ROWS_AT_ONCE:
                self._progress(row_count, self._total)
                row_count = 0
            yield row
        self._progress(row_count, self._total)


def entries(scope: Scope) -> Iterator[Finding]:
    """Compare the entries with their leaves, and hold them to the rules of the public log."""
    work, rules = scope.work, log_rules(scope.work)
    leaves = (
        (leaf.index, (leaf.hash, leaf.body))
        for leaf in work.log.leaves_of(LeafType.ENTRY, start=scope.start)
    )
    rows = ((row.log_index, row) for row in work.inspection.entries(scope.start))
    suspects, zone = _suspects(scope), work.zone
    for index, logged, row in paired(leaves, rows):
        if row is not None:
            rules.add_row(row)
        is_logged = row is not None and logged is not None and row.is_logged(*logged, zone)
        if is_logged and index not in suspects:
            continue
        postings = work.inspection.postings(index)
        yield from check_entries.check_entry_columns(index, logged, row, postings, zone)
        if row is not None:
            yield from check_entries.check_entry(row.id, postings)
    yield from rules.findings()


def _suspects(scope: Scope) -> set[int]:
    """Return the entries whose postings `check_entry` may refuse, by their log indexes."""
    inspection = scope.work.inspection
    suspects = set(inspection.suspects(scope.start))
    for account in inspection.accounts():
        try:
            account_type(account)
        except InvalidInput:
            suspects.update(inspection.entries_on(account))
    return suspects


def totals(scope: Scope) -> Iterable[Finding]:
    """Add up all postings, and compare the stored totals."""
    stored_sums: dict[tuple[str, Fund, str], int] = {}
    actual_sums: dict[tuple[str, Fund, str], int] = {}
    for account, fund, period, cents, real in scope.work.journal.wrong_totals():
        # The name of an unknown fund is reported as it is.
        cell = (account, fund, period)
        stored_sums[cell], actual_sums[cell] = cents, real  # type: ignore[index] # see above
    return check_books.check_totals(stored_sums, actual_sums)


def point(scope: Scope) -> Iterator[Finding]:
    """Check that the part before the verified point has the same root and sums."""
    if scope.point is not None:
        for what in _changes(scope, scope.point):
            yield Finding(
                "verified_point",
                f"size {scope.point.size}",
                f"What was verified on {scope.context.zone.minute(scope.point.verified_at)} has "
                f"changed: {what}. `jara ledger verify` looks for the place.",
            )


def _changes(scope: Scope, before: VerifiedPoint) -> Iterator[str]:
    work = scope.work
    try:
        root = work.log.root(before.size).hex()
    except NotFound:
        root = ""
    if root != before.root:
        yield f"the root of the first {before.size:,} leaves of the log"
    later = sum(1 for _ in work.inspection.entries(before.size))
    if work.journal.count() - later != before.entries:
        yield "the number of its entries"
    sums: defaultdict[tuple[str, str, str], int] = defaultdict(int)
    for account, fund, day, cents in work.inspection.day_totals():
        sums[account, fund, day] += cents
    for account, fund, day, cents in work.inspection.sums(before.size):
        sums[account, fund, day] -= cents
    if hash_of_sums((*cell, cents) for cell, cents in sums.items()) != before.sums:
        yield "the sums of its postings"


def outside_ids(scope: Scope) -> Iterable[Finding]:
    """Find external ids that were booked twice."""
    return check_books.check_outside_ids(scope.work.inspection.repeated_external_ids())


def figures(scope: Scope) -> Iterable[Finding]:
    """Recount the stored figures."""
    return check_books.check_figures(scope.work.electors.discrepancies())


def payments(scope: Scope) -> Iterable[Finding]:
    """Compare the payments with their entries."""
    inspection = scope.work.inspection
    return check_entries.check_payments(inspection.wrong_receipts(), inspection.wrong_returns())


def commitments(scope: Scope) -> Iterator[Finding]:
    """Compare the money held for proposals with its fund and its entries."""
    work = scope.work
    records = {record.commitment.proposal: record for record in work.commitments.all()}
    rows = [record.commitment for record in records.values()]
    yield from check_books.check_commitments(rows, fund_balances(work)[Fund.COMMITTED])
    booked = work.inspection.committed()
    held, paid = ({name: sums[place] for name, sums in booked.items()} for place in range(2))
    votes = {record.proposal.id: record for record in work.proposals.all()}
    for what, kept, real in (
        ("held", {row.proposal: row.held for row in rows}, held),
        ("paid", {row.proposal: row.paid for row in rows}, paid),
        ("released", {row.proposal: row.released for row in rows}, _released(work)),
        (
            "its goal",
            {row.proposal: row.goal for row in rows if row.proposal in votes},
            {name: _goal(work, votes[name]) for name in records if name in votes},
        ),
    ):
        yield from check_entries.check_amounts(kept, real, what=what)
    yield from plan_findings(work)
    for name, record in records.items():
        if name in votes and votes[name].decided_at != record.decided_at:
            yield Finding("commitments", name, f"The time of the vote on {name} has changed.")


def _goal(work: UnitOfWork, record: ProposalRecord) -> int:
    """Return the goal that was voted on, from the leaf of the opening."""
    opening = _leaf_at(work, record.opened_index)
    return int(opening.get("goal_cents", record.proposal.goal_cents))


def _released(work: UnitOfWork) -> dict[str, int]:
    """Return what was released for each proposal: by the audit log, at least what was published."""
    rows = work.operations.audit(action=RELEASE_ACTION)
    released = {row.subject: int(row.after["releasedCents"]) for row in rows}
    published: Counter[str] = Counter()
    for leaf in work.log.leaves_of(LeafType.PROPOSAL_RELEASE):
        body = read_leaf(leaf.body)
        published[body["proposal"]] += body["cents"]
    return {name: max(released.get(name, 0), published[name]) for name in {*released, *published}}


CLOSE_ACTION, OPEN_ACTION = "years.close", "years.open"


def derived(scope: Scope) -> Iterator[Finding]:
    """Find values that contradict those that they follow from, in a check of everything."""
    if scope.point is None:
        for row in scope.work.operations.audit(action=BANK_IMPORT_ACTION):
            digest = row.after.get(DIGEST)  # imports of 0.2.0 have none
            if digest is not None and digest != scope.work.bank.digest(row.after[IMPORT]):
                what = f"What the bank's file {row.subject} brought has changed."
                yield Finding("bank", row.after[IMPORT], what)
        for check, where, message in scope.work.inspection.contradictions():
            yield Finding(check, where, message)


def years(scope: Scope) -> Iterator[Finding]:
    """Compare the closed years with the log, the audit log, and the balances of the books."""
    locks = {str(lock.year): lock for lock in scope.work.book_settings.locked_years()}
    audit = scope.work.operations.audit
    for year in sorted({*locks, *(row.subject for row in audit(action=CLOSE_ACTION))}):
        acts = [row for row in audit(subject=year) if row.action in {CLOSE_ACTION, OPEN_ACTION}]
        lock = locks.get(year)
        row = acts[-1] if acts and acts[-1].action == CLOSE_ACTION else None
        if lock is None and row is None:
            continue
        if lock is None or row is None:
            state = "open" if lock is None else "closed"
            yield Finding("years", year, f"The year {year} is {state} without an operator's act.")
        elif (lock.log_size, lock.root) != (row.after["logSize"], row.after["root"]):
            yield Finding("years", year, f"The head of the log at the close of {year} changed.")
    yield from year_findings(scope.work, locks)
    for lock in locks.values():
        closing = closing_balances(scope.work, lock.year)
        yield from check_books.check_year(lock.year, lock.balances, closing)


def trace(scope: Scope) -> Iterator[Finding]:
    """Rebuild the trace from all entries, and compare it."""
    try:
        rebuilt = build_trace(
            (row.log_index, row.checked()) for row in scope.work.inspection.entries()
        )
    except (ValueError, LookupError, JaraError) as error:
        why = f"The trace cannot be rebuilt while an entry is wrong: {error}"
        yield Finding("trace", "entries", why)
        return
    for pool in Pool:
        yield from check_entries.check_trace(pool, scope.work.trace.pool(pool), rebuilt[pool])


def waiting_returns(scope: Scope) -> Iterable[Finding]:
    """Find refunds and disputes that wait for their payment."""
    return waiting_findings(scope.work)


def subscriptions(scope: Scope) -> Iterator[Finding]:
    """Find subscriptions that belong to several members."""
    for subscription, members in scope.work.inspection.shared_subscriptions():
        yield Finding(
            "subscriptions",
            subscription,
            f"The subscription {subscription} belongs to {members} members; it has one.",
        )


_ALL = 2**62
"""Larger than any log, so that leaves beyond the head are read too."""


def log_leaves(scope: Scope) -> Iterable[Finding]:
    """Check the bytes and the hash of every leaf, and the head."""
    log = scope.work.log
    leaves = (
        (leaf.index, leaf.hash, leaf.body, leaf.type) for leaf in log.leaves(scope.start, _ALL)
    )
    origin = scope.work.meta.get(LOG_ORIGIN)
    before = log.frontier(scope.start)
    return check_log.check_leaves(leaves, log.head(), origin, before=before)


def log_nodes(scope: Scope) -> Iterator[Finding]:
    """Check the inner nodes of the tree, level by level."""
    log = scope.work.log
    level = 1
    while log.head().size >> level:
        first = scope.start >> level
        below = (digest for _, digest in log.nodes(level - 1, 2 * first))
        yield from check_log.check_nodes(level, below, log.nodes(level, first), first=first)
        level += 1


def checkpoints(scope: Scope) -> Iterator[Finding]:
    """Check that every signed checkpoint is a prefix of the log."""
    keys = key_chain(scope.context, scope.work)
    for checkpoint in scope.work.log.checkpoints():
        if checkpoint.size < scope.start:
            continue
        yield from check_log.check_checkpoint(
            checkpoint.note,
            size=checkpoint.size,
            root=checkpoint.root,
            root_here=_root_at(scope.work, checkpoint.size),
            keys=keys,
            verifies=scope.context.vault.verifies,
        )


def policies(scope: Scope) -> Iterable[Finding]:
    """Compare the fund policies with their leaves."""
    rows = (
        (index, _policy_leaf(day, weights, fees))
        for index, day, weights, fees in scope.work.inspection.policies()
    )
    leaves = (
        (leaf.index, read_leaf(leaf.body)) for leaf in scope.work.log.leaves_of(LeafType.POLICY)
    )
    return check_log.check_policies(paired(leaves, rows))


def control(scope: Scope) -> Iterable[Finding]:
    """Check that operators' keys follow the rules, and that two signed what needs two."""
    rules = read_control(scope.context, scope.work)  # a leaf that breaks the rules is an error
    return control_findings(scope.work, rules, start=scope.start)


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


_VOTE_CHANGES = (LeafType.PROPOSAL_OPEN, LeafType.PROPOSAL_WITHDRAW, LeafType.PROPOSAL_CLOSE)


def ballot_columns(scope: Scope) -> Iterator[Finding]:
    """Compare ballots with their leaves."""
    ballots = ((row.index, row) for row in scope.work.inspection.ballots(scope.start))
    return check_votes.check_ballot_columns(paired(_leaves(scope, LeafType.BALLOT), ballots))


def votes(scope: Scope) -> Iterator[Finding]:
    """Check openings, rolls, counts and results, except of votes that ended before the point."""
    work = scope.work
    records = work.proposals.all()
    logged = (leaf.index for kind in _VOTE_CHANGES for leaf in work.log.leaves_of(kind))
    stored_indexes = (
        index
        for record in records
        for index in (record.opened_index, record.closed_index)
        if index is not None
    )
    yield from check_votes.check_vote_leaves(logged, stored_indexes)
    for record in records:
        if record.closed_index is None or record.closed_index >= scope.start:
            yield from check_votes.check_vote(stored_vote(work, record))


def _day_of_opening(record: ProposalRecord, opening: Mapping[str, Any]) -> date | None:
    """Return the day that the opening names, if it is that of the opening in some time zone."""
    if record.opened_at is None or "day" not in opening:
        return None
    day = date.fromisoformat(opening["day"])
    return day if abs(day - UTC_ZONE.day_of(record.opened_at)) <= timedelta(days=1) else None


def stored_vote(work: UnitOfWork, record: ProposalRecord) -> StoredVote:
    """Return all stored data about a vote, for `check_vote`."""
    proposal = record.proposal
    rules = work.log.vote_rules(record.opened_index or 0)
    opening = _leaf_at(work, record.opened_index)
    closing = work.closings.get(proposal.id)
    return StoredVote(
        proposal=proposal,
        opened_index=record.opened_index,
        closed_index=record.closed_index,
        roll_size=record.roll_size,
        opening=opening,
        ending=_leaf_at(work, record.closed_index),
        texts={
            language: content_document(record.text_in(language))
            for language in translations_of(record.languages)
        },
        opened_with=record.opened_with,
        corrected={
            leaf["language"]: leaf["content"]
            for leaf in work.log.corrections().get(proposal.id, ())
        },
        ballots=tuple(work.inspection.ballots_of(proposal.id)),
        sealed=len(work.box.tokens(proposal.id)) if closing is None else 0,
        dropped=tuple(work.ballots.dropped(proposal.id)),
        roll=tuple(work.ballots.roll(proposal.id)),
        kept=work.ballots.counts(proposal.id),
        participants=len(work.ballots.participants(proposal.id)),
        key_destroyed=record.key_destroyed_at is not None,
        rules=rules,
        opened_on=_day_of_opening(record, opening) if rules else None,
    )


def _leaves(scope: Scope, kind: LeafType) -> Iterator[tuple[int, dict[str, Any]]]:
    leaves = scope.work.log.leaves_of(kind, start=scope.start)
    return ((leaf.index, read_leaf(leaf.body)) for leaf in leaves)


def _leaf_at(work: UnitOfWork, index: int | None) -> dict[str, Any]:
    try:
        return {} if index is None else read_leaf(work.log.leaf(index).body)
    except NotFound:
        return {}
