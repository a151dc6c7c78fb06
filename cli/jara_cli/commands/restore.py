"""``jara restore``: turn a backup into a database."""

from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.keys import decryption_with
from jara.bootstrap.transfer import (
    rehearsal_settings,
    rehearse_restore,
    require_secrets,
    restore_with_keys,
    restoring_alone,
)
from jara.domain.publiclog.witnessing import Seen
from jara.services.books.verification import Reopen, Verification, verify_and_note
from jara.services.context import Context
from jara.services.operations.backups import votes_without_key
from jara.services.operations.stored_files import compare_files, describe_faults, describe_files
from jara.services.publiclog.restoring import RestoredLog, continue_log, read_checkpoints
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application, reopening
from jara_cli.inputs import open_input
from jara_cli.options import argument, flag, option
from jara_cli.output import note, show_rows
from jara_cli.verbs import Answer, verb

_CHECKPOINTS_BYTES_MAX = 64 << 20
_STOP_FIRST = (
    "Stop the old one first: where a server or a daily run still uses the old database, two "
    "databases with one log contradict each other."
)
_AS_BEFORE = (
    "Every session has ended. Passwords, passkeys, addresses, consents and partners' links are as "
    "on the day of the backup: close again what was closed since, and revoke links again."
)

_Secrets = Annotated[str | None, option("FILE", "File that `jara backup` wrote with --secrets.")]
_Identity = Annotated[
    str | None, option("FILE", "File with the age identity of an encrypted backup.")
]
_Checkpoint = Annotated[
    str | None, option("FILE", "The newest checkpoint available, to show what is lost.")
]


app = typer.Typer()


@verb(
    app,
    Column("database", "Database"),
    Column("ok", "Verified"),
    Column("entries", "Entries", Kind.COUNT),
    Column("size", "Log size", Kind.COUNT),
    Column("root", "Root"),
    Column("lostLeaves", "Lost leaves", Kind.COUNT),
    Column("missingFiles", "Missing files", Kind.COUNT),
    name="restore",
    any_mode=True,
)
def command(
    application: Application,
    ctx: typer.Context,
    file: Annotated[str, argument("FILE", "File written by `jara backup`.")],
    secrets: _Secrets = None,
    identity: _Identity = None,
    checkpoint: _Checkpoint = None,
    rehearsal: Annotated[
        str | None, option("FOLDER", "Restore into a new folder, to test the backup.")
    ] = None,
    lost: Annotated[
        bool, flag("--lost", "The organisation's database is lost; this one replaces it.")
    ] = False,
) -> Answer:
    """Restore a backup into a new database, verify it, and count the files that it refers to.

    Stop the old one first: two servers with one log contradict each other. Pictures and documents
    are not in the backup: copy their folder before you restore (jara backup names it).

    Compares the log with the newest checkpoint known here or given with --checkpoint. If lines
    published after the backup are lost, the log continues under another name and records it.

    With --rehearsal, everything goes into a folder of its own, which takes no changes and signs
    nothing; the organisation goes on.

    Examples:
      jara restore 2026-11-20.db --rehearsal restore-test
      jara restore 2026-11-20.db --secrets /media/safe/jara.keys
      jara restore 2026-11-20.db --checkpoint newest.txt
      jara --db elsewhere.db restore 2026-11-20.db
      jara restore 2026-11-20.db.age --identity /media/safe/backup.key
      jara --db postgresql://jara@db.example.org/jara restore 2026-11-20.db
    """
    decryption = decryption_with(identity)
    notes = _read_text(checkpoint)
    keys, media = None if secrets is None else Path(secrets), application.settings.media_dir

    def read_known(context: Context) -> list[Seen]:
        return read_checkpoints(context, notes, str(checkpoint)) if notes else []

    if rehearsal is not None:
        own = open_application(ctx, any_mode=True, settings=rehearsal_settings(Path(rehearsal)))
        compared = rehearse_restore(application, own, Path(file), keys, decryption, read_known)
        return _report(own, _verify(own), compared, media, is_rehearsal=True)
    require_secrets(application, secrets)
    with restoring_alone(application):
        seen = restore_with_keys(
            application,
            Path(file),
            keys,
            decryption,
            lambda: read_known(application.context),
            is_lost=lost,
        )
        note(_STOP_FIRST)
        checked = _verify(application, reopening(ctx))
        continued = continue_log(application.context, Path(file).name, known=seen)
    return _report(application, checked, continued, media)


def _verify(application: Application, reopen: Reopen | None = None) -> Verification:
    with show_rows("Checking the books") as progress:
        return verify_and_note(application.context, progress=progress, reopen=reopen)


def _read_text(checkpoint: str | None) -> str:
    if checkpoint is None:
        return ""
    with open_input(checkpoint) as stream:
        return stream.read(_CHECKPOINTS_BYTES_MAX).decode("utf-8", "replace")


def _report(
    application: Application,
    verification: Verification,
    log: RestoredLog,
    media: Path,
    *,
    is_rehearsal: bool = False,
) -> Answer:
    lost = votes_without_key(application.context)
    files = compare_files(application.context, media, is_read=True)
    faults = list(describe_faults(files, media))
    messages = [finding.message for finding in verification.findings]
    return Answer(
        {
            "database": application.settings.database_name,
            "ok": verification.ok,
            "entries": verification.entries,
            "size": verification.size,
            "root": verification.root,
            "findings": messages,
            "votesWithoutKey": lost,
            "log": log.name,
            "lostLeaves": log.lost,
            "missingFiles": sum(len(one.bad) for one in files),
            "files": files,
            "rehearsal": is_rehearsal,
        },
        notes=[
            _explain(log, is_rehearsal=is_rehearsal),
            *([] if is_rehearsal else [_AS_BEFORE]),
            *messages,
            *(faults or [f"The database refers to {describe_files(files)}; all are in {media}."]),
            *(
                f"Backups contain no ballot keys, so the vote on '{title}' can only be withdrawn."
                for title in lost
            ),
        ],
        ok=verification.ok and not faults,
    )


def _explain(log: RestoredLog, *, is_rehearsal: bool) -> str:
    """Explain whether leaves are lost, and how the log continues; a rehearsal does not."""
    last = log.last
    if last is None:
        return "This log has no checkpoint yet, so nothing shows whether leaves are lost."
    compared = f"the newest checkpoint known here, of {last.size:,} leaves"
    if log.is_whole:
        newer = "If you have a newer one, restore again with --checkpoint FILE."
        return f"Compared with {compared}, no leaves are lost. {newer}"
    what = (
        f"Leaves {log.size:,} to {last.size - 1:,} are {'missing' if is_rehearsal else 'lost'}, "
        f"{log.lost} in all, compared with {compared}."
        if log.lost
        else f"The backup's leaves differ from {compared}."
    )
    if is_rehearsal:
        return f"{what} This is a rehearsal: the organisation itself goes on."
    return (
        f"{what} The log continues as '{log.name}': publish both checkpoints and what was lost, "
        "and give your witnesses the new key (jara proofs status). Read docs/operations.md, "
        "'After a loss'."
    )
