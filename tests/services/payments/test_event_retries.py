"""A failed event is retried, by one process, until it succeeds or expires."""

from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.services.context import Context
from jara.services.giving.joining import IN_FLIGHT
from jara.services.leasing import BATCH, GIVE_UP_AFTER, LEASE
from jara.services.operations.daily_run import daily_steps, run_daily
from jara.services.payments.events import EVENTS_KEPT, RETRY_MINUTES, EventRun, work_events
from tests.harness import clock_of
from tests.services.giving.joiners import breaking
from tests.services.news.news_world import Mailbox
from tests.services.operations.test_daily_run import line
from tests.services.payments.event_source import Source, contactable, join, pass_time, tell


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """An organisation that can be written to."""
    return contactable(tmp_path)


@pytest.fixture
def source() -> Source:
    """A provider that answers."""
    return Source()


def test_a_registration_that_cannot_be_finished_is_tried_again(
    context: Context, source: Source
) -> None:
    """The event stays stored with the reason."""
    with pytest.raises(Unavailable):
        join(breaking(context, "subscription"))
    tell(context, subscription_id="sub_unknown")
    clock_of(context).at += IN_FLIGHT

    assert work_events(breaking(context, "find_customers"), source).failed == 1
    pass_time(context, minutes=RETRY_MINUTES[0])
    assert work_events(context, source).worked == 1


def test_a_failure_waits_longer_each_time(context: Context, source: Source) -> None:
    """Delays grow from a minute to eight hours; the reason is stored until the event succeeds."""
    source.error = Unavailable("The provider is away.")
    tell(context)

    for minutes in (*RETRY_MINUTES, RETRY_MINUTES[-1]):
        run = work_events(context, source)
        assert (run.failed, run.failure) == (1, "The provider is away.")
        pass_time(context, minutes=minutes, seconds=-1)
        assert work_events(context, source) == EventRun()
        pass_time(context, seconds=1)
    with context.store.read() as work:
        (failing,) = work.provider_events.failures()
    assert (failing.attempts, failing.failure) == (6, "The provider is away.")
    source.error = None
    assert work_events(context, source) == EventRun(worked=1)
    with context.store.read() as work:
        assert work.provider_events.failures() == []


def test_a_next_delivery_is_a_next_try(context: Context, source: Source) -> None:
    """A failed event is processed when the provider delivers it again."""
    source.error = Unavailable("The provider is away.")
    tell(context)
    work_events(context, source)
    source.error = None

    assert work_events(context, source) == EventRun()
    assert not tell(context)
    assert work_events(context, source) == EventRun(worked=1)


def test_a_defect_met_by_one_event_stops_no_other(context: Context, source: Source) -> None:
    """The failure is reported as a bug of Jara."""
    source.known["evt_1"] = {"no_such_field": 1}
    tell(context, "evt_1")
    tell(context, "evt_2")

    run = work_events(context, source)

    assert (run.worked, run.failed) == (1, 1)
    assert "(a defect of Jara)" in run.failure


def test_a_provider_that_is_away_is_not_asked_on_and_on(context: Context, source: Source) -> None:
    """After several failures in a row, the other events wait until the lease ends."""
    source.error = Unavailable("The provider is away.")
    for number in range(GIVE_UP_AFTER + 4):
        tell(context, f"evt_{number}")

    assert work_events(context, source).failed == GIVE_UP_AFTER
    source.error = None
    assert work_events(context, source) == EventRun()
    clock_of(context).at += LEASE
    assert work_events(context, source) == EventRun(worked=GIVE_UP_AFTER + 4)


def test_two_processes_never_work_on_the_same_event(context: Context, source: Source) -> None:
    """A second process does not see leased events."""
    tell(context)
    with context.store.write() as work:
        leased = work.provider_events.lease(
            now=context.now(), until=context.now() + LEASE, limit=BATCH
        )

    assert [heard.event.event_id for heard in leased] == ["evt_1"]
    assert work_events(context, source) == EventRun()
    assert leased[0].received_at == context.now() == leased[0].event.created_at


def test_an_event_is_forgotten_after_a_month(context: Context, source: Source) -> None:
    """Its content is deleted as soon as it has been processed."""
    tell(context, customer_id="cus_secret")
    steps = daily_steps(clockwork=None, sender=Mailbox(), events=source)

    results = run_daily(context, steps)

    assert line(results, "events").counts == {"worked": 1, "postponed": 0, "failed": 0}
    assert not tell(context)
    clock_of(context).at += EVENTS_KEPT + timedelta(seconds=1)
    assert line(run_daily(context, steps), "retention").counts["events"] == 1
    assert tell(context)


def test_the_daily_run_reports_failures(context: Context, source: Source) -> None:
    """The scheduler sees the failure."""
    source.error = Unavailable("The provider is away.")
    tell(context)

    result = line(
        run_daily(context, daily_steps(clockwork=None, sender=Mailbox(), events=source)),
        "events",
    )

    assert not result.ok
    assert result.message == "0 events worked on, 1 failed. The provider is away."
