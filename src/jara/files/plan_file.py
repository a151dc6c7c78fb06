"""Plans of years as files: read from CSV, and written as periodic transactions of hledger."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO, TextIO

from jara.domain.books.account import PROJECTS, AccountType, account_type, parse_fund
from jara.domain.books.plan import PlanLine
from jara.domain.currency import books_currency
from jara.domain.dates import MONTHS
from jara.domain.errors import InvalidInput, JaraError
from jara.domain.money import parse_cents, plain_decimal
from jara.files.people.forms import plain_name
from jara.files.people.reader import header_of
from jara.files.reading import read_table, width_message

_COLUMNS = ("account", "project", "fund", "month", "amount")
_PIECE_BYTES = 1 << 20
_MONTHS = {
    name: number
    for number, month in enumerate(MONTHS, 1)
    for name in (str(number), f"{number:02d}", month.casefold(), month[:3].casefold())
}


def read_plan(stream: BinaryIO, name: str, *, year: int) -> list[PlanLine]:
    """Read the lines of a plan from a seekable CSV file in UTF-8.

    A row names an account or a project, perhaps a fund, and an amount: of the year, of the
    month in the column Month, or of each month in columns that are named after months. Empty
    amounts are left out.

    Raises:
        InvalidInput: the file is broken as a whole, lacks a column, or has wrong rows, which are
            all named.
    """
    stream.seek(0)
    delimiter, skip = header_of(stream.read(_PIECE_BYTES), ("account", "project"))
    stream.seek(0)
    table = read_table(stream, name, delimiter=delimiter, skip=skip)
    plain = [plain_name(column) for column in table.header]
    months = {
        place: month
        for place, column in enumerate(table.header)
        if (month := _month(column, year)) is not None
    }
    unknown = [
        column
        for place, column in enumerate(table.header)
        if column.strip() and plain[place] not in _COLUMNS and place not in months
    ]
    if (
        unknown
        or not {"account", "project"} & set(plain)
        or not ({"amount"} & set(plain) or months)
    ):
        raise InvalidInput(
            f"{name} needs a column Account or Project, and one Amount or one for each month, "
            f"such as {year}-01; it may have Fund and Month. It has: {', '.join(table.header)}."
        )
    lines: list[PlanLine] = []
    faults: list[str] = []
    for number, row in table.rows:
        if not any(map(str.strip, row)):
            continue
        try:
            if len(row) != len(plain):
                raise InvalidInput(width_message(len(row), len(plain)))
            lines += _lines(dict(zip(plain, map(str.strip, row), strict=True)), row, months, year)
        except JaraError as error:
            faults.append(f"line {number}: {error.message}")
    if faults:
        raise InvalidInput(f"{name}: nothing was imported. " + " ".join(faults))
    return lines


def _lines(
    cells: Mapping[str, str], row: Sequence[str], months: Mapping[int, str], year: int
) -> Iterator[PlanLine]:
    account, project = cells.get("account", ""), cells.get("project", "")
    if bool(account) is bool(project):
        raise InvalidInput("name an account or a project.")
    named = account or f"{PROJECTS}:{project}"
    account_type(named)
    fund = parse_fund(cells["fund"]) if cells.get("fund") else None
    text = cells.get("month", "")
    month = _month(text, year) if text else None
    if text and month is None:
        raise InvalidInput(f"'{text}' is not a month; write it like {year}-03.")
    if cells.get("amount"):
        yield PlanLine(named, fund, month, parse_cents(cells["amount"]))
    for place, of_month in months.items():
        if row[place].strip():
            yield PlanLine(named, fund, of_month, parse_cents(row[place].strip()))


def _month(text: str, year: int) -> str | None:
    """Return the month that a text names, such as ``2026-03``; None if it names none."""
    head, dash, tail = text.strip().partition("-")
    if dash and head.isdigit() and tail in _MONTHS:
        return f"{head}-{_MONTHS[tail]:02d}"
    number = _MONTHS.get(text.strip().casefold())
    return None if number is None else f"{year:04d}-{number:02d}"


def write_plan_journal(lines: Iterable[PlanLine], out: TextIO, *, year: int) -> None:
    """Write a plan as periodic transactions, for ``hledger balance --budget``.

    hledger reads it beside the journal of the books; the equity account only balances it.
    """
    currency = books_currency()
    out.write(f"; The plan of {year}: hledger -f books.journal -f plan.journal balance --budget\n")
    out.write(f"commodity 1000.00 {currency}\n")
    by_month: dict[str | None, list[PlanLine]] = {}
    for line in lines:
        by_month.setdefault(line.month, []).append(line)
    for month, of_month in sorted(by_month.items(), key=lambda one: one[0] or ""):
        out.write(f"\n~ {_span(month, year)}\n")
        for line in of_month:
            sign = -1 if account_type(line.account) is AccountType.INCOME else 1
            fund = "" if line.fund is None else f"  ; fund:{line.fund}"
            amount = plain_decimal(sign * line.cents)
            out.write(f"    {line.account}  {amount} {currency}{fund}\n")
        out.write("    equity:plan\n")


def _span(month: str | None, year: int) -> str:
    if month is None:
        return f"yearly from {year}-01-01 to {year + 1}-01-01"
    number = int(month[5:])
    end = f"{year + 1}-01" if number == len(MONTHS) else f"{year}-{number + 1:02d}"
    return f"monthly from {month}-01 to {end}-01"
