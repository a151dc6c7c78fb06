"""Rules for every row from Stripe, in any file."""

from __future__ import annotations

from jara.domain.books.provider_row import ChargeKind
from jara.domain.errors import InvalidInput
from jara.domain.money import plain_decimal

PLEDGE_DESCRIPTIONS = frozenset({"Subscription creation", "Subscription update"})
"""How Stripe describes the charges of a subscription."""


def require_usd(currency: str) -> None:
    """Refuse another currency by name.

    Raises:
        InvalidInput: it is not US dollars.
    """
    if currency.casefold() != "usd":
        raise InvalidInput(
            f"The row is in '{currency.casefold()}'; the books are kept only in 'usd'."
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
