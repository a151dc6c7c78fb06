"""A migration turns the flag of members into their choice, and adds their newsletters to it."""

from __future__ import annotations

import pytest

from jara.domain.email_kinds import EmailChoice
from jara.store.schema import STEPS, name_of
from jara.store.sql.connection import Sql
from jara.store.unit_of_work import UnitOfWork
from tests.store.conftest import OlderDatabase

BEFORE = [name_of(step) for step in STEPS].index("m0033_email_choice")
EARLY, LATE = "2026-05-04T12:00:00Z", "2026-06-04T12:00:00Z"


def _add_member(sql: Sql, name: str, *, wants: int = 0, confirmed: int = 1) -> None:
    sql.run(
        "INSERT INTO members (id, member_key, firstname, lastname, email, email_key, country, "
        "notifications, email_confirmed, joined_at, todo) "
        "VALUES (:id, :id, '', '', :email, :email, '', :wants, :confirmed, :at, '')",
        {"id": name, "email": f"{name}@a.b", "wants": wants, "confirmed": confirmed, "at": EARLY},
    )


def _subscribe(sql: Sql, name: str, *, confirmed_at: str | None) -> None:
    sql.run(
        "INSERT INTO newsletter_readers (email, wording, source, asked_at, confirmed_at) "
        "VALUES (:email, 'News.', 'footer', :at, :confirmed)",
        {"email": f"{name}@a.b", "at": EARLY, "confirmed": confirmed_at},
    )


def test_the_flag_becomes_a_choice(
    older_database: OlderDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On is monthly, off nothing; a newsletter of a confirmed address counts unless it is older.

    Ama wants news, Ben does not; Cleo has the newsletter, Dan refused news after it, Eve has not
    confirmed her address, Fela not the newsletter, and Gus has no account.
    """
    database = older_database(BEFORE)
    with database.transaction(write=True) as sql:
        _add_member(sql, "ama", wants=1)
        for name in ("ben", "cleo", "dan", "fela"):
            _add_member(sql, name)
        _add_member(sql, "eve", confirmed=0)
        for name in ("cleo", "dan", "eve", "gus"):
            _subscribe(sql, name, confirmed_at=EARLY)
        _subscribe(sql, "fela", confirmed_at=None)
        sql.run(
            "INSERT INTO consents (member_id, purpose, given, wording, source, at) "
            "VALUES ('dan', 'notifications', 0, 'Get notified.', 'website', :at)",
            {"at": LATE},
        )
    monkeypatch.undo()
    database.migrate()

    with database.transaction(write=False) as sql:
        work = UnitOfWork(sql)
        choices = {member.id: member.email_choice for member in work.members.all()}
        reading = {
            name
            for name in ("cleo", "dan", "eve", "fela", "gus")
            if work.access.reader(f"{name}@a.b")
        }
        consents = [(one.given, one.wording, one.source) for one in work.members.consents("cleo")]
    assert choices == {
        "ama": EmailChoice.MONTHLY,
        "ben": EmailChoice.NOTHING,
        "cleo": EmailChoice.MONTHLY,
        "dan": EmailChoice.NOTHING,
        "eve": EmailChoice.NOTHING,
        "fela": EmailChoice.NOTHING,
    }
    assert reading == {"eve", "fela", "gus"}
    assert consents == [(True, "News.", "footer")]
    database.close()
