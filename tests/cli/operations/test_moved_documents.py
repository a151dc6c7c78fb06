"""Documents of entries move with the database, and come back from a backup."""

from tests.cli.giving_shell import GivingShell
from tests.files.pdf_files import a_pdf
from tests.postgres_server import PostgresServer


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
