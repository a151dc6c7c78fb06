"""Recognises a statement's format by its content, and reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import BinaryIO

from jara.domain.bank.statement import Statement
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.lookup import missing_name
from jara.files.bank.camt import read_camt
from jara.files.bank.csv_mapping import CsvMapping
from jara.files.bank.csv_statement import fits, read_csv_statement
from jara.files.bank.ofx import read_ofx
from jara.files.bank.presets import advice
from jara.files.reading import FileReport

BYTES_MAX = 64 << 20
"""The size limit of a statement, ten times a busy account's year."""


class BankFormat(StrEnum):
    """The formats of statements."""

    CAMT = "camt.053"
    MT940 = "mt940"
    OFX = "ofx"
    CSV = "csv"


def read_whole(stream: BinaryIO, name: str) -> bytes:
    """Read a whole file.

    Raises:
        InvalidInput: it is empty or too large.
    """
    data = stream.read(BYTES_MAX + 1)
    if len(data) > BYTES_MAX:
        raise InvalidInput(
            f"{name} is larger than {BYTES_MAX >> 20} MiB; export the year in parts, such as "
            "months."
        )
    if not data.strip():
        raise InvalidInput(f"{name} is empty.")
    return data


def recognise(data: bytes) -> BankFormat:
    """Return the format of a file; anything unrecognised is CSV."""
    start = data[: 1 << 14].removeprefix(b"\xef\xbb\xbf").lstrip()
    upper = start.upper()
    if b"<OFX" in upper or upper.startswith(b"OFXHEADER"):
        return BankFormat.OFX
    if start.startswith(b"<"):
        return BankFormat.CAMT
    if start.startswith((b"{1:", b":20:")) or b"\n:20:" in start:
        return BankFormat.MT940
    return BankFormat.CSV


def read_statements(
    data: bytes,
    name: str,
    report: FileReport,
    *,
    mappings: Mapping[str, CsvMapping],
    mapping: str | None = None,
) -> Iterator[Statement]:
    """Read the statements of a file in any supported format.

    Args:
        data: the file.
        name: its name, for messages.
        report: collects the rejected lines.
        mappings: the mappings of CSV files, by name.
        mapping: the name of the one to use; by default the one that fits the file's columns.

    Raises:
        InvalidInput: the file is broken, or no mapping fits it.
        NotFound: there is no mapping of that name.
    """
    form = BankFormat.CSV if mapping else recognise(data)
    report.form = form.value
    match form:
        case BankFormat.CAMT:
            return read_camt(data, name, report)
        case BankFormat.MT940:
            # The library mt-940 is slow to load, and only these files need it.
            from jara.files.bank.mt940 import read_mt940  # noqa: PLC0415

            return read_mt940(data, name, report)
        case BankFormat.OFX:
            return read_ofx(data, name, report)
        case BankFormat.CSV:
            chosen = _choose(data, name, mappings, mapping)
            return read_csv_statement(data, name, report, chosen)


def _choose(
    data: bytes, name: str, mappings: Mapping[str, CsvMapping], wanted: str | None
) -> CsvMapping:
    if wanted is not None:
        if wanted not in mappings:
            raise NotFound(missing_name("mapping", wanted, mappings))
        return mappings[wanted]
    fitting = [key for key, mapping in mappings.items() if fits(data, mapping)]
    if len(fitting) == 1:
        return mappings[fitting[0]]
    if fitting:
        raise InvalidInput(f"{name} fits the mappings {', '.join(fitting)}; say which: --mapping.")
    raise InvalidInput(
        f"{name} is not CAMT.053, MT940 or OFX, and no mapping fits it. {advice(data, mappings)}"
    )
