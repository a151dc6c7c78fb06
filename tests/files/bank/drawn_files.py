"""CSV drawn at random, with the lines that it truly holds; other formats: `drawn_statements`.

It is written without the code that reads it: dialects, signs, charges, states, currencies,
accounts, zones and encodings vary, and a mapping names all, some or none of what matters.
"""

import csv
import io
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from jara.domain.time_zone import TimeZone
from jara.files.bank.csv_mapping import CsvMapping

ACCOUNT, OTHER = "1000200030", "1000200999"
ZONES = ("UTC", "America/Toronto", "Asia/Tokyo", "Europe/Berlin")
_TEXTS = ("Gift J7K3", "Host Co invoice", "Monthly fee", "Rent of May", "Cheque 17")
NAMES = ("Ama Mensah", "Kofi Boateng", "Zoé Lefèvre", "Jürgen Müller")


class Truth(NamedTuple):
    """A line as it is: its day, what the account has more, and the charge in that."""

    day: date
    cents: int
    fee: int
    text: str
    is_return: bool = False
    account: str = ACCOUNT


class Drawn(NamedTuple):
    """A file, how it is read, and its lines; `is_told` says that nothing is left to guess."""

    name: str
    data: bytes
    mapping: CsvMapping | None
    truth: list[Truth]
    zone: TimeZone
    is_told: bool
    inverted: bool = False
    charges: bool | None = None
    tells_direction: bool = True
    """Whether the file itself tells money in from money out."""
    day_form: str = ""


def draw_lines(
    random: Random, account: str = ACCOUNT, *, fees: bool = True, returns: bool = False
) -> list[Truth]:
    """Return the lines of an account."""
    day, found = date(2026, random.randint(1, 6), random.randint(1, 28)), []
    for number in range(random.randint(1, 9)):
        day += timedelta(days=random.choice((0, 1, 1, 2, 5)))
        cents = random.choice((1000, 2500, -4000, -150, 12345, -99, 7, 123456))
        fee = random.choice((0, 0, 0, 35, 59)) if fees and abs(cents) > 59 else 0
        is_return = returns and cents < 0 and random.random() < 0.3
        text = f"{random.choice(_TEXTS)} {number}"
        found.append(Truth(day, cents - fee, fee, text, is_return, account))
    return found


def amount(cents: int, decimal: str = ".") -> str:
    """Return an amount as files write it."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}{decimal}{abs(cents) % 100:02}"


def moment(random: Random, day: date, zone: str) -> datetime:
    """Return an instant of a day in a zone, as another place writes it."""
    local = datetime(
        day.year, day.month, day.day, random.randint(0, 23), random.randint(1, 59),
        tzinfo=ZoneInfo(zone),
    )  # fmt: skip
    return local.astimezone(ZoneInfo(random.choice(ZONES)))


class _Sheet:
    """A CSV that grows column by column, and the mapping of it."""

    def __init__(self, random: Random, lines: list[Truth]) -> None:
        self.random, self.lines = random, lines
        self.decimal = random.choice((".", ".", ","))
        self.rows: list[dict[str, str]] = [{} for _ in lines]
        self.fields: dict[str, Any] = {"account": ACCOUNT, "decimal": self.decimal}
        self.is_told = True

    def column(self, name: str, cells: Iterable[str]) -> str:
        for row, cell in zip(self.rows, cells, strict=True):
            row[name] = cell
        return name

    def name(self, field: str, value: object, *, matters: bool) -> None:
        """Name a column in the mapping, or forget it; what matters is then not told."""
        if self.random.random() < 0.7:
            self.fields[field] = value
        elif matters:
            self.is_told = False


def draw_csv(random: Random) -> Drawn:
    """Return a CSV and its mapping."""
    lines = draw_lines(random)
    zone = random.choice(ZONES)
    sheet = _Sheet(random, lines)
    form = _draw_days(sheet, zone)
    fees = random.random() < 0.4
    if not fees:
        lines = [one._replace(cents=one.cents, fee=0) for one in lines]
    sheet.lines = lines
    column = random.choice(("Details", "Verwendungszweck", "Libellé", "Zweck"))
    sheet.fields["text"] = (sheet.column(column, [one.text for one in lines]),)
    _draw_sums(sheet, has_fees=fees)
    balance = 0
    balances = [balance := balance + one.cents for one in lines]
    if random.random() < 0.5:
        cells = [amount(one, sheet.decimal) for one in balances]
        sheet.name("balance", sheet.column("Balance", cells), matters=False)
    rows = _draw_meaning(sheet)
    if random.random() < 0.5:
        rows.reverse()
    out = io.StringIO(newline="")
    writer = csv.DictWriter(
        out, list(sheet.rows[0]) if lines else ["Day"], delimiter=random.choice(",;\t")
    )
    writer.writeheader()
    writer.writerows(rows)
    encoding = random.choice(("utf-8", "utf-8-sig", "utf-16", "cp1252"))
    mapping = CsvMapping(**sheet.fields)
    data = out.getvalue().encode(encoding)
    return Drawn(
        *("csv", data, mapping, lines, TimeZone(zone), sheet.is_told),
        tells_direction=not sheet.fields.get("inverted"),
        day_form=form,
    )


def _draw_days(sheet: _Sheet, zone: str) -> str:
    """Add the column of the day, and return its form."""
    random, days = sheet.random, [one.day for one in sheet.lines]
    form = random.choice(("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%dT%H:%M:%S%z"))
    if random.random() < 0.4:
        form = form.replace("/", random.choice("/-")).replace("%Y", random.choice(("%Y", "%y")))
        form += random.choice(("", " %H:%M", " %I:%M:%S %p")) if "T" not in form else ""
    if "%z" in form:
        cells = [moment(random, day, zone).strftime(form) for day in days]
    else:
        cells = [day.strftime(form) for day in days]
    sheet.fields["date"] = sheet.column("Day", cells)
    sheet.fields["date_format"] = form
    if form in {"%d/%m/%Y", "%m/%d/%Y"} and random.random() < 0.5:
        sheet.fields["date_format"], sheet.is_told = "%m/%d/%Y|%d/%m/%Y", False
    return form


def _draw_sums(sheet: _Sheet, *, has_fees: bool) -> None:
    random, lines = sheet.random, sheet.lines
    is_net = has_fees and random.random() < 0.5
    amounts = [one.cents if is_net or not has_fees else one.cents + one.fee for one in lines]

    def written(cents: Iterable[int | None]) -> list[str]:
        return ["" if one is None else amount(one, sheet.decimal) for one in cents]

    way = random.choice(("signed", "inverted", "two", "minus", "owed", "word", "word and sign"))
    if is_net and way != "signed":
        way = "signed"
    out = [-one if one < 0 else None for one in amounts]
    into = [one if one > 0 else None for one in amounts]
    if way in {"signed", "inverted"}:
        sign = -1 if way == "inverted" else 1
        sheet.fields["amount"] = sheet.column("Amount", written(sign * one for one in amounts))
        if way == "inverted":
            sheet.fields["inverted"] = True
    elif way in {"two", "minus", "owed"}:
        first = [None if one is None else -one for one in out] if way == "minus" else out
        second = [None if one is None else -one for one in into] if way == "owed" else into
        if way == "two" and random.random() < 0.4:
            # A charge that is given back stands in its column with the other sign.
            first = [one if two is None else -two for one, two in zip(first, second, strict=True)]
            second, sheet.is_told = [None for _ in first], False
            if sum(1 if one > 0 else -1 for one in first if one) < 1:
                first, second = out, into
        sheet.fields["debit"] = sheet.column("Debit", written(first))
        sheet.fields["credit"] = sheet.column("Credit", written(second))
    else:
        words = random.choice((("D", "C"), ("Debit", "Credit"), ("Af", "Bij"), ("Soll", "Haben")))
        cells = amounts if way == "word and sign" else [abs(one) for one in amounts]
        sheet.fields["amount"] = sheet.column("Amount", written(cells))
        sheet.column("Kind", [words[one > 0] for one in amounts])
        sheet.name("sign", f"Kind={words[0]}", matters=way == "word")
    if has_fees:
        sign = random.choice((1, -1))
        name = random.choice(("Fee", "Gebühren", "Frais", "Comisión", "Charges"))
        charges = written(sign * one.fee for one in lines)
        sheet.name("fee", sheet.column(name, charges), matters=any(one.fee for one in lines))
        sheet.name("amount_is", "net" if is_net else "gross", matters=True)
        if "fee" not in sheet.fields:
            sheet.fields.pop("amount_is", None)


def _draw_meaning(sheet: _Sheet) -> list[dict[str, str]]:
    """Add columns that change the meaning, and rows that are not ours."""
    random = sheet.random
    kinds: list[tuple[str, str, str, str, object]] = []
    state = random.choice(
        (
            ("Status", "Completed", "Failed"),
            ("Zustand", "gebucht", "vorgemerkt"),
            ("Statut", "Effectué", "Annulé"),
            ("Estado", "Completado", "Rechazado"),
            ("State", "COMPLETED", "REVERTED"),
        )
    )
    kinds.append(("only", *state, (f"{state[0]}={state[1]}",)))
    kinds.append(("currency", "Currency", "USD", "JPY", "Currency"))
    kinds.append(("account_column", "Account number", ACCOUNT, OTHER, "Account number"))
    rows = [dict(row) for row in sheet.rows]
    for field, column, ours, other, value in kinds:
        if random.random() < 0.6:
            continue
        for row in (*rows, *sheet.rows):
            row[column] = ours
        strangers = random.random() < 0.7 and bool(sheet.rows)
        sheet.name(field, value, matters=strangers)
        if strangers:
            stranger = {**random.choice(sheet.rows), column: other}
            if "Balance" in stranger:
                stranger["Balance"] = ""
            rows.insert(random.randint(0, len(rows)), stranger)
    for row in rows:
        for column in rows[0]:
            row.setdefault(column, next(one[column] for one in sheet.rows if column in one))
    return rows
