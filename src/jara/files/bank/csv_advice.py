"""What to type for a CSV that no mapping reads: the columns, the nearest preset, a command."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from shlex import join

from jara.domain.errors import JaraError
from jara.domain.lookup import plain_text
from jara.files.bank.csv_amount import csv_cents, sign_column
from jara.files.bank.csv_mapping import CsvMapping
from jara.files.bank.csv_statement import fits
from jara.files.bank.csv_table import beginning, first_rows
from jara.files.bank.presets import ANY, preset_names, read_preset
from jara.files.reading import normal_name

_DAY = re.compile(r"[0-9]{1,4}[-./ ][0-9A-Za-z]{1,3}[-./ ][0-9]{2,4}\b", re.ASCII)
_DAY_FORMS = (
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%Y/%m/%d",
    "%Y%m%d",
    "%d.%m.%y",
)
_USUAL = {
    "date": "date|day|datum|fecha|data|booked|buchung|time",
    "amount": "amount|betrag|bedrag|montant|importe|sum|net|value",
    "debit": "debit|withdraw|paid out|money out|soll|debe|cargo|lastschrift",
    "credit": "credit|deposit|paid in|money in|haben|haber|abono|gutschrift",
    "text": "description|detail|text|memo|purpose|verwendung|libelle|concepto|omschrijving|tekst",
    "balance": "balance|saldo|solde|kontostand",
}
"""The words by which columns are known, in plain letters."""


def advice(data: bytes, mappings: Mapping[str, CsvMapping]) -> str:
    """Return what to type for a file that no mapping fits."""
    rows = first_rows(beginning(data))
    header = rows[0] if rows else []
    presets = {name: read_preset(name, account=ANY) for name in preset_names()}
    fitting = [name for name, mapping in presets.items() if fits(data, mapping)]
    if any(_decimals([cell]) for cell in header):
        shown = "', '".join(header)
        start = f"Its first row is no header: '{shown}'. "
        names = _names(header)
        options = ["--columns", ",".join(names), *_options(names, rows)]
    else:
        start = f"Its columns are {', '.join(filter(None, header))}. "
        start += "" if fitting else _nearest(header, mappings, presets)
        options = _options(header, rows[1:])
    if fitting:
        start += f"The preset {' or '.join(fitting)} fits. "
        return start + _typed(fitting[0], "--preset", fitting[0], "--account", "NUMBER")
    return start + _typed("NAME", "--account", "NUMBER", *options)


def _typed(*words: str) -> str:
    return f"Type: jara bank mappings add {join(words)}"


def _options(columns: list[str], rows: list[list[str]]) -> list[str]:
    """Return the options of a mapping, by the names of the columns and some rows."""
    known = {
        field: next((one for one in columns if re.search(words, plain_text(one))), "")
        for field, words in _USUAL.items()
    }
    if known["debit"] and known["credit"]:
        known["amount"] = ""
    else:
        known |= {"debit": "", "credit": "", "amount": known["amount"] or "COLUMN"}
        known["sign"] = sign_column(columns, rows)
    known["date"] = known["date"] or "COLUMN"

    def cells(*fields: str) -> list[str]:
        places = [columns.index(known[one]) for one in fields if known[one] in columns]
        return [row[at].strip() for row in rows for at in places if at < len(row) and row[at]]

    known["date-format"] = _day_form(cells("date"))
    if _decimals(cells("amount", "debit", "credit")) == ",":
        known["decimal"] = "comma"
    return [word for field, value in known.items() if value for word in (f"--{field}", value)]


def _day_form(days: list[str]) -> str:
    """Return the form of some days; empty for the usual one, and a word if several fit."""

    def is_of(form: str) -> bool:
        try:
            return bool([datetime.strptime(day, form) for day in days])  # noqa: DTZ007 - days
        except ValueError:
            return False

    days = [day for day in days if day[0].isdigit()]  # no footers
    forms = [form for form in _DAY_FORMS if is_of(form)]
    if not days or forms == [_DAY_FORMS[0]]:
        return ""
    return forms[0] if len(forms) == 1 else "FORMAT"


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


def _names(cells: list[str]) -> list[str]:
    """Return names for the columns of a file without a header, by its first row."""
    kinds = ["Amount" if _decimals([cell]) else "Text" if cell else "Empty" for cell in cells]
    day = next((at for at, cell in enumerate(cells) if _DAY.match(cell.strip())), None)
    if day is not None:
        kinds[day] = "Date"
    return [
        f"{kind}{kinds[:at].count(kind) + 1}" if kind in kinds[:at] else kind
        for at, kind in enumerate(kinds)
    ]


def _decimals(amounts: list[str]) -> str:
    """Return the first decimal sign by which all amounts can be read; empty for none."""
    for decimal in ".,":
        try:
            if [csv_cents(one, decimal=decimal) for one in amounts]:
                return decimal
        except JaraError:
            continue
    return ""
