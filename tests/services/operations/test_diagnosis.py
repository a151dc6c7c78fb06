"""The doctor names each problem of an installation, and none in a correct one."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from jara.domain.organisation import IdentityPart, PaymentMode
from jara.records.operations import DatabaseFacts
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.notices.emails import queue_email
from jara.services.operations.backups import make_backup
from jara.services.operations.daily_run import Step, StepOutcome, run_daily
from jara.services.operations.diagnosis import is_well
from jara.services.operations.diagnosis_setup import CheckResult, Level
from jara.services.organisation import INDEX_FINGERPRINT
from jara.store.schema import latest_version
from tests.harness import clock_of, make_context, make_organisation
from tests.services.operations.doctor import WELL, LiveGateway, found, look


@dataclass(frozen=True)
class OtherStore:
    """A store that reports other facts about itself."""

    real: Any
    said: DatabaseFacts

    def facts(self) -> DatabaseFacts:
        """Return the given facts."""
        return self.said

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


SQLITE = {"engine": "SQLite", "engine_version": "3.51.3", "journal_mode": "wal"}


def with_facts(context: Context, **changes: Any) -> Context:
    """Return a context whose database reports other facts."""
    facts = context.store.facts()._replace(**changes)
    return replace(context, store=cast("Any", OtherStore(context.store, facts)))


@pytest.mark.parametrize("new_place", ["sqlite"], indirect=True)  # the tests' server is not durable
def test_a_correct_installation_has_no_findings(context: Context) -> None:
    """After the daily run: the sandbox, what is not published yet, operators without keys."""
    change_values(context, {IdentityPart.ADDRESS: "1 Main Street"})
    run_daily(context, [Step("a", lambda _: StepOutcome("done"))])

    results = look(context)

    assert is_well(results)
    warned = [r.name for r in results if r.level is not Level.OK]
    assert warned == ["payments", "operators", "links"]


def test_the_doctor_checks_durability_of_postgresql(context: Context) -> None:
    """PostgreSQL is checked for waiting on the disk; free space is the server's concern."""
    around = WELL._replace(free_bytes=None)
    server = {"engine": "PostgreSQL", "engine_version": "17.2 (Debian)"}

    sound = look(with_facts(context, **server, journal_mode="durable"), around)
    risky = look(with_facts(context, **server, journal_mode="fsync off"), around)

    assert found(sound, "engine") == (Level.OK, "PostgreSQL 17.2 (Debian).")
    assert {"disk", "journal"}.isdisjoint(result.name for result in sound)
    assert found(risky, "journal") == (
        Level.ERROR,
        "With fsync off, confirmed changes can be lost.",
    )


def test_a_missing_database_ends_the_examination(tmp_path: Path) -> None:
    """Checks that need the database are left out."""
    results = look(make_context(tmp_path, database=tmp_path / "none.db"))

    assert not is_well(results)
    assert (results[-1].level, results[-1].name) == (Level.ERROR, "database")
    assert "jara init" in results[-1].message


@pytest.mark.parametrize(
    ("changes", "name", "level"),
    [
        ({"unknown_variables": ("JARA_SMPT_URL",)}, "settings", Level.WARNING),
        ({"free_bytes": 10**8}, "disk", Level.ERROR),
        ({"free_bytes": 5 * 10**8}, "disk", Level.WARNING),
        ({"has_pdf": False}, "pdf", Level.OK),
        ({"sends_mail": False}, "mail", Level.WARNING),
        ({"retired_settings": {"JARA_X_URL": "x"}}, "settings", Level.WARNING),
    ],
)
def test_the_environment_is_inspected(
    context: Context, changes: dict[str, Any], name: str, level: Level
) -> None:
    """Misspelt settings, a full disk and an incomplete mail set-up are named."""
    assert level is found(look(context, WELL._replace(**changes)), name)[0]


def test_live_payments_are_fine(context: Context) -> None:
    """With Stripe there is no warning about the sandbox."""
    live = replace(context, gateway=LiveGateway())  # type: ignore[arg-type] # given by the test, by name

    assert found(look(live), "payments") == (Level.OK, "Payments go through stripe.")


def test_settings_of_another_mode_say_nothing_of_the_sandbox(context: Context) -> None:
    """A live organisation whose settings are missing is not called one of the sandbox."""
    other = replace(context, payment_mode=PaymentMode.LIVE)

    assert "payments" not in {one.name for one in look(other)}


@pytest.mark.parametrize(
    ("changes", "name", "level"),
    [
        ({"engine_version": "3.40.1"}, "engine", Level.ERROR),
        ({"journal_mode": "delete"}, "journal", Level.ERROR),
        ({"readable_by_others": True}, "permissions", Level.WARNING),
    ],
)
def test_a_risky_database_is_named(
    context: Context, changes: dict[str, Any], name: str, level: Level
) -> None:
    """An old SQLite can lose data; a database that others can read exposes personal data."""
    on_file = with_facts(context, **{**SQLITE, **changes})
    assert level is found(look(on_file), name)[0]


def test_another_engine_has_no_sqlite_version(context: Context) -> None:
    """The SQLite version is checked only for SQLite."""
    other = with_facts(context, engine="PostgreSQL", engine_version="17.2")

    assert "engine" not in {result.name for result in look(other)}


def test_a_file_tells_the_truth_about_itself(tmp_path: Path) -> None:
    """A real file reports WAL, the newest version, and who may read it."""
    context = make_organisation(tmp_path, database=tmp_path / "jara.db")
    (tmp_path / "jara.db").chmod(0o644)

    facts = context.store.facts()

    assert (facts.engine, facts.journal_mode, facts.schema_version) == (
        "SQLite",
        "wal",
        latest_version(),
    )
    assert facts.readable_by_others
    assert facts.size_bytes == (tmp_path / "jara.db").stat().st_size or facts.size_bytes > 0


def test_foreign_secrets_are_named(context: Context, tmp_path: Path) -> None:
    """Signing with another key would break every proof."""
    (tmp_path / "other").mkdir()
    other = replace(context, vault=make_context(tmp_path / "other", seed="other").vault)

    assert Level.ERROR is found(look(other), "secrets")[0]


def test_an_index_key_of_another_database_is_named(context: Context) -> None:
    """A wrong key finds no hashes."""
    with context.store.write() as work:
        work.meta.put(INDEX_FINGERPRINT, "other")
    assert "index key belongs to another" in found(look(context), "secrets")[1]


def test_secrets_that_others_read_are_named(context: Context, place: Path) -> None:
    """The doctor reports the findings of the secrets folder."""
    (place / "secrets").chmod(0o755)

    assert "can be read by others" in found(look(context), "secrets")[1]


def test_missing_secrets_are_an_answer_and_no_crash(context: Context, place: Path) -> None:
    """The other checks still run."""
    (place / "secrets" / "log.key").unlink()

    results = look(context)

    assert Level.ERROR is found(results, "secrets")[0]
    assert Level.OK is found(results, "votes")[0]


def test_live_payments_need_https_and_mail(context: Context) -> None:
    """With real money, plain HTTP or missing email is an error; in a sandbox it is not."""
    live = replace(context, gateway=LiveGateway())  # type: ignore[arg-type] # given by the test, by name
    safe = replace(live, rules=live.rules._replace(site_url="https://jara.example"))

    assert Level.OK is found(look(context), "site")[0]
    assert Level.ERROR is found(look(live), "site")[0]
    assert Level.OK is found(look(safe), "site")[0]
    assert Level.ERROR is found(look(safe, WELL._replace(sends_mail=False)), "mail")[0]


@pytest.mark.parametrize(
    ("network", "level"),
    [
        ("127.0.0.1/32", Level.OK),
        ("10.0.0.0/8", Level.OK),
        ("fd00::/8", Level.OK),
        ("198.18.0.0/16", Level.OK),
        ("93.184.0.0/16", Level.OK),
        ("0.0.0.0/0", Level.ERROR),
        ("::/0", Level.ERROR),
        ("93.0.0.0/8", Level.ERROR),
        ("2600::/32", Level.ERROR),
    ],
)
def test_a_wide_proxy_network_is_an_error(context: Context, network: str, level: Level) -> None:
    """A trusted proxy network that is too wide lets clients choose their own address."""
    around = WELL._replace(trusted_proxies=(network,))

    assert level is found(look(context, around), "proxies")[0]


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"media_problem": "The media folder is a file."}, "media"),
        ({"exposed_settings": "jara.toml"}, "settings"),
    ],
)
def test_files_in_the_wrong_state_are_named(
    context: Context, changes: dict[str, Any], name: str
) -> None:
    """Keys that everybody can read, and evidence that could not be stored, are named."""
    assert Level.ERROR is found(look(context, WELL._replace(**changes)), name)[0]


def test_refused_emails_are_named(context: Context) -> None:
    """They wait for nothing, so they are not among the emails that keep failing."""
    with context.store.write() as work:
        queue_email(context, work, "receipt", address="ama@example.org", values={})
        (email,) = work.outbox.all()
        work.outbox.refused(email.id, reason="No such mailbox.", at=context.now())

    assert [one for one in look(context) if one.name == "outbox"] == [
        CheckResult(
            "outbox", Level.WARNING, "Emails that a mail server refused: 1; jara mail outbox"
        )
    ]


def test_a_missing_or_old_backup_is_named(context: Context, tmp_path: Path) -> None:
    """Only an installation with real money needs a backup."""
    live = replace(context, gateway=LiveGateway())  # type: ignore[arg-type] # given by the test, by name
    assert "backup" not in {result.name for result in look(context)}
    assert "No backup has been made" in found(look(live), "backup")[1]
    make_backup(context, tmp_path / "b.db")
    assert Level.OK is found(look(live), "backup")[0]
    clock_of(context).advance(days=3)
    assert Level.WARNING is found(look(live), "backup")[0]
