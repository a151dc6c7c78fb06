"""Options shared by many commands."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from jara.domain.errors import InvalidInput
from jara.domain.money import parse_cents
from jara_cli.exits import ExitCode
from jara_cli.output import note, show_line


def parse_whole_number(text: str | int) -> int:
    """Read a count of at least 1, such as ``--limit 50``."""
    digits = str(text)
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9 and int(digits) > 0):  # noqa: PLR2004 - far above any list, far below trouble
        raise InvalidInput(f"'{digits}' is not a whole number from 1 to 999999999.")
    return int(digits)


def confirm(question: str, *, yes: bool) -> None:
    """Ask before an action that cannot be undone, unless ``--yes`` was given.

    Raises:
        InvalidInput: there is no terminal to ask on.
        typer.Exit: the answer was no.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput(f"'{question}' needs an answer; add --yes to confirm.")
    sys.stderr.write(f"{show_line(question)} [y/N] ")  # standard output is for data
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        note("Nothing was done.")
        raise typer.Exit(ExitCode.NO)


JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
Limit = Annotated[
    int,
    typer.Option("--limit", metavar="N", parser=parse_whole_number, help="Show at most N."),
]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="DATE", help="Balance at the end of this day, month or year."),
]
AtInstant = Annotated[
    str | None,
    typer.Option("--at", metavar="SIZE|INSTANT", help="Use the books as of this log size or time."),
]
FromDay = Annotated[
    str | None,
    typer.Option(
        "--from", "--since", metavar="DATE", help="First day: 2026-11-01, 2026-11, yesterday."
    ),
]
ToDay = Annotated[
    str | None,
    typer.Option("--to", metavar="DATE", help="Last day: 2026-11-30, 2026-11, today."),
]
Month = Annotated[
    str | None,
    typer.Option("--month", metavar="MONTH", help="One month: 2026-11, last-month."),
]
Year = Annotated[
    str | None,
    typer.Option("--year", metavar="YEAR", help="One calendar year: 2026, last-year."),
]
OutPath = Annotated[
    str,
    typer.Option("--out", "-o", metavar="FILE", help="Write to this file; - is standard output."),
]
Cents = Annotated[
    int,
    typer.Argument(metavar="AMOUNT", parser=parse_cents, help="Dollars: 10, 10.50, 1,457."),
]
