"""Taking movements out of the books again, by reversals, so that they can be booked anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from jara.domain.books.account import FEE_TAX
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, reversal_of
from jara.domain.books.payment_state import cents_of
from jara.domain.books.provider_row import CAUSES, ProviderRow, RowCategory
from jara.domain.time_zone import TimeZone
from jara.records.payments import Identity
from jara.services.approvals import salt_of
from jara.services.books.bookkeeping import reverse_within
from jara.services.books.posting import Books, arrivals_of
from jara.services.books.waiting_returns import WaitingReturns
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

_PAYMENTS = (EntryKind.PLEDGE, EntryKind.GIFT)


def dependents_of(work: UnitOfWork, entries: Iterable[PostedEntry]) -> list[PostedEntry]:
    """Return the other movements that cannot stand without some entries, in log order.

    These are the refunds and disputes of a payment, what restores the money of a refund or
    dispute, and the arrival of a payout.
    """
    taken = {posted.index for posted in entries}
    more: set[int] = set()
    payments = set()
    for posted in entries:
        if posted.entry.of is not None:
            payments.add(posted.entry.of)
        if posted.entry.kind in _PAYMENTS:
            more.update(one.entry for one in work.journal.returns_of(posted.index))
        if posted.entry.kind is EntryKind.PAYOUT and posted.entry.reference is not None:
            arrivals = arrivals_of(work, posted.entry.reference)
            more.update(i for i in arrivals if work.journal.reversal_of(i) is None)
    for payment in payments - taken:
        left = [one for one in work.journal.returns_of(payment) if one.entry not in taken]
        for restoring, cause in CAUSES.items():
            while cents_of(left, restoring, cause) < 0:
                last = [one for one in left if one.kind == restoring][-1]
                left.remove(last)
                more.add(last.entry)
    found = work.journal.many(sorted(more - taken))
    known = {one.index for one in work.identities.of_entries(found)}
    return [
        posted
        for index, posted in sorted(found.items())
        if index in known or posted.entry.kind is EntryKind.PAYOUT_ARRIVED
    ]


def unbook(
    context: Context,
    work: UnitOfWork,
    entries: Sequence[tuple[PostedEntry, date]],
    *,
    why: str,
    waiting: Iterable[PostedEntry] = (),
) -> None:
    """Reverse entries, newest first, so that the movements in them can be booked again.

    Args:
        context: who does it; an approved act has the salts of the reversals.
        entries: each with the day of its reversal.
        why: the reason, for the notes of the reversals.
        waiting: the entries whose movements wait from now on, until their cause is booked.
    """
    books, returns = Books(context, work), WaitingReturns(work)
    newest_first = sorted(entries, key=lambda one: -one[0].index)
    for number, (posted, day) in enumerate(newest_first):
        salt = salt_of(context, number)
        reverse_within(books, work, posted, why=why, day=day, salt=salt)
    for posted in waiting:
        for identity in work.identities.of_entries([posted.index]):
            returns.add(_row_of(identity, posted.entry, work.zone))
    returns.save()
    for identity in work.identities.of_entries([posted.index for posted, _ in entries]):
        if identity.category == RowCategory.CHARGE:
            work.payments.release_source(identity.source_id)
    work.identities.undo([posted.index for posted, _ in entries])


def reversals_of(entries: Sequence[tuple[PostedEntry, date]], why: str) -> list[JournalEntry]:
    """Return the reversals that `unbook` posts, in its order."""
    newest_first = sorted(entries, key=lambda one: -one[0].index)
    return [reversal_of(posted, day=day, why=why) for posted, day in newest_first]


def _row_of(identity: Identity, entry: JournalEntry, zone: TimeZone) -> ProviderRow:
    """Return the provider's row that an entry booked."""
    is_sum = identity.source_id == identity.charge_id
    has_own_id = not is_sum and identity.source_id != identity.txn_id
    return ProviderRow(
        created=zone.start_of(entry.true_day or entry.day),
        category=RowCategory(identity.category),
        raw_category=identity.category,
        amount=identity.cents,
        fee=identity.fee_cents,
        fee_tax=sum(p.cents for p in entry.postings if p.account == FEE_TAX),
        net=identity.net_cents,
        txn_id=identity.txn_id,
        source_id=identity.source_id if has_own_id else None,
        charge_id=identity.charge_id,
        payout_id=identity.payout_id,
        cumulative=identity.ordinal if is_sum else None,
    )
