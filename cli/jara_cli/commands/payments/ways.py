"""``jara payments ways`` and ``gifts``: the ways to pay without a card, and gifts on the way."""

from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.giving.payment_way import PaymentWay, print_reference
from jara.domain.giving.pledge import PledgeState
from jara.domain.iban import print_iban
from jara.domain.texts import listing
from jara.records.journal import WaySetting
from jara.records.operations import Approval
from jara.services.context import Context
from jara.services.members.operators import PledgeQuery, list_pledges
from jara.services.payments.gift_promises import list_gift_promises
from jara.services.payments.ways import list_ways, remove_way, set_way
from jara_cli.columns import Column, Kind
from jara_cli.options import Why, argument, flag, option
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True, help="Ways to pay without a card.")
gifts = typer.Typer(no_args_is_help=True, help="Gifts announced on the website, without a card.")

Way = Annotated[PaymentWay, argument("WAY", "transfer, cash, mobile or cheque.")]

_WAYS = [
    Column("way", "Way"),
    Column("account", "Account"),
    Column("details", "Details", Kind.SENTENCE),
    Column("iban", "IBAN"),
]


@verb(app, *_WAYS, name="set")
def set_command(
    context: Context,
    way: Way,
    account: Annotated[str, option("ACCOUNT", "Account that gets the money.")],
    details: Annotated[str, option("TEXT", "Shown to payers, such as an account number.")] = "",
    iban: Annotated[str, option("IBAN", "Account that transfers go to.")] = "",
    holder: Annotated[str, option("NAME", "Name of the account holder.")] = "",
    euro: Annotated[bool, flag("--euro", "The account takes euros: show a SEPA QR code.")] = False,
    why: Why = "",
) -> Answer:
    """Set up a way to pay, or replace it; the website then offers it besides cards.

    Who promised to pay so is told by email how to pay from now on.
    If operators have keys, an admin does it, and other operators must approve it.

    Examples:
      jara payments ways set transfer --account assets:bank --holder "Jara e.V." \\
          --iban "DE89 3704 0044 0532 0130 00" --euro
      jara payments ways set transfer --account assets:bank --details "IBAN DE89…"
      jara payments ways set cash --account assets:cash
      jara payments ways set cheque --account assets:cheques --details "To Jara"
    """
    setting = set_way(
        context,
        way,
        ledger=account,
        details=details,
        iban=iban,
        holder=holder,
        takes_euro=euro,
        why=why,
    )
    if isinstance(setting, Approval):
        return waiting(setting)
    return Answer([_way_document(setting)], notes=_to_tell(context, way))


@verb(app, *_WAYS, name="list")
def list_command(context: Context) -> list[Document]:
    """List the ways to pay other than by card.

    Example: jara payments ways list
    """
    return [_way_document(one) for one in list_ways(context)]


@verb(app, Column("removed", "Removed"), name="remove")
def remove_command(context: Context, way: Way, why: Why = "") -> Answer:
    """Remove a way to pay; received payments stay. Other operators must approve it.

    Who promised to pay so is told by email.

    Example: jara payments ways remove cash
    """
    done = remove_way(context, way, why=why)
    if done is not None:
        return waiting(done)
    return Answer({"removed": way}, notes=_to_tell(context, way))


@verb(
    gifts,
    Column("reference", "Reference"),
    Column("announced", "Announced", Kind.DATE),
    Column("cents", "Amount", Kind.CENTS),
    Column("way", "Way"),
    Column("name", "Name"),
    Column("email", "Email"),
    Column("arrivedOn", "Arrived", Kind.DATE),
    name="list",
)
def list_gifts(context: Context) -> list[Document]:
    """List the gifts that were announced on the website, and whether they arrived.

    They are kept for 180 days.

    Example: jara payments gifts list
    """
    return [
        {
            "reference": print_reference(gift.reference),
            "announced": context.zone.day_of(gift.promised_at),
            "cents": gift.cents,
            "way": gift.way,
            "name": gift.name,
            "email": gift.email,
            "arrivedOn": gift.arrived_on,
        }
        for gift in list_gift_promises(context)
    ]


def _to_tell(context: Context, way: PaymentWay) -> list[str]:
    """Return who pays so and gets no email about it."""
    pledges = list_pledges(context, PledgeQuery(ways=[way]))
    names = [
        line.member.label
        for line in pledges
        if not line.member.email and line.pledge.state is not PledgeState.CANCELED
    ]
    return [f"No email goes to {listing(names)}: tell them."] if names else []


def _way_document(setting: WaySetting) -> Document:
    document: Document = {"way": setting.way, "account": setting.ledger, "details": setting.details}
    if setting.iban:
        document |= {"iban": print_iban(setting.iban), "holder": setting.holder}
    return document | ({"euro": True} if setting.takes_euro else {})
