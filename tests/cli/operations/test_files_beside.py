"""Pictures and documents beside the database: backup, restore and doctor count them."""

import shutil
from pathlib import Path

import pytest

from tests.cli.giving_shell import GivingShell
from tests.files.pdf_files import a_pdf
from tests.postgres_server import PostgresServer


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """An organisation with a document that shows a milestone, and a logo."""
    jara.done("samples", "load")
    Path("minutes.pdf").write_bytes(a_pdf())
    project = jara.json("projects", "list")[0]["slug"]
    jara.done("projects", "milestone", project, "m1", "--title", "Done", "--due", "2030-01-01")
    jara.done("projects", "evidence", project, "m1", "minutes.pdf")
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"/></svg>'
    Path("logo.svg").write_text(svg)
    jara.done("organisation", "set", "--logo", "logo.svg")
    return jara


def check_of(shell: GivingShell) -> tuple[str, str]:
    """Return how bad the doctor finds the files, and what it says of them."""
    checks = shell.checks()
    found = [one for one in checks if one["name"] == "files"]
    return found[0]["level"], "; ".join(one["message"] for one in found)


def test_a_backup_names_left_out_files_with_their_size(shell: GivingShell) -> None:
    """The folder of documents, the keys unless they are written, and the settings."""
    Path("jara.toml").write_text('JARA_MAIL_FROM = "jara@example.org"\n')

    left = {one["what"]: one for one in shell.json("backup", "b.db")["leftOut"]}
    with_keys = shell.json("backup", "c.db", "--secrets", "c.keys")["leftOut"]

    media = Path("jara.media")
    assert left["Pictures and documents"]["place"] == str(media.absolute())
    assert left["Pictures and documents"]["files"] == len(list(media.iterdir())) == 2
    size = sum(one.stat().st_size for one in media.iterdir())
    assert left["Pictures and documents"]["bytes"] == size
    assert {"Keys", "Settings"} < left.keys()
    assert "Keys" not in {one["what"] for one in with_keys}
    assert "Not in the backup:" in shell.done("backup", "d.db")


def test_a_restore_without_the_folder_of_documents_says_so(shell: GivingShell) -> None:
    """The books are verified, and yet it ends with 1, and so does the doctor."""
    shell.done("backup", "b.db", "--secrets", "b.keys")
    shutil.move("jara.media", "old.media")
    shell.lose()

    status, out, err = shell.run("restore", "b.db", "--secrets", "b.keys", "--json")

    assert status == 1
    assert '"missingFiles": 2' in out
    assert "1 of 1 document that the database refers to" in err
    assert "Stop the old one first" in err
    assert check_of(shell)[0] == "error"
    shutil.move("old.media", "jara.media")
    assert check_of(shell) == (
        "ok",
        "The database refers to 1 picture and 1 document; all are there.",
    )


def test_a_restore_reads_each_file(shell: GivingShell) -> None:
    """A file whose bytes are others than its name says is named."""
    shell.done("backup", "b.db", "--secrets", "b.keys")
    (document,) = Path("jara.media").glob("*.pdf")
    document.write_bytes(a_pdf(text="other minutes"))

    rehearsed = shell.run("restore", "b.db", "--rehearsal", "test", "--json")

    assert rehearsed[0] == 1
    assert "Damaged in" in rehearsed[2]


def test_a_copy_elsewhere_names_the_files_that_stayed(shell: GivingShell) -> None:
    """The folder is beside the database; a copy in another place does not see it."""
    Path("there").mkdir()

    status, _, err = shell.run("db", "copy", "jara.db", "there/jara.db")

    assert status == 0
    assert "1 of 1 document that the database refers to" in err


def test_documents_move_with_the_database(jara: GivingShell, postgres: PostgresServer) -> None:
    """From SQLite to PostgreSQL and back, and from a backup."""
    (jara.folder / "invoice.pdf").write_bytes(a_pdf())
    gift = ("--debit", "assets:bank", "--credit", "income:grants", "--fund", "other")
    entry = jara.json("ledger", "post", *gift, "--amount", "9", "--document", "invoice.pdf")["id"]
    jara.done("backup", "b.db", "--secrets", "b.keys")
    url = postgres.create_database()
    jara.json("db", "copy", "jara.db", url)
    jara.json("db", "copy", url, "back.db")
    (jara.folder / "jara.db").unlink()

    require_document(jara, "back.db", entry)
    (jara.folder / "back.db").unlink()
    jara.done("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys")
    require_document(jara, "new/jara.db", entry)


def require_document(jara: GivingShell, database: str, entry: str) -> None:
    """Check that a database has the entry's document."""
    (row,) = jara.json("--db", database, "ledger", "documents", entry, "--out", "papers")
    assert (jara.folder / row["file"]).read_bytes() == a_pdf()
    jara.done("--db", database, "ledger", "verify")
