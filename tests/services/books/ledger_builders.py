"""Books for the ledger tests: rows, passed proposals, balances."""

import io
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting
from jara.domain.books.provider_row import ChargeKind, ProviderRow
from jara.domain.checks.books import Finding
from jara.domain.email_kinds import EmailChoice
from jara.domain.giving.member import Member
from jara.domain.voting.proposal import Proposal, ProposalStatus
from jara.files.ledger.journal import write_journal
from jara.files.reading import FileReport
from jara.files.stripe.reader import in_time_order, read_stripe
from jara.records.voting import ProposalRecord
from jara.services.books.commitments import begin_commitment
from jara.services.books.imports import ImportOutcome
from jara.services.books.posting import Books, fund_balances
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.payments.importing import book_rows
from tests.domain.voting.voting_builders import a_proposal
from tests.rows import a_row

SAMPLES = Path(__file__).parents[3] / "data" / "samples"
REPORTS = ("balance_change_itemized.csv", "payouts_itemized.csv")
PASSED_AT = datetime(2026, 11, 1, 12, tzinfo=UTC)


def sample_rows(*names: str, until: datetime | None = None) -> tuple[list[ProviderRow], FileReport]:
    """Read several Stripe sample files together, as the command line does; up to an instant."""
    report = FileReport()
    rows: list[ProviderRow] = []
    for name in names:
        with (SAMPLES / name).open("rb") as stream:
            rows += read_stripe(stream, name, report, assume=ChargeKind.PLEDGE)
    ordered = in_time_order(rows)
    return [row for row in ordered if until is None or row.created < until], report


def book_samples(context: Context, *names: str, until: datetime | None = None) -> ImportOutcome:
    """Book several Stripe sample files together."""
    rows, report = sample_rows(*names, until=until)
    return book_rows(context, rows, faults=report.rejected)


def book(context: Context, *rows: ProviderRow) -> ImportOutcome:
    """Book rows, and assert that none was rejected."""
    outcome = book_rows(context, rows)
    assert outcome.rejected == ()
    return outcome


def give(context: Context, cents: int, name: str = "1", **changes: object) -> PostedEntry:
    """Book a pledge payment without a fee, and return its entry."""
    row = a_row("charge", cents, 0, txn_id=f"txn_{name}", source_id=f"ch_{name}")
    book(context, row._replace(**changes))  # type: ignore[arg-type] # given by the test, by name
    return newest(context)


def a_move(
    cents: int, to: str, source: str = BANK, *, fund: Fund = Fund.OTHER, **changes: object
) -> JournalEntry:
    """Return an entry that moves money of a fund between two accounts, on 20 November 2026."""
    postings = (Posting(to, fund, cents), Posting(source, fund, -cents))
    entry = JournalEntry(date(2026, 11, 20), EntryKind.MANUAL, "Moved", postings)
    return replace(entry, **changes)  # type: ignore[arg-type] # given by the test, by name


def post(context: Context, entry: JournalEntry) -> PostedEntry:
    """Write an entry to the books, whatever the limits are."""
    with context.store.write() as work:
        return Books(context, work, is_limited=False).post(entry)


def newest(context: Context) -> PostedEntry:
    """Return the newest entry."""
    with context.store.read() as work:
        posted = work.journal.newest()
    assert posted is not None
    return posted


def all_entries(context: Context) -> list[JournalEntry]:
    """Return every entry in the order of the log."""
    with context.store.read() as work:
        return [posted.entry for posted in work.journal.in_log_order()]


def contents(context: Context) -> Counter[object]:
    """Return the outside id, kind, day and sums by account of the entries, in any order."""

    def sums(entry: JournalEntry) -> frozenset[tuple[str, int]]:
        found: Counter[str] = Counter()
        for posting in entry.postings:
            found[posting.account] += posting.cents
        return frozenset(found.items())

    entries = all_entries(context)
    return Counter((one.external_id, one.kind, one.day, sums(one)) for one in entries)


def journal_of(context: Context) -> io.BytesIO:
    """Return the journal that operators export, from which books are rebuilt."""
    text = io.StringIO()
    with context.store.read() as work:
        entries = work.journal.in_log_order()
        write_journal(entries, text, lambda i: work.journal.get(i).id, for_operators=True)
    return io.BytesIO(text.getvalue().encode())


def account_sums(context: Context) -> dict[str, int]:
    """Return each account's balance, without zeros."""
    sums: Counter[str] = Counter()
    with context.store.read() as work:
        for row in work.journal.balances():
            sums[row.account] += row.cents
    return {account: cents for account, cents in sums.items() if cents}


def funds(context: Context) -> dict[Fund, int]:
    """Return each fund's available money."""
    with context.store.read() as work:
        return fund_balances(work)


def pass_proposal(context: Context, goal_cents: int, name: str = "wells") -> Proposal:
    """Store a passed proposal, and promise it its goal."""
    proposal = a_proposal(
        id=f"prop_{name}",
        slug=name,
        fundingGoalCents=goal_cents,
        status=ProposalStatus.PASSED,
        decided_at=PASSED_AT,
    )
    with context.store.write() as work:
        work.proposals.put(ProposalRecord(proposal, created_at=PASSED_AT))
        begin_commitment(
            context,
            work,
            Books(context, work),
            proposal_id=proposal.id,
            goal_cents=goal_cents,
            decided_at=PASSED_AT,
        )
    return proposal


def money_findings(context: Context) -> list[Finding]:
    """Return the findings about the books, without those about the simulated votes."""
    return [found for found in verify_books(context).findings if found.check != "votes"]


def a_member() -> Member:
    """Return a member."""
    return Member(
        id="018f3c1e-7b5a-7000-8000-000000000001",
        key="key_member",
        firstname="Ada",
        lastname="Obi",
        email="ada@example.org",
        country="Ghana",
        email_choice=EmailChoice.NOTHING,
        joined_at=PASSED_AT,
    )
