"""``jara ledger verify``, ``mend``, ``waiting`` and ``reconcile``."""

from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.progress import no_progress
from jara.domain.texts import count_of
from jara.domain.time_zone import TimeZone
from jara.services.books.verification import Verification, verify_and_note, verify_recent
from jara.services.books.verified_point import VerifiedPoint
from jara.services.context import Context
from jara.services.payments import reconciling
from jara.services.payments.listing import waiting_movements
from jara.services.payments.reconciling import Reconciliation
from jara_cli.columns import Column, Kind
from jara_cli.context import reopening
from jara_cli.options import flag
from jara_cli.output import note, show_rows
from jara_cli.verbs import Answer, verb

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


@verb(
    app,
    Column("check", "Check"),
    Column("where", "Where"),
    Column("message", "What is wrong", Kind.SENTENCE),
    any_mode=True,
)
def verify(
    context: Context,
    ctx: typer.Context,
    since_last: Annotated[
        bool,
        flag("--since-last", "Only entries since the last complete check, and the sums before."),
    ] = False,
) -> Answer:
    """Check the books, the public log and the votes: each entry, total, line of the log and ballot.

    A complete check without findings is recorded in the database, authenticated by a key in the
    secrets folder: write access to the database is not enough to forge the record. With
    --since-last the check starts there, and reports what it checked now and what was checked
    when. In older entries it notices changed amounts, accounts, funds and days, but not changed
    texts or traces: see docs/operations.md.

    Examples:
      jara ledger verify
      jara ledger verify --since-last
    """
    check = verify_recent if since_last else verify_and_note
    with show_rows("Checking the books") as progress:
        result = check(context, progress=progress, reopen=reopening(ctx))
    found = [to_document(finding) for finding in result.findings]
    hint = "There was no complete check that counts, so everything was checked."
    return Answer(
        {
            "ok": result.ok,
            "entries": result.entries,
            "size": result.size,
            "root": result.root,
            "since": None if result.since is None else _point_document(result.since),
            "findings": result.findings,
        },
        view=found or _passed(result, context.zone),
        columns=() if found else _PASSED,
        hints=[hint] if since_last and result.since is None else (),
        ok=result.ok,
    )


_PASSED = [
    Column("checked", "Checked"),
    Column("entries", "Entries", Kind.COUNT),
    Column("result", "Result", Kind.SENTENCE),
]


def _passed(result: Verification, zone: TimeZone) -> list[Document]:
    """Return what was checked now, and what was checked earlier."""
    point = result.since
    if point is None:
        return [{"checked": "all", "entries": result.entries, "result": "no fault"}]
    when = f"no fault on {zone.minute(point.verified_at)}; their sums are the same now"
    later = result.entries - point.entries
    return [
        {"checked": "now", "entries": later, "result": "no fault"},
        {"checked": "earlier", "entries": point.entries, "result": when},
    ]


def _point_document(point: VerifiedPoint) -> Document:
    return {
        "entries": point.entries,
        "size": point.size,
        "root": point.root,
        "verifiedAt": point.verified_at,
    }


@verb(
    app,
    Column("day", "Date", Kind.DATE),
    Column("name", "Movement"),
    Column("cents", "Amount", Kind.CENTS),
    Column("why", "Why", Kind.SENTENCE),
    name="waiting",
)
def list_waiting(context: Context) -> Answer:
    """List the provider's movements that wait for what they undo, which is not booked yet.

    Every import tries them again. If the payment is nowhere, post the movement by hand with its
    transaction id: `jara ledger post --external-id`.

    Example: jara ledger waiting
    """
    return Answer(waiting_movements(context))


@verb(app, *_UNMATCHED)
def reconcile(
    context: Context,
    repair: Annotated[
        bool, flag("--repair", "Book movements that are missing in the books.")
    ] = False,
    show_all: Annotated[bool, flag("--all", "Show every difference, not the first 20.")] = False,
) -> Answer:
    """Compare the books with the payment provider, movement by movement.

    Lists up to 20 differences; if there are more, also counts them by cause.

    Examples:
      jara ledger reconcile
      jara ledger reconcile --all
    """
    with show_rows("Reading movements") as progress:
        if repair:
            outcome, result = reconciling.repair(
                context, act="ledger.reconcile", progress=progress or no_progress
            )
        else:
            outcome, result = None, reconciling.reconcile(context, progress=progress or no_progress)
    if outcome is not None:
        note(f"{outcome.posted:,} posted, {len(outcome.rejected):,} rejected.")
        for item in outcome.rejected:
            note(item.message)
    differences = _differences(result)
    listed = differences if show_all else differences[:FIRST]
    hints = [f"{result.matched:,} of {result.rows:,} movements match."]
    if more := len(differences) - len(listed):
        hints.insert(0, f"{more:,} more differences: jara ledger reconcile --all")
    return Answer(
        result, view=[*_causes(differences), *listed, *_balances(result)], hints=hints, ok=result.ok
    )


def _differences(result: Reconciliation) -> list[Document]:
    """Return every difference with its cause in words."""
    named = (
        ("only at provider", result.missing_in_ledger),
        ("only in books", result.missing_at_provider),
        ("different amount", result.mismatched),
    )
    return [{"where": words, **to_document(row)} for words, some in named for row in some]


def _causes(differences: list[Document]) -> list[Document]:
    """Return count and sums for each cause and category; nothing for a short list."""
    if len(differences) <= FIRST:
        return []
    groups: dict[tuple[str, str], list[Document]] = {}
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


def _balances(result: Reconciliation) -> list[Document]:
    """Return a row for each compared account."""
    return [
        {
            "where": "balance",
            "id": row.account,
            "category": "differs" if row.cents else "agrees",
            "providerCents": row.provider_cents,
            "ledgerCents": row.ledger_cents,
        }
        for row in result.accounts
    ]
