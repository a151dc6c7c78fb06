"""Tests of backups that are rewritten and encrypted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pyrage import x25519

from jara.domain.errors import Unavailable
from jara.security.age import AgeDecryption, AgeEncryption
from jara.services.context import Context
from jara.services.operations.backups import make_backup, restore_backup
from jara.store.sqlite.rebuilding import rebuild
from tests.harness import make_organisation
from tests.services.operations.test_backups import on_disk

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


def test_a_backup_does_not_show_in_which_order_rows_came(tmp_path: Path) -> None:
    """The cells of a page are in key order, whatever the order of insertion."""
    context = on_disk(tmp_path)
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

    with context.store.read() as work:
        assert work.log.root(facts.log_size).hex() == facts.root
    assert target.read_bytes().startswith(b"age-encryption.org/v1\n")
    assert target.stat().st_size == facts.size_bytes
    assert target.stat().st_mode & 0o777 == 0o600
    assert plain_files(place) == []
    unpack = AgeDecryption(place / "bob.txt").decrypt_file
    restore_backup(target, place / "new.db", build=rebuild, unpack=unpack)
    assert plain_files(place) == [place / "new.db"]


def test_a_killed_backup_leaves_nothing_plain_beside_the_backups(tmp_path: Path) -> None:
    """The plain copy is only in the secrets folder, and the next backup deletes it."""
    context = on_disk(tmp_path)
    (tmp_path / "backups").mkdir()

    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=60, cwd=Path.cwd()
    )

    assert killed.returncode == -9
    assert plain_files(tmp_path / "backups") == []
    assert len(plain_files(tmp_path / "secrets")) == 1
    make_backup(
        context,
        tmp_path / "backups" / "c.db.age",
        encryption=AgeEncryption([str(BOB.to_public())]),
    )
    assert plain_files(tmp_path) == [tmp_path / "jara.db"]


def test_the_draft_of_a_killed_restore_is_removed_by_the_next(tmp_path: Path) -> None:
    """The draft is beside the target database and readable only for its owner."""
    context: Context = on_disk(tmp_path)
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


def test_a_damaged_backup_is_not_put_in_place(tmp_path: Path) -> None:
    """Data written before the damage was detected is deleted."""
    context = on_disk(tmp_path)
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
