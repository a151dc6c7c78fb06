"""Verifying the books: every invariant, checked on the stored rows.

`verify_books` reads every row. `verify_recent` checks all rows after the verified point. Before
that point, it detects a changed root of the log, a changed number of entries, and a posting with a
changed account, fund, day or amount; it also checks all totals, payments, commitments, operators'
keys and open votes. It does not detect changes that keep those sums: a changed text, kind or
contributor of an older entry, or two older postings swapped within an account, fund and day. Nor
does it check the bytes of older leaves, ended votes, the trace, or the database for damaged pages.
"""

import gc
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import NamedTuple

from jara.domain.checks.books import Finding
from jara.domain.checks.log import read_leaf
from jara.domain.currency import DEFAULT_CURRENCY, books_currency
from jara.domain.errors import JaraError, Unavailable
from jara.domain.progress import Progress
from jara.domain.publiclog.leaves import LeafType
from jara.services.books import checks
from jara.services.books.checks import Check, Scope, count_reads, rows_to_read
from jara.services.books.papers import document_findings
from jara.services.books.verified_point import VerifiedPoint, keep_point, point_of, read_point
from jara.services.context import Context
from jara.store.seals import SEALS_DUE

MANY_ENTRIES = 20_000
"""With this many entries or more, other processes help.

Starting one takes as long as checking a few thousand entries.
"""


def currency(scope: Scope) -> Iterator[Finding]:
    """Compare the currency of the books with the log."""
    leaves = scope.work.log.leaves_of(LeafType.CURRENCY)
    named = [str(read_leaf(leaf.body)["currency"]) for leaf in leaves]
    logged, ours = named[-1] if named else DEFAULT_CURRENCY, books_currency()
    if logged != ours:
        yield Finding("currency", "books", f"The books are in {ours}, but the log says {logged}.")


def seals(scope: Scope) -> Iterator[Finding]:
    """Compare sealed rows with their seals, in a check of everything."""
    if scope.point is not None:
        return
    if scope.work.meta.get(SEALS_DUE):
        what = "The rows of an older version are not sealed yet; run `jara migrate`."
        yield Finding("seals", "database", what)
        return
    broken: Counter[str] = Counter()
    for table, row in scope.work.inspection.broken_seals(scope.context.vault.seal_row):
        if not row:
            what = f"Rows of {table} were deleted by another program."
            yield Finding("seals", table, what)
            continue
        broken[table] += 1
        if broken[table] <= _ROWS_NAMED:
            what = f"A row of {table} was changed or added by another program: {row}."
            yield Finding("seals", table, what)
    for table, count in broken.items():
        if count > _ROWS_NAMED:
            more = f"So were {count - _ROWS_NAMED:,} more rows of {table}."
            yield Finding("seals", table, more)


def documents(scope: Scope) -> Iterable[Finding]:
    """Compare the documents of entries with their leaves and their hashes."""
    return document_findings(scope.context, scope.work, scope.start)


_ROWS_NAMED = 3
"""Of each table: with a foreign key in the secrets folder every row differs."""


CHECKS: tuple[Check, ...] = (
    checks.log_leaves,
    checks.log_nodes,
    checks.checkpoints,
    checks.policies,
    currency,
    checks.control,
    checks.entries,
    checks.totals,
    checks.point,
    checks.outside_ids,
    checks.figures,
    checks.payments,
    checks.commitments,
    checks.years,
    checks.derived,
    seals,
    documents,
    checks.waiting_returns,
    checks.subscriptions,
    checks.ballot_columns,
    checks.votes,
)
"""Every invariant except those in `WHOLE`, one function each."""

Whole = Callable[[Context], list[Finding]]
"""A check that always reads everything, in its own transaction."""

Reopen = Callable[[], Context]
"""Opens the same organisation in another process; it must be picklable."""


class Verification(NamedTuple):
    """The findings, and the state of the books that was checked."""

    entries: int
    size: int  # the size of the log
    root: str  # its root, in hex
    findings: tuple[Finding, ...]
    since: VerifiedPoint | None = None
    """The point where the check started; None if everything was checked."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify_books(context: Context) -> Verification:
    """Run every check on the whole books.

    It changes nothing. Unreadable rows are a finding of the check that reads them.

    Raises:
        Unavailable: the database or the secrets folder cannot be opened.
    """
    return _verify(context, None, None)[0]


def verify_and_note(
    context: Context, *, progress: Progress | None = None, reopen: Reopen | None = None
) -> Verification:
    """Run every check like `verify_books`; without findings, store the verified point.

    `progress` is called with the number of rows read; `reopen` lets other processes check large
    books in parallel.

    Raises:
        Unavailable: the database or the secrets folder cannot be opened.
    """
    result, point = _verify(context, progress, reopen)
    if result.ok:
        with suppress(JaraError):  # a read-only copy stores no point
            keep_point(context, point)
    return result


def verify_recent(
    context: Context, *, progress: Progress | None = None, reopen: Reopen | None = None
) -> Verification:
    """Check everything after the verified point, and sums before it; without a point, everything.

    This is slow for many new entries; see `find_unverified`.

    Raises:
        Unavailable: the database or the secrets folder cannot be opened.
    """
    with context.store.read() as work:
        point = read_point(context, work)
        if point is not None:
            return _run(Scope(context, work, point), progress, rows_to_read(work, point))
    return verify_and_note(context, progress=progress, reopen=reopen)


def find_unverified(context: Context) -> tuple[int, VerifiedPoint | None]:
    """Return the number of entries after the verified point, and the point, if there is one."""
    with context.store.read() as work:
        point = read_point(context, work)
        return work.journal.count() - (0 if point is None else point.entries), point


def _verify(
    context: Context, progress: Progress | None, reopen: Reopen | None
) -> tuple[Verification, VerifiedPoint]:
    """Check everything; return the findings, and the verified point to store without findings."""
    entries = context.store.read_once().journal.count()
    with _elsewhere(reopen if entries >= MANY_ENTRIES else None) as elsewhere:
        with context.store.read() as work:
            # Each check in `WHOLE` counts as reading the entries once more.
            total = rows_to_read(work, None) + len(WHOLE) * entries
            result = _run(Scope(context, work), progress, total)
            point = point_of(context, work)
        findings = list(result.findings)
        for check in WHOLE:
            findings += elsewhere[check].result() if check in elsewhere else check(context)
            if progress is not None:
                progress(entries, total)
    return result._replace(findings=tuple(findings)), point


def check_trace(context: Context) -> list[Finding]:
    """Rebuild the trace from all entries, and compare it."""
    with context.store.read() as work:
        return _findings(checks.trace, Scope(context, work))


def check_integrity(context: Context) -> list[Finding]:
    """Let the database check its own pages and references."""
    return [
        Finding("integrity", "database", f"The database says: {complaint}.")
        for complaint in context.store.integrity_findings()
    ]


WHOLE: tuple[Whole, ...] = (check_trace, check_integrity)
"""The checks that other processes can run."""


def run_reopened(reopen: Reopen, check: Whole) -> list[Finding]:
    """Open the books, and run a check on them."""
    return check(reopen())


def _run(scope: Scope, progress: Progress | None, total: int) -> Verification:
    work, head = scope.work, scope.work.log.head()
    read = work if progress is None else count_reads(work, progress, total)
    counted = scope._replace(work=read)
    findings = tuple(one for check in CHECKS for one in _findings(check, counted))
    return Verification(work.journal.count(), head.size, head.root().hex(), findings, scope.point)


@contextmanager
def _elsewhere(reopen: Reopen | None) -> Iterator[Mapping[Whole, Future[list[Finding]]]]:
    """Start checks in other processes, unless there is only one core."""
    if reopen is None or os.cpu_count() == 1:
        yield {}
        return
    # Spawn: a fork would share this process's database connections. The processes are
    # short-lived and create no cycles; without the collector the trace takes a quarter less.
    spawning = get_context("spawn")
    with ProcessPoolExecutor(len(WHOLE), mp_context=spawning, initializer=gc.disable) as pool:
        yield {check: pool.submit(run_reopened, reopen, check) for check in WHOLE}


def _findings(check: Check, scope: Scope) -> list[Finding]:
    """Return the findings of a check; unreadable rows are a finding."""
    findings: list[Finding] = []
    try:
        findings.extend(check(scope))
    except Unavailable:
        raise
    except (JaraError, ValueError, LookupError, TypeError) as error:
        name = check.__name__
        findings.append(Finding(name, "rows", f"The check '{name}' cannot read its rows: {error}"))
    return findings
