"""Changemakers and contribution sums, updated in the transaction that changes them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple

from jara.domain.giving.changemaker import (
    CARD_PERIOD,
    GRACE,
    KEPT_DISPUTES,
    VOTING_STATES,
    card_pays_until,
    months_pay_until,
    votes_until,
)
from jara.domain.giving.member import address_allows_vote
from jara.domain.giving.payment_way import PaymentWay, ends_of_months
from jara.domain.giving.pledge import PledgeChange, PledgeState, counted_cents
from jara.domain.giving.standing import PledgePayment, covered_until, months_paid
from jara.domain.time_zone import TimeZone
from jara.store.rows import Repository, Rows
from jara.store.sql.codecs import (
    chunks,
    in_list,
    instant_text,
    optional_day,
    optional_instant,
    read_instant,
)
from jara.store.sql.connection import Sql

CHANGES = Rows("pledge_changes", PledgeChange)

QUALIFIES = f"returned_cents < cents AND dispute IN {KEPT_DISPUTES}"
"""The condition of `changemaker.payment_counts`, on rows of ``payments``."""

_ALL = "SELECT COUNT(*), COALESCE(SUM(dollars), 0) FROM electors"
_RECOUNTS = (
    ("contributions", f"SELECT COUNT(*) FROM payments WHERE {QUALIFIES}"),
    (
        "contribution_cents",
        f"SELECT COALESCE(SUM(cents - returned_cents), 0) FROM payments WHERE {QUALIFIES}",
    ),
)
_RETURNED_ON = """SELECT MAX(r.day) FROM entries r
WHERE r.of_entry = payments.entry AND r.kind IN ('refund', 'dispute')
AND NOT EXISTS (SELECT 1 FROM entries v WHERE v.reverses = r.idx)"""
_NOT_BY_CARD_ALONE = (
    "member_key IN (SELECT member_key FROM payments WHERE member_key IN {names} AND way <> 'card')"
)
_LAPSED = """SELECT COUNT(*) FROM lapsed_members l
WHERE NOT EXISTS (SELECT 1 FROM electors e WHERE e.member_key = l.member_key)"""


class Elector(NamedTuple):
    """A member with the right to vote, dollars a month, and the last instant of the right.

    The right ends by itself at that instant; the row stays until the member's pledge or a payment
    changes.
    """

    member_id: str
    dollars: int
    votes_until: datetime
    member_key: str


PaidChanges = tuple[list[PledgePayment], list[PledgeChange]]
"""A payer's payments in order of the day, and the changes of their pledges."""

ELECTORS = Rows("electors", Elector)


def gives_vote(proof: str = "<> 'none'") -> str:
    """Return the condition of a payment that can give its payer the vote.

    It is proven, counts, and at least `counted_cents` of it are left.
    """
    left = "payments.cents - payments.returned_cents"
    return (
        f"kind = 'pledge' AND proof {proof} AND {QUALIFIES} AND ({left} >= {counted_cents(None)} "
        f"OR {left} >= (SELECT MIN(c.dollars) * 100 FROM pledge_changes c "
        "WHERE c.member_key = payments.member_key))"
    )


def waits_for_proof() -> str:
    """Return the condition of a payment that would give the vote if it were proven."""
    return gives_vote("= 'none'")


def pledge_payments(sql: Sql, keys: Sequence[str], *, condition: str) -> list[PledgePayment]:
    """Return the payments of some payers, in order of the day.

    `condition` chooses rows of ``payments``; it may name the payers as ``{names}``.
    """
    names, params = in_list("k", keys)
    rows = sql.all(
        "SELECT member_key, day, way, cents, "
        f"CASE WHEN {QUALIFIES} THEN cents - returned_cents ELSE 0 END, "
        "(SELECT booked_at FROM entries WHERE idx = payments.entry), "
        f"({_RETURNED_ON}), card_fingerprint FROM payments "
        f"WHERE member_key IN {names} AND {condition.format(names=names)} ORDER BY day, entry",
        params,
    )
    return [
        PledgePayment(
            key,
            date.fromisoformat(day),
            PaymentWay(way),
            int(cents),
            int(left),
            read_instant(booked_at),
            optional_day(returned_on),
            card,
        )
        for key, day, way, cents, left, booked_at, returned_on, card in rows
    ]


class ElectorRepository(Repository):
    """The changemakers, updated with every change of a pledge or a payment.

    Changes are applied before a read and at the end of the transaction.
    """

    def __init__(self, sql: Sql, zone: Callable[[], TimeZone]) -> None:
        super().__init__(sql)
        self._zone = zone
        self._ids: set[str] = set()
        self._keys: set[str] = set()
        self._steps: defaultdict[str, int] = defaultdict(int)

    def touch(self, member_id: str) -> None:
        """Mark a member for a recheck: the pledge changed, or the person left."""
        self._ids.add(member_id)

    def touch_key(self, member_key: str | None) -> None:
        """Mark a member for a recheck: a payment was added or changed."""
        if member_key is not None:
            self._keys.add(member_key)

    def count_contribution(self, step: int, cents: int) -> None:
        """Count a kept payment; a step of -1 removes it from the count."""
        self._steps["contributions"] += step
        self._steps["contribution_cents"] += cents

    def save(self) -> None:
        """Apply the changes; every read here and the commit call this."""
        if not (self._ids or self._keys or self._steps):
            return
        for piece in chunks(sorted(self._keys)):
            names, params = in_list("k", piece)
            query = f"SELECT id FROM members WHERE member_key IN {names}"
            self._ids.update(self._column(query, **params))
        touched, self._keys, self._ids = sorted(self._ids), set(), set()
        for piece in chunks(touched):
            self._look_again(piece)
        changed = [(name, step) for name, step in sorted(self._steps.items()) if step]
        self._steps.clear()
        if changed:
            self._sql.run_many(
                "UPDATE figures SET value = value + :step WHERE name = :name",
                [{"name": name, "step": step} for name, step in changed],
            )

    def figures(self, now: datetime) -> tuple[int, int]:
        """Return the number of changemakers, and their monthly pledges in dollars."""
        self.save()
        kept = self._kept()
        at = {"now": instant_text(now)}
        ended, dollars = self._sql.one(f"{_ALL} WHERE votes_until < :now", at) or (0, 0)
        return kept["electors"] - int(ended), kept["elector_dollars"] - int(dollars)

    def member_ids(self, now: datetime) -> frozenset[str]:
        """Return the ids of the changemakers."""
        self.save()
        query = "SELECT member_id FROM electors WHERE votes_until >= :now"
        return frozenset(self._column(query, now=now))

    def lapsed(self, now: datetime) -> frozenset[str]:
        """Return the keys of members who stopped being changemakers during an open vote.

        Only the ballots' claims tell whether they voted. Those whose right ended before, and whose
        pledge goes on, are among them: a refund may have moved the end.
        """
        self.save()
        query = (
            "SELECT member_key FROM lapsed_members UNION SELECT member_key FROM electors "
            "WHERE votes_until < :now"
        )
        return frozenset(self._column(query, now=now))

    def forget_lapsed(self) -> None:
        """Clear the lapsed keys; called when a vote opens and no other is open."""
        self._sql.run("DELETE FROM lapsed_members")

    def next_lapse(self, now: datetime) -> datetime | None:
        """Return the last instant at which the next member to lose the right may vote, or None.

        Without another change, only a payment that does not come causes this.
        """
        self.save()
        query = "SELECT MIN(votes_until) FROM electors WHERE votes_until >= :now"
        return self._value(read_instant, query, now=now)

    def paid_until(self, member_keys: Iterable[str]) -> dict[str, datetime]:
        """Return until when the payments of each payer give the vote, whatever their pledge.

        Payers without a payment that counts are left out.
        """
        paid: dict[str, datetime] = {}
        for piece in chunks(sorted(set(member_keys))):
            names, params = in_list("k", piece)
            cards = self._sql.all(
                f"SELECT member_key, MAX(day) FROM payments WHERE member_key IN {names} "
                f"AND way = 'card' AND {gives_vote()} GROUP BY member_key",
                params,
            )
            for key, day in cards:
                paid[key] = card_pays_until(date.fromisoformat(day), self._zone())
            for key, (payments, changes) in self._months(piece).items():
                covered = covered_until(payments, changes, self._zone())
                if covered is not None:
                    until = months_pay_until(covered, self._zone())
                    paid[key] = max(until, paid.get(key, until))
        return paid

    def cards_of(self, member_key: str, now: datetime) -> list[str | None]:
        """Return the fingerprints of the payments that give a payer the vote now, each once.

        None stands for a payment whose card or account is not known.
        """
        first = self._zone().day_of(now) - CARD_PERIOD - GRACE
        found = self._column(
            "SELECT DISTINCT card_fingerprint FROM payments WHERE member_key = :key "
            f"AND way = 'card' AND day >= :first AND {gives_vote()}",
            key=member_key,
            first=first,
        )
        payments, changes = self._months([member_key]).get(member_key, ([], []))
        months = [(one.day, months_paid(one, changes, self._zone())) for one in payments]
        ends = ends_of_months(months)
        for payment, (_, count), end in zip(payments, months, ends, strict=True):
            if count and end is not None and months_pay_until(end, self._zone()) >= now:
                found.append(payment.card_fingerprint)
        return list(dict.fromkeys(found))

    def contributions(self) -> tuple[int, int]:
        """Return the number of payments still kept, and their remaining cents."""
        self.save()
        kept = self._kept()
        return kept["contributions"], kept["contribution_cents"]

    def discrepancies(self) -> Iterator[tuple[str, int, int]]:
        """Return the differences from a recount: name, stored value, recounted value."""
        self.save()
        kept = self._kept()
        found = [(name, kept[name], self._number(recount)) for name, recount in _RECOUNTS]
        stored = frozenset(ELECTORS.each(self._sql))
        again: set[Elector] = set()
        for piece in chunks(row[0] for row in self._sql.all("SELECT member_id FROM pledges")):
            again.update(self._standing(piece))
        found.append(("electors", kept["electors"], len(again)))
        found.append(("elector_dollars", kept["elector_dollars"], sum(e.dollars for e in again)))
        alike = len(stored & again)
        there = alike if len(stored) == len(again) else len(stored)
        found.append(("changemakers", there, len(again)))
        lapsed = self._number("SELECT COUNT(*) FROM lapsed_members")
        found.append(("lapsed_members", lapsed, self._number(_LAPSED)))
        yield from (row for row in found if row[1] != row[2])

    def _look_again(self, members: Sequence[str]) -> None:
        names, params = in_list("m", members)
        before = self._sql.one(f"{_ALL} WHERE member_id IN {names}", params) or (0, 0)
        self._sql.run(
            "INSERT INTO lapsed_members (member_key) SELECT member_key FROM electors "
            f"WHERE member_id IN {names} "
            "AND EXISTS (SELECT 1 FROM proposals WHERE status = 'open') "
            "ON CONFLICT (member_key) DO NOTHING",
            params,
        )
        self._sql.run(f"DELETE FROM electors WHERE member_id IN {names}", params)
        electors = self._standing(members)
        for elector in electors:
            ELECTORS.append(self._sql, elector)
        self._sql.run(
            "DELETE FROM lapsed_members WHERE member_key IN "
            f"(SELECT member_key FROM electors WHERE member_id IN {names})",
            params,
        )
        self._steps["electors"] += len(electors) - int(before[0])
        dollars = sum(elector.dollars for elector in electors)
        self._steps["elector_dollars"] += dollars - int(before[1])

    def _standing(self, members: Sequence[str]) -> list[Elector]:
        """Return those of some members whose pledge and payments give the vote, now or earlier."""
        names, params = in_list("m", members)
        rows = self._sql.all(
            "SELECT p.member_id, p.dollars, p.state, p.past_due_since, m.email_confirmed, "
            "m.is_added, m.member_key FROM pledges p JOIN members m ON m.id = p.member_id "
            f"WHERE p.state IN {tuple(map(str, VOTING_STATES))} AND p.member_id IN {names}",
            params,
        )
        paid = self.paid_until(row[-1] for row in rows)
        electors = []
        for member_id, dollars, state, since, confirmed, is_added, key in rows:
            if not address_allows_vote(email_confirmed=confirmed, is_added=is_added):
                continue
            until = votes_until(
                PledgeState(state), past_due_since=optional_instant(since), paid_until=paid.get(key)
            )
            if until is not None:
                electors.append(Elector(member_id, int(dollars), until, key))
        return electors

    def _months(self, keys: Sequence[str]) -> dict[str, PaidChanges]:
        """Return the payments that give the vote of those who did not pay by card alone."""
        condition = f"{gives_vote()} AND {_NOT_BY_CARD_ALONE}"
        paid: defaultdict[str, PaidChanges] = defaultdict(lambda: ([], []))
        for payment in pledge_payments(self._sql, keys, condition=condition):
            paid[payment.member_key][0].append(payment)
        if paid:
            names, params = in_list("k", list(paid))
            where = f"WHERE member_key IN {names} ORDER BY seq"
            for change in CHANGES.all(self._sql, where, **params):
                paid[change.member_key][1].append(change)
        return paid

    def _kept(self) -> Counter[str]:
        rows = self._sql.all("SELECT name, value FROM figures")
        return Counter({name: int(value) for name, value in rows})
