"""The rows of a bank's CSV: its delimiter, its header, and cells by the names of a mapping."""

import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.files.bank.csv_mapping import OPTIONAL, CsvMapping
from jara.files.encodings import decoded
from jara.files.reading import DELIMITERS, UTF16_MARKS, csv_rows, normal_name, width_message

_HEADER_ROWS = 50
"""Banks write fewer rows before the header."""
_HEAD_BYTES = 1 << 16

Row = tuple[int, list[str]]
"""A row with its line number."""


class CsvTable(NamedTuple):
    """The rows below the header."""

    name: str  # the file's name
    header: list[str]  # the names of its columns
    least: int  # the number of cells that each row has at least
    rows: Iterator[Row]  # the rows; those without any text are left out

    def place(self, column: str) -> int | None:
        """Return the place of a column, by a mapping's name for it; None if it has none."""
        places = {normal_name(one): at for at, one in reversed(list(enumerate(self.header)))}
        exact = places.get(normal_name(column)) if column else None
        if exact is not None or not column.endswith(OPTIONAL):
            return exact
        return places.get(normal_name(column.removesuffix(OPTIONAL)))

    def fault_of(self, cells: list[str]) -> str:
        """Return what is wrong with the width of a row, or an empty text."""
        is_right = self.least <= len(cells) and not any(cells[len(self.header) :])
        return "" if is_right else width_message(len(cells), len(self.header))


def open_table(text: str, name: str, mapping: CsvMapping) -> CsvTable:
    """Find the header of a file.

    Raises:
        InvalidInput: it is not CSV, or lacks a column; the message names the line.
    """
    text = text.removeprefix("\ufeff")
    for delimiter in mapping.delimiter or DELIMITERS:
        try:
            table = _table(text, name, mapping, delimiter)
        except InvalidInput:  # quotes may close only for the right delimiter
            if mapping.delimiter:
                raise
            continue
        if table is not None:
            return table
    first = next(iter(first_rows(text, mapping.delimiter, skip=mapping.skip)), [])
    if mapping.columns:
        fault = width_message(len(first), len(mapping.columns))
        raise InvalidInput(f"{name}, line {mapping.skip + 1}: {fault}")
    there = {normal_name(cell) for cell in first}
    lacking = [one for one in mapping.required if normal_name(one) not in there]
    raise InvalidInput(
        f"{name}, line {mapping.skip + 1}: the header lacks {', '.join(lacking)}, which the "
        f"mapping names; it has {', '.join(cell for cell in first if cell.strip())}."
    )


def beginning(data: bytes, encoding: str = "") -> str:
    """Return the first lines of a file, to recognise it."""
    head = data[:_HEAD_BYTES]
    if encoding:
        return head.decode(encoding, "replace")
    is_cut = len(data) > len(head) and not head.startswith(UTF16_MARKS)
    return decoded(head.rpartition(b"\n")[0] if is_cut else head)


def first_rows(text: str, delimiter: str = "", *, skip: int = 0) -> list[list[str]]:
    """Return the first rows with text, split by the delimiter that gives the most cells."""
    found: list[list[list[str]]] = []
    for one in delimiter or DELIMITERS:
        try:
            rows = islice(_rows(text, "", one, skip), _HEADER_ROWS)
            found.append([cells for _, cells in rows])
        except InvalidInput:
            continue
    return max(found, key=_usual_width, default=[])


def _usual_width(rows: list[list[str]]) -> int:
    """Return how many cells most rows have."""
    widths = Counter(map(len, rows))
    return max(widths, key=lambda width: (widths[width], width), default=0)


def _table(text: str, name: str, mapping: CsvMapping, delimiter: str) -> CsvTable | None:
    rows = _rows(text, name, delimiter, mapping.skip)
    if mapping.columns:
        columns = list(mapping.columns)
        least = len(columns) - sum(one.endswith(OPTIONAL) for one in columns)
        table = CsvTable(name, [one.removesuffix(OPTIONAL) for one in columns], least, rows)
        first = next(_rows(text, name, delimiter, mapping.skip), (0, []))[1]
        return None if table.fault_of(first) else table
    required = {normal_name(column) for column in mapping.required}
    for _, cells in islice(rows, _HEADER_ROWS):
        if required <= {normal_name(cell) for cell in cells}:
            return CsvTable(name, cells, len(cells), rows)
    return None


def _rows(text: str, name: str, delimiter: str, skip: int) -> Iterator[Row]:
    rows = csv_rows(io.StringIO(text, newline=""), name, delimiter, skip)
    return (row for row in rows if any(row[1]))
