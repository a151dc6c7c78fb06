"""``jara restore``: turn a backup into a database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.keys import decryption_with
from jara.bootstrap.transfer import require_secrets, restore_with_keys
from jara.services.books.verification import Verification, verify_and_note
from jara.services.operations.backups import votes_without_key
from jara.services.publiclog.restoring import Continued, continue_log, read_checkpoints
from jara_cli.columns import Column, Kind
from jara_cli.context import reopening
from jara_cli.inputs import open_input
from jara_cli.output import show_rows
from jara_cli.verbs import Answer, verb

_CHECKPOINTS_BYTES_MAX = 64 << 20


app = typer.Typer()


@verb(
    app,
    Column("database", "Database"),
    Column("ok", "Verified"),
    Column("entries", "Entries", Kind.COUNT),
    Column("size", "Log size", Kind.COUNT),
    Column("root", "Root"),
    Column("lostLeaves", "Lost leaves", Kind.COUNT),
    name="restore",
    any_mode=True,
)
def command(
    application: Application,
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="File written by jara backup.")],
    secrets: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="File written by jara backup --secrets."),
    ] = None,
    identity: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="File with the age identity of an encrypted backup."),
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The newest checkpoint available, to show what is lost."),
    ] = None,
) -> Answer:
    """Restore a backup into a new database and verify it.

    Compares the log with the newest checkpoint known here or given with --checkpoint. If leaves
    published after the backup are lost, the log continues under another name and records it.

    \b
    Examples:
      jara restore 2026-11-20.db --secrets /media/safe/jara.keys
      jara restore 2026-11-20.db --checkpoint newest.txt
      jara --db elsewhere.db restore 2026-11-20.db
      jara restore 2026-11-20.db.age --identity /media/safe/backup.key
      jara --db postgresql://jara@db.example.org/jara restore 2026-11-20.db
    """
    require_secrets(application, secrets)
    decryption = decryption_with(identity)
    notes = _read_text(checkpoint)
    seen = restore_with_keys(
        application,
        Path(file),
        None if secrets is None else Path(secrets),
        decryption,
        lambda: read_checkpoints(application.context, notes, str(checkpoint)) if notes else [],
    )
    with show_rows("Checking the books") as progress:
        checked = verify_and_note(application.context, progress=progress, reopen=reopening(ctx))
    continued = continue_log(application.context, Path(file).name, known=seen)
    return _report(application, checked, continued)


def _read_text(checkpoint: str | None) -> str:
    if checkpoint is None:
        return ""
    with open_input(checkpoint) as stream:
        return stream.read(_CHECKPOINTS_BYTES_MAX).decode("utf-8", "replace")


def _report(application: Application, verification: Verification, continued: Continued) -> Answer:
    lost = votes_without_key(application.context)
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
            "log": continued.name,
            "lostLeaves": continued.lost,
        },
        notes=[
            _explain(continued),
            *messages,
            *(
                f"Backups contain no ballot keys, so the vote on '{title}' can only be withdrawn."
                for title in lost
            ),
        ],
        ok=verification.ok,
    )


def _explain(continued: Continued) -> str:
    """Explain whether leaves are lost, and how the log continues."""
    last = continued.last
    if last is None:
        return "This log has no checkpoint yet, so nothing shows whether leaves are lost."
    compared = f"the newest checkpoint known here, of {last.size} leaves"
    if continued.is_whole:
        return (
            f"Compared with {compared}, no leaves are lost. If you have a newer one, restore again "
            "with --checkpoint FILE."
        )
    what = (
        f"Leaves {continued.size} to {last.size - 1} are lost, {continued.lost} in all, "
        f"compared with {compared}."
        if continued.lost
        else f"The backup's leaves differ from {compared}."
    )
    return (
        f"{what} The log continues as '{continued.name}': publish both checkpoints and what was "
        "lost, and give your witnesses the new key (jara proofs status). Read "
        "docs/operations.md, 'After a loss'."
    )
