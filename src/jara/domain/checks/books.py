"""Checks of the books: one function for each invariant.

Each takes unchecked rows from the store and yields a finding for each problem.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.balances import Cell
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import Posting, fund_sums
from jara.domain.money import format_cents


class Finding(NamedTuple):
    """A problem in the books: the check, the place, and a message."""

    check: str
    where: str
    message: str


def check_entry_balances(entries: Iterable[tuple[str, Sequence[Posting]]]) -> Iterator[Finding]:
    """Find entries that do not sum to zero in each fund, or have fewer than two postings."""
    for entry_id, postings in entries:
        if len(postings) < 2:  # noqa: PLR2004 - double entry means two
            yield Finding(
                "entry_balances",
                entry_id,
                f"The entry {entry_id} has {len(postings)} postings; it needs at least two.",
            )
        for fund, cents in fund_sums(postings).items():
            if cents:
                yield Finding(
                    "entry_balances",
                    entry_id,
                    f"The entry {entry_id} is off by {format_cents(cents)} in the fund '{fund}'.",
                )


def check_totals(totals: Mapping[Cell, int], postings: Mapping[Cell, int]) -> Iterator[Finding]:
    """Find stored totals per account, fund and month that differ from the sums of the postings."""
    for cell in sorted({*totals, *postings}):
        kept, summed = totals.get(cell, 0), postings.get(cell, 0)
        if kept != summed:
            account, fund, month = cell
            yield Finding(
                "totals",
                f"{account} {fund} {month}",
                f"The total of {account} in the fund '{fund}' for {month} is "
                f"{format_cents(kept)}; its postings sum to {format_cents(summed)}.",
            )


def check_figures(wrong: Iterable[tuple[str, int, int]]) -> Iterator[Finding]:
    """Find maintained counts that differ from a recount: name, stored count and recount of each."""
    for name, kept, counted in wrong:
        yield Finding("figures", name, f"'{name}' is stored as {kept}; a recount gives {counted}.")


def check_year(year: int, closed: Mapping[str, int], ends: Mapping[str, int]) -> Iterator[Finding]:
    """Find the funds of a closed year that no longer end with what they were closed with."""
    for fund in sorted({*closed, *ends}):
        kept, now = closed.get(fund, 0), ends.get(fund, 0)
        if kept != now:
            yield Finding(
                "years",
                f"{year} {fund}",
                f"{year} was closed with {format_cents(kept)} in the fund '{fund}', and its books "
                f"end with {format_cents(now)}: it was closed before an earlier year. Open it "
                f"(jara ledger open-year {year} --why REASON), then close the years in order "
                "(jara ledger close-year YEAR).",
            )


def check_outside_ids(entries: Iterable[tuple[str, str | None]]) -> Iterator[Finding]:
    """Find external ids that are posted more than once; each entry has its id and perhaps one."""
    first: dict[str, str] = {}
    for entry_id, external_id in entries:
        if external_id is None:
            continue
        if external_id in first:
            yield Finding(
                "outside_ids",
                entry_id,
                f"'{external_id}' is posted twice: as {first[external_id]} and as {entry_id}.",
            )
        first.setdefault(external_id, entry_id)


def check_commitments(commitments: Iterable[Commitment], committed_cents: int) -> Iterator[Finding]:
    """Find commitments that are negative, or do not add up to the total of ``committed``."""
    held = 0
    for row in commitments:
        held += row.held
        if min(row.goal, row.held, row.paid, row.released) < 0:
            yield Finding(
                "commitments",
                row.proposal,
                f"The commitment to {row.proposal} has a negative figure: held "
                f"{format_cents(row.held)}, paid {format_cents(row.paid)}, released "
                f"{format_cents(row.released)}.",
            )
    if held != committed_cents:
        yield Finding(
            "commitments",
            Fund.COMMITTED,
            f"{format_cents(held)} is held for proposals, but the fund 'committed' has "
            f"{format_cents(committed_cents)}.",
        )
