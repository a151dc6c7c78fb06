"""What money may be spent on, and entries that operators make: payments, transfers, openings."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import (
    BANK,
    BANK_FEES,
    EXCHANGE,
    FEES,
    GRANTS,
    MARKETING,
    OPENING,
    PAYEE_PARENTS,
    PROJECTS,
    STAFF,
    TRANSFERS,
    AccountType,
    Fund,
    account_type,
    fund_of_account,
    is_below,
    nearest,
)
from jara.domain.books.fund_policy import Weights, split
from jara.domain.books.journal import (
    DESCRIPTIONS,
    EntryKind,
    Foreign,
    JournalEntry,
    Posting,
    merged,
)
from jara.domain.errors import FundOverdrawn, InvalidInput
from jara.domain.money import format_cents, plain_decimal

_OF_PROJECTS = (*PAYEE_PARENTS, EXCHANGE, OPENING)


def require_purpose(entry: JournalEntry, fee_weights: Weights) -> None:
    """Require that an entry spends money of `projects` on what it was promised to.

    That is projects, grants and donations, with exchange differences, and fees if the policy
    says so. Anything else is paid by another fund, after a transfer with its reason, which gives
    another fund what it takes from `projects`.

    Raises:
        InvalidInput: it spends it on something else, or transfers it without a reason or to no
            fund.
    """
    is_committed = any(posting.fund is Fund.COMMITTED for posting in entry.postings)
    for posting in entry.postings:
        if posting.fund is not Fund.PROJECTS or posting.cents < 0:
            continue
        if is_below(posting.account, TRANSFERS):
            _require_counterpart(entry)
            if not is_committed:
                require_reason(Fund.PROJECTS, entry.note)
        elif not _is_promised(posting, fee_weights):
            fund = fund_of_account(posting.account)
            raise InvalidInput(
                f"'{posting.account}' is not paid with money of 'projects', which is promised to "
                f"projects: use the fund '{fund}', or move the money first: jara ledger transfer "
                f"projects {fund} {plain_decimal(posting.cents)} --why REASON"
            )


def require_reason(source: Fund, reason: str | None) -> None:
    """Require that a transfer out of `projects` has a reason.

    Raises:
        InvalidInput: it has none.
    """
    if source is Fund.PROJECTS and not (reason or "").strip():
        raise InvalidInput(
            "The money of 'projects' is promised to projects, so a transfer of it needs its "
            "reason: jara ledger transfer projects FUND AMOUNT --why REASON"
        )


def require_why(entry: JournalEntry) -> None:
    """Require that an entry that spends has its reason, in its note.

    Raises:
        InvalidInput: it has none.
    """
    spends = any(
        posting.cents > 0 and account_type(posting.account) is AccountType.EXPENSES
        for posting in entry.postings
    )
    if spends and not (entry.note or "").strip():
        raise InvalidInput(
            "An expense needs its reason, which is stored with the entry: say --why, or "
            "'description' in a file."
        )


def _require_counterpart(entry: JournalEntry) -> None:
    lost = sum(one.cents for one in entry.postings if is_below(one.account, TRANSFERS))
    if lost:
        raise InvalidInput(
            f"The transfer takes {format_cents(lost)} that no fund gets: jara ledger transfer "
            "projects FUND AMOUNT --why REASON"
        )


def _is_promised(posting: Posting, fee_weights: Weights) -> bool:
    if account_type(posting.account) not in {AccountType.EXPENSES, AccountType.EQUITY}:
        return True
    if is_below(posting.account, FEES):
        return fee_weights[Fund.PROJECTS] > 0
    return nearest(posting.account, _OF_PROJECTS) is not None


Draws = Iterable[tuple[str, int]]
"""Asset accounts and the cents taken from each, as `movements.draw` chooses them."""

SPENDING_DESCRIPTIONS = {
    PROJECTS: (EntryKind.DISBURSEMENT, "Payment to a project"),
    PAYEE_PARENTS[1]: (EntryKind.DISBURSEMENT, "Payment of a grant"),
    PAYEE_PARENTS[2]: (EntryKind.DISBURSEMENT, "Payment of a donation"),
    STAFF: (EntryKind.SALARY, DESCRIPTIONS[EntryKind.SALARY]),
    MARKETING: (EntryKind.EXPENSE, "Marketing"),
}
BANK_CHARGE = "The bank's charge"


class Spending(NamedTuple):
    """A payment out of the bank for an expense."""

    account: str  # the expense account, such as ``expenses:projects:wells``
    fund: Fund  # the fund that pays; ``committed`` for projects of a passed proposal
    cents: int  # the amount, at least 1
    reference: str | None = None  # the proposal or project it is for
    foreign: Foreign | None = None  # the amount in another currency
    external_id: str | None = None  # an external id, which prevents posting it twice
    note: str | None = None  # the operator's note; not part of the log
    paid_from: str = BANK  # the account that the money leaves, or comes back to


def require_available(fund: Fund, *, available_cents: int, asked_cents: int) -> None:
    """Require that a fund covers an amount.

    Raises:
        FundOverdrawn: it does not; the message names fund, balance and amount.
    """
    if asked_cents > available_cents:
        raise FundOverdrawn(
            f"The fund '{fund}' has {format_cents(available_cents)}; "
            f"{format_cents(asked_cents)} was requested."
        )


def transfer_entry(
    day: date,
    *,
    source: Fund,
    target: Fund,
    draws: Draws,
    kind: EntryKind = EntryKind.TRANSFER,
    reference: str | None = None,
    note: str | None = None,
) -> JournalEntry:
    """Move money from one fund to another; each fund stays balanced by itself.

    Raises:
        InvalidInput: the two funds are the same.
    """
    if source is target:
        raise InvalidInput(f"A transfer needs two funds; both are '{source}'.")
    taken = list(draws)
    cents = sum(amount for _, amount in taken)
    return JournalEntry(
        day=day,
        kind=kind,
        description=DESCRIPTIONS[kind],
        postings=(
            Posting(TRANSFERS, source, cents),
            *(Posting(account, source, -amount) for account, amount in taken),
            *(Posting(account, target, amount) for account, amount in taken),
            Posting(TRANSFERS, target, -cents),
        ),
        reference=reference,
        source="operator" if kind is EntryKind.TRANSFER else "system",
        note=note,
    )


def holding_entry(day: date, proposal: str, draws: Draws) -> JournalEntry:
    """Hold money of ``projects`` for a passed proposal."""
    return transfer_entry(
        day,
        source=Fund.PROJECTS,
        target=Fund.COMMITTED,
        draws=draws,
        kind=EntryKind.COMMITMENT,
        reference=proposal,
    )


def release_entry(day: date, proposal: str, draws: Draws) -> JournalEntry:
    """Return held money to ``projects``."""
    return transfer_entry(
        day,
        source=Fund.COMMITTED,
        target=Fund.PROJECTS,
        draws=draws,
        kind=EntryKind.RELEASE,
        reference=proposal,
    )


def spending_entry(day: date, spending: Spending, *, available_cents: int) -> JournalEntry:
    """Pay an expense out of the bank on a UTC day; `available_cents` is the total of its fund.

    Raises:
        FundOverdrawn: the fund has less.
        InvalidInput: the account is not an expense, or the amount is less than one cent.
    """
    if account_type(spending.account) is not AccountType.EXPENSES:
        raise InvalidInput(f"'{spending.account}' is not an expense account.")
    _require_positive(spending.cents)
    require_available(spending.fund, available_cents=available_cents, asked_cents=spending.cents)
    family = nearest(spending.account, SPENDING_DESCRIPTIONS) or ""
    kind, description = SPENDING_DESCRIPTIONS.get(
        family, (EntryKind.EXPENSE, DESCRIPTIONS[EntryKind.EXPENSE])
    )
    return JournalEntry(
        day=day,
        kind=kind,
        description=description,
        postings=(
            Posting(spending.account, spending.fund, spending.cents),
            Posting(spending.paid_from, spending.fund, -spending.cents),
        ),
        reference=spending.reference,
        external_id=spending.external_id,
        foreign=spending.foreign,
        note=spending.note,
    )


def returned_entry(
    day: date, spending: Spending, *, received_cents: int, of: int | None = None
) -> JournalEntry:
    """Return the entry of a payment that the payee returned.

    The original cost is credited; an exchange difference goes to expenses:fx. `spending` is the
    returned part, at the cost it was booked with; `received_cents` is what the bank received for
    it, on a UTC day. `of` is the log index of the payment, which may be returned in several parts.

    Raises:
        InvalidInput: the cost or the received amount is less than one cent.
    """
    _require_positive(spending.cents)
    _require_positive(received_cents)
    difference = spending.cents - received_cents
    return JournalEntry(
        day=day,
        kind=EntryKind.RETURN,
        description=DESCRIPTIONS[EntryKind.RETURN],
        postings=(
            Posting(spending.paid_from, spending.fund, received_cents),
            Posting(spending.account, spending.fund, -spending.cents),
            *([Posting(EXCHANGE, spending.fund, difference)] if difference else []),
        ),
        reference=spending.reference,
        external_id=spending.external_id,
        of=of,
        foreign=spending.foreign,
        note=spending.note,
    )


def charge_note(entry: str) -> str:
    """Return the note of the bank's charge for the payment with that id."""
    return f"Charge for {entry}"


def bank_charge_entry(
    day: date,
    cents: int,
    fee_weights: Weights,
    *,
    paid_from: str = BANK,
    external_id: str | None = None,
) -> JournalEntry:
    """Return the entry of a bank fee, divided like card fees."""
    parts = [(fund, part) for fund, part in split(cents, fee_weights).items() if part]
    return JournalEntry(
        day=day,
        kind=EntryKind.FEE,
        description=BANK_CHARGE,
        postings=(
            *(Posting(BANK_FEES, fund, part) for fund, part in parts),
            *(Posting(paid_from, fund, -part) for fund, part in parts),
        ),
        external_id=external_id,
    )


def grant_entry(day: date, parts: Mapping[Fund, int]) -> JournalEntry:
    """Return the entry of a received grant, divided over its funds."""
    given = [(fund, cents) for fund, cents in parts.items() if cents]
    return JournalEntry(
        day=day,
        kind=EntryKind.GRANT,
        description=DESCRIPTIONS[EntryKind.GRANT],
        postings=(
            *(Posting(BANK, fund, cents) for fund, cents in given),
            *(Posting(GRANTS, fund, -cents) for fund, cents in given),
        ),
    )


def opening_entry(day: date, cells: Mapping[tuple[str, Fund], int]) -> JournalEntry:
    """Return the opening entry: the assets and debts on the first day of the books.

    `cells` has the balance of each account and fund; assets positive, liabilities negative.

    Raises:
        InvalidInput: an account is neither an asset nor a liability.
    """
    for account, _ in cells:
        if account_type(account) not in {AccountType.ASSETS, AccountType.LIABILITIES}:
            raise InvalidInput(f"'{account}' cannot have an opening balance; assets and debts can.")
    held = [Posting(account, fund, cents) for (account, fund), cents in cells.items() if cents]
    return JournalEntry(
        day=day,
        kind=EntryKind.OPENING,
        description=DESCRIPTIONS[EntryKind.OPENING],
        postings=(*held, *merged(Posting(OPENING, p.fund, -p.cents) for p in held)),
    )


def _require_positive(cents: int) -> None:
    if cents <= 0:
        raise InvalidInput(
            f"{format_cents(cents)} cannot be paid; the minimum is {format_cents(1)}."
        )
