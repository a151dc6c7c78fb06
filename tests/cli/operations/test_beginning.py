"""``jara init``, ``migrate``, ``seed`` and ``doctor``: from an empty folder to a site."""

import subprocess
import sys
from pathlib import Path

import pytest

from jara.domain.errors import Unavailable
from jara_cli.main import execute
from tests.cli.giving_shell import GivingShell
from tests.sizes import some


def test_init_makes_database_and_secrets_for_their_owner_alone(jara: GivingShell) -> None:
    """Only the owner can read the files of the database and the secrets."""
    assert (jara.folder / "jara.db").stat().st_mode & 0o777 == 0o600
    assert (jara.folder / "jara.secrets").stat().st_mode & 0o777 == 0o700
    assert jara.json("ledger", "verify")["ok"]


def test_init_touches_nothing_that_exists(jara: GivingShell) -> None:
    """``jara init`` never replaces an existing organisation."""
    before = (jara.folder / "jara.db").read_bytes()

    status, _, err = jara.run("init")

    assert status == 4
    assert "exists already; nothing was changed" in err
    assert (jara.folder / "jara.db").read_bytes() == before


def test_init_keeps_keys_that_are_there(jara: GivingShell) -> None:
    """``jara init`` does not use existing keys: a log key belongs to one log."""
    (jara.folder / "jara.db").unlink()

    status, _, err = jara.run("init")

    assert status == 4
    assert "contains the keys of an organisation" in err
    assert not (jara.folder / "jara.db").exists()


def test_init_needs_the_folder_of_the_database(jara: GivingShell) -> None:
    """``jara init`` does not create the database's folder, because its name may be a typo."""
    status, _, err = jara.run("--db", "nowhere/jara.db", "init")

    assert status == 3
    assert "There is no folder" in err


@pytest.mark.parametrize("had_folder", [True, False])
def test_init_leaves_nothing_half_made(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    had_folder: bool,
) -> None:
    """When `jara init` fails, it leaves neither database nor keys."""

    def fail(*args: object, **kwargs: object) -> None:
        raise Unavailable("The disk is full.")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jara.bootstrap.organisation.create_organisation", fail)
    if had_folder:
        (tmp_path / "jara.secrets").mkdir()

    assert execute(["init"]) == 5
    assert "The disk is full." in capsys.readouterr().err
    left = [path.name for path in tmp_path.rglob("*")]
    assert left == (["jara.secrets"] if had_folder else [])


_KILLED_IN = """
import os, pkgutil, sys
owner, name = sys.argv.pop(1), sys.argv.pop(1)
setattr(pkgutil.resolve_name(owner), name, lambda *_, **__: os._exit(9))
from jara_cli.main import run
run()
"""


STEPS = [
    ("jara.security.keys", "write_new"),  # the name of the log, after its keys
    ("jara.security.keys:KeyFolder", "make"),
    ("jara.store.sqlite.database:SqliteDatabase", "_apply_steps"),
    ("jara.services.organisation", "genesis_leaf"),  # the schema exists
    ("jara.services.organisation", "add_policy"),  # inside the transaction
]


@pytest.mark.parametrize(("owner", "name"), some(STEPS, 4))
def test_init_continues_after_a_kill(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    owner: str,
    name: str,
) -> None:
    """`jara init` continues after a crash at any step; until then other commands point to it."""
    monkeypatch.chdir(tmp_path)
    killed = subprocess.run([sys.executable, "-c", _KILLED_IN, owner, name, "init"], check=False)
    assert killed.returncode == 9
    assert any(tmp_path.iterdir())

    assert execute(["samples", "load"]) != 0
    assert "`jara init` creates one" in capsys.readouterr().err
    assert execute(["init"]) == 0
    assert execute(["ledger", "verify"]) == 0
    assert execute(["init"]) == 4


def test_keys_that_signed_are_not_used_for_another_log(jara: GivingShell) -> None:
    """Keys with a signature are not reused, even if an interrupted `jara init` marked them."""
    jara.done("proofs", "checkpoint")
    (jara.folder / "jara.db").unlink()
    (jara.folder / "jara.secrets" / "unfinished").touch()

    status, _, err = jara.run("init")

    assert status == 4
    assert "contains the keys of an organisation" in err


def test_migrate_reports_a_current_schema(jara: GivingShell) -> None:
    """Migrating a new database does nothing and says so."""
    assert jara.json("migrate")["steps"] == []
    status, _, err = jara.run("migrate")
    assert (status, err) == (0, "The schema is up to date.\n")


def test_migrate_makes_no_database(jara: GivingShell) -> None:
    """``jara migrate`` creates no database; only ``jara init`` does."""
    (jara.folder / "empty.db").touch()
    for name in ("none.db", "empty.db"):
        status, _, err = jara.run("--db", name, "migrate")
        assert status == 3
        assert "the organisation of" in err

    assert not (jara.folder / "none.db").exists()
    assert (jara.folder / "empty.db").read_bytes() == b""


def test_seed_reads_another_folder(jara: GivingShell) -> None:
    """Files in another folder replace the samples."""
    folder = jara.folder / "own"
    folder.mkdir()
    status, _, err = jara.run("samples", "load", "--from", "own")
    assert status == 3
    assert "contains no seed files" in err
    (folder / "regions.yaml").write_text(
        "- {id: africa, name: Africa, status: Active}\n", encoding="utf-8"
    )

    rows = jara.json("samples", "load", "--from", "own")

    assert {row["kind"]: row["added"] for row in rows} == {
        "regions": 1,
        "fixed-costs": 0,
        "proposals": 0,
        "partners": 0,
    }


def test_doctor_names_every_setting_and_hides_secrets(
    jara: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doctor shows each setting with its source, and never a password."""
    monkeypatch.setenv("JARA_SMTP_URL", "smtp://jara:hush@mail.example:587")
    jara.done("organisation", "set", "--address", "1 Main Street")

    document = jara.json("doctor")
    table = jara.done("doctor", "--settings")

    settings = {row["variable"]: row for row in document["settings"]}
    assert settings["JARA_PUBLIC_SANDBOX"]["value"] == "false"
    assert document["ok"]
    assert (settings["JARA_SMTP_URL"]["value"], settings["JARA_SMTP_URL"]["source"]) == (
        "(set)",
        "environment",
    )
    assert settings["JARA_SITE_URL"]["source"] == "default"
    assert set(document["checks"][0]) == {"name", "ok", "level", "message"}
    assert "hush" not in table
    assert "JARA_LIMIT_VOTE_MEMBER" in table


def test_doctor_says_no_when_something_is_wrong(jara: GivingShell) -> None:
    """A failed check says what to do and makes the exit status 1, also without a database."""
    (jara.folder / "jara.secrets").chmod(0o755)
    assert jara.run("doctor")[0] == 1

    status, out, _ = jara.run("--db", "none.db", "doctor")
    assert status == 1
    assert "the organisation of" in " ".join(out.split())


def test_doctor_shows_problems_first(jara: GivingShell) -> None:
    """Errors, warnings, then what is well; the settings only when asked for."""
    levels = [check["level"] for check in jara.checks()]
    table = jara.run("doctor")[1]

    assert levels == sorted(levels, key=["error", "warning", "ok"].index)
    assert levels.count("warning") > 1
    assert "JARA_DATABASE_URL" not in table
    assert table.splitlines()[2].split()[1] in {"error", "warning"}
