"""What the commands of the ledger print: documents with stable keys (contract)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jara.domain.books.budget import YearBudget, YearFigures
from jara.domain.books.journal import PostedEntry
from jara.services.approvals import describe_waiting
from jara.services.context import Context
from jara.services.payments.reconciling import Reconciliation, Unmatched
from jara.services.ports.book_settings import YearLock
from jara.services.ports.operations import Approval
from jara_cli.output import Column, Kind, emit, note

POSTINGS = (
    Column("account", "Account"),
    Column("fund", "Fund"),
    Column("cents", "Amount", Kind.CENTS),
)
BUDGET = (
    Column("fund", "Fund"),
    Column("availableCents", "Available", Kind.CENTS),
    Column("receivedCents", "Received", Kind.CENTS),
    Column("spentCents", "Spent", Kind.CENTS),
    Column("heldCents", "Held", Kind.CENTS),
    Column("unallocatedCents", "Unallocated", Kind.CENTS),
    Column("promisedShare", "Promised", Kind.PERCENT),
    Column("actualShare", "Actual", Kind.PERCENT),
)
UNMATCHED = (
    Column("where", "What"),
    Column("id", "Movement"),
    Column("category", "Kind"),
    Column("providerCents", "Provider", Kind.CENTS),
    Column("ledgerCents", "Books", Kind.CENTS),
)


def emit_posted(done: PostedEntry | Approval, *, as_json: bool) -> None:
    """Show an entry that was posted, or say what it waits for."""
    if isinstance(done, Approval):
        note(describe_waiting(done))
        emit(
            {"approval": done.id},
            as_json=as_json,
            columns=[Column("approval", "Waits as")],
        )
        return
    document = posted_document(done)
    if not as_json:
        note(f"Posted {done.id} on {done.entry.day}.")
    emit(document, as_json=as_json, columns=POSTINGS, rows=document["postings"])


def posted_document(posted: PostedEntry) -> dict[str, Any]:
    """Return what ``jara ledger post`` prints."""
    return {
        "id": posted.id,
        "index": posted.index,
        "date": posted.entry.day,
        "postings": [
            {"account": p.account, "fund": p.fund, "cents": p.cents} for p in posted.entry.postings
        ],
    }


def entry_details(context: Context, text: str) -> dict[str, Any]:
    """Return everything the books hold of an entry."""
    from jara.files.ledger.entry_json import entry_document

    with context.store.read() as work:
        posted = work.journal.find(text)
        document = entry_document(posted, lambda index: work.journal.get(index).id)
        undoing = work.journal.reversal_of(posted.index)
        return {
            **document,
            "externalId": posted.entry.external_id,
            "member": posted.entry.member_key,
            "note": work.journal.notes_of([posted.index]).get(posted.index),
            "reversedBy": None if undoing is None else work.journal.get(undoing).id,
        }


def budget_document(budget: YearBudget) -> dict[str, Any]:
    """Return what ``jara ledger budget`` prints."""
    return {
        "year": budget.year,
        **_figures(budget.total),
        "funds": [
            {
                "fund": row.fund,
                **_figures(row.figures),
                "openingCents": row.figures.opening,
                "receivedCents": row.figures.received,
                "transfersCents": row.figures.transfers,
                "spentCents": row.figures.spent,
                "heldCents": row.figures.held,
                "promisedShare": row.promised_tenths / 10,
                "actualShare": row.actual_tenths / 10,
            }
            for row in budget.funds
        ],
    }


def budget_total(document: dict[str, Any]) -> dict[str, Any]:
    """Return the last row of the budget's table."""
    sums = {
        key: sum(row[key] for row in document["funds"])
        for key in ("receivedCents", "spentCents", "heldCents")
    }
    return {"fund": "Total", **document, **sums}


def reconciliation_document(found: Reconciliation) -> dict[str, Any]:
    """Return what ``jara ledger reconcile`` prints."""
    return {
        "matched": found.matched,
        "missingInLedger": _unmatched(found.missing_in_ledger),
        "missingAtProvider": _unmatched(found.missing_at_provider),
        "mismatched": _unmatched(found.mismatched),
        "differenceCents": found.difference_cents,
        "accounts": [
            {
                "account": row.account,
                "ledgerCents": row.ledger_cents,
                "providerCents": row.provider_cents,
                "differenceCents": row.cents,
            }
            for row in found.accounts
        ],
    }


def unmatched_rows(found: Reconciliation) -> list[dict[str, Any]]:
    """Return every difference with the words for it, and the accounts below them."""
    named = (
        ("missing in the books", found.missing_in_ledger),
        ("missing at the provider", found.missing_at_provider),
        ("another amount", found.mismatched),
    )
    rows = [{"where": words, **row} for words, some in named for row in _unmatched(some)]
    return rows + [
        {
            "where": "balance",
            "id": row.account,
            "category": "differs" if row.cents else "agrees",
            "providerCents": row.provider_cents,
            "ledgerCents": row.ledger_cents,
        }
        for row in found.accounts
    ]


def lock_document(lock: YearLock) -> dict[str, Any]:
    """Return what ``jara ledger close-year`` prints."""
    return {
        "year": lock.year,
        "lockedAt": lock.locked_at,
        "size": lock.log_size,
        "root": lock.root,
        "balances": dict(lock.balances),
    }


def lock_rows(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the closing balances as rows."""
    return [{"fund": fund, "cents": cents} for fund, cents in document["balances"].items()]


def _figures(figures: YearFigures) -> dict[str, int]:
    return {
        "availableCents": figures.available,
        "allocatedCents": figures.allocated,
        "unallocatedCents": figures.unallocated,
    }


def _unmatched(rows: Iterable[Unmatched]) -> list[dict[str, Any]]:
    return [
        {
            "id": row.txn_id,
            "category": row.category,
            "providerCents": row.provider_cents,
            "ledgerCents": row.ledger_cents,
        }
        for row in rows
    ]
