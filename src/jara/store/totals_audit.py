"""The totals added up anew from the postings, to hold them against those that are kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from jara.store.sql import Sql

PAGE_ENTRIES = 500
"""So many places of the log are added up at once, whose postings fit in the processor's cache.

One sum over a million postings sorts them all, which takes three times as long.
"""

_PLACE_MAX = 2**63 - 1

Cell = tuple[str, str, str]
"""Account, fund, and a month or a day."""

WrongTotal = tuple[str, str, str, int, int]
"""Account, fund, period, what is kept, and what the postings come to."""

# The fund comes first so that no index fits: the sums are those of the table itself.
_SUMS_OF_PAGE = (
    "SELECT fund, account, day, SUM(cents) FROM postings "
    "WHERE entry >= :first AND entry <= :last GROUP BY fund, account, day"
)


def wrong_totals(sql: Sql) -> Iterator[WrongTotal]:
    """Return the months, and then the days, whose totals are not those of the postings.

    The memory it takes grows with the number of day totals, not with that of postings.
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
    """Hold kept totals against real ones, which are used up; a total of nothing may be missing."""
    wrong: list[WrongTotal] = []
    for account, fund, period, kept in sql.each(statement):
        cents = real.pop((account, fund, period), 0)
        if kept != cents:
            wrong.append((account, fund, period, kept, cents))
    wrong += [(*cell, 0, cents) for cell, cents in real.items() if cents]
    return sorted(wrong)
