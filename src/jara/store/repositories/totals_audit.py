"""Adds up the postings again: entries must sum to zero, totals to their postings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from jara.domain.books.account import FUND_NAMES
from jara.domain.books.journal import CENTS_MAX
from jara.store.sql.codecs import in_list
from jara.store.sql.connection import Sql

PAGE_ENTRIES = 200
"""How many log indexes are summed at once; their postings fit in the CPU cache.

One sum over a million postings sorts them all, which takes three times as long.
"""

_PLACE_MAX = 2**63 - 1

Cell = tuple[str, str, str]
"""Account, fund, and a month or a day."""

WrongTotal = tuple[str, str, str, int, int]
"""Account, fund, period, the stored total, and the sum of the postings."""

# The fund comes first so that no index applies: the table itself is summed.
_SUMS_OF_PAGE = (
    "SELECT fund, account, day, SUM(cents) FROM postings "
    "WHERE entry >= :first AND entry <= :last GROUP BY fund, account, day"
)

_FUNDS, _FUND_NAMES = in_list("fund", list(FUND_NAMES.values()))

# Postings are stored in the order of their entries, so a sum for each fund needs no sort.
_SUSPECTS = (
    "SELECT entry FROM postings WHERE entry >= :start GROUP BY entry HAVING COUNT(*) < 2 OR "
    f"COUNT(*) FILTER (WHERE cents = 0 OR cents NOT BETWEEN -{CENTS_MAX} AND {CENTS_MAX} "
    f"OR fund NOT IN {_FUNDS}) > 0 OR "
    + " OR ".join(f"SUM(cents) FILTER (WHERE fund = :{name}) <> 0" for name in _FUND_NAMES)
)


def suspects(sql: Sql, start: int) -> Iterator[int]:
    """Return the entries, from a log index on, that `check_entry` refuses.

    They have fewer than two postings, an unknown fund, an amount out of range, or a fund in
    which they do not sum to zero. Accounts are not looked at.
    """
    return (entry for (entry,) in sql.each(_SUSPECTS, {"start": start, **_FUND_NAMES}))


def wrong_totals(sql: Sql) -> Iterator[WrongTotal]:
    """Return the months, then the days, whose totals differ from the sums of the postings.

    Memory use grows with the number of day totals, not of postings.
    """
    days: defaultdict[Cell, int] = defaultdict(int)
    for first, last in _pages(sql):
        for fund, account, day, cents in sql.all(_SUMS_OF_PAGE, {"first": first, "last": last}):
            days[account, fund, day] += cents
    months: defaultdict[Cell, int] = defaultdict(int)
    for (account, fund, day), cents in days.items():
        months[account, fund, day[:7]] += cents
    yield from _differences(sql, "SELECT account, fund, month, cents FROM totals", months)
    yield from _differences(sql, "SELECT account, fund, day, cents FROM day_totals", days)


def _pages(sql: Sql) -> Iterator[tuple[int, int]]:
    """Return the first and the last entry of each page; every posting is on one."""
    row = sql.one("SELECT MIN(entry) FROM postings")
    while row is not None and row[0] is not None:
        first = int(row[0])
        last = min(first + PAGE_ENTRIES - 1, _PLACE_MAX)
        yield first, last
        row = sql.one("SELECT MIN(entry) FROM postings WHERE entry > :last", {"last": last})


def _differences(sql: Sql, statement: str, real: dict[Cell, int]) -> list[WrongTotal]:
    """Compare stored totals with real ones, and consume these; a zero total may be missing."""
    wrong: list[WrongTotal] = []
    for account, fund, period, kept in sql.each(statement):
        cents = real.pop((account, fund, period), 0)
        if kept != cents:
            wrong.append((account, fund, period, kept, cents))
    wrong += [(*cell, 0, cents) for cell, cents in real.items() if cents]
    return sorted(wrong)
