"""Rows as they are stored, and sums that are added up again, for `jara ledger verify`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from jara.domain.books.account import FUND_NAMES
from jara.domain.books.journal import CENTS_MAX
from jara.domain.checks.entries import StoredEntry, StoredPosting
from jara.domain.checks.votes import StoredBallot
from jara.store.repositories.derived import contradictions
from jara.store.repositories.voting.closings import BALLOTS
from jara.store.rows import Repository
from jara.store.seals import Seal, broken_seals
from jara.store.sql.codecs import in_list, read_document
from jara.store.sql.connection import Row, Sql

_RETURNS = """
SELECT p.entry, p.returned_cents, COALESCE(r.cents, 0) FROM payments p LEFT JOIN (
    SELECT e.touched AS payment, SUM(po.cents) AS cents FROM (
        SELECT n.idx, CASE WHEN n.reverses IS NULL THEN n.of_entry ELSE u.of_entry END AS touched
        FROM entries n LEFT JOIN entries u ON u.idx = n.reverses
        WHERE n.of_entry IS NOT NULL OR n.reverses IS NOT NULL) AS e
    JOIN payments q ON q.entry = e.touched
    JOIN postings po ON po.entry = e.idx AND po.account = q.account
    GROUP BY e.touched) AS r ON r.payment = p.entry
WHERE p.returned_cents <> COALESCE(r.cents, 0) ORDER BY p.entry
"""
_RECEIPTS = """
SELECT e.idx, COALESCE(p.cents, 0), -COALESCE(SUM(po.cents), 0) FROM entries e
LEFT JOIN payments p ON p.entry = e.idx
LEFT JOIN postings po ON po.entry = e.idx AND po.account = 'income:' || e.kind || 's'
WHERE e.kind IN ('pledge', 'gift') GROUP BY e.idx, p.cents
HAVING COALESCE(p.cents, 0) <> -COALESCE(SUM(po.cents), 0) ORDER BY e.idx
"""
_ENTRIES = """
SELECT e.idx, e.id, e.day, e.kind, e.description, e.external_id, e.member_key, e.reverses,
    e.of_entry, e.true_day, e.foreign_doc, e.reference,
    (SELECT milestone FROM tranches t WHERE t.entry = e.idx),
    coalesce((SELECT string_agg(
            '["' || account || '","' || fund || '",' || cents || ']', ',' ORDER BY line)
        FROM postings WHERE entry = e.idx), ''),
    NOT EXISTS (SELECT 1 FROM postings p WHERE p.entry = e.idx AND p.day <> e.day),
    e.booked_at
FROM entries e WHERE e.idx >= :start ORDER BY e.idx
"""
_COMMITTED = """
SELECT e.reference,
    SUM(CASE WHEN po.account LIKE 'assets:%' OR po.account LIKE 'liabilities:%'
        THEN po.cents ELSE 0 END),
    SUM(CASE WHEN po.account LIKE 'expenses:%' AND po.account <> 'expenses:fx'
        THEN po.cents ELSE 0 END)
FROM postings po JOIN entries e ON e.idx = po.entry
WHERE po.fund = 'committed' AND e.reference IS NOT NULL GROUP BY e.reference
"""
_MAKE_ENTRY = partial(tuple.__new__, StoredEntry)
"""Builds an entry from a row, four times as fast as the class itself."""


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


class InspectionRepository(Repository):
    """Reads for ``jara ledger verify`` and other checks."""

    def has_entries(self) -> bool:
        """Return whether anything was booked."""
        return bool(self._sql.all("SELECT 1 FROM entries LIMIT 1"))

    def used_for_money(self) -> str | None:
        """Return the first use of the books' currency: entries, pledges, ...; None if unused."""
        tables = ("entries", "pledges", "proposals", "bank_accounts", "bank_mappings")
        uses = {table: f"SELECT 1 FROM {table} LIMIT 1" for table in tables}
        for kind in ("donations", "grants"):  # they have the text of their amount
            uses[kind] = f"SELECT 1 FROM content WHERE kind = '{kind}' LIMIT 1"
        return next((use for use, query in uses.items() if self._sql.all(query)), None)

    def texts_with_files(self) -> Iterator[str]:
        """Yield the texts that may name a file of the media folder."""
        rows = self._sql.each(
            "SELECT doc FROM content UNION ALL SELECT doc FROM proposals UNION ALL "
            "SELECT value FROM meta WHERE key = 'organisation.identity'"
        )
        return (str(row[0]) for row in rows)

    def entries(self, start: int = 0) -> Iterator[StoredEntry]:
        """Return the entries in log order, from a log index on."""
        return map(_MAKE_ENTRY, self._sql.each(_ENTRIES, {"start": start}))

    def referring(self) -> list[int]:
        """Return the entries that name another one, by log index."""
        return self._column(
            "SELECT idx FROM entries WHERE of_entry IS NOT NULL "
            "UNION SELECT idx FROM entries WHERE reverses IS NOT NULL ORDER BY idx"
        )

    def outgoing(self, start: int = 0) -> list[int]:
        """Return the entries that may take money out, by log index, from an index on.

        Of members' payments those that lower an asset account.
        """
        rows = self._sql.all(
            "SELECT idx FROM entries WHERE idx >= :start AND (kind NOT IN ('pledge', 'gift') "
            "OR idx IN (SELECT entry FROM postings WHERE cents < 0 AND account LIKE 'assets:%')) "
            "ORDER BY idx",
            {"start": start},
        )
        return [int(row[0]) for row in rows]

    def postings(self, entry: int) -> Sequence[StoredPosting]:
        """Return the postings of the entry at a log index."""
        rows = self._sql.all(
            "SELECT entry, account, fund, cents, day FROM postings WHERE entry = :entry "
            "ORDER BY line",
            {"entry": entry},
        )
        return [StoredPosting(*row) for row in rows]

    def suspects(self, start: int = 0) -> Iterator[int]:
        """Return the entries, from a log index on, whose postings `check_entry` refuses.

        This ignores accounts; see `accounts`.
        """
        return suspects(self._sql, start)

    def accounts(self) -> list[str]:
        """Return every account that has postings."""
        return self._column("SELECT DISTINCT account FROM postings")

    def entries_on(self, account: str) -> list[int]:
        """Return the entries that have a posting on an account."""
        query = "SELECT DISTINCT entry FROM postings WHERE account = :account"
        return self._column(query, account=account)

    def sums(self, start: int) -> Iterator[tuple[str, str, str, int]]:
        """Return account, fund, day and sum of the postings, from a log index on."""
        rows = self._sql.each(
            "SELECT account, fund, day, SUM(cents) FROM postings WHERE entry >= :start "
            "GROUP BY account, fund, day",
            {"start": start},
        )
        return ((account, fund, day, int(cents)) for account, fund, day, cents in rows)

    def day_totals(self) -> Iterator[tuple[str, str, str, int]]:
        """Return account, fund, day and cents of each daily total."""
        rows = self._sql.each("SELECT account, fund, day, cents FROM day_totals")
        return ((account, fund, day, int(cents)) for account, fund, day, cents in rows)

    def policies(self) -> list[tuple[int, str, Mapping[str, Any], Mapping[str, Any]]]:
        """Return log index, first day, weights and fee weights of each fund policy."""
        rows = self._sql.all(
            "SELECT log_index, valid_from, weights, fee_weights FROM policies ORDER BY log_index"
        )
        return [
            (int(index), day, read_document(weights), read_document(fees))
            for index, day, weights, fees in rows
        ]

    def ballots(self, start: int = 0) -> Iterator[StoredBallot]:
        """Return the ballots in log order, from a log index on."""
        for row in self._sql.each(
            f"SELECT proposal, voter, choice, log_index FROM {BALLOTS} AS b "
            "WHERE log_index >= :start ORDER BY log_index",
            {"start": start},
        ):
            yield StoredBallot(*row)

    def ballots_of(self, proposal: str) -> list[StoredBallot]:
        """Return the ballots of a proposal in log order."""
        rows = self._sql.all(
            f"SELECT proposal, voter, choice, log_index FROM {BALLOTS} AS b "
            "WHERE proposal = :proposal ORDER BY log_index",
            {"proposal": proposal},
        )
        return [StoredBallot(*row) for row in rows]

    def repeated_external_ids(self) -> list[tuple[str, str]]:
        """Return entry id and external id of entries that share an external id."""
        rows = self._sql.all(
            "SELECT id, external_id FROM entries WHERE external_id IN (SELECT external_id "
            "FROM entries GROUP BY external_id HAVING COUNT(*) > 1) ORDER BY idx"
        )
        return [(row[0], row[1]) for row in rows]

    def shared_subscriptions(self) -> list[tuple[str, int]]:
        """Return the subscriptions shared by several members, and how many share each."""
        rows = self._sql.all(
            "SELECT subscription_id, COUNT(*) FROM pledges WHERE subscription_id IS NOT NULL "
            "GROUP BY subscription_id HAVING COUNT(*) > 1 ORDER BY subscription_id"
        )
        return [(row[0], int(row[1])) for row in rows]

    def wrong_returns(self) -> list[tuple[int, int, int]]:
        """Return the payments whose returned cents differ from their entries."""
        return [_integers(row) for row in self._sql.all(_RETURNS)]

    def wrong_receipts(self) -> list[tuple[int, int, int]]:
        """Return the payments whose amount differs from their entry."""
        return [_integers(row) for row in self._sql.all(_RECEIPTS)]

    def contradictions(self) -> Iterator[tuple[str, str, str]]:
        """Yield check, key and message for each row that contradicts others."""
        return contradictions(self._sql)

    def broken_seals(self, seal: Seal) -> Iterator[tuple[str, str]]:
        """Yield table and key of each row without its own seal."""
        return broken_seals(self._sql, seal)

    def committed(self) -> dict[str, tuple[int, int]]:
        """Return the cents held and paid for each proposal, summed from its entries."""
        rows = self._sql.all(_COMMITTED)
        return {reference: (int(held), int(paid)) for reference, held, paid in rows}


def _integers(row: Row) -> tuple[int, int, int]:
    index, kept, summed = row
    return int(index), int(kept), int(summed)


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
