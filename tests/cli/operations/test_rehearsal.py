"""Testing a backup beside a live organisation, and what a restore must not do to it."""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from jara import jara_verify
from tests.cli.giving_shell import GivingShell
from tests.cli.operations.test_keeping import give_money
from tests.postgres_server import PostgresServer


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal in the folder of a live organisation, whose log is signed, with a backup."""
    jara.add()
    jara.done("proofs", "checkpoint", "--out", "kept.txt")
    jara.done("backup", "b.db", "--secrets", "b.keys")
    return jara


def live_state(shell: GivingShell) -> dict[str, bytes]:
    """Return what belongs to the live organisation but its database, by file."""
    places = [shell.folder / "jara.secrets", Path.home() / ".local/state/jara"]
    files = [one for place in places for one in sorted(place.rglob("*")) if one.is_file()]
    files += sorted(shell.folder.glob("jara.checkpoints*"))
    return {str(one): one.read_bytes() for one in files}


def require_well(shell: GivingShell) -> None:
    """Check that the live organisation signs, takes changes and is verified."""
    shell.add(f"m{len(list(shell.folder.iterdir()))}@example.org")
    shell.done("proofs", "checkpoint")
    assert shell.json("proofs", "status")["signer"] == "in_step"
    assert shell.json("ledger", "verify")["ok"]


@pytest.mark.parametrize("keys", [(), ("--secrets", "b.keys")])
def test_a_rehearsal_touches_nothing_of_the_live_organisation(
    shell: GivingShell, keys: tuple[str, ...]
) -> None:
    """It has files of its own, is verified, and takes no changes and no signatures."""
    shell.done("ledger", "import", give_money(shell), "--format", "csv")
    shell.done("proofs", "checkpoint")
    before = live_state(shell)

    answer = shell.json("restore", "b.db", *keys, "--rehearsal", "test")
    inside = ("--db", "test/jara.db")
    refused = shell.run(*inside, "members", "erase", "ama@example.org", "--why", "x", "--yes")
    signed = shell.run(*inside, "proofs", "checkpoint")
    shell.done(*inside, "proofs", "bundle", "ours.tar")

    assert (answer["ok"], answer["rehearsal"], answer["lostLeaves"]) == (True, True, 1)
    assert (refused[0], signed[0]) == (4, 4)
    assert "the rehearsal of a restore of b.db" in refused[2]
    assert shell.json(*inside, "ledger", "verify")["ok"]
    with redirect_stdout(StringIO()):
        assert jara_verify.main(["ours.tar", "--since", "kept.txt"]) == 0
    assert live_state(shell) == before
    require_well(shell)


def test_a_restore_beside_the_live_database_is_refused(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its folder, elsewhere with the file of keys, and with another folder for the signer."""
    before = live_state(shell)
    (shell.folder / "new").mkdir()
    tries = [
        ("--db", "restored.db", "restore", "b.db"),
        ("--db", "restored.db", "restore", "b.db", "--lost"),
        ("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys"),
    ]
    answers = [shell.run(*words) for words in tries]
    monkeypatch.setenv("JARA_SIGNER_DIR", str(shell.folder / "signer"))
    answers.append(shell.run(*tries[0]))
    monkeypatch.delenv("JARA_SIGNER_DIR")

    assert {status for status, _, _ in answers} == {4}
    assert all("--rehearsal" in err and str(shell.folder / "jara.db") in err for *_, err in answers)
    assert not (shell.folder / "restored.db").exists()
    assert list((shell.folder / "new").iterdir()) == []
    assert live_state(shell) == before
    require_well(shell)


def test_a_moved_folder_still_has_its_organisation(shell: GivingShell) -> None:
    """The database beside its secrets is the one of its name, wherever the folder was before."""
    moved = shell.folder / "moved"
    moved.mkdir()
    for file in [*shell.folder.glob("jara.db*"), shell.folder / "jara.secrets"]:
        file.rename(moved / file.name)
    restored = ("--db", "moved/restored.db", "restore", "b.db")

    refused, lost = shell.run(*restored), shell.run(*restored, "--lost")

    assert (refused[0], lost[0]) == (4, 4)
    assert f"is in {moved / 'jara.db'}" in refused[2]
    assert not (moved / "restored.db").exists()
    (moved / "jara.db").rename(moved / "old.db")
    assert shell.json(*restored)["ok"]


def test_a_lost_database_is_restored_in_its_place(shell: GivingShell) -> None:
    """The organisation goes on, also elsewhere, and the next rehearsal works there."""
    shell.lose()
    assert shell.json("--db", "moved.db", "restore", "b.db")["ok"]
    shell.done("--db", "moved.db", "proofs", "checkpoint")
    assert shell.json("--db", "moved.db", "restore", "b.db", "--rehearsal", "test")["ok"]
    assert shell.run("restore", "b.db")[0] == 4


def test_a_damaged_database_needs_a_word(shell: GivingShell) -> None:
    """A file that cannot be read may be the organisation; the operator says that it is lost."""
    shell.lose()
    (shell.folder / "jara.db").write_bytes(b"noise" * 1000)

    status, _, err = shell.run("--db", "new.db", "restore", "b.db")

    assert (status, "add --lost" in err) == (4, True)
    assert shell.json("--db", "new.db", "restore", "b.db", "--lost")["ok"]


def test_a_rehearsal_that_fails_leaves_no_folder(shell: GivingShell) -> None:
    """Nor does it touch a folder with something in it."""
    (shell.folder / "full").mkdir()
    (shell.folder / "full" / "letter.txt").write_text("mine")
    failed = shell.run("restore", "none.db", "--rehearsal", "test")
    refused = shell.run("restore", "b.db", "--rehearsal", "full")

    assert (failed[0], refused[0]) == (3, 4)
    assert not (shell.folder / "test").exists()
    assert [one.name for one in (shell.folder / "full").iterdir()] == ["letter.txt"]


COMMANDS = (
    (),
    ("members", "list"),
    ("doctor",),
    ("migrate",),
    ("init",),
    ("run", "daily"),
    ("ledger", "verify"),
    ("serve",),
)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_lost_database_is_to_be_restored(shell: GivingShell, words: tuple[str, ...]) -> None:
    """While its keys are there, every command says so, and none offers a new organisation."""
    shell.lose()
    _, out, err = shell.run(*words)

    assert "`jara restore FILE`" in " ".join((out + err).split())
    assert "jara init" not in out + err


def test_an_empty_server_is_to_be_filled_from_the_backup(
    shell: GivingShell, postgres: PostgresServer
) -> None:
    """Keys in the folder, and a database without tables."""
    shell.lose()
    _, _, err = shell.run("--db", postgres.create_database(), "members", "list")

    assert "`jara restore FILE`" in err
