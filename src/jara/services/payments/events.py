"""Events of the payment provider: kept once, then each a reason to fetch (money §6).

They come twice, late and out of order, or never. Nothing in them is believed, so order,
repetition and loss change nothing (trust §3): what counts is read from the provider, and
the daily run reads it too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from jara.domain.errors import JaraError, Unavailable
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.services.audit import SCHEDULER, record_act
from jara.services.context import Context
from jara.services.giving.pledging import refresh_pledge
from jara.services.giving.recovery import IN_FLIGHT, finish_registrations
from jara.services.members.profiles import require_member
from jara.services.notices.emails import queue_confirm_renewal, queue_fraud_warning
from jara.services.payments.importing import collect_movements
from jara.services.ports.database import UnitOfWork
from jara.services.ports.payment_events import EventSource, HeardEvent, ProviderEvent

EVENTS_KEPT = timedelta(days=30)
"""Longer than any provider delivers an event again."""

LEASE = timedelta(minutes=10)
BATCH_EVENTS = 50
RETRY_MINUTES = (1, 5, 30, 120, 480)
"""After each failure the next wait; the last one repeats."""
GIVE_UP_AFTER = 3
"""So many failures in a row mean that the provider is away, not that an event is bad."""


@dataclass(frozen=True, slots=True)
class EventRun:
    """What came of the events that were due; ``failure`` is the last reason."""

    worked: int = 0
    postponed: int = 0
    failed: int = 0
    failure: str = ""


def receive_event(context: Context, event: ProviderEvent) -> bool:
    """Keep an event; False when it came before, and then it is tried again at once."""
    now = context.now()
    with context.store.write() as work:
        is_new = work.provider_events.add(event, at=now)
        if not is_new:
            work.provider_events.hasten(event.event_id, at=now)
    return is_new


def work_events(context: Context, events: EventSource) -> EventRun:
    """Do what the events that are due are a reason for.

    Each batch is leased, so that two processes never work on the same event; a process
    that dies leaves its events to the next one when the lease is over.
    """
    run, in_a_row = EventRun(), 0
    while heard := _lease(context):
        batch = _Batch(replace(context, operator=SCHEDULER), events)
        for one in heard:
            failure, waits = batch.try_to_work(one)
            if failure is None:
                in_a_row = 0
                run = replace(run, worked=run.worked + (not waits), postponed=run.postponed + waits)
                continue
            in_a_row += 1
            run = replace(run, failed=run.failed + 1, failure=failure)
            if in_a_row == GIVE_UP_AFTER:
                return run
    return run


def _lease(context: Context) -> list[HeardEvent]:
    now = context.now()
    with context.store.read() as work:
        if not work.provider_events.any_due(now):
            return []
    with context.store.write() as work:
        return work.provider_events.lease(now=now, until=now + LEASE, limit=BATCH_EVENTS)


class _Batch:
    """Works on events that came before it began: what it has fetched is new enough for all."""

    def __init__(self, context: Context, events: EventSource) -> None:
        self._context = context
        self._events = events
        self._has_collected = False
        self._has_finished = False
        self._refreshed: dict[str, Pledge] = {}

    def try_to_work(self, heard: HeardEvent) -> tuple[str | None, bool]:
        """Work on an event and note the outcome; return the failure, or whether it waits."""
        now = self._context.now()
        try:
            waits_until = self._work(heard)
            failure = None
        except JaraError as error:
            failure = error.message
        except Exception as error:  # noqa: BLE001 - a defect met by one must not stop the others
            failure = f"{type(error).__name__}: {error} (a defect of Jara)"
        if failure is not None:
            wait = RETRY_MINUTES[min(heard.attempts, len(RETRY_MINUTES) - 1)]
            waits_until = now + timedelta(minutes=wait)
        if waits_until is not None:
            with self._context.store.write() as work:
                work.provider_events.postpone(
                    heard.event.event_id, due_at=waits_until, failure=failure
                )
        return failure, waits_until is not None

    def _work(self, heard: HeardEvent) -> datetime | None:
        event = self._events.look_up(heard.event)
        if event.opens_invoice and event.subscription_id is not None:
            self._events.void_arrears(event.subscription_id)
        if event.moves_money and not self._has_collected:
            collect_movements(self._context)
            self._has_collected = True
        with self._context.store.read() as work:
            found = _pledges_of(work, event)
            joining = [] if found or not _is_about_somebody(event) else work.registrations.all()
        if joining:
            now, ready_at = self._context.now(), heard.received_at + IN_FLIGHT
            if now < ready_at and any(now - one.started_at < IN_FLIGHT for one in joining):
                return ready_at
            self._finish_registrations()
        self._close(event, [self._refresh(pledge) for pledge in found])
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
        """Write the emails that an event asks for, and note that it is done."""
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
                    link=event.confirm_url,
                    invoice=event.object_id,
                )
            work.provider_events.done(event.event_id, at=self._context.now())

    def _pass_on_warning(self, work: UnitOfWork, charge_id: str) -> None:
        """Tell the operators: a refund before the dispute saves its fee (money §6)."""
        why = "The cardholder's bank suspects fraud; a refund before the dispute saves its fee."
        record_act(self._context, work, "payments.fraud-warning", charge_id, why=why)
        queue_fraud_warning(self._context, work, charge_id=charge_id)


def _pledges_of(work: UnitOfWork, event: ProviderEvent) -> list[Pledge]:
    if event.subscription_id is not None:
        pledge = work.pledges.by_subscription(event.subscription_id)
        if pledge is not None:
            return [pledge]
    return [] if event.customer_id is None else work.pledges.of_customer(event.customer_id)


def _is_about_somebody(event: ProviderEvent) -> bool:
    return event.subscription_id is not None or event.customer_id is not None
