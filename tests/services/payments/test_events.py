"""Events: each is stored once, starts a fetch, and is retried until it succeeds or expires."""

from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Unauthenticated, Unavailable
from jara.domain.giving.pledge import PledgeState
from jara.domain.organisation import IdentityPart
from jara.payments.sandbox.gateway import SandboxGateway
from jara.records.payments import ProviderEvent
from jara.services.context import Context
from jara.services.giving.joining import IN_FLIGHT, register
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.leasing import BATCH, GIVE_UP_AFTER, LEASE
from jara.services.legal.changing import change_values
from jara.services.notices.outbox import list_outbox
from jara.services.operations.daily_run import daily_steps, run_daily
from jara.services.operations.operators import add_operator
from jara.services.organisation import PAYMENT_ACCOUNT
from jara.services.payments.events import (
    EVENTS_KEPT,
    RETRY_MINUTES,
    EventRun,
    ForeignEvent,
    receive_event,
    work_events,
)
from tests.harness import clock_of, make_organisation
from tests.sent_emails import newest_email
from tests.services.giving.joiners import breaking, form, sandbox_of
from tests.services.news.news_world import Mailbox
from tests.services.operations.test_daily_run import line
from tests.services.stored_rows import rows_of

CONTACT = "office@jara.example"


@dataclass
class Source:
    """A provider's events, as a test defines them."""

    known: dict[str, dict[str, Any]] = field(default_factory=dict)
    voided: list[str] = field(default_factory=list)
    error: Exception | None = None

    def read(self, body: bytes, signature: str | None) -> ProviderEvent:
        """Read nothing: tests hand events over as they are."""
        raise Unauthenticated(f"{body!r} {signature}")

    def look_up(self, event: ProviderEvent) -> ProviderEvent:
        """Add the known facts of an event of another version, unless the provider is down."""
        if self.error is not None:
            raise self.error
        return event._replace(**self.known.get(event.event_id, {}))

    def void_arrears(self, subscription_id: str) -> int:
        """Record whose arrears were voided."""
        self.voided.append(subscription_id)
        return 1


def tell(context: Context, name: str = "evt_1", **facts: Any) -> bool:
    """Deliver an event of the provider."""
    event = ProviderEvent(name, "charge.updated", context.now(), "charge", "ch_1")
    return receive_event(context, event._replace(**facts))


def join(context: Context, card: str = "pm_card_visa", **changes: Any) -> StartedPledge:
    """Register a person without booking anything."""
    return register(context, form(**changes), payment_method=card)


def pass_time(context: Context, **parts: float) -> None:
    """Let time pass."""
    clock_of(context).at += timedelta(**parts)


class CountingGateway:
    """A sandbox that counts its calls."""

    def __init__(self, inner: SandboxGateway) -> None:
        """Wrap the real gateway."""
        self._inner = inner
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.calls.append(name)
        return getattr(self._inner, name)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """An organisation that can be written to."""
    made = make_organisation(tmp_path)
    change_values(made, {IdentityPart.CONTACT: CONTACT})
    return made


@pytest.fixture
def source() -> Source:
    """A provider that answers."""
    return Source()


def booked(context: Context) -> int:
    """Count the payments in the books."""
    with context.store.read() as work:
        (member,) = work.members.all()
        return len(work.payments.of_member(member.key))


def test_an_event_is_kept_once_and_worked_on_once(context: Context, source: Source) -> None:
    """A second delivery, before or after processing, changes nothing."""
    join(context)

    assert tell(context, moves_money=True)
    assert not tell(context, moves_money=True)
    assert work_events(context, source) == EventRun(worked=1)
    assert not tell(context, moves_money=True)
    assert work_events(context, source) == EventRun()
    assert booked(context) == 1


def test_money_is_fetched_once_for_a_whole_batch(context: Context, source: Source) -> None:
    """All movements are fetched, whatever the event was about."""
    started = join(context)
    gateway: Any = CountingGateway(sandbox_of(context))
    watched = replace(context, gateway=gateway)
    customer = started.pledge.customer_id
    for number in range(BATCH + 1):
        tell(context, f"evt_{number:03}", moves_money=True, customer_id=customer)

    assert work_events(watched, source) == EventRun(worked=BATCH + 1)

    assert booked(context) == 1
    assert gateway.calls.count("rows") == 2
    assert gateway.calls.count("subscription") == 2


def test_a_subscription_is_read_again(context: Context, source: Source) -> None:
    """A pledge ended at the provider is ended here, found by its own or its customer's id.

    An event of a former subscription names the customer too.
    """
    cases: tuple[tuple[dict[str, str], str], ...] = (
        ({}, "subscription_id"),
        ({}, "customer_id"),
        ({"subscription_id": "sub_former"}, "customer_id"),
    )
    for number, (former, key) in enumerate(cases):
        started = join(context, email=f"giver{number}@example.org")
        pledge = started.pledge
        context.gateway.cancel(str(pledge.subscription_id))

        tell(context, f"evt_{number}", **former, **{key: getattr(pledge, key)})
        work_events(context, source)

        with context.store.read() as work:
            found = work.pledges.get(started.member.id)
        assert found is not None
        assert PledgeState.CANCELED is found.state


def test_an_unknown_customer_is_ignored(context: Context, source: Source) -> None:
    """Events about other customers on the same account are ignored."""
    tell(context, "evt_1", customer_id="cus_other")
    tell(context, "evt_2", subscription_id="sub_other")
    tell(context, "evt_3")

    assert work_events(context, source) == EventRun(worked=3)


def test_missing_ids_of_an_event_are_looked_up(context: Context, source: Source) -> None:
    """The look-up gives the missing ids."""
    started = join(context)
    context.gateway.cancel(str(started.pledge.subscription_id))
    source.known["evt_1"] = {"subscription_id": started.pledge.subscription_id}

    tell(context, same_version=False)
    work_events(context, source)

    with context.store.read() as work:
        (pledge,) = work.pledges.all()
    assert PledgeState.CANCELED is pledge.state


def test_arrears_are_voided_when_a_charge_is_due(context: Context, source: Source) -> None:
    """An unpaid invoice is voided, not collected; one without a subscription has no arrears."""
    tell(context, "evt_1", opens_invoice=True, subscription_id="sub_1")
    tell(context, "evt_2", opens_invoice=True)

    work_events(context, source)

    assert source.voided == ["sub_1"]


@pytest.mark.parametrize("is_late", [False, True])
def test_joining_that_was_cut_off_is_finished(
    context: Context, source: Source, *, is_late: bool
) -> None:
    """The registration is completed once, and not while another process may be at work."""
    with pytest.raises(Unavailable):
        join(breaking(context, "subscription"))
    if is_late:
        pass_time(context, minutes=6)
    tell(context, "evt_1", subscription_id="sub_unknown")
    tell(context, "evt_2", customer_id="cus_unknown")

    if not is_late:
        assert work_events(context, source) == EventRun(postponed=2)
        assert work_events(context, source) == EventRun()
        clock_of(context).at += IN_FLIGHT
    assert work_events(context, source) == EventRun(worked=2)

    with context.store.read() as work:
        assert work.registrations.all() == []
        (pledge,) = work.pledges.all()
    assert PledgeState.ACTIVE is pledge.state


def test_a_registration_that_waits_is_looked_at_once_for_a_batch(
    context: Context, source: Source
) -> None:
    """If nothing was charged, the registration stays, so that the person can try again."""
    with pytest.raises(Unavailable):
        join(breaking(context, "create_customer"))
    clock_of(context).at += IN_FLIGHT
    gateway: Any = CountingGateway(sandbox_of(context))
    for number in range(3):
        tell(context, f"evt_{number}", customer_id="cus_unknown")

    assert work_events(replace(context, gateway=gateway), source) == EventRun(worked=3)

    assert gateway.calls.count("find_customers") == 1
    with context.store.read() as work:
        assert len(work.registrations.all()) == 1


def test_a_renewal_to_confirm_sends_one_email(context: Context, source: Source) -> None:
    """One email is sent per invoice, only while it is due, and never while joining."""
    started = join(context, "pm_card_authenticationRequired")
    ask = {
        "subscription_id": started.pledge.subscription_id,
        "confirm_url": "https://invoice.stripe.com/i/1",
        "object_id": "in_1",
    }
    tell(context, "evt_1", **ask)
    assert "invoice.stripe.com" not in str(rows_of(context, "provider_events"))
    work_events(context, source)
    assert [one for one in list_outbox(context) if one.kind == "confirm_renewal"] == []

    sandbox = sandbox_of(context)
    sandbox.confirm(str(started.client_secret), succeed=True)
    pass_time(context, days=40)
    sandbox.run_until(context.now())
    for number in (2, 3):
        tell(context, f"evt_{number}", **ask)
    assert work_events(context, source).worked == 2

    assert [one.kind for one in list_outbox(context)].count("confirm_renewal") == 1
    assert newest_email(context, "confirm_renewal").doc["link"] == "https://invoice.stripe.com/i/1"


@pytest.mark.parametrize("contact", [CONTACT, ""])
def test_a_fraud_warning_is_passed_on(context: Context, source: Source, contact: str) -> None:
    """It is always in the audit log, and emailed to the contact address if there is one."""
    add_operator(context, "tester")
    if not contact:
        change_values(context, {}, removed=[IdentityPart.CONTACT])
    context = replace(context, operator="www-data")
    tell(context, warned_charge_id="ch_9")

    assert work_events(context, source) == EventRun(worked=1)

    with context.store.read() as work:
        (row,) = (one for one in work.operations.audit() if one.subject == "ch_9")
    assert (row.operator, row.action) == ("scheduler", "payments.fraud-warning")
    assert [one.address for one in list_outbox(context)] == ([contact] if contact else [])


def test_an_event_of_another_mode_or_account_is_refused(context: Context) -> None:
    """The event is not stored; the reason is a label for the metrics."""
    with context.store.write() as work:
        work.meta.put(PAYMENT_ACCOUNT, "acct_1")

    with pytest.raises(ForeignEvent, match="of live mode, not of sandbox mode") as refused:
        tell(context, is_live=True)
    assert refused.value.reason == "livemode"
    with pytest.raises(ForeignEvent, match="of another account") as refused:
        tell(context, is_live=False, account_id="acct_2")
    assert refused.value.reason == "account"
    assert [tell(context, account_id="acct_1") for _ in range(2)] == [True, False]


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
