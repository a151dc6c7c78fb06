"""The ledger as CSV: errors name their line, and nothing is guessed."""

import io

import pytest

from jara.domain.books.account import ChartOfAccounts
from jara.domain.errors import InvalidInput
from jara.files.ledger.csv_file import read_ledger_csv
from jara.files.reading import FileReport
from tests.files.ledger_csv_texts import GOOD, HEADER, read

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
