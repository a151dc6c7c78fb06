"""Reads files of people: CSV of any program, and the output of mongoexport."""

import codecs
import csv
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from shutil import copyfileobj
from typing import BinaryIO

from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import PERSON_FIELDS, PersonRow
from jara.domain.lookup import missing_name
from jara.files.encodings import decoded
from jara.files.json_stream import JsonList
from jara.files.people import forms
from jara.files.people.signals import signalled
from jara.files.reading import (
    DELIMITERS,
    UTF16_MARKS,
    Table,
    decoded_lines,
    read_table,
    unused_columns,
    width_message,
)

ENCODINGS = {"utf-8": "utf-8", "latin-1": "cp1252", "utf-16": "utf-16"}
"""The values of `--encoding`; Latin-1 means Windows-1252."""

_HEADER_LINES = 50
"""Programs write fewer lines before the header."""
_TOTAL = re.compile(r"\s*(?:grand )?(?:totals?|summe|sum|somme|gesamt|totale?s?)\b", re.IGNORECASE)
_PIECE_BYTES = 1 << 20
_MARK = b"\xef\xbb\xbf"


class PeopleReader:
    """A file of people in a known format; its rows can be read repeatedly."""

    def __init__(
        self,
        stream: BinaryIO,
        name: str,
        columns: Mapping[str, str],
        leave_out: Sequence[forms.LeaveOut] = (),
    ) -> None:
        """Recognise the format of a seekable file in UTF-8.

        The operator assigned the header of some fields, and leaves some rows out.

        Raises:
            InvalidInput: it is empty, not text, or lacks a required column.
        """
        self._stream, self._name, self._columns = stream, name, columns
        self._leave_out = leave_out
        stream.seek(0)
        start = stream.read(_PIECE_BYTES)
        if start.startswith(UTF16_MARKS):
            raise InvalidInput(f"{name} is UTF-16; say --encoding utf-16.")
        text = start.removeprefix(_MARK).lstrip()
        if not text:
            raise InvalidInput(f"{name} is empty; its first line should name the columns.")
        self._is_list = text[:1] == b"["
        self._is_json = text[:1] in {b"[", b"{"}
        wanted = (
            {forms.plain_name(columns["email"])}
            if "email" in columns
            else set(forms.ALIASES["email"])
        )
        self._delimiter, self._skip = header_of(start, wanted)
        self.form, self.unused_signals = forms.MONGO, dict[str, list[str]]()
        self.unused: list[str] = []  # columns that nothing reads
        if not self._is_json:
            self.form, places, table = self._open_table()
            self._require_columns(table.header)
            plain = map(forms.plain_name, table.header)
            used = forms.used_columns(self.form, plain, places, leave_out)
            self.unused = unused_columns(table.header, used, plain=forms.plain_name)
            if self.form is forms.PLAIN:
                rows = (row for _, row in table.rows)
                self.unused_signals = forms.unused_signals(table.header, places, leave_out, rows)

    def rows(self) -> Iterator[PersonRow]:
        """Read the rows from the beginning.

        Raises:
            InvalidInput: the file is broken as a whole, such as by a byte that is not UTF-8.
        """
        if self._is_json:
            yield from self._json_rows()
            return
        form, places, table = self._open_table()
        plain = [forms.plain_name(column) for column in table.header]
        for line, row in table.rows:
            if not any(map(str.strip, row)):
                continue
            if form.has_footer and len(row) == 1 < len(plain):
                yield PersonRow(line, skipped="the end of the report")
                continue
            if len(row) != len(plain):
                yield PersonRow(line, fault=width_message(len(row), len(plain)).capitalize())
                continue
            cells: dict[str, str] = {}
            for column, text in zip(plain, row, strict=True):
                cells[column] = cells.get(column) or text
            values = forms.values_of(cells, places)
            cells["email"] = values["email"]
            yield PersonRow(line, values, self._reason(form, cells))

    def _reason(self, form: forms.PeopleForm, cells: forms.Cells) -> str:
        if not cells["email"].strip() and _TOTAL.match(next(filter(None, cells.values()), "")):
            return "the end of the table"
        reason = form.leaves_out(cells) or ("" if form is forms.PLAIN else signalled(cells))
        return reason or next(filter(None, (rule.reason(cells) for rule in self._leave_out)), "")

    def _require_columns(self, header: Sequence[str]) -> None:
        there = set(map(forms.plain_name, header))
        for rule in self._leave_out:
            if forms.plain_name(rule.column) not in there:
                raise InvalidInput(missing_name("column", rule.column, header))

    def _open_table(self) -> tuple[forms.PeopleForm, dict[str, tuple[str, ...]], Table]:
        self._stream.seek(0)
        table = read_table(self._stream, self._name, delimiter=self._delimiter, skip=self._skip)
        form = forms.recognise_people(forms.plain_name(column) for column in table.header)
        return form, forms.places_of(table.header, self._columns, self._name), table

    def _json_rows(self) -> Iterator[PersonRow]:
        self._stream.seek(0)
        items = (
            JsonList(self._stream, self._name).items()
            if self._is_list
            else _json_lines(self._stream, self._name)
        )
        for line, item in items:
            if isinstance(item, dict):
                yield PersonRow(line, _values_of_document(item, self._columns))
            else:
                yield PersonRow(line, fault="The line is not a JSON object of one person.")


def to_utf8(stream: BinaryIO, target: BinaryIO, encoding: str, name: str, notes: list[str]) -> None:
    """Copy a file in a given encoding to UTF-8; without one, it is detected, or a guess is noted.

    Raises:
        InvalidInput: there is no such encoding, or the file is not in it.
    """
    if not encoding:
        _guess_utf8(stream, target, name, notes)
        return
    codec = ENCODINGS.get(encoding.casefold())
    if codec is None:
        known = ", ".join(ENCODINGS)
        raise InvalidInput(f"'{encoding}' is not a supported encoding; they are {known}.")
    if codec == "utf-8":
        copyfileobj(stream, target, _PIECE_BYTES)
        return
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        while piece := stream.read(_PIECE_BYTES):
            target.write(decoder.decode(piece).encode())
        target.write(decoder.decode(b"", final=True).encode())
    except UnicodeError:
        raise InvalidInput(f"{name} is not {encoding}; another --encoding may fit.") from None


def _guess_utf8(stream: BinaryIO, target: BinaryIO, name: str, notes: list[str]) -> None:
    data = stream.read()
    target.write(data if _is_utf8(data) else decoded(data, name=name, notes=notes).encode())


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def header_of(start: bytes, wanted: Collection[str]) -> tuple[str, int]:
    """Return the delimiter, and the number of lines before the header, of a file that begins so.

    The header is the first row with a wanted column; if there is none, the first row.
    """
    lines = start.removeprefix(_MARK).decode("utf-8", "replace").replace("\0", " ").split("\n")
    found: list[tuple[int, int, str]] = []
    for delimiter in DELIMITERS:
        for number, line in enumerate(lines[:_HEADER_LINES]):
            cells = _cells(line, delimiter)
            if any(forms.plain_name(cell) in wanted for cell in cells):
                found.append((number, -len(cells), delimiter))
                break
    if found:
        number, _, delimiter = min(found)
        return delimiter, number
    return max(DELIMITERS, key=lambda one: len(_cells(lines[0], one))), 0


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line.strip()], delimiter=delimiter), [])
    except csv.Error:  # a field that is too long
        return []


def _json_lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(decoded_lines(stream, name), 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError):
            yield number, None


def _values_of_document(
    document: Mapping[str, object], chosen: Mapping[str, str]
) -> dict[str, str]:
    """Return the fields of a person, and ignore the rest of the document.

    So neither password hashes nor amounts are imported.
    """
    by_name = {forms.plain_name(key): value for key, value in document.items()}
    values: dict[str, str] = {}
    for field in PERSON_FIELDS:
        wanted = (forms.plain_name(chosen[field]),) if field in chosen else forms.ALIASES[field]
        texts = (_text_of(by_name.get(name)) for name in wanted)
        values[field] = next((text for text in texts if text.strip()), "")
    return values


def _text_of(value: object) -> str:
    """Return a value of extended JSON as text; a country may be a document with a name."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return value.encode("utf-8", "replace").decode()  # a lone surrogate is not text
        case {"name": str() as text} | {"$oid": str() as text} | {"$date": str() as text}:
            return _text_of(text)
        case _:
            return ""
