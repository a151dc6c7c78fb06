"""Imports: listed with an id, and undone as a whole by reversals.

The entries of an import are a range of the log; its row in the audit log stores the first and the
next index. Entries booked later from waiting lines of its bank statement belong to it too. An undo
reverses all of them that are not reversed yet, newest first, and deletes nothing. The lines of the
statement stay stored but no longer count, so the same file can be imported again; so can the
provider's movements. Movements that cannot stand without those of the import wait for them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from jara.domain.books.account import FEE_TAX
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, reversal_of
from jara.domain.books.payment_state import cents_of
from jara.domain.books.provider_row import CAUSES, ProviderRow, RowCategory
from jara.domain.books.years import booking_day
from jara.domain.control.effects import Touch
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.lookup import choose_one
from jara.domain.time_zone import TimeZone
from jara.records.operations import Approval, AuditRow
from jara.records.payments import Identity
from jara.services.approvals import Handler, salt_of
from jara.services.audit import record_act
from jara.services.authority import touches_voters
from jara.services.books import imports
from jara.services.books.bookkeeping import reverse_within
from jara.services.books.imports import BANK_IMPORT_ACTION, IMPORT
from jara.services.books.outflows import ask_approval
from jara.services.books.posting import Books, arrivals_of
from jara.services.books.waiting_returns import WaitingReturns
from jara.services.context import Context
from jara.services.notices.receipts import receipt_key
from jara.services.payments.receiving import follow_payer, forget_payer
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

    Each entry has the day of its reversal; an approved act of the context has the salts of the
    reversals. `why` is the reason for their notes. The movements of the entries of `waiting` wait
    from now on, until their cause is booked.
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


class ImportLine(NamedTuple):
    """An import in the list."""

    id: str
    at: datetime
    operator: str
    posted: int
    left: int
    """How many of its entries are not reversed."""
    file: str
    """The bank statement; empty for other imports."""
    lines: int
    """How many lines of a bank statement it added that still count."""
    undone: bool
    cents: int
    """The sum of the debits of its entries that are not reversed."""


class Undone(NamedTuple):
    """How many entries of an import were reversed now, and how many were already.

    Receipts that were not sent are withdrawn. Sent receipts of givers without an account are not
    counted, because their addresses are not stored.
    """

    id: str
    reversed: int
    skipped: int
    receipts_withdrawn: int = 0
    receipts_sent: int = 0


def list_imports(context: Context) -> list[ImportLine]:
    """Return every import that changed something, newest first."""
    with context.store.read() as work:
        return [_line(work, row) for row in reversed(_imports(work))]


def find_import(context: Context, text: str) -> ImportLine:
    """Return the import with that id, or a unique prefix of it, if it can be undone.

    Raises:
        NotFound: there is none.
        Conflict: several ids match, or nothing is left to undo.
    """
    with context.store.read() as work:
        line = import_of(work, text)
    _require_left(line)
    return line


def import_of(work: UnitOfWork, name: str) -> ImportLine:
    """Return the import with that id."""
    return _line(work, _find(work, name))


def undo_import(context: Context, text: str, *, why: str) -> Undone | Approval:
    """Reverse every entry of an import that is not reversed yet, all or none.

    Raises:
        NotFound: there is no such import.
        InvalidInput: no reason is given.
        Conflict: nothing is left to undo, an entry cannot be reversed, or a later import brought
            lines of the same bank account.
    """
    if not why.strip():
        raise InvalidInput("An undo needs a reason; say --why.")
    with context.store.write() as work:
        row = _find(work, text)
        line, entries = _line(work, row), _left(work, row)
        _require_left(line)
        _require_newest_of_bank(work, line.id)
        # On its own day, so that each month's books look as if the statement was never imported.
        is_same_day = row.action == BANK_IMPORT_ACTION
        locked, today = Books(context, work).locked_years, context.today()
        dependent = dependents_of(work, entries)
        undone = [
            (posted, booking_day(posted.entry.day, locked).day if is_same_day else today)
            for posted in (*entries, *dependent)
        ]
        waiting = ask_approval(
            context,
            work,
            reversals_of(undone, why),
            action=imports.UNDO_ACTION,
            payload={IMPORT: line.id, "why": why},
            why=why,
            touches=_touches_of(context, work, [posted for posted, _ in undone], line.id),
        )
        if waiting is not None:
            return waiting
        first = work.log.size()
        receipts = [receipt_key(posted) for posted in entries]
        written = work.outbox.count(receipts)
        unbook(context, work, undone, why=why, waiting=dependent)
        _follow_payers(context, work, [posted for posted, _ in undone])
        if line.lines:
            work.bank.undo(line.id, at=context.now())
            work.payments.require_statements()
        sent = work.outbox.count(receipts)
        facts = {
            "reversed": len(entries),
            "cents": line.cents,
            "lines": line.lines,
            "receiptsSent": sent,
            **imports.range_facts(work, first=first),
        }
        record_act(context, work, imports.UNDO_ACTION, line.id, why=why, facts=facts)
    skipped, withdrawn = line.posted - len(entries), written - sent
    return Undone(line.id, len(entries), skipped, withdrawn, sent)


def _touches_of(
    context: Context, work: UnitOfWork, undone: Sequence[PostedEntry], imported: str
) -> list[Touch]:
    """Return what an undo touches: votes of payers too, if it brought or proved their payments."""
    shown = [i for line in work.bank.lines_in(imported) for i in work.bank.entries_of(line)]
    every = (*undone, *work.journal.many(shown).values())
    keys = {key for posted in every if (key := posted.entry.member_key) is not None}
    payers = (work.members.by_key(key) for key in sorted(keys))
    voters = any(touches_voters(context, work, payer) for payer in payers)
    return [Touch.OUTLAY, Touch.PURPOSE, *([Touch.VOTERS] if voters else [])]


def _follow_payers(context: Context, work: UnitOfWork, undone: Sequence[PostedEntry]) -> None:
    """Update the pledges of the payers of undone entries, and forget the accounts they showed."""
    accounts: defaultdict[str, set[str]] = defaultdict(set)
    for posted in undone:
        payment = work.payments.by_index(posted.index)
        if posted.entry.member_key is not None:
            shown = None if payment is None else payment.card_fingerprint
            accounts[posted.entry.member_key] |= set() if shown is None else {shown}
    for payer, learned in accounts.items():
        forget_payer(context, work, payer, learned)
        follow_payer(context, work, payer)


def _undo_approved(context: Context, payload: Mapping[str, Any]) -> Undone | Approval:
    return undo_import(context, str(payload[IMPORT]), why=str(payload["why"]))


HANDLERS: Mapping[str, Handler] = {imports.UNDO_ACTION: _undo_approved}


def _imports(work: UnitOfWork) -> list[AuditRow]:
    """Return the rows of all imports that changed something, oldest first."""
    others = work.operations.audit(action=imports.IMPORT_ACTION)
    rows = [row for row in others if row.after.get("posted") and IMPORT in row.after]
    return sorted([*rows, *_bank_imports(work)], key=lambda row: (row.after[imports.FIRST], row.at))


def _bank_imports(work: UnitOfWork) -> list[AuditRow]:
    rows = work.operations.audit(action=BANK_IMPORT_ACTION)
    return [row for row in rows if row.after.get("added") and IMPORT in row.after]


def _require_left(line: ImportLine) -> None:
    if not line.left and not line.lines:
        raise Conflict(f"Every entry of {line.id} is already reversed.")


def _require_newest_of_bank(work: UnitOfWork, imported: str) -> None:
    """Refuse if a later statement exists: it skipped this one's days, so it is undone first.

    Raises:
        Conflict: it does.
    """
    row = _find(work, imported)
    undone = work.bank.undone_imports() - {imported}
    accounts = set(row.after.get("accounts", ()))
    rows = [one for one in _bank_imports(work) if one.after[IMPORT] not in undone]
    sharing = [one for one in rows if accounts.intersection(one.after["accounts"])]
    if sharing and sharing[-1] != row:
        later = sharing[-1].after[IMPORT]
        raise Conflict(f"{later} brought later lines of this account; undo it first.")


def _find(work: UnitOfWork, text: str) -> AuditRow:
    rows = [row for row in _imports(work) if str(row.after[IMPORT]).startswith(text)]
    return choose_one(
        text,
        rows,
        kinds="imports",
        label=lambda row: str(row.after[IMPORT]),
        missing=f"There is no import '{text}'; see `jara ledger imports`.",
    )


def _left(work: UnitOfWork, row: AuditRow) -> list[PostedEntry]:
    """Return the entries of an import that are not reversed, in log order."""
    own = [index for part in _ranges(work, row) for index in work.journal.not_reversed(part)]
    entries = work.journal.many(own)
    later = _booked_later(work, row)
    entries |= work.journal.many([i for i in later if work.journal.reversal_of(i) is None])
    return [entries[index] for index in sorted(entries)]


def _ranges(work: UnitOfWork, row: AuditRow) -> list[range]:
    """Return the ranges of the log that the import wrote, and those that 0.2.0 posted again."""
    redone = work.operations.audit(action=imports.REDO_ACTION)
    rows = [row, *(one for one in redone if one.after[IMPORT] == row.after[IMPORT])]
    return [range(int(one.after[imports.FIRST]), int(one.after[imports.NEXT])) for one in rows]


def _booked_later(work: UnitOfWork, row: AuditRow) -> list[int]:
    """Return the entries that operators and new rules booked from waiting lines."""
    if row.action != BANK_IMPORT_ACTION:
        return []
    parts = _ranges(work, row)
    booked = work.bank.entries_booked(str(row.after[IMPORT]))
    return [index for index in booked if not any(index in part for part in parts)]


def _line(work: UnitOfWork, row: AuditRow) -> ImportLine:
    left = _left(work, row)
    name = str(row.after[IMPORT])
    is_bank = row.action == BANK_IMPORT_ACTION
    undone = name in work.bank.undone_imports() if is_bank else not left
    cents = sum(p.cents for one in left for p in one.entry.postings if p.cents > 0)
    return ImportLine(
        id=name,
        at=row.at,
        operator=row.operator,
        posted=work.journal.count_in(_ranges(work, row)[0]) + len(_booked_later(work, row)),
        left=len(left),
        file=row.subject if is_bank else "",
        lines=int(row.after["added"]) if is_bank and not undone else 0,
        undone=undone,
        cents=cents,
    )
