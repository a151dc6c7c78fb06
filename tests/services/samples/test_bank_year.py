"""A year of bank statements in each format, imported and reconciled without a difference."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from jara.domain.bank.booking import Part
from jara.domain.bank.rules import Direction, Rule
from jara.domain.bank.statement import Statement
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.organisation import PaymentMode
from jara.files.bank.reader import read_statements
from jara.files.bank.writing import sample_mapping, write_csv, write_with_euro
from jara.files.ledger.csv_file import read_ledger_csv
from jara.files.reading import FileReport
from jara.services.bank.answering import add_rule, book_line, list_waiting
from jara.services.bank.importing import import_statements
from jara.services.bank.reconciling import reconcile_bank
from jara.services.books.entry_importing import import_entries
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.payments.ways import list_ways
from jara.services.samples.bank_year import (
    ACCOUNT,
    FEE_TEXT,
    bank_year,
    overlap_alone,
    prepare_payers,
    prepare_usual_payers,
    without_overlap,
)
from tests.files.bank.written_statements import WRITERS
from tests.harness import copy_of, make_organisation
from tests.places import NewPlace
from tests.services.ballots.voting_world import add_former_payer
from tests.services.books.ledger_builders import REPORTS, SAMPLES, book_samples
from tests.services.giving.joiners import join
from tests.sizes import some

PAYERS = 8
FEES = Rule("rule_fees", Direction.OUT, "expenses:fees:bank", contains=FEE_TEXT, why="Fee")


@pytest.fixture
def context(new_place: NewPlace) -> Iterator[Context]:
    """The sample books on the last day of their second year, with members who pay by transfer."""
    context = copy_of(sample_books, new_place())
    yield context
    context.store.close()


def sample_books(folder: Path) -> Context:
    """Make the sample books."""
    context = make_organisation(folder, at=datetime(2026, 1, 10, 12, tzinfo=UTC))
    book_samples(context, *REPORTS)
    with (SAMPLES / "bank.csv").open("rb") as stream:
        assert not import_entries(context, read_ledger_csv(stream, "b", FileReport())).rejected
    for number in range(PAYERS):
        add_former_payer(context, f"payer{number}")
    prepare_payers(context, PAYERS)
    return context


def differences(context: Context) -> list[int]:
    """Return the difference at each month's end."""
    ends = [date(2025, month, monthrange(2025, month)[1]) for month in range(1, 13)]
    return [reconcile_bank(context, end).difference_cents for end in ends]


@pytest.mark.parametrize("form", some(WRITERS, step=4))
def test_most_lines_of_a_year_match_by_themselves(context: Context, form: str) -> None:
    """At least 95 % of the lines match automatically; booking the rest leaves no difference."""
    statements = bank_year(context, 2025)
    data = WRITERS[form](without_overlap(statements) if form == "csv" else statements)
    add_rule(context, FEES)
    mappings = {"samples": sample_mapping(ACCOUNT)}

    def take() -> tuple[int, int]:
        found = read_statements(data, form, FileReport(), mappings=mappings)
        outcome = import_statements(context, found, file=form, new_account="assets:bank")
        return outcome.added, outcome.settled.matched

    added, matched = take()
    waiting = list_waiting(context)
    assert (len(waiting), matched >= 0.95 * added) == (added - matched, True)
    for line in waiting:
        book_line(context, line.id, [Part("liabilities:suspense")])

    assert differences(context) == [0] * 12
    assert take() == (0, 0)
    assert verify_books(context).ok


def test_a_line_in_euros_is_named(context: Context) -> None:
    """Euro lines are in separate files and are rejected; the other lines are unchanged."""
    statement = bank_year(context, 2025)[0]
    mappings = {"samples": sample_mapping(ACCOUNT)}
    files = write_with_euro(statement)

    assert list(files) == ["camt.xml", "ofx", "csv"]
    for data in files.values():
        report = FileReport()
        found = list(read_statements(data, "e", report, mappings=mappings))
        assert [fault.message for fault in report.rejected] == ["the amount is in EUR, not USD."]
        assert len(statement.lines) == len(found[0].lines)
        assert statement.closing_cents == found[0].closing_cents


def test_the_overlap_adds_nothing_in_csv_either(context: Context) -> None:
    """A separate file with June and July again adds nothing."""
    statements = bank_year(context, 2025)
    mappings = {"samples": sample_mapping(ACCOUNT)}

    def add(kept: list[Statement]) -> int:
        found = read_statements(write_csv(kept), "f", FileReport(), mappings=mappings)
        return import_statements(context, found, file="f", new_account="assets:bank").added

    assert add(without_overlap(statements)) > 100
    (overlap,) = overlap_alone(statements)
    assert (overlap.first_day.month, overlap.last_day.month) == (6, 7)
    assert add([overlap]) == 0


def test_sample_payers_are_for_sandboxes(place: Path) -> None:
    """Payers must have no running pledge; the usual number is prepared once."""
    context = make_organisation(place)
    join(context)
    assert prepare_usual_payers(context) == 0
    add_former_payer(context, "ada")
    with pytest.raises(InvalidInput, match="Only 1 members have no running pledge; 2 are"):
        prepare_payers(context, 2)
    with pytest.raises(Conflict, match="sandbox payments"):
        prepare_payers(replace(context, payment_mode=PaymentMode.LIVE), 1)
    assert prepare_usual_payers(replace(context, payment_mode=PaymentMode.LIVE)) == 0
    with pytest.raises(Conflict, match="sandbox payments"):
        bank_year(replace(context, payment_mode=PaymentMode.LIVE), 2025)
    assert prepare_usual_payers(context) == 1
    add_former_payer(context, "bo")
    assert prepare_usual_payers(context) == 0  # a member already pays by transfer
    prepare_payers(context, 1)

    assert [one.way for one in list_ways(context)] == ["transfer"]
