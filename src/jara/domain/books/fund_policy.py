"""Fund policies: the split of payments, fees and refunds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Annotated

from jara.documents import Json
from jara.domain.books.account import SPLIT_FUNDS, Fund
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.money import divide_cents

Weights = Mapping[Fund, int]
"""A whole number for each fund; only their proportion matters."""

PER_CENT = 100


@dataclass(frozen=True, slots=True)
class FundPolicy:
    """How payments are split from a given day (spec §9).

    Raises:
        InvalidInput: a weight is missing, negative or not a whole number, or all are 0.
    """

    valid_from: Annotated[date, Json("from")]  # the first UTC day on which it applies
    weights: Weights = field(hash=False)
    fee_weights: Weights = field(hash=False)  # which funds pay the card fees; a weight may be 0

    def __post_init__(self) -> None:
        for name, weights in (("weights", self.weights), ("fee weights", self.fee_weights)):
            _check_weights(name, weights)
            ordered = {fund: weights[fund] for fund in SPLIT_FUNDS}
            object.__setattr__(self, name.replace(" ", "_"), ordered)


def policy_in_force(policies: Iterable[FundPolicy], day: date) -> FundPolicy:
    """Return the policy in force on a day: the newest, or the last of several equally new ones.

    Raises:
        NotFound: all policies start later.
    """
    begun = [policy for policy in policies if policy.valid_from <= day]
    if not begun:
        raise NotFound(f"No fund policy is in force on {day}; the first one begins later.")
    latest = max(policy.valid_from for policy in begun)
    return [policy for policy in begun if policy.valid_from == latest][-1]


def split(cents: int, weights: Weights) -> dict[Fund, int]:
    """Divide an amount by weights so that the parts sum to it exactly.

    Largest remainder method: each part is within one cent of its exact share, ties to
    the earlier fund. A negative amount mirrors the positive one.

    Raises:
        InvalidInput: a weight is negative, or all are 0.
    """
    total = sum(weights.values())
    if total <= 0 or min(weights.values()) < 0:
        raise InvalidInput(f"Weights are 0 or more and not all 0, not {_shown(weights)}.")
    sign = -1 if cents < 0 else 1
    funds = sorted(weights, key=_position)
    parts = divide_cents(abs(cents), [weights[fund] for fund in funds])
    return {fund: sign * part for fund, part in zip(funds, parts, strict=True)}


def given_back(parts: Mapping[Fund, int], refunded_cents: int) -> dict[Fund, int]:
    """Return each fund's share of a payment's refunds so far.

    The j-th cent of a fund with part p has the key (2j - 1)/p; cents are refunded in order of key,
    ties to the earlier fund. So no fund's share ever decreases, and a full refund takes exactly the
    parts. Beyond the full amount (a refund, then a dispute of everything) the numbering starts
    again. `parts` has each fund's cents of the payment, `refunded_cents` is all that was refunded
    or disputed so far.

    Raises:
        InvalidInput: all parts are 0, or one is negative.
    """
    total = sum(parts.values())
    if total <= 0 or min(parts.values()) < 0:
        raise InvalidInput(f"A payment with the parts {_shown(parts)} cannot be refunded.")
    rounds, rest = divmod(refunded_cents, total)
    back = _first_cents(parts, total, rest)
    return {fund: rounds * part + back[fund] for fund, part in parts.items()}


def _first_cents(parts: Mapping[Fund, int], total: int, count: int) -> dict[Fund, int]:
    """Count the first cents in order of key, by fund.

    Rounding ``count * part / total`` half up takes exactly the cents whose key is at most
    ``2 * count / total``. These are a prefix of the order, so only its end must be adjusted.
    """
    taken = {
        fund: (2 * count * part + total) // (2 * total)
        for fund, part in sorted(parts.items(), key=lambda item: item[0].position)
    }

    def key(fund: Fund, number: int) -> tuple[Fraction, int]:
        return Fraction(2 * number - 1, parts[fund]), fund.position

    while sum(taken.values()) > count:
        last = max((fund for fund in taken if taken[fund]), key=lambda f: key(f, taken[f]))
        taken[last] -= 1
    while sum(taken.values()) < count:
        following = min((fund for fund in taken if parts[fund]), key=lambda f: key(f, taken[f] + 1))
        taken[following] += 1
    return taken


def _check_weights(name: str, weights: Weights) -> None:
    if set(weights) != set(SPLIT_FUNDS):
        raise InvalidInput(
            f"The {name} name each of {', '.join(SPLIT_FUNDS)} once, not {_shown(weights)}."
        )
    for fund, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, int) or weight < 0:
            raise InvalidInput(
                f"The {name} are whole numbers from 0 up; {fund} has {weight!r}.",
                fields={fund: f"{weight!r} is not a whole number from 0 up."},
            )
    if not any(weights.values()):
        raise InvalidInput(f"The {name} are all 0; at least one must be higher.")


def _position(fund: Fund) -> int:
    return fund.position


def _shown(amounts: Mapping[Fund, int]) -> str:
    return ", ".join(f"{fund} {amount}" for fund, amount in amounts.items()) or "none"


DEFAULT_POLICY = FundPolicy(
    valid_from=date(2000, 1, 1),
    weights=dict(zip(SPLIT_FUNDS, (80, 7, 9, 4), strict=True)),
    fee_weights=dict(zip(SPLIT_FUNDS, (0, 7, 9, 4), strict=True)),
)
"""The policy in the FAQ (spec §9), valid from before any payment."""


def require_percentages(weights: Weights) -> None:
    """Require that the weights of a split are percentages.

    Raises:
        InvalidInput: they do not sum to 100.
    """
    total = sum(weights.values())
    if total != PER_CENT:
        raise InvalidInput(
            f"The weights sum to {total}, not to {PER_CENT}; correct them. Weights that are "
            "not per cent need --weights of the command `policy set`."
        )
