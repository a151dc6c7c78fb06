"""The format of a file is found from its start, or all known formats are listed."""

import io
from pathlib import Path
from typing import cast

import pytest

from jara.domain.errors import InvalidInput
from jara.files.ledger.forms import ImportForm, UnknownForm, count_items, recognise_form
from tests.harness import DATA

SAMPLES = DATA / "samples"


def stream(data: bytes) -> io.BufferedReader:
    """Return bytes as an opened file."""
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(data)))


@pytest.mark.parametrize(
    ("name", "form", "count"),
    [
        ("balance_change_itemized.csv", ImportForm.STRIPE, 2578),
        ("payouts_itemized.csv", ImportForm.STRIPE, None),
        ("balance_history.csv", ImportForm.STRIPE, None),
        ("unified_payments.csv", ImportForm.STRIPE, None),
        ("balance_transactions.json", ImportForm.STRIPE, None),
        ("bank.csv", ImportForm.CSV, None),
        ("bank.journal", ImportForm.JOURNAL, None),
    ],
)
def test_every_sample_is_recognised(name: str, form: ImportForm, count: int | None) -> None:
    """Its items are also counted in advance, for the progress bar."""
    with Path(SAMPLES / name).open("rb") as opened:
        assert form is recognise_form(opened, name)
        items = count_items(opened, form)
        assert opened.tell() == 0

    assert items > 0
    assert count in {None, items}


def test_both_forms_of_the_bank_have_the_same_entries() -> None:
    """An entry with several rows counts once, and the header of a CSV file counts too."""
    table = stream((SAMPLES / "bank.csv").read_bytes())
    journal = stream((SAMPLES / "bank.journal").read_bytes())

    assert count_items(journal, ImportForm.JOURNAL) == count_items(table, ImportForm.CSV) - 1


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"Date,Name,Amount\n", "x.csv has an unknown format; its first line is: Date, Name,"),
        (b"\xa7\xff\n", "x.csv has an unknown format: it is not UTF-8 text."),
        (b"%PDF-1.7\n", "its first line is: %PDF-1.7."),
    ],
)
def test_an_unknown_file_is_answered_with_every_form(data: bytes, sentence: str) -> None:
    """One message lists the columns of each format."""
    with pytest.raises(UnknownForm) as refused:
        recognise_form(stream(data), "x.csv")

    assert sentence in refused.value.message
    listed = "\n".join(refused.value.readable)
    for part in ("reporting_category", "Amount Refunded", "entry, date,", ".journal", "jara bank"):
        assert part in listed


def test_an_empty_file_is_said_to_be_empty() -> None:
    """An empty file has its own message."""
    with pytest.raises(InvalidInput, match="is empty"):
        recognise_form(stream(b""), "x.csv")
