"""Tests of `jara backup --to` and `jara restore --identity`."""

from pathlib import Path

import pytest
from pyrage import x25519

from tests.cli.giving_shell import GivingShell

BOB, EVE = x25519.Identity.generate(), x25519.Identity.generate()


@pytest.fixture
def shell(jara: GivingShell, tmp_path: Path) -> GivingShell:
    """A terminal with an organisation, the identities of two people, and a backup for both."""
    for name, identity in (("bob", BOB), ("eve", EVE), ("mallory", x25519.Identity.generate())):
        (tmp_path / name).write_text(f"# created: today\n{identity}\n")
    to = ("--to", str(BOB.to_public()), "--to", str(EVE.to_public()))
    assert jara.json("backup", "b.age", "--secrets", "k.age", *to)["encrypted"]
    return jara


@pytest.mark.parametrize("name", ["bob", "eve"])
def test_each_recipient_restores_database_and_keys(shell: GivingShell, name: str) -> None:
    """Each recipient can restore in an empty folder with the two files and their identity."""
    words = ("restore", "b.age", "--secrets", "k.age", "--identity", name)
    assert shell.json(*words, "--rehearsal", "test")["ok"]
    (shell.folder / "new").mkdir()
    shell.lose()
    assert shell.json("--db", "new/jara.db", *words)["ok"]
    assert b"log.key" not in (shell.folder / "k.age").read_bytes()


def test_the_settings_name_recipients_of_every_backup(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recipients can be a setting, and a typing error in it is refused."""
    monkeypatch.setenv("JARA_BACKUP_TO", f"{BOB.to_public()}, {EVE.to_public()}")
    assert shell.json("backup", "nightly")["encrypted"]

    monkeypatch.setenv("JARA_BACKUP_TO", "age1bob")
    status, _, err = shell.run("backup", "never")

    assert status == 2
    assert "JARA_BACKUP_TO" in err


def test_a_plain_backup_says_that_it_is_plain(shell: GivingShell) -> None:
    """A plain backup is allowed, and the command warns about it."""
    status, _, err = shell.run("backup", "b.db", "--secrets", "b.keys")

    assert status == 0
    assert "The backup is not encrypted" in err


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("b.age", "--secrets", "k.age"), 2, "'k.age' is encrypted; name the identity file"),
        (("b.age", "--secrets", "k.plain"), 2, "'b.age' is encrypted; name the identity file"),
        (("b.age", "--secrets", "k.age", "--identity", "mallory"), 5, "another identity than"),
        (("b.age", "--secrets", "k.age", "--identity", "none"), 3, "'none' cannot be read"),
        (("b.age", "--secrets", "k.age", "--identity", "b.db"), 2, "not an age identity file"),
        (("b.db", "--secrets", "k.plain", "--identity", "bob"), 2, "is not encrypted with age"),
        (("cut.age", "--secrets", "k.plain", "--identity", "bob"), 5, "damaged or incomplete"),
        (("none.age", "--secrets", "k.plain", "--identity", "bob"), 3, "no file 'none.age'"),
    ],
)
def test_a_failed_restore_prints_one_sentence(
    shell: GivingShell, words: tuple[str, ...], status: int, sentence: str
) -> None:
    """A failed restore prints one sentence and leaves no keys, database or draft."""
    shell.done("backup", "b.db", "--secrets", "k.plain")
    (shell.folder / "cut.age").write_bytes((shell.folder / "b.age").read_bytes()[:-100])
    place = shell.folder / "new"
    place.mkdir()
    shell.lose()

    found, _, err = shell.run("--db", "new/jara.db", "restore", *words)

    assert status == found, err
    assert sentence in err
    assert err.count("\n") == 1
    assert list(place.iterdir()) == []


def test_an_invalid_recipient_makes_no_backup(shell: GivingShell) -> None:
    """An invalid recipient stops the backup."""
    status, _, err = shell.run("backup", "c.age", "--to", "age1bob")

    assert status == 2
    assert "'age1bob' is not an age recipient" in err
    assert not (shell.folder / "c.age").exists()
