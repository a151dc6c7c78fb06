"""``jara backup``, ``restore``, ``run``, ``operators``, ``approvals`` and ``mail``."""

import os

import pytest

from jara.bootstrap import Application, build_from_environ
from jara.domain.email_kinds import KINDS
from jara.services.notices.emails import queue_email
from jara.store.sqlite.database import SqliteDatabase
from tests.cli.giving_shell import GivingShell


def open_here(**settings: str) -> Application:
    """Open the organisation of the working folder."""
    return build_from_environ({**os.environ, "JARA_OPERATOR": "tester"}, overrides=settings)


def test_a_backup_is_restored_elsewhere_and_verified(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the secrets file, a backup can be restored and used in another folder."""
    jara.done("samples", "load")
    backup = jara.json("backup", "b.db", "--secrets", "b.keys")
    jara.lose()
    place = jara.folder / "elsewhere"
    place.mkdir()
    monkeypatch.chdir(place)

    status, out, err = jara.run("restore", "../b.db", "--secrets", "../b.keys", "--json")

    assert status == 0
    assert f'"root": "{backup["root"]}"' in out
    assert '"ok": true' in out
    assert "Beekeeping kits" in err
    assert "can only be withdrawn" in err
    assert (jara.folder / "b.keys").stat().st_mode & 0o777 == 0o600
    assert jara.run("restore", "../b.db")[0] == 4


def test_a_backup_without_secrets_says_so(jara: GivingShell) -> None:
    """A backup without its secrets prints a warning."""
    status, _, err = jara.run("backup", "b.db")

    assert status == 0
    assert "does not contain the keys" in err
    assert jara.run("backup", "b.db")[0] == 4


def test_a_file_of_secrets_is_never_overwritten(jara: GivingShell) -> None:
    """A backup never overwrites a file of secrets, and then writes nothing."""
    (jara.folder / "b.keys").write_text("older keys")

    assert jara.run("backup", "b.db", "--secrets", "b.keys")[0] == 4
    assert not (jara.folder / "b.db").exists()


def test_restoring_without_any_keys_is_refused_at_once(jara: GivingShell) -> None:
    """A restore without keys is refused before it writes anything."""
    jara.done("backup", "b.db", "--secrets", "b.keys")
    place = jara.folder / "new"
    place.mkdir()
    jara.lose()

    for words, status, part in (
        # The secrets are beside the database, so the new folder has none.
        (["restore", "b.db"], 3, "There are no secrets"),
        (["restore", "b.db", "--secrets", "none.keys"], 3, "none.keys"),
        (["restore", "none.db", "--secrets", "b.keys"], 3, "none.db"),
        (["restore", "b.keys", "--secrets", "b.keys"], 5, "b.keys is not a database, or is"),
    ):
        got, _, err = jara.run("--db", "new/jara.db", *words)
        assert (got, part in err) == (status, True), err
    assert list(place.iterdir()) == []


def test_restoring_over_other_keys_is_refused(jara: GivingShell) -> None:
    """A restore uses existing keys, if they are those of the file, and never replaces them."""
    jara.done("backup", "b.db", "--secrets", "b.keys")
    jara.lose()
    keys = (jara.folder / "b.keys").read_text()
    (jara.folder / "other.keys").write_text(keys.translate(str.maketrans("01", "10")))

    assert jara.run("restore", "b.db", "--secrets", "other.keys")[0] == 4
    assert jara.json("restore", "b.db", "--secrets", "b.keys")["ok"]


def test_a_backup_of_another_organisation_is_not_put_in_place(jara: GivingShell) -> None:
    """If keys and database do not belong together, the restore leaves neither."""
    jara.done("backup", "b.db")
    place = jara.folder / "other"
    place.mkdir()
    jara.done("--db", "other/jara.db", "init")
    jara.done("--db", "other/jara.db", "backup", "o.db", "--secrets", "o.keys")
    (jara.folder / "new").mkdir()
    jara.lose("other/jara.db")

    status, _, err = jara.run("--db", "new/jara.db", "restore", "b.db", "--secrets", "o.keys")

    assert status == 5
    assert "not those of this backup" in err
    assert list((jara.folder / "new").iterdir()) == []


def test_a_backup_that_was_tampered_with_is_found_out(jara: GivingShell) -> None:
    """A restore verifies the books; tampering makes the exit status 1 and is described."""
    jara.done("ledger", "import", give_money(jara), "--format", "csv")
    jara.done("backup", "b.db", "--secrets", "b.keys")
    database = SqliteDatabase(jara.folder / "b.db")
    with database.transaction(write=True) as sql:
        sql.run("UPDATE totals SET cents = cents + 1")
    database.close()
    (jara.folder / "new").mkdir()
    jara.lose()

    status, _, err = jara.run("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys")

    assert status == 1
    assert "The total of assets:bank" in err


def test_a_daily_run_has_a_line_for_each_step(jara: GivingShell) -> None:
    """A second run does nothing again; the status is 0 if every step succeeded."""
    first, second = jara.json("run", "daily"), jara.json("run", "daily")

    assert [row["step"] for row in first] == [row["step"] for row in second]
    assert all(row["ok"] for row in first + second)
    assert set(first[0]) == {"step", "ok", "message", "counts"}
    assert "checkpoint" in jara.done("run", "daily")


def test_a_failed_step_exits_with_1(jara: GivingShell) -> None:
    """A failed step makes the status 1, and the other steps still run."""
    (jara.folder / "jara.mail").write_text("in the way")
    write_somebody()

    status, out, _ = jara.run("run", "daily", "--json")

    assert status == 1
    assert '"step": "books"' in out


def write_somebody() -> None:
    """Put an email into the outbox."""
    context = open_here().context
    with context.store.write() as work:
        values = {"firstname": "Ama", "language": "en"}
        queue_email(context, work, "account_closed", address="ama@example.org", values=values)
    context.store.close()


def test_mail_to_a_server_that_is_away_fails(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status is 1, and the outbox keeps the email and the reason of the failure."""
    write_somebody()
    monkeypatch.setenv("JARA_SMTP_URL", "smtp://127.0.0.1:1")
    jara.done("organisation", "set", "--address", "1 Main Street, Toronto")

    assert jara.run("mail", "send")[0] == 1
    (email,) = jara.json("mail", "outbox")
    assert "cannot be reached" in email["failure"]


def test_emails_can_be_previewed(jara: GivingShell) -> None:
    """A preview is text, HTML or JSON; without a name it is the list of all kinds."""
    assert jara.done("mail", "preview", "receipt").startswith("Subject: Receipt for")
    assert jara.done("mail", "preview", "receipt", "--html").startswith("<!doctype html>")
    assert set(jara.json("mail", "preview", "welcome")) == {"name", "subject", "text", "html"}
    french = jara.done("mail", "preview", "receipt", "--language", "fr")
    assert french.startswith("Subject: Reçu pour votre paiement de 10,00")
    kinds = {kind["name"]: kind for kind in jara.json("mail", "preview", "--language", "fr")}
    assert list(kinds) == list(KINDS)
    assert kinds["receipt"]["about"] == "Nous envoyons un reçu pour chacun de vos paiements."
    assert "We send a receipt for each payment of yours." in jara.done("mail", "preview")
    status, _, err = jara.run("mail", "preview", "receipt", "--language", "xx")
    assert (status, "no texts in 'xx'; the languages are en, fr" in err) == (3, True)
    status, _, err = jara.run("mail", "preview", "love")
    assert status == 3
    assert "vote_opened" in err


def give_money(jara: GivingShell) -> str:
    """Write a file with a grant of $10."""
    path = jara.folder / "grant.csv"
    path.write_text(
        "entry,date,description,account,fund,amount,reference\n"
        "g1,2026-11-01,Grant received,assets:bank,projects,10.00,\n"
        "g1,2026-11-01,Grant received,income:grants,projects,-10.00,\n",
        encoding="utf-8",
    )
    return path.name
