"""A migration computes until when the electors of an earlier version may vote."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from jara.domain.giving.changemaker import GRACE, card_pays_until, months_pay_until
from jara.domain.time_zone import UTC_ZONE
from jara.store.schema import STEPS, name_of
from jara.store.unit_of_work import UnitOfWork
from tests.store.conftest import OlderDatabase

BEFORE = 19
NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
FAILED = datetime(2026, 5, 28, 12, tzinfo=UTC)
PAID = {"new": "2026-05-20", "late": "2026-04-28", "old": "2024-05-04", "cent": "2026-05-20"}


def _store_elector(
    work: UnitOfWork, place: int, name: str, day: str, *, with_past_due: bool = False
) -> None:
    """Store what an earlier version did for a member, a pledge of $5 and a payment of a day."""
    late = "2026-05-28T12:00:00Z" if name == "late" else None
    values = {
        "id": name,
        "at": "2024-05-04T12:00:00Z",
        "day": day,
        "idx": place,
        "hash": bytes([place]),
        "late": late,
        "state": "past_due" if late else "active",
        "back": 499 if name == "cent" else 0,
    }
    for text in (
        "INSERT INTO log (idx, hash, body, type) VALUES (:idx, :hash, :hash, 't')",
        (
            "INSERT INTO entries (idx, id, day, booked_at, kind, description, source) "
            "VALUES (:idx, :id, :day, :at, 'pledge', '', 'stripe')"
        ),
        (
            "INSERT INTO members (id, member_key, firstname, lastname, email, email_key, country, "
            "notifications, joined_at, todo) VALUES (:id, :id, '', '', :id, :id, '', 0, :at, '')"
        ),
        (
            "INSERT INTO pledges (member_id, id, dollars, billing_day, state, anchor_on, "
            "started_at, past_due_since) VALUES (:id, :id, 5, '1', :state, :day, :at, :late)"
        ),
        (
            "INSERT INTO pledge_changes (seq, member_key, at, state, dollars) "
            "VALUES (:idx, :id, :at, 'active', 5)"
        ),
        (
            "INSERT INTO payments (entry, source_id, kind, member_key, account, parts, cents, day, "
            "returned_cents) VALUES (:idx, :id, 'pledge', :id, 'income:pledges', '{}', 500, :day, "
            ":back)"
        ),
        (
            "INSERT INTO electors (member_id, dollars, past_due_since, member_key) "
            "VALUES (:id, 5, :late, :id)"
            if with_past_due
            else "INSERT INTO electors (member_id, dollars, member_key) VALUES (:id, 5, :id)"
        ),
    ):
        named = {key: value for key, value in values.items() if f":{key}" in text}
        work.sql.run(text, named)


def test_electors_get_an_end(
    older_database: OlderDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who paid lately keeps the vote; who paid long ago, or has one cent left, does not."""
    database = older_database(BEFORE)
    with database.transaction(write=True) as sql:
        for place, (name, day) in enumerate(PAID.items()):
            _store_elector(UnitOfWork(sql), place, name, day, with_past_due=True)
        sql.run("UPDATE figures SET value = 3 WHERE name = 'electors'")
        sql.run("UPDATE figures SET value = 15 WHERE name = 'elector_dollars'")
        for name, value in (("contributions", 4), ("contribution_cents", 1501)):
            sql.run(
                "UPDATE figures SET value = :value WHERE name = :name",
                {"name": name, "value": value},
            )
    monkeypatch.undo()

    assert [name_of(step) for step in STEPS[BEFORE:]] == database.migrate()
    with database.transaction(write=True) as sql:
        work = UnitOfWork(sql)
        work.electors.renew()
        work.finish()

    with database.transaction(write=False) as sql:
        electors = UnitOfWork(sql).electors
        assert list(electors.discrepancies()) == []
        assert electors.member_ids(NOW) == {"new", "late"}
        assert electors.figures(NOW) == (2, 10)
        assert electors.next_lapse(NOW) == FAILED + GRACE
        end = card_pays_until(date(2026, 5, 20), UTC_ZONE)
        assert electors.member_ids(end) == {"new"}
        assert electors.figures(end + timedelta(seconds=1)) == (0, 0)
    database.close()


def test_a_short_month_does_not_end_the_vote_early(
    older_database: OlderDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was paid on 31 January and 28 February lasts until 31 March, also from before."""
    before = next(at for at, step in enumerate(STEPS) if name_of(step).endswith("month_ends"))
    database = older_database(before)
    with database.transaction(write=True) as sql:
        _store_elector(UnitOfWork(sql), 0, "new", "2026-01-31")
        for text in (
            "INSERT INTO log (idx, hash, body, type) VALUES (1, :hash, :hash, 't')",
            (
                "INSERT INTO entries (idx, id, day, booked_at, kind, description, source) "
                "VALUES (1, 'second', '2026-02-28', '2026-02-28T12:00:00Z', 'pledge', '', 'cash')"
            ),
            (
                "INSERT INTO payments (entry, source_id, kind, member_key, account, parts, cents, "
                "day, returned_cents) VALUES (1, 'second', 'pledge', 'new', 'income:pledges', "
                "'{}', 500, '2026-02-28', 0)"
            ),
        ):
            sql.run(text, {"hash": bytes([1])} if ":hash" in text else {})
        sql.run("UPDATE payments SET way = 'cash', proof = 'trust'")
        sql.run("UPDATE electors SET votes_until = '2026-04-11T00:00:00Z'")
    monkeypatch.undo()
    database.migrate()
    with database.transaction(write=True) as sql:
        work = UnitOfWork(sql)
        work.electors.renew()
        work.finish()

    with database.transaction(write=False) as sql:
        work = UnitOfWork(sql)
        end = months_pay_until(date(2026, 3, 31), UTC_ZONE)
        assert work.zone == UTC_ZONE
        assert work.electors.member_ids(end) == {"new"}
        assert work.electors.member_ids(end + timedelta(seconds=1)) == set()
    database.close()
