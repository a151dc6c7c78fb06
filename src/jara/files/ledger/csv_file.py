"""The ledger as CSV: one row for each posting.

Header: ``entry,date,description,account,fund,amount,reference``. Rows with the same
``entry`` follow each other and make one entry; amounts are dollars, debit positive. The
file has neither kinds nor links between entries; the journal has both.
"""

import csv
from collections.abc import Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from typing import BinaryIO, TextIO

from jara.domain.books.account import ChartOfAccounts, parse_fund
from jara.domain.books.foreign import describe_foreign
from jara.domain.books.journal import JournalEntry, PostedEntry, Posting
from jara.domain.csv_cells import shielded, unshielded
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.money import parse_cents, plain_decimal
from jara.files.cells import parse_day, two_place_cents
from jara.files.ledger.file_entry import SeenIds, kind_by_accounts, outside_id
from jara.files.reading import FileReport, Table, normal_name, read_table, width_message
from jara.services.books.entry_importing import FileEntry

HEADER = ("entry", "date", "description", "account", "fund", "amount", "reference")

_Row = tuple[str, str, str, str, str, str, str]
_Group = list[tuple[int, _Row]]


def write_ledger_csv(entries: Iterable[PostedEntry], out: TextIO) -> None:
    """Write entries in their order as CSV, one row for each posting.

    `out` was opened with ``newline=""``; lines end with CRLF (RFC 4180).
    """
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEADER)
    for posted in entries:
        entry = posted.entry
        head = (posted.id, entry.day.isoformat(), shielded(_description(entry)))
        reference = shielded(entry.reference or "")
        writer.writerows(
            (*head, posting.account, posting.fund, plain_decimal(posting.cents), reference)
            for posting in entry.postings
        )


def _description(entry: JournalEntry) -> str:
    """Return an entry's description, with the amount in another currency where it has one."""
    if entry.foreign is None:
        return entry.description
    return f"{entry.description} = {describe_foreign(entry.foreign, entry.foreign.amount_minor)}"


def read_ledger_csv(
    stream: BinaryIO,
    name: str,
    report: FileReport,
    *,
    chart: ChartOfAccounts | None = None,
    decimal_comma: bool = False,
) -> Iterator[FileEntry]:
    """Read a ledger CSV, entry by entry; the report counts them, and has the rejected ones.

    With a chart, an unknown account is reported with its line. With `decimal_comma`, amounts are
    written ``1.234,50``.

    Raises:
        InvalidInput: the file is broken, or lacks a column.
    """
    table = read_table(stream, name)
    places = _places(table)
    build = _EntryBuilder(chart, decimal_comma=decimal_comma)
    return _entries(table, places, build, report)


def _places(table: Table) -> list[int]:
    names = [normal_name(column) for column in table.header]
    missing = [column for column in HEADER if column not in names]
    if missing:
        lacking = ", ".join(f"'{column}'" for column in missing)
        raise InvalidInput(f"{table.name} lacks {lacking}; its header is {','.join(HEADER)}.")
    twins = [column for column in HEADER if names.count(column) > 1]
    if twins:
        raise InvalidInput(f"{table.name} has the column '{twins[0]}' twice.")
    return [names.index(column) for column in HEADER]


def _entries(
    table: Table, places: list[int], build: "_EntryBuilder", report: FileReport
) -> Iterator[FileEntry]:
    for group, fault in _groups(table, places):
        report.read += 1
        if fault is not None:
            report.reject(*fault)
            continue
        try:
            yield build(group)
        except _AtLine as error:
            report.reject(error.line, error.message)


def _groups(table: Table, places: list[int]) -> Iterator[tuple[_Group, tuple[int, str] | None]]:
    """Group the rows by entry, with the first error in their shape."""
    pick = itemgetter(*places)
    width, entry_place = len(table.header), places[0]
    group: _Group = []
    fault: tuple[int, str] | None = None
    current: str | None = None
    for line, row in table.rows:
        key = row[entry_place] if entry_place < len(row) else (current or "")
        if key != current:
            if current is not None:
                yield group, fault
            group, fault, current = [], None, key
        if len(row) == width:
            group.append((line, pick(row)))
        elif fault is None:
            fault = (line, width_message(len(row), width))
    if current is not None:
        yield group, fault


class _AtLine(InvalidInput):
    """An error in an entry, with its line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class _EntryBuilder:
    """Turns the rows of one entry into the entry."""

    def __init__(self, chart: ChartOfAccounts | None, *, decimal_comma: bool) -> None:
        self._chart = chart
        self._seen = SeenIds()
        self._decimal_comma = decimal_comma
        # The same amounts on the same accounts repeat throughout a ledger.
        self._posting = lru_cache(maxsize=65_536)(self._make_posting)

    def __call__(self, group: _Group) -> FileEntry:
        first_line, first = group[0]
        line = first_line
        try:
            entry_id, date_text, description, _, _, _, reference = first
            self._require_new(entry_id)
            postings = []
            posting = self._posting
            for line, row in group:  # noqa: B007 - the line is for the message
                if row[1] != date_text or row[2] != description or row[6] != reference:
                    _refuse_difference(entry_id, first, row)
                postings.append(posting(row[3], row[4], row[5]))
            line = first_line
            name = unshielded(entry_id)
            entry = JournalEntry(
                day=parse_day(date_text),
                kind=kind_by_accounts(postings),
                description=unshielded(description),
                postings=tuple(postings),
                reference=unshielded(reference) or None,
                source="import",
                external_id=outside_id(name, "csv"),
            )
        except JaraError as error:
            raise _AtLine(line, error.message) from None
        return FileEntry(first_line, name, entry)

    def _require_new(self, entry_id: str) -> None:
        if not entry_id.strip():
            raise InvalidInput("The cell 'entry' is empty; it tells which rows belong together.")
        if not self._seen.add(entry_id):
            raise InvalidInput(
                f"The entry '{entry_id}' is used further up already; "
                "rows of one entry follow each other."
            )

    def _make_posting(self, account: str, fund: str, amount: str) -> Posting:
        if self._decimal_comma:
            cents = two_place_cents(amount, decimal_comma=True)
        else:
            cents = parse_cents(amount, allow_negative=True)
        if self._chart is not None:
            self._chart.require(account)
        return Posting(account, parse_fund(fund), cents)


def _refuse_difference(entry_id: str, first: _Row, row: _Row) -> None:
    place = next(i for i in (1, 2, 6) if row[i] != first[i])
    raise InvalidInput(
        f"The entry '{entry_id}' has another {HEADER[place]} here, '{row[place]}', "
        f"than on its first row, '{first[place]}'."
    )
