"""Recognises a statement's format by its content, and reads it."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import BinaryIO

from jara.domain.bank.statement import Statement
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.lookup import missing_name
from jara.files.bank.archive import is_zip, kind_of, require_statement, unpacked
from jara.files.bank.camt import read_camt
from jara.files.bank.csv_advice import advice
from jara.files.bank.csv_mapping import CsvMapping
from jara.files.bank.csv_statement import fits, read_csv_statement
from jara.files.bank.mt940 import read_mt940
from jara.files.bank.ofx import read_ofx
from jara.files.encodings import decoded, is_encoding, wide_encoding
from jara.files.reading import FileReport

BYTES_MAX = 64 << 20
"""The size limit of a statement, ten times a busy account's year."""


_MT940 = re.compile(rb"(?:^|[\r\n]|\{4:):(?:20|25P?|28C?|60[FM]):|^\{1:F")


_XML = re.compile(rb"<(?:[?!]|[A-Za-z][\w:.-]*[\s>/])")


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
    if _XML.match(start):
        return BankFormat.CAMT
    if _MT940.search(start):
        return BankFormat.MT940
    return BankFormat.CSV


def read_statements(
    data: bytes,
    name: str,
    report: FileReport,
    *,
    mappings: Mapping[str, CsvMapping],
    mapping: str | None = None,
    encoding: str | None = None,
    inverted: bool = False,
    charges: bool | None = None,
) -> Iterator[Statement]:
    """Read the statements of a file in any supported format, or of the files in a ZIP.

    Args:
        data: the file.
        name: its name, for messages.
        report: collects the rejected lines.
        mappings: the mappings of CSV files, by name.
        mapping: the name of the one to use; by default the one that fits the file's columns.
        encoding: the encoding of the file; by default it is detected.
        inverted: money out has positive amounts; only OFX and CSV can be so.
        charges: charges beside the payer's words in MT940 are the bank's; None if nobody said.

    Raises:
        InvalidInput: the file is broken, or no mapping fits it.
        NotFound: there is no mapping of that name.
    """
    if is_zip(data):
        read = partial(
            read_statements,
            mappings=mappings,
            mapping=mapping,
            encoding=encoding,
            inverted=inverted,
            charges=charges,
        )
        return _read_zip(data, name, report, read)
    require_statement(data, name)
    encoding = encoding or wide_encoding(data)
    if encoding is not None and not is_encoding(encoding):
        raise InvalidInput(f"'{encoding}' is not an encoding, like cp1252.")
    if encoding is not None:
        data, encoding = decoded(data, encoding, name=name).encode("utf-8", "replace"), "utf-8"
    form = BankFormat.CSV if mapping else recognise(data)
    report.form = form.value
    _require_fit(form, name, inverted=inverted, charges=charges)
    match form:
        case BankFormat.CAMT:
            return read_camt(data, name, report, encoding)
        case BankFormat.MT940:
            return read_mt940(data, name, report, encoding, charges=charges)
        case BankFormat.OFX:
            return read_ofx(data, name, report, encoding, inverted=inverted)
        case BankFormat.CSV:
            if encoding is not None:
                mappings = {key: replace(one, encoding=encoding) for key, one in mappings.items()}
            chosen = _choose(data, name, mappings, mapping, report)
            chosen = replace(chosen, inverted=True) if inverted else chosen
            return read_csv_statement(data, name, report, chosen)


def _require_fit(form: BankFormat, name: str, *, inverted: bool, charges: bool | None) -> None:
    if inverted and form in {BankFormat.CAMT, BankFormat.MT940}:
        raise InvalidInput(f"{name} says of each line where money went; --invert is not for it.")
    if charges is not None and form is not BankFormat.MT940:
        raise InvalidInput(f"{name} is not MT940: --charges and --no-charges are not for it.")


def _read_zip(
    data: bytes,
    name: str,
    report: FileReport,
    read: Callable[[bytes, str, FileReport], Iterator[Statement]],
) -> Iterator[Statement]:
    for inner, content in unpacked(data, name, bytes_max=BYTES_MAX):
        kind = kind_of(content)
        if kind or not content.strip():
            report.leave_out(1, f"{inner} is {kind or 'empty'}")
            continue
        part = FileReport(zone=report.zone)
        for statement in read(content, f"{name}/{inner}", part):
            yield statement._replace(file=inner)
        report.add_part(part, inner)


def _choose(
    data: bytes,
    name: str,
    mappings: Mapping[str, CsvMapping],
    wanted: str | None,
    report: FileReport,
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
    typed = advice(data, mappings, report.zone)
    raise InvalidInput(f"{name} is not CAMT.053, MT940 or OFX, and no mapping fits it. {typed}")
