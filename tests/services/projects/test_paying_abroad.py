"""A payout in another currency is shown in both currencies everywhere."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.documents import to_document
from jara.domain.books.foreign import ForeignSum, foreign_payment
from jara.domain.books.journal import PostedEntry
from jara.domain.books.trace_rows import Pool
from jara.domain.errors import NotFound
from jara.domain.reports.parts import ReportPeriod
from jara.records.operations import Approval
from jara.reports.impact import build_impact
from jara.reports.json_data import report_document
from jara.reports.markdown_writer import write_markdown
from jara.reports.statement import build_statement
from jara.services.approvals import approve
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.tracing import trace_member, trace_project
from jara.services.books.transactions import TransactionQuery, list_transactions
from jara.services.books.verification import verify_books
from jara.services.content import import_items
from jara.services.context import Context, Rules
from jara.services.operations.approved_acts import show_approval
from jara.services.operations.operators import add_operator
from jara.services.projects.catalogue import show_project
from jara.services.projects.disbursing import HANDLERS, Disbursement, Payee, disburse
from jara.services.reports.impact import impact_report
from jara.services.reports.open_data import open_data
from jara.services.reports.statements import member_statement
from tests.harness import make_organisation
from tests.rows import as_written
from tests.services.books import ledger_builders
from tests.services.giving.giving_year import make_year
from tests.services.operations.planted_faults import plant
from tests.services.publiclog.test_proofs import run_verifier, write_bundle

YEAR = ReportPeriod(date(2026, 1, 1), date(2026, 12, 31))
PROJECT: dict[str, Any] = {
    "id": "wells",
    "slug": "wells",
    "title": "Wells",
    "status": "In Progress",
    "category": "water",
}
RECEIPT = "ab" * 32
SHOWN = {
    "currency": "KES",
    "amountMinor": 46_440_000,
    "text": "KES 464,400",
    "rate": "129.00",
    "receipt": RECEIPT,
}


def organisation(
    place: Path, rules: Rules | None = None, *, database: Path | None = None
) -> Context:
    """Return books with a member's $10,000, all of it committed to a project by vote."""
    context = make_organisation(place, rules=rules, database=database)
    member = ledger_builders.a_member()
    with context.store.write() as work:
        work.members.add(member, password_hash="-")
    ledger_builders.give(context, 1_000_000, customer_id="cus_ada", member_id=member.id)
    import_items(context, "projects", [dict(PROJECT)])
    ledger_builders.pass_proposal(context, 800_000)
    return context


@pytest.fixture
def context(place: Path) -> Context:
    """Books that can pay a project."""
    return organisation(place)


def abroad(text: str = "KES 464,400", cents: int = 360_000, **changes: Any) -> Disbursement:
    """Return a payment that was received in another currency."""
    foreign = foreign_payment(text, cents=cents, source="bank slip 1182")
    with_receipt = foreign._replace(receipt=RECEIPT)
    payment = Disbursement(Payee.PROJECTS, "wells", cents, proposal="wells", foreign=with_receipt)
    return payment._replace(**changes)


def test_the_public_page_shows_both_amounts(context: Context) -> None:
    """Each payout has its rate, and sums are in both currencies; no operator text is shown."""
    disburse(context, abroad())
    disburse(context, Disbursement(Payee.PROJECTS, "wells", 100, proposal="wells"))
    disburse(context, abroad("KES 128,000.50", 100_000))
    project = show_project(context, "wells")

    payouts = project["payouts"]
    assert [payouts[0]["foreign"], payouts[1].get("foreign"), payouts[2]["foreign"]["text"]] == [
        SHOWN,
        None,
        "KES 128,000.50",
    ]
    assert project["paidAbroad"] == [
        {"currency": "KES", "amountMinor": 59_240_050, "text": "KES 592,400.50", "cents": 460_000}
    ]
    assert "slip" not in str(project)


def test_report_statement_trace_and_open_data_show_both_amounts(context: Context) -> None:
    """All of them are made from the same entry."""
    disburse(context, abroad())
    report = impact_report(context, YEAR)
    statement = member_statement(context, "ada@example.org", YEAR)
    said = "$3,600.00 = KES 464,400"

    assert report_document(report)["disbursements"][0]["foreign"] == SHOWN
    assert f"{said}." in write_markdown(build_impact(report))
    assert "Wells = KES 464,400 at 129.00" in write_markdown(build_impact(report))
    (paid,) = report_document(statement)["funds"]["projects"]["paid"]
    assert (paid["cents"], paid["wholeCents"], paid["foreign"]) == (360_000, 360_000, SHOWN)
    assert f"{said} at 129.00" in write_markdown(build_statement(statement))
    (traced,) = trace_member(context, "ada@example.org").funds[Pool.PROJECTS].paid
    assert (traced.whole_cents, traced.foreign and traced.foreign.rate) == (360_000, "129.00")
    assert trace_project(context, "wells").paid_abroad == (ForeignSum("KES", 46_440_000, 360_000),)
    (row,) = open_data(context).rows["payouts"]
    assert (row["currency"], row["currency_minor"]) == ("KES", 46_440_000)
    rows = list_transactions(context, TransactionQuery(kind="disbursement")).items
    assert [to_document(row.foreign) for row in rows] == [SHOWN]


def test_reports_without_such_payments_say_nothing_of_them(context: Context) -> None:
    """Their documents are the same as without the feature."""
    disburse(context, Disbursement(Payee.PROJECTS, "wells", 100, proposal="wells"))
    report = impact_report(context, YEAR)
    statement = member_statement(context, "ada@example.org", YEAR)

    assert "paidAbroad" not in report_document(report)
    assert "other currencies" not in write_markdown(build_impact(report))
    assert "another currency" not in write_markdown(build_statement(statement))
    assert show_project(context, "wells")["paidAbroad"] == []
    assert trace_project(context, "wells").paid_abroad == ()


def test_a_reversal_is_shown_in_both_currencies(context: Context) -> None:
    """The money is held again, and the sums are zero again."""
    disburse(context, abroad())
    reverse_entry(context, ledger_builders.newest(context).id, why="sent to the wrong account")
    project = show_project(context, "wells")

    assert [payout["foreign"]["text"] for payout in project["payouts"]] == [
        "KES 464,400",
        "-KES 464,400",
    ]
    assert (project["paidAbroad"], project["paidCents"]) == ([], 0)


def test_the_log_binds_amount_rate_source_and_receipt(context: Context) -> None:
    """The leaf holds no operator's text, and a source changed in the database is found."""
    disburse(context, abroad())
    posted = ledger_builders.newest(context)
    with context.store.read() as work:
        leaf = json.loads(work.log.leaf(posted.index).body)["foreign"]
    before = _wrong_columns(context)
    plant(context, "UPDATE entries SET foreign_doc = replace(foreign_doc, '1182', '1183')")

    assert (
        leaf["currency"],
        leaf["amount"],
        leaf["rate"],
        leaf["receipt"],
        len(leaf["source"]),
    ) == ("KES", 46_440_000, "129.00", RECEIPT, 64)
    assert (before, _wrong_columns(context)) == ([], [f"leaf {posted.index}"])


def _wrong_columns(context: Context) -> list[str]:
    findings = verify_books(context).findings
    return [found.where for found in findings if found.check == "entry_columns"]


def test_a_stranger_verifies_the_bundle(tmp_path: Path) -> None:
    """The verifier in the bundle knows leaves with a source and a receipt."""
    context = make_year(tmp_path / "org")
    done = disburse(context, abroad(cents=300)._replace(slug="village-wells", proposal="prop_01"))
    bundle = write_bundle(context, tmp_path / "b.tar")
    context.store.close()

    assert isinstance(done, PostedEntry)
    assert run_verifier(bundle) == 0


def test_the_overhead_pays_the_banks_charge(context: Context) -> None:
    """The charge is a separate entry of the same day; the project gets its full amount."""
    day = date(2026, 11, 4)
    disburse(context, abroad(charge_cents=20, day=day))
    charge = ledger_builders.all_entries(context)[-1]

    assert as_written(charge) == "expenses:fees:bank s +7 m +9 o +4 · assets:bank s -7 m -9 o -4"
    assert charge.day == day
    assert ledger_builders.account_sums(context)["expenses:projects:wells"] == 360_000
    assert _note(context) == f"Charge for {trace_project(context, 'wells').payments[0].entry}"


def _note(context: Context) -> str | None:
    index = ledger_builders.newest(context).index
    with context.store.read() as work:
        return work.journal.notes_of([index])[index]


def test_an_approval_shows_what_it_approves(place: Path) -> None:
    """It shows amount, rate, source, receipt and charge; then both entries are posted."""
    context = organisation(place, Rules(approval_cents=1000))
    add_operator(context, "tester")
    add_operator(context, "second")
    waiting = disburse(context, abroad(charge_cents=20))
    assert isinstance(waiting, Approval)
    shown = show_approval(context, waiting.id)
    approve(replace(context, operator="second"), waiting.id, handlers=HANDLERS)

    assert shown["foreign"] == {**SHOWN, "source": "bank slip 1182"}
    assert shown["bankChargeCents"] == 20
    assert [
        entry.foreign and entry.foreign.source
        for entry in ledger_builders.all_entries(context)[-2:]
    ] == ["bank slip 1182", None]
    assert ledger_builders.account_sums(context)["expenses:fees:bank"] == 20


def test_a_charge_over_the_limit_is_no_way_around_approval(place: Path) -> None:
    """Payment and charge count together, and wait together."""
    context = organisation(place, Rules(approval_cents=1000))

    assert isinstance(disburse(context, abroad(cents=900, charge_cents=100)), Approval)
    with pytest.raises(NotFound):
        trace_project(context, "wells")


amounts = st.lists(st.tuples(st.integers(1, 40_000), st.integers(1, 10**9)), min_size=1, max_size=6)


@settings(max_examples=5, deadline=None)
@given(amounts)
def test_both_sums_equal_their_parts(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int]]
) -> None:
    """Page, report and trace agree in dollars and in the other currency."""
    context = organisation(tmp_path_factory.mktemp("org"))
    for cents, minor in rows:
        disburse(context, abroad(f"KES {minor // 100}.{minor % 100:02d}", cents))
    project = show_project(context, "wells")
    traced = trace_project(context, "wells").paid_abroad
    reported = impact_report(context, YEAR).paid_abroad
    context.store.close()

    total = ForeignSum("KES", sum(minor for _, minor in rows), sum(cents for cents, _ in rows))
    assert (total,) == traced == reported
    (shown,) = project["paidAbroad"]
    assert (total.amount_minor, total.cents) == (shown["amountMinor"], shown["cents"])
    assert total.amount_minor == sum(p["foreign"]["amountMinor"] for p in project["payouts"])
    assert total.cents == project["paidCents"]
