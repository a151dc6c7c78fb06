"""The doctor's findings about books, votes and daily work."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.books.account import BANK, SUSPENSE
from jara.domain.books.journal import EntryKind
from jara.domain.control.state import Limits
from jara.domain.organisation import PaymentMode
from jara.domain.voting.proposal import ProposalStatus
from jara.records.journal import YearLock
from jara.records.operations import Approval
from jara.records.voting import ProposalRecord
from jara.services.approvals import CARRYING_OUT
from jara.services.books import verification
from jara.services.books.policies import add_account
from jara.services.books.verification import verify_and_note
from jara.services.content import add_item, edit_item
from jara.services.context import Context
from jara.services.notices.emails import queue_email
from jara.services.operations.control import describe_missing_limits, describe_outside, set_limits
from jara.services.operations.daily_run import Step, StepOutcome, run_daily
from jara.services.operations.diagnosis_setup import Level
from jara.services.operations.diagnosis_site import check_shown_sums
from jara.services.operations.operators import add_operator
from jara.services.operations.start_page import read_start_page
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.publiclog.proofs import make_checkpoint
from jara.store.checkpoint_file import CheckpointFile
from tests.domain.voting.voting_builders import a_proposal
from tests.fakes.operators import acting, enrol, public
from tests.harness import clock_of, copy_of
from tests.services.books.ledger_builders import a_move, give
from tests.services.books.ledger_builders import post as book
from tests.services.giving.giving_year import make_year
from tests.services.operations.doctor import WELL, found, look


def post(context: Context, account: str, cents: int) -> None:
    """Post money of unknown origin at the bank."""
    book(context, a_move(cents, BANK, account, kind=EntryKind.SUSPENSE))


def test_money_that_waits_for_an_explanation_is_named(context: Context) -> None:
    """Suspense is reported until it is resolved."""
    post(context, SUSPENSE, 500)

    assert found(look(context), "suspense") == (
        Level.WARNING,
        "$5.00 in liabilities:suspense must be clarified.",
    )


def test_an_overdrawn_fund_is_named(context: Context) -> None:
    """An overdrawn fund is reported."""
    post(context, "expenses:fees", -700)

    assert found(look(context), "funds") == (
        Level.WARNING,
        "The fund 'other' is overdrawn: -$7.00.",
    )


def test_a_clock_before_the_books_is_named(context: Context) -> None:
    """A clock that was set back would date entries before older ones."""
    post(context, SUSPENSE, 500)
    clock_of(context).at -= timedelta(seconds=50)  # a clock like that of another host
    assert Level.OK is found(look(context), "clock")[0]
    clock_of(context).at -= timedelta(seconds=20)

    assert Level.ERROR is found(look(replace(context, payment_mode=PaymentMode.LIVE)), "clock")[0]
    level, message = found(look(context), "clock")
    assert Level.WARNING is level  # in a sandbox `jara --now` moves the clock
    assert "correct the clock, or move it for one command: --now 20" in message


def test_books_that_do_not_agree_are_named(context: Context) -> None:
    """The doctor runs every check of ``jara ledger verify``."""
    post(context, SUSPENSE, 500)
    with context.store.write() as work:
        work.log._sql.run("UPDATE totals SET cents = cents + 1")

    results = look(context)

    assert Level.ERROR is found(results, "books")[0]
    assert any("jara ledger verify" in result.message for result in results)


def test_the_books_are_checked_from_the_verified_point(context: Context) -> None:
    """The doctor says what it checked, what was verified earlier, and how to check everything."""
    assert found(look(context), "books")[1] == "0 entries and the public log agree."
    post(context, SUSPENSE, 500)

    assert found(look(context), "books")[1] == (
        "1 entries since 2026-11-20 12:00 UTC and the public log agree; the 0 before them were "
        "verified then. All of it: jara ledger verify"
    )


def test_the_doctor_never_verifies_large_books_itself(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doctor takes at most two seconds; it names unverified books and the command for them."""
    monkeypatch.setattr(verification, "MANY_ENTRIES", 2)
    for _ in range(2):
        post(context, SUSPENSE, 500)

    never = "The books were never verified as a whole: jara ledger verify"
    assert found(look(context), "books") == (Level.WARNING, never)
    assert verify_and_note(context).ok
    assert Level.OK is found(look(context), "books")[0]
    for _ in range(2):
        post(context, SUSPENSE, 500)
    late = "2 entries since 2026-11-20 12:00 UTC were not verified yet: jara ledger verify"
    assert found(look(context), "books") == (Level.WARNING, late)


@pytest.mark.parametrize(
    ("size", "root", "level"),
    [(None, None, Level.OK), (None, "00" * 32, Level.ERROR), (99, None, Level.ERROR)],
)
def test_a_closed_year_is_the_one_that_was_closed(
    context: Context, size: int | None, root: str | None, level: Level
) -> None:
    """The size and root stored when a year was closed must match the log."""
    with context.store.write() as work:
        lock = YearLock(
            2025, context.now(), size or work.log.size(), root or work.log.root().hex(), {}
        )
        work.book_settings.lock_year(lock)

    assert level is found(look(context), "years")[0]


def test_a_vote_without_its_key_is_named(context: Context) -> None:
    """Such a vote can only be withdrawn, and that needs a person."""
    with context.store.write() as work:
        proposal = a_proposal(status=ProposalStatus.OPEN)
        work.proposals.put(ProposalRecord(proposal, created_at=context.now()))

    assert Level.ERROR is found(look(context), "votes")[0]


def test_an_act_that_was_cut_off_is_named(context: Context) -> None:
    """Otherwise nobody would notice that an approved payment was never made."""
    approval = Approval("appr_1", "pay", {"cents": 1}, "", "waiting", "ada", context.now())
    with context.store.write() as work:
        work.operations.put_approval(approval)
    assert "approvals" not in {result.name for result in look(context)}

    with context.store.write() as work:
        work.operations.put_approval(approval._replace(state=CARRYING_OUT))
    assert Level.ERROR is found(look(context), "approvals")[0]


def test_a_daily_run_that_is_missing_late_or_failed_is_named(context: Context) -> None:
    """Votes are closed and emails sent only when the daily run takes place."""
    assert "never run" in found(look(context), "daily")[1]
    run_daily(context, [Step("mail", lambda _: StepOutcome("", ok=False))])
    assert "last daily run: mail" in found(look(context), "daily")[1]
    clock_of(context).advance(hours=37)
    assert "last on 2026-11-20 12:00" in found(look(context), "daily")[1]


def test_emails_that_keep_failing_are_named(context: Context) -> None:
    """An email that has failed three times is reported."""
    with context.store.write() as work:
        queue_email(context, work, "receipt", address="ama@example.org", values={})
        (email,) = work.outbox.all()
        for _ in range(3):
            due = context.now() + timedelta(hours=1)
            work.outbox.failed(email.id, reason="It refused.", due_at=due)

    assert found(look(context), "outbox") == (
        Level.WARNING,
        "Emails that keep failing: 1. It refused.",
    )


def closed(context: Context, *, destroyed: bool) -> None:
    """Store a vote decided now, with its key."""
    context.vault.make_ballot_key("prop_01")
    with context.store.write() as work:
        proposal = a_proposal(status=ProposalStatus.REJECTED, decided_at=context.now())
        record = ProposalRecord(proposal, created_at=context.now())
        at = context.now() if destroyed else None
        work.proposals.put(record._replace(key_destroyed_at=at))


def test_a_key_that_should_be_gone_is_named(context: Context) -> None:
    """Fourteen days after a vote, nobody may be able to link voters to choices."""
    closed(context, destroyed=False)
    for days, level in ((14, Level.OK), (1, Level.ERROR)):
        clock_of(context).advance(days=days)
        assert level is found(look(context), "votes")[0]
    assert "was due to be destroyed on 2026-12-04" in found(look(context), "votes")[1]
    context.vault.destroy_ballot_key("prop_01")
    assert Level.OK is found(look(context), "votes")[0]


def test_a_key_that_came_back_is_named(context: Context) -> None:
    """A key that was destroyed is there again after a copy of the secrets folder was restored."""
    closed(context, destroyed=True)

    assert "is in the secrets folder again" in found(look(context), "votes")[1]


def test_checkpoints_that_the_database_does_not_know_are_named(
    context: Context, tmp_path: Path
) -> None:
    """An older backup was restored after newer checkpoints were published."""
    path = tmp_path / "checkpoints.txt"
    publishing = replace(context, note_file=CheckpointFile(path))
    make_checkpoint(publishing)
    assert found(look(publishing), "checkpoints") == (
        Level.OK,
        "Published checkpoints of the log: 1.",
    )
    path.write_text(path.read_text() + "\nmore\n")

    assert Level.ERROR is found(look(publishing), "checkpoints")[0]
    assert "checkpoints" not in {result.name for result in look(context)}


def test_a_limit_that_nobody_could_approve_is_named(context: Context) -> None:
    """A limit is reported if fewer than two people could approve."""
    limited = replace(context, rules=context.rules._replace(approval_cents=100))
    assert Level.WARNING is found(look(limited), "approvals")[0]
    add_operator(limited, "tester")
    add_operator(limited, "ada")

    assert "approvals" not in {result.name for result in look(limited)}


ROOF = {"id": "roof", "slug": "roof", "code": "TZ", "title": "Roof", "amountCents": 1_457}


def results(context: Context) -> list[tuple[Level, str]]:
    """Return what the doctor says."""
    return [(one.level, one.message) for one in check_shown_sums(context, WELL)]


def test_a_sum_that_the_books_did_not_pay_is_named(context: Context) -> None:
    """A page that says $91,457 for a donation of $14.57 is named with both sums."""
    give(context, 100_000)
    assert results(context) == []
    add_item(context, "donations", ROOF, published=True)
    disburse(context, Disbursement(Payee.DONATIONS, "roof", 1_457, day=date(2026, 11, 20)))
    assert [level for level, _ in results(context)] == [Level.OK]

    changed = {"amountCents": 9_145_700, "amount": "$91,457.00"}
    edit_item(context, "donations", "roof", changed)

    ((level, message),) = results(context)
    assert level is Level.WARNING
    assert "The website says $91,457.00 for 'roof' of donations; the books paid $14.57" in message


def test_samples_and_hidden_items_are_not_compared(context: Context) -> None:
    """Sample content has no money; what is not shown misleads nobody."""
    add_item(context, "donations", {**ROOF, "sample": True}, published=True)
    add_item(context, "donations", {**ROOF, "id": "b", "slug": "b"}, published=False)

    assert results(context) == []


SENTENCE = "There are no limits, so each of 2 operators may pay out everything alone."
COMMAND = 'jara operators policy set --limit 100 --why "What one person may do alone"'


def told(context: Context) -> list[tuple[str, str]]:
    """Return what the start page and the doctor say, and the daily run of a live organisation."""
    live = replace(context, payment_mode=PaymentMode.LIVE)
    page = [("start", f"{one.what} {one.command}") for one in read_start_page(context).waiting]
    doctor = [("doctor", one.message) for one in look(context) if one.level is Level.WARNING]
    runs = [("daily", one.message) for one in run_daily(live, [])]
    runs += [("sandbox", one.message) for one in run_daily(context, [])]
    return [(where, text) for where, text in (*page, *doctor, *runs) if "no limits" in text]


def test_two_operators_without_limits_are_told_each_day(context: Context) -> None:
    """By names; the sandbox's daily run is silent."""
    assert told(context) == []
    add_operator(context, context.operator)
    assert told(context) == []
    add_operator(context, "ben")

    assert told(context) == [
        ("start", f"{SENTENCE} {COMMAND}"),
        ("doctor", f"{SENTENCE} Set them: {COMMAND}"),
        ("daily", f"{SENTENCE} {COMMAND}"),
    ]
    set_limits(context, Limits(10_000, 10_000, total_limit_cents=10_000), why="agreed")
    assert told(context) == []


def test_an_own_account_that_the_limits_do_not_name_is_told(context: Context) -> None:
    """What is moved there counts as paid out until the limits are set again."""
    set_limits(context, Limits(10_000), why="agreed")
    assert describe_outside(context) == ""
    add_account(context, "assets:cash", meaning="The box")

    message = describe_outside(context)

    assert message.startswith("Money moved to assets:cash counts as paid out until")
    assert found(look(context), "approvals") == (Level.WARNING, message)


def test_people_with_keys_count_not_their_keys(context: Context) -> None:
    """Whoever may not approve is no second person."""
    enrol(context, ada="admin", eve="editor")
    with context.store.read() as work:
        assert describe_missing_limits(acting(context, "ada"), work) is None
    add_operator(acting(context, "ada"), "ben", key=public("ben"))
    with context.store.read() as work:
        assert describe_missing_limits(context, work) == (SENTENCE, COMMAND)


def test_the_proposed_limit_is_the_weakest_month(place: Path) -> None:
    """Of what came in; the month that runs does not count."""
    context = copy_of(make_year, place)
    for name in (context.operator, "ben"):
        add_operator(context, name)
    with context.store.read() as work:
        found = describe_missing_limits(context, work)
    assert found is not None
    assert "--limit 55 " in found[1]
