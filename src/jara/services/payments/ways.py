"""Payments without a card: the ways that operators set up, and joining with a promise."""

from __future__ import annotations

from jara.domain.books.account import AccountType, account_type
from jara.domain.books.outflow import require_elsewhere
from jara.domain.control.ways_in import WayIn
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.giving.payment_way import HOLDER_LENGTH_MAX, PaymentWay
from jara.domain.iban import is_sepa, parse_iban
from jara.domain.texts import tr
from jara.records.journal import WaySetting
from jara.records.operations import Approval
from jara.services.context import Context
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

    Args:
        context: the application's context.
        way: which one.
        ledger: the account in the books that gets the money.
        details: what payers need to know, such as the account's number.
        iban: the account at the bank, for transfers.
        holder: the account holder.
        takes_euro: whether payers get a QR code for a SEPA transfer in euros.
        why: the reason, shown to the other operators.

    Raises:
        InvalidInput: it is the card, the account holds no money or is at the payment provider, or
            the IBAN is invalid or not of a country of SEPA.
    """
    if way is PaymentWay.CARD:
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
