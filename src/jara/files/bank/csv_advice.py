"""What to type for a CSV that no mapping reads: a reading of the file that passes every check."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from shlex import join
from typing import Any, NamedTuple

from jara.domain.errors import InvalidInput, JaraError
from jara.domain.money import format_cents
from jara.files.bank.csv_amount import csv_cents, sign_column
from jara.files.bank.csv_columns import column_faults, plain_column
from jara.files.bank.csv_mapping import CsvMapping, read_mapping
from jara.files.bank.csv_statement import fits, read_csv_statement
from jara.files.bank.csv_table import beginning, first_rows, open_table
from jara.files.bank.presets import ANY, preset_names, read_preset
from jara.files.bank.text import bank_day
from jara.files.reading import FileReport, normal_name

_DAY_FORMS = (
    *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d"),
    *("%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S%z"),
    *("%Y-%m-%d %H:%M", "%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%d %b %Y", "%d-%b-%Y"),
)
_USUAL = {
    "date": r"\bdate|\bday\b|datum|fecha|\bdata\b|booked|buchungstag|posted|\btime\b",
    "amount": r"amount|betrag|bedrag|montant|importe|\bsum\b|\bnet\b|\bvalue\b|gross|umsatz|valor",
    "debit": r"debit|withdraw|paid out|money out|soll|debe|cargo|lastschrift|retrait",
    "credit": r"credit|deposit|paid in|money in|haben|haber|abono|gutschrift|depot",
    "text": (
        r"description|detail|text|memo|purpose|verwendung|libelle|concepto|omschrijving|tekst|"
        r"reference|message|notes?\b|narrative|particulars|mitteilung"
    ),
    "party": r"payee|payer|counter ?party|partner|beguenstigter|\bname\b|merchant",
    "balance": r"balance|saldo|solde|kontostand",
}
"""The words by which columns are known, in plain letters."""
_EXACT = frozenset(
    {"amount", "betrag", "bedrag", "montant", "importe", "sum", "net", "net amount", "valor"}
)
_DECIMALS = re.compile(r"[0-9][.,][0-9]{1,2}(?![0-9])")
_COLUMN = "COLUMN"
_ROWS = 3
_TRIES = 40


class _Sheet(NamedTuple):
    """The rows of an unknown file: its columns, and whether the file has a header for them."""

    columns: list[str]
    rows: list[list[str]]
    has_header: bool

    def cells(self, column: str) -> list[str]:
        """Return the cells of a column that have a text."""
        place = self.columns.index(column)
        return [row[place].strip() for row in self.rows if place < len(row) and row[place].strip()]


def advice(data: bytes, mappings: Mapping[str, CsvMapping]) -> str:
    """Return what to type for a file that no mapping fits, and how its first lines are read."""
    rows = first_rows(beginning(data))
    presets = {name: read_preset(name, account=ANY) for name in preset_names()}
    fitting = [name for name, preset in presets.items() if fits(data, preset)]
    sheet = _sheet(rows)
    if sheet.has_header:
        start = f"Its columns are {', '.join(filter(None, sheet.columns))}. "
        start += "" if fitting else _nearest(sheet.columns, mappings, presets)
    else:
        shown = ", ".join(f"'{cell}'" for cell in (rows[0] if rows else []))
        start = f"Its first row is no header: {shown}. "
    if fitting:
        start += f"The preset {' or '.join(fitting)} fits. "
        return start + _typed(fitting[0], "--preset", fitting[0], "--account", "NUMBER")
    fields = _reading(data, sheet)
    lines = _lines(data, fields)
    start += f"By this command its first lines are: {'; '.join(lines)}. " if lines else ""
    return start + _typed("NAME", "--account", "NUMBER", *_options(fields))


def _typed(*words: str) -> str:
    return f"Type: jara bank mappings add {join(words)}"


def _sheet(rows: list[list[str]]) -> _Sheet:
    """Return the header that fits best, and the rows below it."""

    def score(row: list[str]) -> int:
        names = [plain_column(cell) for cell in row]
        if any(_is_day(cell) or _DECIMALS.search(cell) for cell in row):
            return 0
        return sum(any(re.search(words, one) for one in names) for words in _USUAL.values())

    place = max(range(len(rows)), key=lambda at: score(rows[at]), default=0)
    if rows and score(rows[place]) > 1:
        return _Sheet([cell.strip() for cell in rows[place]], rows[place + 1 :], has_header=True)
    if rows and not any(_is_day(cell) for cell in rows[0]):
        return _Sheet([cell.strip() for cell in rows[0]], rows[1:], has_header=True)
    return _Sheet(_names(rows[0] if rows else []), rows, has_header=False)


def _is_day(cell: str) -> bool:
    return any(_parses(cell, form) for form in _DAY_FORMS)


def _parses(cell: str, form: str) -> bool:
    try:
        return bool(bank_day(cell, form))
    except InvalidInput:
        return False


def _names(cells: list[str]) -> list[str]:
    """Return names for the columns of a file without a header, by its first row."""
    kinds = [
        "Date"
        if _is_day(cell)
        else "Amount"
        if _DECIMALS.search(cell)
        else "Text"
        if cell
        else "Empty"
        for cell in map(str.strip, cells)
    ]
    return [
        f"{kind}{kinds[:at].count(kind) + 1}" if kind in kinds[:at] else kind
        for at, kind in enumerate(kinds)
    ]


def _reading(data: bytes, sheet: _Sheet) -> dict[str, Any]:
    """Return the fields of a mapping; what cannot be known is COLUMN."""
    fields: dict[str, Any] = {} if sheet.has_header else {"columns": tuple(sheet.columns)}
    fields |= _date(sheet)
    money = [one for one in dict.fromkeys(sheet.columns) if one and _is_money(sheet.cells(one))]
    texts = [
        one
        for one in sheet.columns
        if one not in money and one != fields["date"] and _is_named(one, "text")
    ]
    if not sheet.has_header:
        written = [one for one in sheet.columns if one.startswith("Text")]
        texts = [one for one in written if any(map(str.isalpha, "".join(sheet.cells(one))))][:1]
    party = [one for one in sheet.columns if _is_named(one, "party") and one not in texts]
    fields |= {"text": tuple(texts)} | ({"party": party[0]} if party else {})
    first: dict[str, Any] = {}
    for amounts in _amounts(sheet, money):
        found = _explained(data, fields | amounts | _decimal(sheet, amounts), sheet)
        first = first or found
        if _lines(data, found):
            return found
    # Balances prove which column is which, whatever their names.
    proofs = [{"amount": a, "balance": b} for a, b in permutations(money, 2)]
    proofs += [{"debit": a, "credit": b, "balance": c} for a, b, c in permutations(money, 3)]
    for amounts in proofs[:_TRIES] if _COLUMN in first.values() else ():
        found = fields | amounts | _decimal(sheet, amounts)
        if len(_lines(data, found)) > 1:
            return found
    return first


def _date(sheet: _Sheet) -> dict[str, Any]:
    """Return the column of the day and its form; FORMAT if several forms fit."""
    for column in sorted(sheet.columns, key=lambda one: not _is_named(one, "date")):
        days = [one for one in (sheet.cells(column) if column else []) if one[0].isdigit()]
        days = [one for one in days if _is_day(one)] if len(days) > 1 else days
        forms = [form for form in _DAY_FORMS if days and all(_parses(one, form) for one in days)]
        if forms:
            form = forms[0] if len(forms) == 1 else "FORMAT"
            return {"date": column, "date_format": form}
    named = next((one for one in sheet.columns if _is_named(one, "date")), _COLUMN)
    return {"date": named, "date_format": "FORMAT" if sheet.rows else _DAY_FORMS[0]}


def _is_named(column: str, field: str) -> bool:
    return re.search(_USUAL[field], plain_column(column)) is not None


def _is_money(cells: Sequence[str]) -> bool:
    """Return whether most cells are amounts with decimals."""
    amounts = [one for one in cells if _decimals([one])]
    with_decimals = [one for one in amounts if _DECIMALS.search(one)]
    return len(amounts) * 2 > len(cells) and len(with_decimals) * 2 >= len(amounts) > 0


def _amounts(sheet: _Sheet, money: list[str]) -> Iterator[dict[str, Any]]:
    """Yield which columns may be the amount and the balance, the likely ones first."""
    balances = [one for one in money if _is_named(one, "balance")]
    balance = {"balance": balances[0]} if balances else {}
    names = [one for one in sheet.columns if one in money or _is_exact(sheet, one)]
    debits = [one for one in sheet.columns if _is_named(one, "debit")]
    credits_ = [one for one in sheet.columns if _is_named(one, "credit")]
    if debits and credits_ and debits[0] != credits_[0]:
        yield {"debit": debits[0], "credit": credits_[0], **balance}
    sums = [one for one in names if _is_named(one, "amount") and one not in balances]
    named = [one for one in sums if plain_column(one) in _EXACT] or sums
    named = named if sheet.has_header else []
    sign = sign_column(sheet.columns, sheet.rows)
    more = balance | ({"sign": sign} if sign else {})
    if len(named) == 1:
        if more.get("sign") and any(cents < 0 for cents in _cents(sheet.cells(named[0]))):
            more = balance
        yield {"amount": named[0], **more}
    unsure = [one for one in money if one not in balances]
    if len(unsure) == 1 and not named:
        yield {"amount": unsure[0], **more}
    yield {"amount": _COLUMN, **balance}


def _is_exact(sheet: _Sheet, column: str) -> bool:
    """Return whether a column is called an amount, and has nothing else."""
    cells = sheet.cells(column)
    return plain_column(column) in _EXACT and (not cells or bool(_decimals(cells)))


def _cents(cells: Sequence[str]) -> list[int]:
    decimal = _decimals(cells)
    return [csv_cents(one, decimal=decimal) for one in cells] if decimal else []


def _decimal(sheet: _Sheet, fields: Mapping[str, Any]) -> dict[str, str]:
    columns = [fields.get(one, "") for one in ("amount", "debit", "credit")]
    cells = [cell for one in columns if one in sheet.columns and one for cell in sheet.cells(one)]
    return {"decimal": ","} if _decimals(cells) == "," else {}


def _explained(data: bytes, fields: dict[str, Any], sheet: _Sheet) -> dict[str, Any]:
    """Add the fields for the columns that change the meaning of rows."""
    mapping = _mapping(fields)
    if mapping is None:
        return fields
    try:
        table = open_table(beginning(data), "", mapping)
        faults = list(column_faults(table, mapping, sheet.rows))
    except JaraError:
        return fields
    for fault in faults:
        old = fields.get(fault.field, ())
        fields = {
            **fields,
            fault.field: (*old, *fault.values) if fault.is_list else fault.values[0],
        }
    return fields


def _mapping(fields: Mapping[str, Any]) -> CsvMapping | None:
    document = {key: list(one) if isinstance(one, tuple) else one for key, one in fields.items()}
    try:
        return read_mapping({"account": ANY, **document})
    except InvalidInput:
        return None


def _lines(data: bytes, fields: Mapping[str, Any]) -> list[str]:
    """Return the first lines as they would be stored; none if the reading is refused."""
    mapping = _mapping(fields)
    try:
        if mapping is None or _COLUMN in fields.values() or fields["date_format"] == "FORMAT":
            return []
        text = beginning(data).encode()
        found = [
            one
            for part in read_csv_statement(text, "", FileReport(), mapping)
            for one in part.lines
        ]
    except JaraError:
        return []
    return [f"{one.day} {format_cents(one.cents)} {one.text[:40]}".strip() for one in found[:_ROWS]]


def _options(fields: Mapping[str, Any]) -> list[str]:
    words = []
    for field, value in fields.items():
        option = f"--{field.replace('_', '-')}"
        if field == "columns":
            words += [option, ",".join(value)]
        elif field == "decimal":
            words += [option, "comma"]
        elif isinstance(value, tuple):
            words += [word for one in value for word in (option, one)]
        elif value and (field, value) != ("date_format", _DAY_FORMS[0]):
            words += [option, value]
    return words


def _nearest(
    columns: list[str], mappings: Mapping[str, CsvMapping], presets: Mapping[str, CsvMapping]
) -> str:
    there = set(map(normal_name, columns))
    needed = {f"mapping is {name}": one.required for name, one in mappings.items()}
    needed |= {
        f"preset is {name}": one.required for name, one in presets.items() if not one.columns
    }
    lacking = {
        name: [one for one in required if normal_name(one) not in there]
        for name, required in needed.items()
    }
    name = min(lacking, key=lambda one: len(lacking[one]) / len(needed[one]))
    if len(lacking[name]) == len(needed[name]):
        return ""
    return f"The nearest {name}, which also needs {', '.join(lacking[name])}. "


def _decimals(amounts: Sequence[str]) -> str:
    """Return the first decimal sign by which all amounts can be read; empty for none."""
    for decimal in ".,":
        try:
            if [csv_cents(one, decimal=decimal) for one in amounts]:
                return decimal
        except JaraError:
            continue
    return ""
