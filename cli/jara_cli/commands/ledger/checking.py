"""``jara ledger verify`` and ``reconcile``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from jara.domain.counts import count_of
from jara.domain.progress import no_progress
from jara.services.books.verification import Verification, verify_and_note, verify_recent
from jara.services.books.verified_point import VerifiedPoint
from jara.services.payments import reconciling
from jara.services.payments.reconciling import Reconciliation, Unmatched
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application, reopening
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note
from jara_cli.progress import show_rows

app = typer.Typer(rich_markup_mode=None)

FIRST = 20
"""How many differences are shown without `--all`."""
_UNMATCHED = (
    Column("where", "What"),
    Column("id", "Movement"),
    Column("category", "Kind"),
    Column("providerCents", "Provider", Kind.CENTS),
    Column("ledgerCents", "Books", Kind.CENTS),
)


@app.command()
def verify(
    ctx: typer.Context,
    since_last: Annotated[
        bool,
        typer.Option(
            "--since-last", help="Only entries since the last complete check, and the sums before."
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> ExitCode:
    """Check every entry, total, leaf, ballot and trace of the books.

    A complete check without findings is recorded in the database, authenticated by a key in the
    secrets folder: write access to the database is not enough to forge the record. With
    --since-last the check starts there, and reports what it checked now and what was checked
    when. In older entries it notices changed amounts, accounts, funds and days, but not changed
    texts or traces: see docs/operations.md.

    \b
    Examples:
      jara ledger verify
      jara ledger verify --since-last
    """
    context = open_application(ctx, any_mode=True).context
    check = verify_recent if since_last else verify_and_note
    with show_rows("Checking the books") as progress:
        found = check(context, progress=progress, reopen=reopening(ctx))
    _show_verification(found, as_json=as_json)
    if since_last and found.since is None and not as_json:
        note("There was no complete check that counts, so everything was checked.")
    return ExitCode.DONE if found.ok else ExitCode.NO


def _show_verification(found: Verification, *, as_json: bool) -> None:
    findings = [finding._asdict() for finding in found.findings]
    emit(
        {
            "ok": found.ok,
            "entries": found.entries,
            "size": found.size,
            "root": found.root,
            "since": None if found.since is None else _point_document(found.since),
            "findings": findings,
        },
        as_json=as_json,
        columns=[
            Column("check", "Check"),
            Column("where", "Where"),
            Column("message", "What is wrong", Kind.SENTENCE),
        ],
        rows=findings or _passed(found),
    )


def _passed(found: Verification) -> list[dict[str, str]]:
    """Return what was checked now, and what was checked earlier."""
    point = found.since
    if point is None:
        return [{"check": "all", "where": f"{found.entries:,} entries", "message": "ok"}]
    later = found.entries - point.entries
    when = f"ok on {point.verified_at:%Y-%m-%d %H:%M} UTC, and their sums now"
    return [
        {"check": "now", "where": f"{later:,} entries", "message": "ok"},
        {"check": "earlier", "where": f"{point.entries:,} entries", "message": when},
    ]


def _point_document(point: VerifiedPoint) -> dict[str, Any]:
    return {
        "entries": point.entries,
        "size": point.size,
        "root": point.root,
        "verifiedAt": point.verified_at,
    }


@app.command()
def reconcile(
    ctx: typer.Context,
    repair: Annotated[
        bool, typer.Option("--repair", help="Book movements that are missing in the books.")
    ] = False,
    show_all: Annotated[
        bool, typer.Option("--all", help="Show every difference, not the first 20.")
    ] = False,
    as_json: JsonFlag = False,
) -> ExitCode:
    """Compare the books with the payment provider, movement by movement.

    Lists up to 20 differences; if there are more, also counts them by cause.

    \b
    Example:
      jara ledger reconcile
      jara ledger reconcile --all
    """
    context = open_application(ctx).context
    if repair:
        with show_rows("Reading movements") as progress:
            outcome, found = reconciling.repair(
                context, act="ledger.reconcile", progress=progress or no_progress
            )
        note(f"{outcome.posted} posted, {len(outcome.rejected)} rejected.")
        for item in outcome.rejected:
            note(item.message)
    else:
        with show_rows("Reading movements") as progress:
            found = reconciling.reconcile(context, progress=progress or no_progress)
    document = _reconciliation_document(found)
    differences = _differences(found)
    shown = differences if show_all else differences[:FIRST]
    rows = [*_causes(differences), *shown, *_balances(found)]
    emit(document, as_json=as_json, columns=_UNMATCHED, rows=rows)
    if not as_json:
        if len(shown) < len(differences):
            note(f"{len(differences) - len(shown):,} more differences: jara ledger reconcile --all")
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


def _differences(found: Reconciliation) -> list[dict[str, Any]]:
    """Return every difference with its cause in words."""
    named = (
        ("only at provider", found.missing_in_ledger),
        ("only in books", found.missing_at_provider),
        ("different amount", found.mismatched),
    )
    return [{"where": words, **row} for words, some in named for row in _unmatched(some)]


def _causes(differences: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return count and sums for each cause and category; nothing for a short list."""
    if len(differences) <= FIRST:
        return []
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in differences:
        groups.setdefault((row["where"], row["category"]), []).append(row)
    return [
        {
            "where": where,
            "id": count_of(len(rows), "movement"),
            "category": category,
            "providerCents": sum(row["providerCents"] or 0 for row in rows),
            "ledgerCents": sum(row["ledgerCents"] or 0 for row in rows),
        }
        for (where, category), rows in groups.items()
    ]


def _balances(found: Reconciliation) -> list[dict[str, Any]]:
    """Return a row for each compared account."""
    return [
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
