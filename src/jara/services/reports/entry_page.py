"""The public page of one entry: what it moved, its proof, and what became of the money.

Who holds an id, from a receipt, sees what contributors see in the ledger, less what could lead to a
person. Ids follow from the public fingerprints, so a page must not say more to those who try all of
them: there is no contributor's key, no description, and no day but that of a payment to a project,
a grant or a donation, which its page shows too. A payment names the number of its payers, never
their entries.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Annotated, NamedTuple

from jara.documents import OPTIONAL, Json
from jara.domain.books.account import PAYEE_PARENTS, AccountType, Fund, account_type, nearest
from jara.domain.books.foreign import ForeignAmount
from jara.domain.books.journal import EntryKind, PostedEntry, total_of
from jara.domain.books.trace import payers_of_entry
from jara.domain.errors import NotFound
from jara.domain.papers import PaperKind
from jara.domain.publiclog.leaves import ENTRY_ID_LENGTH
from jara.domain.reports.followed import FollowedFund, share_trace
from jara.domain.reports.parts import ReportPeriod, Title
from jara.services.books.papers import documents_of
from jara.services.books.tracing import trace_rows
from jara.services.books.transactions import Transaction, transaction_rows
from jara.services.context import Context
from jara.services.reports.facts import Payees, make_cut, read_payees
from jara.services.reports.followed import name_of, trace_payments
from jara.store.unit_of_work import UnitOfWork

_ID = re.compile(f"[a-z2-7]{{{ENTRY_ID_LENGTH}}}", re.ASCII)


class EntryLine(NamedTuple):
    """An entry in short: money in is positive, money out negative."""

    id: str
    kind: EntryKind
    month: str
    amount_cents: int


class EntryProof(NamedTuple):
    """Where an entry stands in the public log, and its fingerprint there."""

    place: Annotated[int, Json("index")]
    leaf: str


class PagePaper(NamedTuple):
    """A public document of an entry and where it is read, or how many others are of a kind."""

    kind: PaperKind
    number: int
    path: Annotated[str | None, OPTIONAL]


class EntryPage(NamedTuple):
    """An entry as everybody may see it; it names nobody."""

    id: str  # the id on the receipt
    kind: EntryKind
    month: str  # the month it is booked in
    day: Annotated[date | None, Json("date")]
    """The day, of a payment to a project, a grant or a donation."""
    amount_cents: int  # money in is positive, money out negative; with the card fee
    fee_cents: int  # the card fee in it; negative
    funds: Mapping[Fund, int]  # the part of each fund
    project: str | None  # the slug of the project that it paid
    title: Title  # the title of the payee, or the name of a kind of cost
    documents: tuple[PagePaper, ...]  # the documents that are stored: invoices, receipts and others
    foreign: Annotated[ForeignAmount | None, OPTIONAL]
    """The amount that the payee received in another currency."""
    proof: EntryProof  # its place in the public log
    trace: tuple[FollowedFund, ...]  # of money in: what it paid for, what waits and what went back
    payers: int  # of money out: whose money it was, as a number of contributors
    about: EntryLine | None  # the payment that it gives back, or the entry that it undoes
    later: tuple[EntryLine, ...]  # the entries that gave it back or undid it


def entry_page(context: Context, entry_id: str) -> EntryPage:
    """Return the public page of the entry with an id.

    Raises:
        NotFound: there is none.
    """
    if _ID.fullmatch(entry_id) is None:
        raise NotFound(f"'{entry_id[:40]}' is no id of an entry; it has {ENTRY_ID_LENGTH} signs.")
    today = context.today()
    with context.store.read() as work:
        posted = work.journal.find(entry_id)
        cut = make_cut(work, ReportPeriod(today, today), today=today, language=context.language)
        return _page(work, posted, read_payees(work, cut))


def _page(work: UnitOfWork, posted: PostedEntry, payees: Payees) -> EntryPage:
    entry = posted.entry
    rows = list(transaction_rows(posted))
    account = _purpose(rows, posted)
    is_income = total_of(entry, AccountType.INCOME) < 0
    is_plain = entry.of is None and entry.reverses is None
    traced = trace_payments(work, payees, [posted.index]) if is_income and is_plain else ()
    received = sum(fund.received_cents for fund in traced)
    trace = share_trace(received, traced, payees.project_of)
    about = entry.of if entry.reverses is None else entry.reverses
    return EntryPage(
        **_line(posted)._asdict(),
        day=entry.day if nearest(account, PAYEE_PARENTS) else None,
        fee_cents=sum(row.amount_cents for row in rows[1:]),
        funds=rows[0].funds if rows else {},
        project=payees.project_of(account),
        title=name_of(account, payees),
        documents=_papers(work, posted),
        foreign=rows[0].foreign if rows else None,
        proof=EntryProof(posted.index, work.log.leaf(posted.index).hash.hex()),
        trace=trace,
        payers=0 if trace else _count_payers(work, posted),
        about=None if about is None else _line(work.journal.get(about)),
        later=tuple(_line(later) for later in _later(work, posted)),
    )


def _papers(work: UnitOfWork, posted: PostedEntry) -> tuple[PagePaper, ...]:
    """Return the stored documents of an entry; a file that is public is no other one too."""
    stored = [one for one in documents_of(work, posted.index) if one.erased_at is None]
    public = {one.sha256: one for one in stored if one.path}
    others = Counter(one.kind for one in stored if one.sha256 not in public)
    return (
        *(PagePaper(one.kind, 1, one.path) for one in public.values()),
        *(PagePaper(kind, count, None) for kind, count in others.items()),
    )


def _line(posted: PostedEntry) -> EntryLine:
    rows = list(transaction_rows(posted))
    income = -total_of(posted.entry, AccountType.INCOME)
    cents = rows[0].amount_cents if rows else income
    return EntryLine(posted.id, posted.entry.kind, f"{posted.entry.day:%Y-%m}", cents)


def _purpose(rows: Iterable[Transaction], posted: PostedEntry) -> str:
    """Return what an entry is for; one without a row moves nothing of ours yet."""
    named = [row.details.category for row in rows]
    return named[0] if named else posted.entry.postings[0].account


def _count_payers(work: UnitOfWork, posted: PostedEntry) -> int:
    is_spending = any(
        account_type(one.account) is AccountType.EXPENSES and one.cents > 0
        for one in posted.entry.postings
    )
    if not is_spending:
        return 0
    members = {
        payer.member
        for rows in trace_rows(work, None).values()
        for payer in payers_of_entry(rows, posted.index).paid
    }
    return len(members - {None})


def _later(work: UnitOfWork, posted: PostedEntry) -> Iterator[PostedEntry]:
    indexes = [one.entry for one in work.journal.returns_of(posted.index)]
    undone_by = work.journal.reversal_of(posted.index)
    entries = work.journal.many([*indexes, *([] if undone_by is None else [undone_by])])
    return (entries[index] for index in sorted(entries))
