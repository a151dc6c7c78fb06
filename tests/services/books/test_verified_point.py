"""Verifying from the verified point: its start, its checks and its report."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from jara.domain.checks.books import Finding
from jara.services.books import verification
from jara.services.books.verification import (
    WHOLE,
    Verification,
    run_reopened,
    verify_and_note,
    verify_books,
    verify_recent,
)
from jara.services.books.verified_point import POINT_KEY, read_point
from jara.services.context import Context
from jara.store.sqlite.database import SqliteDatabase
from jara.store.store import ReadOnlyStore
from tests.harness import clock_of, copy_of, make_context, make_organisation
from tests.services.books.ledger_builders import give
from tests.services.operations.planted_faults import plant, with_every_row

MOVED = tuple(
    f"UPDATE {table} SET cents = cents {change} 100 WHERE fund = 'staff' "  # noqa: S608 - ours
    f"AND account LIKE '{account}%'{where}"
    for table, where in (("postings", " AND entry = 3"), ("totals", ""), ("day_totals", ""))
    for account, change in (("income", "-"), ("assets", "+"))
)
"""Makes an older payment larger, and the totals with it."""


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with every kind of row, verified, and one payment since then."""
    return copy_of(verified_before, place)


def verified_before(folder: Path) -> Context:
    """Make books that were verified before their last payment."""
    context = with_every_row(folder)
    assert verify_and_note(context).ok
    clock_of(context).advance(hours=3)
    give(context, 1000, "later")
    return context


def checks_of(found: Verification) -> set[str]:
    """Return the names of the checks that found something."""
    return {finding.check for finding in found.findings}


def stored_note(context: Context) -> str:
    """Return the note of the point as it is stored."""
    with context.store.read() as work:
        return work.meta.get(POINT_KEY) or ""


def test_a_recent_check_starts_at_the_verified_point(context: Context) -> None:
    """The later rows are checked, and the result says what was checked earlier, and when."""
    before = verify_books(context)
    found = verify_recent(context)

    assert found.ok
    assert found.since is not None
    assert (found.since.entries, found.since.size) == (6, 17)
    assert found.since.verified_at.hour == clock_of(context).now().hour - 3
    assert found._replace(since=None) == before


def test_only_a_complete_check_without_findings_moves_the_point(context: Context) -> None:
    """A recent check, a failed check and a read-only check do not move it."""
    first = stored_note(context)
    verify_recent(context)
    verify_books(context)
    assert first == stored_note(context)

    assert verify_and_note(context).ok
    second = stored_note(context)
    assert first != second

    clock_of(context).advance(hours=3)
    plant(context, "UPDATE totals SET cents = cents + 1 WHERE account = 'assets:stripe'")
    assert not verify_and_note(context).ok
    assert second == stored_note(context)


def test_without_a_point_everything_is_checked(place: Path) -> None:
    """Without a point, everything is checked; a complete check then stores one."""
    context = make_organisation(place)

    assert verify_recent(context).since is None
    assert verify_recent(context).since is not None


@pytest.mark.parametrize("forged", ["body", "mark", "all", "nothing"])
def test_a_forged_point_does_not_count(context: Context, forged: str) -> None:
    """A point written without the key is ignored, and everything is checked."""
    mark, _, body = stored_note(context).partition(" ")
    fields = json.loads(body)
    notes = {
        "body": f"{mark} {json.dumps({**fields, 'size': 19})}",
        "mark": f"{'0' * 64} {body}",
        "all": "",
        "nothing": "é x",
    }
    plant(context, "UPDATE log SET hash = zeroblob(32) WHERE idx = 3")
    with context.store.write() as work:
        work.meta.put(POINT_KEY, notes[forged])

    with context.store.read() as work:
        assert read_point(context, work) is None
    found = verify_recent(context)
    assert found.since is None
    assert "log_leaves" in checks_of(found)


def test_a_point_of_another_organisation_does_not_count(context: Context, tmp_path: Path) -> None:
    """A point of another organisation has another key."""
    other = make_organisation(tmp_path / "other", database=":memory:", seed="other")
    verify_and_note(other)
    note = stored_note(other)
    other.store.close()
    with context.store.write() as work:
        work.meta.put(POINT_KEY, note)

    assert verify_recent(context).since is None


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("UPDATE log SET body = X'7B7D' WHERE idx = 17", "log_leaves"),
        ("UPDATE log SET hash = zeroblob(32) WHERE idx = 17", "log_leaves"),
        ("DELETE FROM log WHERE idx = 17", "log_head"),
        ("UPDATE entries SET day = '2026-01-01' WHERE idx = 17", "entry_columns"),
        ("UPDATE entries SET description = 'x' WHERE idx = 17", "entry_columns"),
        ("UPDATE postings SET cents = cents + 1 WHERE entry = 17 AND line = 0", "entry_balances"),
        ("DELETE FROM payments WHERE entry = 17", "payments"),
    ],
)
def test_a_recent_check_finds_faults_after_the_point(
    context: Context, statement: str, check: str
) -> None:
    """Later rows are checked as in a complete check."""
    plant(context, statement)
    found = verify_recent(context)

    assert found.since is not None
    assert check in checks_of(found)


@pytest.mark.parametrize(
    ("statements", "check"),
    [
        (("UPDATE log_nodes SET hash = zeroblob(32) WHERE level = 4",), "verified_point"),
        (("UPDATE log_head SET size = 16",), "verified_point"),
        (
            ("DELETE FROM postings WHERE entry = 5", "DELETE FROM entries WHERE idx = 5"),
            "verified_point",
        ),
        (("UPDATE totals SET cents = cents + 1 WHERE account = 'assets:stripe'",), "totals"),
        (("UPDATE postings SET cents = cents + 1 WHERE entry = 3 AND line = 0",), "totals"),
        (("UPDATE payments SET cents = 1 WHERE entry = 3",), "payments"),
        (("UPDATE commitments SET held_cents = 1",), "commitments"),
        (("UPDATE policies SET weights = '{}'",), "policy_columns"),
        (MOVED, "verified_point"),
    ],
)
def test_changed_sums_before_the_point_are_found(
    context: Context, statements: tuple[str, ...], check: str
) -> None:
    """A changed amount, account or number of older entries is found, and so is another log root.

    This holds even if the totals are changed to match.
    """
    plant(context, *statements)

    assert check in checks_of(verify_recent(context))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET description = 'x' WHERE idx = 3",
        "UPDATE log SET body = X'7B7D' WHERE idx = 3",
        "UPDATE ballots SET choice = 'down' WHERE log_index = 10",
        "DELETE FROM trace_lot WHERE pool = 'staff'",
    ],
)
def test_a_recent_check_skips_older_documents(context: Context, statement: str) -> None:
    """Only a complete check finds changes to older texts, leaves, ended votes or the trace."""
    plant(context, statement)

    assert verify_recent(context).ok
    assert not verify_books(context).ok


def test_a_copy_that_cannot_be_written_is_verified_too(tmp_path: Path) -> None:
    """A read-only copy is verified without storing a point."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    reader = replace(context, store=ReadOnlyStore(SqliteDatabase(tmp_path / "jara.db")))

    assert verify_and_note(reader).ok
    assert stored_note(context) == ""


def test_large_books_are_verified_by_several_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several processes, each with its own connection, have the same findings."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    give(context, 1000)
    reopen = partial(make_context, tmp_path, database=tmp_path / "jara.db")
    monkeypatch.setattr(verification, "MANY_ENTRIES", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    steps: list[tuple[int, int]] = []

    def progress(rows: int, total: int) -> None:
        steps.append((rows, total))

    assert verify_and_note(context, progress=progress, reopen=reopen).ok
    plant(context, "UPDATE trace_lot SET cut = 1 WHERE seq = 1")
    findings = verify_and_note(context, reopen=reopen).findings
    assert [finding.check for finding in findings] == ["trace"] * 4
    assert verify_books(context).findings == findings
    assert sum(rows for rows, _ in steps) <= steps[0][1]


def test_one_core_starts_no_second_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one core, no second process is started."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    monkeypatch.setattr(verification, "MANY_ENTRIES", 0)
    monkeypatch.setattr("os.cpu_count", lambda: 1)

    def never() -> Context:
        raise AssertionError

    assert verify_and_note(context, reopen=never).ok


def test_a_check_runs_on_reopened_books(tmp_path: Path) -> None:
    """A check runs on reopened books in this process, as it would in another."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    plant(context, "UPDATE postings SET cents = 1")
    none: list[Finding] = []

    assert none == [one for check in WHOLE for one in run_reopened(lambda: context, check)]
