"""Sums over the books for reports, cut by day and by the size of the log."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import date, datetime

from jara.domain.books.account import GIFTS, PLEDGES
from jara.domain.books.journal import GIVEN_BACK, EntryKind
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.standing import PledgePayment
from jara.records.journal import (
    AccountMovement,
    BalanceRow,
    Cut,
    Givings,
    HeldFunds,
    IncomeFlow,
    LateRow,
    Return,
)
from jara.store.repositories.journal.rows import balance_rows, read_foreign
from jara.store.rows import Repository, read_row
from jara.store.sql.codecs import (
    chunks,
    in_list,
    instant_text,
    read_instant,
)

_EVERYTHING = 1 << 62
_DAWN = "0001-01-01"
_WITHIN = "e.idx < :size AND e.day >= :first AND e.day <= :last"


class ReportingRepository(Repository):
    """Sums over the books, for reports."""

    def size_at(self, instant: datetime) -> int | None:
        """Return the log index of the first entry booked after an instant, if there is one."""
        return self._value(
            int,
            "SELECT MIN(idx) FROM entries WHERE idx > COALESCE((SELECT idx FROM entries "
            "WHERE booked_at <= :at ORDER BY idx DESC LIMIT 1), -1)",
            at=instant,
        )

    def booked_next(self, size: int) -> datetime | None:
        """Return when the first entry at or after a log size was booked, if there is one."""
        query = "SELECT booked_at FROM entries WHERE idx >= :size ORDER BY idx LIMIT 1"
        return self._value(read_instant, query, size=size)

    def newest_outside(self, before: datetime | None) -> datetime | None:
        """Return when a pledge or content changed last, before a time if one is given."""
        earlier = "" if before is None else "WHERE at < :before"
        return self._value(
            read_instant,
            f"SELECT MAX(at) FROM (SELECT MAX(at) AS at FROM pledge_changes {earlier} "
            f"UNION ALL SELECT MAX(at) FROM content_changes {earlier}) AS changes",
            before=before,
        )

    def first_day(self) -> date | None:
        """Return the day of the oldest entry."""
        return self._value(date.fromisoformat, "SELECT MIN(day) FROM entries")

    def sums(self, cut: Cut) -> list[BalanceRow]:
        """Return the sums per account, fund and month.

        For the whole log they come from the monthly and daily totals, so the cost does not
        grow with the number of postings. For an earlier log, the postings are summed.
        """
        if cut.size is not None:
            rows = self._sql.all(
                "SELECT account, fund, substr(day, 1, 7) AS period, SUM(cents) FROM postings "
                "WHERE entry < :size AND day >= :first AND day <= :last "
                "GROUP BY account, fund, period",
                _params(cut),
            )
            return balance_rows(rows)
        rows = self._sql.all(
            "SELECT account, fund, period, SUM(cents) FROM ("
            "SELECT account, fund, month AS period, cents FROM totals "
            "WHERE month > :first_month AND month < :last_month "
            # Two ranges of days: a condition on the month would be evaluated for every day.
            "UNION ALL SELECT account, fund, substr(day, 1, 7), cents FROM day_totals "
            "WHERE day >= :first AND day <= :first_end "
            "UNION ALL SELECT account, fund, substr(day, 1, 7), cents FROM day_totals "
            "WHERE day > :last_begin AND day <= :last) AS cells GROUP BY account, fund, period",
            {**_days(cut), **_months(cut)},
        )
        return balance_rows(rows)

    def income_flows(self, cut: Cut) -> list[IncomeFlow]:
        """Return money received and returned on income accounts, by kind of entry."""
        rows = self._sql.all(
            "SELECT e.kind, p.account, substr(e.day, 1, 7) AS month, "
            "CASE WHEN p.cents < 0 THEN 1 ELSE 0 END AS credit, SUM(p.cents) "
            "FROM postings p JOIN entries e ON e.idx = p.entry "
            f"WHERE p.account IN ({_accounts_below('low', 'high')}) "
            f"AND p.day >= :first AND p.day <= :last AND {_WITHIN} "
            "GROUP BY e.kind, p.account, month, credit ORDER BY month, p.account, e.kind, credit",
            {**_params(cut), "low": "income:", "high": "income;"},
        )
        return [read_row(IncomeFlow, row) for row in rows]

    def givings(self, cut: Cut) -> Givings:
        """Count payments and givers; each gift without a key counts as one giver.

        An entry counts that brought something in on the account of pledges or gifts, as the sums
        of the report do, whoever booked it. Reversed entries were booked by mistake and do not
        count.
        """
        kinds, params = in_list("kind", [*sorted(GIVEN_BACK), EntryKind.REVERSAL])
        for name, account in (("gifts", GIFTS), ("pledges", PLEDGES)):
            params |= {name: account, f"{name}_low": f"{account}:", f"{name}_high": f"{account};"}
        row = self._sql.one(
            "SELECT COALESCE(SUM(given.pledge), 0), COALESCE(SUM(given.gift), 0), "
            "COUNT(DISTINCT given.member_key) + "
            "COALESCE(SUM(CASE WHEN given.member_key IS NULL THEN 1 ELSE 0 END), 0) FROM ("
            "SELECT e.member_key, "
            "MAX(CASE WHEN p.account < :pledges THEN 1 ELSE 0 END) AS gift, "  # by the alphabet
            "MAX(CASE WHEN p.account >= :pledges THEN 1 ELSE 0 END) AS pledge "
            "FROM postings p JOIN entries e ON e.idx = p.entry WHERE p.account IN ("
            "SELECT account FROM totals WHERE account = :gifts OR account = :pledges UNION "
            f"{_accounts_below('gifts_low', 'gifts_high')} UNION "
            f"{_accounts_below('pledges_low', 'pledges_high')}) AND p.cents < 0 "
            f"AND p.day >= :first AND p.day <= :last AND {_WITHIN} AND e.kind NOT IN {kinds} "
            "AND NOT EXISTS (SELECT 1 FROM entries v WHERE v.reverses = e.idx AND v.idx < :size "
            "AND v.day <= :last) GROUP BY e.idx, e.member_key) AS given",
            {**_params(cut), **params},
        )
        return Givings(0, 0, 0) if row is None else Givings(*map(int, row))

    def movements_below(self, parents: Collection[str], cut: Cut) -> list[AccountMovement]:
        """Return each entry's movement on accounts below some parents, oldest first."""
        params = _params(cut)
        below = []
        for place, parent in enumerate(parents):
            params |= {f"low{place}": f"{parent}:", f"high{place}": f"{parent};"}
            below.append(_accounts_below(f"low{place}", f"high{place}"))
        rows = self._sql.all(
            "SELECT e.idx, e.id, e.day, p.account, SUM(p.cents), e.reference, e.foreign_doc "
            "FROM postings p JOIN entries e ON e.idx = p.entry "
            f"WHERE p.account IN ({' UNION '.join(below)}) "
            f"AND p.day >= :first AND p.day <= :last AND {_WITHIN} "
            "GROUP BY e.idx, e.id, e.day, p.account, e.reference, e.foreign_doc "
            "HAVING SUM(p.cents) <> 0 ORDER BY e.day, e.idx, p.account",
            params,
        )
        return [
            AccountMovement(
                index,
                entry,
                date.fromisoformat(day),
                account,
                int(cents),
                reference,
                read_foreign(foreign),
            )
            for index, entry, day, account, cents, reference, foreign in rows
        ]

    def booked_after(self, instant: datetime, cut: Cut) -> list[LateRow]:
        """Return the entries booked after an instant, oldest first.

        An entry's amount is the change of our assets or, if that is zero, the amount moved.
        """
        rows = self._sql.all(
            "SELECT e.id, e.day, e.booked_at, e.description, "
            "SUM(CASE WHEN p.account >= 'assets:' AND p.account < 'assets;' "
            "THEN p.cents ELSE 0 END), SUM(CASE WHEN p.cents > 0 THEN p.cents ELSE 0 END) "
            "FROM entries e JOIN postings p ON p.entry = e.idx "
            f"WHERE e.booked_at > :instant AND {_WITHIN} "
            "GROUP BY e.idx, e.id, e.day, e.booked_at, e.description ORDER BY e.day, e.idx",
            {**_params(cut), "instant": instant_text(instant)},
        )
        return [
            LateRow(entry, date.fromisoformat(day), read_instant(at), text, int(changed or moved))
            for entry, day, at, text, changed, moved in rows
        ]

    def held_funds(self, proposals: Collection[str], cut: Cut) -> list[HeldFunds]:
        """Return the movements into and out of `committed` for some proposals."""
        held: list[HeldFunds] = []
        for piece in chunks(proposals):
            names, params = in_list("r", piece)
            rows = self._sql.all(
                "SELECT e.reference, e.kind, SUM(p.cents) "
                "FROM entries e JOIN postings p ON p.entry = e.idx "
                f"WHERE e.reference IN {names} AND {_WITHIN} AND p.fund = 'committed' "
                "AND p.account >= 'assets:' AND p.account < 'assets;' "
                "GROUP BY e.reference, e.kind ORDER BY e.reference, e.kind",
                {**_params(cut), **params},
            )
            held += [read_row(HeldFunds, row) for row in rows]
        return held

    def day_of_payer(self, count: int) -> date | None:
        """Return the day of the first monthly payment of the ``count``-th person, or None."""
        return self._value(
            date.fromisoformat,
            "SELECT MIN(day) FROM entries WHERE kind = 'pledge' AND member_key IS NOT NULL "
            "GROUP BY member_key ORDER BY MIN(day) LIMIT 1 OFFSET :before",
            before=count - 1,
        )

    def pledge_payments(self, cut: Cut, *, cards_from: date) -> list[PledgePayment]:
        """Return the payments under pledges that qualified then, with what was left of each.

        Payments by card before a day are left out for those who paid by card alone, so that the
        cost does not grow with the years.
        A payment without refund, dispute or reversal qualifies; the others are checked.
        """
        params = {**_params(cut), "cards_from": cards_from.isoformat()}
        select = (
            "SELECT p.entry, p.member_key, p.day, p.way, p.cents, e.booked_at, CASE WHEN "
            "EXISTS (SELECT 1 FROM entries t WHERE t.of_entry = e.idx) "
            "OR EXISTS (SELECT 1 FROM entries t WHERE t.reverses = e.idx) THEN 1 ELSE 0 END "
            "FROM payments p JOIN entries e ON e.idx = p.entry WHERE p.kind = 'pledge' "
            f"AND p.member_key IS NOT NULL AND {_WITHIN} AND"
        )
        other_ways = "SELECT member_key FROM payments WHERE way <> 'card'"
        rows = self._sql.all(
            f"{select} p.way = 'card' AND e.day >= :cards_from "
            f"AND p.member_key NOT IN ({other_ways})",
            params,
        )
        rows += self._sql.all(f"{select} p.member_key IN ({other_ways})", _params(cut))
        touched = [row[0] for row in rows if row[-1]]
        returned = self.returned_cents(touched, cut)
        disputed = self._disputed(touched, cut)
        return [
            PledgePayment(
                key,
                date.fromisoformat(day),
                PaymentWay(way),
                cents,
                cents - returned.get(n, 0),
                read_instant(at),
            )
            for n, key, day, way, cents, at, _ in rows
            if n not in disputed and returned.get(n, 0) < cents
        ]

    def returned_cents(self, indexes: Collection[int], cut: Cut) -> dict[int, int]:
        """Return the amount returned of each payment within the cut, by log index."""
        returned: defaultdict[int, int] = defaultdict(int)
        for one in self.returns(indexes, cut):
            returned[one.payment] += one.cents
        return dict(returned)

    def _disputed(self, indexes: Collection[int], cut: Cut) -> set[int]:
        last = {
            one.payment: one.kind
            for one in self.returns(indexes, cut)
            if one.kind in {EntryKind.DISPUTE.value, EntryKind.DISPUTE_REVERSAL.value}
        }
        return {index for index, kind in last.items() if kind == EntryKind.DISPUTE.value}

    def returns(self, indexes: Collection[int], cut: Cut) -> list[Return]:
        """Return what went back of some payments within the cut, in log order.

        The reversal of a refund is a return of less than nothing.
        """
        direct = [
            Return(payment, entry, kind, cents, is_mistake=column == "reverses")
            for column in ("of_entry", "reverses")
            for payment, entry, kind, cents in self._touching(column, indexes, cut)
        ]
        payment_of = {one.entry: one.payment for one in direct}
        undone = [
            Return(payment_of[undone], entry, kind, cents)
            for undone, entry, kind, cents in self._touching("reverses", payment_of, cut)
        ]
        return sorted([*direct, *undone], key=lambda one: one.entry)

    def _touching(
        self, column: str, indexes: Collection[int], cut: Cut
    ) -> Iterator[tuple[int, int, str, int]]:
        """Yield the entries whose column names some entries: named, own index, kind, cents."""
        for piece in chunks(indexes):
            names, params = in_list("i", piece)
            yield from self._sql.all(
                f"SELECT e.{column}, e.idx, e.kind, SUM(p.cents) FROM entries e "
                "JOIN postings p ON p.entry = e.idx "
                f"WHERE e.{column} IN {names} AND p.account >= 'income:' "
                f"AND p.account < 'income;' AND {_WITHIN} GROUP BY e.idx, e.{column}, e.kind",
                {**_params(cut), **params},
            )


def _accounts_below(low: str, high: str) -> str:
    """Return the query for accounts with postings between two names.

    An index has the postings of each account by day, so the cost depends on the requested
    days. A range of names would read the postings of all days.
    """
    return f"SELECT account FROM totals WHERE account >= :{low} AND account < :{high}"


def _params(cut: Cut) -> dict[str, object]:
    return {**_days(cut), "size": _EVERYTHING if cut.size is None else cut.size}


def _days(cut: Cut) -> dict[str, object]:
    return {
        "first": _DAWN if cut.first is None else cut.first.isoformat(),
        "last": cut.last.isoformat(),
    }


def _months(cut: Cut) -> dict[str, object]:
    """Return the first and last month, the end of the first one and the start of the last."""
    first, last = (str(day) for day in _days(cut).values())
    first_end = min(f"{first[:7]}-31", last)
    return {
        "first_month": first[:7],
        "last_month": last[:7],
        "first_end": first_end,
        "last_begin": max(first_end, f"{last[:7]}-00"),
    }
