"""The pages of an auditor's bundle: from each figure to what it is made of."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from jara.domain.books.account import AccountType, account_type
from jara.domain.books.balances import Period
from jara.domain.dates import month_of
from jara.domain.money import format_cents
from jara.records.papers import EntryPaper
from jara.reports.audit_lists import (
    PAGES,
    Page,
    account_name,
    bank_months,
    bank_name,
    journal_name,
    number_of,
    payer_link,
    place_of,
)
from jara.reports.audit_requests import REQUESTS
from jara.reports.linked_pages import Cell, Cents, Grid, Line, Link, Part, Row, add_line
from jara.services.books.balances import totals_of
from jara.services.operations.auditing import Audit, AuditedEntry
from jara.services.organisation import read_identity
from jara.services.reports.facts import make_cut
from jara.store.unit_of_work import UnitOfWork

DOCUMENTS = "documents"
_NEAR_END = timedelta(days=10)


def paper_path(entry: str, paper: EntryPaper, media_type: str) -> str:
    """Return where the bundle has a document."""
    ending = media_type.rpartition("/")[2]
    return f"{DOCUMENTS}/{entry}/{paper.kind}-{paper.document[:12]}.{ending}"


def minutes_of(work: UnitOfWork, year: int) -> list[tuple[str, str]]:
    """Return where the bundle has the minutes of a year's plan, and their hashes."""
    found = (work.papers.get(plan.minutes) for plan in work.plans.of_year(year))
    return [
        (f"{DOCUMENTS}/plan-{year}/minutes-{one.file_name}", one.hash)
        for one in found
        if one is not None and work.papers.erased_at(one.hash) is None
    ]


class AuditPages:
    """Writes the pages in one pass over the entries; the index comes last."""

    def __init__(self, audit: Audit, others: Sequence[tuple[str, str]] = ()) -> None:
        """Start with empty lists; `others` are names and titles of further files."""
        self.audit, self.work, self.choices, self._others = audit, audit.work, audit.choices, others
        self._listed: dict[str, list[Line]] = defaultdict(list)
        self._moved: dict[str, dict[date, tuple[int, int]]] = defaultdict(dict)
        self._paid: dict[str, list[tuple[str, date, int]]] = defaultdict(list)
        self._months: list[tuple[date, int, int]] = []

    def pages(self) -> Iterator[Page]:
        """Yield every page."""
        year = self.audit.period.first.year
        for month in range(1, 13):
            first, last = month_of(date(year, month, 1))
            if first <= self.audit.period.end:
                yield from self._month(first, last)
        yield from self._accounts()
        yield from self._members()
        for path, digest in minutes_of(self.work, year):
            minutes = ("", f"plan of {year}", Link("minutes", path), digest)
            add_line(self._listed["documents"], minutes)
        for name, title, head in _LISTS:
            yield Page(f"{name}.html", title, [Grid(title, head, self._listed.pop(name, []))])
        for name, (title, make) in PAGES.items():
            yield Page(f"{name}.html", title, make(self.audit))
        yield from bank_months(self.audit)
        yield Page("index.html", f"Books of {year} for the auditor", self._index())

    # ---------------------------------------------------------------- entries

    def _month(self, first: date, last: date) -> Iterator[Page]:
        moves: dict[str, list[Line]] = defaultdict(list)
        title = f"Journal of {first:%Y-%m}"
        yield Page(
            journal_name(first), title, [Grid(title, _JOURNAL, self._rows(first, last, moves))]
        )
        for account, rows in sorted(moves.items()):
            head = "Day, Entry, Text, Fund, Amount"
            title = f"{account}, {first:%Y-%m}"
            yield Page(account_name(account, first), title, [Grid(title, head, rows)])

    def _rows(self, first: date, last: date, moves: dict[str, list[Line]]) -> Iterator[Row]:
        count = total = 0
        for one in self.audit.entries(first, last):
            count, total = count + 1, total + one.cents
            self._note(one)
            entry = one.posted.entry
            for posting in entry.postings:
                row = (entry.day, entry_link(one), entry.description, posting.fund)
                add_line(moves[posting.account], (*row, Cents(posting.cents)))
                debit, credit = self._moved[posting.account].get(first, (0, 0))
                more = (max(posting.cents, 0), max(-posting.cents, 0))
                self._moved[posting.account][first] = (debit + more[0], credit + more[1])
            yield self._entry(one)
        self._months.append((first, count, total))

    def _note(self, one: AuditedEntry) -> None:
        """Add an entry to each list that it belongs to."""
        entry, listed = one.posted.entry, self._listed
        short = (entry.day, entry_link(one), entry.kind, one.why or entry.description)
        people = (one.asked_by, ", ".join(one.signed_by))
        if one.is_alone:
            add_line(listed["alone"], (*short, *people, Cents(one.out_cents)))
        if one.out_cents and one.out_cents >= self.choices.materiality_cents:
            papers: Cell = [self._paper(one, paper) for paper in one.papers] or "no document"
            add_line(listed["over"], (*short, *people, papers, Cents(one.out_cents)))
        if one.is_late:
            add_line(
                listed["late"], (*short, one.posted.booked_at, one.days_late, Cents(one.cents))
            )
        if one.by_hand:
            add_line(listed["by-hand"], (*short, one.by_hand, *people, Cents(one.cents)))
        if entry.reverses is not None or one.reversed_by:
            add_line(listed["reversed"], (*short, *people, Cents(one.cents)))
        ends = (self.audit.period.first, self.audit.period.last)
        if min(abs(entry.day - day) for day in ends) <= _NEAR_END:
            add_line(listed["cut-off"], (*short, one.posted.booked_at, Cents(one.cents)))
        for paper in one.papers:
            add_line(listed["documents"], (*short[:2], self._paper(one, paper), paper.document))
        income = -sum(
            p.cents for p in entry.postings if account_type(p.account) is AccountType.INCOME
        )
        if entry.member_key is not None and income:
            self._paid[entry.member_key].append((one.posted.id, entry.day, income))

    def _entry(self, one: AuditedEntry) -> Row:
        entry, context = one.posted.entry, self.audit.context
        approval = one.approval
        links: list[Cell] = [self._paper(one, paper) for paper in one.papers]
        links += [
            Link(
                f"bank line: {line.file}, {line.line.line}",
                f"{bank_name(line.account, line.line.day)}#{line.id}",
            )
            for line in one.lines
        ]
        if entry.reference and self.work.proposals.get(entry.reference) is not None:
            links.append(Link(f"vote: {entry.reference}", f"votes.html#{entry.reference}"))
        elif entry.reference:
            links.append(f"reference: {entry.reference}")
        if entry.member_key:
            links.append(Link(f"payer {number_of(entry.member_key)}", payer_link(entry.member_key)))
        for index, name in one.ids.items():
            word = "reverses" if index == entry.reverses else "of"
            links.append(Link(f"{word} {name}", place_of(self.audit, name)))
        if one.reversed_by:
            links.append(
                Link(f"reversed by {one.reversed_by}", place_of(self.audit, one.reversed_by))
            )
        who: list[Cell] = [f"asked: {one.asked_by}" if one.asked_by else entry.source]
        if approval is not None:
            signed = f"signed: {', '.join(one.signed_by)}"
            who.append(Link(signed, f"approvals.html#{approval.id}"))
        postings: list[Cell] = []
        for account in dict.fromkeys(posting.account for posting in entry.postings):
            parts = [p for p in entry.postings if p.account == account]
            funds = ", ".join(f"{p.fund} {format_cents(p.cents)}" for p in parts)
            postings += [Link(account, account_name(account)), funds]
        text: list[Cell] = [entry.description, one.why if one.why != entry.description else None]
        booked = context.zone.day_of(one.posted.booked_at)
        days: list[Cell] = [entry.day, f"booked {booked}" if booked != entry.day else None]
        cells: tuple[Cell, ...] = (days, one.posted.id, entry.kind, text, postings, who, links)
        return Row(cells, one.posted.id)

    def _paper(self, one: AuditedEntry, paper: EntryPaper) -> Cell:
        stored = self.work.papers.get(paper.document)
        if stored is None or self.work.papers.erased_at(paper.document) is not None:
            return f"{paper.kind} (erased)"
        return Link(paper.kind, paper_path(one.posted.id, paper, stored.media_type))

    # ---------------------------------------------------------------- accounts, payers

    def _accounts(self) -> Iterator[Page]:
        for account, months in sorted(self._moved.items()):
            rows: list[tuple[Cell, ...]] = [
                (
                    Link(f"{first:%Y-%m}", account_name(account, first)),
                    Cents(debit),
                    Cents(credit),
                    Cents(debit - credit, account_name(account, first)),
                )
                for first, (debit, credit) in sorted(months.items())
            ]
            head = "Month, Debit, Credit, Change"
            yield Page(account_name(account), account, [Grid("By month", head, rows)])

    def _members(self) -> Iterator[Page]:
        groups: dict[str, list[str]] = defaultdict(list)
        for key in sorted(self._paid):
            groups[payer_link(key).partition("#")[0]].append(key)
        for name, keys in groups.items():
            yield Page(name, "Payments by payer", [self._payments(key) for key in keys])
        head = "Payer, Name, Payments, Sum"
        rows = (
            (
                Link(number_of(key), payer_link(key)),
                self._name_of(key),
                len(paid),
                Cents(sum(cents for _, _, cents in paid), payer_link(key)),
            )
            for key, paid in sorted(self._paid.items())
        )
        intro = "A payer has a number; names are in a bundle that was made with --names."
        yield Page("members.html", "Payments of members", [intro, Grid("Payers", head, rows)])

    def _payments(self, key: str) -> Grid:
        rows: list[Line] = []
        for entry, day, cents in self._paid[key]:
            sent = self.audit.receipts.get(f"receipt:{entry}")
            link = Link(entry, f"{journal_name(day)}#{entry}")
            receipt = "" if sent is None else f"receipt emailed {sent:%Y-%m-%d}"
            anchor = number_of(key) if not rows else ""
            rows.append(Row((day, link, receipt, Cents(cents)), anchor))
        return Grid(f"Payer {number_of(key)}", "Day, Entry, Receipt, Amount", rows)

    def _name_of(self, key: str) -> str:
        member = self.work.members.by_key(key) if self.choices.names else None
        return "" if member is None else f"{member.firstname} {member.lastname}"

    # ---------------------------------------------------------------- index

    def _index(self) -> Iterator[Part]:
        period, identity = self.audit.period, read_identity(self.audit.context, self.work)
        size = self.work.log.size()
        yield (
            f"{identity.name}. {period.first} to {period.end}. Made from the log of {size:,} "
            f"leaves with the root {self.work.log.root().hex()}."
        )
        yield "Check the file that you got, with Python 3.11 or later: python jara_verify.py FILE"
        months = (
            (Link(f"{first:%Y-%m}", journal_name(first)), count, Cents(total, journal_name(first)))
            for first, count, total in self._months
        )
        yield Grid("Trial balance", "Account, Opening, Debit, Credit, Closing", self._balance())
        yield Grid("Journal", "Month, Entries, Debits", months)
        others = [
            *((f"{name}.html", title) for name, title, _ in _LISTS),
            ("members.html", "Payments of members"),
        ]
        others += [(f"{name}.html", title) for name, (title, _) in PAGES.items()]
        links = ((Link(title, name),) for name, title in (*others, *self._others))
        yield Grid("Pages and files", "", links)
        asked = ((one.number, one.request, Link(one.page, f"{one.page}")) for one in REQUESTS)
        yield Grid("What an auditor asks for", ", Request, Page", asked)

    def _balance(self) -> Iterator[tuple[Cell, ...]]:
        period = self.audit.period
        cut = make_cut(self.work, period, today=self.audit.context.today())
        totals = totals_of(self.work.reporting.sums(cut.to_date))
        earlier = Period.before_year(period.first.year)
        opening: dict[str, int] = defaultdict(int)
        for row in totals.rows:
            opening[row.account] += row.cents if row.month in earlier else 0
        total = [0, 0, 0, 0]
        for account in sorted({*opening, *self._moved}):
            moved = self._moved.get(account, {}).values()
            debit, credit = sum(one for one, _ in moved), sum(one for _, one in moved)
            href = account_name(account) if moved else ""
            sums = (opening[account], debit, credit, opening[account] + debit - credit)
            total = [before + one for before, one in zip(total, sums, strict=True)]
            if any(sums):
                named: Cell = Link(account, href) if href else account
                yield (named, *(Cents(cents, href) for cents in sums))
        yield ("Total", *map(Cents, total))


def entry_link(one: AuditedEntry) -> Link:
    """Return the link to an entry."""
    return Link(one.posted.id, f"{journal_name(one.posted.entry.day)}#{one.posted.id}")


_JOURNAL = "Day, Entry, Kind, Text, Postings, People, Belongs to it"
_SHORT = "Day, Entry, Kind, Text"
_LISTS = (
    ("over", "Payments from the materiality on", f"{_SHORT}, Asked by, Signed by, Documents, Paid"),
    ("alone", "Paid on the word of one person", f"{_SHORT}, Asked by, Signed by, Paid"),
    ("late", "Booked later than dated", f"{_SHORT}, Booked, Days late, Amount"),
    ("by-hand", "Posted or matched by hand", f"{_SHORT}, How, Asked by, Signed by, Amount"),
    ("reversed", "Reversals and what they reverse", f"{_SHORT}, Asked by, Signed by, Amount"),
    ("cut-off", "Entries around the ends of the year", f"{_SHORT}, Booked, Amount"),
    ("documents", "Documents", "Day, Entry, Document, SHA-256"),
)
"""Lists that the pass over the entries fills: name, title and columns."""
