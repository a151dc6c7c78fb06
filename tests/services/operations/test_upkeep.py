"""Maintenance of the installation is recorded; an exposed key is replaced."""

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.books.account import BANK, GRANTS
from jara.domain.books.journal import EntryKind
from jara.domain.errors import Conflict, Refused, Unavailable
from jara.records.operations import AuditRow
from jara.security.keys import SecretsFolder
from jara.services.books.bookkeeping import post_entry
from jara.services.books.entry_importing import FileEntry, import_entries
from jara.services.context import Context, Rules
from jara.services.members.operators import act_on_sandbox
from jara.services.notices.emails import queue_email
from jara.services.operations.operators import add_operator
from jara.services.operations.upkeep import record_copy, record_creation, send_now, upgrade
from jara.services.organisation import (
    SECRETS_FINGERPRINT,
    create_organisation,
    renew_token_key,
    require_own_secrets,
)
from jara.store.store import Store
from tests.harness import make_context, make_organisation
from tests.services.ballots.voting_world import open_vote
from tests.services.books.ledger_builders import a_move, give
from tests.services.news.news_world import Mailbox


def acts(context: Context) -> list[AuditRow]:
    """Return the audit log."""
    return context.store.read_once().operations.audit()


def test_a_migration_is_recorded(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record lists the steps; without steps nothing is recorded."""
    assert upgrade(context) == []
    assert acts(context) == []
    steps = ["m0002_one", "m0003_two"]
    monkeypatch.setattr(Store, "migrate", lambda _: steps)

    assert upgrade(context) == steps
    (act,) = acts(context)
    expected = ("tester", "database.migrate", {"steps": steps})
    assert (act.operator, act.action, act.after) == expected


def test_a_lost_index_key_is_never_replaced(context: Context, place: Path) -> None:
    """A new key could not find any stored hash; the old one must be restored."""
    (place / "secrets" / "index.key").unlink()
    begun = replace(context, vault=SecretsFolder(place / "secrets"))
    upgrade(begun)
    with context.store.read() as work, pytest.raises(Unavailable, match="is missing"):
        require_own_secrets(begun, work)
    begun.vault.make_index_key()
    with context.store.read() as work, pytest.raises(Unavailable, match="The index key"):
        require_own_secrets(begun, work)

    assert acts(context) == []


def test_a_copy_that_differs_is_refused(context: Context, tmp_path: Path) -> None:
    """A copy of other books is named, and nothing is recorded in it."""
    copy = make_organisation(tmp_path / "copy", seed="copy")
    give(copy, 1000)

    with context.store.read() as work, pytest.raises(Unavailable, match=r"'b\.db' differs from 'a"):
        record_copy(work, copy, source_name="a.db", name="b.db")
    assert "database.copy" not in {act.action for act in acts(copy)}


def test_beginning_is_recorded(context: Context) -> None:
    """The record names the operator who created the organisation."""
    record_creation(context)

    assert [(act.action, act.subject) for act in acts(context)] == [
        ("organisation.init", "jara.example/log")
    ]


def test_sending_is_recorded_when_something_was_sent(context: Context) -> None:
    """The record has the number of emails, and no names."""
    send_now(context, Mailbox())
    assert acts(context) == []
    with context.store.write() as work:
        queue_email(context, work, "receipt", address="ama@example.org", values={})

    assert send_now(context, Mailbox()).sent == 1
    assert acts(context)[-1].after == {"sent": 1, "failed": 0, "changed": []}
    assert "ama@" not in str(acts(context))


def test_a_stranger_does_nothing(context: Context) -> None:
    """An unlisted operator cannot move the sandbox."""
    add_operator(context, "tester")
    stranger = replace(context, operator="mallory")
    done: list[str] = []

    with pytest.raises(Refused):
        act_on_sandbox(stranger, "pledges.charge", lambda: done.append("charged"))
    assert done == []


def an_expense(cents: int) -> FileEntry:
    """Return an expense as read from a file."""
    entry = a_move(cents, "expenses:operations", external_id=f"bank-{cents}")
    return FileEntry(2, "e1", replace(entry, kind=EntryKind.EXPENSE))


def test_a_file_is_no_way_around_the_second_operator(place: Path) -> None:
    """Over the limit an imported expense is rejected, unless the books are empty."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))
    post_entry(context, a_move(5000, BANK, GRANTS, kind=EntryKind.GRANT))

    refused = import_entries(context, [an_expense(1000)])
    assert (refused.posted, len(refused.rejected)) == (0, 1)
    assert (
        "It spends $10.00, which needs another operator's approval" in refused.rejected[0].message
    )
    assert import_entries(context, [an_expense(999)]).posted == 1
    assert {"posted": 1, "skipped": 0, "rejected": 0}.items() <= acts(context)[-1].after.items()


def test_books_of_an_earlier_time_come_whole(place: Path) -> None:
    """An import into empty books needs no approval."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))

    assert import_entries(context, [an_expense(5000)]).posted == 1


def known(context: Context) -> str | None:
    """Return the fingerprint stored in the database."""
    return context.store.read_once().meta.get(SECRETS_FINGERPRINT)


def test_a_new_key_ends_every_session_and_no_proof(context: Context) -> None:
    """Database and folder have the new key; the log's own key stays."""
    before, log_key = known(context), context.vault.log_public_key()
    renew_token_key(context)

    assert before != known(context) == context.vault.fingerprint()
    assert log_key == context.vault.log_public_key()
    assert open_vote(context) == "prop_01"
    assert "keys.renew" in {act.action for act in context.store.read_once().operations.audit()}


def test_a_change_that_was_cut_off_is_gone_on_with(context: Context) -> None:
    """The change is completed if the database has the new key and the folder the old one."""
    with context.store.write() as work:
        work.meta.put(SECRETS_FINGERPRINT, context.vault.prepare_token_key())
    assert known(context) != context.vault.fingerprint()
    renew_token_key(context)

    assert known(context) == context.vault.fingerprint()


def test_foreign_secrets_are_not_adopted(context: Context, place: Path) -> None:
    """Otherwise a database could be connected to another log by mistake."""
    (place / "other").mkdir()
    other = replace(context, vault=make_context(place / "other", seed="other").vault)
    before = known(context)

    with pytest.raises(Unavailable, match="does not belong to this database"):
        renew_token_key(other)
    assert known(context) == before


def test_a_stranger_renews_nothing(context: Context) -> None:
    """An unlisted operator is refused, since renewal signs every member out."""
    add_operator(context, "tester")
    before = context.vault.fingerprint()

    with pytest.raises(Refused):
        renew_token_key(replace(context, operator="mallory"))
    assert context.vault.fingerprint() == before


def test_one_database_has_one_organisation(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that found the tables empty writes nothing if another was quicker."""
    monkeypatch.setattr(Store, "create", lambda _: None)

    with pytest.raises(Conflict, match="Another process made the organisation"):
        create_organisation(context)

    assert context.store.read_once().log.size() == 2
