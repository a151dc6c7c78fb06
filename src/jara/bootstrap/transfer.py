"""Copies and restores a whole organisation, between files and servers."""

import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple

from jara.bootstrap import Application
from jara.bootstrap.keys import refuse_encrypted
from jara.config.loading import SETTINGS_FILE
from jara.config.settings import BESIDE_DATABASE, SETTING_NAMES, declared, variable_of
from jara.config.values import read_database_url
from jara.domain.errors import Conflict, JaraError, NotFound, Unavailable
from jara.domain.publiclog.witnessing import Seen
from jara.domain.texts import count_of
from jara.security.age import AgeDecryption, is_encrypted
from jara.security.files import FOLDER_MODE, alone_beside, scratch_folder
from jara.security.keys import SecretsFolder
from jara.services.audit import record_unattended
from jara.services.context import Context
from jara.services.operations.backups import restore_backup, write_whole
from jara.services.operations.handing_over import Installation
from jara.services.operations.stored_files import folder_size
from jara.services.operations.upkeep import CopiedDatabase, record_copy, upgrade
from jara.services.organisation import INDEX_FINGERPRINT, SECRETS_FINGERPRINT
from jara.services.publiclog.key_changes import finish_key_change
from jara.services.publiclog.restoring import CONTINUED, RestoredLog, compare_log
from jara.store.sql.database import Database
from jara.store.sqlite.database import SqliteDatabase
from jara.store.sqlite.rebuilding import rebuild
from jara.store.store import CLOSED, UNFINISHED, Store, open_database

_LEFT_OUT = (
    ("Pictures and documents", "media_dir", "Copy the folder too; pages refer to them."),
    ("Keys", "secrets_dir", "`jara backup FILE --secrets FILE` writes them; store them apart."),
    ("Emails as files", "mail_dir", "Copies of emails; keep them if no mail server sends them."),
    (
        "Newest checkpoints",
        "checkpoints_file",
        "`jara restore FILE --checkpoint FILE` shows what is lost.",
    ),
    ("Previews of pages", "previews_dir", "They are drawn again."),
    ("Tiles of the log", "tiles_dir", "`jara export tiles` writes them again."),
)
_SETTINGS = "Passwords and keys of other services, and places of this machine; keep a copy apart."


class LeftOut(NamedTuple):
    """Files of the organisation that are not in a backup."""

    what: str  # what they are
    place: str  # the folder or the file
    files: int  # how many there are
    bytes: int  # their size
    advice: str  # how they are kept


def list_left_out(
    application: Application, config: Path | None, *, has_keys: bool = False
) -> list[LeftOut]:
    """Return what belongs to an organisation and is not in its backup.

    `config` is the file of its settings; None for the usual one. With `has_keys`, the keys were
    written too.
    """
    settings = application.settings
    places = [(what, getattr(settings, name), advice) for what, name, advice in _LEFT_OUT]
    places.insert(2, ("Settings", (config or Path(SETTINGS_FILE)).absolute(), _SETTINGS))
    places = [place for place in places if not (has_keys and place[1] == settings.secrets_dir)]
    sizes = [
        LeftOut(what, str(place), *folder_size(place), advice)
        for what, place, advice in places
        if place is not None
    ]
    return [one for one in sizes if one.files]


def describe_installation(application: Application, config: Path | None) -> Installation:
    """Return what the settings and the disk say, for whoever takes over."""
    settings = application.settings
    secret = [name for name in SETTING_NAMES if declared(name)["secret"]]
    return Installation(
        settings_file=str(config or SETTINGS_FILE),
        passwords=[variable_of(name) for name in secret if settings.is_given(name)],
        recipients=len(settings.backup_to),
        left_out=[
            f"{one.what}, {count_of(one.files, 'file')}, {-(-one.bytes // 1000):,} kB, {one.place}"
            for one in list_left_out(application, config)
        ],
        database=settings.database_name,
        site_url=settings.site_url,
    )


def move_organisation(
    source: Application, target: Application, *, source_name: str, name: str
) -> CopiedDatabase:
    """Copy a database into another that does not exist yet, or is empty; close the source.

    Nobody can write into the source meanwhile, so nothing is lost between the two.

    Raises:
        Conflict: the target is not empty, or the source is closed; nothing was changed.
        Unavailable: the copy differs from the source, which stays open; delete the copy.
    """
    settings = source.settings
    with source.context.store.write() as work:
        if settings.database_file is None:
            # A copy may take longer than PostgreSQL lets a transaction wait.
            work.sql.run("SET LOCAL idle_in_transaction_session_timeout = 0")
        reader = open_database(settings.database_url, location=settings.database_name)
        try:
            _fill(reader, target)
        finally:
            reader.close()
        copied = record_copy(work, target.context, source_name=source_name, name=name)
        now_at = target.settings.database_name
        record_unattended(source.context, work, "database.move", now_at, logSize=copied.size)
        work.meta.put(
            CLOSED, f"The organisation moved to {now_at}; this database takes no more changes."
        )
    if source.secrets.has_keys():
        source.secrets.log_signer().note_database(now_at)
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

    The database is unusable until `continue_log` has finished the restore.

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
    state = {"file": backup.name, "sha256": _hash_of(backup)} if backup.is_file() else {}

    def build(plain: Path, draft: Path) -> list[str]:
        steps = rebuild(plain, draft)
        _check_secrets(draft, application.secrets)
        _mark_unfinished(draft, {**state, "isOlder": bool(steps)})
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
    """Restore the secrets folder from a file, unless it has these keys already.

    The file may be unencrypted even if the backup is not.

    Raises:
        InvalidInput: the file is encrypted and there is no identity.
        Conflict: the folder contains keys already.
        NotFound: there is no such file.
        Unavailable: the file is damaged, or for another identity.
    """
    read: Callable[[Path], bytes] = Path.read_bytes
    if decryption is not None and source.is_file() and is_encrypted(source):
        read = decryption.decrypt
    elif source.is_file():
        refuse_encrypted(source)
    if not (source.is_file() and secrets.has_keys() and secrets.is_same(source, read=read)):
        secrets.restore(source, read=read)


def restoring_alone(application: Application) -> AbstractContextManager[None]:
    """Keep other processes from restoring into the same place; they are refused."""
    return alone_beside(application.settings.secrets_dir)


def restore_with_keys(
    application: Application,
    file: Path,
    secrets: Path | None,
    decryption: AgeDecryption | None,
    read_seen: Callable[[], list[Seen]],
    *,
    is_lost: bool = False,
) -> list[Seen]:
    """Restore keys and database; if the database fails, remove the keys again.

    A restore that was interrupted goes on where it ended.

    What an older version stored in another form is converted, as by ``jara migrate``.

    Args:
        application: where to.
        file: the backup.
        secrets: the file of keys; None to use the keys that are there.
        decryption: decrypts the two, if they are encrypted.
        read_seen: reads what is known of the log; called once the keys are restored.
        is_lost: whether the operator says that the organisation's database is lost.

    Returns:
        What ``read_seen`` returned; nothing if the log was compared before an interruption.

    Raises:
        Conflict: the organisation runs in another database, or another backup was restored into
            this one, and that is not finished.
    """
    keys = application.secrets
    had_folder, had_keys = keys.folder.is_dir(), keys.has_keys()
    begun = _unfinished(application, file)
    if secrets is not None and begun is None:
        restore_keys(keys, secrets, decryption=decryption)
    application.context.store.accept_unfinished()
    try:
        _refuse_second(application, is_lost=is_lost)
        is_continued = begun is not None and CONTINUED in begun
        seen = [] if is_continued else read_seen()
        if begun is None:
            is_older = bool(restore_organisation(application, file, decryption=decryption))
        else:
            is_older = begun["isOlder"]
    except BaseException:
        if not had_keys:
            keys.destroy(keep_folder=had_folder)
        raise
    if is_older:
        upgrade(application.context)
    if is_continued:
        finish_key_change(application.context)
    return seen


def _refuse_second(application: Application, *, is_lost: bool) -> None:
    """Check that the organisation does not run in another database, which it would split."""
    keys, here = application.secrets, application.settings.database_name
    used = keys.signed_database()
    is_known = used is not None or keys.log_signer().place is not None
    if not is_known or used == here or (used is not None and _is_gone(used)):
        return
    rehearsal = "Test a backup with `jara restore FILE --rehearsal FOLDER`."
    if used is not None and _has_log_of(keys, used):
        raise Conflict(
            f"The organisation of this backup is in {used}, and two databases with one log would "
            f"stop each other. {rehearsal} To replace that database, move it away first."
        )
    if not is_lost:
        raise Conflict(
            f"The organisation of this backup was last in {used or 'an unknown database'}, which "
            f"cannot be opened. {rehearsal} If that database is lost, add --lost."
        )


def _is_gone(database: str) -> bool:
    return "://" not in database and not Path(database).exists()


def _has_log_of(keys: SecretsFolder, place: str) -> bool:
    """Return whether a database can be opened and belongs to these keys."""
    database = open_database(read_database_url(place), location=place)
    try:
        with Store(database).read() as work:
            return work.meta.get(SECRETS_FINGERPRINT) == keys.fingerprint()
    except JaraError:
        return False
    finally:
        database.close()


def rehearsal_settings(folder: Path) -> dict[str, object]:
    """Return the settings that keep everything of a rehearsal in its folder."""
    return {
        "database_url": str(folder / "jara.db"),
        "signer_dir": folder / "jara.signer",
        **{name: folder / file for name, file in BESIDE_DATABASE.items()},
    }


def rehearse_restore(
    live: Application,
    rehearsal: Application,
    file: Path,
    secrets: Path | None,
    decryption: AgeDecryption | None,
    known: Callable[[Context], list[Seen]],
) -> RestoredLog:
    """Restore a backup into a folder of its own, where nothing can be changed or signed.

    Args:
        live: the organisation in use, whose keys are copied unless there is a file of them.
        rehearsal: the application of the folder.
        file: the backup.
        secrets: the file of keys, or None.
        decryption: decrypts the two, if they are encrypted.
        known: reads further checkpoints that are known.

    Returns:
        The log in the backup, compared with what is known of it.

    Raises:
        Conflict: the folder is not empty.
    """
    folder = rehearsal.secrets.folder.parent
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Conflict(f"'{folder}' is not an empty folder; a rehearsal needs one of its own.")
    was_there = folder.is_dir()
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    try:
        if secrets is None:
            with scratch_folder(folder) as draft:
                live.secrets.export(draft / "keys")
                restore_keys(rehearsal.secrets, draft / "keys")
        else:
            restore_keys(rehearsal.secrets, secrets, decryption=decryption)
        is_older = bool(restore_organisation(rehearsal, file, decryption=decryption))
        rehearsal.context.store.accept_unfinished()
        if is_older:
            upgrade(rehearsal.context)
        seen = known(rehearsal.context)
        with rehearsal.context.store.write() as work:
            work.meta.put(UNFINISHED, "")
            work.meta.put(
                CLOSED,
                f"This is the rehearsal of a restore of {file.name}: it takes no changes and "
                "signs nothing.",
            )
            vault = live.context.vault if live.secrets.has_keys() else rehearsal.context.vault
            return compare_log(replace(rehearsal.context, vault=vault), work, seen)
    except BaseException:
        rehearsal.context.store.close()
        shutil.rmtree(folder)
        if was_there:
            folder.mkdir(mode=FOLDER_MODE)
        raise


def require_secrets(application: Application, secrets: str | None) -> None:
    """Check, before anything is written, that keys are not missing or overwritten."""
    folder = application.secrets.folder
    has_keys = application.secrets.has_keys()
    if secrets is None and not has_keys:
        raise NotFound(
            f"There are no secrets in {folder}, and nothing can be signed without the log key; "
            "use --secrets FILE, or copy the folder there."
        )
    if secrets is not None and not Path(secrets).is_file():
        raise NotFound(f"There is no file '{secrets}'.")


def _mark_unfinished(path: Path, state: Mapping[str, object]) -> None:
    database = SqliteDatabase(path)
    try:
        with Store(database).write() as work:
            work.meta.put(UNFINISHED, json.dumps(state))
    finally:
        database.close()


def _unfinished(application: Application, backup: Path) -> dict[str, Any] | None:
    """Return the state of an interrupted restore; None if the restore begins now.

    Raises:
        Conflict: another backup was restored.
    """
    store = Store(application.database)
    store.accept_unfinished()
    try:
        with store.read() as work:
            state: dict[str, Any] | None = json.loads(work.meta.get(UNFINISHED) or "null")
    except JaraError:
        return None  # there is no database yet
    if state is not None and not (backup.is_file() and state["sha256"] == _hash_of(backup)):
        raise Conflict(
            f"The restore of {state['file']} into this database is not finished: restore the same "
            "file, or delete this database."
        )
    return state


def _hash_of(file: Path) -> str:
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


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
    if (fingerprint, index) != (secrets.fingerprint(), secrets.index_fingerprint()):
        raise Unavailable(f"The secrets in {secrets.folder} are not those of this backup.")
