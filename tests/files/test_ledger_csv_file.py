"""The ledger as CSV: Jara reads its own export."""

import csv
import io
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.files.ledger.csv_file import write_ledger_csv
from jara.files.ledger.file_entry import kind_by_accounts
from jara.services.books.entry_importing import FileEntry
from tests.files.ledger_csv_texts import GOOD, HEADER, read
from tests.files.posted_samples import HISTORY, histories, odd_history, posted, posted_id


def written(entries: list[JournalEntry]) -> str:
    """Return the text of entries as CSV."""
    out = io.StringIO(newline="")
    write_ledger_csv(posted(entries), out)
    return out.getvalue()


def as_csv_holds_it(index: int, entry: JournalEntry) -> JournalEntry:
    """Return an entry without what the CSV columns cannot hold."""
    return JournalEntry(
        day=entry.day,
        kind=kind_by_accounts(entry.postings),
        description=entry.description,
        postings=entry.postings,
        reference=entry.reference,
        source="import",
        external_id=f"entry:{posted_id(index)}",
    )


@given(histories)
def test_reading_undoes_writing(entries: list[JournalEntry]) -> None:
    """Any texts and amounts are read back, and Jara recognises its own id."""
    found, report = read(written(entries))

    assert report.rejected == []
    assert [as_csv_holds_it(n, e) for n, e in enumerate(entries)] == [f.entry for f in found]
    assert [posted_id(n) for n in range(len(entries))] == [f.entry_id for f in found]


def test_odd_words_come_back() -> None:
    """Formulas, quotes and line breaks are read back unchanged."""
    found, _ = read(written(odd_history()))

    assert [e.description for e in odd_history()] == [f.entry.description for f in found]
    assert [e.reference for e in odd_history()] == [f.entry.reference for f in found]


def test_formulas_are_quoted_and_amounts_stay_numbers() -> None:
    """No text cell is a formula in a spreadsheet; a negative amount stays a number."""
    entry = replace(HISTORY[1], description='=HYPERLINK("x")', reference="@cmd", foreign=None)

    rows = list(csv.reader(io.StringIO(written([entry]), newline="")))

    assert [rows[1][2], rows[1][6]] == ['\'=HYPERLINK("x")', "'@cmd"]
    assert [rows[1][5], rows[2][5]] == ["400.00", "-400.00"]


def test_written_file_is_exactly_this() -> None:
    """The export has a fixed header, one row for each posting, and CRLF."""
    head = f"{posted_id(0)},2026-02-27,Disbursement: wells-of-x"

    assert written([replace(HISTORY[1], foreign=None)]).splitlines(keepends=True) == [
        f"{HEADER}\r\n",
        f"{head},expenses:projects:wells-of-x,projects,400.00,wells-of-x\r\n",
        f"{head},assets:bank,projects,-400.00,wells-of-x\r\n",
    ]


def test_a_payment_abroad_says_so_in_its_description() -> None:
    """The header does not change, so other programs can still read the file."""
    rows = list(csv.reader(io.StringIO(written([HISTORY[1]]), newline="")))

    assert [row[2] for row in rows[1:]] == ["Disbursement: wells-of-x = KES 51,600 at 129.00"] * 2


def test_good_file_reads() -> None:
    """The rows of an entry are combined, with an external id from the file."""
    found, report = read("\r\n".join(["\ufeff" + HEADER.upper(), *GOOD]) + "\r\n")

    assert found == [
        FileEntry(
            2,
            "a",
            JournalEntry(
                day=date(2026, 3, 1),
                kind=EntryKind.GRANT,
                description="Grant",
                postings=(
                    Posting("assets:bank", Fund.PROJECTS, 10000),
                    Posting("income:grants", Fund.PROJECTS, -10000),
                ),
                reference="G-1",
                source="import",
                external_id="csv:a",
            ),
        )
    ]
    assert (report.read, report.rejected) == (1, [])


def test_columns_may_stand_in_any_order_with_others() -> None:
    """Columns are found by name, and unknown ones are ignored."""
    header = "amount,extra,fund,account,description,date,reference,entry"
    rows = [
        "5.00,x,other,assets:bank,T,2026-03-01,,a",
        "-5.00,x,other,assets:stripe,T,2026-03-01,,a",
    ]

    found, _ = read("\n".join([header, *rows]))

    assert [f.entry.kind for f in found] == [EntryKind.TRANSFER]


def test_decimal_comma_is_an_option() -> None:
    """Amounts with a decimal comma need the option."""
    text = "\n".join([HEADER, *GOOD]).replace("100.00", '"1.100,00"').replace('-"', '"-')

    assert read(text, decimal_comma=True)[0][0].entry.postings[0].cents == 110000
    assert len(read(text)[1].rejected) == 1


@pytest.mark.parametrize(
    ("accounts", "kind"),
    [
        (("assets:bank", "equity:opening"), EntryKind.OPENING),
        (("assets:bank", "income:grants"), EntryKind.GRANT),
        (("expenses:projects:a", "assets:bank"), EntryKind.DISBURSEMENT),
        (("expenses:staff", "assets:bank"), EntryKind.SALARY),
        (("expenses:operations", "assets:bank"), EntryKind.EXPENSE),
        (("assets:bank", "assets:in-transit"), EntryKind.TRANSFER),
        (("assets:bank", "income:pledges"), EntryKind.MANUAL),
        (("assets:bank", "expenses:staff"), EntryKind.MANUAL),
        (("income:grants", "assets:bank"), EntryKind.MANUAL),
    ],
)
def test_kinds_follow_from_accounts(accounts: tuple[str, str], kind: EntryKind) -> None:
    """Without kinds, the accounts decide; pledges are never assumed."""
    postings = [Posting(accounts[0], Fund.OTHER, 1), Posting(accounts[1], Fund.OTHER, -1)]

    assert kind_by_accounts(postings) == kind
