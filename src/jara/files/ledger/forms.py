"""The formats that `jara ledger import` reads: recognising and describing them."""

import csv
from collections.abc import Iterator, Sequence
from enum import StrEnum
from io import BufferedReader

from jara.domain.errors import InvalidInput
from jara.files.ledger.csv_file import HEADER
from jara.files.stripe.columns import KNOWN_BY, Columns

_PEEKED_BYTES = 1 << 14
_SHOWN = 12
_JOURNAL_ENDINGS = (".journal", ".hledger")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ImportForm(StrEnum):
    """The formats that can be imported."""

    STRIPE = "stripe"
    CSV = "csv"
    JOURNAL = "journal"


class UnknownForm(InvalidInput):
    """The format of a file is unknown; ``readable`` describes the known ones."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.readable = list(readable_forms())


def readable_forms() -> Iterator[str]:
    """Describe each format that can be read, with the columns that identify it."""
    for form, columns in KNOWN_BY.items():
        yield f"Stripe, {form}: {', '.join(' or '.join(names) for names in columns)}"
    yield "Stripe, JSON list of balance transactions: begins with { or ["
    yield f"Ledger CSV: {', '.join(HEADER)}"
    yield "Journal of hledger or ledger: a name that ends in .journal, or a first line with ;"
    yield "Bank statements (CAMT.053, MT940, OFX, CSV) are read by: jara bank import FILE"


def recognise_form(stream: BufferedReader, name: str) -> ImportForm:
    """Recognise the format of a file by its beginning, and a journal also by its name.

    A file with half of a format's columns counts as that format; its reader names the rest.

    Raises:
        UnknownForm: no format fits.
    """
    start = stream.peek(_PEEKED_BYTES)[:_PEEKED_BYTES].removeprefix(_BYTE_ORDER_MARK)
    if not start:
        raise InvalidInput(f"{name} is empty; its first line should name the columns.")
    if name.endswith(_JOURNAL_ENDINGS) or start.startswith(b";"):
        return ImportForm.JOURNAL
    if start.lstrip().startswith((b"{", b"[")):
        return ImportForm.STRIPE
    try:
        first = start.split(b"\n", 1)[0].decode().strip()
    except UnicodeDecodeError:
        raise UnknownForm(f"{name} has an unknown format: it is not UTF-8 text.") from None
    header = next(csv.reader([first]), [])
    if _share(header, [(column,) for column in HEADER]) >= 1 / 2:
        return ImportForm.CSV
    if max(_share(header, columns) for columns in KNOWN_BY.values()) >= 1 / 2:
        return ImportForm.STRIPE
    shown = ", ".join(cell.strip() for cell in header[:_SHOWN])
    raise UnknownForm(f"{name} has an unknown format; its first line is: {shown}.")


def count_items(stream: BufferedReader, form: ImportForm) -> int:
    """Count the items of a file before it is read, for a progress bar; the file is rewound."""
    count, before = 0, b""
    for line in stream:
        if form is ImportForm.JOURNAL:
            count += line[:1].isdigit()
        elif form is ImportForm.STRIPE:
            count += 1
        else:
            entry = line.split(b",", 1)[0]
            count += entry != before
            before = entry
    stream.seek(0)
    return count


def _share(header: Sequence[str], known: Sequence[tuple[str, ...]]) -> float:
    """Return the share of a format's columns that a header has."""
    columns = Columns(header)
    return sum(columns.has(*names) for names in known) / len(known)
