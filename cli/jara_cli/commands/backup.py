"""``jara backup``: copy the whole database to one file, even while it is in use."""

from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.keys import encryption_for
from jara.bootstrap.serving import environment_of
from jara.bootstrap.transfer import list_left_out
from jara.domain.errors import Conflict
from jara.domain.progress import no_progress
from jara.services.operations.backups import BackupFacts, make_backup
from jara.services.operations.diagnosis_setup import check_decided
from jara_cli.columns import Column, Kind
from jara_cli.context import config_path
from jara_cli.inputs import require_writable
from jara_cli.options import argument, option
from jara_cli.output import show_rows
from jara_cli.verbs import Answer, Table, verb

app = typer.Typer()

_LEFT_OUT = (
    Column("what", "What"),
    Column("files", "Files", Kind.COUNT),
    Column("bytes", "Bytes", Kind.COUNT),
    Column("place", "Where", rank=1),
    Column("advice", "How to keep it", Kind.SENTENCE),
)


@verb(
    app,
    Column("file", "Backup"),
    Column("secrets", "Secrets"),
    Column("encrypted", "Encrypted"),
    Column("bytes", "Bytes", Kind.COUNT),
    Column("size", "Log size", Kind.COUNT),
    Column("root", "Root"),
    name="backup",
    any_mode=True,
)
def command(
    application: Application,
    ctx: typer.Context,
    file: Annotated[str, argument("FILE", "New file to write.")],
    secrets: Annotated[
        str | None, option("FILE", "Also write the keys to this file; store it separately.")
    ] = None,
    to: Annotated[
        list[str] | None,
        option("AGE1…", "Encrypt to this age recipient; may be given several times."),
    ] = None,
) -> Answer:
    """Copy the database to one file while it is in use, and list what is not in it.

    The file is an SQLite database and can be restored into SQLite or PostgreSQL. With --to
    (default: JARA_BACKUP_TO)
    both files are encrypted with age, and only a recipient's identity can restore them: keep it
    off this machine.
    Ballot keys are never in a backup, and are destroyed 14 days after the vote. After a restore,
    a vote that was open can only be withdrawn.

    Examples:
      jara backup 2026-11-20.db
      jara backup 2026-11-20.db --secrets /media/safe/jara.keys
      jara backup 2026-11-20.db.age --to "$AGE_RECIPIENT" --to "$OTHER_RECIPIENT"
    """
    if secrets is not None and Path(secrets).exists():
        raise Conflict(f"'{secrets}' exists already; nothing was changed.")
    require_writable(secrets or "")
    encryption = encryption_for(to or application.settings.backup_to)
    target = Path(file).absolute()
    with show_rows("Copying") as progress:
        facts = make_backup(
            application.context, target, encryption=encryption, progress=progress or no_progress
        )
    if secrets is not None:
        application.secrets.export(
            Path(secrets).absolute(), encrypt=encryption.encrypt if encryption else None
        )
    left = list_left_out(application, config_path(ctx), has_keys=secrets is not None)
    document = {
        "file": str(facts.file),
        "secrets": secrets,
        "encrypted": encryption is not None,
        "bytes": facts.size_bytes,
        "size": facts.log_size,
        "root": facts.root,
        "leftOut": left,
    }
    notes = _notes(facts, is_plain=encryption is None, lacks_keys=secrets is None)
    around = environment_of(application.settings)
    notes += [one.message for one in check_decided(application.context, around)]
    return Answer(document, notes=notes, tables=[Table("Not in the backup:", left, _LEFT_OUT)])


def _notes(facts: BackupFacts, *, is_plain: bool, lacks_keys: bool) -> list[str]:
    notes = [f"The audit log does not name the backup: {facts.unrecorded}"] * bool(facts.unrecorded)
    if is_plain:
        notes.append(
            "The backup is not encrypted, and it contains personal data; --to age1… encrypts it."
        )
    if lacks_keys:
        notes.append("The backup does not contain the keys; --secrets FILE writes them.")
    return notes
