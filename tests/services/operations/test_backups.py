"""Backups: complete or absent, never overwriting, and usable for restoring."""

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from pyrage import x25519

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.voting.proposal import ProposalStatus
from jara.records.voting import ProposalRecord
from jara.security.age import AgeDecryption, AgeEncryption
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.backups import make_backup, restore_backup, votes_without_key
from jara.store.sqlite.database import SqliteDatabase
from jara.store.sqlite.rebuilding import rebuild
from jara.store.store import CLOSED, ReadOnlyStore, Store
from tests.domain.voting.voting_builders import a_proposal
from tests.harness import make_organisation
from tests.services.notices.noticed_members import pay


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """An organisation whose database is a file."""
    return make_organisation(tmp_path, database=tmp_path / "jara.db")


def test_a_backup_made_under_writes_can_be_gone_on_from(tmp_path: Path, context: Context) -> None:
    """The restored copy verifies, and its root is one that the log has had."""
    stop = threading.Event()

    def keep_giving() -> None:
        while not stop.is_set():
            pay(context, None)
        context.store.close()

    writers = [threading.Thread(target=keep_giving) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        pay(context, None)
        facts = make_backup(context, tmp_path / "backup.db")
    finally:
        stop.set()
        for writer in writers:
            writer.join()

    place = tmp_path / "elsewhere"
    place.mkdir()
    restore_backup(facts.file, place / "jara.db", build=rebuild)
    restored = replace(context, store=Store(SqliteDatabase(place / "jara.db")))
    verification = verify_books(restored)
    assert verification.findings == ()
    assert verification.entries >= 1
    assert facts.size_bytes == facts.file.stat().st_size
    with context.store.read() as work:
        assert verification.root == work.log.root(verification.size).hex()
        assert facts.root == work.log.root(facts.log_size).hex()
    assert facts.file.stat().st_mode & 0o777 == 0o600
    assert (place / "jara.db").stat().st_mode & 0o777 == 0o600
    restored.store.close()


def test_a_database_that_takes_no_changes_is_backed_up(tmp_path: Path, context: Context) -> None:
    """After a move, and where it is only read; the facts say why the audit log does not name it."""
    database = SqliteDatabase(tmp_path / "jara.db")
    read = make_backup(replace(context, store=ReadOnlyStore(database)), tmp_path / "read.db")
    database.close()
    with context.store.write() as work:
        work.meta.put(CLOSED, "It moved to another server.")
    moved = make_backup(context, tmp_path / "moved.db")

    assert read.unrecorded == "This organisation was opened to be read only."
    assert moved.unrecorded == "It moved to another server."
    for facts in (read, moved):
        with Store(SqliteDatabase(facts.file)).read() as work:
            assert (work.log.root().hex(), work.operations.audit()) == (facts.root, [])


def test_a_backup_never_overwrites(tmp_path: Path, context: Context) -> None:
    """The existing file stays unchanged, and no draft remains."""
    target = tmp_path / "backup.db"
    target.write_text("yesterday's")

    with pytest.raises(Conflict, match="exists already"):
        make_backup(context, target)

    assert target.read_text() == "yesterday's"
    assert list(tmp_path.glob(".*.part")) == []


def test_a_file_that_appears_meanwhile_is_not_overwritten(context: Context, tmp_path: Path) -> None:
    """Of two backups to one name at the same time, the second is refused."""
    target = tmp_path / "there.db"

    def somebody_else_was_quicker(plain: Path, draft: Path) -> list[str]:
        target.write_text("first")
        return rebuild(plain, draft)

    with pytest.raises(Conflict, match="exists already"):
        restore_backup(
            make_backup(context, tmp_path / "b.db").file,
            target,
            build=somebody_else_was_quicker,
        )

    assert target.read_text() == "first"


def test_a_backup_needs_its_folder(tmp_path: Path, context: Context) -> None:
    """A missing folder is not created, since its name may be a typo."""
    with pytest.raises(NotFound, match="no folder"):
        make_backup(context, tmp_path / "nowhere" / "backup.db")


def test_an_unwritable_file_is_named(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk leaves neither a file nor a draft, in both directions."""
    made = make_backup(context, tmp_path / "made.db").file

    def is_full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("jara.services.operations.backups.os.fsync", is_full)
    with pytest.raises(Unavailable, match="No space left"):
        make_backup(context, tmp_path / "backup.db")
    with pytest.raises(Unavailable, match="No space left"):
        restore_backup(made, tmp_path / "new.db", build=rebuild)

    assert {path.name for path in tmp_path.glob("*.db")} == {"jara.db", "made.db"}
    assert list(tmp_path.glob(".*")) == []


def test_a_backup_that_fails_its_check_is_not_put_in_place(
    context: Context, tmp_path: Path
) -> None:
    """The copy is checked before it gets the database's name."""
    made = make_backup(context, tmp_path / "made.db").file

    def refuse(plain: Path, draft: Path) -> list[str]:
        raise Unavailable("It is corrupt.")

    with pytest.raises(Unavailable):
        restore_backup(made, tmp_path / "new.db", build=refuse)

    assert not (tmp_path / "new.db").exists()


def test_restoring_changes_nothing_that_is_there(tmp_path: Path, context: Context) -> None:
    """A database is never replaced, and a missing backup is named."""
    made = make_backup(context, tmp_path / "made.db").file

    with pytest.raises(Conflict, match="exists already"):
        restore_backup(made, tmp_path / "jara.db", build=rebuild)
    with pytest.raises(NotFound, match=r"no file '.*missing\.db'"):
        restore_backup(tmp_path / "missing.db", tmp_path / "new.db", build=rebuild)


def test_open_votes_without_their_key_are_named(tmp_path: Path) -> None:
    """After a restore such a vote can only be withdrawn, so the operator must know."""
    context = make_organisation(tmp_path)
    proposal = a_proposal(status=ProposalStatus.OPEN)
    with context.store.write() as work:
        work.proposals.put(ProposalRecord(proposal, created_at=context.now()))

    assert votes_without_key(context) == [proposal.title]
    context.vault.make_ballot_key(proposal.id)
    assert votes_without_key(context) == []


BOB = x25519.Identity.generate()
PLAIN = b"SQLite format 3\0"
KILLED = """
import os, sys
from pathlib import Path
from jara.services.operations.backups import make_backup
from tests.harness import make_context

class Killer:
    def encrypt_file(self, source, target):
        target.write_bytes(b"age-encryption.org/v1 ...")
        os.kill(os.getpid(), 9)

folder = Path(sys.argv[1])
context = make_context(folder, database=folder / "jara.db")
make_backup(context, folder / "backups" / "b.db.age", encryption=Killer())
"""


def plain_files(folder: Path) -> list[Path]:
    """Return the files of a folder that contain an unencrypted database."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if path.read_bytes().startswith(PLAIN)]


def test_a_backup_does_not_show_in_which_order_rows_came(tmp_path: Path, context: Context) -> None:
    """The cells of a page are in key order, whatever the order of insertion."""
    names = [f"row-{number * 37 % 60:02d}" for number in range(60)]  # on one page
    for name in names:
        with context.store.write() as work:
            work.meta.put(name, "x")

    made = make_backup(context, tmp_path / "backup.db").file.read_bytes()

    places = [made.index(name.encode()) for name in sorted(names)]
    assert places == sorted(places, reverse=True)


def test_an_encrypted_backup_is_restored_with_the_identity(place: Path) -> None:
    """On both engines the file has the age format and decrypts to the database."""
    context = make_organisation(place)
    target = place / "b.db.age"
    facts = make_backup(context, target, encryption=AgeEncryption([str(BOB.to_public())]))
    (place / "bob.txt").write_text(f"{BOB}\n")

    assert context.store.read_once().log.root(facts.log_size).hex() == facts.root
    assert target.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert target.stat().st_size == facts.size_bytes
    assert target.stat().st_mode & 0o777 == 0o600
    assert plain_files(place) == []
    unpack = AgeDecryption(place / "bob.txt").decrypt_file
    restore_backup(target, place / "new.db", build=rebuild, unpack=unpack)
    assert plain_files(place) == [place / "new.db"]


def test_a_killed_backup_leaves_nothing_plain_beside_the_backups(
    context: Context, tmp_path: Path
) -> None:
    """The plain copy is only in the secrets folder, and the next backup deletes it."""
    (tmp_path / "backups").mkdir()

    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60, cwd=Path.cwd()
    )

    assert killed.returncode == -9
    assert plain_files(tmp_path / "backups") == []
    assert len(plain_files(tmp_path / "secrets")) == 1
    make_backup(
        context, tmp_path / "backups" / "c.db.age", encryption=AgeEncryption([str(BOB.to_public())])
    )
    assert plain_files(tmp_path) == [tmp_path / "jara.db"]


def test_the_draft_of_a_killed_restore_is_removed_by_the_next(
    context: Context, tmp_path: Path
) -> None:
    """The draft is beside the target database and readable only for its owner."""
    made = make_backup(context, tmp_path / "made.db").file
    (tmp_path / ".new.db.0123456789ab.part").write_text("left")
    (tmp_path / ".other.db.0123456789ab.part").write_text("of another")
    modes = []

    def look(plain: Path, draft: Path) -> list[str]:
        modes.append(draft.stat().st_mode & 0o777)
        return rebuild(plain, draft)

    restore_backup(made, tmp_path / "new.db", build=look)

    assert modes == [0o600]
    assert [path.name for path in tmp_path.glob(".*")] == [".other.db.0123456789ab.part"]


def test_a_damaged_backup_is_not_put_in_place(tmp_path: Path, context: Context) -> None:
    """Data written before the damage was detected is deleted."""
    encryption = AgeEncryption([str(BOB.to_public())])
    made = make_backup(context, tmp_path / "b.age", encryption=encryption).file
    made.write_bytes(made.read_bytes()[:-1])
    (tmp_path / "bob.txt").write_text(f"{BOB}\n")

    with pytest.raises(Unavailable, match=r"b\.age' is damaged or incomplete"):
        restore_backup(
            made,
            tmp_path / "new.db",
            build=rebuild,
            unpack=AgeDecryption(tmp_path / "bob.txt").decrypt_file,
        )

    assert plain_files(tmp_path) == [tmp_path / "jara.db"]
    assert list(tmp_path.glob(".*")) == []
