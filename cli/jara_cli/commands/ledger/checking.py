"""``jara ledger verify`` and ``reconcile``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated, Any

import typer

from jara.services.books.verification import verify_books
from jara.services.payments import reconciling
from jara.services.payments.reconciling import Reconciliation, Unmatched
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note

app = typer.Typer(rich_markup_mode=None)

_UNMATCHED = (
    Column("where", "What"),
    Column("id", "Movement"),
    Column("category", "Kind"),
    Column("providerCents", "Provider", Kind.CENTS),
    Column("ledgerCents", "Books", Kind.CENTS),
)


@app.command()
def verify(ctx: typer.Context, as_json: JsonFlag = False) -> ExitCode:
    """Check every entry, total, leaf, ballot and trace of the books.

    \b
    Example:
      jara ledger verify
    """
    found = verify_books(open_application(ctx, any_mode=True).context)
    findings = [asdict(finding) for finding in found.findings]
    emit(
        {
            "ok": found.ok,
            "entries": found.entries,
            "size": found.size,
            "root": found.root,
            "findings": findings,
        },
        as_json=as_json,
        columns=[
            Column("check", "Check"),
            Column("where", "Where"),
            Column("message", "What is wrong", Kind.SENTENCE),
        ],
        rows=findings or [{"check": "all", "where": f"{found.entries} entries", "message": "ok"}],
    )
    return ExitCode.DONE if found.ok else ExitCode.NO


@app.command()
def reconcile(
    ctx: typer.Context,
    repair: Annotated[
        bool, typer.Option("--repair", help="Book movements that are missing in the books.")
    ] = False,
    as_json: JsonFlag = False,
) -> ExitCode:
    """Compare the books with the payment provider, movement by movement.

    \b
    Example:
      jara ledger reconcile
    """
    context = open_application(ctx).context
    if repair:
        outcome, found = reconciling.repair(context, act="ledger.reconcile")
        note(f"{outcome.posted} posted, {len(outcome.rejected)} rejected.")
        for item in outcome.rejected:
            note(item.message)
    else:
        found = reconciling.reconcile(context)
    document = _reconciliation_document(found)
    emit(document, as_json=as_json, columns=_UNMATCHED, rows=_unmatched_rows(found))
    if not as_json:
        note(f"{found.matched} of {found.rows} movements match.")
    return ExitCode.DONE if found.ok else ExitCode.NO


def _reconciliation_document(found: Reconciliation) -> dict[str, Any]:
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


def _unmatched_rows(found: Reconciliation) -> list[dict[str, Any]]:
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
