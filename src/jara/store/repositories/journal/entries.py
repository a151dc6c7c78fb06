"""Entries, postings and the totals that are maintained with them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime

from jara.domain.books.account import FUND_NAMES, Fund
from jara.domain.books.journal import PostedEntry
from jara.domain.books.payment_state import Return
from jara.domain.errors import NotFound
from jara.domain.lookup import choose_one
from jara.records.journal import BalanceRow, EntryQuery, RegisterLine
from jara.store.repositories.inspection import wrong_totals
from jara.store.repositories.journal.rows import (
    ADD_ENTRY,
    ENTRY_COLUMNS,
    PAGE,
    JournalLookup,
    balance_rows,
    entry_row,
    where_clause,
    within,
)
from jara.store.rows import counter
from jara.store.sql.codecs import chunks, in_list
from jara.store.sql.connection import Sql

_ADD_POSTING = (
    "INSERT INTO postings (entry, line, account, fund, cents, day) "
    "VALUES (:entry, :line, :account, :fund, :cents, :day)"
)
_ADD_MONTH = (
    "INSERT INTO totals (account, fund, month, cents) VALUES (:account, :fund, :period, :cents) "
    "ON CONFLICT (account, fund, month) DO UPDATE SET cents = totals.cents + excluded.cents"
)
_ADD_DAY = (
    "INSERT INTO day_totals (account, fund, day, cents) VALUES (:account, :fund, :period, :cents) "
    "ON CONFLICT (day, account, fund) DO UPDATE SET cents = day_totals.cents + excluded.cents"
)


class JournalRepository(JournalLookup):
    """Entries, postings and their maintained totals; these are written at the end."""

    count = counter("SELECT COUNT(*) FROM entries")

    def __init__(self, sql: Sql) -> None:
        super().__init__(sql)
        self._sums: defaultdict[tuple[str, Fund, str], int] = defaultdict(int)

    def add(self, posted: PostedEntry) -> None:
        """Store an entry that is in the log, and add its postings to the totals."""
        entry = posted.entry
        day = entry.day.isoformat()
        self._sql.append(ADD_ENTRY, entry_row(posted))
        index, append, sums = posted.index, self._sql.append, self._sums
        for line, posting in enumerate(entry.postings):
            account, fund, cents = posting.account, posting.fund, posting.cents
            append(_ADD_POSTING, (index, line, account, FUND_NAMES[fund], cents, day))
            sums[account, fund, day] += cents
        if entry.note:
            self._sql.append(
                "INSERT INTO entry_notes (entry, note) VALUES (:entry, :note)",
                (posted.index, entry.note),
            )

    def save_totals(self) -> None:
        """Write the totals; every read of balances and the commit call this."""
        if not self._sums:
            return
        sums, self._sums = self._sums, defaultdict(int)
        months: defaultdict[tuple[str, Fund, str], int] = defaultdict(int)
        for (account, fund, day), cents in sums.items():
            months[account, fund, day[:7]] += cents
        for statement, cells in ((_ADD_MONTH, months), (_ADD_DAY, sums)):
            self._sql.run_many(
                statement,
                [
                    {"account": account, "fund": fund.value, "period": period, "cents": cents}
                    for (account, fund, period), cents in sorted(cells.items())
                ],
            )

    def get(self, index: int) -> PostedEntry:
        """Return the entry at a log index.

        Raises:
            NotFound: there is none.
        """
        found = self._load(
            f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE e.idx = :idx", {"idx": index}
        )
        if not found:
            raise NotFound(f"There is no entry at log index {index}.")
        return found[0]

    def find(self, text: str) -> PostedEntry:
        """Return the entry with this id or unique id prefix.

        Raises:
            NotFound: no entry matches.
            Conflict: several entries match.
        """
        found = self._load(
            f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE e.id >= :low AND e.id < :high "
            "ORDER BY e.id LIMIT 7",
            {"low": text.lower(), "high": text.lower() + "~"},
        )
        return choose_one(
            text,
            found,
            kinds="entries",
            label=lambda posted: posted.id,
            missing=f"There is no entry '{text}'.",
            names=lambda posted: (posted.id,),
        )

    def known_external_ids(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the log index of each external id that is already posted."""
        known: dict[str, int] = {}
        for piece in chunks(ids):
            names, params = in_list("n", piece)
            rows = self._sql.all(
                f"SELECT external_id, idx FROM entries WHERE external_id IN {names}", params
            )
            known.update((row[0], row[1]) for row in rows)
        return known

    def count_in(self, indexes: range) -> int:
        """Return the number of entries in a range of the log."""
        return self._number(
            "SELECT COUNT(*) FROM entries WHERE idx >= :first AND idx < :next",
            {"first": indexes.start, "next": indexes.stop},
        )

    def not_reversed(self, indexes: range) -> list[int]:
        """Return a log range's entries, except reversed ones and reversals of entries in it."""
        rows = self._sql.all(
            "SELECT e.idx FROM entries e LEFT JOIN entries r ON r.reverses = e.idx "
            "WHERE e.idx >= :first AND e.idx < :next AND r.idx IS NULL "
            "AND (e.reverses IS NULL OR e.reverses < :first) ORDER BY e.idx",
            {"first": indexes.start, "next": indexes.stop},
        )
        return [int(row[0]) for row in rows]

    def reversal_of(self, index: int) -> int | None:
        """Return the index of the entry that reverses this one, if any."""
        return self._value(int, "SELECT idx FROM entries WHERE reverses = :idx", idx=index)

    def returns_of(self, index: int) -> list[Return]:
        """Return the refunds and disputes of a payment that are not reversed, in log order."""
        rows = self._sql.all(
            "SELECT e.idx, e.kind, COALESCE(SUM(p.cents), 0) FROM entries e "
            "LEFT JOIN postings p ON p.entry = e.idx AND p.account LIKE 'income:%' "
            "WHERE e.of_entry = :idx "
            "AND NOT EXISTS (SELECT 1 FROM entries r WHERE r.reverses = e.idx) "
            "GROUP BY e.idx, e.kind ORDER BY e.idx",
            {"idx": index},
        )
        return [Return(int(row[0]), row[1], int(row[2])) for row in rows]

    def entries(self, query: EntryQuery) -> Iterator[PostedEntry]:
        """Return the matching entries, in order of day and index."""
        where, params = where_clause(query, self._sql)
        last: tuple[str, int] | None = None
        while True:
            start = ""
            if last is not None:
                params |= {"last_day_seen": last[0], "last_idx": last[1]}
                start = "AND (e.day, e.idx) > (:last_day_seen, :last_idx)"
            page = self._load(
                f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE {where} {start} "
                f"ORDER BY e.day, e.idx LIMIT {PAGE}",
                params,
            )
            yield from page
            if len(page) < PAGE:
                return
            last = (page[-1].entry.day.isoformat(), page[-1].index)

    def booked_since(self, at: datetime, *, kinds: Sequence[str]) -> Iterator[PostedEntry]:
        """Return the entries of some kinds that were booked at a time or later, newest first."""
        names, params = in_list("kind", kinds)
        before: int | None = None
        while True:
            earlier = "" if before is None else "AND e.idx < :before"
            page = self._load(
                f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE e.kind IN {names} {earlier} "
                f"ORDER BY e.idx DESC LIMIT {PAGE}",
                {**params, "before": before} if earlier else params,
            )
            for posted in page:
                if posted.booked_at < at:
                    return
                yield posted
            if len(page) < PAGE:
                return
            before = page[-1].index

    def next_indexes(self, index: int, count: int) -> list[int]:
        """Return the log indexes of the next entries after an index."""
        query = "SELECT idx FROM entries WHERE idx > :index ORDER BY idx LIMIT :count"
        return self._column(query, index=index, count=count)

    def page(
        self, query: EntryQuery, *, before: tuple[date, int] | None, limit: int
    ) -> list[PostedEntry]:
        """Return the newest matching entries before a position (day, index)."""
        where, params = where_clause(query, self._sql)
        if before is not None:
            where += " AND (e.day, e.idx) < (:before_day, :before_idx)"
            params |= {"before_day": before[0].isoformat(), "before_idx": before[1]}
        return self._load(
            f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE {where} "
            "ORDER BY e.day DESC, e.idx DESC LIMIT :limit",
            {**params, "limit": limit},
        )

    def register(
        self, account: str, *, first_day: date | None, last_day: date | None
    ) -> Iterator[RegisterLine]:
        """Return the movements of an account and those below it, with their running balance.

        Oldest first.
        """
        self.save_totals()
        balance = 0
        # With the names, an index has the postings by day; a range of names would be sorted.
        accounts = f"SELECT DISTINCT account FROM totals WHERE {within('account', ':account')}"
        names_used = self._column(accounts, account=account)
        names, params = in_list("account", names_used or [account])
        where = f"account IN {names}"
        if first_day is not None:
            before = self._sql.one(
                f"SELECT COALESCE(SUM(cents), 0) FROM day_totals WHERE {where} AND day < :first",
                {**params, "first": first_day.isoformat()},
            )
            balance = int(before[0]) if before else 0
            where += " AND day >= :first"
            params["first"] = first_day.isoformat()
        if last_day is not None:
            where += " AND day <= :last"
            params["last"] = last_day.isoformat()
        rows = self._sql.all(
            f"SELECT entry, SUM(cents) FROM postings WHERE {where} "
            "GROUP BY day, entry ORDER BY day, entry",
            params,
        )
        for piece in chunks(rows):
            found = self.many([row[0] for row in piece])
            for index, cents in piece:
                balance += cents
                yield RegisterLine(found[index], cents, balance)

    def balances(
        self, *, at: date | None = None, accounts: Sequence[str] = (), by_month: bool = False
    ) -> list[BalanceRow]:
        """Return the maintained sums per account and fund up to a day inclusive, or of all days.

        They are of all accounts, or of some with their subaccounts; with `by_month` each month
        has a row. Whole months come from the monthly totals, the last one from the daily ones,
        so the cost does not grow with the number of postings.
        """
        self.save_totals()
        params: dict[str, object] = {}
        chosen = []
        for place, name in enumerate(accounts):
            params |= {f"name{place}": name, f"low{place}": f"{name}:", f"high{place}": f"{name};"}
            below = f"(account >= :low{place} AND account < :high{place})"
            chosen.append(f"account = :name{place} OR {below}")
        only = f"({' OR '.join(chosen)})" if chosen else "1 = 1"
        cells = f"SELECT account, fund, month AS period, cents FROM totals WHERE {only}"
        if at is not None:
            params |= {"month": at.isoformat()[:7], "day": at.isoformat()}
            cells += (
                " AND month < :month UNION ALL "
                "SELECT account, fund, substr(day, 1, 7), cents FROM day_totals "
                f"WHERE {only} AND day >= :month AND day <= :day"
            )
        # Without months, the grouping follows the primary key of the totals and needs no sort.
        period, keys = (
            ("period", "account, fund, period") if by_month else ("NULL", "account, fund")
        )
        rows = self._sql.all(
            f"SELECT account, fund, {period}, SUM(cents) FROM ({cells}) AS cells GROUP BY {keys}",
            params,
        )
        return balance_rows(rows)

    def newest(self, size: int | None = None) -> PostedEntry | None:
        """Return the newest entry in the log, or in the log of that size."""
        where = "1 = 1" if size is None else "e.idx < :size"
        found = self._load(
            f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE {where} ORDER BY e.idx DESC LIMIT 1",
            {} if size is None else {"size": size},
        )
        return found[0] if found else None

    def wrong_totals(self) -> Iterator[tuple[str, str, str, int, int]]:
        """Return (account, fund, period, stored, recomputed) of each wrong total."""
        self.save_totals()
        yield from wrong_totals(self._sql)

    def forget_notes(self, before: date) -> int:
        """Delete the notes of entries before a day; return how many."""
        return self._sql.run(
            "DELETE FROM entry_notes WHERE entry IN (SELECT idx FROM entries WHERE day < :day)",
            {"day": before.isoformat()},
        )
