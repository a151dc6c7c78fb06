"""Backups: the whole database in one file, rewritten, written completely or not at all.

Backups never contain ballot keys; they are destroyed 14 days after the vote. The other
keys go into a second file, which must be stored separately.
"""

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from jara.domain.errors import Conflict, NotFound, Unavailable
from jara.domain.progress import Progress, no_progress
from jara.domain.voting.proposal import ProposalStatus
from jara.security.age import AgeEncryption
from jara.services.audit import record_unattended
from jara.services.ballots.counting import has_key
from jara.services.context import Context

BACKUP_ACTION = "backup.make"
_FILE_MODE = 0o600
_NAME_LENGTH = 100


Written = TypeVar("Written")

Build = Callable[[Path, Path], list[str]]
"""Builds a database from a plain backup in an empty file; returns the steps that it lacked."""


class BackupFacts(NamedTuple):
    """A backup's file, its size, and the size and root of the public log in it."""

    file: Path
    size_bytes: int
    log_size: int
    root: str
    unrecorded: str = ""  # why the audit log does not name it, for a database that takes no changes


def make_backup(
    context: Context,
    target: Path,
    *,
    encryption: AgeEncryption | None = None,
    progress: Progress = no_progress,
) -> BackupFacts:
    """Copy the database to a new file while others continue to work.

    `encryption` encrypts it; until then the plain copy is in the secrets folder. `progress` is
    called as the database is copied.

    Raises:
        Conflict: the file exists already; a backup never overwrites anything.
        NotFound: its folder does not exist.
        Unavailable: the disk is full or the folder is not writable.
    """

    def write(draft: Path) -> tuple[int, bytes]:
        if encryption is None:
            return context.store.backup(draft, progress=progress)
        with context.vault.scratch() as folder:
            head = context.store.backup(folder / "plain.db", progress=progress)
            encryption.encrypt_file(folder / "plain.db", draft)
            return head

    size, root = write_whole(target, write)
    unrecorded = ""
    try:
        with context.store.write() as work:
            record_unattended(context, work, BACKUP_ACTION, target.name, logSize=size)
    except (Conflict, Unavailable) as error:  # read-only, or closed
        unrecorded = error.message
    return BackupFacts(target, target.stat().st_size, size, root.hex(), unrecorded)


def write_whole(target: Path, write: Callable[[Path], Written]) -> Written:
    """Write a new database file completely or not at all, and return what ``write`` returned.

    Raises:
        Conflict: the file exists already.
        NotFound: its folder does not exist.
        Unavailable: the disk is full or the folder is not writable.
    """
    _refuse_existing(target)
    draft = _draft_beside(target)
    try:
        written = write(draft)
        _finish(draft, target)
    except OSError as error:
        raise Unavailable(f"'{target}' cannot be written: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)
    return written


def restore_backup(
    source: Path, target: Path, *, build: Build, unpack: Callable[[Path, Path], None] | None = None
) -> list[str]:
    """Restore a backup to a place where there is no database yet.

    The draft is beside the new database; drafts left there by a killed restore are removed. `build`
    builds the database from the plain backup, and raises if it is bad. `unpack` writes the plain
    content of the backup to a new file; None if it is plain.

    Returns:
        What `build` returned: the steps that the backup lacked.

    Raises:
        NotFound: there is no such backup.
        Conflict: there is a database already.
        Unavailable: the copy cannot be written, or it is not a sound database.
    """
    if not source.is_file():
        raise NotFound(f"There is no file '{source}'.")
    _refuse_existing(target)
    for abandoned in target.parent.glob(f".{target.name[:_NAME_LENGTH]}.*.part*"):
        abandoned.unlink(missing_ok=True)
    draft, plain = _draft_beside(target), source
    try:
        if unpack is not None:
            plain = _draft_beside(target)
            unpack(source, plain)
        draft.touch(mode=_FILE_MODE, exist_ok=False)
        steps = build(plain, draft)
        _finish(draft, target)
    except Unavailable as error:  # a fault of the copy is a fault of the backup
        named = error.message
        for file in (draft, plain):
            named = named.replace(str(file), str(source)).replace(file.name, source.name)
        raise Unavailable(named) from error
    except OSError as error:
        raise Unavailable(f"'{target}' cannot be written: {error.strerror}.") from error
    finally:
        leftovers = [draft] if plain == source else [draft, plain]
        for leftover in leftovers:
            for suffix in ("", "-wal", "-shm", "-journal"):
                Path(f"{leftover}{suffix}").unlink(missing_ok=True)
    return steps


def votes_without_key(context: Context) -> list[str]:
    """Return the titles of open votes whose ballot key is missing, or does not open the ballots.

    Such a vote can neither continue nor be closed; it can only be withdrawn.
    """
    with context.store.read() as work:
        return [
            record.proposal.title
            for record in work.proposals.all(ProposalStatus.OPEN)
            if not has_key(context, work, record.proposal.id)
        ]


def _refuse_existing(target: Path) -> None:
    if target.exists():
        raise Conflict(f"'{target}' exists already; nothing was changed.")
    if not target.parent.is_dir():
        raise NotFound(f"'{target}' cannot be written: there is no folder '{target.parent}'.")


def _draft_beside(target: Path) -> Path:
    return target.with_name(f".{target.name[:_NAME_LENGTH]}.{secrets.token_hex(6)}.part")


def _finish(draft: Path, target: Path) -> None:
    """Sync the draft to disk, make it private, and rename it unless the name is taken."""
    draft.chmod(_FILE_MODE)  # a database holds personal data
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(draft, target)
    except FileExistsError:
        raise Conflict(f"'{target}' exists already; nothing was changed.") from None
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
