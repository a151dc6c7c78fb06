"""The ledger as CSV: Jara reads its own export."""

import csv
import io
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given

from jara.domain.books.account import ChartOfAccounts, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import InvalidInput
from jara.files.ledger.csv_file import read_ledger_csv, write_ledger_csv
from jara.files.ledger.file_entry import kind_by_accounts
from jara.files.reading import FileReport
from jara.services.books.entry_importing import FileEntry
from tests.files.posted_samples import HISTORY, histories, odd_history, posted, posted_id

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


NOT_AN_AMOUNT = "is not an amount; write USD with at most two decimals, like 10 or 1,457.50."


@pytest.mark.parametrize(
    ("row", "line", "message"),
    [
        ("b,2026-03-01,T,assets:bank,other,1e3,", 4, f"'1e3' {NOT_AN_AMOUNT}"),
        ("b,2026-03-01,T,assets:bank,other,NaN,", 4, f"'NaN' {NOT_AN_AMOUNT}"),
        ("b,2026-03-01,T,assets:bank,other,10.005,", 4, f"'10.005' {NOT_AN_AMOUNT}"),
        ("b,2026-03-01,T,assets:bank,other,٣,", 4, f"'٣' {NOT_AN_AMOUNT}"),
        ('b,2026-03-01,T,assets:bank,other,"10,00",', 4, f"'10,00' {NOT_AN_AMOUNT}"),
        (
            "b,2026-03-01,T,assets:bank,other,-0,",
            4,
            "'-0' is not an amount; zero has no sign, write 0.",
        ),
        (
            "b,2026-03-01,T,assets:bank,other,0.00,",
            4,
            "A posting of 0 cents on assets:bank is zero or too large.",
        ),
        (
            "b,2026-03-01,T,assets:bank,other,1.00",
            4,
            "the row is too short: 6 cells under 7 columns.",
        ),
        (
            "b,2026-03-01,T,assets:bank,other,1.00,,",
            4,
            "the row is too long: 8 cells under 7 columns.",
        ),
        (
            "b,2026-03-01,T,assets:bank,others,1.00,",
            4,
            (
                "There is no fund 'others'; "
                "the funds are projects, staff, marketing, other, committed."
            ),
        ),
        (
            "b,2026-03-01,T,Bank,other,1.00,",
            4,
            "'Bank' is not an account name like 'expenses:staff'.",
        ),
        (
            "b,2026-03-01,T,assets:bank,other,1.00,",
            4,
            "The entry 'T' has 1 postings; an entry needs at least two.",
        ),
        (
            "b,2026-02-30,T,assets:bank,other,1.00,\nb,2026-02-30,T,assets:stripe,other,-1.00,",
            4,
            "'2026-02-30' is not a day of the calendar.",
        ),
        (
            "b,2026-03-01,T,assets:bank,other,1.00,\nb,2026-03-01,T,assets:stripe,staff,-1.00,",
            4,
            "The entry 'T' is off by $1.00 in the fund 'other'; every fund must sum to zero.",
        ),
        (
            "b,2026-03-01,T,assets:bank,other,1.00,\nb,2026-03-02,T,assets:stripe,other,-1.00,",
            5,
            (
                "The entry 'b' has another date here, '2026-03-02', than on its first row, "
                "'2026-03-01'."
            ),
        ),
        (
            "b,2026-03-01,T,assets:bank,other,1.00,\nb,2026-03-01,U,assets:stripe,other,-1.00,",
            5,
            "The entry 'b' has another description here, 'U', than on its first row, 'T'.",
        ),
        (
            ",2026-03-01,T,assets:bank,other,1.00,",
            4,
            "The cell 'entry' is empty; it tells which rows belong together.",
        ),
        ("a,2026-03-01,Grant,assets:bank,projects,100.00,G-1", None, ""),
    ],
)
def test_bad_entries_are_rejected_by_line(row: str, line: int | None, message: str) -> None:
    """An invalid entry is returned with its line, and the valid ones are read."""
    last = [text.replace("a,", "c,", 1) for text in GOOD]
    found, report = read("\n".join([HEADER, *GOOD, row, *last]))

    if line is None:
        assert [f.entry_id for f in found] == ["c"]
        assert "is off by $100.00" in report.rejected[0].message
        return
    assert [f.entry_id for f in found] == ["a", "c"]
    assert [(error.line, error.message) for error in report.rejected] == [(line, message)]
    assert report.read == 3


def test_first_fault_of_an_entry_is_the_one_named() -> None:
    """An entry with several invalid rows is rejected once, with all its rows."""
    found, report = read("\n".join([HEADER, "b", "b,x", *GOOD]))

    assert [f.entry_id for f in found] == ["a"]
    assert [(error.line, error.message) for error in report.rejected] == [
        (2, "the row is too short: 1 cells under 7 columns.")
    ]


def test_unknown_account_is_named_with_its_line() -> None:
    """An account outside the chart is an error of its own row."""
    report = FileReport()
    content = io.BytesIO("\n".join([HEADER, *GOOD]).encode())
    chart = ChartOfAccounts.of(["assets:bank"])

    assert list(read_ledger_csv(content, "f.csv", report, chart=chart)) == []
    assert [(error.line, error.message) for error in report.rejected] == [
        (3, "The chart of accounts has no 'income:grants'; `jara ledger accounts add` adds it.")
    ]


def test_entry_that_stands_again_further_down_is_rejected() -> None:
    """The rows of an entry must be consecutive; a second place is an error with its line."""
    other = [text.replace("a,", "b,", 1) for text in GOOD]

    found, report = read("\n".join([HEADER, *GOOD, *other, *GOOD]))

    assert [f.entry_id for f in found] == ["a", "b"]
    assert [(error.line, error.message) for error in report.rejected] == [
        (6, "The entry 'a' is used further up already; rows of one entry follow each other.")
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "entry,date,account",
            f"f.csv lacks 'description', 'fund', 'amount', 'reference'; its header is {HEADER}.",
        ),
        (f"{HEADER},Fund", "f.csv has the column 'fund' twice."),
    ],
)
def test_headers_that_leave_a_question_are_refused(content: str, message: str) -> None:
    """Missing and duplicate columns are named."""
    with pytest.raises(InvalidInput) as refusal:
        read(content)

    assert refusal.value.message == message
