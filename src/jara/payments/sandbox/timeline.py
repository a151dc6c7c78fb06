"""What the sandbox does by itself as time passes: charges, retries, payouts, lost disputes."""

import heapq
from datetime import datetime
from itertools import count

from jara.domain.giving.changemaker import RETRY_AFTER
from jara.domain.time_zone import UTC_ZONE
from jara.payments.sandbox.billing import SandboxBilling, next_charge_at, next_event_at
from jara.payments.sandbox.money import PAYOUT_INTERVAL, SandboxMoney
from jara.payments.sandbox.objects import Objects, Subscription, instant_text
from jara.services.ports.payments import PaymentOutcome


class SandboxTimeline:
    """Runs everything that is due, in order of time and at its own instant."""

    def __init__(self, objects: Objects, billing: SandboxBilling, money: SandboxMoney) -> None:
        self._objects = objects
        self._billing = billing
        self._money = money
        self._payout_at: datetime | None = None

    def run_until(self, now: datetime) -> int:
        """Run everything that is due up to an instant; return the number of events."""
        places = count()
        waiting: list[tuple[datetime, int, Subscription]] = []

        def enqueue(subscription: Subscription) -> None:
            at = next_event_at(subscription)
            if at is not None and at <= now:
                heapq.heappush(waiting, (at, next(places), subscription))

        for subscription in self._objects.due(Subscription, now):
            enqueue(subscription)
        happened = 0
        while waiting:
            at, _, subscription = heapq.heappop(waiting)
            happened += self._pay_out_until(at)
            self._happen(subscription, at)
            happened += 1
            enqueue(subscription)
        return happened + self._pay_out_until(now) + self._money.lose_unanswered(now)

    def _pay_out_until(self, now: datetime) -> int:
        payouts = 0
        self._payout_at = self._payout_at or self._money.next_payout_at()
        while self._payout_at is not None and self._payout_at <= now:
            payouts += self._money.pay_out(self._payout_at)
            self._payout_at += PAYOUT_INTERVAL
        return payouts

    def _happen(self, subscription: Subscription, at: datetime) -> None:
        if subscription.status == "incomplete":
            self._billing.expire(subscription)
            return
        if next_charge_at(subscription) <= at:
            self._renew(subscription, at)
        else:
            self._retry(subscription, at)
        self._billing.keep(subscription)

    def _renew(self, subscription: Subscription, at: datetime) -> None:
        day = UTC_ZONE.day_of(at).isoformat()
        subscription.nth += 1
        if subscription.paused or subscription.skip_on == day:
            subscription.skip_on = None
            return
        if subscription.setup_pending:
            self._billing.cancel(subscription)
            return
        if self._charge(subscription, at) is not PaymentOutcome.PAID:
            subscription.status = "past_due"
            subscription.failed_at = instant_text(at)
            subscription.due = subscription.dollars * 100

    def _retry(self, subscription: Subscription, at: datetime) -> None:
        if self._charge(subscription, at) is PaymentOutcome.PAID:
            self._billing.settle_invoice(subscription)
            return
        subscription.retries += 1
        if subscription.retries == len(RETRY_AFTER):
            self._billing.cancel(subscription)

    def _charge(self, subscription: Subscription, at: datetime) -> PaymentOutcome:
        outcome = self._billing.try_charge(subscription, at=at)
        if outcome is PaymentOutcome.REQUIRES_ACTION and subscription.intent_id is None:
            self._billing.ask(subscription, prefix="pi_", cents=subscription.cents)
        return outcome
