"""What to type for a CSV that no mapping reads: a reading of the file that passes every check."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from shlex import join
from typing import Any, NamedTuple

from jara.domain.errors import InvalidInput, JaraError
from jara.domain.money import format_cents
from jara.domain.time_zone import TimeZone
from jara.files.bank.csv_amount import csv_cents, sign_column
from jara.files.bank.csv_columns import FEE_NAME, column_faults, plain_column
from jara.files.bank.csv_mapping import CsvMapping, read_mapping
from jara.files.bank.csv_statement import fits, read_csv_statement
from jara.files.bank.csv_table import beginning, first_rows, open_table
from jara.files.bank.presets import ANY, preset_names, read_preset
from jara.files.bank.text import bank_day
from jara.files.reading import FileReport, normal_name

_DAYS = (
    *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d"),
    *("%d.%m.%y", "%d/%m/%y", "%d-%m-%y", "%d %b %Y", "%d-%b-%Y"),
)
_TIMES = (
    *("", " %H:%M", " %H:%M:%S", "T%H:%M:%S", "T%H:%M:%S%z", " %I:%M %p", " %I:%M:%S %p"),
    *(", %H:%M", ", %H:%M:%S"),
)
_TWINS = {"%d": "%m", "%m": "%d"}


def _twins(day: str) -> list[str]:
    """Return a form, and those in which other countries write the same digits."""
    if not re.match("%d[/-]%m", day):  # with dots, the day is always first
        return [day]
    american = re.sub("%[dm]", lambda found: _TWINS[found[0]], day)
    return [day, american, *([f"%y{day[2]}%m{day[2]}%d"] if "%y" in day else [])]


_DAY_FORMS = {
    form + time: re.sub("%?[A-Za-z]", "", form + time)
    for time in _TIMES
    for day in _DAYS
    for form in _twins(day)
}
"""The forms of days, each with what stands in it beside letters and digits."""
_USUAL_FORM = next(iter(_DAY_FORMS))
_FORMAT = "FORMAT"
_USUAL = {
    "date": r"\bdate|\bday\b|datum|fecha|\bdata\b|booked|buchungstag|posted|\btime\b",
    "amount": r"amount|betrag|bedrag|montant|importe|\bsum\b|\bnet\b|\bvalue\b|gross|umsatz|valor",
    "debit": r"debit|withdraw|paid out|money out|soll|debe|cargo|lastschrift|retrait",
    "credit": r"credit|deposit|paid in|money in|haben|haber|abono|gutschrift|depot",
    "text": (
        r"description|detail|text|memo|purpose|verwendung|libelle|concepto|omschrijving|tekst|"
        r"reference|message|notes?\b|narrative|particulars|mitteilung"
    ),
    "party": (
        r"^(?!.*(iban|bic|konto|blz)).*(payee|payer|counter ?party|partner|begue?nstigter|merchant|"
        r"auftraggeber|empfae?nger|zahlungspflichtig|beneficiaire|tegenpartij|\bna(me|am)\b|\bnom\b)"
    ),
    "balance": r"balance|saldo|solde|kontostand",
}
"""The words by which columns are known, in plain letters."""
_EXACT = frozenset(
    {"amount", "betrag", "bedrag", "montant", "importe", "sum", "net", "net amount", "valor"}
)
_DECIMALS = re.compile(r"[0-9][.,][0-9]{1,2}(?![0-9])")
_COLUMN = "COLUMN"
_FILE = "The file"
_ROWS = 3
_TRIES = 40


class _Sheet(NamedTuple):
    """An unknown file: its columns and rows, and whether it has a header for them."""

    columns: list[str]
    rows: list[list[str]]
    data: bytes
    zone: TimeZone
    has_header: bool

    def cells(self, column: str) -> list[str]:
        """Return the cells of a column that have a text."""
        place = self.columns.index(column)
        return [row[place].strip() for row in self.rows if place < len(row) and row[place].strip()]


def advice(data: bytes, mappings: Mapping[str, CsvMapping], zone: TimeZone) -> str:
    """Return what to type for a file that no mapping fits, and how its first lines are read."""
    rows = first_rows(beginning(data))
    presets = {name: read_preset(name, account=ANY) for name in preset_names()}
    fitting = {name: preset for name, preset in presets.items() if fits(data, preset)}
    sheet = _sheet(rows, data, zone)
    if sheet.has_header:
        start = f"Its columns are {', '.join(filter(None, sheet.columns))}. "
        start += "" if fitting else _nearest(sheet.columns, mappings, presets)
    else:
        shown = ", ".join(f"'{cell}'" for cell in (rows[0] if rows else []))
        start = f"Its first row is no header: {shown}. "
    if fitting:
        start += f"The preset {' or '.join(fitting)} fits. "
        trials = {name: _try_preset(sheet, name, preset) for name, preset in fitting.items()}
        name = next(
            (name for name, trial in trials.items() if not trial.refusal), next(iter(trials))
        )
        return start + _typed(trials[name], name, "--preset", name, "--account", "NUMBER")
    fields, forms = _reading(sheet)
    trial = _Trial(_options(fields), forms, *_read(sheet, fields))
    return start + _typed(trial, "NAME", "--account", "NUMBER")


class _Trial(NamedTuple):
    """A command that is tried on the file before it is advised."""

    options: list[str]
    forms: Sequence[str] = ()  # the forms that the days fit, if they are several
    lines: Sequence[str] = ()  # the first lines as it would store them
    refusal: str = ""  # why it refuses the file


def _typed(trial: _Trial, *words: str) -> str:
    start = ""
    if len(trial.forms) > 1:
        start = f"Its days fit {' and '.join(trial.forms)}: {_FORMAT} is that of the bank. "
    elif trial.refusal:
        start = f"The mapping refuses the file as it is: {trial.refusal} "
    elif trial.lines:
        start = f"By this command its first lines are: {'; '.join(trial.lines)}. "
    if _COLUMN in trial.options:
        start += f"The file does not tell {_COLUMN}: replace it by a column's name. "
    if _FORMAT in trial.options and not trial.forms:
        start += f"The file does not tell {_FORMAT}: replace it by that of its days, as %d.%m.%Y. "
    return f"{start}Type: jara bank mappings add {join((*words, *trial.options))}"


def _try_preset(sheet: _Sheet, name: str, preset: CsvMapping) -> _Trial:
    """Return what a preset makes of a file, with the form of its days if it is another one."""
    table = open_table(beginning(sheet.data), "", preset)
    place, rows = table.place(preset.date), list(table.rows)
    days = [row[place].strip() for _, row in rows if place is not None and place < len(row)]
    forms = _day_forms(list(filter(None, days)))
    if any(form in forms for form in preset.date_format.split("|")):
        forms = []
    options = ["--date-format", forms[0] if len(forms) == 1 else _FORMAT] if forms else []
    names_account = replace(read_preset(name, account=f"{ANY}2"), account=ANY) != preset
    if not rows or names_account or len(forms) > 1:
        return _Trial(options, forms)  # its lines cannot be known yet
    try:
        read_as = replace(preset, date_format=forms[0]) if forms else preset
        return _Trial(options, forms, _first_lines(sheet, read_as))
    except JaraError as error:
        return _Trial(options, forms, refusal=error.message.removeprefix(f"{_FILE}: "))


def _sheet(rows: list[list[str]], data: bytes, zone: TimeZone) -> _Sheet:
    """Return the header that fits best, and the rows below it."""

    def score(row: list[str]) -> int:
        names = [plain_column(cell) for cell in row]
        if any(_is_day(cell) or _DECIMALS.search(cell) for cell in row):
            return 0
        return sum(any(re.search(words, one) for one in names) for words in _USUAL.values())

    place = max(range(len(rows)), key=lambda at: score(rows[at]), default=0)
    if rows and score(rows[place]) > 1:
        return _Sheet(
            [cell.strip() for cell in rows[place]], rows[place + 1 :], data, zone, has_header=True
        )
    if rows and not any(_is_day(cell) for cell in rows[0]):
        return _Sheet([cell.strip() for cell in rows[0]], rows[1:], data, zone, has_header=True)
    return _Sheet(_names(rows[0] if rows else []), rows, data, zone, has_header=False)


def _is_day(cell: str) -> bool:
    return bool(_forms_of(cell))


@lru_cache(maxsize=1024)
def _forms_of(cell: str) -> tuple[str, ...]:
    """Return the forms in which a cell is a day."""
    marks = re.sub("[A-Za-z0-9]", "", cell)
    likely = (form for form, own in _DAY_FORMS.items() if marks.startswith(own))
    return tuple(form for form in likely if _parses(cell, form))


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


def _reading(sheet: _Sheet) -> tuple[dict[str, Any], list[str]]:
    """Return the fields of a mapping, and the forms of its days if they are several.

    What cannot be known is COLUMN or FORMAT.
    """
    fields: dict[str, Any] = {} if sheet.has_header else {"columns": tuple(sheet.columns)}
    date, forms = _date(sheet)
    found = _money_fields(sheet, fields | date)
    if len(forms) > 1:
        found["date_format"] = _FORMAT
    if not found["text"] and _unused(sheet, found):
        found["text"] = (_COLUMN,)
    return found, forms


def _unused(sheet: _Sheet, fields: Mapping[str, Any]) -> list[str]:
    """Return the columns with cells that no field names."""
    used = set(fields.values()) | {pair.rpartition("=")[0] for pair in fields.get("only", ())}
    used |= {str(fields.get("sign", "")).rpartition("=")[0]}
    return [one for one in sheet.columns if one and one not in used and sheet.cells(one)]


def _money_fields(sheet: _Sheet, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with the columns of texts and amounts."""
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
        found = _explained(sheet, fields | amounts | _decimal(sheet, amounts))
        first = first or found
        if _read(sheet, found)[0]:
            return found
    # Balances prove which column is which, whatever their names.
    proofs = [{"amount": a, "balance": b} for a, b in permutations(money, 2)]
    proofs += [{"debit": a, "credit": b, "balance": c} for a, b, c in permutations(money, 3)]
    for amounts in proofs[:_TRIES] if _COLUMN in first.values() else ():
        found = fields | amounts | _decimal(sheet, amounts)
        if len(_read(sheet, found)[0]) > 1:
            return found
    return first


def _date(sheet: _Sheet) -> tuple[dict[str, Any], list[str]]:
    """Return the column of the day with its first form, and the forms that fit."""
    for column in sorted(sheet.columns, key=lambda one: not _is_named(one, "date")):
        forms = _day_forms(sheet.cells(column) if column else [])
        if forms:
            return {"date": column, "date_format": forms[0]}, forms
    named = next((one for one in sheet.columns if _is_named(one, "date")), _COLUMN)
    return {"date": named, "date_format": _FORMAT if sheet.rows else _USUAL_FORM}, []


def _day_forms(cells: Sequence[str]) -> list[str]:
    """Return the forms that all days of a column fit; other cells do not count."""
    days = [one for one in cells if one[0].isdigit()]
    days = [one for one in days if _is_day(one)] if len(days) > 1 else days
    return [form for form in _DAY_FORMS if days and all(form in _forms_of(one) for one in days)]


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
    # Charges are no amount, nor is a column of money out or in alone: all would have one direction.
    others = [one for one in money if not FEE_NAME.search(plain_column(one))]
    unsure = [one for one in others if one not in balances and (one in debits) == (one in credits_)]
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


def _explained(sheet: _Sheet, fields: dict[str, Any]) -> dict[str, Any]:
    """Add the fields for the columns that change the meaning of rows."""
    mapping = _mapping(fields)
    if mapping is None:
        return fields
    try:
        table = open_table(beginning(sheet.data), "", mapping)
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


def _read(sheet: _Sheet, fields: Mapping[str, Any]) -> tuple[list[str], str]:
    """Return the first lines as they would be stored, or why the reading is refused."""
    mapping = _mapping(fields)
    if mapping is None or not sheet.rows or {_COLUMN, _FORMAT} & set(_options(fields)):
        return [], ""  # nothing can be known yet
    try:
        return _first_lines(sheet, mapping), ""
    except JaraError as error:
        return [], error.message.removeprefix(f"{_FILE}: ")


def _first_lines(sheet: _Sheet, mapping: CsvMapping) -> list[str]:
    """Return the first lines as a mapping would store them.

    Raises:
        InvalidInput: the mapping refuses the file.
    """
    text = beginning(sheet.data, mapping.encoding).encode()
    read_as, report = replace(mapping, encoding="utf-8"), FileReport(zone=sheet.zone)
    read = read_csv_statement(text, _FILE, report, read_as)
    found = [one for part in read for one in part.lines]
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
        elif value and (field, value) != ("date_format", _USUAL_FORM):
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
    if len(lacking[name]) in {0, len(needed[name])}:
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
