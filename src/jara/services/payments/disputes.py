"""Disputes of payments: the bank takes the money back at once, and decides weeks later."""

from __future__ import annotations

from jara.services.context import Context


def note_lost_disputes(context: Context) -> None:
    """Ask the provider about each open dispute, and store which were lost.

    Losing moves no money, unlike winning, which is booked as a movement. Called after the
    provider's movements are fetched: by the daily run, and after an event about money.
    """
    with context.store.read() as work:
        disputed = work.payments.in_dispute()
    lost = [
        payment.index
        for payment in disputed
        if payment.source_id is not None and context.gateway.has_lost_dispute(payment.source_id)
    ]
    if not lost:
        return
    with context.store.write() as work:
        for payment in work.payments.in_dispute():
            if payment.index in lost:
                work.payments.update(
                    payment.index, returned_cents=payment.returned_cents, dispute="lost"
                )
