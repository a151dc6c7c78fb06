"""``jara ledger imports`` and ``undo``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.domain.money import format_cents
from jara.records.operations import Approval
from jara.services.operations.import_undo import find_import, list_imports, undo_import
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import emit, note
from jara_cli.waiting import exit_waiting

app = typer.Typer(rich_markup_mode=None)

_COLUMNS = (
    Column("id", "Import", Kind.ID),
    Column("at", "On", Kind.DATE),
    Column("operator", "By"),
    Column("posted", "Posted", Kind.COUNT),
    Column("left", "Left", Kind.COUNT),
    Column("cents", "Debits left", Kind.CENTS),
    Column("lines", "Lines", Kind.COUNT),
    Column("file", "Statement", rank=1),
)


@app.command()
def imports(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the file imports that changed something, newest first, bank statements included.

    "Left" counts the entries that an undo would reverse.

    \b
    Example:
      jara ledger imports
    """
    document: list[dict[str, Any]] = [
        {
            "id": one.id,
            "at": one.at,
            "operator": one.operator,
            "posted": one.posted,
            "left": one.left,
            "file": one.file,
            "lines": one.lines,
            "undone": one.is_undone,
            "cents": one.cents,
        }
        for one in list_imports(open_application(ctx, any_mode=True).context)
    ]
    rows = [{**one, "at": one["at"].date(), "lines": one["lines"] or None} for one in document]
    emit(document, as_json=as_json, columns=_COLUMNS, rows=rows)


@app.command()
def undo(
    ctx: typer.Context,
    chosen: Annotated[
        str, typer.Argument(metavar="IMPORT", help="Id of the import, or its first characters.")
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason, for the audit log.")],
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> None:
    """Reverse every entry of an import, or none; nothing is deleted.

    Entries that are already reversed are skipped. Above the limit it needs approval.
    Afterwards a corrected ledger CSV or journal can be imported with the same ids; Stripe
    movements stay known and are not booked again. Lines of a bank statement no longer count,
    and the file can be imported again; undo later statements of the same account first.
    Receipts not sent yet are withdrawn; the result counts those already sent.

    \b
    Example:
      jara ledger undo imp_x7 --why "the wrong year's file" --yes
    """
    context = open_application(ctx).context
    found = find_import(context, chosen)
    confirm(
        f"Reverse {found.left:,} entries of {found.id}, debits of {format_cents(found.cents)}"
        f"{f', and drop {found.lines:,} bank lines' if found.lines else ''}?",
        yes=yes,
    )
    done = undo_import(context, found.id, why=why)
    if isinstance(done, Approval):
        exit_waiting(done, as_json=as_json)
    emit(
        {
            "id": done.id,
            "reversed": done.reversed,
            "skipped": done.skipped,
            "receiptsWithdrawn": done.receipts_withdrawn,
            "receiptsSent": done.receipts_sent,
        },
        as_json=as_json,
        columns=[
            Column("id", "Import"),
            Column("reversed", "Reversed", Kind.COUNT),
            Column("skipped", "Already reversed", Kind.COUNT),
            Column("receiptsWithdrawn", "Receipts withdrawn", Kind.COUNT),
            Column("receiptsSent", "Receipts already sent", Kind.COUNT),
        ],
    )
    if done.receipts_sent:
        note("See whose payments these are: jara payments list --state reversed")
