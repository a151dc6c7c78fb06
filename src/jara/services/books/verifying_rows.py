"""Checks of entries, totals, payments and the trace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from jara.domain.books.account import Fund, account_type
from jara.domain.books.trace import build_trace
from jara.domain.books.trace_rows import Pool
from jara.domain.checks import books as check_books
from jara.domain.checks import entries as check_entries
from jara.domain.checks.books import Finding
from jara.domain.checks.log import paired
from jara.domain.errors import InvalidInput, JaraError, NotFound
from jara.domain.publiclog.leaves import LeafType
from jara.services.books.posting import fund_balances
from jara.services.books.verified_point import VerifiedPoint, hash_of_sums
from jara.services.books.verifying_scope import Scope
from jara.services.books.waiting_returns import waiting_findings


def entries(scope: Scope) -> Iterator[Finding]:
    """Compare the entries with their leaves, and check that each one balances."""
    work = scope.work
    leaves = (
        (leaf.index, (leaf.hash, leaf.body))
        for leaf in work.log.leaves_of(LeafType.ENTRY, scope.start)
    )
    rows = ((row.log_index, row) for row in work.inspection.entries(scope.start))
    suspects = _suspects(scope)
    for index, logged, row in paired(leaves, rows):
        is_logged = row is not None and logged is not None and row.is_logged(*logged)
        if is_logged and index not in suspects:
            continue
        postings = work.inspection.postings(index)
        yield from check_entries.check_entry_columns(index, logged, row, postings)
        if row is not None:
            yield from check_entries.check_entry(row.id, postings)


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
    kept: dict[tuple[str, Fund, str], int] = {}
    summed: dict[tuple[str, Fund, str], int] = {}
    for account, fund, period, cents, real in scope.work.journal.wrong_totals():
        # The name of an unknown fund is reported as it is.
        cell = (account, fund, period)
        kept[cell], summed[cell] = cents, real  # type: ignore[index] # see above
    return check_books.check_totals(kept, summed)


def point(scope: Scope) -> Iterator[Finding]:
    """Check that the part before the verified point has the same root and sums."""
    if scope.point is not None:
        for what in _changes(scope, scope.point):
            yield Finding(
                "verified_point",
                f"size {scope.point.size}",
                f"What was verified on {scope.point.verified_at:%Y-%m-%d %H:%M} UTC has "
                f"changed: {what}. `jara ledger verify` looks for the place.",
            )


def _changes(scope: Scope, before: VerifiedPoint) -> Iterator[str]:
    work = scope.work
    try:
        root = work.log.root(before.size).hex()
    except NotFound:
        root = ""
    if root != before.root:
        yield f"the root of the first {before.size} leaves of the log"
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


def payments(scope: Scope) -> Iterator[Finding]:
    """Compare the payments with their entries."""
    yield from check_entries.check_received(scope.work.inspection.wrong_receipts())
    yield from check_entries.check_returned(scope.work.inspection.wrong_returns())


def commitments(scope: Scope) -> Iterator[Finding]:
    """Compare the money held for proposals with its fund and its entries."""
    work = scope.work
    rows = [record.commitment for record in work.commitments.all()]
    yield from check_books.check_commitments(rows, fund_balances(work)[Fund.COMMITTED])
    yield from check_entries.check_held(
        {row.proposal: row.held for row in rows}, work.inspection.committed()
    )


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
