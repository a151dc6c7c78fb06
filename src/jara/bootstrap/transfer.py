"""Copies and restores a whole organisation, between files and servers."""

from __future__ import annotations

from pathlib import Path

from jara.bootstrap import Application
from jara.bootstrap.keys import refuse_encrypted
from jara.domain.errors import Unavailable
from jara.security.age import AgeDecryption, is_encrypted
from jara.security.keys import SecretsFolder
from jara.services.operations.backups import make_backup, restore_backup
from jara.services.organisation import INDEX_FINGERPRINT, SECRETS_FINGERPRINT
from jara.store.sqlite.database import SqliteDatabase
from jara.store.store import Store


def copy_organisation(source: Application, target: Application) -> None:
    """Copy a whole database into another that does not exist yet, or is empty.

    Raises:
        Conflict: the target is not empty; it was not changed.
        Unavailable: the copy differs from the source; it was discarded.
    """
    file = target.settings.database_file
    if file is not None:
        make_backup(source.context, file)
        return
    with source.database.transaction(write=False) as sql:
        target.database.fill(sql)


def restore_organisation(
    application: Application, backup: Path, *, decryption: AgeDecryption | None = None
) -> None:
    """Check a backup, and restore it to a place without a database.

    Raises:
        InvalidInput: the backup is encrypted and there is no identity, or the reverse.
        NotFound: there is no such backup.
        Conflict: a database exists already.
        Unavailable: the backup is damaged, or belongs to other secrets.
    """
    file = application.settings.database_file

    def check(draft: Path) -> None:
        _check_database(draft, application.secrets)

    if decryption is None and backup.is_file():
        refuse_encrypted(backup)
    unpack = None if decryption is None else decryption.decrypt_file
    if file is not None:
        restore_backup(backup, file, check=check, unpack=unpack)
        return
    with application.secrets.scratch() as folder:  # the backup itself is never written to
        draft = SqliteDatabase(folder / "jara.db")
        restore_backup(backup, Path(draft.path), check=check, unpack=unpack)
        try:
            with draft.transaction(write=False) as sql:
                application.database.fill(sql)
        finally:
            draft.close()


def restore_keys(
    secrets: SecretsFolder, source: Path, *, decryption: AgeDecryption | None = None
) -> None:
    """Restore the secrets folder from a file, which may be unencrypted even if the backup is not.

    Raises:
        InvalidInput: the file is encrypted and there is no identity.
        Conflict: the folder contains keys already.
        NotFound: there is no such file.
        Unavailable: the file is damaged, or for another identity.
    """
    if decryption is not None and source.is_file() and is_encrypted(source):
        secrets.restore(source, read=decryption.decrypt)
        return
    if source.is_file():
        refuse_encrypted(source)
    secrets.restore(source)


def _check_database(path: Path, secrets: SecretsFolder) -> None:
    """Check a database file before it is used.

    Raises:
        Unavailable: it is no Jara database, is corrupt, or belongs to a newer version or other
            secrets.
    """
    database = SqliteDatabase(path)
    try:
        findings = database.integrity_findings()
        with Store(database).read() as work:
            fingerprint = work.meta.get(SECRETS_FINGERPRINT)
            index = work.meta.get(INDEX_FINGERPRINT)
    finally:
        database.close()
    if findings:
        raise Unavailable(f"'{path.name}' is damaged: {findings[0]}.")
    # A backup of an earlier version has no fingerprint of the index key.
    own = index is None or index == secrets.index_fingerprint()
    if fingerprint != secrets.fingerprint() or not own:
        raise Unavailable(f"The secrets in {secrets.folder} are not those of this backup.")
