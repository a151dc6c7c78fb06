"""An amount shared like the money of a trace."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.money import divide_cents
from jara.domain.reports.parts import Title
from jara.domain.reports.statement import TraceFund


class FollowedPart(NamedTuple):
    """What a part of the amount paid for, with the slug of its project, if it is one.

    Everybody may see it, so it does not name the account in the books.
    """

    project: str | None
    title: Title
    cents: int


class FollowedFund(NamedTuple):
    """A fund's part of the amount: paid, waiting and given back add up to it."""

    fund: Fund
    cents: int
    paid: tuple[FollowedPart, ...]
    waiting_cents: int
    refunded_cents: int


class _Use(NamedTuple):
    """A use of a fund's money; without an account it waits, or went back."""

    fund: Fund
    cents: int
    account: str = ""
    title: str = ""
    is_refund: bool = False


def share_trace(
    cents: int, trace: Iterable[TraceFund], project_of: Callable[[str], str | None]
) -> tuple[FollowedFund, ...]:
    """Share an amount like the money of a trace, to the cent; what gets nothing is left out.

    `project_of` returns the slug of the project that an account pays, or None.
    """
    uses = [use for fund in trace for use in _uses(fund)]
    if not any(use.cents for use in uses):
        return ()
    shares = divide_cents(cents, [use.cents for use in uses])
    shared = [use._replace(cents=share) for use, share in zip(uses, shares, strict=True) if share]
    funds = dict.fromkeys(use.fund for use in shared)
    return tuple(
        _fund(fund, [use for use in shared if use.fund is fund], project_of) for fund in funds
    )


def _uses(fund: TraceFund) -> Iterator[_Use]:
    """Yield what a fund's money paid for, one for each account, what waits, and what went back."""
    paid: dict[str, _Use] = {}
    for one in fund.paid:
        before = paid.get(one.account, _Use(fund.fund, 0, one.account, one.title))
        paid[one.account] = before._replace(cents=before.cents + one.cents)
    yield from paid.values()
    yield _Use(fund.fund, fund.waiting_cents)
    refunded = fund.refunded_cents + fund.other_refunds_cents
    yield _Use(fund.fund, refunded, is_refund=True)


def _fund(fund: Fund, uses: list[_Use], project_of: Callable[[str], str | None]) -> FollowedFund:
    paid = [
        FollowedPart(project_of(use.account), use.title, use.cents) for use in uses if use.account
    ]
    rest = [use for use in uses if not use.account]
    return FollowedFund(
        fund=fund,
        cents=sum(use.cents for use in uses),
        paid=tuple(sorted(paid, key=lambda part: -part.cents)),
        waiting_cents=sum(use.cents for use in rest if not use.is_refund),
        refunded_cents=sum(use.cents for use in rest if use.is_refund),
    )
