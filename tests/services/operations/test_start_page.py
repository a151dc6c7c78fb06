"""The start page, and when pages for visitors change without an act."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jara.domain.books.account import BANK, SUSPENSE
from jara.domain.giving.changemaker import GRACE
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context, Rules
from jara.services.giving.pledging import replace_card
from jara.services.operations.last_run import note_run
from jara.services.operations.start_page import read_start_page
from jara.services.operations.validity import valid_until
from jara.services.payments.charging import charge_due
from jara.services.payments.promising import promise
from jara.services.payments.receiving import follow_payments, receive
from jara.services.payments.refunding import refund_payment
from jara.services.payments.ways import set_way
from jara.services.proposals.closing import close_vote
from jara.services.proposals.lifecycle import draft_proposal
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import COUNTRIES, clock_of, copy_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote
from tests.services.bank.bank_books import take
from tests.services.bank.test_contributions import promised
from tests.services.books.ledger_builders import a_move, book, post
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

    assert (page.organisation, page.mode, page.changemakers, page.monthly_cents) == (
        "Jara",
        "sandbox",
        2,
        4500,
    )
    assert page.members >= page.changemakers
    assert page.cash_cents > page.free_cents > 0
    (vote,) = page.votes
    assert (vote.yes, vote.no) >= (0, 0)


def test_each_waiting_item_has_its_command(place: Path) -> None:
    """Approvals, failed charges, suspense, emails, ended votes and a late daily run are listed."""
    context = make_organisation(place, rules=Rules(countries=COUNTRIES, approval_cents=500))
    ama, kofi = (join(context, f"{name}@example.org").member for name in ("ama", "kofi"))
    open_vote(context)
    charge = context.store.read_once().payments.of_member(kofi.key)[0].source_id or ""
    refund_payment(context, charge, why="paid twice")
    replace_card(context, ama.id, FAILS)
    post(context, a_move(90, BANK, SUSPENSE))
    with context.store.write() as work:
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


def test_a_late_transfer_is_no_failed_charge(context: Context) -> None:
    """Each payment method is counted separately, with the command that lists late payers."""
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


def test_bank_lines_without_a_match_wait(context: Context) -> None:
    """The number of unmatched lines has the command that lists them."""
    take(context, a_statement(a_line(1000, "GIFT ADA", day=4), opening=100))

    (line, _) = read_start_page(context).waiting

    assert (line.what, line.command) == ("1 bank line without a match", "jara bank waiting")


def test_a_refund_without_its_payment_waits(context: Context) -> None:
    """It is listed with `jara ledger verify`, which names the missing file."""
    book(context, a_refund())

    (refund, _) = read_start_page(context).waiting

    assert (refund.what, refund.command) == ("1 movement without a cause", "jara ledger waiting")


def test_a_failed_step_names_the_command_that_explains_it(context: Context) -> None:
    """A step with its own command names it; the other steps name the daily run."""
    with context.store.write() as work:
        note_run(work, context.now(), ["reconcile", "votes"])

    assert [(one.what, one.command) for one in read_start_page(context).waiting] == [
        ("failed step of the daily run: reconcile", "jara ledger reconcile"),
        ("failed step of the daily run: votes", "jara run daily"),
    ]


MIDNIGHT = datetime(2026, 11, 21, tzinfo=UTC)
EVENING = datetime(2026, 11, 20, 18, tzinfo=UTC)
NIGHT = datetime(2026, 11, 20, 23, tzinfo=UTC)


def test_a_day_ends_at_midnight(context: Context) -> None:
    """Without votes, a page is valid until the next midnight."""
    assert valid_until(context) == MIDNIGHT
    clock_of(context).set(MIDNIGHT)
    assert valid_until(context) == MIDNIGHT.replace(day=22)


def test_a_vote_ends_before_the_day(context: Context) -> None:
    """The next end of an open vote counts; drafts and ended votes do not."""
    open_vote(context, id="late", slug="late", endDate="2026-11-20T23:00:00Z")
    open_vote(context, id="soon", slug="soon", endDate="2026-11-20T18:00:00Z")
    drafted = {**PROPOSAL, "id": "draft", "slug": "draft", "endDate": "2026-11-20T13:00:00Z"}
    draft_proposal(context, drafted)

    assert valid_until(context) == EVENING
    clock_of(context).set(EVENING)
    assert valid_until(context) == NIGHT
    close_vote(context, "soon")
    assert valid_until(context) == NIGHT
    clock_of(context).set(NIGHT)
    assert valid_until(context) == MIDNIGHT


def fail_charge(context: Context, member: Member) -> None:
    """Make a member's pledge past due from now on."""
    now = context.now()
    with context.store.write() as work:
        pledge = work.pledges.get(member.id)
        assert pledge is not None
        late = replace(pledge, state=PledgeState.PAST_DUE, past_due_since=now)
        work.pledges.put(late, member_key=member.key, at=now)


def test_the_earlier_failed_charge_ends_a_vote_first(context: Context) -> None:
    """Each failed charge has its own time."""
    clock, first = clock_of(context), NIGHT + GRACE
    for name, at in (("ama", EVENING), ("kofi", NIGHT)):
        clock.set(at)
        fail_charge(context, add_member(context, name))

    clock.set(first.replace(hour=1))
    assert valid_until(context) == first.replace(hour=18, second=1)
    clock.set(first.replace(hour=18, second=1))
    assert valid_until(context) == first.replace(second=1)


def test_a_failed_charge_takes_the_vote_after_its_grace(context: Context) -> None:
    """The page changes one second after the last moment at which the member may vote."""
    member, clock = add_member(context, "ama"), clock_of(context)
    fail_charge(context, member)
    last = clock.now() + GRACE

    for moment in (last.replace(hour=0), last):
        clock.set(moment)
        assert valid_until(context) == last.replace(second=1)
        assert member.id in context.store.read_once().electors.member_ids(clock.now())
    clock.set(last.replace(second=1))
    assert valid_until(context) == last.replace(day=5, hour=0)
    assert member.id not in context.store.read_once().electors.member_ids(clock.now())
