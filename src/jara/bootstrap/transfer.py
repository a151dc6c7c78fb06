"""Copies and restores a whole organisation, between files and servers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jara.bootstrap import Application
from jara.bootstrap.keys import refuse_encrypted
from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.publiclog.witnessing import Seen
from jara.security.age import AgeDecryption, is_encrypted
from jara.security.keys import SecretsFolder
from jara.services.audit import record_unattended
from jara.services.operations.backups import restore_backup, write_whole
from jara.services.operations.upkeep import CopiedDatabase, record_copy, upgrade
from jara.services.organisation import INDEX_FINGERPRINT, SECRETS_FINGERPRINT
from jara.store.sql.database import Database
from jara.store.sqlite.database import SqliteDatabase
from jara.store.sqlite.rebuilding import rebuild
from jara.store.store import CLOSED, Store, open_database


def move_organisation(
    source: Application, target: Application, *, source_name: str, name: str
) -> CopiedDatabase:
    """Copy a database into another that does not exist yet, or is empty; close the source.

    Nobody can write into the source meanwhile, so nothing is lost between the two.

    Raises:
        Conflict: the target is not empty, or the source is closed; nothing was changed.
        Unavailable: the copy differs from the source; it was discarded.
    """
    settings = source.settings
    with source.context.store.write() as work:
        reader = open_database(settings.database_url, location=settings.database_name)
        try:
            _fill(reader, target)
        finally:
            reader.close()
        copied = record_copy(work, target.context, source_name=source_name, name=name)
        place = target.settings.database_file
        now_at = target.settings.database_name if place is None else place.absolute()
        record_unattended(source.context, work, "database.move", str(now_at), logSize=copied.size)
        work.meta.put(
            CLOSED, f"The organisation moved to {now_at}; this database takes no more changes."
        )
    return copied


def _fill(reader: Database, target: Application) -> None:
    file = target.settings.database_file
    if file is not None:
        write_whole(file, Store(reader).backup)
        return
    with reader.transaction(write=False) as sql:
        target.database.fill(sql)


def restore_organisation(
    application: Application, backup: Path, *, decryption: AgeDecryption | None = None
) -> list[str]:
    """Restore the rows of a backup to a place without a database, in a schema of our own.

    Returns:
        The names of the steps that the backup of an older version lacked.

    Raises:
        InvalidInput: the backup is encrypted and there is no identity, or the reverse.
        NotFound: there is no such backup.
        Conflict: a database exists already.
        Unavailable: the backup is damaged, has something that is not Jara's, or belongs to
            other secrets.
    """
    file = application.settings.database_file

    def build(plain: Path, draft: Path) -> list[str]:
        steps = rebuild(plain, draft)
        _check_secrets(draft, application.secrets)
        return steps

    if decryption is None and backup.is_file():
        refuse_encrypted(backup)
    unpack = None if decryption is None else decryption.decrypt_file
    if file is not None:
        return restore_backup(backup, file, build=build, unpack=unpack)
    with application.secrets.scratch() as folder:  # the backup itself is never written to
        draft = SqliteDatabase(folder / "jara.db")
        steps = restore_backup(backup, Path(draft.path), build=build, unpack=unpack)
        try:
            with draft.transaction(write=False) as sql:
                application.database.fill(sql)
        finally:
            draft.close()
    return steps


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


def restore_with_keys(
    application: Application,
    file: Path,
    secrets: Path | None,
    decryption: AgeDecryption | None,
    read_seen: Callable[[], list[Seen]],
) -> list[Seen]:
    """Restore keys and database; if the database fails, remove the keys again.

    What an older version stored in another form is converted, as by ``jara migrate``.

    Returns:
        What ``read_seen`` returned; it is called once the keys are restored.
    """
    keys = application.secrets
    had_folder = keys.folder.is_dir()
    if secrets is not None:
        restore_keys(keys, secrets, decryption=decryption)
    try:
        if secrets is not None:
            _require_own_state(application)
        seen = read_seen()
        is_older = bool(restore_organisation(application, file, decryption=decryption))
    except BaseException:
        if secrets is not None:
            keys.destroy(keep_folder=had_folder)
        raise
    if is_older:
        upgrade(application.context)
    return seen


def _require_own_state(application: Application) -> None:
    """Check that a restored copy does not sign as an organisation that runs on this machine."""
    place = application.secrets.signs_here()
    if place is not None and application.settings.signer_dir is None:
        raise Conflict(
            f"The log's key has signed on this machine: {place}. For a rehearsal, set "
            "JARA_SIGNER_DIR to an empty folder. To put the organisation itself back, set it to "
            f"{place.parent}."
        )


def require_secrets(application: Application, secrets: str | None) -> None:
    """Check, before anything is written, that keys are not missing or overwritten."""
    folder = application.secrets.folder
    has_keys = (folder / "log.key").exists()
    if secrets is None and not has_keys:
        raise NotFound(
            f"There are no secrets in {folder}, and nothing can be signed without the log key; "
            "use --secrets FILE, or copy the folder there."
        )
    if secrets is not None and has_keys:
        raise Conflict(f"{folder} already contains keys; omit --secrets to use them.")
    if secrets is not None and not Path(secrets).is_file():
        raise NotFound(f"There is no file '{secrets}'.")


def _check_secrets(path: Path, secrets: SecretsFolder) -> None:
    """Check that a database belongs to these secrets.

    Raises:
        Unavailable: it belongs to others.
    """
    database = SqliteDatabase(path)
    try:
        with Store(database).read() as work:
            fingerprint = work.meta.get(SECRETS_FINGERPRINT)
            index = work.meta.get(INDEX_FINGERPRINT)
    finally:
        database.close()
    # A backup of an earlier version has no fingerprint of the index key.
    own = index is None or index == secrets.index_fingerprint()
    if fingerprint != secrets.fingerprint() or not own:
        raise Unavailable(f"The secrets in {secrets.folder} are not those of this backup.")
