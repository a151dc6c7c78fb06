"""``jara split``: what each fund gets of an amount."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.books.fund_policy import Weights, split
from jara.domain.errors import InvalidInput
from jara_cli.options import Cents, JsonFlag
from jara_cli.output import Column, Kind, emit

_SHARES_OF_SPEC = "projects=80,staff=7,marketing=9,other=4"  # spec §1


def command(
    amount_cents: Cents,
    policy: Annotated[
        str,
        typer.Option(metavar="FUND=WEIGHT,…", help="Whole weights; only their proportion matters."),
    ] = _SHARES_OF_SPEC,
    as_json: JsonFlag = False,
) -> None:
    """Show what each fund gets of an amount, to the cent.

    The parts always add up to the amount.

    \b
    Examples:
      jara split 10.01
      jara split 1,457 --policy projects=80,staff=7,marketing=9,other=4 --json
    """
    weights = _parse_weights(policy)
    parts = split(amount_cents, weights)
    emit(
        {"amountCents": amount_cents, "policy": weights, "parts": parts},
        as_json=as_json,
        columns=[
            Column("fund", "Fund"),
            Column("weight", "Weight", Kind.COUNT),
            Column("cents", "Amount", Kind.CENTS),
        ],
        rows=[
            {"fund": fund, "weight": weights[fund], "cents": cents} for fund, cents in parts.items()
        ],
        total={"fund": "Total", "cents": amount_cents},
    )


def _parse_weights(text: str) -> Weights:
    """Read ``projects=80,staff=7``; a fund that is not named gets nothing."""
    weights: dict[Fund, int] = {}
    for part in text.split(","):
        name, _, digits = (side.strip() for side in part.partition("="))
        if name not in SPLIT_FUNDS:
            raise InvalidInput(f"'{part}' names no fund of the split: {', '.join(SPLIT_FUNDS)}.")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):  # noqa: PLR2004 - far finer than a cent
            raise InvalidInput(f"'{part}' has no weight; write a whole number, {name}=80.")
        if name in weights:
            raise InvalidInput(f"'{name}' stands twice in the policy '{text}'.")
        weights[Fund(name)] = int(digits)
    return {fund: weights.get(fund, 0) for fund in SPLIT_FUNDS}
