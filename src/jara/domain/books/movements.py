"""Turns movements at the payment provider, and between our own accounts, into entries."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date

from jara.domain.books.account import (
    BANK,
    FEE_TAX,
    FEES,
    GIFTS,
    IN_TRANSIT,
    PLEDGES,
    RESERVE,
    STRIPE,
    SUSPENSE,
    Fund,
    nearest,
)
from jara.domain.books.fund_policy import FundPolicy, given_back, split
from jara.domain.books.journal import (
    DESCRIPTIONS,
    EntryKind,
    JournalEntry,
    PostedEntry,
    Posting,
    merged,
)
from jara.domain.books.provider_row import (
    RETURNS,
    ChargeKind,
    ProviderRow,
    RowCategory,
    outside_id,
    where,
)
from jara.domain.books.years import booking_day
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.time_zone import UTC_ZONE, TimeZone

DRAWING_ORDER = (BANK, IN_TRANSIT, STRIPE)
"""The order in which to draw on accounts when no bank statement names one."""


def shares_of(
    cents: int,
    *,
    known: Mapping[Fund, int] | None,
    cells: Mapping[Fund, int],
    totals: Mapping[Fund, int],
) -> dict[Fund, int]:
    """Divide a movement between two of our accounts over the funds.

    Args:
        cents: the amount; the shares sum to it.
        known: each fund's sum of the transactions in it; used if they sum to the amount.
        cells: each fund's balance on the account that the money leaves.
        totals: each fund's balance, used if no cell is positive.

    Returns:
        The known sums; else shares in proportion to the positive cells or, without any,
        the positive totals; else the whole amount for ``other``.
    """
    if known is not None and sum(known.values()) == cents:
        return dict(known)
    for balances in (cells, totals):
        weights = {fund: max(0, balance) for fund, balance in balances.items()}
        if any(weights.values()):
            return split(cents, weights)
    return {Fund.OTHER: cents}


def arrival_name(payout_id: str, number: int = 1) -> str:
    """Return the external id of a payout's arrival; a replacement has a number."""
    return f"{payout_id}:arrived" if number == 1 else f"{payout_id}:arrived:{number}"


def payout_arrived(
    day: date,
    payout_id: str,
    shares: Mapping[Fund, int],
    *,
    true_day: date | None = None,
    source: str = "stripe",
    number: int = 1,
    bank: str = BANK,
) -> JournalEntry:
    """Return the entry of a payout's arrival in the bank, with its original shares.

    Args:
        payout_id: the provider's id.
        true_day: the day it arrived, if that year is closed.
        source: who reported it, the provider or the bank.
        number: 1, or more if earlier arrivals of the payout were reversed.
        bank: the account that it arrived on.
    """
    moved = [(fund, cents) for fund, cents in shares.items() if cents]
    return JournalEntry(
        day=day,
        kind=EntryKind.PAYOUT_ARRIVED,
        description=DESCRIPTIONS[EntryKind.PAYOUT_ARRIVED],
        postings=(
            *(Posting(bank, fund, cents) for fund, cents in moved),
            *(Posting(IN_TRANSIT, fund, -cents) for fund, cents in moved),
        ),
        reference=payout_id,
        source=source,
        external_id=arrival_name(payout_id, number),
        true_day=true_day,
    )


def draw(cells: Mapping[str, int], cents: int, *, bank: str = BANK) -> list[tuple[str, int]]:
    """Choose the accounts to take a fund's money from, by its balance on each asset account.

    The bank with its sub-accounts first, of these `bank`, then in transit, then Stripe; none is
    drawn below zero. Any rest is taken from `bank`.

    Raises:
        InvalidInput: the amount is not positive.
    """
    if cents <= 0:
        raise InvalidInput(f"{cents} cents cannot be drawn; the minimum is 1.")
    order = {parent: place for place, parent in enumerate(DRAWING_ORDER)}
    ranks = {
        account: (account != bank, order[parent], account)
        for account in {*cells, bank}
        if (parent := nearest(account, order)) is not None
    }
    drawn: dict[str, int] = {}
    left = cents
    for account in sorted(ranks, key=ranks.__getitem__):
        drawn[account] = min(left, max(0, cells.get(account, 0)))
        left -= drawn[account]
    drawn[bank] += left
    return [(account, taken) for account, taken in drawn.items() if taken]


_COUNTER_ACCOUNTS = {
    RowCategory.FEE: FEES,
    RowCategory.NETWORK_COST: FEES,
    RowCategory.TAX: FEE_TAX,
    RowCategory.PAYOUT: IN_TRANSIT,
    RowCategory.PAYOUT_REVERSAL: IN_TRANSIT,
    RowCategory.RISK_RESERVED_FUNDS: RESERVE,
    RowCategory.UNKNOWN: SUSPENSE,
}
_CHARGES = {ChargeKind.PLEDGE: PLEDGES, ChargeKind.GIFT: GIFTS}
_FEES = (RowCategory.FEE, RowCategory.NETWORK_COST, RowCategory.TAX)
_PAYOUTS = (RowCategory.PAYOUT, RowCategory.PAYOUT_REVERSAL)
_TOPUPS = (RowCategory.TOPUP, RowCategory.TOPUP_REVERSAL)

_KINDS = {
    RowCategory.REFUND: EntryKind.REFUND,
    RowCategory.REFUND_FAILURE: EntryKind.REFUND_FAILURE,
    RowCategory.DISPUTE: EntryKind.DISPUTE,
    RowCategory.DISPUTE_REVERSAL: EntryKind.DISPUTE_REVERSAL,
    RowCategory.FEE: EntryKind.FEE,
    RowCategory.NETWORK_COST: EntryKind.FEE,
    RowCategory.TAX: EntryKind.FEE,
    RowCategory.PAYOUT: EntryKind.PAYOUT,
    RowCategory.PAYOUT_REVERSAL: EntryKind.PAYOUT_REVERSAL,
    RowCategory.RISK_RESERVED_FUNDS: EntryKind.RESERVE,
    RowCategory.TOPUP: EntryKind.TOPUP,
    RowCategory.TOPUP_REVERSAL: EntryKind.TOPUP,
    RowCategory.UNKNOWN: EntryKind.SUSPENSE,
}


@dataclass(frozen=True, slots=True)
class Payment:
    """The data of a booked payment that refunds and disputes need."""

    index: int  # its place in the public log
    account: str  # the income account it was booked on
    parts: Mapping[Fund, int] = field(hash=False)  # the amount for each fund, in cents
    returned_cents: int = 0  # the amount refunded and disputed so far, less restored amounts
    member_key: str | None = None  # the random key of the contributor, or None

    @classmethod
    def of(cls, posted: PostedEntry, *, returned_cents: int) -> "Payment":
        """Return the payment that an entry booked.

        Raises:
            InvalidInput: the entry has no income, so it is not a payment.
        """
        income = [p for p in posted.entry.postings if p.account in _CHARGES.values()]
        if not income:
            raise InvalidInput(f"The entry {posted.id} is not a payment; it has no pledge or gift.")
        return cls(
            index=posted.index,
            account=income[0].account,
            parts={posting.fund: -posting.cents for posting in income},
            returned_cents=returned_cents,
            member_key=posted.entry.member_key,
        )


@dataclass(frozen=True, slots=True)
class MovementFacts:
    """Facts from the books that a provider's row lacks."""

    policy: FundPolicy  # the fund policy in force on the row's day
    payment: Payment | None = None  # the payment that a refund or dispute belongs to, when known
    shares: Mapping[Fund, int] = field(default_factory=dict, hash=False)
    """For payouts, reserves and top-ups, the cents that the counter account receives in each fund
    (`shares_of`); they sum to -amount."""
    member_key: str | None = None  # the contributor of a charge, or None
    locked_years: Collection[int] = frozenset()  # years whose books are closed
    ledger: str = STRIPE  # the account that the money moves on
    source: str = "stripe"
    bank: str = BANK  # the account that top-ups leave
    zone: TimeZone = UTC_ZONE  # the organisation's, for the day of the row


def entry_from_row(row: ProviderRow, facts: MovementFacts) -> JournalEntry | None:
    """Book a provider's row: assets:stripe += net, fees += fee, counter account -= amount.

    Returns:
        The entry, or None when the row moves no money.

    Raises:
        InvalidInput: a currency other than that of the books, a net that is not amount - fee, a
            charge that may be a pledge or a gift, or shares that do not sum to -amount.
    """
    require_bookable(row)
    postings = _postings(row, facts)
    if not postings:
        return None
    kind = _kind(row)
    payment = facts.payment if row.category in RETURNS else None
    booked = booking_day(facts.zone.day_of(row.created), facts.locked_years)
    return JournalEntry(
        day=booked.day,
        kind=kind,
        description=DESCRIPTIONS[kind],
        postings=postings,
        reference=row.source_id if row.category in _PAYOUTS else None,
        source=facts.source,
        external_id=outside_id(row),
        member_key=payment.member_key if payment else facts.member_key,
        of=payment.index if payment else None,
        true_day=booked.true_day,
        note=(row.raw_category or None) if kind is EntryKind.SUSPENSE else None,
    )


def require_bookable(row: ProviderRow) -> None:
    """Require that a row is in the books' currency and its amounts agree.

    Raises:
        InvalidInput: it is not; the message names the line and the value.
    """
    ours = books_currency().lower()
    if row.currency not in {"", ours}:
        raise InvalidInput(
            f"{where(row)}: the currency is '{row.currency}'; only rows in {ours} are booked."
        )
    if row.net != row.amount - row.fee:
        raise InvalidInput(
            f"{where(row)}: net {format_cents(row.net)} is not amount "
            f"{format_cents(row.amount)} less fee {format_cents(row.fee)}."
        )


def _postings(row: ProviderRow, facts: MovementFacts) -> tuple[Posting, ...]:
    account = _counter_account(row, facts)
    amount = _amount_parts(row, facts)
    fee = _fee_parts(row.fee - row.fee_tax, facts)
    tax = _fee_parts(row.fee_tax, facts)
    costs = _on(FEES, fee) + _on(FEE_TAX, tax)
    paid = _on(facts.ledger, fee, sign=-1) + _on(facts.ledger, tax, sign=-1)
    if row.category is RowCategory.CHARGE:
        # A payment has the gross amount; the fee follows in its own postings.
        return (*charged(facts.ledger, account, amount), *costs, *merged(paid))
    gross, counter = _on(facts.ledger, amount), _on(account, amount, sign=-1)
    return merged(counter + costs + gross + paid)


def charged(ledger: str, income: str, parts: Mapping[Fund, int]) -> tuple[Posting, ...]:
    """Return the postings of a payment: its parts are debited to the ledger account as income."""
    return (*_on(ledger, parts), *_on(income, parts, sign=-1))


def _fee_parts(cents: int, facts: MovementFacts) -> dict[Fund, int]:
    return split(cents, facts.policy.fee_weights) if cents else {}


def _on(account: str, parts: Mapping[Fund, int], *, sign: int = 1) -> list[Posting]:
    return [Posting(account, fund, sign * cents) for fund, cents in parts.items() if cents]


def _counter_account(row: ProviderRow, facts: MovementFacts) -> str:
    if row.category in _TOPUPS:
        return facts.bank
    if row.category in _COUNTER_ACCOUNTS:
        return _COUNTER_ACCOUNTS[row.category]
    payment = facts.payment
    if row.category in RETURNS:
        # A charge without a known pledge is a gift.
        return payment.account if payment else _CHARGES[row.charge_kind or ChargeKind.GIFT]
    return _CHARGES[_charge_kind(row)]


def _amount_parts(row: ProviderRow, facts: MovementFacts) -> dict[Fund, int]:
    if row.category in _FEES:
        return split(row.amount, facts.policy.fee_weights)
    if row.category is RowCategory.UNKNOWN:
        return {Fund.OTHER: row.amount}
    if row.category in RETURNS and facts.payment is not None:
        return _return_parts(row, facts.payment)
    if row.category in RETURNS or row.category is RowCategory.CHARGE:
        return split(row.amount, facts.policy.weights)
    if sum(facts.shares.values()) != -row.amount:
        raise InvalidInput(
            f"{where(row)}: the funds' shares add up to "
            f"{format_cents(sum(facts.shares.values()))}, not {format_cents(-row.amount)}."
        )
    return {fund: -cents for fund, cents in facts.shares.items()}


def _return_parts(row: ProviderRow, payment: Payment) -> dict[Fund, int]:
    """Divide a refund over the funds; see `given_back`."""
    before = given_back(payment.parts, payment.returned_cents)
    after = given_back(payment.parts, payment.returned_cents - row.amount)
    return {fund: before[fund] - after[fund] for fund in before}


def _kind(row: ProviderRow) -> EntryKind:
    if row.category in _KINDS:
        return _KINDS[row.category]
    return EntryKind.PLEDGE if _charge_kind(row) is ChargeKind.PLEDGE else EntryKind.GIFT


def _charge_kind(row: ProviderRow) -> ChargeKind:
    if row.charge_kind is None:
        raise InvalidInput(
            f"{where(row)}: the charge may be a pledge or a gift; use --as pledges or --as gifts."
        )
    return row.charge_kind
