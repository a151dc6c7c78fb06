"""``jara members``: registered members."""

from __future__ import annotations

import sys
from getpass import getpass
from typing import Annotated, Any

import typer

from jara.domain.dates import parse_first_day
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import Member, RegistrationForm
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.services.members.accounts import (
    InvitationForm,
    add_member,
    erase_member,
    find_member,
    invite_member,
)
from jara.services.members.operators import (
    MemberQuery,
    allow_shared_card,
    search_members,
    show_to_operator,
)
from jara_cli.columns import Column, Kind
from jara_cli.commands.members import moving
from jara_cli.commands.members.exporting import Who, export
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm, parse_whole_number
from jara_cli.output import emit, note

app = typer.Typer(no_args_is_help=True)
for _name, _verb in moving.VERBS.items():
    app.command(_name)(_verb)
app.command()(export)

First = Annotated[str, typer.Option(metavar="NAME", help="First name.")]
Last = Annotated[str, typer.Option(metavar="NAME", help="Last name.")]
Address = Annotated[str, typer.Option(metavar="ADDRESS", help="Email address.")]
Country = Annotated[str, typer.Option(metavar="COUNTRY", help="Name, code or short form.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason, for the audit log.")]

_LIST = [
    Column("id", "Id", Kind.ID, rank=3),
    Column("firstname", "First name"),
    Column("lastname", "Last name"),
    Column("email", "Email"),
    Column("country", "Country", rank=2),
    Column("memberSince", "Since", Kind.DATE, rank=1),
    Column("pledgeStatus", "Pledge"),
    Column("subscriptionAmount", "$ / month", Kind.COUNT),
]
_CARD = [
    *_LIST,
    Column("way", "Paid by"),
    Column("reference", "Reference"),
    Column("billingDay", "Billing day"),
    Column("nextChargeOn", "Next charge", Kind.DATE),
    Column("skipsOn", "Skips", Kind.DATE),
    Column("mayVoteFrom", "May vote from", Kind.DATE),
    Column("notifications", "Wants news"),
    Column("paidCents", "Paid in all", Kind.CENTS),
    Column("votes", "Took part in"),
]
_PAYMENTS = [
    Column("date", "Date", Kind.DATE),
    Column("entry", "Payment", Kind.ID),
    Column("kind", "Kind"),
    Column("amountCents", "Amount", Kind.CENTS),
    Column("returnedCents", "Returned", Kind.CENTS),
    Column("state", "State"),
]
_EMAILS = [
    Column("at", "Written", Kind.DATE),
    Column("kind", "Email"),
    Column("sent", "Sent"),
]


@app.command("list")
def show_all(
    ctx: typer.Context,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Any part of a name, address or id.")
    ] = None,
    country: Annotated[
        str | None, typer.Option(metavar="COUNTRY", help="Name, code or short form.")
    ] = None,
    state: Annotated[
        list[PledgeState] | None, typer.Option("--state", help="State of the pledge.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Joined on this day or later.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", parser=parse_whole_number, help="Show at most N."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List members in order of joining.

    \b
    Examples:
      jara members list --country ghana --state active
      jara members list --search mensah --since 2026-01
    """
    context = open_application(ctx).context
    query = MemberQuery(
        text=search,
        country=country,
        states=tuple(state or ()),
        since=None if since is None else parse_first_day(since, today=context.today()),
    )
    found = search_members(context, query)
    document = [
        {
            **_identity(line.member),
            "country": line.member.country,
            "memberSince": line.member.joined_at.date(),
            "pledgeStatus": line.pledge_status,
            "subscriptionAmount": line.dollars,
        }
        for line in found[:limit]
    ]
    emit(document, as_json=as_json, columns=_LIST)
    if len(found) > len(document):
        note(f"There are {len(found):,}; show more with --limit.")


@app.command()
def show(ctx: typer.Context, member: Who, as_json: JsonFlag = False) -> None:
    """Show a member: profile, pledge, payments, votes taken part in, emails.

    A vote appears 14 days after it ends, when the list of its voters is written.

    \b
    Example:
      jara members show ama@example.org
    """
    document = show_to_operator(open_application(ctx).context, member)
    shown = {
        **document,
        "votes": list(document["votes"]),
        "subscriptionAmount": document["subscriptionAmount"] or None,
    }
    columns = _CARD
    if document["way"] != PaymentWay.CARD.value:
        due = Column("nextChargeOn", "Next payment", Kind.DATE)
        columns = [due if column.key == due.key else column for column in _CARD]
    emit(document if as_json else shown, as_json=as_json, columns=columns)
    for title, key, columns in (
        ("Newest payments:", "payments", _PAYMENTS),
        ("Newest emails:", "emails", _EMAILS),
    ):
        if document[key] and not as_json:
            note(title)
            emit(document[key], as_json=False, columns=columns)


@app.command()
def add(
    ctx: typer.Context,
    firstname: First,
    lastname: Last,
    email: Address,
    country: Country,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input.")
    ] = False,
    notifications: Annotated[
        bool, typer.Option("--notifications", help="Subscribe to news of votes and projects.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Add a member who has agreed to the privacy policy, without a pledge.

    \b
    Example:
      jara members add --firstname Ama --lastname Mensah --country Ghana
        --email ama@example.org --password-stdin < password.txt
    """
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
def invite(
    ctx: typer.Context,
    firstname: First,
    lastname: Last,
    email: Address,
    country: Country,
    as_json: JsonFlag = False,
) -> None:
    """Invite a person by email; the link to set their own password is valid for 7 days.

    \b
    Example:
      jara members invite --firstname Ama --lastname Mensah --country Ghana
        --email ama@example.org
    """
    form = InvitationForm(firstname=firstname, lastname=lastname, email=email, country=country)
    member = invite_member(open_application(ctx).context, form)
    emit(_identity(member), as_json=as_json, columns=_LIST[:4])
    note("To send the invitation now: jara mail send")


@app.command("share-card")
def share_card(
    ctx: typer.Context,
    member: Who,
    why: Why,
    as_json: JsonFlag = False,
) -> None:
    """Let all members who pay with the same card vote, such as a family.

    Otherwise a card has one vote on each proposal. The result of a vote says how many ballots
    came from shared cards.

    \b
    Example:
      jara members share-card ama@example.org --why "sisters, one household"
    """
    found = allow_shared_card(open_application(ctx).context, member, why=why)
    emit(_identity(found), as_json=as_json, columns=_LIST[:4])


@app.command()
def erase(
    ctx: typer.Context, member: Who, why: Why = "", yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Cancel a member's pledge and erase personal data; entries and ballots stay.

    \b
    Example:
      jara members erase ama@example.org --why "asked by email" --yes
    """
    context = open_application(ctx).context
    found = find_member(context, member)
    confirm(f"Erase {found.firstname} {found.lastname} <{found.email}> permanently?", yes=yes)
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
    """Read the first line of standard input, or prompt without echo on a terminal."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise InvalidInput(
            "The password is missing; pass it on standard input with --password-stdin."
        )
    return getpass("Password: ")
