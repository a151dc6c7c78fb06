"""The daily run: its steps, what they do, their failures, and its own key."""

from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.control.effects import STEPS
from jara.domain.errors import Conflict, NotFound, Refused, Unavailable
from jara.files.publiclog.tile_folder import TileFolder
from jara.payments.sandbox.gateway import SandboxGateway
from jara.services.context import Context
from jara.services.notices.emails import queue_email
from jara.services.operations import daily_run as steps
from jara.services.operations.daily_run import Step, StepOutcome, StepResult, daily_steps, run_daily
from jara.services.operations.last_run import LastRun, last_run
from jara.services.proposals.closing import destroy_ballot_key
from jara.services.samples.demonstration import play
from tests.fakes.operators import acting, enrol
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote
from tests.services.books.ledger_builders import give
from tests.services.giving.joiners import join
from tests.services.news.news_world import Mailbox
from tests.services.samples.demonstration_stage_setup import END, demo_files, make_stage

NAMES = [
    "charges",
    "registrations",
    "overdue",
    "votes",
    "commitments",
    "approvals",
    "notices",
    "retention",
    "mail",
    "checkpoint",
    "keys",
    "erasure",
    "reconcile",
    "books",
]


def run(context: Context, sender: Mailbox, *, own_charges: bool = True) -> list[StepResult]:
    """Make the daily run."""
    gateway = context.gateway
    clockwork = gateway if own_charges and isinstance(gateway, SandboxGateway) else None
    return run_daily(context, steps.daily_steps(clockwork=clockwork, sender=sender))


def line(results: list[StepResult], step: str) -> StepResult:
    """Return the result of a step."""
    return next(result for result in results if result.step == step)


def test_a_quiet_day_is_quiet(context: Context) -> None:
    """An organisation without members has nothing to do, with or without a sandbox."""
    for own_charges in (True, False):
        results = run(context, Mailbox(), own_charges=own_charges)
        assert [result.step for result in results] == NAMES
        assert [result for result in results if not result.ok] == []


def test_a_busy_month_is_done_once(place: Path) -> None:
    """The run charges, closes, sends, destroys and deletes once; a second run does nothing."""
    stage = make_stage(place)
    play(stage, demo_files(), members=8, seed="jara", end=END)
    sender = Mailbox()
    stage.clock.at = END + timedelta(days=30, hours=13)

    first = run(stage.context, sender)
    second = run(stage.context, sender)

    assert [result for result in first + second if not result.ok] == []
    assert line(first, "charges").counts["booked"] > 0
    assert line(first, "votes").counts["closed"] == 1
    assert line(first, "mail").counts["sent"] > 0
    for step, key in (("charges", "booked"), ("votes", "closed"), ("mail", "sent")):
        assert line(second, step).counts[key] == 0
    # Emails are queued with their cause, so the round of notices adds none.
    assert [line(results, "notices").counts for results in (first, second)] == [{}, {}]
    stage.clock.at += timedelta(days=15)
    assert line(run(stage.context, sender), "keys").counts["destroyed"] == 1
    stage.clock.at += timedelta(days=60)
    assert line(run(stage.context, sender), "retention").counts["letters"] > 0


def test_a_subscription_missing_at_the_provider_is_reported(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing subscription is reported, and the other steps still run."""
    join(context)

    def lose(_gateway: SandboxGateway, subscription_id: str) -> None:
        raise NotFound(f"There is no subscription {subscription_id}.")

    monkeypatch.setattr(SandboxGateway, "subscription", lose)
    results = run(context, Mailbox(), own_charges=False)

    charges = line(results, "charges")
    assert not charges.ok
    assert "There is no subscription" in charges.message
    assert line(results, "books").ok


def test_mail_that_does_not_leave_fails_its_step(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step gives the reason, and old rows are still deleted."""
    sender = Mailbox(is_away=True)
    monkeypatch.setattr(sender, "keep_only", lambda ids: 1 - len({"gone"} & ids()))
    with context.store.write() as work:
        queue_email(context, work, "receipt", address="ama@example.org", values={})

    results = run(context, sender)

    assert not line(results, "mail").ok
    assert "The mail server is away." in line(results, "mail").message
    assert line(results, "retention").counts["copies"] == 1
    clock_of(context).advance(days=61)
    assert line(run(context, sender), "retention").counts["letters"] == 1


def test_without_a_mail_server_no_email_is_called_sent(context: Context) -> None:
    """They are files, and the line says so."""
    with context.store.write() as work:
        queue_email(context, work, "receipt", address="ama@example.org", values={})

    made = steps.daily_steps(clockwork=None, sender=Mailbox(), sends_mail=False)

    told = line(run_daily(context, made), "mail").message
    assert told.startswith("1 email written as files and not sent, as JARA_SMTP_URL is not set")


def test_wrong_totals_are_seen(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last step checks the totals and says what to do."""
    with context.store.write() as work:
        work.log._sql.run(
            "INSERT INTO totals (account, fund, month, cents) "
            "VALUES ('assets:bank', 'other', '2026-11', 1)"
        )

    books = line(run(context, Mailbox()), "books")

    assert not books.ok
    assert "jara ledger verify" in books.message


def test_the_whole_books_are_verified_once_a_day(context: Context) -> None:
    """In an hourly run, only later rows and the totals are checked in between."""
    whole = "Entries, totals, log, votes and traces agree."
    messages = []
    for hours in (1, 18, 1, 1):
        messages.append(line(run(context, Mailbox()), "books").message)
        clock_of(context).advance(hours=hours)

    assert messages[:2] == [whole, "Everything added since 2026-11-20 12:00 UTC agrees."]
    assert messages[2:] == [messages[1], whole]


@pytest.mark.parametrize("what", ["entry", "run"])
@pytest.mark.parametrize(("back", "refused"), [(245 * 86400, True), (61, True), (60, False)])
def test_a_clock_that_was_set_back_stops_the_run(
    tmp_path: Path, what: str, back: int, refused: bool
) -> None:
    """The error gives both times, and nothing is done, so that old receipts are not sent again."""
    context = make_organisation(tmp_path)
    clock = clock_of(context)
    if what == "entry":
        give(context, 1000)
    else:
        run(context, Mailbox())
    with context.store.write() as work:
        queue_email(context, work, "receipt", address="ama@example.org", values={})
    clock.set(clock.now() - timedelta(seconds=back))
    sender = Mailbox()

    if not refused:
        assert run(context, sender)
        return
    said = {"entry": "The newest entry", "run": "The last daily run"}[what]
    with pytest.raises(Conflict, match=f"{said} is of 2026-11-20 12:00 UTC, but the clock"):
        run(context, sender)

    assert sender.emails == []


def work_well(context: Context) -> StepOutcome:
    """A step that succeeds."""
    return StepOutcome("Closed 1 vote.", {"closed": 1})


def fail(context: Context) -> StepOutcome:
    """A step whose external service is down."""
    raise Unavailable("The provider is away.")


def crash(context: Context) -> StepOutcome:
    """A step with a bug."""
    raise ZeroDivisionError("oops")


def complain(context: Context) -> StepOutcome:
    """A step that finds a problem."""
    return StepOutcome("2 findings.", {"findings": 2}, ok=False)


def test_each_step_has_its_turn(context: Context) -> None:
    """Whatever happens in a step, the next one runs, and each has a result."""
    assert None is last_run(context)

    results = run_daily(
        context, [Step("a", fail), Step("b", crash), Step("c", complain), Step("d", work_well)]
    )

    assert results == [
        StepResult("a", ok=False, message="The provider is away.", counts={}),
        StepResult("b", ok=False, message="ZeroDivisionError: oops (a defect of Jara)", counts={}),
        StepResult("c", ok=False, message="2 findings.", counts={"findings": 2}),
        StepResult("d", ok=True, message="Closed 1 vote.", counts={"closed": 1}),
    ]
    assert LastRun(context.now(), ("a", "b", "c")) == last_run(context)
    run_daily(context, [Step("d", work_well)])
    assert LastRun(context.now(), ()) == last_run(context)


def test_each_step_is_in_the_table_of_effects() -> None:
    """A new step says what it touches."""
    every = [
        *steps.daily_steps(clockwork=None, sender=Mailbox()),
        steps.witness_step(),
        steps.tiles_step(TileFolder(Path()).write),
    ]

    assert {step.name for step in every} | {"events"} == STEPS.keys()


@pytest.fixture
def voting(place: Path) -> Context:
    """An organisation with an open vote, and a key for the daily run."""
    context = make_organisation(place)
    member = add_member(context, "ama")
    open_vote(context)
    vote(context, member)
    enrol(context, ada="admin", scheduler="scheduler")
    return context


def failures(context: Context, name: str) -> list[str]:
    """Run the daily steps with an operator's key; return the failures."""
    steps = daily_steps(clockwork=None, sender=Mailbox())
    results = run_daily(acting(context, name), steps)
    return [f"{one.step}: {one.message}" for one in results if not one.ok]


def test_the_scheduler_closes_votes_and_destroys_their_keys(voting: Context) -> None:
    """Each step is recorded under the name of the key."""
    clock_of(voting).advance(days=12)
    first = failures(voting, "scheduler")
    clock_of(voting).advance(days=15)
    second = failures(voting, "scheduler")

    assert [line for line in (*first, *second) if "is for" in line or "sign" in line] == []
    with voting.store.read() as work:
        acts = {row.action: row.operator for row in work.operations.audit()}
        (record,) = work.proposals.all()
    assert {"proposals.close", "votes.seal"} <= acts.keys()
    assert {acts[name] for name in ("proposals.close", "votes.seal")} == {"scheduler"}
    assert record.key_destroyed_at is not None


def test_a_key_is_not_destroyed_early_by_the_scheduler(voting: Context) -> None:
    """Only a person may destroy a key early."""
    clock_of(voting).advance(days=12)
    failures(voting, "ada")

    with pytest.raises(Refused, match=r"'votes\.destroy-early' is for admin or bookkeeper"):
        destroy_ballot_key(acting(voting, "scheduler"), "prop_01")
    destroy_ballot_key(acting(voting, "ada"), "prop_01")
