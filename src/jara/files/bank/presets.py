"""Mappings for the CSV of known banks: one file each in data/bank-presets, without the account.

The keys of a file are the fields of `CsvMapping`, and `bank`, which says what it reads; the name
of the file is the preset's name. ``{account}`` stands for the number of the account.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jara.domain.errors import InvalidInput, NotFound
from jara.domain.lookup import missing_name
from jara.files.bank.csv_mapping import CsvMapping, read_mapping, split_pair
from jara.files.content_files import read_document
from jara.files.shipped import data_folder

_KEYS = (frozenset(CsvMapping.__slots__) - {"account"}) | {"bank"}
_AMOUNTS = ("amount", "debit", "credit", "sign", "fee", "amount_is")
ANY = "1"
"""An account number, where a preset is only compared with a file."""


class Preset(NamedTuple):
    """A preset."""

    name: str
    bank: str  # what it reads
    currency: str  # the currency of its amounts, or the column that has it
    columns: list[str]  # the columns that a file needs


def preset_names() -> list[str]:
    """Return the names of the shipped presets, sorted."""
    return list(_documents(data_folder()))


def read_presets() -> list[Preset]:
    """Return the shipped presets by name."""
    documents = _documents(data_folder())
    found = [(name, read_preset(name, account=ANY)) for name in documents]
    return [
        Preset(name, str(documents[name].get("bank", "")), mapping.currency, mapping.required)
        for name, mapping in found
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
    documents = _documents(data_folder())
    if name not in documents:
        raise NotFound(missing_name("preset", name, documents))
    document = {key: value for key, value in documents[name].items() if key != "bank"}
    document["sign"] = str(document.get("sign", "")).replace("{account}", account)
    own = [str(pair).replace("{account}", account) for pair in _list(document.get("only"))]
    given = dict(changes or {})
    added = [str(pair) for pair in _list(given.pop("only", ()))]
    named = {split_pair(pair)[0].removesuffix("?") for pair in added}
    only = [one for one in own if split_pair(one)[0].removesuffix("?") not in named]
    if not given.keys().isdisjoint(_AMOUNTS[:3]):
        document = {key: value for key, value in document.items() if key not in _AMOUNTS}
    return read_mapping({**document, **given, "only": [*only, *added], "account": account})


@cache
def _documents(folder: Path) -> dict[str, Mapping[str, object]]:
    """Return the content of each file, by the preset's name."""
    paths = sorted((folder / "bank-presets").glob("*.yaml"))
    return {path.stem: _document(path) for path in paths}


def _document(path: Path) -> Mapping[str, object]:
    document = read_document(path.read_bytes(), path.name)
    if not isinstance(document, dict) or "date" not in document or not _KEYS.issuperset(document):
        raise InvalidInput(
            f"{path.name} is not a mapping; its keys are {', '.join(sorted(_KEYS))}."
        )
    return document


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
