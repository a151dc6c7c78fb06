"""``jara partners``: who reports from the field, and their links."""

import io
import sys
from datetime import date
from typing import Annotated

import segno
import typer

from jara.domain.dates import parse_period
from jara.languages import require_available
from jara.reports.field_sheet import FieldSheet, draw_sheet
from jara.services.context import Context
from jara.services.field import partners
from jara.services.organisation import identity_of
from jara_cli.columns import Column, Kind
from jara_cli.inputs import write_output
from jara_cli.options import argument, option
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)

Name = Annotated[str, argument("NAME", "Name of the partner, or its beginning.")]
ProjectOption = Annotated[str | None, option("PROJECT", "Id or slug of the project.")]
Until = Annotated[str | None, option("DATE", "Last day of the link; default: in a year.")]

_LINK = [
    Column("partner", "Partner"),
    Column("project", "Project"),
    Column("lastDay", "Until", Kind.DATE),
    Column("address", "Link", Kind.COMMAND),
]


@verb(app, *_LINK)
def add(
    context: Context,
    name: Annotated[str, argument("NAME", "Name of the partner.")],
    project: Annotated[str, option("PROJECT", "Id or slug of the project.")],
    language: Annotated[
        str | None,
        option("CODE", "Language of the partner: en or fr; default: the organisation's."),
    ] = None,
    until: Until = None,
    email: Annotated[str, option("ADDRESS", "Address, which is asked to confirm.")] = "",
) -> Answer:
    """Add a partner, and print the link that opens the page for reports.

    Whoever has the link can send reports about this project, and see what became of
    them; nothing else. It is shown once: give it to the partner on paper or by message.

    Example: jara partners add "Maji Safi" --project clean-water-boreholes --language fr
    """
    last_day = last_day_of(context, until)
    spoken = require_available(language or context.rules.language)
    return _link_answer(
        partners.add_partner(
            context, name, project=project, language=spoken, last_day=last_day, email=email
        )
    )


@verb(
    app,
    Column("partner", "Partner"),
    Column("email", "Email"),
    Column("emailConfirmed", "Confirmed"),
    name="email",
)
def email_command(
    context: Context,
    name: Name,
    address: Annotated[str, argument("ADDRESS", 'Email address; "" removes it.')],
) -> Answer:
    """Set the address of a partner, who is told there when a project is late.

    The address gets an email with a link to confirm it, and nothing else before that.

    Examples:
      jara partners email "Maji Safi" team@majisafi.example
      jara partners email "Maji Safi" ""
    """
    partner = partners.set_partner_address(context, name, address)
    is_confirmed = partner.email_confirmed_at is not None
    return Answer({"partner": partner.name, "email": partner.email, "emailConfirmed": is_confirmed})


@verb(app, *_LINK)
def link(
    context: Context,
    name: Name,
    project: ProjectOption = None,
    until: Until = None,
    sheet: Annotated[
        str | None, option("FILE", "Write a page to print, with the QR code.", "--print")
    ] = None,
) -> Answer:
    """Print a new link for a partner, also for a second project.

    Earlier links hold until their day, or until `jara partners revoke`. In a terminal
    the link is shown as a QR code too.

    Examples:
      jara partners link "Maji Safi"
      jara partners link "Maji Safi" --project village-school --until 2027-06-30
      jara partners link "Maji Safi" --print maji-safi.html
    """
    last_day = last_day_of(context, until)
    with context.together() as joined:
        made = partners.make_link(joined, name, project=project, last_day=last_day)
        if sheet is not None:
            page = FieldSheet(
                organisation=identity_of(joined).name,
                partner=made.partner.name,
                project=made.project_title,
                last_day=made.link.last_day,
                address=made.address,
                language=made.partner.language,
            )
            write_output(sheet, draw_sheet(page).encode(), private=True)
    return _link_answer(made)


@verb(
    app,
    Column("id", "Link", Kind.ID),
    Column("partner", "Partner"),
    Column("language", "Language", rank=2),
    Column("project", "Project"),
    Column("madeOn", "Made", Kind.DATE, rank=1),
    Column("lastDay", "Until", Kind.DATE),
    Column("state", "State"),
    Column("reports", "Reports", Kind.COUNT),
    Column("email", "Email", rank=3),
    Column("emailConfirmed", "Confirmed", rank=3),
    name="list",
)
def list_command(context: Context) -> list[partners.LinkState]:
    """List the partners with their links.

    Example: jara partners list
    """
    return partners.list_links(context)


@verb(app, Column("id", "Revoked", Kind.ID), Column("project", "Project"))
def revoke(
    context: Context,
    name: Annotated[str, argument("NAME", "Name of the partner, or the id of one link.")],
    project: ProjectOption = None,
) -> Answer:
    """Revoke the links of a partner, of one project or all; reports that arrived stay.

    Examples:
      jara partners revoke "Maji Safi"
      jara partners revoke link_4f7k2m9q
    """
    revoked = partners.revoke_links(context, name, project=project)
    hints = [] if revoked else ["There was no open link."]
    return Answer([{"id": one.id, "project": one.project} for one in revoked], hints=hints)


def last_day_of(context: Context, until: str | None) -> date | None:
    """Return the last day of a link that an option names; None by default."""
    return None if until is None else parse_period(until, today=context.today()).last


def _link_answer(made: partners.NewLink) -> Answer:
    document = {
        "id": made.link.id,
        "partner": made.partner.name,
        "project": made.link.project,
        "lastDay": made.link.last_day,
        "address": made.address,
    }
    return Answer(
        document,
        lead=code_lines(made.address) if sys.stdout.isatty() else (),
        hints=["This link cannot be shown again; `jara partners link` makes another one."],
    )


def code_lines(address: str) -> list[str]:
    """Return a QR code in block characters, which a phone reads from the screen."""
    out = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().splitlines()
