"""``jara ledger close-year`` and ``open-year``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.domain.dates import parse_year
from jara.records.book_settings import YearLock
from jara.services.operations.years import close_year, open_year
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import emit
from jara_cli.waiting import exit_waiting

app = typer.Typer(rich_markup_mode=None)

ClosedYear = Annotated[str, typer.Argument(metavar="YEAR", help="Year, such as 2025 or last-year.")]


@app.command("close-year")
def close_year_command(
    ctx: typer.Context, year: ClosedYear, yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Lock a year that is over, so that nothing can be posted in it.

    \b
    Example:
      jara ledger close-year 2025 --yes
    """
    context = open_application(ctx).context
    wanted = parse_year(year, today=context.today()).first.year
    confirm(f"Close the books of {wanted}?", yes=yes)
    document = _lock_document(close_year(context, wanted))
    emit(
        document,
        as_json=as_json,
        columns=[Column("fund", "Fund"), Column("cents", "Closing balance", Kind.CENTS)],
        rows=_lock_rows(document),
    )


@app.command("open-year")
def open_year_command(
    ctx: typer.Context,
    year: ClosedYear,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="Reason; it is stored permanently.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Reopen a closed year.

    \b
    Example:
      jara ledger open-year 2025 --why "A bank statement came late."
    """
    context = open_application(ctx).context
    wanted = parse_year(year, today=context.today()).first.year
    waiting = open_year(context, wanted, why=why)
    if waiting is not None:
        exit_waiting(waiting, as_json=as_json)
    emit(
        {"year": wanted, "open": True, "approval": None},
        as_json=as_json,
        columns=[Column("year", "Year"), Column("open", "Open")],
    )


def _lock_document(lock: YearLock) -> dict[str, Any]:
    """Return what ``jara ledger close-year`` prints."""
    return {
        "year": lock.year,
        "lockedAt": lock.locked_at,
        "size": lock.log_size,
        "root": lock.root,
        "balances": dict(lock.balances),
    }


def _lock_rows(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the closing balances as rows."""
    return [{"fund": fund, "cents": cents} for fund, cents in document["balances"].items()]
