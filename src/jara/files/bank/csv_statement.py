"""Bank statements as CSV, read by a mapping that an operator describes."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from jara.domain.bank.statement import Statement, StatementLine, account_number
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.money import format_cents
from jara.files.bank.text import ZERO, bank_day, csv_cents, decoded, not_our_currency
from jara.files.reading import FileReport, normal_name, width_message

_SIGNS = {".": ".", ",": ",", "point": ".", "comma": ","}


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvMapping:
    """The columns of a bank's CSV, by the names in its header.

    Args:
        account: the account's number, which such files rarely contain.
        date: the column of the booking day.
        amount: the column of the amount with its sign; or `debit` and `credit`.
        debit: the column of money out.
        credit: the column of money in.
        text: the columns of the payer's message.
        reference: the column of the bank's reference.
        party: the column of the counterparty's name.
        party_account: the column of the counterparty's account.
        balance: the column of the balance after the line.
        currency: the column of the currency.
        date_format: a `datetime.strptime` format.
        decimal: the decimal sign.
        delimiter: the separator between cells.
        encoding: the encoding of the file.
        skip: the number of lines before the header.

    Raises:
        InvalidInput: no column has the amount, or a value is not usable.
    """

    account: str
    date: str
    amount: str = ""
    debit: str = ""
    credit: str = ""
    text: tuple[str, ...] = ()
    reference: str = ""
    party: str = ""
    party_account: str = ""
    balance: str = ""
    currency: str = ""
    date_format: str = "%Y-%m-%d"
    decimal: str = "."
    delimiter: str = ","
    encoding: str = "utf-8"
    skip: int = 0

    def __post_init__(self) -> None:
        account_number(self.account)
        if bool(self.amount) is bool(self.debit and self.credit):
            raise InvalidInput("A mapping needs --amount, or both --debit and --credit.")
        if self.decimal not in {".", ","}:
            raise InvalidInput(f"'{self.decimal}' is not a decimal sign; say point or comma.")
        if len(self.delimiter) != 1:
            raise InvalidInput("The delimiter must be one character: comma, semicolon or tab.")
        try:
            codecs.lookup(self.encoding)
        except LookupError:
            raise InvalidInput(f"'{self.encoding}' is not an encoding, like utf-8.") from None
        if "%" not in self.date_format or date(2026, 1, 31).strftime(self.date_format) == "":
            raise InvalidInput(f"'{self.date_format}' is not a date format, like %d.%m.%Y.")

    @property
    def columns(self) -> frozenset[str]:
        """Every column that the file must have."""
        named = (
            self.date, self.amount, self.debit, self.credit, *self.text, self.reference,
            self.party, self.party_account, self.balance, self.currency,
        )  # fmt: skip
        return frozenset(name for name in named if name)

    def document(self) -> dict[str, object]:
        """Return the mapping as it is stored."""
        return {name: getattr(self, name) for name in self.__slots__} | {"text": list(self.text)}


def read_mapping(document: Mapping[str, object]) -> CsvMapping:
    """Parse a stored mapping."""
    values = dict(document)
    texts = values.pop("text")
    skip = values.pop("skip")
    return CsvMapping(
        **{name: str(value) for name, value in values.items()},
        text=tuple(str(one) for one in texts) if isinstance(texts, list) else (),
        skip=int(str(skip)),
    )


def decimal_sign(word: str) -> str:
    """Return the decimal sign that a word names."""
    return _SIGNS.get(word, word)


FORM = "csv"
_Balanced = tuple[StatementLine, int | None]


def has_columns(data: bytes, mapping: CsvMapping) -> bool:
    """Return whether the header of a file has every column of a mapping."""
    head = data[: 1 << 16].decode(mapping.encoding, "replace").removeprefix("\ufeff")
    lines = head.splitlines()[mapping.skip :]
    row = next(csv.reader(lines[:1], delimiter=mapping.delimiter), [])
    return {normal_name(name) for name in mapping.columns} <= {normal_name(cell) for cell in row}


def read_csv_statement(
    data: bytes, name: str, report: FileReport, mapping: CsvMapping
) -> Iterator[Statement]:
    """Read the one statement of a file.

    Raises:
        InvalidInput: the file is broken, lacks a column, or a balance does not add up; the
            message names the line.
    """
    rows = _Rows(data, name, mapping)
    lines: list[_Balanced] = []
    for number, cells in rows:
        try:
            line = _line(rows, number, cells, mapping, report)
        except JaraError as error:
            raise InvalidInput(f"{name}, line {number}: {error.message}") from None
        lines += [] if line is None else [line]
    if not lines:
        return
    if _is_newest_first(lines):
        lines.reverse()
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


@dataclass
class _Rows:
    """The rows of a file below its header, with their line numbers."""

    data: bytes
    name: str
    mapping: CsvMapping

    def __post_init__(self) -> None:
        text = decoded(self.data, self.mapping.encoding, name=self.name).removeprefix("\ufeff")
        self._stream = io.StringIO(text, newline="")
        for _ in range(self.mapping.skip):
            self._stream.readline()
        self._reader = csv.reader(self._stream, delimiter=self.mapping.delimiter, strict=True)
        header = [normal_name(cell) for cell in next(self._read(), (0, [""]))[1]]
        lacking = [one for one in sorted(self.mapping.columns) if normal_name(one) not in header]
        if lacking:
            raise InvalidInput(
                f"{self.name}, line {self.mapping.skip + 1}: the header lacks "
                f"{', '.join(lacking)}; the mapping names it."
            )
        self._width = len(header)
        self._places = {name: place for place, name in reversed(list(enumerate(header)))}

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        for number, cells in self._read():
            if len(cells) != self._width:
                message = width_message(len(cells), self._width)
                raise InvalidInput(f"{self.name}, line {number}: {message}")
            yield number, cells

    def cell(self, cells: list[str], column: str) -> str:
        """Return a cell by the name of its column; empty for no column."""
        return cells[self._places[normal_name(column)]].strip() if column else ""

    def _read(self) -> Iterator[tuple[int, list[str]]]:
        start = self.mapping.skip
        try:
            for cells in self._reader:
                if cells:
                    yield self.mapping.skip + self._reader.line_num, cells
                start = self.mapping.skip + self._reader.line_num
        except csv.Error as error:
            raise InvalidInput(f"{self.name}, line {start + 1}: not CSV ({error}).") from None


def _line(
    rows: _Rows, number: int, cells: list[str], mapping: CsvMapping, report: FileReport
) -> _Balanced | None:
    def cell(column: str) -> str:
        return rows.cell(cells, column)

    currency = cell(mapping.currency).upper()
    other = not_our_currency(currency or books_currency())
    if other is not None:
        report.reject(number, other)
        return None
    cents = _amount(cell(mapping.amount), cell(mapping.debit), cell(mapping.credit), mapping)
    if not cents:
        report.leave_out(number, ZERO)
        return None
    balance = cell(mapping.balance)
    line = StatementLine(
        line=number,
        day=bank_day(cell(mapping.date), mapping.date_format),
        cents=cents,
        text=" ".join(text for text in map(cell, mapping.text) if text),
        party=cell(mapping.party),
        party_account=cell(mapping.party_account),
        bank_ref=cell(mapping.reference),
    )
    return line, csv_cents(balance, decimal=mapping.decimal) if balance else None


def _amount(amount: str, debit: str, credit: str, mapping: CsvMapping) -> int:
    if mapping.amount:
        return csv_cents(amount, decimal=mapping.decimal)
    out = csv_cents(debit or "0", decimal=mapping.decimal)
    into = csv_cents(credit or "0", decimal=mapping.decimal)
    if out and into:
        raise InvalidInput("the line has both a debit and a credit.")
    return into - abs(out)


def _is_newest_first(lines: list[_Balanced]) -> bool:
    first, last = lines[0][0].day, lines[-1][0].day
    return first > last or (first == last and _first_break(lines) is not None)


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
