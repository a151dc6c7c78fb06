"""Copying and restoring a whole organisation, between files and servers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from jara.bootstrap import Application
from jara.domain.errors import Unavailable
from jara.security.keys import SecretsFolder
from jara.services.operations.backups import make_backup, restore_backup
from jara.services.organisation import SECRETS_FINGERPRINT
from jara.store.sqlite.database import SqliteDatabase
from jara.store.unit_of_work import SqlStore


def copy_organisation(source: Application, target: Application) -> None:
    """Put everything of one database into another that is not yet, or is empty.

    Raises:
        Conflict: the target holds something; it was left alone.
        Unavailable: what arrived is not what was sent; nothing of it was kept.
    """
    file = target.settings.database_file
    if file is not None:
        make_backup(source.context, file)
        return
    with source.database.transaction(write=False) as sql:
        target.database.fill(sql)


def restore_organisation(application: Application, backup: Path) -> None:
    """Put a backup where there is no database yet, once it was looked at.

    Raises:
        NotFound: there is no such backup.
        Conflict: there is a database already.
        Unavailable: the backup is not sound, or belongs to other secrets.
    """
    file = application.settings.database_file

    def check(draft: Path) -> None:
        _check_database(draft, application.secrets)

    if file is not None:
        restore_backup(backup, file, check=check)
        return
    with TemporaryDirectory() as folder:  # so that nothing is written to the backup itself
        draft = SqliteDatabase(Path(folder) / "jara.db")
        restore_backup(backup, Path(draft.path), check=check)
        try:
            with draft.transaction(write=False) as sql:
                application.database.fill(sql)
        finally:
            draft.close()


def _check_database(path: Path, secrets: SecretsFolder) -> None:
    """Look at a database file before it is trusted.

    Raises:
        Unavailable: it is none of ours, corrupt, of a newer program, or of other secrets.
    """
    database = SqliteDatabase(path)
    try:
        findings = database.integrity_findings()
        with SqlStore(database).read() as work:
            fingerprint = work.meta.get(SECRETS_FINGERPRINT)
    finally:
        database.close()
    if findings:
        raise Unavailable(f"'{path.name}' is damaged: {findings[0]}.")
    if fingerprint != secrets.fingerprint():
        raise Unavailable(f"The secrets in {secrets.folder} are not those of this backup.")
