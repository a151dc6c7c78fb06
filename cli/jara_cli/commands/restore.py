"""``jara restore``: turn a backup into a database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.keys import Decryption, decryption_with
from jara.bootstrap.transfer import restore_keys, restore_organisation
from jara.domain.errors import Conflict, NotFound
from jara.domain.publiclog.witnessing import Seen
from jara.services.books.verification import Verification, verify_and_note
from jara.services.operations.backups import votes_without_key
from jara.services.publiclog.restoring import Continued, continue_log, read_checkpoints
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application, reopening
from jara_cli.exits import ExitCode
from jara_cli.inputs import open_input
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note
from jara_cli.progress import show_rows

_CHECKPOINTS_BYTES_MAX = 64 << 20


def command(
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
    as_json: JsonFlag = False,
) -> int:
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
    application = open_application(ctx, any_mode=True)
    _require_secrets(application, secrets)
    decryption = decryption_with(identity)
    kept = _read_text(checkpoint)
    known = _restore(
        application,
        Path(file),
        None if secrets is None else Path(secrets),
        decryption,
        lambda: read_checkpoints(application.context, kept, str(checkpoint)) if kept else [],
    )
    with show_rows("Checking the books") as progress:
        checked = verify_and_note(application.context, progress=progress, reopen=reopening(ctx))
    continued = continue_log(application.context, Path(file).name, known=known)
    return _report(application, checked, continued, as_json=as_json)


def _read_text(checkpoint: str | None) -> str:
    if checkpoint is None:
        return ""
    with open_input(checkpoint) as stream:
        return stream.read(_CHECKPOINTS_BYTES_MAX).decode("utf-8", "replace")


def _restore(
    application: Application,
    file: Path,
    secrets: Path | None,
    decryption: Decryption | None,
    read_known: Callable[[], list[Seen]],
) -> list[Seen]:
    """Restore keys and database; if the database fails, remove the keys again.

    Returns:
        The checkpoints in ``--checkpoint``, read with the restored keys.
    """
    keys = application.secrets
    had_folder = keys.folder.is_dir()
    if secrets is not None:
        restore_keys(keys, secrets, decryption=decryption)
    try:
        if secrets is not None:
            _require_own_state(application)
        known = read_known()
        restore_organisation(application, file, decryption=decryption)
    except BaseException:
        if secrets is not None:
            keys.destroy(keep_folder=had_folder)
        raise
    return known


def _require_own_state(application: Application) -> None:
    """Check that a restored copy does not sign as an organisation that runs on this machine."""
    place = application.secrets.signs_here()
    if place is not None and application.settings.signer_dir is None:
        raise Conflict(
            f"The log's key has signed on this machine: {place}. For a rehearsal, set "
            "JARA_SIGNER_DIR to an empty folder. To put the organisation itself back, set it to "
            f"{place.parent}."
        )


def _require_secrets(application: Application, secrets: str | None) -> None:
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


def _report(
    application: Application, verification: Verification, continued: Continued, *, as_json: bool
) -> int:
    lost = votes_without_key(application.context)
    emit(
        {
            "database": application.settings.database_name,
            "ok": verification.ok,
            "entries": verification.entries,
            "size": verification.size,
            "root": verification.root,
            "findings": [finding.message for finding in verification.findings],
            "votesWithoutKey": lost,
            "log": continued.name,
            "lostLeaves": continued.lost,
        },
        as_json=as_json,
        columns=[
            Column("database", "Database"),
            Column("ok", "Verified"),
            Column("entries", "Entries", Kind.COUNT),
            Column("size", "Log size", Kind.COUNT),
            Column("root", "Root"),
            Column("lostLeaves", "Lost leaves", Kind.COUNT),
        ],
    )
    note(_explain(continued))
    for finding in verification.findings:
        note(finding.message)
    for title in lost:
        note(f"Backups contain no ballot keys, so the vote on '{title}' can only be withdrawn.")
    return ExitCode.DONE if verification.ok else ExitCode.NO


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
