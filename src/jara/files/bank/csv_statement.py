"""Bank statements as CSV, read by a mapping that an operator describes."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date
from itertools import groupby, islice
from operator import itemgetter

from jara.domain.bank.statement import (
    Statement,
    StatementLine,
    account_number,
    is_same_account,
    squeezed,
)
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.lookup import plain_text
from jara.domain.money import format_cents
from jara.domain.texts import count_of
from jara.domain.time_zone import TimeZone
from jara.files.bank.csv_amount import CREDIT_WORDS, DEBIT_WORDS, csv_cents
from jara.files.bank.csv_columns import column_faults, require_explained
from jara.files.bank.csv_convention import (
    Amounts,
    Convention,
    CsvRow,
    choose_amounts,
    first_break,
    needs_charge,
)
from jara.files.bank.csv_mapping import OPTIONAL, CsvMapping, split_pair
from jara.files.bank.csv_table import CsvTable, beginning, open_table
from jara.files.bank.text import ZERO, bank_day, not_our_currency
from jara.files.encodings import decoded
from jara.files.reading import FileReport, normal_name, unused_columns

FORM = "csv"
NO_DAY = "it has no day"
NO_AMOUNT = "it has no amount"
_FAULTS_MAX = 5
"""So many wrong rows are shown."""
_OTHER_SUM = re.compile(r"gross|net|brut|amount|total|betrag|montant|importe")
"""The names of columns that may hold the amount before or after the charge."""
_FOOTER = re.compile(
    r"\b(?:totals?|balance|saldo|solde|summe|transactions?|rows?|records?|entries|buchungen|"
    r"kontostand|page|printed|generated|downloaded|exported|statement|period)\b"
)
"""What stands in the column of the day of a footer, beside digits."""
_Balanced = tuple[StatementLine, int | None]
_Cell = Callable[[Sequence[str]], str]


def fits(data: bytes, mapping: CsvMapping) -> bool:
    """Return whether a mapping can read a file: by the header, or the first row if it has none."""
    try:
        table = open_table(beginning(data, mapping.encoding), "", mapping)
        reader = _RowReader(table, mapping, FileReport())
        first = [reader.read(*row) for row in islice(table.rows, 1) if mapping.columns]
    except JaraError:
        return False
    return bool(not mapping.columns or (first and first[0]))


def read_csv_statement(
    data: bytes, name: str, report: FileReport, mapping: CsvMapping
) -> Iterator[Statement]:
    """Read the one statement of a file.

    Raises:
        InvalidInput: the file is broken, lacks a column, could mean two things, or a balance does
            not add up; the message names the line or the option to add.
    """
    mapping.require_currency(books_currency())
    text = decoded(data, mapping.encoding or None, name=name, notes=report.notes)
    table = open_table(text, name, mapping)
    named = {normal_name(one.removesuffix(OPTIONAL)) for one in mapping.named_columns}
    report.unused += unused_columns(table.header, named, plain=normal_name)
    lines = _lines(table, mapping, report)
    balanced = [(line, balance) for line, balance in lines if line.cents]
    for line, _ in lines:
        if not line.cents:
            report.leave_out(line.line, ZERO)
    if not balanced:
        return
    balanced = _in_order(balanced)
    _require_following(balanced, name)
    first, balance = balanced[0]
    yield Statement(
        line=first.line,
        account=account_number(mapping.account),
        form=FORM,
        first_day=min(line.day for line, _ in balanced),
        last_day=max(line.day for line, _ in balanced),
        opening_cents=None if balance is None else balance - first.cents,
        closing_cents=balanced[-1][1],
        lines=[line for line, _ in balanced],
    )


def _lines(table: CsvTable, mapping: CsvMapping, report: FileReport) -> list[_Balanced]:
    """Read the lines, by the convention of signs and charges that the whole file follows.

    Raises:
        InvalidInput: something is wrong; the message has all of it.
    """
    reader = _RowReader(table, mapping, report)
    faults, wrong_rows = _Faults(), _Faults()
    rows: list[CsvRow] = []
    for number, cells in table.rows:
        with wrong_rows.noted(f"line {number}: "):
            rows += filter(None, [reader.read(number, cells)])
    proven = _with_proven_charge(table, mapping, rows)
    if proven is not None:
        mapping, rows = proven
        reader = _RowReader(table, mapping, report)
    days: list[date] = []
    amounts: Amounts = []
    with faults.noted():
        require_explained(table, mapping, rows)
    if not wrong_rows:  # any row may decide what follows
        with faults.noted():
            days = _days(rows, mapping, report.zone)
        with faults.noted():
            amounts = choose_amounts(rows, reader.convention)
    _require_right(table.name, wrong_rows, faults)
    return [
        (reader.line(row, day, net, fee), row.balance)
        for row, day, (net, fee) in zip(rows, days, amounts, strict=True)
    ]


class _Faults(list[str]):
    """What is wrong with a file."""

    @contextmanager
    def noted(self, place: str = "") -> Iterator[None]:
        """Note an error with its place, and go on."""
        try:
            yield
        except JaraError as error:
            self.append(f"{place}{error.message.removesuffix('.')}.")


def _require_right(name: str, rows: Sequence[str], others: Sequence[str]) -> None:
    """Raise one error with the faults of rows, up to a number, and the others."""
    texts = [*rows[:_FAULTS_MAX], *others]
    if len(rows) > _FAULTS_MAX:
        texts.insert(_FAULTS_MAX, f"{count_of(len(rows) - _FAULTS_MAX, 'more such line')}.")
    if texts:
        texts[1:] = (f"{text[0].upper()}{text[1:]}" for text in texts[1:])
        raise InvalidInput(f"{name}{', ' if rows else ': '}{' '.join(texts)}")


def _with_proven_charge(
    table: CsvTable, mapping: CsvMapping, rows: Sequence[CsvRow]
) -> tuple[CsvMapping, list[CsvRow]] | None:
    """Return mapping and rows with the charge that the balances prove, if it is not named."""
    faults = column_faults(table, mapping, [row.cells for row in rows])
    columns = [fault.values[0] for fault in faults if fault.field == "fee"]
    if len(columns) != 1 or not mapping.balance:
        return None
    named = replace(mapping, fee=columns[0], amount_is="gross")
    reader = _RowReader(table, named, FileReport())
    charged = [row._replace(fee=reader.charge(row.cells)) for row in rows]
    return (named, charged) if needs_charge(charged) else None


def _days(rows: Sequence[CsvRow], mapping: CsvMapping, zone: TimeZone) -> list[date]:
    """Return the day of each row, by the only form that fits all of them and their order.

    Raises:
        InvalidInput: two forms do.
    """
    found: dict[str, list[date]] = {}
    for form in mapping.date_format.split("|"):
        try:
            found[form] = [bank_day(row.day, form, zone) for row in rows]
        except InvalidInput:
            continue
    different = {tuple(days): form for form, days in found.items()}
    if len(different) > 1:
        ordered = {
            days: form for days, form in different.items() if list(days) in _sorted_both(days)
        }
        different = ordered or different
    if len(different) > 1:
        first, second, *_ = different.values()
        raise InvalidInput(
            f"the days fit both {first} and {second}, such as '{rows[0].day}'; say which "
            "with --date-format in the mapping."
        )
    if different:
        return list(next(iter(different)))
    return [_only_day(row, mapping, zone) for row in rows]


def _sorted_both(days: Sequence[date]) -> tuple[list[date], list[date]]:
    return sorted(days), sorted(days, reverse=True)


def _only_day(row: CsvRow, mapping: CsvMapping, zone: TimeZone) -> date:
    """Return the day of a row in a file that mixes forms."""
    days = set()
    for form in mapping.date_format.split("|"):
        with suppress(InvalidInput):
            days.add(bank_day(row.day, form, zone))
    if len(days) > 1:
        raise InvalidInput(f"line {row.number}: '{row.day}' could be several days.")
    return days.pop()


class _RowReader:
    """Reads the rows of a table."""

    def __init__(self, table: CsvTable, mapping: CsvMapping, report: FileReport) -> None:
        self._table, self._mapping, self._report = table, mapping, report
        self._forms = mapping.date_format.split("|")
        self._day, self._amount = self._cell(mapping.date), self._cell(mapping.amount)
        self._debit, self._credit = self._cell(mapping.debit), self._cell(mapping.credit)
        self._balance, self._fee = self._cell(mapping.balance), self._cell(mapping.fee)
        self._account = self._cell(mapping.account_column)
        self._currency = self._cell(mapping.currency_column)
        self._texts = [self._cell(column) for column in mapping.text]
        self._party, self._bank_ref = self._cell(mapping.party), self._cell(mapping.reference)
        self._party_account = self._cell(mapping.party_account)
        self._sign = split_pair(mapping.sign) if mapping.sign else ("", "")
        self._sign_cell = self._cell(self._sign[0])
        pairs = sorted(map(split_pair, mapping.only), key=itemgetter(0))
        self._only = {
            column: [value for _, value in group]
            for column, group in groupby(pairs, key=itemgetter(0))
            if not column.endswith(OPTIONAL) or table.place(column) is not None
        }

    @property
    def convention(self) -> Convention:
        """What is said about amounts and charges."""
        names = list(filter(None, self._table.header))
        taken = {self._mapping.amount, self._mapping.fee, self._mapping.balance}
        others = [
            name for name in names if name not in taken and _OTHER_SUM.search(plain_text(name))
        ]
        return Convention(
            self._mapping, others=[(name, self._cell(name)) for name in others], cents=self._cents
        )

    def read(self, number: int, cells: list[str]) -> CsvRow | None:
        """Read a row; None if it is left out or rejected, which the report says.

        Raises:
            InvalidInput: the row is broken.
        """
        reason = "" if self._has_day(cells) else NO_DAY
        reason = reason or self._reason_to_leave_out(cells)
        if reason:
            self._report.leave_out(number, reason)
            return None
        fault = self._table.fault_of(cells)
        if fault:
            raise InvalidInput(fault)
        currency = self._currency(cells).upper()
        other = not_our_currency(currency or books_currency())
        if other is not None:
            self._report.reject(number, other)
            return None
        amount, out, into = self._read_amounts(cells)
        fee = self.charge(cells)
        if not (amount or out or into or fee):
            has_amount = (amount, out, into) != (None, None, None)
            self._report.leave_out(number, ZERO if has_amount else NO_AMOUNT)
            return None
        balance = self._cents(self._balance(cells))
        return CsvRow(number, cells, self._day(cells), amount, out, into, fee, balance)

    def charge(self, cells: list[str]) -> int:
        """Return the charge of a row as written."""
        return self._cents(self._fee(cells)) or 0

    def line(self, row: CsvRow, day: date, cents: int, fee: int) -> StatementLine:
        """Return the line of a row."""
        return StatementLine(
            line=row.number,
            day=day,
            cents=cents,
            text=" ".join(filter(None, (text(row.cells) for text in self._texts))),
            party=self._party(row.cells),
            party_account=self._party_account(row.cells),
            bank_ref=self._bank_ref(row.cells),
            fee_cents=fee,
        )

    def _cell(self, column: str) -> _Cell:
        place = self._table.place(column)
        if place is None:
            return lambda _cells: ""
        return lambda cells: cells[place].strip() if place < len(cells) else ""

    def _cents(self, text: str) -> int | None:
        """Return an amount; None for an empty cell."""
        return csv_cents(text, decimal=self._mapping.decimal) if text else None

    def _has_day(self, cells: list[str]) -> bool:
        """Return whether a row has a day; it is a footer if not."""
        text = self._day(cells)
        for form in self._forms:
            with suppress(InvalidInput):
                bank_day(text, form)
                return True
        has_amount = any(cell(cells) for cell in (self._amount, self._debit, self._credit))
        is_footer = _FOOTER.search(plain_text(text)) is not None
        if has_amount and any(map(str.isdigit, text)) and not is_footer:
            forms = " or ".join(self._forms)
            raise InvalidInput(f"'{text[:40]}' is not a day of the form {forms}.")
        return False

    def _reason_to_leave_out(self, cells: list[str]) -> str:
        for column, values in self._only.items():
            cell = self._cell(column)(cells)
            if not any(_is_same(cell, value) for value in values):
                name = column.removesuffix(OPTIONAL)
                return f"{name} is '{cell}', not {' or '.join(values)}"
        if self._mapping.account_column:
            cell = self._account(cells)
            if not _is_account(cell, self._mapping.account):
                return f"it is of the account '{cell}', not {self._mapping.account}"
        return ""

    def _read_amounts(self, cells: list[str]) -> tuple[int | None, int | None, int | None]:
        """Return the amount of a row, or that of money out, or that of money in, as written."""
        if not self._mapping.amount:
            out, into = self._cents(self._debit(cells)), self._cents(self._credit(cells))
            if out and into:
                raise InvalidInput("the line has both a debit and a credit.")
            return None, out, into
        cents = self._cents(self._amount(cells))
        if cents is None or not self._mapping.sign:
            return cents, None, None
        return (None, cents, None) if self._is_out(self._sign_cell(cells)) else (None, None, cents)

    def _is_out(self, text: str) -> bool:
        column, ours = self._sign
        word, out = plain_text(text), plain_text(ours)
        if word == out:
            return True
        is_known = word in DEBIT_WORDS | CREDIT_WORDS
        if is_known and out in CREDIT_WORDS:
            return word in CREDIT_WORDS
        if is_known or (word and out not in DEBIT_WORDS):
            return word in DEBIT_WORDS
        raise InvalidInput(
            f"'{text}' in column {column} is neither {ours}, money out, nor a word for money in."
        )


def _is_same(text: str, other: str) -> bool:
    """Return whether two values mean the same: case, spaces and punctuation do not count."""
    return text == other or squeezed(text) == squeezed(other) != ""


def _is_account(text: str, number: str) -> bool:
    """Return whether a cell has the number of an account, perhaps without its beginning."""
    try:
        return is_same_account(account_number(text), account_number(number))
    except InvalidInput:
        return False


def _in_order(lines: list[_Balanced]) -> list[_Balanced]:
    """Return the lines from the oldest, with balances of the account."""
    first, last = lines[0][0].day, lines[-1][0].day
    orders = [one for one, fits in ((lines, first <= last), (lines[::-1], first >= last)) if fits]
    owed = [[(line, None if cents is None else -cents) for line, cents in one] for one in orders]
    return next((one for one in [*orders, *owed] if _break_in(one) is None), orders[-1])


def _break_in(lines: Sequence[_Balanced]) -> int | None:
    return first_break([(line.cents, balance) for line, balance in lines])


def _require_following(lines: list[_Balanced], name: str) -> None:
    place = _break_in(lines)
    if place is not None:
        line, balance = lines[place]
        expected = (lines[place - 1][1] or 0) + line.cents
        raise InvalidInput(
            f"{name}, line {line.line}: the balance is {format_cents(balance or 0)}, but "
            f"{format_cents(expected)} follows; a line is missing before it, or wrong."
        )
