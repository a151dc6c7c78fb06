"""Entries from files: Jara's own formats and operators' documents."""

import io
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import EntryKind, Foreign, JournalEntry, Posting
from jara.domain.errors import (
    Conflict,
    InvalidAmount,
    InvalidInput,
    UnbalancedEntry,
    UnknownAccount,
    UnknownFund,
)
from jara.files.ledger.csv_file import read_ledger_csv, write_ledger_csv
from jara.files.ledger.journal_reader import read_journal
from jara.files.reading import FileReport
from jara.records.journal import YearLock
from jara.services.books.entry_documents import read_entry, write_entry
from jara.services.books.entry_importing import FileEntry, import_entries
from jara.services.books.imports import ImportOutcome, Rejected
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.harness import make_organisation
from tests.rows import NOON
from tests.services.books import ledger_builders
from tests.services.books.entry_writing import TODAY, an_entry, with_posting
from tests.sizes import size

DAY = date(2026, 3, 5)


def an_item(entry_id: str, entry: JournalEntry, *, line: int = 1, **links: str | None) -> FileEntry:
    """Return an item of a file with its links."""
    return FileEntry(line, entry_id, entry, **links)


def moved(cents: int = 100, **changes: object) -> JournalEntry:
    """Return an entry that moves money from the bank."""
    entry = JournalEntry(
        day=DAY,
        kind=EntryKind.MANUAL,
        description="Moved",
        postings=(
            Posting("expenses:operations", Fund.OTHER, cents),
            Posting("assets:bank", Fund.OTHER, -cents),
        ),
        source="import",
        external_id="csv:1",
    )
    return replace(entry, **changes)  # type: ignore[arg-type] # given by the test, by name


def test_bank_samples_are_the_same_as_csv_and_as_journal(context: Context, place: Path) -> None:
    """Both files give the same balances, and the second time nothing new."""
    other = make_organisation(place / "other")
    report = FileReport()
    with (ledger_builders.SAMPLES / "bank.csv").open("rb") as stream:
        first = import_entries(context, read_ledger_csv(stream, "bank.csv", report))
    with (ledger_builders.SAMPLES / "bank.csv").open("rb") as stream:
        again = import_entries(context, read_ledger_csv(stream, "bank.csv", report))
    with (ledger_builders.SAMPLES / "bank.journal").open("rb") as stream:
        import_entries(other, read_journal(stream, "bank.journal", report))

    assert (first.read, first.posted, first.skipped) == (61, 61, 0)
    assert (again.read, again.posted, again.skipped) == (61, 0, 61)
    assert ledger_builders.account_sums(context) == ledger_builders.account_sums(other)


def test_our_journal_rebuilds_the_books(context: Context, place: Path) -> None:
    """The exported journal gives the same balances and trace in an empty database."""
    rows = ledger_builders.sample_rows(*ledger_builders.REPORTS)[0][
        : size(150, 10_000, full=10_000)
    ]
    ledger_builders.book(context, *rows)
    ledger_builders.give(context, 100_000, "big")
    ledger_builders.pass_proposal(context, 5000)
    disburse(context, Disbursement(Payee.PROJECTS, "wells", 2000, proposal="wells"))
    other = make_organisation(place / "other")

    steps: list[int] = []
    entries = read_journal(ledger_builders.journal_of(context), "j", FileReport())
    outcome = import_entries(other, entries, progress=steps.append)

    assert (outcome.posted, outcome.rejected) == (len(ledger_builders.all_entries(context)), ())
    assert outcome.read == sum(steps)
    assert ledger_builders.account_sums(context) == ledger_builders.account_sums(other)
    assert ledger_builders.funds(context) == ledger_builders.funds(other)
    assert verify_books(other).findings == ()
    with other.store.read() as work:
        record = work.commitments.get("prop_wells")
    assert record is not None
    assert record.commitment == Commitment("prop_wells", 5000, held=3000, paid=2000)
    assert ledger_builders.book(other, *rows).posted == 0, (
        "all rows of the provider's files are booked already"
    )


def test_our_own_csv_is_known_in_the_books_it_came_from(context: Context) -> None:
    """An id of our own books identifies the entry."""
    ledger_builders.give(context, 1000)
    text = io.StringIO(newline="")
    with context.store.read() as work:
        write_ledger_csv(work.journal.in_log_order(), text)

    stream = io.BytesIO(text.getvalue().encode())
    outcome = import_entries(context, read_ledger_csv(stream, "l.csv", FileReport()))

    assert outcome == ImportOutcome(1, 0, 1)


def test_the_same_id_with_other_content_is_rejected(context: Context) -> None:
    """This holds within one file too; identical entries are skipped."""
    items = [an_item("1", moved()), an_item("2", moved()), an_item("3", moved(101), line=9)]

    outcome = import_entries(context, items)

    assert (outcome.read, outcome.posted, outcome.skipped) == (3, 0, 0)
    assert outcome.rejected[0].line == 9
    assert "is in the books with other content" in outcome.rejected[0].message
    assert ledger_builders.all_entries(context) == []
    partly = import_entries(context, items, partial=True)
    assert (partly.posted, partly.skipped, len(partly.rejected)) == (1, 1, 1)


def test_a_reversal_finds_its_entry_earlier_in_the_file_or_the_books(context: Context) -> None:
    """A reversal finds its entry further up in the file, or in the books."""
    undo = moved(-100, kind=EntryKind.REVERSAL, external_id=None)
    undo = replace(undo, postings=tuple(replace(p, cents=-p.cents) for p in moved().postings))
    lost = an_item("9", undo, reverses_id="nowhere", line=3)

    outcome = import_entries(
        context, [an_item("1", moved()), an_item("2", undo, reverses_id="1"), lost], partial=True
    )

    assert (outcome.posted, len(outcome.rejected)) == (2, 1)
    assert "neither earlier in the file nor in the books" in outcome.rejected[0].message
    assert tuple(entry.reverses for entry in ledger_builders.all_entries(context)) == (None, 2)
    with context.store.read() as work:
        first = work.journal.get(2).id
    with pytest.raises(Conflict, match="already reversed"):
        import_entries(context, [an_item("8", undo, reverses_id=first)])


def test_unknown_accounts_and_closed_years_are_rejected_by_line(context: Context) -> None:
    """Each line is rejected with its reason, together with the reader's faults."""
    with context.store.write() as work:
        work.book_settings.lock_year(YearLock(2025, NOON, 2, "00", {}))
    unknown = replace(moved(external_id="csv:2"), postings=_on("expenses:yachts"))
    items = [an_item("1", moved(day=date(2025, 1, 1)), line=2), an_item("2", unknown, line=4)]

    outcome = import_entries(context, items, faults=[Rejected(6, "broken")])

    assert [item.line for item in outcome.rejected] == [2, 4, 6]
    assert "closed" in outcome.rejected[0].message
    assert (
        outcome.rejected[1].message
        == "The chart of accounts has no 'expenses:yachts'; `jara ledger accounts add` adds it."
    )


def test_committed_money_grows_with_a_second_file(context: Context) -> None:
    """The proposal's held money follows the entries; one without a reference changes none."""
    hold = moved(
        kind=EntryKind.COMMITMENT,
        reference="prop_9",
        external_id="j:1",
        postings=(
            Posting("assets:bank", Fund.COMMITTED, 300),
            Posting("equity:transfers", Fund.COMMITTED, -300),
        ),
    )
    import_entries(context, [an_item("1", hold)])
    import_entries(context, [an_item("2", replace(hold, external_id="j:2"))])
    import_entries(context, [an_item("3", replace(hold, external_id="j:3", reference=None))])

    with context.store.read() as work:
        record = work.commitments.get("prop_9")
    assert record is not None
    assert record.commitment.held == 600


def _on(account: str) -> tuple[Posting, ...]:
    return (Posting(account, Fund.OTHER, 100), Posting("assets:bank", Fund.OTHER, -100))


def test_a_day_far_ahead_needs_to_be_meant(context: Context) -> None:
    """A year mistyped as a future one is refused with its line, unless future days are allowed."""
    far = [an_item("x", moved(day=date(2062, 12, 1)))]

    [refused] = import_entries(context, far).rejected
    assert "2062-12-01 is more than 7 days ahead" in refused.message
    assert import_entries(context, far, future=True).posted == 1


def test_a_document_and_its_entry_say_the_same() -> None:
    """The operator's own text is kept out of the public log."""
    entry = an_entry(
        reference="site",
        externalId=17,
        foreign={"currency": "KES", "amountMinor": 161_250, "rate": "129.00"},
    )

    assert (entry.description, entry.note, entry.reference, entry.external_id) == (
        "Expense",
        "Domain name",
        "site",
        "17",
    )
    assert entry.foreign == Foreign("KES", 161_250, "129.00")
    assert read_entry(write_entry(entry), today=TODAY) == entry
    assert TODAY == an_entry(date=None).day == an_entry(date=TODAY).day
    assert an_entry(kind=None).kind == EntryKind.MANUAL


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        (with_posting(amount="1e3"), InvalidAmount, "1e3"),
        (with_posting(amount="NaN"), InvalidAmount, "NaN"),
        (with_posting(amount="10.005"), InvalidAmount, "10.005"),
        (with_posting(amount="٣"), InvalidAmount, "٣"),
        (with_posting(amount="-0"), InvalidAmount, "-0"),
        (with_posting(amount=12.5), InvalidInput, "write it as text"),
        (with_posting(amount="12.51"), UnbalancedEntry, "off by \\$0.01"),
        (with_posting(fund="savings"), UnknownFund, "savings"),
        (with_posting(fund=None), InvalidInput, "names its 'account' and its 'fund'"),
        (with_posting(account="Operations"), UnknownAccount, "Operations"),
        (with_posting(cents=1250), InvalidInput, "needs 'amount', such as 12.50, or 'cents'"),
        (with_posting(colour="red"), InvalidInput, "unknown key 'colour'"),
        ({"postings": []}, UnbalancedEntry, "at least two"),
        ({"postings": None}, InvalidInput, "no list of 'postings'"),
        ({"postings": ["x"]}, InvalidInput, "must be an object with keys"),
        ({"kind": "pledge"}, InvalidInput, "posts no 'pledge'"),
        ({"kind": "gratuity"}, InvalidInput, "posts no 'gratuity'"),
        ({"date": "2026-02-30"}, InvalidInput, "2026-02-30"),
        ({"date": "20261119"}, InvalidInput, "20261119"),
        ({"foreign": {"currency": "kes", "amountMinor": 1, "rate": "1"}}, InvalidInput, "kes"),
        ({"foreign": {"currency": "KES", "amountMinor": 1, "rate": "1e3"}}, InvalidInput, "1e3"),
        ({"foreign": {"currency": "KSH", "amountMinor": 1, "rate": "1"}}, InvalidInput, "KSH"),
        (
            {"foreign": {"currency": "KES", "amountMinor": 1, "rate": "1", "receipt": "slip"}},
            InvalidInput,
            "'slip' is not a SHA-256",
        ),
        (
            {"foreign": {"currency": "KES", "amountMinor": "1", "rate": "1"}},
            InvalidInput,
            "whole number",
        ),
    ],
)  # fmt: skip
def test_bad_input_names_the_value(
    changes: dict[str, object], error: type[InvalidInput], words: str
) -> None:
    """Each broken rule has its own message, which names the value."""
    with pytest.raises(error, match=words):
        an_entry(**changes)
