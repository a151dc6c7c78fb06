"""Tests of payment modes: an organisation is sandbox, test or live for life."""

import os
import re
from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.services.organisation import PAYMENT_MODE
from jara.store.sqlite.database import SqliteDatabase
from tests.cli.giving_shell import GivingShell

WEBHOOK_SECRET = "whsec_Nobody7Kq2Zt9Vw4Lm1Xb6Hd3"
MODES = ("sandbox", "test", "live")
KEYS = ("SECRET_KEY", "PUBLISHABLE_KEY", "WEBHOOK_SECRET")


class Till:
    """A terminal whose payment keys can be changed."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Start without an organisation."""
        self._folder, self._patch, self._capsys = folder, patch, capsys
        self.shell: GivingShell

    def use_keys(self, mode: str) -> None:
        """Set the keys of a mode; the sandbox has no keys, and neither has ``none``, no cards."""
        for name in KEYS:
            self._patch.delenv(f"JARA_STRIPE_{name}", raising=False)
        self._patch.delenv("JARA_CARDS", raising=False)
        if mode == "none":
            self._patch.setenv("JARA_CARDS", "none")
        elif mode != "sandbox":
            for name, key in zip(
                KEYS, (f"sk_{mode}_x", f"pk_{mode}_x", WEBHOOK_SECRET), strict=True
            ):
                self._patch.setenv(f"JARA_STRIPE_{name}", key)

    def init(self, mode: str) -> GivingShell:
        """Create an organisation with the keys of a mode."""
        self.use_keys(mode)
        self.shell = GivingShell(self._folder, self._patch, self._capsys)
        return self.shell

    def edit(self, statement: str) -> None:
        """Change the database directly, without the program."""
        database = SqliteDatabase(self._folder / "jara.db")
        with database.transaction(write=True) as sql:
            sql.run(statement)
        database.close()

    def sandbox_objects(self) -> list[object]:
        """Return the objects that the sandbox wrote."""
        database = SqliteDatabase(self._folder / "jara.db")
        with database.transaction(write=False) as sql:
            found: list[object] = list(sql.all("SELECT * FROM sandbox_objects"))
        database.close()
        return found

    def mode(self) -> str | None:
        """Return the stored mode."""
        with build_from_environ(os.environ, any_mode=True).context.store.read() as work:
            return work.meta.get(PAYMENT_MODE)


@pytest.fixture
def till(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Till:
    """A terminal in an empty folder."""
    return Till(tmp_path, monkeypatch, capsys)


ADD = (
    *("members", "add", "--firstname", "A", "--lastname", "B", "--email", "a@example.org"),
    *("--country", "Ghana", "--password-stdin"),
)
READING = (
    ("members", "list"),
    ("members", "imports"),
    ("payments", "list"),
    ("payments", "ways", "list"),
    ("pledges", "list"),
    ("report", "impact"),
    ("policy", "show"),
    ("ledger", "balance"),
    ("ledger", "imports"),
    ("ledger", "waiting"),
    ("bank", "accounts", "list"),
    ("bank", "mappings", "list"),
    ("bank", "rules", "list"),
    ("bank", "waiting"),
    ("organisation", "show"),
    ("projects", "list"),
    (),
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("given", MODES)
def test_a_database_opens_with_the_keys_of_its_mode_only(till: Till, mode: str, given: str) -> None:
    """Missing keys and keys of another mode are refused, and the message says what to set."""
    shell = till.init(mode)

    till.use_keys(given)
    status, _, err = shell.run(*ADD, typed="correct-horse-8\n")

    assert till.mode() == mode
    assert shell.run("members", "list")[0] == 0
    assert (f"{mode}, keys missing" in shell.done()) == (given != mode)
    if given == mode:
        assert status == 0
        return
    assert status == 4
    for name in KEYS:
        assert f"JARA_STRIPE_{name}" in err
    assert (f"keys of {mode} mode" in err) == (mode != "sandbox")


@pytest.mark.parametrize(
    "words",
    [
        ADD,
        ("pledges", "charge"),
        (
            *("ledger", "post", "--debit", "expenses:operations", "--credit", "assets:bank"),
            *("--fund", "other", "--amount", "5", "--description", "Rent"),
        ),
        ("run", "daily"),
        ("serve",),
        ("samples", "load"),
        ("db", "copy", "jara.db", "other.db"),
    ],
)
def test_a_live_organisation_without_keys_does_nothing(till: Till, words: tuple[str, ...]) -> None:
    """A live server that loses its settings must not become a sandbox."""
    shell = till.init("live")
    till.use_keys("sandbox")

    assert shell.run(*words, typed="correct-horse-8\n")[0] == 4
    assert [shell.run(*one)[0] for one in READING] == [0] * len(READING)
    assert till.sandbox_objects() == []


def test_a_live_organisation_without_keys_keeps_its_clock(till: Till) -> None:
    """Commands that run without keys refuse `--now`: it is for sandbox organisations."""
    shell = till.init("live")
    till.use_keys("sandbox")
    assert shell.run("ledger", "balance")[0] == 0

    assert shell.run("--now", "2027-01-31", "ledger", "balance")[0] == 4


def test_samples_of_a_bank_stay_out_of_a_live_organisation(till: Till) -> None:
    """A live organisation takes neither sample statements nor their mapping."""
    shell = till.init("live")
    status, _, err = shell.run("samples", "bank", "s")

    assert (status, "are for organisations with sandbox payments" in err) == (4, True)
    assert shell.json("bank", "mappings", "list") == []
    assert not (shell.folder / "s").exists()


def test_in_an_emergency_a_copy_is_made_and_checked_without_keys(till: Till) -> None:
    """Reading, backup, restore and doctor work without keys, because they make no payments."""
    shell = till.init("live")
    till.use_keys("sandbox")

    shell.done("backup", "b.db", "--secrets", "b.keys")
    shell.done("ledger", "verify")
    shell.done("ledger", "export", "--out", "books.journal")
    shell.done("ledger", "balance")
    shell.done("proofs", "bundle", "books.tar")
    shell.done("restore", "b.db", "--rehearsal", "elsewhere")
    status, out, _ = shell.run("doctor", "--json")

    assert status == 1
    assert "payments are in live mode: set JARA_STRIPE_SECRET_KEY" in out


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, ("--host", "0.0.0.0")),  # noqa: S104 - what is to be refused
        ({}, ("--host", "::")),
        ({}, ("--host", "give.example.org")),
        ({"JARA_SITE_URL": "https://give.example.org"}, ()),
        ({"JARA_SITE_URL": "http://give.example.org"}, ()),
        ({"JARA_SITE_URL": "https://127.0.0.1"}, ()),
    ],
)
def test_a_sandbox_is_served_on_this_machine_only(
    till: Till, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], words: tuple[str, ...]
) -> None:
    """A sandbox on a public address needs an explicit option."""
    shell = till.init("sandbox")
    begun: list[str] = []
    monkeypatch.setattr(os, "execv", lambda _path, arguments: begun.extend(arguments))
    monkeypatch.setattr("jara_cli.commands.serve.require_free", lambda _place: None)
    for name in ("JARA_DATABASE_URL", "JARA_PUBLIC_SANDBOX"):
        monkeypatch.setenv(name, "")
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    status, _, err = shell.run("serve", *words)

    assert status == 4
    assert "--public-sandbox" in err
    assert begun == []
    assert shell.run("serve", *words, "--public-sandbox", "--behind-proxy")[0] == 0
    assert "jara_webapi" in begun
    assert os.environ["JARA_PUBLIC_SANDBOX"] == "true"


def test_the_server_refuses_to_start_without_a_webhook_secret(
    till: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the secret, events could be forged, or all of them would be lost."""
    shell = till.init("live")
    monkeypatch.delenv("JARA_STRIPE_WEBHOOK_SECRET")

    status, _, err = shell.run("serve")

    assert status == 4
    assert "Set JARA_STRIPE_WEBHOOK_SECRET" in err


@pytest.mark.parametrize("mode", ["test", "live"])
def test_samples_are_for_sandbox_organisations(till: Till, mode: str) -> None:
    """Visitors would take sample projects for real ones."""
    shell = till.init(mode)

    status, _, err = shell.run("samples", "load")

    assert status == 4
    assert "Samples are for sandbox organisations" in err
    assert shell.json("projects", "list") == []


WAY = (
    "payments",
    "ways",
    "set",
    "cash",
    "--account",
    "assets:bank",
    "--details",
    "At the office, Mondays",
)


def test_an_organisation_without_cards_is_a_real_one(
    till: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is served to everybody; until members can pay in some way, the doctor says so."""
    shell = till.init("none")
    monkeypatch.setattr("jara_cli.commands.serve.require_free", lambda _place: None)
    begun: list[str] = []
    monkeypatch.setattr(os, "execv", lambda _path, arguments: begun.extend(arguments))
    monkeypatch.setenv("JARA_SITE_URL", "https://give.example.org")

    assert till.mode() == "live"
    assert shell.run("serve", "--behind-proxy")[0] == 0
    assert "jara_webapi" in begun
    before: list[str] = []
    after: list[str] = []
    for found in (before, after):
        checks = shell.checks()
        found += [one["message"] for one in checks if one["name"] in {"ways", "payments"}]
        shell.done(*WAY)
    assert "This organisation takes no cards." in before
    assert "There is no way to pay; nobody can join: jara payments ways set --help" in before
    assert set(after) == {"This organisation takes no cards.", "Members pay by cash."}
    shell.done("run", "daily")
    assert not re.search("stripe|card", shell.done("ledger", "accounts", "list"), re.IGNORECASE)
    for words in (
        ("stripe", "adopt"),
        ("ledger", "reconcile"),
        ("payments", "ways", "set", "card", "--account", "assets:bank", "--details", "x"),
        ("payments", "receive", "10", "--from", "Efua", "--way", "card"),
    ):
        status, _, err = shell.run(*words)
        assert (status, "no cards" in err) == (4, True), err


@pytest.mark.parametrize(("given", "status"), [("live", 0), ("test", 4), ("sandbox", 4)])
def test_cards_can_be_added_to_an_organisation_without_them(
    till: Till, given: str, status: int
) -> None:
    """Only with live keys: it is a real one. Without the setting, the message names it."""
    shell = till.init("none")
    till.use_keys(given)

    found, _, err = shell.run(*ADD, typed="correct-horse-8\n")

    assert (found, "or JARA_CARDS=none if it takes no cards" in err) == (status, status != 0)


def test_cards_go_only_when_nobody_pays_by_card(till: Till) -> None:
    """The provider would go on charging; the message says how many, and what to do."""
    shell = till.init("live")
    shell.done(*ADD, typed="correct-horse-8\n")
    till.edit(
        "INSERT INTO pledges (member_id, id, dollars, billing_day, state, anchor_on, started_at, "
        "customer_id) SELECT id, 'p', 10, '1', 'active', '2026-11-20', '2026-11-20T12:00:00Z', "
        "'cus_1' FROM members"
    )
    till.use_keys("none")

    status, _, err = shell.run(*WAY)

    assert status == 4
    assert "1 pledge is paid by card" in err
    assert "jara pledges cancel MEMBER" in err
    till.edit("UPDATE pledges SET state = 'canceled'")
    shell.done(*WAY)
    assert "1 member with a customer at the provider" in shell.run("doctor", "--json")[1]
