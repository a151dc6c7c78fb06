"""Events of the payment provider: stored when the webhook receives them, processed later.

Events come twice, late, out of order, or never. None of that matters, because an event is
only a reason to fetch the current state from the provider. The daily run fetches it too.

The webhook stores an event (`receive_event`) and answers at once. The web server's event
task (in ``jara_webapi.server``) picks stored events up within a second. The daily run's step
``events`` (in ``jara.services.operations.daily_run``) picks up what is left, for example
while no web server runs. Both call `work_events`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from jara.domain.errors import JaraError, Unauthenticated, Unavailable
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.domain.organisation import PaymentMode
from jara.records.payments import ProviderEvent, StoredEvent
from jara.services.audit import record_unattended
from jara.services.authority import SCHEDULER
from jara.services.context import Context
from jara.services.giving.joining import IN_FLIGHT, finish_registrations
from jara.services.giving.pledging import refresh_pledge
from jara.services.leasing import BATCH, LEASE, Failure, retry_at, work_through
from jara.services.members.profiles import require_member
from jara.services.notices.emails import queue_confirm_renewal, queue_fraud_warning
from jara.services.organisation import PAYMENT_ACCOUNT
from jara.services.payments.importing import collect_movements
from jara.services.ports.payments import EventSource
from jara.store.unit_of_work import UnitOfWork

EVENTS_KEPT = timedelta(days=30)
"""Longer than any provider redelivers an event."""

RETRY_MINUTES = (1, 5, 30, 120, 480)
"""The wait after each failure; the last one repeats."""


class EventRun(NamedTuple):
    """The outcome of a run; ``failure`` is the last reason."""

    worked: int = 0
    postponed: int = 0
    failed: int = 0
    failure: str = ""


class ForeignEvent(Unauthenticated):
    """An event of another payment mode or account; ``reason`` is a label for the metrics."""

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


def receive_event(context: Context, event: ProviderEvent) -> bool:
    """Store an event; return False if it was stored before, and retry it immediately.

    Raises:
        ForeignEvent: it is of another payment mode or account.
    """
    now = context.now()
    with context.store.write() as work:
        _require_own_event(context, work, event)
        if event.confirm_url is not None:  # whoever has it sees the member's invoice
            link = context.vault.seal(event.confirm_url, about=_link_of(event))
            event = event._replace(confirm_url=link)
        is_new = work.provider_events.add(event, at=now)
        if not is_new:
            work.provider_events.retry_now(event.event_id, at=now)
    return is_new


def _require_own_event(context: Context, work: UnitOfWork, event: ProviderEvent) -> None:
    is_live = context.payment_mode is PaymentMode.LIVE
    if event.is_live is not None and event.is_live is not is_live:
        mode = "live" if event.is_live else "test"
        raise ForeignEvent(
            f"This event is of {mode} mode, not of {context.payment_mode} mode.", reason="livemode"
        )
    account = work.meta.get(PAYMENT_ACCOUNT)
    if event.account_id is not None and event.account_id != account:
        raise ForeignEvent("This event is of another account.", reason="account")


def work_events(context: Context, events: EventSource) -> EventRun:
    """Process the events that are due.

    The web server's background task calls this every second, the daily run once a day
    (its step ``events``); an event that failed becomes due again after `RETRY_MINUTES`.
    """
    postponed: list[StoredEvent] = []

    def work(batch: Sequence[StoredEvent]) -> Iterator[Failure | None]:
        worker = _Batch(replace(context, operator=SCHEDULER), events)
        for one in batch:
            failure, waits = worker.try_to_work(one)
            if failure is None and waits:
                postponed.append(one)
            yield None if failure is None else Failure(failure)

    run = work_through(lambda: _lease(context), work)
    return EventRun(run.done - len(postponed), len(postponed), run.failed, run.failure)


def _lease(context: Context) -> list[StoredEvent]:
    now = context.now()
    with context.store.read() as work:
        if not work.provider_events.any_due(now):
            return []
    with context.store.write() as work:
        return work.provider_events.lease(now=now, until=now + LEASE, limit=BATCH)


class _Batch:
    """Processes a batch of events; what it fetches for one is reused for all of them."""

    def __init__(self, context: Context, events: EventSource) -> None:
        self._context = context
        self._events = events
        self._has_collected = False
        self._has_finished = False
        self._refreshed: dict[str, Pledge] = {}

    def try_to_work(self, stored: StoredEvent) -> tuple[str | None, bool]:
        """Process an event and store the outcome; return the failure, and whether it waits."""
        now = self._context.now()
        try:
            waits_until = self._work(stored)
            failure = None
        except JaraError as error:
            failure = error.message
        except Exception as error:  # noqa: BLE001 - a defect met by one must not stop the others
            failure = f"{type(error).__name__}: {error} (a defect of Jara)"
        if failure is not None:
            waits_until = retry_at(now, attempts=stored.attempts, minutes=RETRY_MINUTES)
        if waits_until is not None:
            with self._context.store.write() as work:
                work.provider_events.postpone(
                    stored.event.event_id, due_at=waits_until, failure=failure
                )
        return failure, waits_until is not None

    def _work(self, stored: StoredEvent) -> datetime | None:
        event = self._events.look_up(stored.event)
        if event.opens_invoice and event.subscription_id is not None:
            self._events.void_arrears(event.subscription_id)
        if event.moves_money and not self._has_collected:
            collect_movements(self._context)
            self._has_collected = True
        with self._context.store.read() as work:
            pledges = _pledges_of(work, event)
            joining = [] if pledges or not _is_about_somebody(event) else work.registrations.all()
        if joining:
            now, ready_at = self._context.now(), stored.received_at + IN_FLIGHT
            if now < ready_at and any(now - one.started_at < IN_FLIGHT for one in joining):
                return ready_at
            self._finish_registrations()
        self._close(event, [self._refresh(pledge) for pledge in pledges])
        return None

    def _finish_registrations(self) -> None:
        if self._has_finished:
            return
        report = finish_registrations(self._context)
        if report.failures:
            raise Unavailable(report.failures[0])
        self._has_finished = True

    def _refresh(self, pledge: Pledge) -> Pledge:
        who = pledge.member_id
        if who not in self._refreshed:
            self._refreshed[who] = refresh_pledge(self._context, who)
        return self._refreshed[who]

    def _close(self, event: ProviderEvent, pledges: list[Pledge]) -> None:
        """Queue the emails for an event, and mark it as done."""
        with self._context.store.write() as work:
            if event.warned_charge_id is not None:
                self._pass_on_warning(work, event.warned_charge_id)
            for pledge in pledges:
                # While joining, the cardholder is asked on the page itself.
                if event.confirm_url is None or pledge.state is not PledgeState.PAST_DUE:
                    continue
                queue_confirm_renewal(
                    self._context,
                    work,
                    require_member(work, pledge.member_id),
                    pledge,
                    link=self._context.vault.unseal(event.confirm_url, about=_link_of(event)),
                    invoice=event.object_id,
                )
            work.provider_events.done(event.event_id, at=self._context.now())

    def _pass_on_warning(self, work: UnitOfWork, charge_id: str) -> None:
        """Warn the operators: a refund before the dispute saves its fee."""
        why = "The cardholder's bank suspects fraud; a refund before the dispute saves its fee."
        record_unattended(self._context, work, "payments.fraud-warning", charge_id, why=why)
        queue_fraud_warning(self._context, work, charge_id=charge_id)


def _link_of(event: ProviderEvent) -> str:
    """Return what the encrypted link of an event belongs to."""
    return f"event\0{event.event_id}"


def _pledges_of(work: UnitOfWork, event: ProviderEvent) -> list[Pledge]:
    if event.subscription_id is not None:
        pledge = work.pledges.by_subscription(event.subscription_id)
        if pledge is not None:
            return [pledge]
    return [] if event.customer_id is None else work.pledges.of_customer(event.customer_id)


def _is_about_somebody(event: ProviderEvent) -> bool:
    return event.subscription_id is not None or event.customer_id is not None
