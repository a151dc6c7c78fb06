"""The ledger as CSV: what is written reads back, and what is wrong is named."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given

from jara.domain.books.account import ChartOfAccounts, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import InvalidInput
from jara.files.file_entry import FileEntry, kind_by_accounts
from jara.files.ledger_csv import read_ledger_csv, shielded, unshielded, write_ledger_csv
from jara.files.reading import FileReport
from tests.files.posted_samples import HISTORY, histories, odd_history, posted, posted_id, texts

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
    """Return an entry less what the columns of the CSV cannot say."""
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
    """Any words and amounts come back as they were, and the id is known as ours."""
    found, report = read(written(entries))

    assert [] == report.rejected
    assert [as_csv_holds_it(n, e) for n, e in enumerate(entries)] == [f.entry for f in found]
    assert [posted_id(n) for n in range(len(entries))] == [f.entry_id for f in found]


def test_odd_words_come_back() -> None:
    """Words that are formulas, quotes or lines come back as they were."""
    found, _ = read(written(odd_history()))

    assert [e.description for e in odd_history()] == [f.entry.description for f in found]
    assert [e.reference for e in odd_history()] == [f.entry.reference for f in found]


@given(texts)
def test_shielding_is_undone_exactly(text: str) -> None:
    """Taking the quote away gives back what was there, quotes of its own too."""
    assert text == unshielded(shielded(text))
    assert not shielded(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_formulas_are_quoted_and_amounts_stay_numbers() -> None:
    """No cell of text is a formula to a spreadsheet; a negative amount is a number."""
    entry = replace(HISTORY[1], description='=HYPERLINK("x")', reference="@cmd")

    rows = list(csv.reader(io.StringIO(written([entry]), newline="")))

    assert ['\'=HYPERLINK("x")', "'@cmd"] == [rows[1][2], rows[1][6]]
    assert ["400.00", "-400.00"] == [rows[1][5], rows[2][5]]


def test_written_file_is_exactly_this() -> None:
    """The export has the header of the contract, one row for each posting, and CRLF."""
    assert written([HISTORY[1]]).splitlines(keepends=True) == [
        f"{HEADER}\r\n",
        (
            f"{posted_id(0)},2026-02-27,Disbursement: wells-of-x,expenses:projects:wells-of-x,"
            "projects,400.00,wells-of-x\r\n"
        ),
        (
            f"{posted_id(0)},2026-02-27,Disbursement: wells-of-x,assets:bank,projects,-400.00,"
            "wells-of-x\r\n"
        ),
    ]


def test_good_file_reads() -> None:
    """Rows of one entry become the entry, under an outside id of the file's own."""
    found, report = read("\r\n".join(["\ufeff" + HEADER.upper(), *GOOD]) + "\r\n")

    assert [
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
    ] == found
    assert (1, []) == (report.read, report.rejected)


def test_columns_may_stand_in_any_order_with_others() -> None:
    """Columns are found by name; those that are not ours are ignored."""
    header = "amount,extra,fund,account,description,date,reference,entry"
    rows = [
        "5.00,x,other,assets:bank,T,2026-03-01,,a",
        "-5.00,x,other,assets:stripe,T,2026-03-01,,a",
    ]

    found, _ = read("\n".join([header, *rows]))

    assert [EntryKind.TRANSFER] == [f.entry.kind for f in found]


def test_decimal_comma_is_an_option() -> None:
    """Amounts with a comma read only when the operator says so."""
    text = "\n".join([HEADER, *GOOD]).replace("100.00", '"1.100,00"').replace('-"', '"-')

    assert 110000 == read(text, decimal_comma=True)[0][0].entry.postings[0].cents
    assert 1 == len(read(text)[1].rejected)


NOT_AN_AMOUNT = "is not an amount; write dollars with at most two decimals, like 10 or 1,457.50."


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
            "'-0' is not an amount; nothing has no sign, write 0.",
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
            "'Bank' is no account name like 'expenses:staff'.",
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
        (
            "a,2026-03-01,Grant,assets:bank,projects,100.00,G-1",
            None,
            "",
        ),
    ],
)
def test_bad_entries_are_rejected_by_line(row: str, line: int | None, message: str) -> None:
    """A wrong entry is a value with its line; the good ones around it stay."""
    last = [text.replace("a,", "c,", 1) for text in GOOD]
    found, report = read("\n".join([HEADER, *GOOD, row, *last]))

    if line is None:
        assert ["c"] == [f.entry_id for f in found]
        assert "is off by $100.00" in report.rejected[0].message
        return
    assert ["a", "c"] == [f.entry_id for f in found]
    assert [(line, message)] == [(error.line, error.message) for error in report.rejected]
    assert 3 == report.read


def test_first_fault_of_an_entry_is_the_one_named() -> None:
    """An entry with several broken rows is rejected once, with all its rows."""
    found, report = read("\n".join([HEADER, "b", "b,x", *GOOD]))

    assert ["a"] == [f.entry_id for f in found]
    assert [(2, "the row is too short: 1 cells under 7 columns.")] == [
        (error.line, error.message) for error in report.rejected
    ]


def test_unknown_account_is_named_with_its_line() -> None:
    """An account that the chart lacks is an error of the row it stands in."""
    report = FileReport()
    content = io.BytesIO("\n".join([HEADER, *GOOD]).encode())
    chart = ChartOfAccounts.of(["assets:bank"])

    assert [] == list(read_ledger_csv(content, "f.csv", report, chart=chart))
    assert [(3, "The chart of accounts has no 'income:grants'.")] == [
        (error.line, error.message) for error in report.rejected
    ]


def test_entry_that_stands_again_further_down_is_rejected() -> None:
    """Rows of one entry follow each other; a second place is an error by its line."""
    other = [text.replace("a,", "b,", 1) for text in GOOD]

    found, report = read("\n".join([HEADER, *GOOD, *other, *GOOD]))

    assert ["a", "b"] == [f.entry_id for f in found]
    assert [
        (
            6,
            "The entry 'a' stands further up already; rows of one entry follow each other.",
        )
    ] == [(error.line, error.message) for error in report.rejected]


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
    """Missing columns are named, and columns that stand twice."""
    with pytest.raises(InvalidInput) as refusal:
        read(content)

    assert message == refusal.value.message


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
    """A file without kinds is understood by its accounts; pledges are never claimed."""
    postings = [Posting(accounts[0], Fund.OTHER, 1), Posting(accounts[1], Fund.OTHER, -1)]

    assert kind == kind_by_accounts(postings)
