"""Retention times; the daily run deletes what is older.

Two more are declared elsewhere: ballot keys (`closing.KEY_LIFETIME`) and interrupted
registrations (`recovery.GIVEN_UP_AFTER`).
"""

from __future__ import annotations

from datetime import date, timedelta

from jara.services.context import Context
from jara.services.members.sessions import SESSION_LIFE
from jara.services.notices.newsletter import CONFIRMATION_LIFE
from jara.services.organisation import REWRITES_DUE
from jara.services.payments.events import EVENTS_KEPT
from jara.services.ports.outside import MailSender

EMAILS_KEPT = timedelta(days=60)
"""Longer than the daily run looks back, so that no email is queued twice."""

RECORDS_KEPT_YEARS = 6
"""Kept for so many years after the end of their own year: operators' notes, texts and names of
bank lines, hashed addresses of givers without an account. Entries hold no personal data and are
never deleted."""

_WIPED = "erasures.wiped"


def delete_expired(context: Context, sender: MailSender) -> dict[str, int]:
    """Delete everything past its retention time; return the count of each kind."""
    now, records = context.now(), records_begin(context.today())
    with context.store.write() as work:
        counts = {
            "letters": work.outbox.erase_before(now - EMAILS_KEPT),
            "expired": work.access.forget_expired(now)
            + work.sessions.forget_unused(context.today() - SESSION_LIFE),
            "events": work.provider_events.erase_before(now - EVENTS_KEPT),
            "readers": work.access.forget_unconfirmed(now - CONFIRMATION_LIFE),
            "notes": work.journal.forget_notes(records),
            "bankTexts": work.bank.forget_texts(records),
            "givers": work.contributors.forget_strangers(records),
        }
        kept = {email.id for email in work.outbox.all()}
    return {**counts, "copies": sender.keep_only(kept)}


def wipe_erased(context: Context) -> bool:
    """Rewrite the database if something was erased since the last time; return whether it was.

    Deleted rows leave copies in the free space of database pages, which only a rewrite removes.
    """
    with context.store.read() as work:
        erasures, wiped = work.meta.get(REWRITES_DUE), work.meta.get(_WIPED)
    if erasures is None or erasures == wiped:
        return False
    context.store.wipe()
    # Store the count read before, so that the next run wipes members erased meanwhile.
    with context.store.write() as work:
        work.meta.put(_WIPED, erasures)
    return True


def records_begin(today: date) -> date:
    """Return the first day whose records are kept."""
    return date(today.year - RECORDS_KEPT_YEARS, 1, 1)
