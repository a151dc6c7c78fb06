"""Undoing an undo: the entries of an import are posted again, while nothing newer depends on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry
from jara.domain.books.payouts import arrival_name
from jara.domain.books.provider_row import RowCategory
from jara.domain.books.spending import require_available
from jara.domain.books.years import booking_day
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.lookup import choose_one
from jara.records.operations import Approval, AuditRow
from jara.records.payments import Identity
from jara.services.approvals import Handler, salt_of
from jara.services.audit import record_act
from jara.services.bank.vouching import prove_shown
from jara.services.books.bookkeeping import own_money
from jara.services.books.imports import (
    FIRST,
    NEXT,
    REDO_ACTION,
    UNDO,
    UNDO_ACTION,
    free_name,
    import_facts,
    named_alike,
)
from jara.services.books.outflows import ask_approval
from jara.services.books.posting import Books, arrivals_of, fund_balances
from jara.services.context import Context
from jara.services.operations.import_undo import require_newest_of_bank
from jara.services.payments.receiving import follow_payer, forget_payer
from jara.services.payments.unbooking import drop_waiting
from jara.store.unit_of_work import UnitOfWork


class Redone(NamedTuple):
    """How many entries of an import were posted again."""

    id: str
    posted: int


class UndoLine(NamedTuple):
    """An undo: its id, its import, and how many entries it reversed."""

    id: str
    of: str
    reversed: int


def find_undo(context: Context, text: str) -> UndoLine:
    """Return the undo with that id, or a unique prefix of it.

    Raises:
        NotFound: there is none.
        Conflict: several ids match.
    """
    with context.store.read() as work:
        row = _find(work, text)
    return UndoLine(row.after[UNDO], row.subject, int(row.after["reversed"]))


def redo_import(context: Context, text: str, *, why: str) -> Redone | Approval:
    """Post every entry that an undo reversed again, all or none.

    Raises:
        NotFound: there is no such undo.
        InvalidInput: no reason is given.
        Conflict: the undo is undone already, something newer depends on it, or an entry pays a
            project.
        FundOverdrawn: a fund has less than the entries take.
    """
    if not why.strip():
        raise InvalidInput("Undoing an undo needs a reason; say --why.")
    with context.store.write() as work:
        row = _find(work, text)
        reversals = work.journal.many(range(int(row.after[FIRST]), int(row.after[NEXT])))
        undone = work.journal.many(
            sorted(one.entry.reverses for one in reversals.values() if one.entry.reverses)
        )
        originals = [undone[index] for index in sorted(undone)]
        _require_not_redone(work, row)
        require_newest_of_bank(work, row.subject)
        _require_not_posted_again(work, originals)
        books = Books(context, work)
        entries = [_again(work, books, posted) for posted in originals]
        _require_covered(work, entries)
        waiting = ask_approval(
            context,
            work,
            entries,
            action=REDO_ACTION,
            payload={UNDO: row.after[UNDO], "why": why},
            why=why,
        )
        if waiting is not None:
            return waiting
        first = work.log.size()
        _post(context, work, books, list(zip(originals, entries, strict=True)))
        work.bank.redo(row.subject)
        prove_shown(work, row.subject)
        for payer in {entry.member_key for entry in entries if entry.member_key is not None}:
            forget_payer(context, work, payer, None)
            follow_payer(context, work, payer)
        facts = {"posted": len(entries), **import_facts(row.subject, work, first=first)}
        record_act(context, work, REDO_ACTION, row.after[UNDO], why=why, facts=facts)
    return Redone(row.subject, len(entries))


def _find(work: UnitOfWork, text: str) -> AuditRow:
    rows = [row for row in work.operations.audit(action=UNDO_ACTION) if UNDO in row.after]
    return choose_one(
        text,
        [row for row in rows if str(row.after[UNDO]).startswith(text)],
        kinds="undos",
        label=lambda row: str(row.after[UNDO]),
        missing=f"There is no undo '{text}'; see `jara ledger imports`.",
    )


def _require_not_redone(work: UnitOfWork, row: AuditRow) -> None:
    if any(one.subject == row.after[UNDO] for one in work.operations.audit(action=REDO_ACTION)):
        raise Conflict(f"{row.after[UNDO]} is undone already; undo {row.subject} again instead.")


def _require_not_posted_again(work: UnitOfWork, originals: Sequence[PostedEntry]) -> None:
    """Refuse if an entry was imported again: the newer one stands for the same movement."""
    for posted in originals:
        name = str(posted.entry.external_id)  # each imported entry has one
        newest = max([posted.index, *named_alike(work, name)])
        if newest > posted.index and work.journal.reversal_of(newest) is None:
            again = work.journal.get(newest).id
            raise Conflict(
                f"'{name}' was imported again after the undo, as {again}; undo that import first."
            )


def _again(work: UnitOfWork, books: Books, posted: PostedEntry) -> JournalEntry:
    entry = posted.entry
    if any(posting.fund is Fund.COMMITTED for posting in entry.postings):
        raise Conflict(
            f"{posted.id} moves money promised to a proposal; pay it again with "
            "`jara projects pay`."
        )
    when = booking_day(entry.true_day or entry.day, books.locked_years)
    name = None if entry.external_id is None else free_name(work, entry.external_id)
    if entry.kind is EntryKind.PAYOUT_ARRIVED and entry.reference is not None:
        name = arrival_name(entry.reference, len(arrivals_of(work, entry.reference)) + 1)
    return replace(entry, day=when.day, true_day=when.true_day, external_id=name)


def _require_covered(work: UnitOfWork, entries: Sequence[JournalEntry]) -> None:
    """Check that each fund has what the entries take; fees were taken already."""
    sums: Counter[Fund] = Counter()
    for entry in entries:
        if entry.source != "stripe" and entry.kind is not EntryKind.FEE:
            sums.update(own_money(entry))
    balances = fund_balances(work)
    for fund, cents in sums.items():
        if cents < 0:
            require_available(fund, available_cents=balances[fund], asked_cents=-cents)


def _post(
    context: Context,
    work: UnitOfWork,
    books: Books,
    pairs: Sequence[tuple[PostedEntry, JournalEntry]],
) -> None:
    """Post entries in place of reversed ones, with what is stored beside them."""
    places: dict[int, int] = {}
    undone: dict[int, list[Identity]] = {}
    for identity in work.identities.of_entries([one.index for one, _ in pairs], is_undone=True):
        undone.setdefault(identity.index or 0, []).append(identity)
    drop_waiting(work, [one for some in undone.values() for one in some])
    for number, (original, entry) in enumerate(pairs):
        movements = undone.get(original.index, [])
        payment = work.payments.by_index(original.index)
        charge_id = None if payment is None else payment.source_id
        for identity in movements:
            if identity.category == RowCategory.CHARGE:
                charge_id = identity.source_id
        if charge_id is not None:
            work.payments.release_source(charge_id)
        posted = books.post(
            replace(entry, of=places.get(entry.of or -1, entry.of)),
            charge_id=charge_id,
            salt=salt_of(context, number),
            proof=None if payment is None else payment.proof,
            card_fingerprint=None if payment is None else payment.card_fingerprint,
        )
        places[original.index] = posted.index
        for identity in movements:
            work.identities.restore(identity, posted.index)
        work.bank.match_again(original.index, posted.index)


def _redo_approved(context: Context, payload: Mapping[str, Any]) -> object:
    return redo_import(context, str(payload[UNDO]), why=str(payload["why"]))


HANDLERS: Mapping[str, Handler] = {REDO_ACTION: _redo_approved}
