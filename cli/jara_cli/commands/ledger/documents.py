"""JSON documents that the reading ledger commands print; their keys are stable."""

from __future__ import annotations

from typing import Any

from jara.domain.books.account import AccountType
from jara.domain.books.budget import YearBudget, YearFigures
from jara.domain.books.foreign import foreign_document
from jara.domain.books.journal import PostedEntry, total_of
from jara.files.ledger.file_entry import entry_document
from jara.services.context import Context
from jara_cli.columns import Column, Kind

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


def entry_details(context: Context, text: str) -> dict[str, Any]:
    """Return all data about an entry."""
    with context.store.read() as work:
        posted = work.journal.find(text)
        document = entry_document(posted, lambda index: work.journal.get(index).id)
        undoing = work.journal.reversal_of(posted.index)
        return {
            **document,
            **_foreign_details(posted),
            "externalId": posted.entry.external_id,
            "member": posted.entry.member_key,
            "bankLines": [
                {
                    "id": one.id,
                    "file": one.file,
                    "line": one.line.line,
                    "date": one.line.day,
                    "text": one.line.text or one.line.own_ref,
                    "undone": is_undone,
                }
                for one, is_undone in work.bank.lines_of(posted.index)
            ],
            "note": work.journal.notes_of([posted.index]).get(posted.index),
            "reversedBy": None if undoing is None else work.journal.get(undoing).id,
        }


def _foreign_details(posted: PostedEntry) -> dict[str, Any]:
    """Return an entry's amount in another currency, with its rate and the rate's source."""
    foreign = posted.entry.foreign
    if foreign is None:
        return {}
    document = foreign_document(foreign, total_of(posted.entry, AccountType.EXPENSES))
    return {"foreign": {**document, "source": foreign.source}}


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


def _figures(figures: YearFigures) -> dict[str, int]:
    return {
        "availableCents": figures.available,
        "allocatedCents": figures.allocated,
        "unallocatedCents": figures.unallocated,
    }
