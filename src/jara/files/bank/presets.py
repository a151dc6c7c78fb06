"""Mappings for the CSV of known banks: one file each in data/bank-presets, without the account.

The keys of a file are the fields of `CsvMapping`; the name of the file is the preset's name.
"""

from __future__ import annotations

from jara.domain.errors import InvalidInput, NotFound
from jara.files.bank.csv_statement import CsvMapping, read_mapping
from jara.files.content_files import read_document
from jara.files.shipped import data_folder

_KEYS = frozenset(CsvMapping.__slots__) - {"account"}


def preset_names() -> list[str]:
    """Return the names of the shipped presets, sorted."""
    return sorted(path.stem for path in (data_folder() / "bank-presets").glob("*.yaml"))


def read_preset(name: str, *, account: str) -> CsvMapping:
    """Return the mapping of a preset for an account.

    Raises:
        NotFound: there is no such preset.
        InvalidInput: its file is not a mapping.
    """
    if name not in preset_names():
        raise NotFound(f"There is no preset '{name}'; there are {', '.join(preset_names())}.")
    path = data_folder() / "bank-presets" / f"{name}.yaml"
    document = read_document(path.read_bytes(), path.name)
    if not isinstance(document, dict) or "date" not in document or not _KEYS.issuperset(document):
        raise InvalidInput(
            f"{path.name} is not a mapping; its keys are {', '.join(sorted(_KEYS))}."
        )
    return read_mapping({"text": [], "skip": 0, **document, "account": account})
