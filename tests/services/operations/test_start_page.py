"""The start page: figures, votes, and each waiting item with its command."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from jara.domain.books.account import BANK, SUSPENSE, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.giving.payment_way import PaymentWay
from jara.services.books.posting import Books
from jara.services.context import Context, Rules
from jara.services.giving.pledging import replace_card
from jara.services.operations.last_run import note_run
from jara.services.operations.start_page import read_start_page
from jara.services.payments.charging import charge_due
from jara.services.payments.receiving import follow_payments, promise, receive
from jara.services.payments.refunding import refund_payment
from jara.services.payments.ways import set_way
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import COUNTRIES, clock_of, copy_of, make_organisation
from tests.services.ballots.voting_world import open_vote
from tests.services.bank.bank_books import take
from tests.services.bank.test_contributions import promised
from tests.services.books.ledger_builders import book
from tests.services.giving.giving_year import make_year
from tests.services.giving.joiners import FAILS, join, sandbox_of
from tests.services.payments.test_import_orders import a_refund


def commands(context: Context) -> list[str]:
    """Return the commands of the waiting items."""
    return [one.command for one in read_start_page(context).waiting]


def test_a_new_organisation_waits_for_its_daily_run(place: Path) -> None:
    """Nothing else waits."""
    page = read_start_page(make_organisation(place))

    assert (page.members, page.changemakers, page.cash_cents, page.free_cents) == (0, 0, 0, 0)
    assert page.votes == ()
    assert [one.what for one in page.waiting] == ["daily run, for the first time"]


def test_the_figures_are_those_of_the_books(place: Path) -> None:
    """It shows members, changemakers, cash, and open votes with their counts."""
    page = read_start_page(copy_of(make_year, place))

    assert (
        page.organisation,
        page.mode,
        page.changemakers,
        page.monthly_cents,
    ) == ("Jara", "sandbox", 2, 4500)
    assert page.members >= page.changemakers
    assert page.cash_cents > page.free_cents > 0
    (vote,) = page.votes
    assert (vote.yes, vote.no) >= (0, 0)


def test_what_waits_has_its_command(place: Path) -> None:
    """Approvals, failed charges, suspense, emails, ended votes and a late daily run are listed."""
    context = make_organisation(place, rules=Rules(countries=COUNTRIES, approval_cents=500))
    ama, kofi = (join(context, f"{name}@example.org").member for name in ("ama", "kofi"))
    open_vote(context)
    with context.store.read() as work:
        charge = work.payments.of_member(kofi.key)[0].source_id or ""
    refund_payment(context, charge, why="paid twice")
    replace_card(context, ama.id, FAILS)
    lines = (Posting(BANK, Fund.OTHER, 90), Posting(SUSPENSE, Fund.OTHER, -90))
    with context.store.write() as work:
        Books(context, work).post(JournalEntry(context.today(), EntryKind.GRANT, "?", lines))
        note_run(work, context.now(), ["mail"])
    clock_of(context).advance(days=32)
    charge_due(context, sandbox_of(context))

    assert commands(context) == [
        "jara proposals close",
        "jara approvals list",
        "jara pledges list --state past_due --way card",
        "jara ledger register liabilities:suspense",
        "jara mail send",
        "jara run daily",
    ]
    with context.store.write() as work:
        note_run(work, context.now() - timedelta(hours=37), [])
    assert "daily run, since 2026-12-" in read_start_page(context).waiting[-1].what
    with context.store.write() as work:
        note_run(work, context.now(), [])
    assert "jara run daily" not in commands(context)


def test_a_late_transfer_is_no_failed_charge(place: Path) -> None:
    """Each payment method is counted separately, with the command that lists late payers."""
    context = make_organisation(place)
    for way in (PaymentWay.TRANSFER, PaymentWay.MOBILE):
        set_way(context, way, ledger=BANK, details="")
    for name in ("ada", "bo", "cy"):
        promised(context, name)
    promise(context, "cy@example.org", dollars=10, way=PaymentWay.MOBILE)
    for name in ("ada", "bo", "cy"):
        receive(context, f"{name}@example.org", 1000)
    clock_of(context).advance(days=40)
    follow_payments(context)
    late = [one for one in read_start_page(context).waiting if "late" in one.what]

    assert [(one.what, one.command) for one in late] == [
        ("1 late mobile payment", "jara pledges list --state past_due --way mobile"),
        ("2 late transfers", "jara pledges list --state past_due --way transfer"),
    ]


def test_bank_lines_without_a_match_wait(place: Path) -> None:
    """The number of unmatched lines has the command that lists them."""
    context = make_organisation(place)
    take(context, a_statement(a_line(1000, "GIFT ADA", day=4), opening=100))

    (line, _) = read_start_page(context).waiting

    assert (line.what, line.command) == ("1 bank line without a match", "jara bank waiting")


def test_a_refund_without_its_payment_waits(place: Path) -> None:
    """It is listed with `jara ledger verify`, which names the missing file."""
    context = make_organisation(place)
    book(context, a_refund())

    (refund, _) = read_start_page(context).waiting

    assert (refund.what, refund.command) == ("1 movement without a cause", "jara ledger waiting")


def test_a_failed_step_names_the_command_that_explains_it(place: Path) -> None:
    """A step with its own command names it; the other steps name the daily run."""
    context = make_organisation(place)
    with context.store.write() as work:
        note_run(work, context.now(), ["reconcile", "votes"])

    assert [(one.what, one.command) for one in read_start_page(context).waiting] == [
        ("failed step of the daily run: reconcile", "jara ledger reconcile"),
        ("failed step of the daily run: votes", "jara run daily"),
    ]
