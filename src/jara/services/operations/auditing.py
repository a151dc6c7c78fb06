"""What an auditor asks of the books: each entry with its people and papers, and what is missing."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from itertools import islice
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN, Json
from jara.domain.books.account import AccountType
from jara.domain.books.journal import EntryKind, PostedEntry, total_of
from jara.domain.books.outflow import FIRST_ACCOUNTS, PROVIDER_KINDS, outflow_of
from jara.domain.books.sample import DEFAULT_RISK
from jara.domain.dates import month_of
from jara.domain.errors import Conflict
from jara.domain.reports.parts import ReportPeriod
from jara.records.bank import BankLine
from jara.records.journal import EntryQuery
from jara.records.operations import Approval
from jara.records.papers import EntryPaper
from jara.services.approvals import APPROVED, REFUSED
from jara.services.authority import read_control
from jara.services.bank.answering import MATCH_ACTION
from jara.services.bank.reconciling import BankReconciliation, reconcile_within
from jara.services.books.paper_rule import spends_without_document
from jara.services.context import Context
from jara.services.notices.receipts import RECEIPT, receipt_key
from jara.services.reports.spending import ActPeople
from jara.store.unit_of_work import UnitOfWork

_AT_ONCE = 400
_FILES_COME_WITHIN = 7
"""Days after which a payment of a file or of the provider is late."""


class AuditedEntry(NamedTuple):
    """An entry with what belongs to it."""

    posted: Annotated[PostedEntry, HIDDEN]
    cents: int  # the sum of its debits
    out_cents: int  # what it takes out of the organisation, or of money that others decided on
    asked_by: str  # who asked for it; empty if no operator did
    signed_by: tuple[str, ...]  # the others who signed
    approval: Annotated[Approval | None, HIDDEN]  # the approval that they signed, if there is one
    days_late: int  # how many days after its day it was booked
    by_hand: str  # how an operator brought it in: ``posted`` or ``matched``; empty for others
    papers: Annotated[tuple[EntryPaper, ...], HIDDEN]
    lines: Annotated[tuple[BankLine, ...], HIDDEN]  # its lines in bank statements
    why: str
    ids: Annotated[dict[int, str], HIDDEN]  # the ids of the entries that it names, by their index
    reversed_by: str  # the id of the entry that reverses it; empty for none

    @property
    def is_alone(self) -> bool:
        """Whether one person took money out, and nobody else signed."""
        return bool(self.out_cents and self.asked_by and not self.signed_by)

    @property
    def is_late(self) -> bool:
        """Whether it was booked later than dated: by hand at all, by a file over a week."""
        return self.days_late > (0 if self.by_hand else _FILES_COME_WITHIN)

    @property
    def entry(self) -> Annotated[str, Json(after="cents")]:
        """Its id."""
        return self.posted.id

    @property
    def day(self) -> Annotated[date, Json("date", after="cents")]:
        """Its day."""
        return self.posted.entry.day

    @property
    def kind(self) -> Annotated[EntryKind, Json(after="cents")]:
        """Its kind."""
        return self.posted.entry.kind


class Missing(NamedTuple):
    """Something that an auditor would ask for and that is not there."""

    what: str  # ``document``, ``decision``, ``reconciliation``, ``match`` or ``receipt``
    subject: str  # the entry, the approval, the month with its account, or the line
    day: Annotated[date, Json("date")]
    cents: int  # its amount; 0 if it has none
    text: str  # what it is about


class Choices(NamedTuple):
    """What an auditor chose."""

    materiality_cents: int = 50_000
    """Payments from here on are listed, and the sample is drawn by it."""
    risk: int = DEFAULT_RISK  # of the sample, in percent
    names: bool = False  # whether members are named


class Audit:
    """The books of a period, as an auditor reads them in one transaction."""

    def __init__(
        self, context: Context, work: UnitOfWork, period: ReportPeriod, choices: Choices
    ) -> None:
        """Read what all entries need: the documents, the matches by hand, the own accounts."""
        self.context, self.work, self.period, self.choices = context, work, period, choices
        control = read_control(context, work)
        self._own = FIRST_ACCOUNTS if control.own is None else control.own
        self._banks = tuple({account.ledger for account in work.bank.accounts()})
        self._papers: defaultdict[int, list[EntryPaper]] = defaultdict(list)
        for link in work.papers.links():
            self._papers[link.entry].append(link)
        acts = work.operations.audit(action=MATCH_ACTION)
        self._matched = {name for row in acts for name in _named(row.after.get("entry", ()))}
        self.receipts = work.outbox.sent_keys(RECEIPT)

    def entries(self, first: date, last: date) -> Iterator[AuditedEntry]:
        """Yield the entries of some days, in their order, in bounded memory."""
        rows = self.work.journal.entries(EntryQuery(first_day=first, last_day=last))
        while piece := list(islice(rows, _AT_ONCE)):
            people = ActPeople(self.context, self.work, piece)
            notes = self.work.journal.notes_of([posted.index for posted in piece])
            for posted in piece:
                yield self._read(posted, people, notes.get(posted.index, ""))

    def _read(self, posted: PostedEntry, people: ActPeople, note: str) -> AuditedEntry:
        entry, work = posted.entry, self.work
        approval, act = people.approval_of(posted), people.act_of(posted)
        asked, signed, _ = people.signers_of(posted)
        named = [index for index in (entry.reverses, entry.of) if index is not None]
        reversal = work.journal.reversal_of(posted.index)
        touches_bank = any(p.account.startswith(self._banks) for p in entry.postings)
        is_posted = entry.source == "operator" and entry.kind not in PROVIDER_KINDS
        return AuditedEntry(
            posted=posted,
            cents=sum(p.cents for p in entry.postings if p.cents > 0),
            out_cents=outflow_of(entry, self._own).cents,
            asked_by=asked,
            signed_by=signed,
            approval=approval,
            days_late=(work.zone.day_of(posted.booked_at) - entry.day).days,
            by_hand="matched" if posted.id in self._matched else "posted" * is_posted,
            papers=tuple(self._papers.get(posted.index, ())),
            lines=tuple(line for line, undone in work.bank.lines_of(posted.index) if not undone)
            if touches_bank
            else (),
            why=note or (approval.why if approval else act.why if act else ""),
            ids={index: work.journal.get(index).id for index in named},
            reversed_by="" if reversal is None else work.journal.get(reversal).id,
        )

    def reconciled(self) -> Iterator[tuple[str, date, BankReconciliation | None]]:
        """Yield each account at the bank at the end of each month; None without a statement."""
        for account in self.work.bank.accounts():
            for end in self.month_ends():
                try:
                    found = reconcile_within(self.work, end, account=account.ledger)
                except Conflict:
                    found = None
                yield account.number, end, found

    def month_ends(self) -> list[date]:
        """Return the last days of the months of the period that are over."""
        year, today = self.period.first.year, self.context.today()
        ends = [month_of(date(year, month, 1)).last for month in range(1, 13)]
        return [day for day in ends if self.period.first <= day <= self.period.end and day < today]

    def missing(self) -> Iterator[Missing]:
        """Yield what is missing: documents, decisions, reconciliations, matches and receipts."""
        for spend in spends_without_document(self.work, self.period.first, self.period.end):
            yield Missing("document", spend.entry, spend.day, spend.cents, spend.description)
        yield from self._without_receipts()
        for one in self.work.operations.approvals(waiting_only=False):
            day = self.work.zone.day_of(one.prepared_at)
            if one.state not in {APPROVED, REFUSED} and self._is_within(day):
                yield Missing("decision", one.id, day, one.cents, one.why)
        begun = self.work.reporting.first_day() or self.context.today()
        for number, end, found in self.reconciled():
            cents = 0 if found is None else found.difference_cents
            if cents or (found is None and end >= begun):
                text = "no statement" if found is None else "the books differ from the statement"
                yield Missing("reconciliation", f"{number} {end:%Y-%m}", end, cents, text)
        for account in self.work.bank.accounts():
            for line in self.work.bank.waiting(account.number):
                if self._is_within(line.line.day):
                    about = line.line.text or line.line.party
                    yield Missing("match", line.id, line.line.day, line.line.cents, about)

    def _is_within(self, day: date) -> bool:
        return self.period.first <= day <= self.period.end

    def _without_receipts(self) -> Iterator[Missing]:
        """Yield payments of members without a sent receipt.

        Emails are erased after a year, so a receipt can be missing only after the oldest one.
        """
        sent = min(self.receipts.values(), default=None)
        if sent is None:
            return
        query = EntryQuery(
            first_day=self.period.first,
            last_day=self.period.end,
            kinds=(EntryKind.PLEDGE, EntryKind.GIFT),
        )
        for posted in self.work.journal.entries(query):
            if self._lacks_receipt(posted, sent):
                entry = posted.entry
                cents = -total_of(entry, AccountType.INCOME)
                yield Missing("receipt", posted.id, entry.day, cents, entry.description)

    def _lacks_receipt(self, posted: PostedEntry, oldest: datetime) -> bool:
        key = posted.entry.member_key
        if key is None or posted.booked_at < oldest or receipt_key(posted) in self.receipts:
            return False
        member = self.work.members.by_key(key)
        is_told = member is not None and bool(member.email)
        return is_told and self.work.journal.reversal_of(posted.index) is None


@contextmanager
def open_audit(context: Context, period: ReportPeriod, choices: Choices) -> Iterator[Audit]:
    """Open the books of a period for an auditor."""
    with context.store.read() as work:
        yield Audit(context, work, period, choices)


def list_missing(context: Context, period: ReportPeriod) -> list[Missing]:
    """Return what an auditor would ask for and that is not there; see `Audit.missing`."""
    with open_audit(context, period, Choices()) as audit:
        return list(audit.missing())


class Filters(NamedTuple):
    """Which entries to list: all conditions hold together."""

    alone: bool = False  # one person took money out, and nobody else signed
    late: bool = False  # booked later than they are dated
    by_hand: bool = False  # posted or matched by an operator
    over_cents: int = 0  # of this sum or more

    def keep(self, one: AuditedEntry) -> bool:
        """Return whether an entry is listed."""
        return (
            (not self.alone or one.is_alone)
            and (not self.late or one.is_late)
            and (not self.by_hand or bool(one.by_hand))
            and one.cents >= self.over_cents
        )


def list_entries(
    context: Context, period: ReportPeriod, filters: Filters
) -> Sequence[AuditedEntry]:
    """Return the entries of a period that an auditor filters for, by day."""
    with open_audit(context, period, Choices()) as audit:
        return [one for one in audit.entries(period.first, period.end) if filters.keep(one)]


def _named(value: str | Sequence[str]) -> Sequence[str]:
    """Return the ids of entries in an act's facts: one, or several separated by commas."""
    return str(value).split(", ") if isinstance(value, str) else list(value)
