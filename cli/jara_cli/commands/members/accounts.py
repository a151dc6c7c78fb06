"""``jara members add``, ``invite``, ``edit``, ``show``, ``erase`` and the others on an account."""

import sys
from getpass import getpass
from typing import Annotated

import typer

from jara.documents import Document, json_text, to_json
from jara.domain.dates import parse_first_day
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import Member, RegistrationForm
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.records.operations import Approval
from jara.services.context import Context
from jara.services.members import operators
from jara.services.members.accounts import (
    InvitationForm,
    add_member,
    add_without_address,
    find_member,
    invite_member,
)
from jara.services.members.address_changes import vouch_for_address
from jara.services.members.documents import export_member
from jara.services.members.editing import MemberEdit, edit_member
from jara_cli.columns import Column, Kind
from jara_cli.inputs import write_output
from jara_cli.options import (
    MaybeLimit,
    OutPath,
    Who,
    Why,
    Yes,
    confirm,
    flag,
    more_than_shown,
    option,
)
from jara_cli.verbs import Answer, Table, verb
from jara_cli.waiting import waiting

app = typer.Typer(rich_markup_mode=None)

First = Annotated[str, option("NAME", "First name.")]
Last = Annotated[str, option("NAME", "Last name.")]
Address = Annotated[str, option("ADDRESS", "Email address.")]
Postal = Annotated[str | None, option("TEXT", 'Postal address: "12 Main St, Accra".')]
Phone = Annotated[str | None, option("NUMBER", 'Telephone; "" removes it.')]
Country = Annotated[str, option("COUNTRY", "Name, code or short form.")]

_LIST = [
    Column("id", "Id", Kind.ID, rank=3),
    Column("firstname", "First name"),
    Column("lastname", "Last name"),
    Column("email", "Email"),
    Column("country", "Country", rank=2),
    Column("memberSince", "Since", Kind.DATE, rank=1),
    Column("pledgeStatus", "Pledge"),
    Column("subscriptionAmount", "A month", Kind.UNITS),
]
_CARD = [
    *_LIST,
    Column("way", "Paid by"),
    Column("reference", "Reference"),
    Column("billingDay", "Billing day"),
    Column("nextChargeOn", "Next charge", Kind.DATE),
    Column("skipsOn", "Skips", Kind.DATE),
    Column("mayVoteFrom", "May vote from", Kind.DATE),
    Column("mayVoteUntil", "May vote until", Kind.DATE),
    Column("voteHeldSince", "Vote held since", Kind.DATE),
    Column("language", "Language"),
    Column("emailChoice", "Chosen emails"),
    Column("postal", "Postal address"),
    Column("phone", "Telephone"),
    Column("diedOn", "Died on", Kind.DATE),
    Column("paidCents", "Paid in all", Kind.CENTS),
    Column("votes", "Took part in"),
]
_HELD = (
    "An operator changed the address, so the vote is held until the old address agrees or another "
    "operator signs: jara members vouch {} --why REASON"
)
_PAYMENTS = [
    Column("date", "Date", Kind.DATE),
    Column("entry", "Payment", Kind.ID),
    Column("kind", "Kind"),
    Column("amountCents", "Amount", Kind.CENTS),
    Column("returnedCents", "Returned", Kind.CENTS),
    Column("state", "State"),
]
_EMAILS = [Column("at", "Written", Kind.DATE), Column("kind", "Email"), Column("sent", "Sent")]


@verb(app)
def export(context: Context, member: Who, out: OutPath = "-") -> None:
    """Export all data about a member as JSON.

    Example: jara members export ama@example.org --out ama.json
    """
    person = find_member(context, member)
    data = operators.act_for_member(
        context, "members.export", person, lambda: export_member(context, person.id)
    )
    write_output(out, f"{json_text(to_json(data), indent=2)}\n".encode(), private=True)


@verb(app, *_LIST, name="list")
def show_all(
    context: Context,
    search: Annotated[str | None, option("TEXT", "Any part of a name, address or id.")] = None,
    country: Annotated[str | None, option("COUNTRY", "Name, code or short form.")] = None,
    state: Annotated[list[PledgeState] | None, typer.Option(help="State of the pledge.")] = None,
    since: Annotated[str | None, option("DATE", "Joined on this day or later.")] = None,
    limit: MaybeLimit = None,
) -> Answer:
    """List members in order of joining.

    Examples:
      jara members list --country ghana --state active
      jara members list --search mensah --since 2026-01
    """
    query = operators.MemberQuery(
        text=search,
        country=country,
        states=tuple(state or ()),
        since=None if since is None else parse_first_day(since, today=context.today()),
    )
    lines = operators.search_members(context, query)
    document = [
        {
            **_identity(line.member),
            "country": line.member.country,
            "memberSince": context.zone.day_of(line.member.joined_at),
            "pledgeStatus": None if line.pledge is None else line.pledge.state.value,
            "subscriptionAmount": None if line.pledge is None else line.pledge.dollars,
        }
        for line in lines[:limit]
    ]
    return Answer(document, notes=more_than_shown(len(lines), document))


@verb(app)
def show(context: Context, member: Who) -> Answer:
    """Show a member: profile, pledge, payments, votes taken part in, emails.

    A vote appears 14 days after it ends, when the list of its voters is written.

    Example: jara members show ama@example.org
    """
    document = operators.show_to_operator(context, member)
    columns = _CARD
    if document["way"] != PaymentWay.CARD:
        due = Column("nextChargeOn", "Next payment", Kind.DATE)
        columns = [due if column.key == due.key else column for column in _CARD]
    return Answer(
        document,
        view={
            **document,
            "subscriptionAmount": document["subscriptionAmount"] or None,
            "votes": list(document["votes"]),
        },
        columns=columns,
        notes=[_HELD.format(document["email"])] if document["voteHeldSince"] else (),
        tables=[
            Table("Newest payments:", document["payments"], _PAYMENTS),
            Table("Newest emails:", document["emails"], _EMAILS),
        ],
    )


_BARE = (
    "Without an address: no emails, no sign-in and no vote. "
    "To add one: jara members edit {} --email ADDRESS"
)


@verb(app, *_LIST[:4])
def add(
    context: Context,
    firstname: First,
    lastname: Last,
    country: Country,
    email: Annotated[str | None, option("ADDRESS", "Email address.")] = None,
    no_email: Annotated[
        bool, flag("--no-email", "They have none: they can give, not sign in or vote.")
    ] = False,
    password_stdin: Annotated[
        bool, flag("--password-stdin", "Read the password from standard input.")
    ] = False,
    notifications: Annotated[
        bool, flag("--notifications", "Subscribe to news of votes and projects.")
    ] = False,
) -> Answer:
    """Add a member who has agreed to the privacy policy, without a pledge.

    An email asks the member to set a password of their own; the member votes only after that.
    Somebody without an address, or who shares one, is a member with --no-email: they get printed
    statements (`jara report statement --print-all`), and the vote once they have an address.

    Examples:
      jara members add --firstname Ama --lastname Mensah --country Ghana
        --email ama@example.org --password-stdin < password.txt
      jara members add --firstname Kofi --lastname Mensah --country Ghana \\
          --no-email
    """
    if no_email:
        if email is not None or password_stdin or notifications:
            raise InvalidInput("--no-email goes without --email, a password or --notifications.")
        bare = InvitationForm(firstname=firstname, lastname=lastname, email="", country=country)
        added = add_without_address(context, bare)
        return Answer(_identity(added), notes=[_BARE.format(added.id)])
    if email is None:
        raise InvalidInput("Give --email ADDRESS, or --no-email if they have none.")
    form = RegistrationForm(
        firstname=firstname,
        lastname=lastname,
        email=email,
        password=_read_password(from_stdin=password_stdin),
        country=country,
        notifications=notifications,
        privacy_policy=True,
        language=context.rules.language,
    )
    member = add_member(context, form)
    return Answer(_identity(member), notes=["To send the invitation now: jara mail send"])


@verb(app, *_LIST[:4], name="confirm")
def confirm_command(context: Context, member: Who) -> Document:
    """Confirm a member's address, in a sandbox organisation only.

    In a real organisation, members follow the emailed link.

    Example: jara members confirm ama@example.org
    """
    return _identity(operators.confirm_member(context, member))


@verb(app, *_LIST[:4])
def invite(
    context: Context, firstname: First, lastname: Last, email: Address, country: Country
) -> Answer:
    """Invite a person by email; the link to set their own password is valid for 7 days.

    Example:
      jara members invite --firstname Ama --lastname Mensah --country Ghana
        --email ama@example.org
    """
    form = InvitationForm(firstname=firstname, lastname=lastname, email=email, country=country)
    member = invite_member(context, form)
    return Answer(_identity(member), notes=["To send the invitation now: jara mail send"])


@verb(app, *_LIST[:5], Column("emailChoice", "Chosen emails"))
def edit(
    context: Context,
    member: Who,
    firstname: Annotated[str | None, option("NAME", "New first name.")] = None,
    lastname: Annotated[str | None, option("NAME", "New last name.")] = None,
    country: Annotated[str | None, option("COUNTRY", "Name, code or short form.")] = None,
    email: Annotated[str | None, option("ADDRESS", "New address, to be confirmed.")] = None,
    no_email: Annotated[bool, flag("--no-email", "Remove the address, and nothing else.")] = False,
    emails: Annotated[
        EmailChoice | None, typer.Option(help="Which emails they asked to get.")
    ] = None,
    language: Annotated[str | None, option("CODE", "Language of emails: en or fr.")] = None,
    postal: Postal = None,
    phone: Phone = None,
    why: Why = "",
) -> Answer:
    """Change a member's name, addresses, telephone or language, or which emails they get.

    A new address counts once the member has followed the link that is sent to it; until then the
    old one stays. Somebody who has not accepted an invitation gets it at the new address.

    The old address is asked to agree. Until it does, or another operator signs (`jara members
    vouch`), the member cannot vote in votes that are open or open within 14 days. After a first
    address, only another operator's signature gives the vote.

    Without an address (--no-email) there is no sign-in, no email and no vote. While a vote is open
    in which the member may vote, another operator must approve that; a ballot stays counted.

    Examples:
      jara members edit ama@example.org --country Kenya --why "moved"
      jara members edit ama@example.org --emails votes --why "asked by telephone"
      jara members edit ama@example.org --postal "Box 7, Accra" --phone ""
      jara members edit ama@exmaple.org --email ama@example.org --why "mistyped"
    """
    if no_email:
        others = (firstname, lastname, country, email, emails, language, postal, phone)
        if any(one is not None for one in others):
            raise InvalidInput("--no-email removes the address and nothing else.")
        done = operators.remove_address(context, find_member(context, member), why=why)
        if isinstance(done, Approval):
            return waiting(done)
        return Answer(_identity(done), notes=[_BARE.format(done.id)])
    change = MemberEdit(firstname, lastname, country, email, emails, language, postal, phone)
    edited = edit_member(context, member, change, why=why)
    notes = [] if email is None else [f"A link waits for {email}; to send it now: jara mail send"]
    shown = {**_identity(edited), "country": edited.country, "emailChoice": edited.email_choice}
    return Answer(shown, notes=notes)


@verb(app, *_LIST[:4])
def vouch(context: Context, member: Who, why: Why) -> Answer:
    """Ask another operator to vouch for a changed address: that it is the member's.

    Until then, or until the old address agrees by the emailed link, the member cannot vote.

    Example: jara members vouch ama@example.org --why "I met her"
    """
    done = vouch_for_address(context, member, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    return Answer(_identity(done))


@verb(app, *_LIST[:4], name="share-card")
def share_card(context: Context, member: Who, why: Why) -> Answer | Document:
    """Let all members who pay with the same card or account vote, such as a family.

    Otherwise it has one vote on each proposal. The result of a vote says how many ballots came
    from shared ones.

    Example: jara members share-card ama@example.org --why "sisters, one household"
    """
    done = operators.allow_shared_card(context, member, why=why)
    return waiting(done) if isinstance(done, Approval) else _identity(done)


@verb(app, Column("id", "Erased"))
def erase(context: Context, member: Who, why: Why = "", yes: Yes = False) -> Answer | Document:
    """Cancel a member's pledge and erase personal data; entries and ballots stay.

    While a vote is open in which the member may vote, another operator must approve it.

    Example: jara members erase ama@example.org --why "asked by email" --yes
    """
    person = find_member(context, member)
    confirm(f"Erase {person.mailbox} permanently?", yes=yes)
    done = operators.erase_by_operator(context, person, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    return {"id": person.id, "erased": True}


def _identity(member: Member) -> Document:
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
