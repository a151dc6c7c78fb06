"""Ledger CSV texts, and a reader for them."""

import io

from jara.files.ledger.csv_file import read_ledger_csv
from jara.files.reading import FileReport
from jara.services.books.entry_importing import FileEntry

HEADER = "entry,date,description,account,fund,amount,reference"
GOOD = [
    "a,2026-03-01,Grant,assets:bank,projects,100.00,G-1",
    "a,2026-03-01,Grant,income:grants,projects,-100.00,G-1",
]


def read(content: str, *, decimal_comma: bool = False) -> tuple[list[FileEntry], FileReport]:
    """Read a ledger CSV of this text."""
    report = FileReport()
    return list(
        read_ledger_csv(io.BytesIO(content.encode()), "f.csv", report, decimal_comma=decimal_comma)
    ), report
