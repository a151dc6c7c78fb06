"""The spending report: what left, who asked for it, and who signed."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.bank.booking import Part
from jara.domain.bank.rules import Direction, Rule
from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import PostedEntry
from jara.domain.errors import Unavailable
from jara.domain.reports.parts import ReportPeriod
from jara.services.approvals import approve
from jara.services.bank.answering import add_rule, book_line, list_waiting
from jara.services.bank.importing import import_statements
from jara.services.books.bookkeeping import move_between_funds, post_entry, reverse_entry
from jara.services.context import Context, Rules
from jara.services.operations.approved_acts import HANDLERS
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.reports.spending import signers_of_entry, spending_report
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.fakes.operators import acting, approve_as
from tests.harness import copy_of, make_organisation
from tests.services.books.ledger_builders import give
from tests.services.giving.joiners import breaking
from tests.services.operations.controlled_world import grant, make_controlled
from tests.services.operations.test_money_alone import an_entry
from tests.services.payments.test_refunding import waiting_refund

NOVEMBER = ReportPeriod(date(2026, 11, 1), date(2026, 11, 30))


@pytest.fixture
def context(place: Path) -> Context:
    """Six keys with different roles, and a limit of $10."""
    return copy_of(make_controlled, place)


def people(context: Context) -> list[tuple[int, str, tuple[str, ...], str]]:
    """Return amount, people and reason of each payment of November, by amount."""
    report = spending_report(context, NOVEMBER, by_signers=True)
    return sorted((one.cents, one.asked_by, one.signed_by, one.why) for one in report.payments)


def test_the_signers_of_each_payment_are_named(context: Context) -> None:
    """What waited has who asked and who approved; what is below the limits has one person."""
    small = grant(context, "kit", 300)
    assert isinstance(small, PostedEntry)
    payment = Disbursement(Payee.GRANTS, "library", 5_000, note="Books", charge_cents=40)
    entry = approve_as(context, disburse(acting(context, "kit"), payment), "ben")
    assert isinstance(entry, PostedEntry)
    reverse_entry(acting(context, "ada"), small.id, why="Paid twice")
    move_between_funds(
        acting(context, "ada"), source=Fund.PROJECTS, target=Fund.STAFF, cents=70, note="A visit"
    )

    assert people(context) == [
        (40, "kit", ("ben",), f"Charge for {entry.id}"),
        (70, "ada", (), "A visit"),
        (300, "kit", (), ""),
        (5_000, "kit", ("ben",), "Books"),
    ]
    report = spending_report(context, NOVEMBER, by_signers=True)
    assert (report.cents, report.alone_cents) == (5_410, 370)
    (charge,) = (one.entry for one in report.payments if one.cents == 40)
    # The leaf of the approval counts two entries.
    assert signers_of_entry(context, charge)[:2] == ("kit", ("ben",))
    assert [(one.person, one.payee, one.cents) for one in report.alone] == [
        ("ada", "Other funds", 70),
        ("kit", "School", 300),
    ]


def test_without_signers_the_report_has_no_names(context: Context) -> None:
    """It has the sums of each payee alone."""
    grant(context, "kit", 300)
    grant(context, "ada", 200)

    report = spending_report(context, NOVEMBER)

    assert (report.alone, report.payments) == ((), ())
    assert [(one.label, one.payments, one.cents, one.alone_cents) for one in report.payees] == [
        ("School", 2, 500, 500)
    ]


def test_lines_of_a_statement_are_of_who_booked_them(context: Context) -> None:
    """A rule books for whoever imports, with its own reason; a match by hand has its reason."""
    rule = Rule("rule_1", Direction.OUT, "expenses:operations", contains="HOSTING", why="Server")
    add_rule(acting(context, "ada"), rule)
    post_entry(acting(context, "ada"), an_entry(-5_000, "income:grants", kind="grant"))
    day = date(2026, 11, 20)
    lines = [a_line(-210, "HOSTING", day=20), a_line(-120, "TEA", day=20)]
    lines = [replace(line, day=day) for line in lines]
    statement = a_statement(*lines, opening=None, first=day, last=day)
    import_statements(acting(context, "kit"), [statement], file="a.csv", new_account=BANK)
    (tea,) = list_waiting(context)
    book_line(acting(context, "ada"), tea.id, [Part("expenses:operations")], why="Tea")

    assert people(context) == [(120, "ada", (), "Tea"), (210, "kit", (), "Server")]


def test_a_refund_by_card_names_who_asked_and_who_approved(place: Path) -> None:
    """Once, in its month, and not while the provider fails, though the act is recorded then."""
    context, waiting = waiting_refund(place)
    with pytest.raises(Unavailable):
        approve_as(breaking(context, "refund"), waiting, "ben")
    assert people(context) == []
    approve_as(context, waiting, "ben")

    assert people(context) == [(500, "ada", ("ben",), "approved by a second operator")]
    october = ReportPeriod(date(2026, 10, 1), date(2026, 10, 31))
    assert spending_report(context, october, by_signers=True).payments == ()


def test_without_keys_the_names_of_the_operators_count(place: Path) -> None:
    """An approval of an organisation without keys names who asked and who approved."""
    context = make_organisation(place, rules=Rules(approval_cents=1_000))
    give(context, 100_000)
    first, second = (replace(context, operator=name) for name in ("ada", "ben"))
    payment = Disbursement(Payee.GRANTS, "library", 2_000, note="Books", charge_cents=40)
    waiting = disburse(first, payment)
    assert not isinstance(waiting, PostedEntry)
    approve(second, waiting.id, handlers=HANDLERS)

    assert [one[:3] for one in people(context)] == [
        (40, "ada", ("ben",)),
        (2_000, "ada", ("ben",)),
    ]
    report = spending_report(context, NOVEMBER, by_signers=True)
    (charge,) = (one.entry for one in report.payments if one.cents == 40)
    assert signers_of_entry(context, charge)[:2] == ("ada", ("ben",))
