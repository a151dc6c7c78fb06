"""Entries for statement lines that match nothing in the books."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import (
    FEES,
    GIFTS,
    GRANTS,
    OPENING,
    PAYEE_PARENTS,
    PLEDGES,
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
from jara.domain.books.fund_policy import FundPolicy, split
from jara.domain.books.journal import DESCRIPTIONS, EntryKind, JournalEntry, Posting, merged
from jara.domain.books.spending import BANK_CHARGE
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.money import format_cents

FROM_BANK = "bank"
"""The source of entries created from a bank line alone."""
DESCRIPTIONS_AT_BANK = DESCRIPTIONS | {
    EntryKind.FEE: BANK_CHARGE,
    EntryKind.DISBURSEMENT: "Payment out of the bank",
    EntryKind.TRANSFER: "Movement between own accounts",
    EntryKind.MANUAL: "Movement at the bank",
}


class Part(NamedTuple):
    """One part of a line: the account, fund and amount to book."""

    account: str
    fund: Fund | None = None
    """Its fund. None splits fees by the fee weights, gifts by the policy and own accounts by the
    given shares, and otherwise means the account's default fund."""
    cents: int | None = None  # the part's unsigned amount; None for the remainder of the line


def require_bookable(account: str, fund: Fund | None) -> None:
    """Require that a bank line may be booked on an account.

    Raises:
        Conflict: the account is booked by votes or by other commands.
    """
    if is_below(account, PROJECTS) or fund is Fund.COMMITTED:
        raise Conflict(
            f"'{account}' is paid only for a proposal that passed; use `jara projects pay`, then "
            "the line is matched with that entry."
        )
    if is_below(account, PLEDGES):
        raise Conflict(
            f"'{account}' takes contributions of members only; name the member instead: "
            "jara bank match LINE --member MEMBER"
        )
    if is_below(account, GIFTS) and fund is not None:
        raise Conflict("Gifts are split by the fund policy; name no fund.")
    if is_below(account, OPENING) or is_below(account, TRANSFERS):
        raise Conflict(f"'{account}' is booked by its own commands, not from the bank.")
    account_type(account)


def amounts_of(cents: int, parts: Sequence[Part]) -> list[int]:
    """Return the amount of each part with the sign of the line.

    Raises:
        InvalidInput: two parts have no amount, one is not positive, or the sum is not the line's.
    """
    whole, given = abs(cents), [part.cents for part in parts]
    rest = whole - sum(part for part in given if part is not None)
    if given.count(None) > 1:
        raise InvalidInput("Only one part can be without an amount.")
    amounts = [rest if part is None else part for part in given]
    if sum(amounts) != whole or not all(part > 0 for part in amounts):
        raise InvalidInput(
            f"The parts add up to {format_cents(sum(part or 0 for part in given))}; "
            f"the line has {format_cents(whole)}."
        )
    return [part if cents > 0 else -part for part in amounts]


def line_entry(
    day: date,
    parts: Sequence[tuple[Part, int]],
    *,
    ledger: str,
    policy: FundPolicy,
    shares: Mapping[str, Mapping[Fund, int]],
    external_id: str,
    true_day: date | None = None,
) -> JournalEntry:
    """Return the entry that books a line, split into its parts.

    Args:
        parts: each with its amount; negative for money out of the bank.
        ledger: the bank's account in the books.
        shares: the amount of each fund, for parts on our own accounts.
        external_id: the line's id.
        true_day: the line's day, if its year is closed.

    Raises:
        Conflict: a gift is combined with other parts, or is money out.
    """
    postings: list[Posting] = []
    for part, cents in parts:
        divided = _divided(part, cents, policy, shares)
        postings += [Posting(part.account, fund, -amount) for fund, amount in divided.items()]
        postings += [Posting(ledger, fund, amount) for fund, amount in divided.items()]
    kind = _kind([(part.account, cents) for part, cents in parts])
    return JournalEntry(
        day=day,
        kind=kind,
        description=DESCRIPTIONS_AT_BANK[kind],
        postings=merged(postings),
        source=FROM_BANK,
        external_id=external_id,
        true_day=true_day,
    )


def _divided(
    part: Part, cents: int, policy: FundPolicy, shares: Mapping[str, Mapping[Fund, int]]
) -> dict[Fund, int]:
    if part.fund is not None:
        return {part.fund: cents}
    if is_below(part.account, GIFTS):
        return {fund: amount for fund, amount in split(cents, policy.weights).items() if amount}
    if part.account in shares:
        return {fund: amount for fund, amount in shares[part.account].items() if amount}
    if is_below(part.account, FEES):
        return {fund: amount for fund, amount in split(cents, policy.fee_weights).items() if amount}
    if is_below(part.account, GRANTS):
        return {Fund.PROJECTS: cents}
    return {fund_of_account(part.account): cents}


def _kind(parts: Sequence[tuple[str, int]]) -> EntryKind:
    accounts = [account for account, _ in parts]
    if any(is_below(account, GIFTS) for account in accounts):
        if len(parts) > 1 or parts[0][1] < 0:
            raise Conflict("A gift is booked alone, and only incoming money can be a gift.")
        return EntryKind.GIFT
    types = {account_type(account) for account in accounts}
    spent = [account for account, cents in parts if cents < 0]
    if types == {AccountType.ASSETS}:
        return EntryKind.TRANSFER
    if types == {AccountType.LIABILITIES}:
        return EntryKind.SUSPENSE
    if all(is_below(account, FEES) for account in accounts):
        return EntryKind.FEE
    if all(is_below(account, GRANTS) for account in accounts) and not spent:
        return EntryKind.GRANT
    if types == {AccountType.EXPENSES} and len(spent) == len(parts):
        if all(nearest(account, PAYEE_PARENTS) for account in accounts):
            return EntryKind.DISBURSEMENT
        is_pay = all(is_below(account, STAFF) for account in accounts)
        return EntryKind.SALARY if is_pay else EntryKind.EXPENSE
    return EntryKind.MANUAL
