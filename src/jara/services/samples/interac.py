"""Members of the demo in Canada who pay without a card, and their two months at a credit union.

In the first month the treasurer says whose each sender is; the second one matches by itself.
"""

from datetime import date, timedelta
from typing import NamedTuple

from jara.domain.bank.rules import Direction, Rule
from jara.domain.bank.statement import Statement, StatementLine
from jara.domain.giving.payment_way import PaymentWay
from jara.services.bank.answering import add_rule, list_waiting, match_with_members, new_rule_id
from jara.services.bank.importing import import_statements
from jara.services.books.policies import add_account
from jara.services.context import Context
from jara.services.members.accounts import InvitationForm, add_without_address, invite_member
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.ways import set_way
from jara.services.samples.words import in_own_words

CURRENCY = "CAD"
ACCOUNT = "2000300040"
LEDGER = "assets:credit-union"
FEE_TEXT = "MONTHLY ACCOUNT FEE"
FEE_CENTS = 495
_DOLLARS = 10
_INTERAC = "INTERAC E-TRANSFER FROM: "
_ACCOUNTS = {
    PaymentWay.TRANSFER: (LEDGER, "Credit union", "Interac e-transfer to give@example.org"),
    PaymentWay.CASH: ("assets:cash", "Cash that is not at the bank yet", "At the office"),
    PaymentWay.CHEQUE: ("assets:cheques", "Cheques that are not at the bank yet", "To Jara"),
}
_DEPOSITS = {PaymentWay.CASH: "CASH DEPOSIT", PaymentWay.CHEQUE: "CHEQUE DEPOSIT"}


class Payer(NamedTuple):
    """A member who pays without a card; without an email address, some cannot vote."""

    firstname: str
    lastname: str
    way: PaymentWay
    has_address: bool = True

    @property
    def email(self) -> str:
        """The address, or none."""
        return f"{self.firstname}.{self.lastname}@example.org".lower() if self.has_address else ""

    @property
    def known_as(self) -> str:
        """What finds the member."""
        return self.email or f"{self.firstname} {self.lastname}"


PAYERS = (
    Payer("Efua", "Darko", PaymentWay.TRANSFER),
    Payer("Kojo", "Antwi", PaymentWay.TRANSFER),
    Payer("Akua", "Ofori", PaymentWay.TRANSFER),
    Payer("Kwesi", "Baah", PaymentWay.TRANSFER, has_address=False),
    Payer("Yaa", "Addo", PaymentWay.CASH),
    Payer("Ebo", "Quaye", PaymentWay.CHEQUE),
)


def begin(context: Context) -> None:
    """Set up the ways to pay, and let each member promise ten dollars a month."""
    for way, (ledger, meaning, details) in _ACCOUNTS.items():
        add_account(context, ledger, meaning=in_own_words(context, meaning))
        set_way(context, way, ledger=ledger, details=in_own_words(context, details))
    for payer in PAYERS:
        form = InvitationForm(
            firstname=payer.firstname, lastname=payer.lastname, email=payer.email, country="Canada"
        )
        if payer.has_address:
            member = invite_member(context, form)
            with context.store.write() as work:  # the link of the invitation
                work.members.update(member._replace(email_confirmed=True))
        else:
            member = add_without_address(context, form)
        promise(context, member.id, dollars=_DOLLARS, way=payer.way)
    for way, text in _DEPOSITS.items():
        _add_rule(context, Direction.IN, _ACCOUNTS[way][0], text)
    why = in_own_words(context, "Fee of the account")
    _add_rule(context, Direction.OUT, "expenses:fees:bank", FEE_TEXT, why=why)


def end_month(context: Context, first: date, *, number: int) -> None:
    """Book the cash and cheques of a month, and import its statement, on its last day or later.

    `number` is 0 for the first month, 1 for the second.
    """
    for payer in PAYERS:
        if payer.way is not PaymentWay.TRANSFER:
            receive(context, payer.known_as, _DOLLARS * 100, day=first + timedelta(days=4))
    file = f"credit-union-{first:%Y-%m}.csv"
    new_account = None if number else LEDGER
    statement = _statement(first, number * (len(PAYERS) * _DOLLARS * 100 - FEE_CENTS))
    import_statements(context, [statement], file=file, new_account=new_account)
    if not number:
        _match_senders(context)


def _match_senders(context: Context) -> None:
    by_name = {f"{one.firstname} {one.lastname}".upper(): one for one in PAYERS}
    for line in list_waiting(context):
        payer = by_name[line.line.text.removeprefix(_INTERAC)]
        match_with_members(context, line.id, [(payer.known_as, None)])


def _statement(first: date, opening: int) -> Statement:
    """Return the statement of a month: e-transfers with senders' names, deposits, the fee."""
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    rows = [
        (1 + 2 * number, f"{_INTERAC}{one.firstname} {one.lastname}".upper())
        for number, one in enumerate(PAYERS)
        if one.way is PaymentWay.TRANSFER
    ]
    rows += [(24, text) for text in _DEPOSITS.values()]
    bookings = [(first + timedelta(days=days), text, _DOLLARS * 100) for days, text in rows]
    bookings.append((last, FEE_TEXT, -FEE_CENTS))
    lines = [
        StatementLine(line=number, day=day, cents=cents, text=text)
        for number, (day, text, cents) in enumerate(bookings, start=2)
    ]
    closing = opening + sum(line.cents for line in lines)
    return Statement(0, ACCOUNT, "csv", first, last, opening, closing, lines)


def _add_rule(
    context: Context, direction: Direction, account: str, text: str, *, why: str = ""
) -> None:
    add_rule(context, Rule(new_rule_id(context), direction, account, contains=text, why=why))
