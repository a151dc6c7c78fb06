"""Verifying the books: each planted corruption is found by the check made for it."""

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara.security.keys import SecretsFolder
from jara.services.books import checks
from jara.services.books.verification import verify_and_note, verify_books
from jara.services.context import Context
from tests.harness import copy_of, make_organisation
from tests.services.giving.giving_year import make_year
from tests.services.operations.planted_faults import found, plant, with_every_row


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with every kind of row."""
    return copy_of(with_every_row, place)


def test_good_books_have_no_findings(context: Context) -> None:
    """Every check passes, and the state that was checked is named."""
    verification = verify_books(context)
    with context.store.read() as work:
        root = work.log.root().hex()

    assert verification.findings == ()
    assert verification.ok
    assert (verification.entries, verification.size, verification.root) == (6, 17, root)


def test_an_empty_organisation_is_good(place: Path) -> None:
    """A log of two leaves without entries has no findings."""
    assert verify_books(make_organisation(place)).ok


@pytest.mark.parametrize(
    ("statement", "check", "where"),
    [
        ("UPDATE log SET body = X'7B7D' WHERE idx = 2", "log_leaves", "leaf 2"),
        ("UPDATE log SET body = X'FF' WHERE idx = 2", "log_leaves", "leaf 2"),
        ("UPDATE log SET body = X'31' WHERE idx = 2", "log_leaves", "leaf 2"),
        ("UPDATE log SET hash = zeroblob(32) WHERE idx = 3", "log_leaves", "leaf 3"),
        ("UPDATE log SET type = 'jara/v1/policy' WHERE idx = 12", "log_leaves", "leaf 12"),
        ("UPDATE meta SET value = 'x' WHERE key = 'log.origin'", "log_leaves", "leaf 0"),
        ("DELETE FROM log WHERE idx = 4", "log_leaves", "leaf 4"),
        ("DELETE FROM log WHERE idx = 16", "log_head", "size 17"),
        ("UPDATE log_head SET size = 16", "log_head", "size 16"),
        ("UPDATE log_nodes SET hash = zeroblob(32) WHERE idx = 1", "log_nodes", "node 1/1"),
        ("DELETE FROM log_nodes WHERE level = 2 AND idx = 3", "log_nodes", "node 2/3"),
        ("INSERT INTO log_nodes VALUES (1, 99, zeroblob(32))", "log_nodes", "node 1/99"),
        ("UPDATE checkpoints SET note = 'x' WHERE size = 14", "checkpoints", "size 14"),
        ("UPDATE checkpoints SET size = 13 WHERE size = 14", "checkpoints", "size 13"),
        ("UPDATE checkpoints SET size = 99 WHERE size = 14", "checkpoints", "size 99"),
        (
            "UPDATE checkpoints SET note = replace(note, '— jara.example/log', '— x')",
            "checkpoints",
            "size 17",
        ),
        ("DELETE FROM log_nodes WHERE level = 3", "checkpoints", "size 14"),
        ("UPDATE policies SET weights = replace(weights, '80', '79')", "policy_columns", "leaf 1"),
        ("UPDATE policies SET weights = '{}'", "policy_columns", "leaf 1"),
        ("DELETE FROM policies", "policy_columns", "leaf 1"),
        ("UPDATE entries SET day = '2026-01-01' WHERE idx = 3", "entry_columns", "leaf 3"),
        ("UPDATE entries SET id = 'x' WHERE idx = 3", "entry_columns", "leaf 3"),
        ("UPDATE entries SET external_id = 'x' WHERE idx = 3", "entry_columns", "leaf 3"),
        ("UPDATE entries SET true_day = '2025-12-31' WHERE idx = 3", "entry_columns", "leaf 3"),
        (
            """UPDATE entries SET foreign_doc = '{"amount_minor":1,"currency":"KES","rate":"1"}'
            WHERE idx = 3""",
            "entry_columns",
            "leaf 3",
        ),
        ("UPDATE entries SET foreign_doc = '{' WHERE idx = 3", "entry_columns", "leaf 3"),
        ("UPDATE log SET body = X'7B7D' WHERE idx = 3", "entry_columns", "leaf 3"),
        ("UPDATE postings SET day = '2026-01-01' WHERE entry = 3", "entry_columns", "leaf 3"),
        ("DELETE FROM entries WHERE idx = 6", "entry_columns", "leaf 6"),
        ("UPDATE entries SET idx = 99 WHERE idx = 6", "entry_columns", "leaf 99"),
        ("DELETE FROM postings WHERE entry = 13", "entry_columns", "leaf 13"),
        ("UPDATE postings SET cents = cents + 1 WHERE entry = 3 AND line = 0", "totals", None),
        ("UPDATE totals SET cents = cents + 1 WHERE account = 'assets:stripe'", "totals", None),
        ("UPDATE day_totals SET cents = 5 WHERE fund = 'staff'", "totals", None),
        ("UPDATE figures SET value = value + 1 WHERE name = 'electors'", "figures", "electors"),
        ("UPDATE electors SET dollars = 99", "figures", "changemakers"),
        ("DELETE FROM electors", "figures", "changemakers"),
        (
            "INSERT INTO lapsed_members SELECT member_key FROM electors LIMIT 1",
            "figures",
            "lapsed_members",
        ),
        ("UPDATE payments SET dispute = 'open' WHERE entry = 3", "figures", "contributions"),
        ("UPDATE payments SET returned_cents = 1 WHERE entry = 3", "payments", "leaf 3"),
        ("UPDATE payments SET returned_cents = 0 WHERE entry = 4", "payments", "leaf 4"),
        ("UPDATE payments SET cents = 1 WHERE entry = 3", "payments", "leaf 3"),
        ("DELETE FROM payments WHERE entry = 3", "payments", "leaf 3"),
        ("UPDATE commitments SET held_cents = 1", "commitments", "prop_01"),
        ("DELETE FROM commitments", "commitments", "prop_01"),
        ("UPDATE trace_lot SET cut = 1 WHERE seq = 1", "trace", "projects"),
        ("DELETE FROM trace_lot WHERE pool = 'staff'", "trace", "staff"),
        ("INSERT INTO trace_use VALUES ('staff', 0, 5, 'free', NULL)", "trace", "staff"),
        ("UPDATE trace_hole SET cents = cents + 1", "trace", "projects"),
        ("UPDATE entries SET kind = 'x' WHERE idx = 3", "trace", "entries"),
        ("DELETE FROM ballots WHERE log_index = 9", "ballot_columns", "leaf 9"),
        ("UPDATE ballots SET log_index = 99 WHERE log_index = 9", "ballot_columns", "leaf 99"),
        ("UPDATE ballots SET choice = 'down' WHERE log_index = 10", "ballot_columns", "leaf 10"),
        ("UPDATE ballots SET voter = 'x' WHERE log_index = 10", "ballot_columns", "leaf 10"),
        (
            "UPDATE proposals SET opened_index = 3 WHERE id = 'prop_03'",
            "proposal_columns",
            "leaf 16",
        ),
        ("UPDATE proposals SET closed_index = NULL", "proposal_columns", "leaf 12"),
        ("UPDATE proposals SET status = 'x' WHERE id = 'prop_01'", "proposal_columns", "leaf 2"),
        (
            "UPDATE proposals SET closed_index = 99 WHERE id = 'prop_01'",
            "proposal_columns",
            "leaf 99",
        ),
        ("UPDATE proposals SET title = 'x' WHERE id = 'prop_01'", "votes", "prop_01"),
        ("UPDATE proposals SET opened_index = NULL WHERE id = 'prop_03'", "votes", "prop_03"),
        ("INSERT INTO participations VALUES ('prop_02', 'x')", "votes", "prop_02"),
        ("UPDATE sealed_ballots SET proposal = 'prop_01'", "votes", "prop_01"),
        ("INSERT INTO dropped_ballots VALUES ('prop_01', 'x')", "votes", "prop_01"),
        ("INSERT INTO participations VALUES ('prop_03', 'x')", "votes", "prop_03"),
        ("UPDATE tallies SET yes = 5 WHERE proposal = 'prop_01'", "votes", "prop_01"),
        ("UPDATE ballots SET log_index = 1 WHERE log_index = 9", "votes", "prop_01"),
        ("UPDATE proposals SET status = 'rejected' WHERE id = 'prop_01'", "votes", "prop_01"),
        ("UPDATE proposals SET status = 'open' WHERE id = 'prop_01'", "votes", "prop_01"),
        ("UPDATE proposals SET closed_index = 12 WHERE id = 'prop_02'", "votes", "prop_02"),
        ("UPDATE proposals SET roll_size = 9 WHERE id = 'prop_01'", "votes", "prop_01"),
        ("DELETE FROM rolls", "votes", "prop_01"),
        ("UPDATE rolls SET voter = 'x' || voter", "votes", "prop_01"),
        ("UPDATE pledges SET member_id = 'x' WHERE id = 'pledge-ada'", "integrity", "database"),
    ],
)
def test_a_planted_corruption_is_found(
    context: Context, statement: str, check: str, where: str | None
) -> None:
    """The check made for the corruption names the place."""
    plant(context, statement)
    findings = found(context)

    assert check in findings
    assert where is None or where in findings[check]


def test_a_malformed_or_unbalanced_entry_is_found(context: Context) -> None:
    """Unbalanced postings and a malformed account are both named by entry."""
    with context.store.read() as work:
        first, second = work.journal.get(3).id, work.journal.get(5).id
    plant(
        context,
        "UPDATE postings SET cents = cents + 1 WHERE entry = 3 AND line = 0",
        "UPDATE postings SET account = 'nowhere' WHERE entry = 5 AND line = 0",
    )

    assert found(context)["entry_balances"] == {first, second}


def test_two_postings_cannot_hide_in_the_name_of_an_account(context: Context) -> None:
    """One row that imitates the text of two postings is found."""
    with context.store.read() as work:
        entry = work.journal.get(3).id
    plant(
        context,
        """UPDATE postings SET account = (SELECT account || '","' || fund || '",' || cents || '],["'
        FROM postings WHERE entry = 3 AND line = 0) || account WHERE entry = 3 AND line = 1""",
        "DELETE FROM postings WHERE entry = 3 AND line = 0",
    )

    assert found(context)["entry_balances"] == {entry}


def test_an_unknown_fund_is_found(context: Context) -> None:
    """An unknown fund is named, and the other checks still run."""
    plant(context, "UPDATE postings SET fund = 'party' WHERE entry = 3 AND account LIKE 'income:%'")

    assert {"entry_balances", "entry_columns", "totals", "trace"} <= set(found(context))


def test_twice_posted_and_twice_subscribed_are_found(context: Context) -> None:
    """A duplicate outside id or subscription is found even without the unique indexes."""
    for table in ("entries", "pledges"):
        plant(
            context,
            f"ALTER TABLE {table} RENAME TO old_{table}",
            f"CREATE TABLE {table} AS SELECT * FROM old_{table}",  # noqa: S608 - names of our own tables
        )
    plant(
        context,
        "UPDATE entries SET external_id = 'ch_ada' WHERE idx = 4",
        "UPDATE pledges SET subscription_id = 'sub_ada'",
    )
    findings = found(context)

    assert findings["subscriptions"] == {"sub_ada"}
    assert len(findings["outside_ids"]) == 1


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("UPDATE proposals SET doc = '{}' WHERE id = 'prop_01'", "votes"),
        ("UPDATE policies SET weights = 'x'", "policies"),
        ("UPDATE entries SET foreign_doc = '{}' WHERE idx = 3", "entries"),
    ],
)
def test_rows_that_cannot_be_read_are_found(context: Context, statement: str, check: str) -> None:
    """A broken row is a finding, and the other checks still run."""
    plant(context, statement)

    assert "rows" in found(context)[check]


def test_without_its_secrets_nothing_is_verified(context: Context) -> None:
    """A missing key is reported as such, not as a finding about the books."""
    assert isinstance(context.vault, SecretsFolder)
    (context.vault.folder / "log.key").unlink()
    # A new process has no key yet: a server that has signed already holds the log's key.
    begun = replace(context, vault=SecretsFolder(context.vault.folder))

    with pytest.raises(Unavailable, match="is missing"):
        verify_books(begun)


def test_progress_reaches_its_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row is counted."""
    monkeypatch.setattr(checks, "_ROWS_AT_ONCE", 10)
    context = copy_of(make_year, tmp_path)
    steps: list[int] = []
    totals: set[int] = set()

    def progress(rows: int, total: int) -> None:
        steps.append(rows)
        totals.add(total)

    found = verify_and_note(context, progress=progress)

    assert verify_books(context) == found
    assert found.ok
    (total,) = totals
    assert 0.8 * total <= sum(steps) <= 1.2 * total
    assert {10, found.entries} >= {step for step in steps if step >= 10}
