"""Spends that need a document: named until they have one, and counted in the impact report."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.control.state import Limits
from jara.domain.papers import PaperKind
from jara.domain.reports.impact import PaperFigures
from jara.domain.reports.parts import ReportPeriod
from jara.reports.render import ReportFormat, render
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.paper_rule import paper_rule, spends_without_document
from jara.services.books.papers import add_documents, erase_document
from jara.services.context import Context
from jara.services.operations.control import set_limits
from jara.services.operations.start_page import read_start_page
from jara.services.reports.impact import impact_report
from tests.fakes.operators import acting, approve_as
from tests.harness import clock_of, make_organisation
from tests.services.books.test_papers import INVOICE, spend
from tests.services.operations.controlled_world import make_controlled, verify
from tests.services.operations.doctor import look

RULE = Limits(documents_from_cents=50_00, documents_within_days=30)
NOVEMBER = ReportPeriod(date(2026, 11, 1), date(2026, 11, 30))


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Return an organisation that asks for documents from $50 on, after a spend of $80."""
    context = make_organisation(tmp_path)
    spend(context, 80_00)
    set_limits(context, RULE, why="Voted by the trustees")
    return context


def waiting(context: Context) -> list[str]:
    """Return what the start page says of documents."""
    return [one.what for one in read_start_page(context).waiting if "document" in one.what]


def doctor_says(context: Context) -> list[str]:
    """Return the doctor's sentences about documents."""
    return [one.message for one in look(context) if one.name == "documents"]


def test_the_rule_alone_is_no_limit(context: Context) -> None:
    """It says nothing of what one person may do."""
    assert not RULE.is_set
    with context.store.read() as work:
        rule = paper_rule(work)
    assert rule is not None
    assert rule.from_cents == 50_00


def test_a_spend_is_named_until_it_has_its_document(context: Context) -> None:
    """On the start page at once, by the doctor after the days; older and small ones never."""
    chairs, _small = spend(context, 60_00), spend(context, 49_99)

    assert waiting(context) == ["1 spend without a document, $60.00 together"]
    clock_of(context).advance(days=30)
    assert doctor_says(context) == ["Each spend has its document, or still has time."]
    clock_of(context).advance(days=1)
    (said,) = doctor_says(context)
    assert said.startswith("1 spend without a document, $60.00 together, for more than 30 days")
    assert said.endswith(f": jara ledger document {chairs.id} FILE")
    add_documents(context, chairs.id, [INVOICE], PaperKind.INVOICE)
    assert waiting(context) == []
    erase_document(context, INVOICE.hash, why="An address.")
    assert waiting(context) == []


def test_a_reversed_spend_needs_no_document(context: Context) -> None:
    """Neither it nor its reversal."""
    wrong = spend(context, 60_00)

    reverse_entry(context, wrong.id, why="Booked twice.")

    assert waiting(context) == []


def test_the_audit_lists_every_spend_of_a_year(context: Context) -> None:
    """Those before the rule too; without a rule, those of any amount."""
    spend(context, 60_00), spend(context, 10_00)

    def listed() -> list[int]:
        with context.store.read() as work:
            found = spends_without_document(work, date(2026, 1, 1), date(2026, 12, 31))
        return [one.cents for one in found]

    assert listed() == [80_00, 60_00]
    set_limits(context, Limits(), why="Voted by the trustees")
    assert listed() == [80_00, 60_00, 10_00]
    assert (waiting(context), doctor_says(context)) == ([], [])


def test_the_impact_report_says_how_much_has_its_document(context: Context) -> None:
    """Of what was spent in payments that need one."""
    chairs, _ = spend(context, 60_00), spend(context, 10_00)
    add_documents(context, chairs.id, [INVOICE], PaperKind.INVOICE)

    report = impact_report(context, NOVEMBER)

    assert report.papers == PaperFigures(50_00, 140_00, 60_00)
    shown = render(report, ReportFormat.MARKDOWN).decode()
    assert "42.8% of the $140.00 spent in payments of $50.00 or more has its document." in shown


def test_the_verifier_reads_the_rule(tmp_path: Path) -> None:
    """It stands in the leaf of the limits, signed like them."""
    context = make_controlled(tmp_path)
    limits = Limits(10_00, documents_from_cents=50_00, documents_within_days=30)
    approve_as(context, set_limits(acting(context, "ada"), limits, why="Voted"), "ben")

    assert verify(context, tmp_path)[0] == 0
