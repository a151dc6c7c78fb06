"""Mappings for the CSV of known banks: one file each in data/bank-presets, without the account.

The keys of a file are the fields of `CsvMapping`, and `bank`, which says what it reads; the name
of the file is the preset's name. ``{account}`` stands for the number of the account.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from shlex import join
from typing import NamedTuple

from jara.domain.errors import InvalidInput, JaraError, NotFound
from jara.domain.lookup import missing_name, plain_text
from jara.files.bank.csv_amount import csv_cents
from jara.files.bank.csv_mapping import CsvMapping, read_mapping, split_pair
from jara.files.bank.csv_statement import fits
from jara.files.bank.csv_table import beginning, first_row
from jara.files.content_files import read_document
from jara.files.reading import normal_name
from jara.files.shipped import data_folder

_KEYS = (frozenset(CsvMapping.__slots__) - {"account"}) | {"bank"}
_AMOUNTS = ("amount", "debit", "credit", "sign")
_ANY = "1"
"""An account number, where a preset is only compared with a file."""
_DAY = re.compile(r"[0-9]{1,4}[-./ ][0-9A-Za-z]{1,3}[-./ ][0-9]{2,4}\b", re.ASCII)
_USUAL = {
    "date": "date|day|datum|fecha|data|booked|buchung|time",
    "amount": "amount|betrag|bedrag|montant|importe|sum|net|value",
    "debit": "debit|withdraw|paid out|money out|soll|debe|cargo|lastschrift",
    "credit": "credit|deposit|paid in|money in|haben|haber|abono|gutschrift",
    "text": "description|detail|text|memo|purpose|verwendung|libelle|concepto|omschrijving",
}
"""The words by which columns are known in an example, in plain letters."""


class Preset(NamedTuple):
    """A preset.

    Args:
        name: its name.
        bank: what it reads.
        currency: the currency of its amounts, or the column that has it.
        columns: the columns that a file needs.
    """

    name: str
    bank: str
    currency: str
    columns: list[str]


def preset_names() -> list[str]:
    """Return the names of the shipped presets, sorted."""
    return sorted(path.stem for path in (data_folder() / "bank-presets").glob("*.yaml"))


def read_presets() -> list[Preset]:
    """Return the shipped presets by name."""
    found = [(name, _document(name), read_preset(name, account=_ANY)) for name in preset_names()]
    return [
        Preset(name, str(document.get("bank", "")), mapping.currency, mapping.required)
        for name, document, mapping in found
    ]


def read_preset(
    name: str, *, account: str, changes: Mapping[str, object] | None = None
) -> CsvMapping:
    """Return the mapping of a preset for an account.

    Args:
        name: the preset's name.
        account: the number of the account.
        changes: fields that replace those of the preset; `only` adds to it, or replaces the
            values of its columns.

    Raises:
        NotFound: there is no such preset.
        InvalidInput: its file is not a mapping, or a change is not usable.
    """
    document = {key: value for key, value in _document(name).items() if key != "bank"}
    own = [str(pair).replace("{account}", account) for pair in _list(document.get("only"))]
    given = dict(changes or {})
    added = [str(pair) for pair in _list(given.pop("only", ()))]
    named = {split_pair(pair)[0].removesuffix("?") for pair in added}
    only = [one for one in own if split_pair(one)[0].removesuffix("?") not in named]
    if not given.keys().isdisjoint(_AMOUNTS[:3]):
        document = {key: value for key, value in document.items() if key not in _AMOUNTS}
    return read_mapping({**document, **given, "only": [*only, *added], "account": account})


def advice(data: bytes, mappings: Mapping[str, CsvMapping]) -> str:
    """Return what to type for a file that no mapping fits, with its columns."""
    _, cells = first_row(beginning(data), "")
    presets = {name: read_preset(name, account=_ANY) for name in preset_names()}
    fitting = [name for name, mapping in presets.items() if fits(data, mapping)]
    if any(map(_is_amount, cells)):
        shown = "', '".join(cells)
        start = f"Its first row is no header: '{shown}'. "
        names = _names(cells)
        columns = ["--columns", ",".join(names), *_options(names)]
    else:
        start = f"Its columns are {', '.join(filter(None, cells))}. "
        columns = _options(cells)
        start += "" if fitting else _nearest(cells, mappings, presets)
    if fitting:
        start += f"The preset {' or '.join(fitting)} fits. "
        return start + _typed(fitting[0], "--preset", fitting[0], "--account", "NUMBER")
    return start + _typed("NAME", "--account", "NUMBER", *columns)


def _typed(*words: str) -> str:
    return f"Type: jara bank mappings add {join(words)}"


def _options(columns: list[str]) -> list[str]:
    """Return options that name the columns of the day, the amount and the text."""
    known = {
        field: next((one for one in columns if re.search(words, plain_text(one))), "")
        for field, words in _USUAL.items()
    }
    if known["debit"] and known["credit"]:
        known["amount"] = ""
    else:
        known |= {"debit": "", "credit": "", "amount": known["amount"] or "COLUMN"}
    known["date"] = known["date"] or "COLUMN"
    return [word for field, column in known.items() if column for word in (f"--{field}", column)]


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
    kinds = ["Amount" if _is_amount(cell) else "Text" if cell else "Empty" for cell in cells]
    day = next((at for at, cell in enumerate(cells) if _DAY.match(cell.strip())), None)
    if day is not None:
        kinds[day] = "Date"
    return [
        f"{kind}{kinds[:at].count(kind) + 1}" if kind in kinds[:at] else kind
        for at, kind in enumerate(kinds)
    ]


def _is_amount(cell: str) -> bool:
    for decimal in ".,":
        try:
            csv_cents(cell, decimal=decimal)
        except JaraError:
            continue
        return True
    return False


def _document(name: str) -> Mapping[str, object]:
    if name not in preset_names():
        raise NotFound(missing_name("preset", name, preset_names()))
    path = data_folder() / "bank-presets" / f"{name}.yaml"
    document = read_document(path.read_bytes(), path.name)
    if not isinstance(document, dict) or "date" not in document or not _KEYS.issuperset(document):
        raise InvalidInput(
            f"{path.name} is not a mapping; its keys are {', '.join(sorted(_KEYS))}."
        )
    return document


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
