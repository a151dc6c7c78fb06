"""``jara members``: the people who registered."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jara_cli.context import open_application
from jara_cli.inputs import write_output
from jara_cli.options import JsonFlag, OutPath, Yes, confirm
from jara_cli.output import Column, Kind, emit

if TYPE_CHECKING:
    from jara.domain.giving.member import Member

app = typer.Typer(no_args_is_help=True)

Who = Annotated[
    str, typer.Argument(metavar="MEMBER", help="Email address, id, or its unique beginning.")
]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the audit log.")]

_LIST = [
    Column("id", "Id", Kind.ID),
    Column("firstname", "First name"),
    Column("lastname", "Last name"),
    Column("email", "Email"),
    Column("country", "Country"),
    Column("memberSince", "Since", Kind.DATE),
    Column("pledgeStatus", "Pledge"),
    Column("subscriptionAmount", "$ / month", Kind.COUNT),
]
_CARD = [
    *_LIST,
    Column("billingDay", "Billing day"),
    Column("nextChargeOn", "Next charge", Kind.DATE),
    Column("skipsOn", "Skips", Kind.DATE),
    Column("mayVoteFrom", "May vote from", Kind.DATE),
    Column("notifications", "Wants news"),
]


@app.command("list")
def show_all(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List every member in order of joining.

    \b
    Example:
      jara members list
    """
    from jara.services.members.documents import list_members

    document = [
        {
            **_identity(line.member),
            "country": line.member.country,
            "memberSince": line.member.joined_at.date(),
            "pledgeStatus": line.pledge_status,
            "subscriptionAmount": line.dollars,
        }
        for line in list_members(open_application(ctx).context)
    ]
    emit(document, as_json=as_json, columns=_LIST)


@app.command()
def show(ctx: typer.Context, member: Who, as_json: JsonFlag = False) -> None:
    """Show a member's profile, as the member sees it.

    \b
    Example:
      jara members show ama@example.org
    """
    from jara.services.members.accounts import find_member
    from jara.services.members.documents import show_member

    context = open_application(ctx).context
    document = show_member(context, find_member(context, member).id)
    emit(document, as_json=as_json, columns=_CARD)


@app.command()
def add(
    ctx: typer.Context,
    firstname: Annotated[str, typer.Option(metavar="NAME", help="First name.")],
    lastname: Annotated[str, typer.Option(metavar="NAME", help="Last name.")],
    email: Annotated[str, typer.Option(metavar="ADDRESS", help="Email address.")],
    country: Annotated[str, typer.Option(metavar="COUNTRY", help="Name of the country.")],
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
    notifications: Annotated[
        bool, typer.Option("--notifications", help="They asked for news of votes and projects.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Add a member who has agreed to the privacy policy; a pledge comes after.

    \b
    Example:
      jara members add --firstname Ama --lastname Mensah --country Ghana
        --email ama@example.org --password-stdin < password.txt
    """
    from jara.domain.giving.member import RegistrationForm
    from jara.services.members.accounts import add_member

    form = RegistrationForm(
        firstname=firstname,
        lastname=lastname,
        email=email,
        password=_read_password(from_stdin=password_stdin),
        country=country,
        notifications=notifications,
        privacy_policy=True,
    )
    member = add_member(open_application(ctx).context, form)
    emit(_identity(member), as_json=as_json, columns=_LIST[:4])


@app.command()
def export(
    ctx: typer.Context,
    member: Who,
    payments: Annotated[
        bool, typer.Option("--payments", help="The payment history alone, as CSV.")
    ] = False,
    out: OutPath = "-",
    as_json: JsonFlag = False,
) -> None:
    """Write everything that is held about a member, as JSON; payments as CSV.

    \b
    Examples:
      jara members export ama@example.org --out ama.json
      jara members export ama@example.org --payments --out ama.csv
    """
    from jara.services.members.accounts import find_member
    from jara.services.members.documents import export_member, list_payments
    from jara.services.members.on_behalf import act_for_member

    context = open_application(ctx).context
    found = find_member(context, member)
    read = list_payments if payments else export_member
    held: Any = act_for_member(context, "members.export", found, lambda: read(context, found.id))
    data = _as_csv(held) if payments and not as_json else _as_json(held)
    write_output(out, data.encode(), private=True)


@app.command()
def erase(
    ctx: typer.Context, member: Who, why: Why = "", yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Cancel a member's pledge and erase the person; entries and ballots stay.

    \b
    Example:
      jara members erase ama@example.org --why "asked by letter" --yes
    """
    from jara.services.members.accounts import erase_member, find_member

    context = open_application(ctx).context
    found = find_member(context, member)
    confirm(f"Erase {found.firstname} {found.lastname} <{found.email}> for good?", yes=yes)
    erase_member(context, found.id, why=why)
    emit({"id": found.id, "erased": True}, as_json=as_json, columns=[Column("id", "Erased")])


def _identity(member: Member) -> dict[str, Any]:
    return {
        "id": member.id,
        "firstname": member.firstname,
        "lastname": member.lastname,
        "email": member.email,
    }


def _read_password(*, from_stdin: bool) -> str:
    """Read the first line of standard input, or ask at a terminal without showing it."""
    from getpass import getpass

    from jara.domain.errors import InvalidInput

    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise InvalidInput("The password is missing; write it to standard input, --password-stdin.")
    return getpass("Password: ")


def _as_json(document: object) -> str:
    import json

    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _as_csv(rows: list[dict[str, Any]]) -> str:
    import csv
    import io

    from jara.services.members.documents import PAYMENT_COLUMNS

    text = io.StringIO()
    writer = csv.DictWriter(text, PAYMENT_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
