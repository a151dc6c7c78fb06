"""The columns of Stripe's reports, and the rules for their rows."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from jara.domain.books.provider_row import ChargeKind, RowCategory
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.money import plain_decimal
from jara.files.reading import normal_name


class StripeFormat(StrEnum):
    """The Stripe files that Jara reads, by their usual names."""

    BALANCE_CHANGE = "itemised balance change"
    PAYOUTS = "itemised payouts"
    BALANCE_HISTORY = "balance history"
    PAYMENTS = "payments"


KNOWN_BY: Mapping[StripeFormat, tuple[tuple[str, ...], ...]] = {
    StripeFormat.BALANCE_CHANGE: (
        ("balance_transaction_id",),
        ("created_utc",),
        ("currency",),
        ("gross",),
        ("fee",),
        ("net",),
        ("reporting_category",),
    ),
    StripeFormat.PAYOUTS: (
        ("payout_id",),
        ("effective_at_utc",),
        ("currency",),
        ("gross",),
        ("fee",),
        ("net",),
        ("reporting_category",),
        ("balance_transaction_id",),
    ),
    StripeFormat.BALANCE_HISTORY: (
        ("id",),
        ("Type",),
        ("Source",),
        ("Amount",),
        ("Fee",),
        ("Net",),
        ("Currency",),
        ("Created (UTC)",),
        ("Available On (UTC)",),
    ),
    StripeFormat.PAYMENTS: (
        ("id",),
        ("Created date (UTC)", "Created (UTC)"),
        ("Amount",),
        ("Amount Refunded",),
        ("Currency",),
        ("Fee",),
        ("Status",),
    ),
}
"""The columns that identify a file; of several names, one is enough."""

_STRIPES_OWN = re.compile(r".* \(utc\)|.*_utc|balance_transaction_id|reporting_category")
"""Columns that files of other programs do not have."""

_TYPES: Mapping[str, RowCategory] = {
    "charge": RowCategory.CHARGE,
    "payment": RowCategory.CHARGE,
    "refund": RowCategory.REFUND,
    "payment_refund": RowCategory.REFUND,
    "refund_failure": RowCategory.REFUND_FAILURE,
    "payment_failure_refund": RowCategory.REFUND_FAILURE,
    "stripe_fee": RowCategory.FEE,
    "stripe_fx_fee": RowCategory.FEE,
    "network_cost": RowCategory.NETWORK_COST,
    "tax_fee": RowCategory.TAX,
    "payout": RowCategory.PAYOUT,
    "payout_cancel": RowCategory.PAYOUT_REVERSAL,
    "payout_failure": RowCategory.PAYOUT_REVERSAL,
    "reserved_funds": RowCategory.RISK_RESERVED_FUNDS,
    "reserve_hold": RowCategory.RISK_RESERVED_FUNDS,
    "reserve_release": RowCategory.RISK_RESERVED_FUNDS,
    "topup": RowCategory.TOPUP,
    "topup_reversal": RowCategory.TOPUP_REVERSAL,
}

_DISPUTE_PREFIXES = ("du_", "dp_")
_DISPUTE = re.compile(r"(?:chargeback|dispute)\b(?! fee)", re.IGNORECASE)
_DISPUTES = frozenset({RowCategory.DISPUTE.value, RowCategory.DISPUTE_REVERSAL.value})


class Columns:
    """The positions of a file's columns; cells are looked up by column name."""

    def __init__(self, header: Sequence[str]) -> None:
        """Record each column's position; of two with the same name, the first."""
        self._places: dict[str, int] = {}
        for place, column in enumerate(header):
            self._places.setdefault(normal_name(column), place)
        # There are many rows and few names, so each name is looked up once.
        self._found: dict[tuple[str, ...], int | None] = {}

    def has(self, *names: str) -> bool:
        """Whether the file has one of these columns."""
        return self._place(names) is not None

    def cell(self, row: Sequence[str], *names: str) -> str:
        """Return the cell under the first of these columns that exists, or ''."""
        try:
            place = self._found[names]
        except KeyError:
            place = self._place(names)
        return "" if place is None else row[place].strip()

    def _place(self, names: tuple[str, ...]) -> int | None:
        if names not in self._found:
            places = (self._places.get(normal_name(name)) for name in names)
            self._found[names] = next((place for place in places if place is not None), None)
        return self._found[names]


def recognise(header: Sequence[str], name: str = "the file") -> StripeFormat:
    """Return which of Stripe's files this is.

    Raises:
        InvalidInput: it is none of them; the message names the missing columns, or one that
            occurs twice.
    """
    columns = Columns(header)
    missing = {
        known: [" or ".join(names) for names in required if not columns.has(*names)]
        for known, required in KNOWN_BY.items()
    }
    best = min(missing, key=lambda known: len(missing[known]) / len(KNOWN_BY[known]))
    lacking = missing[best]
    is_stripes = any(_STRIPES_OWN.fullmatch(normal_name(column)) for column in header)
    if not is_stripes or len(lacking) * 2 > len(KNOWN_BY[best]):
        raise InvalidInput(
            f"{name} is not a Stripe file that Jara knows; it reads {', '.join(StripeFormat)}, "
            "each known by the columns in its first line."
        )
    if lacking:
        names = ", ".join(f"'{column}'" for column in lacking)
        raise InvalidInput(f"{name} looks like Stripe's {best} file but lacks {names}.")
    _refuse_twins(header, best, name)
    return best


def _refuse_twins(header: Sequence[str], known: StripeFormat, name: str) -> None:
    seen = [normal_name(column) for column in header]
    for names in KNOWN_BY[known]:
        for column in names:
            if seen.count(normal_name(column)) > 1:
                raise InvalidInput(f"{name} has the column '{column}' twice.")


def category_of_type(
    word: str, source_id: str | None, amount_cents: int, description: str = ""
) -> RowCategory:
    """Return the reporting category of a balance transaction's type.

    A dispute and its reversal are both adjustments, known by the source or the description; the
    sign tells them apart. Unlisted types go to suspense.
    """
    word = word.casefold()
    names_one = (source_id or "").startswith(_DISPUTE_PREFIXES) or _DISPUTE.match(description)
    if word in _DISPUTES or (word == "adjustment" and names_one):
        return RowCategory.DISPUTE if amount_cents < 0 else RowCategory.DISPUTE_REVERSAL
    return _TYPES.get(word, RowCategory.UNKNOWN)


PLEDGE_DESCRIPTIONS = frozenset({"Subscription creation", "Subscription update"})
"""How Stripe describes the charges of a subscription."""


def require_currency(currency: str) -> None:
    """Refuse a row in another currency than the books by name.

    Raises:
        InvalidInput: it is in another currency.
    """
    ours = books_currency().lower()
    if currency.casefold() != ours:
        raise InvalidInput(
            f"The row is in '{currency.casefold()}'; the books are kept only in '{ours}'."
        )


def require_net(amount: int, fee: int, net: int) -> None:
    """Refuse a row whose net is not its amount minus its fee.

    Raises:
        InvalidInput: the three do not add up.
    """
    if net != amount - fee:
        raise InvalidInput(
            f"The net {plain_decimal(net)} is not {plain_decimal(amount)} less the fee "
            f"{plain_decimal(fee)}."
        )


def require_id(value: str, column: str) -> str:
    """Return a required id.

    Raises:
        InvalidInput: the cell is empty.
    """
    if not value:
        raise InvalidInput(f"The cell '{column}' is empty; it names the movement.")
    return value


def charge_kind(marked: str, found: ChargeKind | None, assume: ChargeKind | None) -> ChargeKind:
    """Decide whether a charge is a pledge or a gift; never by guessing.

    Args:
        marked: our own metadata ``jara_kind``, '' where there is none.
        found: the kind by the source's other columns, None if they do not say.
        assume: the operator's answer for charges of unknown kind.

    Raises:
        InvalidInput: the kind is unknown.
    """
    if marked:
        try:
            return ChargeKind(marked.casefold())
        except ValueError:
            raise InvalidInput(f"jara_kind is '{marked}'; it can be pledge or gift.") from None
    kind = found or assume
    if kind is None:
        raise InvalidInput(
            "Nothing in the file tells whether this charge is a pledge or a gift; "
            "say `--as pledges` or `--as gifts`."
        )
    return kind
