"""How long what is kept; the daily run forgets the rest (trust §4, money §11).

Two more kinds have their time where they are made: ballot keys (`closing.KEY_LIFETIME`)
and registrations that were cut off (`unfinished.GIVEN_UP_AFTER`).
"""

from __future__ import annotations

from datetime import date, timedelta

from jara.services.context import Context
from jara.services.members.accounts import ERASURES
from jara.services.notices.newsletter import CONFIRMATION_LIFE
from jara.services.payments.events import EVENTS_KEPT
from jara.services.ports.operations import MailSender

EMAILS_KEPT = timedelta(days=60)
"""Longer than any notice looks back, so that none is written twice."""

RECORDS_KEPT_YEARS = 6
"""After the end of the year they belong to: operators' words beside entries, and the hashed
addresses of givers without an account (money §11). Entries hold nobody's data and stay."""

_WIPED = "erasures.wiped"


def delete_expired(context: Context, sender: MailSender) -> dict[str, int]:
    """Remove everything whose time is over; return how much of each kind it was."""
    now, records = context.now(), records_begin(context.today())
    with context.store.write() as work:
        counts = {
            "letters": work.outbox.erase_before(now - EMAILS_KEPT),
            "expired": work.access.forget_expired(now),
            "events": work.provider_events.erase_before(now - EVENTS_KEPT),
            "readers": work.access.forget_unconfirmed(now - CONFIRMATION_LIFE),
            "notes": work.journal.forget_notes(records),
            "givers": work.contributors.forget_strangers(records),
        }
        kept = {email.id for email in work.outbox.all()}
    return {**counts, "copies": sender.keep_only(kept)}


def wipe_erased(context: Context) -> bool:
    """Write the database anew if somebody left since the last time; tell whether it was.

    An engine that moves rows about leaves copies of them in the gaps of its pages, which
    deleting the rows does not reach.
    """
    with context.store.read() as work:
        erasures, wiped = work.meta.get(ERASURES), work.meta.get(_WIPED)
    if erasures is None or erasures == wiped:
        return False
    context.store.wipe()
    # Only what was seen before: for who left meanwhile the next run wipes once more.
    with context.store.write() as work:
        work.meta.put(_WIPED, erasures)
    return True


def records_begin(today: date) -> date:
    """Return the first day whose records are still kept."""
    return date(today.year - RECORDS_KEPT_YEARS, 1, 1)
