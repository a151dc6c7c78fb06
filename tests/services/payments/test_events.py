"""Events: each is stored once, and only triggers fetching the object it is about."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Unavailable
from jara.domain.giving.pledge import PledgeState
from jara.domain.organisation import IdentityPart
from jara.payments.sandbox.gateway import SandboxGateway
from jara.services.context import Context
from jara.services.giving.joining import IN_FLIGHT
from jara.services.leasing import BATCH
from jara.services.legal.changing import change_values
from jara.services.notices.outbox import list_outbox
from jara.services.operations.operators import add_operator
from jara.services.organisation import PAYMENT_ACCOUNT
from jara.services.payments.events import EventRun, ForeignEvent, work_events
from tests.harness import clock_of
from tests.sent_emails import newest_email
from tests.services.giving.joiners import breaking, sandbox_of
from tests.services.payments.event_source import CONTACT, Source, contactable, join, pass_time, tell
from tests.services.stored_rows import rows_of


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
    return contactable(tmp_path)


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
    """A pledge ended at the provider is ended here, found by its own or its customer's id."""
    for number, key in enumerate(("subscription_id", "customer_id")):
        started = join(context, email=f"giver{number}@example.org")
        pledge = started.pledge
        context.gateway.cancel(str(pledge.subscription_id))

        tell(context, f"evt_{number}", **{key: getattr(pledge, key)})
        work_events(context, source)

        with context.store.read() as work:
            found = work.pledges.get(started.member.id)
        assert found is not None
        assert PledgeState.CANCELED is found.state


def test_a_former_subscription_is_found_by_its_customer(context: Context, source: Source) -> None:
    """After a restart, the customer's current subscription is read."""
    started = join(context)
    context.gateway.cancel(str(started.pledge.subscription_id))

    tell(context, subscription_id="sub_former", customer_id=started.pledge.customer_id)

    assert work_events(context, source).worked == 1
    with context.store.read() as work:
        (pledge,) = work.pledges.all()
    assert PledgeState.CANCELED is pledge.state


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
