"""The output of ``jara`` alone: the organisation's status, or what Jara is."""

import typer

from jara.bootstrap import Application
from jara.domain.errors import NotFound
from jara.services.operations.start_page import StartPage, read_start_page
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.output import emit, write

WELCOME = """\
Jara: monthly giving, votes on what it funds, and a ledger anyone can check.
"""
_BEGINNING = """
There is no organisation in this folder. To begin:

  jara demo       Create a sample organisation and open its website
  jara setup      Create your own organisation in this folder, step by step
  jara init       Create one with a single command
  jara --help     List all commands
"""

_WIDTH = 80
_FIGURES = [
    Column("mode", "Payments"),
    Column("members", "Members", Kind.COUNT),
    Column("changemakers", "Changemakers", Kind.COUNT),
    Column("monthlyCents", "Their pledges a month", Kind.CENTS),
    Column("cashCents", "Money at hand", Kind.CENTS),
    Column("freeCents", "Free for projects", Kind.CENTS),
]
_VOTES = [
    Column("title", "Open vote", Kind.SENTENCE),
    Column("lastDay", "Ends", Kind.DATE),
    Column("yes", "Yes", Kind.COUNT),
    Column("no", "No", Kind.COUNT),
]
_WAITING = [Column("what", "Waits", Kind.SENTENCE), Column("command", "Command", Kind.COMMAND)]
_MISSING = [Column("what", "Not published yet", Kind.SENTENCE), _WAITING[1]]


def show_start_page(ctx: typer.Context, *, as_json: bool) -> None:
    """Show the organisation of this folder or of ``--db``; without one, say what Jara is."""
    application = open_application(ctx, any_mode=True)
    if not _has_organisation(application):
        database = application.settings.database_name
        if as_json:
            raise NotFound(f"There is no database {database}; {application.remedy}")
        lost = f"\nThere is no database {database}; {application.remedy}\n"
        write(WELCOME + (lost if application.has_keys else _BEGINNING))
        return
    page = read_start_page(application.context)
    if as_json:
        emit(page, as_json=True, columns=_FIGURES)
    else:
        _show(page)


def _has_organisation(application: Application) -> bool:
    file = application.settings.database_file
    return file is None or file.exists()


def _show(page: StartPage) -> None:
    write(f"{page.organisation}\n\n")
    emit(page, as_json=False, columns=_FIGURES)
    if page.votes:
        write("\n")
        emit(page.votes, as_json=False, columns=_VOTES, width=_WIDTH)
    write("\n")
    if page.waiting:
        emit(page.waiting, as_json=False, columns=_WAITING, width=_WIDTH)
    else:
        write("Nothing to do.\n")
    if page.missing:
        write("\n")
        emit(page.missing, as_json=False, columns=_MISSING, width=_WIDTH)
    write("\nAll commands: jara --help\n")
