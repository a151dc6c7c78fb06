"""Fund weights as users type them: ``projects=80,staff=7``."""

from __future__ import annotations

from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.books.fund_policy import Weights
from jara.domain.errors import InvalidInput

_DIGITS_MAX = 6  # finer than a cent


def parse_weights(text: str, *, whole: bool = False) -> Weights:
    """Read ``projects=80,staff=7``; omitted funds get 0.

    Args:
        text: what the person wrote.
        whole: every fund must be named, because an omitted one may have been forgotten.

    Raises:
        InvalidInput: a part names an unknown fund, repeats one, or has no whole number.
    """
    weights: dict[Fund, int] = {}
    for part in text.split(","):
        name, _, digits = (side.strip() for side in part.partition("="))
        if name not in SPLIT_FUNDS:
            raise InvalidInput(f"'{part}' is not a fund of the split: {', '.join(SPLIT_FUNDS)}.")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX):
            raise InvalidInput(f"'{part}' has no weight; write a whole number, {name}=80.")
        if name in weights:
            raise InvalidInput(f"'{name}' appears twice in the policy '{text}'.")
        weights[Fund(name)] = int(digits)
    missing = [fund for fund in SPLIT_FUNDS if fund not in weights]
    if whole and missing:
        raise InvalidInput(f"'{text}' omits {', '.join(missing)}; write {missing[0]}=0 for none.")
    return {fund: weights.get(fund, 0) for fund in SPLIT_FUNDS}
