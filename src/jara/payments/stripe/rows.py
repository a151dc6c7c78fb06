"""Balance transactions as rows for the books; only they are booked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from jara.domain.books.provider_row import RETURNS, ChargeKind, ProviderRow, RowCategory
from jara.domain.time_zone import UTC_ZONE
from jara.payments.stripe.client import (
    GIFT_MARK,
    KIND_MARK,
    LANGUAGE_MARK,
    PAGE,
    StripeConnection,
    field_of,
    id_of,
    instant_of,
    mark_of,
    seconds_of,
)
from jara.payments.stripe.owners import Owner, StripeOwners
from jara.services.ports.payments import ProviderBalance

if TYPE_CHECKING:  # the SDK takes as long to load as a whole command
    from stripe import BalanceTransaction
    from stripe.params import BalanceTransactionListParams

_BEGINNING = datetime(2010, 1, 1, tzinfo=UTC)
_BOOKED = "payments"
_RESERVED = "risk_reserved"
_RESERVE_TYPES = ("reserve_hold", "reserve_release", "reserved_funds", "reserve_transaction")
_PAYOUTS = (RowCategory.PAYOUT, RowCategory.PAYOUT_REVERSAL)
_NEVER_ARRIVES = frozenset({"failed", "canceled"})


class _Draft(NamedTuple):
    """A row whose owner is not looked up yet."""

    row: ProviderRow
    payment: str | None = None
    is_marked_gift: bool = False
    has_parts: bool = False
    """An automatic payout, whose parts Stripe lists."""


class Survey(NamedTuple):
    """A summary of the last weeks, for operators."""

    currencies: frozenset[str]  # of the balance transactions
    unmarked_gifts: tuple[str, ...]  # charges booked as gifts that our pages did not create


class StripeRows:
    """Reads the balance transactions of the account."""

    def __init__(self, connection: StripeConnection) -> None:
        self._connection = connection
        self._owners = StripeOwners(connection)

    def read(self, *, since: datetime | None = None) -> Iterator[ProviderRow]:
        """Return the rows created since an instant, oldest first.

        A payout comes with its parts, however old they are: they determine its funds.
        """
        params: BalanceTransactionListParams = {}
        if since is not None:
            params["created"] = {"gte": seconds_of(since)}
        drafts = {str(draft.row.txn_id): draft for draft in self._drafts(params)}
        payout_of: dict[str, str] = {}
        for draft in [draft for draft in drafts.values() if draft.has_parts]:
            payout_id = str(draft.row.source_id)
            for part in self._drafts({"payout": payout_id}):
                if part.row.source_id == payout_id:  # the payout itself
                    continue
                payout_of[str(part.row.txn_id)] = payout_id
                drafts.setdefault(str(part.row.txn_id), part)
        # Stripe lists the newest first; within one second the list's order decides.
        oldest_first = [*reversed(drafts.values())]
        oldest_first.sort(key=lambda draft: draft.row.created)
        yield from self._complete(oldest_first, payout_of)

    def survey(self, *, since: datetime) -> Survey:
        """Summarise the transactions since an instant; look up owners only where needed."""
        drafts = list(self._drafts({"created": {"gte": seconds_of(since)}}))
        charges = [
            draft
            for draft in drafts
            if draft.row.category is RowCategory.CHARGE and not draft.is_marked_gift
        ]
        self._owners.load([draft.payment for draft in charges if draft.payment], since=since)
        return Survey(
            currencies=frozenset(draft.row.currency for draft in drafts),
            unmarked_gifts=tuple(
                str(draft.row.charge_id)
                for draft in charges
                if self._owners.owner(draft.payment).kind is ChargeKind.GIFT
            ),
        )

    def balances(self) -> list[ProviderBalance]:
        """Return our balances at Stripe, ordered by currency."""
        with self._connection.asking() as v1:
            balance = v1.balance.retrieve()
            moving = [
                (payout.currency, payout.amount)
                for status in ("pending", "in_transit")
                for payout in v1.payouts.list({"status": status, "limit": PAGE}).auto_paging_iter()
            ]
        available = [(part.currency, part.amount) for part in balance.available]
        pending = [(part.currency, part.amount) for part in balance.pending]
        reserved = self._reserved()
        held = (*available, *pending, *moving, *reserved)
        return [
            ProviderBalance(
                currency=currency,
                available_cents=_sum(available, currency),
                pending_cents=_sum(pending, currency),
                in_transit_cents=_sum(moving, currency),
                reserve_cents=_sum(reserved, currency),
            )
            for currency in sorted({currency for currency, _ in held})
        ]

    def _reserved(self) -> list[tuple[str, int]]:
        """Return the reserve's side of the transfers to and from it."""
        with self._connection.asking() as v1:
            return [
                (row.currency, row.net)
                for kind in _RESERVE_TYPES
                for row in v1.balance_transactions.list(
                    {"type": kind, "limit": PAGE}
                ).auto_paging_iter()
                if row.balance_type == _RESERVED
            ]

    def _drafts(self, params: BalanceTransactionListParams) -> Iterator[_Draft]:
        """Read page after page, newest first, and keep only what a row needs."""
        asked: BalanceTransactionListParams = {**params, "expand": ["data.source"], "limit": PAGE}
        with self._connection.asking() as v1:
            for transaction in v1.balance_transactions.list(asked).auto_paging_iter():
                if transaction.balance_type == _BOOKED:
                    yield _draft(transaction)

    def _complete(
        self, drafts: Sequence[_Draft], payout_of: dict[str, str]
    ) -> Iterator[ProviderRow]:
        if not drafts:
            return
        payments = {d.payment for d in drafts if d.payment and not d.is_marked_gift}
        self._owners.load(payments, since=drafts[0].row.created)
        for draft in drafts:
            row = draft.row._replace(payout_id=payout_of.get(str(draft.row.txn_id)))
            if row.category is RowCategory.CHARGE or row.category in RETURNS:
                row = self._owned(row, draft)
            yield row

    def _owned(self, row: ProviderRow, draft: _Draft) -> ProviderRow:
        gift = Owner(ChargeKind.GIFT)
        owner = gift if draft.is_marked_gift else self._owners.owner(draft.payment)
        return row._replace(
            charge_kind=owner.kind if row.category is RowCategory.CHARGE else None,
            member_id=owner.member_id,
            customer_id=row.customer_id or owner.customer_id,
            email=row.email or owner.email,
        )


def _draft(transaction: BalanceTransaction) -> _Draft:
    word = transaction.reporting_category
    category = RowCategory.named(word)
    source: Any = transaction.source  # one of sixteen classes, or an id, or nothing
    expanded = None if source is None or isinstance(source, str) else source
    row = ProviderRow(
        created=instant_of(transaction.created),
        category=category,
        amount=transaction.amount,
        fee=transaction.fee,
        net=transaction.net,
        txn_id=transaction.id,
        currency=transaction.currency,
        raw_category=word,
        fee_tax=sum(part.amount for part in transaction.fee_details if part.type == "tax"),
        source_id=id_of(source),
    )
    if expanded is None:
        return _Draft(row)
    if category in _PAYOUTS:
        automatic = category is RowCategory.PAYOUT and bool(field_of(expanded, "automatic"))
        return _Draft(row._replace(arrives_on=_arrival(expanded, category)), has_parts=automatic)
    if category is not RowCategory.CHARGE and category not in RETURNS:
        return _Draft(row)
    billing = field_of(expanded, "billing_details")
    is_charge = category is RowCategory.CHARGE
    return _Draft(
        row._replace(
            charge_id=row.source_id if is_charge else id_of(field_of(expanded, "charge")),
            customer_id=id_of(field_of(expanded, "customer")),
            email=field_of(billing, "email") or field_of(expanded, "receipt_email"),
            language=mark_of(expanded, LANGUAGE_MARK),
            card_fingerprint=_card_of(expanded) if is_charge else None,
        ),
        payment=id_of(field_of(expanded, "payment_intent")),
        is_marked_gift=mark_of(expanded, KIND_MARK) == ChargeKind.GIFT.value
        or mark_of(expanded, GIFT_MARK) is not None,
    )


def _card_of(charge: Any) -> str | None:  # noqa: ANN401 - one of sixteen
    """Return the fingerprint of the card that paid a charge."""
    card = field_of(field_of(charge, "payment_method_details"), "card")
    fingerprint: str | None = field_of(card, "fingerprint")
    return fingerprint


def _arrival(payout: Any, category: RowCategory) -> date | None:  # noqa: ANN401 - one of sixteen
    """Return the day a payout reaches the bank; a failed one never does."""
    if category is not RowCategory.PAYOUT or field_of(payout, "status") in _NEVER_ARRIVES:
        return None
    return UTC_ZONE.day_of(instant_of(payout["arrival_date"]))


def _sum(parts: Sequence[tuple[str, int]], currency: str) -> int:
    return sum(cents for of, cents in parts if of == currency)
