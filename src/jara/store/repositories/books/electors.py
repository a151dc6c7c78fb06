"""Changemakers and contribution sums, updated in the transaction that changes them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime

from jara.domain.giving.changemaker import GRACE
from jara.store.rows import Repository
from jara.store.sql.codecs import chunks, in_list, instant_text, optional_instant
from jara.store.sql.connection import Sql

QUALIFIES = "returned_cents < cents AND dispute IN ('none', 'won')"
"""The condition of `changemaker.payment_counts`, on rows of ``payments``."""

GIVES_VOTE = f"kind = 'pledge' AND proof <> 'none' AND {QUALIFIES}"
"""The condition of `changemaker.payment_gives_vote`, on rows of ``payments``."""

WAITS_FOR_PROOF = f"kind = 'pledge' AND proof = 'none' AND {QUALIFIES}"

MAY_VOTE = "m.email_confirmed = 1 OR m.is_added = 0"
"""The condition of `Member.may_vote`, on rows ``m`` of ``members``."""

STANDING = f"""
SELECT p.member_id, p.dollars,
    CASE WHEN p.state = 'past_due' THEN p.past_due_since END AS past_due_since, m.member_key
FROM pledges p JOIN members m ON m.id = p.member_id
WHERE (p.state = 'active' OR (p.state = 'past_due' AND p.past_due_since IS NOT NULL))
AND ({MAY_VOTE})
AND EXISTS (SELECT 1 FROM payments y WHERE y.member_key = m.member_key AND {GIVES_VOTE})
"""
"""Member, dollars a month, ``past_due_since`` and key of every changemaker.

This is `changemaker.is_changemaker` in SQL, except the days of grace: they depend on the
clock, so each query adds them.
"""

_STEADY = "SELECT COUNT(*), COALESCE(SUM(dollars), 0) FROM electors WHERE past_due_since IS NULL"
_WAITING = "past_due_since IS NOT NULL AND past_due_since >= :since"
_RECOUNTS = (
    ("electors", f"SELECT COUNT(*) FROM ({STANDING}) AS s WHERE past_due_since IS NULL"),
    (
        "elector_dollars",
        f"SELECT COALESCE(SUM(dollars), 0) FROM ({STANDING}) AS s WHERE past_due_since IS NULL",
    ),
    ("contributions", f"SELECT COUNT(*) FROM payments WHERE {QUALIFIES}"),
    (
        "contribution_cents",
        f"SELECT COALESCE(SUM(cents - returned_cents), 0) FROM payments WHERE {QUALIFIES}",
    ),
)
_LAPSED = """SELECT COUNT(*) FROM lapsed_members l
WHERE NOT EXISTS (SELECT 1 FROM electors e WHERE e.member_key = l.member_key)"""
_ROWS = (
    (
        "changemakers",
        "SELECT COUNT(*) FROM electors",
        f"SELECT COUNT(*) FROM ({STANDING}) AS s",
        f"""SELECT COUNT(*) FROM ({STANDING}) AS s JOIN electors e
        ON e.member_id = s.member_id AND e.dollars = s.dollars""",
    ),
    (
        "lapsed_members",
        "SELECT COUNT(*) FROM lapsed_members",
        _LAPSED,
        _LAPSED,
    ),
)
"""Name, and queries for the stored rows, the recounted rows, and those that agree."""


class ElectorRepository(Repository):
    """The changemakers, updated with every change of a pledge or a payment.

    Changes are applied before a read and at the end of the transaction.
    """

    def __init__(self, sql: Sql) -> None:
        super().__init__(sql)
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
            rows = self._sql.all(f"SELECT id FROM members WHERE member_key IN {names}", params)
            self._ids.update(row[0] for row in rows)
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
        row = self._sql.one(
            f"SELECT COUNT(*), COALESCE(SUM(dollars), 0) FROM electors WHERE {_WAITING}",
            _since(now),
        )
        number, dollars = (0, 0) if row is None else row
        return kept["electors"] + int(number), kept["elector_dollars"] + int(dollars)

    def member_ids(self, now: datetime) -> frozenset[str]:
        """Return the ids of the changemakers."""
        self.save()
        rows = self._sql.all(
            f"SELECT member_id FROM electors WHERE past_due_since IS NULL OR ({_WAITING})",
            _since(now),
        )
        return frozenset(row[0] for row in rows)

    def lapsed(self, now: datetime) -> frozenset[str]:
        """Return the keys of members who stopped being changemakers during an open vote.

        Only the ballots' claims tell whether they voted.
        """
        self.save()
        rows = self._sql.all(
            "SELECT member_key FROM lapsed_members UNION SELECT member_key FROM electors "
            "WHERE past_due_since IS NOT NULL AND past_due_since < :since",
            _since(now),
        )
        return frozenset(row[0] for row in rows)

    def forget_lapsed(self) -> None:
        """Clear the lapsed keys; called when a vote opens and no other is open."""
        self._sql.run("DELETE FROM lapsed_members")

    def next_lapse(self, now: datetime) -> datetime | None:
        """Return the last instant at which the next member to lose the right may vote, or None.

        Without another change, only a charge that stays failed causes this.
        """
        self.save()
        row = self._sql.one(
            f"SELECT MIN(past_due_since) FROM electors WHERE {_WAITING}", _since(now)
        )
        failed = optional_instant(None if row is None else row[0])
        return None if failed is None else failed + GRACE

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
        for name, *statements in _ROWS:
            there, again, alike = map(self._number, statements)
            found.append((name, alike if there == again else there, again))
        yield from (row for row in found if row[1] != row[2])

    def _look_again(self, members: Sequence[str]) -> None:
        names, params = in_list("m", members)
        before = self._sql.one(f"{_STEADY} AND member_id IN {names}", params) or (0, 0)
        self._sql.run(
            "INSERT INTO lapsed_members (member_key) SELECT member_key FROM electors "
            f"WHERE member_id IN {names} "
            "AND EXISTS (SELECT 1 FROM proposals WHERE status = 'open') "
            "ON CONFLICT (member_key) DO NOTHING",
            params,
        )
        self._sql.run(f"DELETE FROM electors WHERE member_id IN {names}", params)
        self._sql.run(
            "INSERT INTO electors (member_id, dollars, past_due_since, member_key) "
            f"{STANDING} AND p.member_id IN {names}",
            params,
        )
        self._sql.run(
            "DELETE FROM lapsed_members WHERE member_key IN "
            f"(SELECT member_key FROM electors WHERE member_id IN {names})",
            params,
        )
        after = self._sql.one(f"{_STEADY} AND member_id IN {names}", params) or (0, 0)
        self._steps["electors"] += int(after[0]) - int(before[0])
        self._steps["elector_dollars"] += int(after[1]) - int(before[1])

    def _kept(self) -> Counter[str]:
        rows = self._sql.all("SELECT name, value FROM figures")
        return Counter({name: int(value) for name, value in rows})


def _since(now: datetime) -> dict[str, object]:
    """Return the start of the days of grace: a charge that failed earlier costs the vote."""
    return {"since": instant_text(now - GRACE)}
