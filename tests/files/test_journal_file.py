"""The hledger journal: Jara reads it back, and hledger accepts it."""

import io
import shutil
import subprocess
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from jara.domain.books.account import ChartOfAccounts
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.files.ledger.file_entry import decoded, encoded
from jara.files.ledger.journal import write_journal
from jara.files.ledger.journal_reader import read_journal
from jara.files.reading import FileReport
from jara.services.books.entry_importing import FileEntry
from tests.files.posted_samples import (
    ABROAD,
    HISTORY,
    histories,
    odd_history,
    posted,
    posted_id,
    texts,
)

HEAD = "2026-03-01 (a) Rent\n"
POSTINGS = "    assets:bank  -5.00 USD  ; fund:other\n    expenses:staff  5.00 USD  ; fund:other\n"


def written(entries: list[JournalEntry], *, for_operators: bool = False) -> str:
    """Return the text of entries as a journal."""
    out = io.StringIO()
    write_journal(posted(entries), out, posted_id, for_operators=for_operators)
    return out.getvalue()


def read(text: str) -> tuple[list[FileEntry], FileReport]:
    """Read a journal of this text."""
    report = FileReport()
    return list(read_journal(io.BytesIO(text.encode()), "f.journal", report)), report


def hledger(path: Path, *arguments: str) -> str:
    """Run the real hledger on a journal and return all its output."""
    assert shutil.which("hledger"), "hledger is missing; install the Debian package 'hledger'"
    run = subprocess.run(
        ["hledger", "-f", str(path), *arguments],
        capture_output=True,
        encoding="utf-8",
        env={"LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"},
        check=False,
    )
    return f"{run.stdout}{run.stderr}"


@given(texts)
def test_text_stays_on_its_line_and_comes_back(text: str) -> None:
    """Encoded text has no comment, comma or line end, and decodes to the original."""
    assert decoded(encoded(text)) == text
    assert not set(encoded(text)) & set(";,\n\r\t\u2028\u0085")
    assert encoded(text) == encoded(text).strip()


@given(histories)
def test_operators_journal_gives_back_the_entries(entries: list[JournalEntry]) -> None:
    """Kinds, texts, ids and contributors' keys are read back from the operators' journal."""
    found, report = read(written(entries, for_operators=True))

    expected = [
        replace(entry, external_id=entry.external_id or f"entry:{posted_id(index)}")
        for index, entry in enumerate(entries)
    ]
    assert report.rejected == []
    assert [file_entry.entry for file_entry in found] == expected


def test_links_come_back_as_ids() -> None:
    """A reversed entry is named by its id, because the file has no log."""
    found, report = read(written(list(HISTORY)))

    assert report.rejected == []
    assert [f.reverses_id for f in found] == [None, None, None, posted_id(1)]
    assert [f.of_id for f in found] == [None, None, posted_id(0), None]
    assert [e.kind for e in HISTORY] == [f.entry.kind for f in found]
    assert HISTORY[1].foreign == found[1].entry.foreign
    assert HISTORY[1].true_day == found[1].entry.true_day


@pytest.mark.parametrize("for_operators", [False, True])
def test_a_payment_abroad_keeps_receipt_and_source(for_operators: bool) -> None:
    """The rate's source, which an operator wrote, is only in the operators' journal."""
    found, report = read(written([ABROAD], for_operators=for_operators))

    assert report.rejected == []
    assert ABROAD.foreign is not None
    source = ABROAD.foreign.source if for_operators else None
    assert ABROAD.foreign._replace(source=source) == found[0].entry.foreign


def test_journal_for_members_holds_no_outside_ids() -> None:
    """The export has only what the public leaf has."""
    text = written(list(HISTORY))

    assert "txn_1" not in text
    assert "k3y" not in text
    assert "own words" not in text
    assert [f"entry:{posted_id(n)}" for n in range(4)] == [
        f.entry.external_id for f in read(text)[0]
    ]


def test_written_journal_is_exactly_this() -> None:
    """The format is stable: accounts are declared first, and each tag has a line."""
    assert written([HISTORY[1]]) == (
        "; The books of Jara. Accounts carry their fund as a tag.\n"
        "commodity 1000.00 USD\n"
        "\n"
        "account expenses:projects:wells-of-x\n"
        "account assets:bank\n"
        f"2026-02-27 ({posted_id(0)}) Disbursement: wells-of-x\n"
        "    ; kind:disbursement\n"
        "    ; source:operator\n"
        "    ; reference:wells-of-x\n"
        "    ; happened:2025-12-30\n"
        "    ; foreign:KES 5160000 129.00\n"
        "    expenses:projects:wells-of-x  400.00 USD  ; fund:projects\n"
        "    assets:bank  -400.00 USD  ; fund:projects\n"
    )


def test_bare_transaction_reads() -> None:
    """Kind and source may be missing; comments and unknown tags are ignored."""
    text = f"# note\npayee X\n\n{HEAD}    ; a comment\n    ; colour:red\n{POSTINGS}\n; end\n"

    found, report = read(text)

    assert report.rejected == []
    assert [
        (f.line, f.entry_id, f.entry.kind, f.entry.source, f.entry.external_id) for f in found
    ] == [(4, "a", EntryKind.MANUAL, "import", "journal:a")]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            "2026-03-01 Rent\n" + POSTINGS,
            1,
            (
                "'2026-03-01 Rent' begins no transaction; write the day, its id in parentheses and "
                "the description, like '2026-11-20 (A1) Rent'."
            ),
        ),
        (
            HEAD.replace("03-01", "02-30") + POSTINGS,
            1,
            "'2026-02-30' is not a day of the calendar.",
        ),
        (
            HEAD + POSTINGS.replace("5.00", "1e3"),
            2,
            (
                "'assets:bank  -1e3 USD  ; fund:other' is not a posting like "
                "'assets:bank  12.00 USD  ; fund:projects'."
            ),
        ),
        (
            HEAD + POSTINGS.replace("USD", "CAD"),
            2,
            ("'assets:bank  -5.00 CAD  ; fund:other' is in CAD; the books are in USD."),
        ),
        (
            HEAD + "    assets:bank  -0.00 USD  ; fund:other\n",
            2,
            "'-0.00' is not an amount; zero has no sign, write 0.",
        ),
        (
            HEAD + POSTINGS.replace("fund:other", "fund:mine"),
            2,
            "There is no fund 'mine'; the funds are projects, staff, marketing, other, committed.",
        ),
        (
            HEAD + POSTINGS.replace("expenses:staff", "spending"),
            3,
            "'spending' is not an account name like 'expenses:staff'.",
        ),
        (
            HEAD + POSTINGS.replace(" 5.00", " 6.00"),
            1,
            "The entry 'Rent' is off by $1.00 in the fund 'other'; every fund must sum to zero.",
        ),
        (HEAD + "    ; kind:loan\n" + POSTINGS, 1, "There is no kind of entry 'loan'."),
        (
            HEAD + "    ; foreign:lots\n" + POSTINGS,
            1,
            "'lots' is not a foreign amount like 'KES 5160000 129.00'.",
        ),
        (HEAD + "    ; reference:%FF\n", 2, "The percent signs in '%FF' do not encode UTF-8."),
        (HEAD + "    ; reference:a%00\n", 2, "'a%00' encodes a zero byte."),
    ],
)
def test_bad_transactions_are_rejected_by_line(text: str, line: int, message: str) -> None:
    """An invalid transaction is returned with its line, and the next one is read."""
    found, report = read(f"{text}\n{HEAD.replace('(a)', '(b)')}{POSTINGS}")

    assert [f.entry_id for f in found] == ["b"]
    assert [(error.line, error.message) for error in report.rejected] == [(line, message)]


def test_unknown_account_is_named_with_its_line() -> None:
    """An account outside the chart is an error of its own line."""
    report = FileReport()
    content = io.BytesIO((HEAD + POSTINGS).encode())
    chart = ChartOfAccounts.of(["assets:bank"])

    assert list(read_journal(content, "f.journal", report, chart=chart)) == []
    assert [(error.line, error.message) for error in report.rejected] == [
        (3, "The chart of accounts has no 'expenses:staff'; `jara ledger accounts add` adds it.")
    ]


def test_id_that_stands_twice_is_rejected() -> None:
    """A second transaction with the same id is rejected."""
    found, report = read(f"{HEAD}{POSTINGS}\n{HEAD}{POSTINGS}")

    assert len(found) == 1
    assert [(error.line, error.message) for error in report.rejected] == [
        (5, "The id 'a' is used further up already.")
    ]


@pytest.mark.external
@pytest.mark.parametrize("strict", [(), ("--strict",)])
@pytest.mark.parametrize("for_operators", [False, True])
def test_hledger_is_silent(tmp_path: Path, strict: tuple[str, ...], for_operators: bool) -> None:
    """The real hledger accepts the export without output, for any description."""
    path = tmp_path / "books.journal"
    text = written([*HISTORY, ABROAD, *odd_history()], for_operators=for_operators)
    path.write_text(text, encoding="utf-8", newline="")

    assert hledger(path, "check", *strict) == ""


@pytest.mark.external
def test_hledger_reads_the_balances_funds_and_links_we_meant(tmp_path: Path) -> None:
    """Balances, funds and tags are the same in hledger."""
    path = tmp_path / "books.journal"
    path.write_text(written([*HISTORY, ABROAD, *odd_history()]), encoding="utf-8", newline="")
    cells: defaultdict[str, int] = defaultdict(int)
    for entry in [*HISTORY, ABROAD, *odd_history()]:
        for posting in entry.postings:
            cells[posting.account] += posting.cents

    rows = hledger(path, "balance", "--flat", "-O", "csv", "--no-total", "--empty").splitlines()[1:]

    found = dict(row.replace('"', "").removesuffix(" USD").split(",") for row in rows)
    shown = {account: f"{cents / 100:.2f}" for account, cents in cells.items()}
    assert shown == {account: text if text != "0" else "0.00" for account, text in found.items()}
    assert f"({posted_id(3)})" in hledger(path, "print", f"tag:reverses={posted_id(1)}")
    assert "8.00 USD" in hledger(
        path, "balance", "assets:stripe", "tag:kind=pledge", "tag:fund=projects"
    )
    kinds = hledger(path, "tags", "kind", "--values").split()
    assert set(kinds) == {"disbursement", "grant", "pledge", "refund", "reversal"}
