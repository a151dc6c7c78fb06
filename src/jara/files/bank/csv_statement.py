"""Bank statements as CSV, read by a mapping that an operator describes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import groupby, islice
from operator import itemgetter
from shlex import quote

from jara.domain.bank.statement import Statement, StatementLine, account_number, squeezed
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.lookup import plain_text
from jara.domain.money import format_cents
from jara.files.bank.csv_amount import CREDIT_WORDS, DEBIT_WORDS, csv_cents, sign_column
from jara.files.bank.csv_mapping import OPTIONAL, CsvMapping, split_pair
from jara.files.bank.csv_table import CsvTable, beginning, open_table
from jara.files.bank.text import ZERO, bank_day, decoded, not_our_currency
from jara.files.reading import FileReport

FORM = "csv"
NO_DAY = "it has no day"
NO_AMOUNT = "it has no amount"
_SIGN_ROWS = 500
"""So many rows show whether a column tells the sign."""
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
        reader = _LineReader(table, mapping, FileReport())
        first = [reader.read(*row) for row in islice(table.rows, 1) if mapping.columns]
    except JaraError:
        return False
    return bool(not mapping.columns or (first and first[0]))


def read_csv_statement(
    data: bytes, name: str, report: FileReport, mapping: CsvMapping
) -> Iterator[Statement]:
    """Read the one statement of a file.

    Raises:
        InvalidInput: the file is broken, lacks a column, or a balance does not add up; the
            message names the line.
    """
    mapping.require_currency(books_currency())
    table = open_table(decoded(data, mapping.encoding or None, name=name), name, mapping)
    reader = _LineReader(table, mapping, report)
    lines: list[_Balanced] = []
    first_rows: list[list[str]] = []
    for number, cells in table.rows:
        try:
            line = reader.read(number, cells)
        except JaraError as error:
            raise InvalidInput(f"{name}, line {number}: {error.message}") from None
        if line is None:
            continue
        lines.append(line)
        if len(first_rows) < _SIGN_ROWS:
            first_rows.append(cells)
    if not lines:
        return
    if mapping.amount and not mapping.sign and all(line.cents > 0 for line, _ in lines):
        _require_no_sign(table, first_rows)
    lines = _in_order(lines)
    _require_following(lines, name)
    first, balance = lines[0]
    yield Statement(
        line=first.line,
        account=account_number(mapping.account),
        form=FORM,
        first_day=min(line.day for line, _ in lines),
        last_day=max(line.day for line, _ in lines),
        opening_cents=None if balance is None else balance - first.cents,
        closing_cents=lines[-1][1],
        lines=[line for line, _ in lines],
    )


def _require_no_sign(table: CsvTable, rows: list[list[str]]) -> None:
    """Refuse a file whose column of signs the mapping does not use: fees would become income."""
    sign = sign_column(table.header, rows)
    if sign:
        raise InvalidInput(
            f"{table.name}: every amount is positive, but its column {sign.rpartition('=')[0]} "
            f"tells money out; add --sign {quote(sign)} to the mapping."
        )


class _LineReader:
    """Reads the rows of a table as lines of a statement."""

    def __init__(self, table: CsvTable, mapping: CsvMapping, report: FileReport) -> None:
        self._table, self._mapping, self._report = table, mapping, report
        self._forms = mapping.date_format.split("|")
        self._day, self._amount = self._cell(mapping.date), self._cell(mapping.amount)
        self._debit, self._credit = self._cell(mapping.debit), self._cell(mapping.credit)
        self._balance = self._cell(mapping.balance)
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

    def read(self, number: int, cells: list[str]) -> _Balanced | None:
        """Read a row; None if it is left out or rejected, which the report says.

        Raises:
            InvalidInput: the row is broken.
        """
        day = self._read_day(cells)
        reason = NO_DAY if day is None else self._reason_to_leave_out(cells)
        if day is None or reason:
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
        cents = self._read_amount(cells)
        if not cents:
            self._report.leave_out(number, NO_AMOUNT if cents is None else ZERO)
            return None
        line = StatementLine(
            line=number,
            day=day,
            cents=cents,
            text=" ".join(filter(None, (text(cells) for text in self._texts))),
            party=self._party(cells),
            party_account=self._party_account(cells),
            bank_ref=self._bank_ref(cells),
        )
        return line, self._cents(self._balance(cells))

    def _cell(self, column: str) -> _Cell:
        place = self._table.place(column)
        if place is None:
            return lambda _cells: ""
        return lambda cells: cells[place].strip() if place < len(cells) else ""

    def _cents(self, text: str) -> int | None:
        """Return an amount; None for an empty cell."""
        return csv_cents(text, decimal=self._mapping.decimal) if text else None

    def _read_day(self, cells: list[str]) -> date | None:
        """Return the day of a row; None if it is a footer."""
        text = self._day(cells)
        for form in self._forms:
            try:
                return bank_day(text, form)
            except InvalidInput:
                continue
        has_amount = any(cell(cells) for cell in (self._amount, self._debit, self._credit))
        is_footer = _FOOTER.search(plain_text(text)) is not None
        if has_amount and any(map(str.isdigit, text)) and not is_footer:
            forms = " or ".join(self._forms)
            raise InvalidInput(f"'{text[:40]}' is not a day of the form {forms}.")
        return None

    def _reason_to_leave_out(self, cells: list[str]) -> str:
        for column, values in self._only.items():
            cell = self._cell(column)(cells)
            if not any(_is_same(cell, value) for value in values):
                name = column.removesuffix(OPTIONAL)
                return f"{name} is '{cell}', not {' or '.join(values)}"
        return ""

    def _read_amount(self, cells: list[str]) -> int | None:
        if self._mapping.amount:
            cents = self._cents(self._amount(cells))
            if cents is None or not self._mapping.sign:
                return cents
            return -abs(cents) if self._is_out(self._sign_cell(cells)) else abs(cents)
        out, into = self._cents(self._debit(cells)), self._cents(self._credit(cells))
        if out and into:
            raise InvalidInput("the line has both a debit and a credit.")
        return None if (out, into) == (None, None) else (into or 0) - abs(out or 0)

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


def _in_order(lines: list[_Balanced]) -> list[_Balanced]:
    """Return the lines from the oldest, with balances of the account; a card's are what is owed."""
    first, last = lines[0][0].day, lines[-1][0].day
    orders = [one for one, fits in ((lines, first <= last), (lines[::-1], first >= last)) if fits]
    owed = [
        [(line, None if balance is None else -balance) for line, balance in one] for one in orders
    ]
    return next((one for one in [*orders, *owed] if _first_break(one) is None), orders[-1])


def _first_break(lines: list[_Balanced]) -> int | None:
    before: int | None = None
    for place, (line, balance) in enumerate(lines):
        if before is not None and balance is not None and before + line.cents != balance:
            return place
        before = balance
    return None


def _require_following(lines: list[_Balanced], name: str) -> None:
    place = _first_break(lines)
    if place is not None:
        line, balance = lines[place]
        expected = (lines[place - 1][1] or 0) + line.cents
        raise InvalidInput(
            f"{name}, line {line.line}: the balance is {format_cents(balance or 0)}, but "
            f"{format_cents(expected)} follows; a line is missing before it, or wrong."
        )
