"""Reads text tables strictly, one row at a time.

A file that is broken as a whole (bytes that are not UTF-8, missing columns, quotes that
never close) raises at once. An invalid row becomes a value in the report, so that the
importer can name every bad row and decide about the rest.
"""

import codecs
import csv
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import BinaryIO, NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.services.books.imports import Rejected

LINE_BYTES_MAX = 1 << 20
"""The longest line that is read, so that memory stays bounded."""

DELIMITERS = ",;\t|"
"""What separates the cells of CSV files."""

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""How a file in UTF-16 begins."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(slots=True)
class FileReport:
    """The result of reading a file; readers fill it while they are consumed."""

    read: int = 0  # source items seen by `jara ledger import`
    ignored: int = 0  # items that move no money of ours, such as failed charges
    left_out: list[Rejected] = field(default_factory=list)
    """The ignored lines of bank statements, each with the reason."""
    rejected: list[Rejected] = field(default_factory=list)  # items that break a rule
    notes: list[str] = field(default_factory=list)
    """What the operator should know about the file as a whole."""
    unused: list[str] = field(default_factory=list)  # columns that nothing reads
    form: str = ""  # the name of the recognised format
    zone: TimeZone = UTC_ZONE
    """The organisation's time zone, in which an instant of the file becomes a day."""

    def leave_out(self, line: int, reason: str) -> None:
        """Add a line of a bank statement that moves no money."""
        self.ignored += 1
        self.left_out.append(Rejected(line, f"{reason}; left out"))

    def add_part(self, part: "FileReport", name: str) -> None:
        """Add the report of a file in an archive."""
        self.ignored += part.ignored
        self.notes += part.notes
        self.unused += [f"{name}: {column}" for column in part.unused]
        for total, rows in ((self.left_out, part.left_out), (self.rejected, part.rejected)):
            total += [Rejected(row.line, f"{name}: {row.message}") for row in rows]

    def reject(self, line: int, message: str) -> None:
        """Add a rejected item."""
        self.rejected.append(Rejected(line, message))


class Table(NamedTuple):
    """A file with a header: its column names, and its rows with their line numbers."""

    name: str
    header: Sequence[str]
    rows: Iterator[tuple[int, list[str]]]


def decoded_lines(stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 file; a byte-order mark and CRLF are accepted.

    Raises:
        InvalidInput: a byte is not UTF-8, or a line holds U+0000 or is too long.
    """
    number = 0
    while raw := stream.readline(LINE_BYTES_MAX + 1):
        number += 1
        if len(raw) > LINE_BYTES_MAX:
            raise InvalidInput(f"{name}, line {number}: the line is longer than 1 MiB.")
        if number == 1:
            raw = raw.removeprefix(_BYTE_ORDER_MARK)
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            broken = raw[error.start]
            raise InvalidInput(
                f"{name}, line {number}: byte 0x{broken:02x} is not UTF-8; "
                "save the file as UTF-8 and try again."
            ) from None
        if "\0" in line:
            raise InvalidInput(f"{name}, line {number}: the line contains a zero byte.")
        yield line


def read_table(stream: BinaryIO, name: str, *, delimiter: str = ",", skip: int = 0) -> Table:
    """Open a CSV file; read the header immediately and the rows on demand.

    The header comes after `skip` lines.

    Raises:
        InvalidInput: the file is empty, or broken as a whole.
    """
    rows = csv_rows(decoded_lines(stream, name), name, delimiter, skip)
    first = next(rows, None)
    if first is None:
        raise InvalidInput(f"{name} is empty; its first line should name the columns.")
    return Table(name, first[1], rows)


def csv_rows(
    lines: Iterable[str], name: str, delimiter: str, skip: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the number of its first line.

    Raises:
        InvalidInput: a line is not CSV.
    """
    reader = csv.reader(islice(lines, skip, None), delimiter=delimiter, strict=True)
    line = skip + 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = skip + reader.line_num + 1
    except csv.Error as error:
        raise InvalidInput(
            f"{name}, line {line}: the line is not CSV ({error}); check its quotes."
        ) from None


def normal_name(column: str) -> str:
    """Return a column's name for comparison, without case and extra blanks."""
    return " ".join(column.split()).casefold()


def unused_columns(
    header: Iterable[str], used: Container[str], *, plain: Callable[[str], str]
) -> list[str]:
    """Return the columns that are not used; `used` has names as `plain` writes them."""
    return [name.strip() for name in header if name.strip() and plain(name) not in used]


def unused_note(columns: Sequence[str]) -> list[str]:
    """Return the sentence that names the unused columns, if there are any."""
    return [f"Columns not used: {', '.join(columns)}."] if columns else []


def width_message(cells: int, columns: int) -> str:
    """Return the error for a row with more or fewer cells than the header."""
    word = "long" if cells > columns else "short"
    return f"the row is too {word}: {cells} cells under {columns} columns."
