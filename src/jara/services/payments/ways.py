"""Payments without a card: the ways that operators set up, and joining with a promise."""

from typing import NamedTuple

from jara.domain.books.account import AccountType, account_type
from jara.domain.books.outflow import require_elsewhere
from jara.domain.control.ways_in import WayIn
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import HOLDER_LENGTH_MAX, PaymentWay, epc_code, print_reference
from jara.domain.giving.pledge import Pledge
from jara.domain.iban import is_sepa, parse_iban, print_iban
from jara.domain.texts import tr
from jara.records.journal import WaySetting
from jara.records.operations import Approval
from jara.services.context import Context
from jara.services.notices.emails import queue_member_email
from jara.services.ways_in import change_way, ways_offered
from jara.store.unit_of_work import UnitOfWork


def set_way(
    context: Context,
    way: PaymentWay,
    *,
    ledger: str,
    details: str,
    iban: str = "",
    holder: str = "",
    takes_euro: bool = False,
    why: str = "",
) -> WaySetting | Approval:
    """Set up a way to pay without a card; operators with keys approve it.

    `ledger` is the account in the books that gets the money, `iban` the one at the bank, for
    transfers. `details` are what payers need to know, such as the account's number; with
    `takes_euro` they get a QR code for a SEPA transfer in euros. The reason is shown to the other
    operators.

    Raises:
        NoCards: it is the card, and the organisation takes none.
        InvalidInput: it is the card, the account holds no money or is at the payment provider, or
            the IBAN is invalid or not of a country of SEPA.
    """
    if way is PaymentWay.CARD:
        context.require_cards()
        raise InvalidInput("Cards are set up with `jara stripe setup`.")
    if account_type(ledger) is not AccountType.ASSETS:
        raise InvalidInput(f"'{ledger}' holds no money; name an account like assets:bank.")
    require_elsewhere(ledger)
    account = _require_account(way, iban, holder, takes_euro=takes_euro)
    setting = WaySetting(way.value, ledger, details, account, holder.strip(), takes_euro)
    with context.store.write() as work:
        work.book_settings.chart().require(ledger)
        waiting = change_way(
            context, work, WayIn(way), setting._asdict(), action="payments.ways.set", why=why
        )
    return waiting or setting


def _require_account(way: PaymentWay, iban: str, holder: str, *, takes_euro: bool) -> str:
    """Check the account that transfers go to; return its IBAN, or nothing."""
    if way is not PaymentWay.TRANSFER and (iban or holder or takes_euro):
        raise InvalidInput(f"An IBAN is for transfers; {way.phrase} has none.")
    account = parse_iban(iban) if iban else ""
    if len(holder.strip()) > HOLDER_LENGTH_MAX:
        raise InvalidInput(
            f"The account's holder has {len(holder.strip())} characters; the maximum is "
            f"{HOLDER_LENGTH_MAX}."
        )
    if takes_euro and not (holder.strip() and is_sepa(account)):
        raise InvalidInput("Transfers in euros need the IBAN of a SEPA country and its holder.")
    return account


def list_ways(context: Context) -> list[WaySetting]:
    """Return the ways to pay without a card that are set up, and that operators signed."""
    with context.store.read() as work:
        return ways_offered(context, work)


def remove_way(context: Context, way: PaymentWay, *, why: str = "") -> Approval | None:
    """Remove a way to pay; pledges that use it stay, but nothing is received for them.

    Operators with keys approve it.

    Raises:
        NotFound: it is not set up.
    """
    with context.store.write() as work:
        if all(setting.way != way for setting in work.book_settings.ways()):
            raise NotFound("Payment by {way} is not set up.", way=tr(way.phrase))
        action = "payments.ways.remove"
        return change_way(context, work, WayIn(way), None, action=action, why=why)


def ledger_of(context: Context, work: UnitOfWork, way: PaymentWay) -> str:
    """Return the account that gets the money of a way to pay.

    Raises:
        NotFound: it is not set up.
    """
    for setting in ways_offered(context, work):
        if setting.way == way:
            return setting.ledger
    raise NotFound(
        "Payment by {way} is not set up; see: jara payments ways set --help", way=tr(way.phrase)
    )


class PayDetails(NamedTuple):
    """How a payment is made: what to write on it, and where it goes."""

    way: PaymentWay
    reference: str  # in two groups
    details: str  # the operators' words
    iban: str  # in groups of four; empty without an account
    holder: str
    code: str | None  # the content of a QR code for a transfer in euros, if there is one

    def words(self) -> dict[str, str]:
        """Return what an email says."""
        return {**self._asdict(), "way": self.way.phrase, "code": ""}


def pay_details(context: Context, work: UnitOfWork, way: PaymentWay, reference: str) -> PayDetails:
    """Return how to pay with a reference; a way that is not offered has no account."""
    offered = {setting.way: setting for setting in ways_offered(context, work)}
    setting = offered.get(way.value, WaySetting(way.value, "", ""))
    printed = print_reference(reference)
    return PayDetails(
        way=way,
        reference=printed,
        details=setting.details,
        iban=print_iban(setting.iban),
        holder=setting.holder,
        code=epc_code(setting.iban, setting.holder, printed) if setting.takes_euro else None,
    )


def queue_how_to_pay(context: Context, work: UnitOfWork, member: Member, pledge: Pledge) -> bool:
    """Email a member how to pay a promise; once for each amount and way of it."""
    values = {
        "amountCents": pledge.dollars * 100,
        "isGift": False,
        **pay_details(context, work, pledge.way, pledge.reference or "").words(),
    }
    once = f"how-to-pay:{pledge.reference}:{pledge.way}:{pledge.dollars}"
    return queue_member_email(context, work, "how_to_pay", member, values=values, once_key=once)
