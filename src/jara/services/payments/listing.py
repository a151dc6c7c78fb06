"""Payments for operators: lists, one payment with its history, and open disputes."""

from datetime import date
from typing import NamedTuple

from jara.domain.books.journal import EntryKind, PostedEntry
from jara.domain.books.other_ways import RECEIVED
from jara.domain.errors import NotFound
from jara.records.journal import EntryQuery
from jara.records.payments import PaymentLine, PaymentQuery, PaymentRecord
from jara.services.books.waiting_returns import WaitingRow, waiting_rows
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

_LATER_KINDS = tuple(
    kind.value
    for kind in (
        EntryKind.REFUND,
        EntryKind.REFUND_FAILURE,
        EntryKind.DISPUTE,
        EntryKind.DISPUTE_REVERSAL,
        EntryKind.REVERSAL,
    )
)
"""The kinds of entries that can follow a payment."""
_GIFTS_OF_DAY = 1_000


class PaymentStory(NamedTuple):
    """A payment, and the entries that refund or dispute it, oldest first."""

    line: PaymentLine
    later: tuple[PostedEntry, ...]


def find_payments(
    context: Context, query: PaymentQuery, *, member: str | None = None
) -> list[PaymentLine]:
    """Return the matching payments, newest first, of all or of one member.

    `member` is an address, an id, or a unique prefix.

    Raises:
        NotFound: there is no such member.
        Conflict: several members match.
    """
    with context.store.read() as work:
        if member is not None:
            query = query._replace(member_key=work.members.find(member).key)
        return _with_givers(work, work.payments.search(query))


def waiting_movements(context: Context) -> list[WaitingRow]:
    """Return the provider's movements that wait for what they undo, oldest first."""
    with context.store.read() as work:
        return waiting_rows(work)


def show_payment(context: Context, text: str) -> PaymentStory:
    """Return the payment with that charge id, or with that prefix of its entry's id.

    Raises:
        NotFound: no payment has it.
        Conflict: several entries match.
    """
    with context.store.read() as work:
        record = find_payment(work, text)
        about = EntryQuery(kinds=_LATER_KINDS, member_key=record.member_key)
        later = [
            posted
            for posted in work.journal.entries(about)
            if record.index in {posted.entry.of, posted.entry.reverses}
        ]
        (line,) = _with_givers(work, [_line_of(work, record)])
        return PaymentStory(line, tuple(later))


def find_payment(work: UnitOfWork, text: str) -> PaymentRecord:
    """Return the payment with that charge id, or with that prefix of its entry's id.

    Raises:
        NotFound: no payment has it.
        Conflict: several entries match.
    """
    record = work.payments.by_source([text]).get(text)
    if record is None:
        record = work.payments.by_index(work.journal.find(text).index)
    if record is None:
        raise NotFound(f"The entry '{text}' is not a payment; see `jara payments list`.")
    return record


def payer_of(work: UnitOfWork, source_id: str) -> str:
    """Return the name of whoever made a payment; empty if it is not known."""
    record = work.payments.by_source([source_id]).get(source_id)
    return "" if record is None else _with_givers(work, [_line_of(work, record)])[0].name


def equal_gift(work: UnitOfWork, giver: str, cents: int, day: date) -> PostedEntry | None:
    """Return a kept gift of a day by somebody without an account, with this name and amount."""
    gifts = PaymentQuery(kind="gift", first_day=day, last_day=day, limit=_GIFTS_OF_DAY)
    for one in _with_givers(work, work.payments.search(gifts)):
        is_theirs = one.name == giver.strip() and not one.email
        if is_theirs and one.record.cents == cents and one.record.is_kept:
            return work.journal.get(one.record.index)
    return None


def _line_of(work: UnitOfWork, record: PaymentRecord) -> PaymentLine:
    posted = work.journal.get(record.index)
    member = None if record.member_key is None else work.members.by_key(record.member_key)
    entry = posted.entry
    if member is None:
        return PaymentLine(record, posted.id, entry.description, entry.reference)
    name = f"{member.firstname} {member.lastname}"
    return PaymentLine(record, posted.id, entry.description, entry.reference, name, member.email)


def _with_givers(work: UnitOfWork, lines: list[PaymentLine]) -> list[PaymentLine]:
    """Add the names of givers without an account, which are the notes of the gifts' entries."""
    notes = work.journal.notes_of(
        line.record.index
        for line in lines
        if not line.name and (line.record.source_id or "").startswith(RECEIVED)
    )
    return [line._replace(name=notes.get(line.record.index, line.name)) for line in lines]


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
