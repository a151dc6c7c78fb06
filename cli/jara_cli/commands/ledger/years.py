"""``jara ledger close-year`` and ``open-year``."""

from __future__ import annotations

from typing import Annotated

import typer

from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import Column, Kind, emit, note

ClosedYear = Annotated[str, typer.Argument(metavar="YEAR", help="2025, or last-year.")]


def close_year_command(
    ctx: typer.Context, year: ClosedYear, yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Lock a year that is over; nothing is posted.

    \b
    Example:
      jara ledger close-year 2025 --yes
    """
    from jara.services.operations.years import close_year
    from jara_cli.commands.ledger.documents import lock_document, lock_rows
    from jara_cli.dates import parse_year

    context = open_application(ctx).context
    wanted = parse_year(year, today=context.today()).first.year
    confirm(f"Close the books of {wanted}?", yes=yes)
    document = lock_document(close_year(context, wanted))
    emit(
        document,
        as_json=as_json,
        columns=[Column("fund", "Fund"), Column("cents", "Closing balance", Kind.CENTS)],
        rows=lock_rows(document),
    )


def open_year_command(
    ctx: typer.Context,
    year: ClosedYear,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, kept for good.")],
    as_json: JsonFlag = False,
) -> None:
    """Open a closed year again.

    \b
    Example:
      jara ledger open-year 2025 --why "A bank statement came late."
    """
    from jara.services.approvals import describe_waiting
    from jara.services.operations.years import open_year
    from jara_cli.dates import parse_year

    context = open_application(ctx).context
    wanted = parse_year(year, today=context.today()).first.year
    waiting = open_year(context, wanted, why=why)
    if waiting is not None:
        note(describe_waiting(waiting))
    emit(
        {"year": wanted, "open": waiting is None, "approval": waiting.id if waiting else None},
        as_json=as_json,
        columns=[Column("year", "Year"), Column("open", "Open"), Column("approval", "Waits as")],
    )
